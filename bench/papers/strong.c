/* SPDX-License-Identifier: BSD-2-Clause */
/* Studies whether the regularized multiplier converges strongly: its error in L^s(0, T), s = 1, 2, 4, 8, over dt and
 * epsilon. The control paper conjectures convergence for all s < infinity.
 *
 * lambda jumps where a velocity changes its sign. A scheme that finds the time of a jump up to dt has an error of
 * O(1) during O(dt), which is O(dt^(1/s)) in L^s. So no fixed grid has a better order than 1/s. */
#include "bench/papers/study.h"

#include "bench/papers/papers.h"
#include "src/study/orders.h"

#include <math.h>
#include <string.h>

static const char *const problems[] = {"tp1", "tp2"}, *const controlled[] = {"no", "yes"};
enum { LEVELS = 7, MOTIONS = 4, POWERS = 4, CELLS = 4, LAWS = 7, GRIDS = 16, GRID_STRIDE = 4 };
static const int powers[POWERS] = {1, 2, 4, 8};
static const int laws[LAWS] = {UNREGULARIZED, 1, PAPERS_OWN, 5, EIGHTH, 7, MOREAU}; /* indices of variants (study.h) */
enum { NONE = 0, OWN = 2 };

/* Motions to study. levels: number of levels, each with half the time step of the one before. A level has GRIDS similar
 * grids with N, N + 4, .. steps, as an error depends on where in a step lambda jumps. */
typedef struct Study {
  const Papers *papers;
  int motions, levels;
} Study;

/* The values dt sum_n |error|^s, averaged over the grids of a level; finally their s-th roots. */
typedef double Errors[LEVELS][LAWS][POWERS];

static double end_of(int motion) { return motion / 2 ? 10 : 5; }
static long steps_of(int motion, int level) { return (motion / 2 ? 1000L : 400L) << level; }
static long grid_of(int motion, int level, int grid) { return steps_of(motion, level) + (long)GRID_STRIDE * grid; }

/* Adds the errors of a motion. lambda_dt is lambda^n on ((n - 1/2) dt, (n + 1/2) dt), (1.9); for Moreau-Jean on (n - 1,
 * n) dt. `exact` has 2 CELLS instants per step. The midpoint rule uses those in the middle of cells, where lambda_dt
 * does not jump. */
static void add_powers(const Trace *t, const Trace *exact, long lead, double weight, double *sum) {
  for (long j = 1; j < exact->n; j += 2) {
    long n = (j + lead) / (2 * CELLS);
    for (int i = 0; i < t->d; i++) {
      double power = t->lambda[n * t->d + i] - exact->lambda[j * t->d + i];
      sum[0] += weight * fabs(power);
      for (int s = 1; s < POWERS; s++) {
        power *= power;
        sum[s] += weight * power;
      }
    }
  }
}

static int add_grid(const Study *study, int motion, long steps, double *sums) {
  const char *file = problems[motion / 2];
  char time[64];
  double u[3];
  Trace exact, t;
  snprintf(time, sizeof time, "time={end: %g, steps: %ld}", end_of(motion), steps);
  papers_control(study->papers, file, true, u);
  const double *control = motion % 2 ? u : NULL;
  int code = trace_exact(file, time, 2 * CELLS, control, &exact);
  for (int k = 0; k < LAWS && !code; k++) {
    const Variant *v = &variants[laws[k]];
    code = trace_make(&(Case){.file = file, .variant = v->name, .settings = {v->exact, time}}, 1, 1, control, &t);
    if (!code) add_powers(&t, &exact, laws[k] == MOREAU ? 2 * CELLS : CELLS, 2 * exact.step / GRIDS, sums + k * POWERS);
    trace_release(&t);
  }
  trace_release(&exact);
  return code;
}

/* Carries out task k: motion k/levels, with the paper's dt halved k%levels times. */
static int strong_task(void *context, int k, double *row) {
  const Study *study = context;
  int motion = k / study->levels, level = k % study->levels, code = 0;
  for (int grid = 0; grid < GRIDS && !code; grid++) code = add_grid(study, motion, grid_of(motion, level, grid), row);
  for (int i = 0; i < LAWS * POWERS; i++) row[i] = pow(row[i], 1. / powers[i % POWERS]);
  return code;
}

/* Returns the mean time step of the grids of a level. */
static double dt_of(int motion, int level) {
  double sum = 0;
  for (int grid = 0; grid < GRIDS; grid++) sum += end_of(motion) / (double)grid_of(motion, level, grid);
  return sum / GRIDS;
}

static double order_of(const Study *study, Errors errors, int motion, int law, int power) {
  double dt[LEVELS], error[LEVELS];
  for (int l = 0; l < study->levels; l++) {
    dt[l] = dt_of(motion, l);
    error[l] = errors[l][law][power];
  }
  return log_slope(study->levels, dt, error);
}

static void start_row(TextTable *table, int motion, int law) {
  text_table_word(table, "%s", problems[motion / 2]);
  text_table_word(table, "%s", controlled[motion % 2]);
  text_table_word(table, "%s", variants[laws[law]].name);
}

static TextTable *points_table(const Study *study, Errors *errors) {
  static const char *const heads[] = {"problem", "control", "epsilon", "dt (s)", "L1", "L2", "L4", "L8"};
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int m = 0; m < study->motions; m++)
    for (int v = 0; v < LAWS; v++)
      for (int l = 0; l < study->levels; l++) {
        start_row(table, m, v);
        text_table_number(table, "%g", dt_of(m, l));
        for (int s = 0; s < POWERS; s++) text_table_number(table, "%.3e", errors[m][l][v][s]);
      }
  return table;
}

static TextTable *orders_table(const Study *study, Errors *errors) {
  static const char *const heads[] = {"problem", "control", "epsilon", "L1, first dt", "last", "order", "L2",   "last",
                                      "order",   "L4",      "last",    "order",        "L8",   "last",  "order"};
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int m = 0; m < study->motions; m++)
    for (int v = 0; v < LAWS; v++) {
      start_row(table, m, v);
      for (int s = 0; s < POWERS; s++) {
        text_table_number(table, "%.2e", errors[m][0][v][s]);
        text_table_number(table, "%.2e", errors[m][study->levels - 1][v][s]);
        text_table_number(table, "%.2f", order_of(study, errors[m], m, v, s));
      }
    }
  return table;
}

int papers_strong(Papers *p, const char *argument) {
  (void)argument;
  static Errors errors[MOTIONS];
  static double rows[MOTIONS * LEVELS][LAWS * POWERS];
  Study study = {p, p->quick ? 1 : MOTIONS, p->quick ? 4 : LEVELS};
  papers_tasks(study.motions * study.levels, LAWS * POWERS, strong_task, &study, rows[0]);
  if (p->rank != 0) return 0;
  for (int k = 0; k < study.motions * study.levels; k++)
    memcpy(errors[k / study.levels][k % study.levels], rows[k], sizeof rows[k]);
  papers_table(p, "strong-points", points_table(&study, errors), false);
  papers_table(p, "strong", orders_table(&study, errors), true);
  fprintf(
      p->text,
      "\nErrors of lambda_dt, (1.9), from the event-exact lambda, all components, with the exact solver; from dt to "
      "dt/%d, %d neighbouring\ngrids each, orders by least squares. lambda jumps, and a jump that is placed to within "
      "a step costs dt^(1/s): 1/s is the best order\nthat a fixed grid can have in L^s. Above it is what still falls "
      "faster: the lag "
      "of epsilon. Points: "
      "`strong-points.csv`, picture `strong`.\n",
      1 << (study.levels - 1), (int)GRIDS);
  for (int m = 0; m < study.motions; m++)
    for (int s = 0; s < POWERS; s++) {
      double own = order_of(&study, errors[m], m, OWN, s), plain = order_of(&study, errors[m], m, NONE, s);
      papers_expect(p, own >= 0.7 / powers[s],
                    "%s, control: %s: with epsilon = dt^1.2 lambda converges in L%d (order %.3f; 1/s = %.3f; "
                    "unregularized %.3f)",
                    problems[m / 2], controlled[m % 2], powers[s], own, 1. / powers[s], plain);
    }
  return 0;
}
