/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/motion_difference.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus motion_init(Motion *motion, const SimProblem *problem) {
  size_t rows = (size_t)problem->steps + 1, d = (size_t)problem->d;
  *motion = (Motion){.problem = problem};
  motion->t = malloc(rows * (1 + 3 * d) * sizeof(double));
  motion->slip = calloc(d, sizeof *motion->slip);
  if (!motion->t || !motion->slip) {
    motion_clear(motion);
    return SIM_NO_MEMORY;
  }
  motion->values = motion->t + rows;
  return SIM_OK;
}

void motion_clear(Motion *motion) {
  free(motion->t);
  free(motion->slip);
  free(motion->events);
  *motion = (Motion){0};
}

/* Returns x, v and lambda [3][d] of a motion at its recorded instant number `row`. */
static const double *row_at(const Motion *motion, long row) {
  return motion->values + (size_t)row * 3 * (size_t)motion->problem->d;
}

void motion_add(Motion *motion, double t, const double *x, const double *v, const double *lambda) {
  size_t d = (size_t)motion->problem->d, size = d * sizeof(double);
  double *row = motion->values + (size_t)motion->rows * 3 * d;
  memcpy(row, x, size);
  memcpy(row + d, v, size);
  memcpy(row + 2 * d, lambda, size);
  motion->t[motion->rows++] = t;
}

static void add_event(Motion *motion, double t, int dof, int slip) {
  motion->slip[dof] = (signed char)slip;
  if (motion->n_events == motion->room) {
    long room = 2 * motion->room + 16;
    MotionEvent *events = realloc(motion->events, (size_t)room * sizeof *events);
    if (!events) {
      motion->no_memory = true;
      return;
    }
    motion->events = events;
    motion->room = room;
  }
  motion->events[motion->n_events++] = (MotionEvent){t, dof, slip};
}

/* Records an event of stick or slip. Events at t = 0 are not recorded, as they belong to the initial state. */
static void see_event(void *context, double t, int dof, int slip) {
  Motion *motion = context;
  if (sim_event_of_stop(slip)) return;
  motion->slip[dof] = (signed char)slip;
  if (t > 0) add_event(motion, t, dof, slip);
}

static void see_step(void *context, const SimStep *step) {
  Motion *motion = context;
  const SimProblem *p = motion->problem;
  for (int i = 0; i < p->d; i++) {
    if (!(sim_problem_threshold(p, i) > 0) || step->slip[i] == motion->slip[i]) continue;
    if (step->n == 0)
      motion->slip[i] = step->slip[i];
    else
      add_event(motion, motion->slip[i] == 0 ? motion->t[step->n - 1] : step->t, i, step->slip[i]);
  }
  motion_add(motion, step->t, step->x, step->v, p->kind == SIM_DASHPOT ? step->extra : step->lambda);
}

SimStatus motion_record(Motion *motion, const SimModel *model, SimWorkspace *work, const double *control) {
  size_t d = (size_t)motion->problem->d;
  double *state = malloc(2 * d * sizeof *state);
  if (!state) return SIM_NO_MEMORY;
  SimFinal final = {.x = state, .v = state + d};
  const SimObserver observer = {motion, see_step, see_event};
  SimStatus status = stiction_rollout(model, work, control, &observer, &final);
  free(state);
  return motion->no_memory ? SIM_NO_MEMORY : status;
}

static bool has_mass(const SimProblem *p, int i) { return p->kind != SIM_CHAIN || p->chain.node_mass[i] > 0; }

/* Adds the differences of two motions at one instant to the sums. */
static void add_row(const Motion *motion, const Motion *exact, long row, MotionDifference *sum) {
  const SimProblem *p = motion->problem;
  const double *a = row_at(motion, row), *b = row_at(exact, row);
  bool last = row == motion->rows - 1;
  for (int i = 0; i < p->d; i++) {
    double x = a[i] - b[i], v = a[p->d + i] - b[p->d + i], lambda = a[2 * p->d + i] - b[2 * p->d + i];
    sum->x_most = fmax(sum->x_most, fabs(x));
    sum->x_l2 += p->step * x * x;
    sum->lambda_l1 += p->step * fabs(lambda);
    sum->lambda_l2 += p->step * lambda * lambda;
    if (last) sum->x_end = fmax(sum->x_end, fabs(x));
    if (!has_mass(p, i)) continue;
    sum->v_l2 += p->step * v * v;
    if (last) sum->v_end = fmax(sum->v_end, fabs(v));
  }
}

static bool inside(const Motion *motion, const MotionEvent *event) { return event->t < motion->problem->end; }

static long count_events(const Motion *motion) {
  long n = 0;
  for (long k = 0; k < motion->n_events; k++) n += inside(motion, &motion->events[k]);
  return n;
}

/* Returns the time between an event and the nearest event of the same dof and kind in a motion; NAN if there is
 * none. */
static double nearest(const Motion *motion, const MotionEvent *event) {
  double least = NAN;
  for (long k = 0; k < motion->n_events; k++) {
    const MotionEvent *other = &motion->events[k];
    if (other->dof == event->dof && other->slip == event->slip) least = fmin(least, fabs(other->t - event->t));
  }
  return least;
}

static double event_time(const Motion *motion, const Motion *exact) {
  double most = NAN;
  for (long k = 0; k < exact->n_events; k++) {
    const MotionEvent *event = &exact->events[k];
    if (!inside(exact, event)) continue;
    double distance = nearest(motion, event);
    if (isnan(distance)) return NAN;
    most = fmax(most, distance);
  }
  return most;
}

void motion_difference(const Motion *motion, const Motion *exact, MotionDifference *difference) {
  const SimProblem *p = motion->problem;
  bool any_mass = false;
  assert(motion->rows == exact->rows && p->d == exact->problem->d);
  *difference = (MotionDifference){
      .event_time = event_time(motion, exact), .n_events = count_events(motion), .n_exact = count_events(exact)};
  for (long row = 1; row < motion->rows; row++) add_row(motion, exact, row, difference);
  difference->x_l2 = sqrt(difference->x_l2);
  difference->v_l2 = sqrt(difference->v_l2);
  difference->lambda_l2 = sqrt(difference->lambda_l2);
  for (int i = 0; i < p->d; i++) any_mass = any_mass || has_mass(p, i);
  if (!any_mass) difference->v_l2 = difference->v_end = NAN;
}
