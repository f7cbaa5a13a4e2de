/* SPDX-License-Identifier: BSD-2-Clause */
/* The kind of models M x'' + D x' + A x + C (lambda - gamma(x')) = f + B u, with or without a gear box: its checks and
 * arrays. */
#include "sim/core/kind.h"
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/friction/massless_check.h"
#include "sim/joint/laws.h"
#include "sim/law/friction_force.h"
#include "sim/operator/check.h"
#include "sim/operator/dense.h"
#include "sim/operator/massless.h"
#include "sim/operator/operator.h"

#include <math.h>
#include <stdlib.h>

/* Computes the norm of M^-1 D, in 1/s, over the dofs with mass. */
static SimStatus damping_rate(const SimProblem *p, double *rate) {
  size_t square = (size_t)p->d * (size_t)p->d;
  if (massless_count(p) == 0) return dense_generalised_norm(p->d, p->system.damping, p->system.mass, rate);
  double *damping = malloc(2 * square * sizeof *damping);
  if (!damping) return SIM_NO_MEMORY;
  massless_part(p, p->system.damping, false, 0, damping);
  massless_part(p, p->system.mass, false, 1, damping + square);
  SimStatus status = dense_generalised_norm(p->d, damping, damping + square, rate);
  free(damping);
  return status;
}

/* Refuses a step too large for strong damping. */
static void check_damping(Check *check) {
  const SimProblem *p = check->problem;
  double rate;
  if (!p->scheme->damping_limit || !check_found(check, "model.damping", "the norm of M^-1 D", damping_rate(p, &rate)) ||
      !(rate > 0))
    return;
  double limit = p->scheme->damping_limit(p, rate);
  if (p->step < limit) return;
  check_complain(check, "time.step",
                 "%g is too large for the damping: with %.6g, %s of M^-1 D, it must stay below %.6g "
                 "(or take more elastic_substeps, or the scheme moreau)",
                 p->step, rate, dense_is_symmetric(p->d, p->system.damping) ? "the largest eigenvalue" : "the norm",
                 limit);
}

static void check_step_limit(Check *check, const SimBounds *bounds) {
  const SimProblem *p = check->problem;
  if (p->step < bounds->step_limit) return;
  check_complain(check, "time.step",
                 "%g is %s: with alpha = %g and nu = %.6g, %s M^-1 A, it must stay "
                 "below %.6g "
                 "(or take %s%s)",
                 p->step, bounds->estimated ? "not known to be stable" : "unstable", sim_problem_get(p, "alpha"),
                 bounds->frequency_squared,
                 bounds->estimated ? "a bound on the eigenvalues of" : "the largest eigenvalue of", bounds->step_limit,
                 massless_present(p) ? "the scheme moreau or centered, as what has no mass may stick" : "alpha >= 1/4",
                 sim_scheme_takes(p->scheme, "elastic_substeps") ? ", or more elastic_substeps" : "");
}

/* Checks the values of the keys; keys of the section `stribeck` are not checked if the law is a table. */
static void check_keys(Check *check) {
  SimProblem described = *check->problem;
  Check keys = *check;
  if (described.system.stribeck == SIM_STRIBECK_TABLE) described.system.stribeck = SIM_STRIBECK_NONE;
  keys.problem = &described;
  check_rows(&keys, "model", sim_friction_parameters);
  check->mistakes = keys.mistakes;
}

/* Refuses a step too large for a friction table. A step M (v+ - v) = tau C gamma(v) + .. evaluates the table at the
 * velocity v before it; tau is the step or the friction substep. If tau C |gamma'| < M, the change of v by the table is
 * less than v itself. Then M v - tau C gamma(v) also increases with v, so that friction evaluated at the new velocity
 * would have one solution. */
static SimStatus check_table(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  SimProblem steep = *p;
  SimBounds of_table = {.step_limit = INFINITY};
  bounds->friction_limit = INFINITY;
  if (p->system.stribeck != SIM_STRIBECK_TABLE || p->scheme->force_in_pieces) return SIM_OK;
  Check alone = *check;
  alone.problem = &steep;
  steep.system.gearbox.present = false;
  steep.friction = calloc((size_t)p->count + 1, sizeof *steep.friction);
  if (!steep.friction) return SIM_NO_MEMORY;
  for (int i = 0; i < p->count; i++)
    steep.friction[i] =
        sqrt((p->friction[i] + fabs(friction_bias(p, i))) * friction_table_steepest(&p->system.table, i));
  SimStatus status = operator_bounds(&alone, operator_alone(OPERATOR_MASS), &of_table);
  free(steep.friction);
  check->mistakes = alone.mistakes;
  if (status != SIM_OK || !(of_table.delta > 0)) return status;
  double substeps =
      sim_scheme_takes(p->scheme, "friction_substeps") ? (double)(sim_force_count(p) - 1) / (double)p->steps : 1;
  bounds->friction_limit = substeps / of_table.delta;
  if (!(p->step < bounds->friction_limit))
    check_complain(
        check, "time.step",
        "%g is too large for the friction table: its steepest slope over the mass is %.6g 1/s: a step does not "
        "overshoot, and has one solution, below %.6g",
        p->step, of_table.delta, bounds->friction_limit);
  return check_status(check);
}

static SimStatus check_friction(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  operator_check(check, bounds);
  check_keys(check);
  if (!check->mistakes) friction_check_massless(check);
  SimStatus status = sim_group_agree(p->group, check_status(check));
  if (status == SIM_OK) status = operator_bounds(check, p->scheme->step_operator(p), bounds);
  if (status != SIM_OK) return status;
  bounds->step_limit = scheme_step_limit(p, bounds->frequency_squared);
  check_step_limit(check, bounds);
  check_damping(check);
  check->mistakes += scheme_check_ends(p, bounds->mass_min, check->report);
  status = check_table(check, bounds);
  if (status != SIM_OK) return status;
  return check_status(check);
}

/* Whether any row of this rank has damping. */
static bool is_damped(const SimProblem *p) {
  bool damped = p->system.storage == SIM_SPARSE && p->system.sparse.damping.start;
  for (long i = 0; i < (long)p->d * p->d && p->system.storage == SIM_DENSE; i++)
    damped = damped || p->system.damping[i] != 0;
  return damped;
}

/* Whether D is not symmetric. Sparse matrices are always symmetric, as sparse_check.c checks. */
static bool is_skew(const SimProblem *p) {
  return p->system.storage == SIM_DENSE && !dense_is_symmetric(p->d, p->system.damping);
}

static SimFeatures features(const SimProblem *p) {
  return (is_damped(p) ? SIM_HAS(DAMPING) : 0) | (is_skew(p) ? SIM_HAS(SKEW) : 0) |
         (massless_count(p) > 0 ? SIM_HAS(MASSLESS) : 0);
}

static double energy_size(const SimModel *model, SimWorkspace *work, const double *x, const double *v) {
  (void)work;
  const SimProblem *p = springs_alone(model->springs, &model->problem);
  return operator_size(p, OPERATOR_MASS, v) + operator_size(p, OPERATOR_STIFFNESS, x) +
         p->step * operator_size(p, OPERATOR_DAMPING, v) + joint_size(p, model->springs, x);
}

static bool borrowed(const SimProblem *p) { return operator_array_size(p) == 0; }

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(system.mass, operator_array_size)},
                                      {PROBLEM_ARRAY(system.stiffness, operator_array_size)},
                                      {PROBLEM_ARRAY(system.damping, operator_array_size)},
                                      {0}};

const SimKindOps sim_kind_friction = {.arrays = arrays,
                                      .parameters = sim_friction_parameters,
                                      .clear = operator_parts_clear,
                                      .borrowed = borrowed,
                                      .features = features,
                                      .check = check_friction,
                                      .energy_size = energy_size,
                                      .has_multiplier = true};
