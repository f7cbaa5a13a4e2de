/* M x'' + D x' + A x + C (lambda - gamma(x')) = f + B u, with a gear box if wanted. */
#include "sim/core/kind.h"
#include "sim/core/check.h"
#include "sim/core/scheme.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

static void check_stribeck(Check *check) {
  const SimProblem *p = check->problem;
  if (p->stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->d; i++)
    if (!(p->stribeck_beta[i] > 0 && p->stribeck_beta[i] < 1)) {
      check_complain(check, "model.stribeck.beta", "entry %d is %g (expected 0 < beta < 1)", i + 1,
                     p->stribeck_beta[i]);
      break;
    }
  for (int i = 0; i < p->d; i++)
    if (!(p->stribeck_epsilon[i] > 0) || !isfinite(p->stribeck_epsilon[i])) {
      check_complain(check, "model.stribeck.epsilon", "entry %d is %g (expected > 0)", i + 1, p->stribeck_epsilon[i]);
      break;
    }
}

/* One complaint about the first entry that fails. */
static void check_gear_entries(Check *check, const char *key, const double *values,
                               bool (*good)(const SimGearbox *, int), const char *expected) {
  const SimGearbox *g = &check->problem->gearbox;
  for (int i = 0; i < check->problem->d; i++) {
    if (isfinite(values[i]) && good(g, i)) continue;
    check_complain(check, key, "entry %d is %g (expected %s)", i + 1, values[i], expected);
    return;
  }
}

static bool good_delta(const SimGearbox *g, int i) { return isfinite(g->delta[i]); }
static bool good_k(const SimGearbox *g, int i) {
  return g->k[i] * g->delta[i] > 0 || (g->k[i] == 0 && g->delta[i] == 0);
}
static bool good_a(const SimGearbox *g, int i) { return g->a[i] > 0; }
static bool good_b(const SimGearbox *g, int i) { return !(g->b[i] <= g->a[i]); }
static bool good_beta(const SimGearbox *g, int i) { return g->beta[i] > 0 && g->beta[i] < 1; }
static bool good_epsilon(const SimGearbox *g, int i) { return g->epsilon[i] > 0; }

static void check_gearbox(Check *check) {
  const SimProblem *p = check->problem;
  const SimGearbox *g = &p->gearbox;
  if (!g->present) return;
  if (!p->scheme->gearbox)
    check_complain(check, "model.gearbox", "the scheme %s has none (expected a splitting scheme: lie or strang)",
                   p->scheme->name);
  check_gear_entries(check, "model.gearbox.delta", g->delta, good_delta, "a finite number");
  check_gear_entries(check, "model.gearbox.k", g->k, good_k, "k of the sign of delta");
  check_gear_entries(check, "model.gearbox.a", g->a, good_a, "0 < a");
  check_gear_entries(check, "model.gearbox.b", g->b, good_b, "a < b");
  check_gear_entries(check, "model.gearbox.beta", g->beta, good_beta, "0 < beta < 1");
  check_gear_entries(check, "model.gearbox.epsilon", g->epsilon, good_epsilon, "> 0");
}

/* Where a scheme does not follow a strong damping. */
static void check_damping(Check *check) {
  const SimProblem *p = check->problem;
  double rate;
  if (!p->scheme->damping_limit || dense_generalised_largest(p->d, p->damping, p->mass, &rate) || !(rate > 0)) return;
  double limit = p->scheme->damping_limit(p, rate);
  if (p->step < limit) return;
  check_complain(
      check, "time.step",
      "%g is too large for the damping: with %.6g, the largest eigenvalue of M^-1 D, it must stay below %.6g "
      "(or take more elastic_substeps, or the scheme moreau)",
      p->step, rate, limit);
}

/* nu, delta and the step limit, with the matrices and the time known to be good. */
static SimStatus fill_bounds(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  int d = p->d;
  size_t square = (size_t)d * (size_t)d;
  double *operator_e = calloc(2 * square, sizeof(double));
  if (!operator_e) return SIM_NO_MEMORY;
  double *friction_squared = operator_e + square;
  if (dense_generalised_largest(d, p->stiffness, p->mass, &bounds->frequency_squared))
    check_complain(check, "model.mass", "the eigenvalues of M^-1 A could not be computed");
  bounds->frequency_squared = fmax(bounds->frequency_squared, 0);
  bounds->step_limit = scheme_step_limit(p, bounds->frequency_squared);
  if (!(p->step < bounds->step_limit))
    check_complain(check, "time.step",
                   "%g is unstable: with alpha = %g and nu = %.6g, the largest eigenvalue of M^-1 A, it must stay "
                   "below %.6g "
                   "(or take alpha >= 1/4%s)",
                   p->step, p->alpha, bounds->frequency_squared, bounds->step_limit,
                   p->scheme->friction_substeps ? ", or more elastic_substeps" : "");
  check_damping(check);
  p->scheme->step_operator(p, operator_e);
  for (int i = 0; i < d; i++) friction_squared[i * d + i] = pow(sim_problem_threshold(p, i), 2);
  if (dense_generalised_largest(d, friction_squared, operator_e, &bounds->delta))
    check_complain(check, "model.mass", "the eigenvalues of the step's operator could not be computed");
  free(operator_e);
  return SIM_OK;
}

static SimStatus check_friction(const SimProblem *problem, const SimReport *report, int before, SimBounds *bounds) {
  Check check = {.problem = problem, .report = report, .mistakes = before};
  double ignored, damping_max;
  check_matrix(&check, "model.mass", problem->mass, true, &bounds->mass_min, &bounds->mass_max);
  check_matrix(&check, "model.stiffness", problem->stiffness, false, &ignored, &bounds->stiffness_max);
  check_matrix(&check, "model.damping", problem->damping, false, &ignored, &damping_max);
  check_values(&check, "model.friction", problem->d, problem->friction, 0);
  check_stribeck(&check);
  check_gearbox(&check);
  if (check.mistakes) return SIM_BAD_PROBLEM;
  SimStatus status = fill_bounds(&check, bounds);
  return check.mistakes ? SIM_BAD_PROBLEM : status;
}

const SimKindOps sim_kind_friction = {.check = check_friction, .has_multiplier = true};
