/* SPDX-License-Identifier: BSD-2-Clause */
/* A search method for tests, which replaces the list of methods, and its evaluator. Its points request every kind of
 * result that a point can request: it is Newton's method with half steps, and asks for further points of other motions.
 * A program includes this file once. */
#ifndef TESTS_DERIVATIVE_METHOD_H
#define TESTS_DERIVATIVE_METHOD_H

#include "control/evaluator.h"
#include "control/search/methods.h"

#include <math.h>
#include <string.h>

enum { PROBE_N = 2, PROBE_STEPS = 12, PROBE_POINTS = 6, PROBE_FAR = 5 };

/* Matrix A of the evaluator: x(T) = A (u - c) + motion (1, 2), v = 0, where motion is the number of the requested
 * motion. */
static const double probe_matrix[2][2] = {{2, 0.3}, {-0.3, 1.5}}, probe_centre[2] = {1.2345, 2};

static void probe_state(const double *u, int motion, double *x) {
  for (int i = 0; i < PROBE_N; i++) {
    x[i] = motion * (i + 1);
    for (int j = 0; j < PROBE_N; j++) x[i] += probe_matrix[i][j] * (u[j] - probe_centre[j]);
  }
}

/* Context of the evaluator. It counts the points with and without derivatives. */
typedef struct ProbeCounts {
  long points[2][CTL_MOTIONS];
} ProbeCounts;

static inline void probe_evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                                  double *rows) {
  ProbeCounts *counts = context;
  for (int k = 0; k < count; k++) {
    probe_state(controls + k * PROBE_N, want.motion, final[k].x);
    final[k].v[0] = final[k].v[1] = 0;
    final[k].iterations = 1 + want.motion;
    final[k].status = SIM_OK;
    for (int i = 0; i < PROBE_N && rows; i++) {
      double *row = rows + (size_t)(k * PROBE_N + i) * ctl_row_size(PROBE_N);
      memcpy(row, probe_matrix[i], sizeof probe_matrix[i]);
      row[PROBE_N] = row[PROBE_N + 1] = 0;
    }
  }
  counts->points[want.derivatives][want.motion] += count;
}

static inline CtlEvaluator probe_evaluator(ProbeCounts *counts) {
  return (CtlEvaluator){
      .n = PROBE_N, .d = PROBE_N, .m = PROBE_N, .block = 4, .context = counts, .evaluate = probe_evaluate};
}

/* The method ------------------------------------------------------------------------------------------------------- */

typedef struct Probe {
  CtlRun run;
  double u[PROBE_N];
  long step;
} Probe;

static bool probe_wrong; /* set if an outcome differs from the expected one */

static bool probe_start(CtlRun *run, const double *control, double step) {
  Probe *probe = (Probe *)run;
  (void)step;
  memcpy(probe->u, control ? control : run->problem->start, sizeof probe->u);
  probe->step = 0;
  run->objective->state.edge = 1;
  return ctl_objective_reserve_rows(run->objective, 3);
}

static long probe_next(CtlRun *run) { return ((Probe *)run)->step < PROBE_STEPS ? PROBE_POINTS : 0; }

/* Makes the points of a round. The first two are the same point; the last is out of bounds. */
static void probe_points(CtlRun *run, long first, int count, double *controls) {
  const Probe *probe = (Probe *)run;
  static const double apart[PROBE_POINTS][PROBE_N] = {{0}, {0}, {0.25, -0.25}, {0}, {0.1, 0.1}, {1e4, 0}};
  for (int k = 0; k < count; k++)
    for (int i = 0; i < PROBE_N; i++) controls[k * PROBE_N + i] = probe->u[i] + apart[first + k][i];
}

static CtlWant probe_want(const CtlRun *run, long k) {
  static const CtlWant wants[PROBE_POINTS] = {[0] = {.derivatives = true},
                                              [3] = {.motion = CTL_MOTION_FREE},
                                              [4] = {.motion = CTL_MOTION_THIRD, .derivatives = true},
                                              [5] = {.derivatives = true}};
  (void)run;
  return wants[k];
}

static bool probe_tell(CtlRun *run) {
  Probe *probe = (Probe *)run;
  const CtlObjective *objective = run->objective;
  const double *rows = ctl_objective_rows(objective, 0), *beside = ctl_objective_rows(objective, 4);
  for (int k = 0; k < PROBE_POINTS; k++) {
    CtlWant want = probe_want(run, k);
    bool has_rows = ctl_objective_rows(objective, k) != NULL, outside = k == PROBE_FAR;
    probe_wrong |= has_rows != (want.derivatives && !outside) || isinf(objective->merits[k]) != outside;
    if (outside) continue;
    double u[PROBE_N], x[PROBE_N];
    probe_points(run, k, 1, u);
    probe_state(u, want.motion, x);
    probe_wrong |= memcmp(ctl_cache_x(&objective->cache, objective->entries[k]), x, sizeof x) != 0;
  }
  if (!rows || !beside) return true;
  ctl_objective_improve(run->objective);
  const double *x = ctl_cache_x(&objective->cache, objective->entries[0]);
  const double *exact = ctl_cache_x(&objective->cache, objective->entries[3]);
  const double *row[PROBE_N] = {rows, rows + ctl_row_size(PROBE_N)};
  double determinant = row[0][0] * row[1][1] - row[0][1] * row[1][0];
  probe->u[0] -= 0.5 * (row[1][1] * x[0] - row[0][1] * x[1]) / determinant + 1e-6 * (exact[1] - x[1]) * beside[1];
  probe->u[1] -= 0.5 * (row[0][0] * x[1] - row[1][0] * x[0]) / determinant;
  probe->step++;
  return true;
}

static long probe_restart(CtlRun *run) {
  (void)run;
  return 0;
}

static long probe_ahead(CtlRun *run, bool restarts) {
  (void)run, (void)restarts;
  return PROBE_POINTS;
}

static bool probe_serialize(CtlRun *run, CtlBytes *bytes) {
  Probe *probe = (Probe *)run;
  ctl_bytes_numbers(bytes, probe->u, PROBE_N);
  probe->step = ctl_bytes_integer(bytes, probe->step, 0, PROBE_STEPS);
  return true;
}

static void probe_end(CtlRun *run) { (void)run; }

static long probe_round(const CtlProblem *problem) {
  (void)problem;
  return PROBE_POINTS;
}

static const CtlMethodOps probe_ops = {.size = sizeof(Probe),
                                       .rounds = {"step", "steps"},
                                       .round = probe_round,
                                       .start = probe_start,
                                       .next = probe_next,
                                       .points = probe_points,
                                       .want = probe_want,
                                       .tell = probe_tell,
                                       .restart = probe_restart,
                                       .ahead = probe_ahead,
                                       .serialize = probe_serialize,
                                       .end = probe_end};

static const CtlMethod probe_method = {
    .name = "probe", .about = "a test's", .ops = &probe_ops, .derivatives = CTL_DERIVATIVES_NEEDED};

/* Replaces control/search/methods.c by a list with this method only. */
const CtlMethod *ctl_method(int method) { return method == 0 ? &probe_method : NULL; }
const CtlMethod *ctl_method_named(const char *name) { return strcmp(name, "probe") ? NULL : &probe_method; }
int ctl_method_find(const char *name) { return ctl_method_named(name) ? 0 : -1; }
const char *stiction_method_name(int method) { return method ? NULL : probe_method.name; }
const char *stiction_method_about(int method) { return method ? NULL : probe_method.about; }
bool ctl_method_wants_petsc(int method) { return method > 0; }
int ctl_problem_method(const CtlProblem *problem) { return problem->method; }
bool ctl_problem_wants_derivatives(const CtlProblem *problem) { return problem->method == 0; }
bool ctl_method_has_simplexes(int method) { return method > 0; }
const char *ctl_method_round(int method, bool several) { return ctl_method(method)->ops->rounds[several]; }

/* Makes the problem x(T) = 0, with bounds that the last point of a round violates. Returns SIM_OK or SIM_NO_MEMORY. */
static inline SimStatus probe_problem(CtlProblem *problem) {
  SimStatus status = ctl_problem_init(problem, PROBE_N, PROBE_N);
  if (status != SIM_OK) return status;
  problem->end = 1;
  problem->derivatives = true;
  problem->restarts = 0;
  problem->accept = 1e-3;
  for (int i = 0; i < PROBE_N; i++) {
    problem->position[i] = 0;
    problem->upper[i] = 100;
  }
  return SIM_OK;
}

#endif
