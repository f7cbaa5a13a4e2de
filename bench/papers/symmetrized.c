/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of two statements of the splitting papers: the symmetrized scheme does not improve accuracy (2004, Remark
 * 4), and the multipliers do not oscillate (2005, 6.2, 6.3). */
#include "bench/papers/curves.h"

#include "src/study/orders.h"

#include <math.h>

enum { LEVELS = 5 };

/* Quantities of a scheme at a step. Errors against the exact motion: x and v in L2, lambda in L1. TURNS: how much more
 * often lambda turns than in the exact motion; AWAY: how often it turns away from events; FLIPS: how much more often v
 * changes its sign; STUCK_SPEED: largest speed of a mass that should stick; VARIATION: total variation of lambda
 * relative to the exact one's. */
enum { STEP, X, V, LAMBDA, TURNS, AWAY, FLIPS, STUCK_SPEED, VARIATION, SEEN };

static int sign_changes(const Trace *t, long stride) {
  int n_flips = 0;
  for (int i = 0; i < t->d; i++) {
    double last = 0;
    for (long n = 0; n <= t->n; n += stride) {
      double v = t->v[n * t->d + i];
      n_flips += v * last < 0;
      if (v != 0) last = v;
    }
  }
  return n_flips;
}

/* Returns the largest speed of a mass that sticks in the exact motion from the instant before to the one after. */
static double stuck_speed(const Trace *t, const Trace *exact) {
  double most = 0;
  for (int i = 0; i < t->d; i++)
    for (long n = 1; n < t->n; n++) {
      bool stuck = true;
      for (long j = CURVE_THIRDS * (n - 1); j <= CURVE_THIRDS * (n + 1); j++)
        stuck = stuck && exact->v[j * t->d + i] == 0;
      if (stuck) most = fmax(most, fabs(t->v[n * t->d + i]));
    }
  return most;
}

static void measure_case(const Trace *t, const Trace *exact, int scheme, double *seen) {
  double x = 0, v = 0;
  for (long n = 1; n <= t->n; n++)
    for (int i = 0; i < t->d; i++) {
      x += t->step * pow(t->x[n * t->d + i] - exact->x[CURVE_THIRDS * n * t->d + i], 2);
      v += t->step * pow(t->v[n * t->d + i] - exact->v[CURVE_THIRDS * n * t->d + i], 2);
    }
  seen[STEP] = t->step;
  seen[X] = sqrt(x);
  seen[V] = sqrt(v);
  seen[LAMBDA] = curve_lambda_error(t, exact, scheme);
  seen[TURNS] = curve_turns(t, 1, 1, NULL) - curve_turns(exact, 1, CURVE_THIRDS, NULL);
  seen[AWAY] = curve_turns(t, 1, 1, exact);
  seen[FLIPS] = sign_changes(t, 1) - sign_changes(exact, 1);
  seen[STUCK_SPEED] = stuck_speed(t, exact);
  seen[VARIATION] = trace_variation(t, 1, 1) / trace_variation(exact, 1, CURVE_THIRDS);
}

typedef double Seen[CURVE_SCHEMES][SEEN];

/* Carries out task k: case k/LEVELS, with the paper's step halved k%LEVELS times. */
static int symmetrized_task(void *context, int k, double *row) {
  (void)context;
  const CurveCase *c = &curve_cases[k / LEVELS];
  long finer = 1L << (k % LEVELS);
  Trace exact, t;
  int code = curve_exact(c, finer, &exact);
  for (int s = 0; s < CURVE_SCHEMES && !code; s++) {
    code = curve_trace(c, s, finer, &t);
    if (!code) measure_case(&t, &exact, s, row + s * SEEN);
    trace_release(&t);
  }
  trace_release(&exact);
  return code;
}

static double order_of(Seen *seen, int scheme, int value) {
  double step[LEVELS], error[LEVELS];
  for (int l = 0; l < LEVELS; l++) {
    step[l] = seen[l][scheme][STEP];
    error[l] = seen[l][scheme][value];
  }
  return log_slope(LEVELS, step, error);
}

/* Returns the error of strang relative to that of lie with as many friction substeps, as a geometric mean over the
 * steps. */
static double error_ratio(Seen *seen, int value) {
  double sum = 0;
  for (int l = 0; l < LEVELS; l++) sum += log(seen[l][STRANG][value] / seen[l][LIE_TWICE][value]);
  return exp(sum / LEVELS);
}

static TextTable *accuracy_table(Seen (*seen)[LEVELS], int cases) {
  static const char *const heads[] = {"problem",           "scheme", "x error, L2 (m)", "order",
                                      "v error, L2 (m/s)", "order",  "lambda, L1 (s)",  "order",
                                      "over lie's, x",     "v",      "lambda"};
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int c = 0; c < cases; c++)
    for (int s = LIE; s <= STRANG; s++) {
      text_table_word(table, "%s", curve_cases[c].label);
      text_table_word(table, "%s", curve_schemes[s]);
      for (int q = X; q <= LAMBDA; q++) {
        text_table_number(table, "%.2e", seen[c][0][s][q]);
        text_table_number(table, "%.2f", order_of(seen[c], s, q));
      }
      for (int q = X; q <= LAMBDA; q++) text_table_number(table, "%.2f", s == STRANG ? error_ratio(seen[c], q) : NAN);
    }
  return table;
}

static TextTable *points_table(Seen (*seen)[LEVELS], int cases) {
  static const char *const heads[] = {"problem", "scheme", "dt (s)", "x", "v", "lambda_L1"};
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int c = 0; c < cases; c++)
    for (int s = 0; s < CURVE_SCHEMES; s++)
      for (int l = 0; l < LEVELS; l++) {
        text_table_word(table, "%s", curve_cases[c].label);
        text_table_word(table, "%s", curve_schemes[s]);
        for (int q = STEP; q <= LAMBDA; q++) text_table_number(table, "%.6g", seen[c][l][s][q]);
      }
  return table;
}

static TextTable *oscillation_table(Seen (*seen)[LEVELS], int cases) {
  static const char *const heads[] = {"problem",
                                      "scheme",
                                      "spurious turns of lambda",
                                      "at dt/16",
                                      "away from events",
                                      "at dt/16",
                                      "its variation over the exact",
                                      "spurious changes of sign of v",
                                      "fastest where stuck (m/s)",
                                      "at dt/16"};
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int c = 0; c < cases; c++)
    for (int s = 0; s < CURVE_SCHEMES; s++) {
      const double *coarse = seen[c][0][s], *fine = seen[c][LEVELS - 1][s];
      text_table_word(table, "%s", curve_cases[c].label);
      text_table_word(table, "%s", curve_schemes[s]);
      text_table_number(table, "%.0f", coarse[TURNS]);
      text_table_number(table, "%.0f", fine[TURNS]);
      text_table_number(table, "%.0f", coarse[AWAY]);
      text_table_number(table, "%.0f", fine[AWAY]);
      text_table_number(table, "%.3g", coarse[VARIATION]);
      text_table_number(table, "%.0f", coarse[FLIPS]);
      text_table_number(table, "%.1e", coarse[STUCK_SPEED]);
      text_table_number(table, "%.1e", fine[STUCK_SPEED]);
    }
  return table;
}

static void judge_case(const Papers *p, Seen (*seen)[LEVELS], int cases) {
  for (int c = 0; c < cases; c++) {
    const char *label = curve_cases[c].label;
    double v = order_of(seen[c], STRANG, V) - order_of(seen[c], LIE_TWICE, V),
           lambda = order_of(seen[c], STRANG, LAMBDA) - order_of(seen[c], LIE_TWICE, LAMBDA);
    const double *coarse = seen[c][0][LIE], *fine = seen[c][LEVELS - 1][LIE];
    papers_expect(
        p, fabs(v) <= 0.15 && fabs(lambda) <= 0.15,
        "%s: the symmetrized scheme is of the same order as lie with as many substeps (by %+.2f in v, %+.2f in "
        "lambda); its errors are %.2f, %.2f and %.2f times lie's (x, v, lambda)",
        label, v, lambda, error_ratio(seen[c], X), error_ratio(seen[c], V), error_ratio(seen[c], LAMBDA));
    papers_expect(p, coarse[AWAY] == 0 && fine[AWAY] == 0 && seen[c][LEVELS - 1][CENTERED][AWAY] > 1000,
                  "%s: lambda of lie does not oscillate: %.0f turns away from events at the paper's step, %.0f at a "
                  "sixteenth; the centred scheme's, unregularized, does: %.0f, %.0f",
                  label, coarse[AWAY], fine[AWAY], seen[c][0][CENTERED][AWAY], seen[c][LEVELS - 1][CENTERED][AWAY]);
  }
}

int papers_symmetrized(Papers *p, const char *argument) {
  (void)argument;
  static Seen seen[CURVE_CASES][LEVELS];
  int cases = p->quick ? 2 : CURVE_CASES;
  papers_tasks(cases * LEVELS, CURVE_SCHEMES * SEEN, symmetrized_task, NULL, &seen[0][0][0][0]);
  if (p->rank != 0) return 0;
  papers_table(p, "symmetrized-points", points_table(seen, cases), false);
  fputs(
      "Errors from the event-exact motion at the paper's step; orders over that and four halvings. Strang's error over "
      "that of lie with\nas many friction substeps a step is the geometric mean over these steps.\n\n",
      p->text);
  papers_table(p, "symmetrized", accuracy_table(seen, cases), true);
  fprintf(
      p->text,
      "\nTurns of lambda: its increments, those of more than 0.01, change their sign. Spurious: more often than the "
      "event-exact one's. Away\nfrom events: no velocity of the motion itself changes its sign within %d steps. At an "
      "event lambda is off for some steps, as many with\nfiner ones (5.1: the force jumps as the mass stops; stopped a "
      "step early, it is pushed back). An oscillation goes on, and its turns\ngrow with the number of steps.\n\n",
      (int)CURVE_NEAR);
  papers_table(p, "oscillation", oscillation_table(seen, cases), true);
  judge_case(p, seen, cases);
  return 0;
}
