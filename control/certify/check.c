/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/argument.h"
#include "control/certify/bound.h"

#include "control/problem/problem_check.h"
#include "sim/law/friction_table.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

static bool is_positive(const CtlProblem *problem) {
  double weight[BOUND_N * BOUND_N];
  memcpy(weight, problem->weight, (size_t)(problem->p * problem->p) * sizeof *weight);
  return dense_factor(problem->p, weight) == 0;
}

/* Whether the friction of some dof falls with speed. */
static bool friction_falls(const SimSystem *system) {
  const SimFrictionTable *table = &system->table;
  if (system->stribeck != SIM_STRIBECK_TABLE) return system->stribeck != SIM_STRIBECK_NONE;
  for (int i = 0; i < table->columns; i++)
    if (friction_table_falls(table, i)) return true;
  return false;
}

/* Features that the theorems cover. Friction must not fall with speed; tables of friction are allowed if they do not
 * fall. Forces must be linear in the motion, so that motions do not diverge. Damping must satisfy dv'D dv >= 0.
 * Features of the time-stepping scheme are allowed, as they do not affect the exact motion. */
#define CERTIFY_TAKES                                                                                                  \
  (SIM_HAS(DENSE) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) | SIM_HAS(VISCOUS) |            \
   SIM_HAS(BIAS) | SIM_HAS(COURSES) | SIM_HAS(SURFACE) | SIM_HAS(REGULARIZED) | SIM_HAS(SMOOTH) |                      \
   SIM_HAS(FIXED_POINT) | SIM_HAS(MODES))

/* Messages for features that are refused, with the key of the problem file. A feature that is not listed here is
 * refused, too, with a general message. */
static const CtlFeatureReason reasons[] = {
    {SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW), "model.stribeck",
     "expected no friction that falls with speed: motions may diverge"},
    {SIM_HAS(TABLE), "model.friction_table", "expected no friction that falls with speed: motions may diverge"},
    {SIM_HAS(GEARBOX), "model.gearbox", "expected none: not supported by event"},
    {SIM_HAS(RIGID) | SIM_HAS(ELASTIC), "model.stops", "expected none: motions with impacts may diverge"},
    {SIM_HAS(ANCHORS) | SIM_HAS(LINKS), "model.springs", "expected none: motions with nonlinear springs may diverge"},
};
enum { N_REASONS = sizeof reasons / sizeof *reasons };

/* Reports which conditions of the inequalities (1) to (4) of README.md a model violates. Returns false if further
 * checks are pointless. */
static bool check_motion(CtlCheck *check, const SimProblem *sim) {
  if (!check->problem || !check->problem->start || !sim || !sim->scheme) {
    ctl_check_complain(check, "search.certify", "of no problem");
    return false;
  }
  SimFeatures lacking = sim_problem_features(sim) & ~CERTIFY_TAKES;
  if (!friction_falls(&sim->system)) lacking &= ~SIM_HAS(TABLE);
  if (sim->kind != SIM_FRICTION || lacking & SIM_HAS(SPARSE)) {
    ctl_check_complain(check, "search.certify", "not dense masses with friction (expected kind: friction)");
    return false;
  }
  ctl_check_features(check, "search.certify", N_REASONS, reasons, lacking);
  return true;
}

int ctl_certify_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report) {
  CtlCheck check = {.problem = problem, .report = report};
  if (!check_motion(&check, sim)) return check.mistakes;
  if (sim->d > BOUND_D)
    ctl_check_complain(&check, "search.certify", "%d degrees of freedom (expected at most %d)", sim->d, BOUND_D);
  if (problem->n > BOUND_N)
    ctl_check_complain(&check, "search.certify", "%d variables (expected at most %d)", problem->n, BOUND_N);
  else if (!is_positive(problem))
    ctl_check_complain(&check, "control.weight",
                       "semidefinite with search.certify (expected positive definite: controls without limit cost "
                       "nothing)");
  return check.mistakes;
}

/* Whether the control matrix B acts only on dofs with a target position. */
static bool acts_on_given(const CtlProblem *problem, const SimProblem *sim) {
  for (int i = 0; i < sim->d; i++)
    for (int k = 0; k < problem->p && isnan(problem->position[i]); k++)
      if (sim->control_matrix[(ptrdiff_t)i * problem->p + k] != 0) return false;
  return true;
}

bool ctl_targets_are_convex(const CtlProblem *problem, const SimProblem *sim) {
  CtlCheck check = {.problem = problem};
  if (!check_motion(&check, sim) || check.mistakes) return false;
  bool constant = problem->segments == 1 && problem->signal != SIM_PIECEWISE_LINEAR;
  return constant && sim->d == problem->d && acts_on_given(problem, sim);
}
