/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/accuracy/models.h"

#include "src/run/motion_difference.h"
#include "src/run/rollout_context.h"

#include <stdlib.h>
#include <string.h>

enum { SETTING_SIZE = 96 };

/* Reads a case. scheme: replaces the scheme of the case; NULL: keeps it. */
static int read_by(const Case *c, const char *scheme, long steps, Problem *problem) {
  char path[512], time[SETTING_SIZE], substeps[SETTING_SIZE], *settings[CASE_SETTINGS_MAX + 2];
  bool shrink = c->shrink_friction && !scheme;
  int n = 0;
  snprintf(path, sizeof path, "%s/jobs/problems/%s.yaml", STICTION_ROOT, c->file);
  for (; n < CASE_SETTINGS_MAX && c->settings[n]; n++) settings[n] = (char *)c->settings[n];
  if (scheme) settings[n++] = (char *)scheme;
  int code = problem_file_read(path, settings, n, false,
                               &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr}, problem);
  if (code || (steps == 0 && !shrink)) return code;
  double end = problem->sim.end;
  if (steps == 0) steps = problem->sim.steps;
  problem_clear(problem);
  snprintf(time, sizeof time, "time={end: %.17g, steps: %ld}", end, steps);
  settings[n++] = time;
  if (shrink) { /* the friction substep of strang becomes step^2, i.e. half a step has step/2 / step^2 substeps */
    snprintf(substeps, sizeof substeps, "scheme.friction_substeps=%ld", lround((double)steps / (2 * end)));
    settings[n++] = substeps;
  }
  return problem_file_read(path, settings, n, false,
                           &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr}, problem);
}

int case_read(const Case *c, long steps, Problem *problem) { return read_by(c, NULL, steps, problem); }

int case_read_finer(const Case *c, long finer, Problem *problem) {
  int code = case_read(c, 0, problem);
  if (code || finer == 1) return code;
  long steps = finer * problem->sim.steps;
  problem_clear(problem);
  return case_read(c, steps, problem);
}

/* State of the evaluation of the exact solution at successive instants. */
typedef struct Truth {
  const Case *c;
  const SimProblem *problem;
  ChainExact chain;
  DashpotExact dashpot;
  double x[EXACT_NODES], v[EXACT_NODES], lambda[EXACT_NODES]; /* values at the current instant */
} Truth;

static void truth_start(Truth *truth) {
  const Case *c = truth->c;
  const SimProblem *p = truth->problem;
  if (c->load) truth->chain = chain_exact_start(p, c->load->amplitude, c->load->omega);
  if (!c->push) return;
  truth->dashpot = dashpot_exact_start(p->dashpot.law, c->push, p->x0[0]);
  truth->dashpot.position = p->dashpot.support_position;
  truth->dashpot.stiffness = p->dashpot.support_stiffness;
}

static void truth_to(Truth *truth, double t) {
  size_t size = (size_t)truth->problem->d * sizeof(double);
  if (truth->c->exact) {
    Exact e = truth->c->exact(t);
    memcpy(truth->x, e.x, size);
    memcpy(truth->v, e.v, size);
    memcpy(truth->lambda, e.lambda, size);
  } else if (truth->c->load) {
    chain_exact_to(&truth->chain, t);
    memcpy(truth->x, truth->chain.x, size);
    memcpy(truth->v, truth->chain.v, size);
    for (int i = 0; i < truth->problem->d; i++) truth->lambda[i] = chain_exact_lambda(&truth->chain, i);
  } else {
    dashpot_exact_to(&truth->dashpot, t);
    truth->x[0] = truth->dashpot.x;
    truth->v[0] = truth->dashpot.v;
    truth->lambda[0] = dashpot_exact_f_d(&truth->dashpot);
  }
}

/* Records one rollout without control; the caller clears the motion. */
static int record_motion(const Case *c, const SimProblem *problem, Motion *motion) {
  RolloutContext run;
  int code = rollout_context_prepare(&run, problem,
                                     &(Diagnostics){.origin = "bench", .report = diagnostic_print, .to = stderr});
  if (code) return code;
  SimStatus status = motion_init(motion, problem);
  if (status == SIM_OK) status = motion_record(motion, run.model, run.work, NULL);
  rollout_context_release(&run);
  if (status == SIM_OK) return 0;
  motion_clear(motion);
  fprintf(stderr, "%s, %s: %ld steps: %s\n", c->file, c->variant, problem->steps, stiction_status_text(status));
  return EXIT_UNSOLVED;
}

/* Computes the exact motion by the scheme `event` at the instants of a motion. */
static int solve_exactly(const Case *c, const SimProblem *problem, Problem *exact, Motion *truth) {
  int code = read_by(c, "scheme={name: event}", problem->steps, exact);
  if (code) return code;
  code = record_motion(c, &exact->sim, truth);
  if (code) problem_clear(exact);
  return code;
}

/* Computes the exact solution at the instants of a motion; the caller clears it and the problem *exact. */
static int solve_case(const Case *c, const Motion *motion, Problem *exact, Motion *truth) {
  const SimProblem *p = motion->problem;
  Truth now = {.c = c, .problem = p};
  *exact = (Problem){0};
  if (!c->exact && !c->load && !c->push) return solve_exactly(c, p, exact, truth);
  if (motion_init(truth, p) != SIM_OK) return EXIT_INTERNAL;
  truth_start(&now);
  for (long row = 0; row < motion->rows; row++) {
    truth_to(&now, motion->t[row]);
    motion_add(truth, motion->t[row], now.x, now.v, now.lambda);
  }
  return 0;
}

static int find_errors(void *context, long steps, double *error) {
  const Case *c = context;
  Problem problem, exact;
  Motion motion, truth;
  MotionDifference difference = {0};
  int code = case_read(c, steps, &problem);
  if (code) return code;
  code = record_motion(c, &problem.sim, &motion);
  if (!code) {
    code = solve_case(c, &motion, &exact, &truth);
    if (!code) motion_difference(&motion, &truth, &difference);
    if (!code) motion_clear(&truth);
    if (!code) problem_clear(&exact);
    motion_clear(&motion);
  }
  problem_clear(&problem);
  error[ERROR_X] = difference.x_l2;
  error[ERROR_V] = difference.v_l2;
  error[ERROR_LAMBDA] = difference.lambda_l1;
  error[ERROR_LAMBDA_L2] = difference.lambda_l2;
  return code;
}

const char *case_solution(const Case *c) { return c->exact ? "exact" : c->load || c->push ? "other" : "event"; }

/* Reads the number of steps and the end T of the file. */
static int grid_of(const Case *c, long *steps, double *end) {
  Problem problem;
  int code = case_read(c, 0, &problem);
  if (code) return code;
  *steps = problem.sim.steps;
  *end = problem.sim.end;
  problem_clear(&problem);
  return 0;
}

int case_levels(const Case *c, int n, const long *finer, double *step, double (*error)[ERRORS]) {
  long steps = 0;
  double end = 0;
  int code = grid_of(c, &steps, &end);
  for (int i = 0; i < n && !code; i++) {
    step[i] = end / (double)(steps * finer[i]);
    code = find_errors((void *)c, steps * finer[i], error[i]);
  }
  return code;
}

int case_orders(const Case *c, OrderResult *result) {
  long steps = 0;
  double end = 0;
  int code = grid_of(c, &steps, &end);
  OrderStudy study = {find_errors, (void *)c, ERRORS, steps, CASE_LEVELS, c->grids > 0 ? c->grids : 1, 1};
  return code ? code : order_measure(&study, result);
}
