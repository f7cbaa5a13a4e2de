/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound.h"
#include "control/bound/forms.h"
#include "control/problem/problem_check.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Features of a problem that the bound supports: the equation of motion M v' = f + B u - D v - A x - C lambda. Features
 * of the time-stepping scheme do not matter, since the bound is for the exact motion. */
#define BOUND_TAKES                                                                                                    \
  (SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) | SIM_HAS(VISCOUS) | SIM_HAS(REGULARIZED) |     \
   SIM_HAS(SMOOTH) | SIM_HAS(FIXED_POINT) | SIM_HAS(MODES) | SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW))

/* Messages for features that are refused, with the key of the problem file. A feature that is not listed here is
 * refused, too, with a general message. */
static const CtlFeatureReason reasons[] = {
    {SIM_HAS(TABLE), "model.friction_table", "expected a threshold, or one that drops by a law"},
    {SIM_HAS(BIAS) | SIM_HAS(COURSES), "model.friction", "expected a constant for both directions"},
    {SIM_HAS(RIGID) | SIM_HAS(ELASTIC), "model.stops", "expected none: v jumps there"},
    {SIM_HAS(ANCHORS) | SIM_HAS(LINKS), "model.springs", "expected none: springs that are laws"},
};
enum { N_REASONS = sizeof reasons / sizeof *reasons };

static bool is_positive(const CtlProblem *problem) {
  size_t size = (size_t)(problem->p * problem->p) * sizeof(double);
  double *weight = malloc(size);
  if (!weight) return true; /* the check of the problem itself reports a missing weight of J */
  memcpy(weight, problem->weight, size);
  int info = dense_factor(problem->p, weight);
  free(weight);
  return info == 0;
}

int ctl_lower_bound_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report) {
  CtlCheck check = {.problem = problem, .report = report};
  if (!problem || !problem->start || !sim || !sim->scheme || problem->roles || problem->scenarios ||
      problem->d != sim->d || problem->p != sim->n_control) {
    ctl_check_complain(&check, "search.bound", "no motion (expected one model with least effort)");
    return check.mistakes;
  }
  SimFeatures lacking = sim_problem_features(sim) & ~BOUND_TAKES;
  bool other = sim->kind != SIM_FRICTION || lacking & SIM_HAS(SPARSE) || sim->n_control < 1;
  if (other)
    ctl_check_complain(&check, "search.bound", "unsupported model (expected kind: friction, dense, with a control)");
  else if (sim->d >= BOUND_DOFS)
    ctl_check_complain(&check, "search.bound", "%d degrees of freedom (expected less than %d)", sim->d, BOUND_DOFS);
  if (check.mistakes) return check.mistakes;
  ctl_check_features(&check, "search.bound", N_REASONS, reasons, lacking);
  if (!is_positive(problem))
    ctl_check_complain(&check, "control.weight",
                       "semidefinite with search.bound (expected positive definite: controls without limit "
                       "cost nothing)");
  if (sim->load.at) ctl_check_complain(&check, "model.force", "a function with search.bound (expected pieces)");
  return check.mistakes;
}
