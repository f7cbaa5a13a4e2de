/* SPDX-License-Identifier: BSD-2-Clause */
/* An easier problem of a plan: least effort to the same targets at a given T. */
#include "control/search.h"
#include "control/solve/easier_problems.h"
#include "sim/base/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  EFFORT_STARTS = 2, /* search.local_starts of the search for least effort */
  EFFORT_TRIES = 3   /* maximum number of values of T, each twice the last one, at which least effort is tried */
};

int easier_only_dof(int d, const double *weights) {
  int found = EASIER_NO_DOF;
  for (int i = 0; i < d && weights; i++) {
    if (weights[i] == 0) continue;
    if (found >= 0) return EASIER_SEVERAL_DOFS;
    found = i;
  }
  return found;
}

/* Copies the plan's targets at T to the problem of least effort. *any: whether there is a target. */
static SimStatus take_targets(const CtlPlan *plan, const SimProblem *motion, CtlProblem *problem, bool *any) {
  size_t d = (size_t)motion->d;
  double *first = calloc(4 * d, sizeof *first);
  if (!first) return SIM_NO_MEMORY;
  double *target = first + 2 * d;
  memcpy(first, motion->x0, d * sizeof *first);
  memcpy(first + d, motion->v0, d * sizeof *first);
  SimStatus status = easier_targets(plan, first, target);
  for (size_t i = 0; i < 2 * d; i++) *any = *any || !isnan(target[i]);
  memcpy(problem->position, target, d * sizeof *target);
  memcpy(problem->velocity, target + d, d * sizeof *target);
  free(first);
  return status;
}

/* Sets *motion to the motion problem of a point, but with the end time `end` and equal segments. */
static SimStatus motion_until(const CtlPlan *plan, const double *point, double end, SimProblem *motion) {
  SimStatus status = sim_problem_copy(&plan->problem, motion);
  if (status != SIM_OK) return status;
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what == CTL_VARY_POSITION) motion->x0[v->entry] = point[plan->controls + k];
    if (v->what == CTL_VARY_VELOCITY) motion->v0[v->entry] = point[plan->controls + k];
  }
  if (end != motion->end) pieces_cut(motion, end);
  motion->step = end / (double)motion->steps;
  return SIM_OK;
}

/* Searches the control of least effort for the end time `end`, starting from the control of the point `from`, with at
 * most `most` evaluations. *met: whether the result meets the targets; then its control is copied to `point`. */
static SimStatus search_effort(const Easier *e, const double *from, double end, long most, double *point, bool *met) {
  const CtlPlan *plan = e->plan;
  SimProblem motion;
  CtlProblem *problem = NULL;
  CtlAnswer answer = {0};
  bool any = false;
  SimStatus status = motion_until(plan, point, end, &motion);
  if (status != SIM_OK) return status;
  CtlStatus solved =
      stiction_problem_finalize(&motion, NULL) == SIM_OK ? stiction_control_create(&motion, &problem) : CTL_BAD_PROBLEM;
  if (solved == CTL_OK) status = take_targets(plan, &motion, problem, &any);
  if (any && status == SIM_OK) {
    memcpy(problem->weight, plan_weight(plan), (size_t)(problem->p * problem->p) * sizeof *problem->weight);
    memcpy(problem->lower, plan_bound(plan, 0), (size_t)plan->controls * sizeof *problem->lower);
    memcpy(problem->upper, plan_bound(plan, 1), (size_t)plan->controls * sizeof *problem->upper);
    memcpy(problem->start, from, (size_t)plan->controls * sizeof *problem->start);
    problem->method = ctl_method_find("auto");
    problem->local_starts = EFFORT_STARTS;
    problem->max_evaluations = most;
    if (e->whole->max_evaluations)
      problem->refine = CTL_REFINE_NONE; /* refinement does not respect a budget of
                                                                       * evaluations */
    problem->restarts = 0;
    solved = stiction_solve(problem, NULL, e->stop, &answer);
    *met = solved == CTL_OK && answer.meets;
    if (*met) memcpy(point, answer.control, (size_t)plan->controls * sizeof *point);
    *e->evaluations += answer.evaluations;
  }
  stiction_answer_clear(&answer);
  stiction_control_destroy(problem);
  sim_problem_clear(&motion);
  return status != SIM_OK || solved == CTL_NO_MEMORY ? SIM_NO_MEMORY : solved == CTL_STOPPED ? SIM_CANCELLED : SIM_OK;
}

double easier_set_end(const CtlPlan *plan, double end, double *point) {
  double *variables = point + plan->controls, sum = 0;
  int segments = plan_segments(plan);
  if (plan->end >= 0) {
    const CtlVariable *v = &plan->variable[plan->end];
    return variables[plan->end] = fmin(fmax(end, v->lower), v->upper);
  }
  for (int k = 0; k < segments && plan->lengths >= 0; k++) {
    const CtlVariable *v = &plan->variable[plan->lengths + k];
    sum += variables[plan->lengths + k] = fmin(fmax(end / segments, v->lower), v->upper);
  }
  return plan->lengths >= 0 ? sum : plan->problem.end;
}

bool easier_varies_end(const CtlPlan *plan) {
  for (int k = 0; k < plan->quantities && plan->lengths >= 0; k++)
    if (plan->quantity[k].of.way == SIM_END_TIME && plan->quantity[k].role == CTL_ROLE_EQUAL) return false;
  return plan->end >= 0 || plan->lengths >= 0;
}

SimStatus easier_effort(Easier *e, const double *from) {
  CtlPlan *plan = e->plan;
  double *point = e->points + (size_t)e->count * (size_t)plan->n, end = plan_lengths(plan, from);
  bool met = false;
  int tries = easier_varies_end(plan) ? EFFORT_TRIES : 1;
  memcpy(point, from, (size_t)plan->n * sizeof *point);
  for (int k = 0; k < tries && !met; k++) {
    long most = easier_share_of_search(e, tries - k);
    if (!most) break;
    double now = easier_set_end(plan, ldexp(end, k), point);
    SimStatus status = search_effort(e, from, now, most, point, &met);
    if (status != SIM_OK) return status;
  }
  e->count += met;
  return SIM_OK;
}
