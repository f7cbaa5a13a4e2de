/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/moreau_start.h"

#include "sim/joint/stops.h"
#include "sim/law/friction_law.h"

#include <math.h>
#include <string.h>

/* Sets the reaction of a rigid stop at t = 0 on a dof that rests at the stop and is pressed against it. The dof remains
 * at rest. Friction takes as much of the load as its threshold `level` allows, and the stop takes the rest. */
static void rest_at_end(const SimProblem *p, SimWorkspace *work, int i, double load, double level) {
  int side = stops_touched(&p->stops, i, p->x0[i], 0);
  double left = side * load - level;
  work->reaction[i] = 0;
  if (!side || !stops_rigid(&p->stops, i) || p->v0[i] != 0 || !(left > 0)) return;
  work->slip[i] = 0;
  work->reaction[i] = -side * left;
}

/* Sets lambda and slip of dof i by the sign of its initial velocity; both are 0 if it is at rest. */
static void go_on(const SimProblem *p, SimWorkspace *work, int i, double level) {
  work->slip[i] = (signed char)friction_sign(p->v0[i]);
  work->lambda[i] = level > 0 ? friction_sign(p->v0[i]) : 0;
}

/* Sets lambda and slip of dof i if the accelerations of other dofs do not act on it, because the mass matrix is
 * diagonal. */
static void start_alone(const SimProblem *p, SimWorkspace *work, int i, double load, double level) {
  go_on(p, work, i, level);
  if (level > 0 && p->v0[i] == 0) {
    work->lambda[i] = friction_project(load / level);
    if (fabs(load) > level) work->slip[i] = (signed char)friction_sign(load);
  }
  if (work->reaction) rest_at_end(p, work, i, load, level);
}

/* Solves for the changes of the velocities within a step, w = dt a with a the accelerations at t = 0, and stores them
 * in work->v. */
static SimStatus start_together(const SimModel *model, SimWorkspace *work, const MoreauStart *start) {
  const SimProblem *p = &model->problem;
  size_t size = (size_t)p->count * sizeof(double);
  StepTally tally = {0}, kept = work->tally; /* iterations of the start are not counted */
  for (int i = 0; i < p->count; i++)
    start->load[i] = p->step * (start->load[i] - start->level[i] * friction_sign(p->v0[i]));
  memset(work->v, 0, size);
  memset(work->lambda, 0, size);
  memset(work->slip, 0, (size_t)p->count);
  SimStatus status =
      friction_solve(start->solver, &work->step, start->load, NULL, work->v, work->lambda, work->slip, &tally);
  const StopsStep step = {
      .solver = &start->solver->dense, .varies = true, .theta = 1, .b = start->load, .x = p->x0, .v = p->v0};
  if (status == SIM_OK && start->stops) status = moreau_stops_start(start->stops, model, work, &step);
  work->tally = kept;
  friction_forget(&work->step);
  for (int i = 0; i < p->count; i++)
    if (p->v0[i] != 0) go_on(p, work, i, start->level[i]);
  return status;
}

SimStatus moreau_start(const SimModel *model, SimWorkspace *work, const MoreauStart *start) {
  const SimProblem *p = &model->problem;
  SimStatus status = SIM_OK;
  friction_forget(&work->step);
  memcpy(work->x, p->x0, (size_t)p->count * sizeof *p->x0);
  if (start->solver) status = start_together(model, work, start);
  for (int i = 0; i < p->count && !start->solver; i++) start_alone(p, work, i, start->load[i], start->level[i]);
  memcpy(work->v, p->v0, (size_t)p->count * sizeof *p->v0);
  return status;
}
