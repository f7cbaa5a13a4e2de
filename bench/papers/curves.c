/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the motions in the figures of the splitting papers, with the papers' steps: the data, and a comparison of the
 * papers' statements with measurements. */
#include "bench/papers/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const curve_schemes[CURVE_SCHEMES] = {"lie",      "lie, substeps as strang", "strang",
                                                  "centered", "centered, regularized",   "moreau"};
const CurveCase curve_cases[CURVE_CASES] = {
    {"5.1", "glowinski-2004-5.1", 1, exact_51, "scheme={name: lie, friction_substeps: 2, elastic_substeps: 1}",
     "scheme={name: strang, friction_substeps: 1, elastic_substeps: 1}"},
    {"5.2", "glowinski-2004-5.2", 1, exact_52, NULL,
     "scheme={name: strang, friction_substeps: 5, elastic_substeps: 2}"},
    {"6.2", "shiau-6.2", 2, exact_62, "scheme={name: lie, friction_substeps: 2, elastic_substeps: 1, alpha: 0}",
     "scheme={name: strang, friction_substeps: 1, elastic_substeps: 1, alpha: 0}"},
    {"6.3", "shiau-6.3", 3, exact_63, "scheme={name: lie, friction_substeps: 2, elastic_substeps: 1}",
     "scheme={name: strang, friction_substeps: 1, elastic_substeps: 1}"}};

int curve_trace(const CurveCase *c, int scheme, long finer, Trace *trace) {
  const char *settings[CURVE_SCHEMES] = {NULL,
                                         c->lie,
                                         c->strang,
                                         "scheme={name: centered, multiplier: unregularized}",
                                         "scheme={name: centered, multiplier: regularized}",
                                         "scheme={name: moreau}"};
  return trace_make(&(Case){.file = c->file, .variant = curve_schemes[scheme], .settings = {settings[scheme]}}, finer,
                    1, NULL, trace);
}

int curve_exact(const CurveCase *c, long finer, Trace *trace) {
  return trace_exact(c->file, NULL, CURVE_THIRDS * finer, NULL, trace);
}

double curve_lambda_error(const Trace *t, const Trace *exact, int scheme) {
  bool centered = scheme == CENTERED || scheme == REGULARIZED;
  double sum = 0;
  for (long n = 1; n <= t->n; n++) {
    long before = CURVE_THIRDS * n - (centered ? 1 : 2), after = before + (centered ? 2 : 1);
    if (after > exact->n) after = before;
    for (int i = 0; i < t->d; i++) {
      double mean = (exact->lambda[before * t->d + i] + exact->lambda[after * t->d + i]) / 2;
      sum += t->step * fabs(t->lambda[n * t->d + i] - mean);
    }
  }
  return sum;
}

static int sign(double value) { return (value > 0) - (value < 0); }

/* Returns whether no velocity of the exact motion changes its sign near step n. exact: result of curve_exact. */
static bool is_quiet(const Trace *exact, long n) {
  long low = CURVE_THIRDS * (n - CURVE_NEAR), high = CURVE_THIRDS * (n + CURVE_NEAR);
  for (long j = low > 0 ? low + 1 : 1; j <= high && j <= exact->n; j++)
    for (int i = 0; i < exact->d; i++)
      if (sign(exact->v[j * exact->d + i]) != sign(exact->v[(j - 1) * exact->d + i])) return false;
  return true;
}

int curve_turns(const Trace *t, long from, long stride, const Trace *exact) {
  int turns = 0;
  for (int i = 0; i < t->d; i++) {
    double last = 0;
    for (long n = from + stride; n <= t->n; n += stride) {
      double change = t->lambda[n * t->d + i] - t->lambda[(n - stride) * t->d + i];
      if (fabs(change) < 0.01) continue;
      turns += change * last < 0 && (!exact || is_quiet(exact, n));
      last = change;
    }
  }
  return turns;
}

/* Which quantities of which case each figure shows. */
static const struct {
  const char *paper, *figures, *label, *says;
  char quantity;
} figures[] = {{"glowinski-2004", "1", "5.1", "max(0, sin 2 pi t)", 'v'},
               {"glowinski-2004", "3", "5.2", "max(0, sin 2 pi t)^2", 'x'},
               {"glowinski-2004", "4", "5.2", "its derivative", 'v'},
               {"shiau-2005", "1", "5.2", "(sin 2 pi t)^+2", 'x'},
               {"shiau-2005", "2", "5.2", "its derivative", 'v'},
               {"shiau-2005", "5-6", "6.2", "its closed form", 'v'},
               {"shiau-2005", "7-8", "6.2", "its closed form", 'x'},
               {"shiau-2005", "9-10", "6.2", "no spurious oscillations", 'l'},
               {"shiau-2005", "14-16", "6.3", "no closed form printed", 'v'},
               {"shiau-2005", "17-19", "6.3", "no closed form printed", 'x'},
               {"shiau-2005", "20-22", "6.3", "no spurious oscillations", 'l'}};
enum { FIGURES = sizeof figures / sizeof *figures };

/* Quantities of a case. X, V, LAMBDA: errors of the paper's scheme against the exact motion. CLOSED: the same errors of
 * the exact motion against the closed form. TURNS, EXACT_TURNS: how often lambda turns (its increments change sign) by
 * the scheme and in the exact motion. */
enum { X, V, LAMBDA, CLOSED, TURNS = 2 * CLOSED, EXACT_TURNS, SEEN };

/* Returns whether lambda jumps at t. */
static bool jumps(const CurveCase *c, double t) {
  Exact before = c->exact(t - 1e-8), after = c->exact(t + 1e-8);
  bool any = false;
  for (int i = 0; i < c->d; i++) any = any || fabs(after.lambda[i] - before.lambda[i]) > 1e-3;
  return any;
}

/* Compares x, v and lambda of the exact motion with the closed form. Excluded are the jumps of lambda, and the end time
 * T, where the masses of problem 6.2 just come to rest. */
static void closed_form(const CurveCase *c, const Trace *exact, double *seen) {
  for (int q = X; q <= LAMBDA; q++) seen[CLOSED + q] = 0;
  for (long n = 0; n <= exact->n; n++) {
    double t = (double)n * exact->step;
    Exact e = c->exact(t);
    const double *closed[] = {e.x, e.v, e.lambda}, *ours[] = {exact->x, exact->v, exact->lambda};
    for (int q = X; q <= (n == exact->n || jumps(c, t) ? V : LAMBDA); q++)
      for (int i = 0; i < c->d; i++)
        seen[CLOSED + q] = fmax(seen[CLOSED + q], fabs(ours[q][n * c->d + i] - closed[q][i]));
  }
}

static void write_curves(const Papers *p, const CurveCase *c, const Trace *of, const Trace *exact) {
  char name[64];
  snprintf(name, sizeof name, "curves-%s.csv", c->label);
  FILE *file = papers_open(p, name);
  const struct {
    const char *name;
    const double *values;
    int stride;
  } columns[] = {{"x", of[LIE].x, 1},
                 {"v", of[LIE].v, 1},
                 {"lambda", of[LIE].lambda, 1},
                 {"x_E", exact->x, CURVE_THIRDS},
                 {"v_E", exact->v, CURVE_THIRDS},
                 {"lambda_E", exact->lambda, CURVE_THIRDS},
                 {"lambda_S", of[STRANG].lambda, 1},
                 {"lambda_C", of[CENTERED].lambda, 1}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  fputs("t", file);
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < c->d; i++) fprintf(file, ",%s%d", columns[j].name, i + 1);
  for (long n = 0; n <= of[LIE].n; n++) {
    fprintf(file, "\n%.9g", (double)n * of[LIE].step);
    for (int j = 0; j < COLUMNS; j++)
      for (int i = 0; i < c->d; i++) fprintf(file, ",%.9g", columns[j].values[columns[j].stride * n * c->d + i]);
  }
  fputc('\n', file);
  papers_close(file, name);
}

static int curve_task(void *context, int k, double *row) {
  const CurveCase *c = &curve_cases[k];
  Trace of[CENTERED + 1] = {{0}}, exact = {0}, coarse = {0};
  int code = curve_exact(c, 1, &exact);
  if (!code) code = trace_exact(c->file, NULL, 1, NULL, &coarse);
  for (int s = LIE; s <= CENTERED && !code; s++) code = curve_trace(c, s, 1, &of[s]);
  if (!code) {
    const Trace *lie = &of[LIE];
    row[X] = trace_farthest(lie, lie->x, coarse.x, 0, c->d);
    row[V] = trace_farthest(lie, lie->v, coarse.v, 0, c->d);
    row[LAMBDA] = curve_lambda_error(lie, &exact, LIE);
    closed_form(c, &exact, row);
    row[TURNS] = curve_turns(lie, 1, 1, NULL);
    row[EXACT_TURNS] = curve_turns(&exact, 1, CURVE_THIRDS, NULL);
    write_curves(context, c, of, &exact);
  }
  for (int s = LIE; s <= CENTERED; s++) trace_release(&of[s]);
  trace_release(&exact);
  trace_release(&coarse);
  return code;
}

int papers_curves(Papers *p, const char *argument) {
  (void)argument;
  static const char *const heads[] = {"paper",
                                      "figures",
                                      "problem",
                                      "curve",
                                      "the text",
                                      "ours from event-exact",
                                      "event-exact from the closed form",
                                      "turns of lambda, exact",
                                      "ours"};
  double rows[CURVE_CASES][SEEN];
  papers_tasks(CURVE_CASES, SEEN, curve_task, p, rows[0]);
  if (p->rank != 0) return 0;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < FIGURES; k++) {
    int at = 0, q = figures[k].quantity == 'x' ? X : figures[k].quantity == 'v' ? V : LAMBDA;
    while (strcmp(curve_cases[at].label, figures[k].label)) at++;
    const double *row = rows[at];
    text_table_word(table, "%s", figures[k].paper);
    text_table_word(table, "%s", figures[k].figures);
    text_table_word(table, "%s", figures[k].label);
    text_table_word(table, "%s", q == X ? "x (m)" : q == V ? "v (m/s)" : "lambda");
    text_table_word(table, "%s", figures[k].says);
    text_table_number(table, "%.1e", row[q]);
    text_table_number(table, "%.1e", row[CLOSED + q]);
    text_table_number(table, "%.0f", q == LAMBDA ? row[EXACT_TURNS] : NAN);
    text_table_number(table, "%.0f", q == LAMBDA ? row[TURNS] : NAN);
  }
  papers_table(p, "curves", table, true);
  fputs("\nOurs: `lie` at the paper's step. Largest distances over instants and components; of lambda, `ours from "
        "event-exact` is in L1 (s).\nA turn: lambda's increments, of more than 0.01, change their sign. 6.3 starts "
        "from rest, where the "
        "paper prints no start. Curves:\n`curves-5.1.csv` .. `curves-6.3.csv`, pictures of the same names: `_E` "
        "event-exact, `_S` Strang, `_C` centred, unregularized.\n",
        p->text);
  for (int k = 0; k < CURVE_CASES; k++) {
    double most = fmax(rows[k][CLOSED + X], fmax(rows[k][CLOSED + V], rows[k][CLOSED + LAMBDA]));
    papers_expect(p, most <= 1e-9, "%s: the event-exact motion is the closed form (%.1e)", curve_cases[k].label, most);
  }
  return 0;
}
