/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes tables of errors over the step: the figures of the two splitting papers, and the orders of the chain paper. */
#include "bench/papers/papers.h"

#include "bench/tools/measure.h"
#include "src/study/orders.h"

#include <math.h>
#include <string.h>

typedef struct OrderCase {
  Case c;
  const char *label; /* label of the data of this case in the figure */
} OrderCase;

static const OrderCase splitting[] = {
    {{"glowinski-2004-5.1", "P = 1", .settings = {"time={end: 2, steps: 40}"}, .exact = exact_51}, "5.1"},
    {{"glowinski-2004-5.1", "P = 1", .exact = exact_51}, "5.1"},
    {{"glowinski-2004-5.2", "P = 10, Q = 2", .settings = {"time={end: 3, steps: 60}"}, .exact = exact_52}, "5.2"},
    {{"glowinski-2004-5.2", "P = 10, Q = 2", .exact = exact_52}, "5.2"},
    {{"shiau-6.2", "P = Q = 1", .settings = {"time={end: 4, steps: 80}"}, .exact = exact_62}, "6.2"},
    {{"shiau-6.2", "P = Q = 1", .exact = exact_62}, "6.2"},
    {{"shiau-6.3", "from rest", .settings = {"time={end: 4, steps: 80}"}, .exact = exact_63}, "6.3"},
    {{"shiau-6.3", "from rest", .exact = exact_63}, "6.3"}};
enum { SPLITTING = sizeof splitting / sizeof *splitting, LEVELS = 8, POINTS = 2 * LEVELS };

/* Exact motions at the instants of the file's step, by label, in the order of the pairs above. */
static const OrderCase motion_itself[] = {
    {{"glowinski-2004-5.1", "the motion itself", .settings = {PAPERS_EVENT}, .exact = exact_51}, "5.1"},
    {{"glowinski-2004-5.2", "the motion itself", .settings = {PAPERS_EVENT}, .exact = exact_52}, "5.2"},
    {{"shiau-6.2", "the motion itself", .settings = {PAPERS_EVENT}, .exact = exact_62}, "6.2"},
    {{"shiau-6.3", "the motion itself", .settings = {PAPERS_EVENT}, .exact = exact_63}, "6.3"}};

#define EULER  "scheme={name: implicit_euler}", "time.steps=400"
#define PULLED "model.end=free", "model.end_force=0.7*sin(0.8*t)"
static const OrderCase chains[] = {
    {{"chain-dynamical", "clamped", .settings = {EULER}}, "(3.6)"},
    {{"chain-dynamical", "clamped-free", .settings = {EULER, PULLED}}, "(3.12)"},
    {{"chain-semi-dynamical", "clamped", .settings = {EULER}}, "(3.29)-(3.32)"},
    {{"chain-semi-dynamical", "clamped-free", .settings = {EULER, PULLED}}, "(3.29)-(3.39)"},
    {{"chain-quasistatic", "clamped", .settings = {EULER}}, "(3.48)"},
    {{"chain-quasistatic", "displacement-force",
      .settings = {EULER, "model.end=displacement", "model.end_displacement=2.5*sin(t/2)"}},
     "(3.53)"},
    {{"chain-quasistatic", "force-displacement", .settings = {EULER, "model.end=free", "model.end_force=1.6*sin(t/2)"}},
     "(3.62)"}};
enum { CHAINS = sizeof chains / sizeof *chains };

/* Values of each level: step, x, v, lambda in L1, lambda in L2. */
enum { VALUES = 5, ROW = VALUES * LEVELS };
static const char *const value_names[VALUES] = {"step", "x", "v", "lambda_L1", "lambda_L2"};

static int order_task(void *context, int k, double *row) {
  const OrderCase *cases = context;
  static const long finer[LEVELS] = {1, 2, 3, 4, 6, 8, 12, 16};
  double step[LEVELS], error[LEVELS][ERRORS];
  int code = case_levels(&cases[k].c, LEVELS, finer, step, error);
  for (int i = 0; i < LEVELS && !code; i++) {
    const double *e = error[i];
    const double values[VALUES] = {step[i], e[ERROR_X], e[ERROR_V], e[ERROR_LAMBDA], e[ERROR_LAMBDA_L2]};
    memcpy(row + VALUES * i, values, sizeof values);
  }
  return code;
}

static double order_of(const double *points, int n, int value) {
  double step[POINTS], error[POINTS];
  for (int i = 0; i < n; i++) {
    step[i] = points[VALUES * i];
    error[i] = points[VALUES * i + value];
  }
  return log_slope(n, step, error);
}

static void write_points(const Papers *p, const char *name, const OrderCase *cases, int n, double (*rows)[ROW]) {
  FILE *file = papers_open(p, name);
  fputs("case", file);
  for (int i = 0; i < VALUES; i++) fprintf(file, ",%s", value_names[i]);
  fputc('\n', file);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < LEVELS; i++) {
      fprintf(file, "%s", cases[k].label);
      for (int j = 0; j < VALUES; j++) fprintf(file, ",%.6g", rows[k][VALUES * i + j]);
      fputc('\n', file);
    }
  papers_close(file, name);
}

/* Which figure of which paper shows the error of a case in a quantity. */
static const struct {
  const char *paper, *figure, *label, *quantity;
  int value;
} figures[] = {{"glowinski-2004", "figure 2", "5.1", "v", 2},
               {"glowinski-2004", "figure 5", "5.2", "x", 1},
               {"glowinski-2004", "figure 6", "5.2", "v", 2},
               {"shiau-2005", "figure 11", "6.2", "v", 2},
               {"shiau-2005", "figure 12", "6.2", "x", 1},
               {"shiau-2005", "figure 13", "6.2", "lambda", 4},
               {"shiau-2005", "figure 13", "6.2", "lambda (in L1)", 3},
               {"shiau-2005", "6.3", "6.3", "v", 2},
               {"shiau-2005", "6.3", "6.3", "x", 1}};
enum { FIGURES = sizeof figures / sizeof *figures };

int papers_splitting(Papers *p, const char *argument) {
  (void)argument;
  static const char *const heads[] = {"paper",       "figure",
                                      "error of",    "order, paper",
                                      "ours",        "ratio",
                                      "remark",      "ours below the paper's step",
                                      "error at it", "event-exact, error"};
  double rows[SPLITTING][ROW], exact[SPLITTING / 2][ROW];
  int n = p->quick ? 4 : SPLITTING;
  papers_tasks(n, ROW, order_task, (void *)splitting, rows[0]);
  papers_tasks(n / 2, ROW, order_task, (void *)motion_itself, exact[0]);
  if (p->rank != 0) return 0;
  write_points(p, "splitting-points.csv", splitting, n, rows);
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < (p->quick ? 3 : FIGURES); k++) {
    int at = 0;
    char name[NUMBER_NAME_SIZE];
    while (strcmp(splitting[at].label, figures[k].label)) at++;
    snprintf(name, sizeof name, "%s %s", figures[k].label, figures[k].quantity);
    double paper = numbers_find(&p->printed, figures[k].paper, figures[k].figure, name, "order");
    double order = order_of(rows[at], POINTS, figures[k].value);
    bool lambda = figures[k].value == 4, first = fabs(order - 1) <= 0.1;
    text_table_word(table, "%s", figures[k].paper);
    text_table_word(table, "%s", figures[k].figure);
    text_table_word(table, "%s", name);
    text_table_number(table, "%.0f", paper);
    text_table_number(table, "%.2f", order);
    text_table_number(table, "%.2f", order / paper);
    text_table_word(table, "%s",
                    first          ? "as printed"
                    : lambda       ? "a jump, placed to within a step, costs sqrt(dt) in L2"
                    : isnan(paper) ? ""
                                   : "mean over steps that fall differently on the stops");
    text_table_number(table, "%.2f", order_of(rows[at + 1], LEVELS, figures[k].value));
    text_table_number(table, "%.2e", rows[at + 1][figures[k].value]);
    text_table_number(table, "%.1e", figures[k].value < 3 ? exact[at / 2][figures[k].value] : NAN);
    if (!lambda) papers_expect(p, fabs(order - 1) <= 0.15, "%s: first order (%.2f)", name, order);
    if (lambda) papers_expect(p, fabs(order - 0.5) <= 0.1, "%s: order 1/2 in L2 (%.2f)", name, order);
  }
  fputc('\n', p->text);
  papers_table(p, "splitting", table, true);
  fputs("\nL2 over (0, T] unless said otherwise; least squares over 16 steps, from 0.05 to a sixteenth of the paper's. "
        "The "
        "figures\nhave no numbers; the paper's order is that of its text. Shiau-Glowinski's 6.1 is 5.2 of the one-dof "
        "paper. Event-exact: the L2 error of x, v of the\nmotion itself at the same instants; its lambda is in the "
        "part on "
        "their curves. Points: `splitting-points.csv`, `splitting.svg`.\n",
        p->text);
  return 0;
}

int papers_chains(Papers *p, const char *argument) {
  (void)argument;
  static const char *const heads[] = {"system", "case",   "ends",    "order, paper",      "x, ours",
                                      "ratio",  "remark", "v, ours", "lambda in L1, ours"};
  double rows[CHAINS][ROW];
  int n = p->quick ? 1 : CHAINS;
  papers_tasks(n, ROW, order_task, (void *)chains, rows[0]);
  if (p->rank != 0) return 0;
  write_points(p, "chains-points.csv", chains, n, rows);
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < n; k++) {
    double paper = numbers_find(&p->printed, "bastien-lamarque-2009", "section 5", chains[k].label, "order");
    double order = order_of(rows[k], LEVELS, 1);
    text_table_word(table, "%s", chains[k].label);
    text_table_word(table, "%s", chains[k].c.file);
    text_table_word(table, "%s", chains[k].c.variant);
    text_table_number(table, "%.1f", paper);
    text_table_number(table, "%.2f", order);
    papers_ratio(table, order, paper, "better than the guarantee");
    text_table_number(table, "%.2f", order_of(rows[k], LEVELS, 2));
    text_table_number(table, "%.2f", order_of(rows[k], LEVELS, 3));
    papers_expect(p, order >= paper - 0.1, "%s converges with the order it is guaranteed (%.2f)", chains[k].label,
                  order);
  }
  fputc('\n', p->text);
  papers_table(p, "chains", table, true);
  fputs("\nThe paper has no numbers but these orders, which are upper bounds of the error. Against the event-exact "
        "motion.\n",
        p->text);
  return 0;
}
