/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/evaluation.h"

#include "src/process/interruption.h"

#include <math.h>
#include <stdlib.h>

/* A time that is nearer to a point of the grid than this fraction of the step counts as that point. */
#define ON_STEP 1e-9

/* State at the time t_n of step n, and its derivatives. */
typedef struct Snapshot {
  long n;
  double *x, *v;   /* [d] position and velocity */
  double *columns; /* [2 d][columns] derivatives of x, then of v */
} Snapshot;

typedef struct Walk {
  const SimProblem *problem;
  const SimModel *model;
  SimWorkspace *work;
  int columns;
  Snapshot before, behind; /* states at the points of the grid before and after the measured time */
} Walk;

static SimStatus reach(Walk *walk, long n, Snapshot *to) {
  SimFinal final = {.x = to->x, .v = to->v};
  SimStatus status = sim_rollout_run_to(walk->model, walk->work, NULL, n);
  if (status == SIM_OK) status = sim_rollout_end(walk->model, walk->work, &final);
  if (status == SIM_OK && walk->columns) sim_workspace_derivatives(walk->model, walk->work, to->columns);
  to->n = n;
  return status;
}

/* Moves one snapshot to step n and, if the time is between two steps, the other snapshot to step n + 1. */
static SimStatus bracket(Walk *walk, long n, bool between) {
  SimStatus status = SIM_OK;
  if (walk->behind.n == n) {
    Snapshot swap = walk->before;
    walk->before = walk->behind;
    walk->behind = swap;
  }
  if (walk->before.n != n) status = reach(walk, n, &walk->before);
  if (status == SIM_OK && between && walk->behind.n != n + 1) status = reach(walk, n + 1, &walk->behind);
  return status;
}

/* Computes the weights of x before, x behind, v before and v behind (at the points of the grid before and after a
 * time), of which a position or velocity at this time is the sum: Hermite's cubic for a position, a linear function for
 * a velocity. z: fraction of the step that has passed, 0 to 1. */
static void weigh(bool velocity, double z, double step, double weights[4]) {
  double y = 1 - z;
  weights[0] = velocity ? 0 : y * y * (1 + 2 * z);
  weights[1] = velocity ? 0 : z * z * (1 + 2 * y);
  weights[2] = velocity ? y : step * z * y * y;
  weights[3] = velocity ? z : -step * z * z * y;
}

static void compare(const Walk *walk, const Measured *m, const double weights[4], double *r, double *row) {
  const Snapshot *a = &walk->before, *b = &walk->behind;
  size_t n = (size_t)walk->columns, x = (size_t)m->dof * n, v = x + (size_t)walk->problem->d * n;
  double value =
      weights[0] * a->x[m->dof] + weights[1] * b->x[m->dof] + weights[2] * a->v[m->dof] + weights[3] * b->v[m->dof];
  *r = (value - m->value) / m->deviation;
  for (size_t c = 0; c < n; c++)
    row[c] = (weights[0] * a->columns[x + c] + weights[1] * b->columns[x + c] + weights[2] * a->columns[v + c] +
              weights[3] * b->columns[v + c]) /
             m->deviation;
}

static SimStatus walk_along(Walk *walk, const double *control, const Identification *id, double *r, double *rows) {
  const SimProblem *p = walk->problem;
  SimStatus status = sim_rollout_begin(walk->model, walk->work, control, NULL);
  for (long k = 0; k < id->m && status == SIM_OK; k++) {
    double weights[4], steps = id->measured[k].t / p->step, whole = nearbyint(steps);
    bool between = fabs(steps - whole) > ON_STEP;
    long n = (long)(between ? floor(steps) : whole);
    status = bracket(walk, n, between);
    if (status != SIM_OK) break;
    weigh(id->measured[k].velocity, between ? steps - (double)n : 0, p->step, weights);
    compare(walk, &id->measured[k], weights, &r[k], rows ? rows + (size_t)k * (size_t)walk->columns : NULL);
  }
  return status;
}

SimStatus fit_motion(const SimProblem *problem, const SimModel *model, SimSensitivity *sensitivity,
                     const double *control, const Identification *id, double *r, double *rows) {
  Walk walk = {.problem = problem, .model = model, .before.n = -1, .behind.n = -1};
  walk.columns = sensitivity ? stiction_sensitivity_columns(sensitivity) : 0;
  size_t d = (size_t)problem->d, one = 2 * d * (1 + (size_t)walk.columns);
  double *block = calloc(2 * one, sizeof *block);
  SimStatus status = block ? stiction_workspace_create(model, &walk.work) : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    Snapshot *const both[] = {&walk.before, &walk.behind};
    for (int k = 0; k < 2; k++) {
      both[k]->x = block + (size_t)k * one;
      both[k]->v = both[k]->x + d;
      both[k]->columns = both[k]->v + d;
    }
    interruption_watch_evaluation(walk.work);
    sim_workspace_differentiate(walk.work, sensitivity);
    status = walk_along(&walk, control, id, r, rows);
    stiction_workspace_destroy(walk.work);
  }
  free(block);
  return status;
}
