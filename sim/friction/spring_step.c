/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/spring_step.h"

#include "sim/joint/stops.h"

#include <math.h>
#include <string.h>

/* Computes both ends of the step's path of positions (SpringStep) for a solution w, [count] each. */
static void go(const SpringStep *s, int count, const double *w, double *from, double *to) {
  for (int i = 0; i < count; i++) {
    from[i] = spring_end(s->from[i], s->from_rate, w[i]);
    to[i] = spring_end(s->to[i], s->to_rate, w[i]);
  }
}

/* Computes, for a new solution w, the largest change of the path's end `to` and the largest magnitude of that end, over
 * all dofs and ranks. */
static void measure(const SimProblem *p, const SpringStep *s, const double *w, const double *to, double *change,
                    double *size) {
  double most[2] = {0};
  for (int i = 0; i < p->count; i++) spring_measure(s->to[i], s->to_rate, w[i], to[i], &most[0], &most[1]);
  sim_group_max(p->group, most, 2);
  *change = most[0];
  *size = most[1];
}

SimStatus spring_step_solve(const SimModel *model, const FrictionSolver *solver, SpringSolve *solve, SimWorkspace *work,
                            const SpringStep *step, const double *b, double *w, StepTally *tally) {
  const SimProblem *p = &model->problem;
  size_t count = (size_t)p->count;
  double *room = work->springs, *from = room + SPRING_FROM * count, *to = room + SPRING_TO * count;
  double *right = room + SPRING_RIGHT * count, *lambda = room + SPRING_LAMBDA * count, last = INFINITY;
  SimStatus status = SIM_OK;
  memcpy(lambda, work->lambda, count * sizeof *lambda);
  for (int round = 0; round < SPRING_ROUNDS && status == SIM_OK; round++) {
    double change, size;
    go(step, p->count, w, from, to);
    memcpy(right, b, count * sizeof *right);
    if (model->springs) springs_add_mean(model->springs, step->theta, -step->weight, from, to, step->about, right);
    for (size_t i = 0; i < count && step->stops; i++)
      right[i] += step->weight * stops_mean_push(step->stops, (int)i, from[i], to[i]);
    if (solver->law.kept > 0) memcpy(work->lambda, lambda, count * sizeof *lambda);
    status = solve ? solve(model, work, right, w, tally)
                   : friction_solve(solver, &work->step, right, NULL, w, work->lambda, work->slip, tally);
    measure(p, step, w, to, &change, &size);
    bool still = spring_stays(change, last, size);
    last = change;
    if (!still || status != SIM_OK) continue;
    go(step, p->count, w, from, to);
    return !model->springs || springs_inside(model->springs, to) ? SIM_OK : SIM_OUT_OF_RANGE;
  }
  return status == SIM_OK ? SIM_NOT_CONVERGED : status;
}

void spring_step_watch(const SimModel *model, SimWorkspace *work, double theta, const double *x, const double *goes) {
  double *from = work->springs + SPRING_BASE * model->problem.count;
  for (int i = 0; i < model->problem.count; i++) from[i] = x[i] + goes[i] - work->x[i];
  work->energy.numerical -= springs_stored(model->springs, work->x) - springs_stored(model->springs, goes);
  if (theta > 0.5)
    work->energy.numerical +=
        (theta - 0.5) * (springs_rise(model->springs, from, goes) - springs_rise(model->springs, x, work->x));
}

/* Computes the largest difference between y and next in the first n columns, and their largest entry, over all
 * ranks. */
static void measure_columns(const SimProblem *p, int n, int width, const double *y, const double *next, double *change,
                            double *size) {
  double most[2] = {0};
  for (int i = 0; i < p->count; i++)
    for (int k = i * width; k < i * width + n; k++) {
      most[0] = fmax(most[0], isfinite(next[k]) ? fabs(next[k] - y[k]) : INFINITY);
      most[1] = fmax(most[1], fabs(next[k]));
    }
  sim_group_max(p->group, most, 2);
  *change = most[0];
  *size = most[1];
}

SimStatus spring_step_columns(const Springs *springs, const double *slopes, double factor, const FrictionSolver *solver,
                              FrictionWork *work, FrictionBranches *branches, const signed char *slip, int n, int width,
                              const double *right, double *y, double *room) {
  const SimProblem *p = springs->problem;
  size_t block = (size_t)p->count * (size_t)width;
  double *load = room, *next = room + block, last = INFINITY;
  SimStatus status = SIM_OK;
  memset(y, 0, block * sizeof *y);
  for (int round = 0; round < SPRING_ROUNDS && status == SIM_OK; round++) {
    double change, size;
    memcpy(load, right, block * sizeof *load);
    springs_add_columns(springs, slopes, -factor, n, width, y, load);
    memset(next, 0, block * sizeof *next);
    status = friction_branches_solve(solver, work, branches, slip, n, width, load, next);
    measure_columns(p, n, width, y, next, &change, &size);
    memcpy(y, next, block * sizeof *y);
    if (status == SIM_OK && isinf(change)) return SIM_NON_FINITE;
    if (status == SIM_OK && spring_stays(change, last, size)) return SIM_OK;
    last = change;
  }
  return status == SIM_OK ? SIM_NOT_CONVERGED : status;
}
