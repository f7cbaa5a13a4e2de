/* SPDX-License-Identifier: BSD-2-Clause */
/* The motion of a point of a plan: its segment lengths, its initial state and its model. */
#include "control/base/argument.h"
#include "control/plan/internal.h"
#include "sim/base/pieces.h"

#include <math.h>
#include <string.h>

/* Shortest length of a segment, relative to the largest end time T. A segment of length 0 could not be simulated. */
static const double SHORTEST = 1e-14;

double plan_lengths(CtlPlan *plan, const double *point) {
  int segments = plan_segments(plan);
  double end = plan->problem.end, sum = 0;
  if (plan->end >= 0) end = point[plan->controls + plan->end];
  for (int k = 0; k < segments; k++) {
    plan->lengths_now[k] = end / segments;
    if (plan->lengths < 0) continue;
    plan->lengths_now[k] = fmax(point[plan->controls + plan->lengths + k], SHORTEST * plan->problem.end);
    sum += plan->lengths_now[k];
  }
  return plan->lengths < 0 ? end : sum;
}

double plan_length_change(const CtlPlan *plan, int k, int variable) {
  const CtlVariable *v = &plan->variable[variable];
  if (v->what == CTL_VARY_END) return 1.0 / plan_segments(plan);
  return v->what == CTL_VARY_LENGTH && v->entry == k;
}

/* Sets the end time T, the lengths of segments and the initial state x0, v0 of a copy of the problem to those of a
 * point. */
static SimStatus set_motion(CtlPlan *plan, const double *point, SimProblem *p) {
  double end = plan_lengths(plan, point);
  if (!(end > 0) || !isfinite(end)) return SIM_BAD_PROBLEM;
  if (end != p->end) pieces_cut(p, end);
  p->step = end / (double)p->steps;
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what == CTL_VARY_POSITION) p->x0[v->entry] = point[plan->controls + k];
    if (v->what == CTL_VARY_VELOCITY) p->v0[v->entry] = point[plan->controls + k];
  }
  SimStatus status = plan->lengths >= 0 ? sim_problem_set_lengths(p, plan->lengths_now) : SIM_OK;
  return status == SIM_OK ? sim_problem_finalize_like(p, &plan->problem, NULL) : status;
}

SimStatus ctl_plan_motion(const CtlPlan *plan, const double *point, SimProblem *motion) {
  ARGUMENT_THERE(plan);
  ARGUMENT_THERE(point);
  ARGUMENT_THERE(motion);
  SimStatus status = sim_problem_copy(&plan->problem, motion);
  CtlPlan *room = (CtlPlan *)plan; /* the cast is safe, because set_motion changes only the scratch array
                                    * plan->lengths_now */
  if (status == SIM_OK) status = set_motion(room, point, motion);
  if (status != SIM_OK) sim_problem_clear(motion);
  return status;
}

void plan_release_model(CtlPlan *plan) {
  stiction_sensitivity_destroy(plan->sensitivity);
  stiction_workspace_destroy(plan->work);
  stiction_model_destroy(plan->model);
  sim_problem_clear(&plan->motion);
  plan->sensitivity = NULL;
  plan->work = NULL;
  plan->model = NULL;
}

static SimStatus create_sensitivity(CtlPlan *plan) {
  static const SimDependence of[] = {[CTL_VARY_END] = SIM_ON_END,
                                     [CTL_VARY_LENGTH] = SIM_ON_LENGTH,
                                     [CTL_VARY_POSITION] = SIM_ON_POSITION,
                                     [CTL_VARY_VELOCITY] = SIM_ON_VELOCITY};
  SimDependence on[1 + CTL_VARY_TIME] = {SIM_ON_CONTROL};
  int n = 1;
  if (!plan->derivatives) return SIM_OK;
  for (int what = 0; what < CTL_VARY_TIME; what++)
    if (plan_varies(plan, (CtlVary)what)) on[n++] = of[what];
  return stiction_sensitivity_create(plan->model, n, on, &plan->sensitivity);
}

/* Whether the current model was created for these values of the further variables. Times at which quantities are
 * evaluated are ignored, since the model does not depend on them. */
static bool is_made(const CtlPlan *plan, const double *variables) {
  if (!plan->model) return false;
  for (int k = 0; k < plan->variables; k++)
    if (plan->variable[k].what != CTL_VARY_TIME && plan->made_for[k] != variables[k]) return false;
  return true;
}

SimStatus plan_make(CtlPlan *plan, const double *point) {
  const double *variables = point + plan->controls;
  for (int k = 0; k < plan->quantities; k++)
    if (plan->quantity[k].time > 0 && plan->read_of[k] >= 0)
      plan->read[plan->read_of[k]].time = variables[plan->quantity[k].time - 1];
  if (is_made(plan, variables)) return SIM_OK;
  plan_release_model(plan);
  SimStatus status = ctl_plan_motion(plan, point, &plan->motion);
  if (status != SIM_OK) return status;
  status = stiction_model_create(&plan->motion, NULL, &plan->model);
  if (status == SIM_OK) status = stiction_workspace_create(plan->model, &plan->work);
  if (status == SIM_OK) status = create_sensitivity(plan);
  if (status != SIM_OK) {
    plan_release_model(plan);
    return status;
  }
  if (plan->interrupts) stiction_workspace_interrupt(plan->work, &plan->interrupt);
  memcpy(plan->made_for, variables, (size_t)plan->variables * sizeof *variables);
  return SIM_OK;
}
