/* M x'' + D x' + A x + C (lambda - gamma(x')) = f + B u, with a gear box if wanted. */
#include "sim/core/kind.h"
#include "sim/core/scheme.h"
#include "sim/operator/check.h"
#include "sim/operator/dense.h"
#include "sim/operator/operator.h"
#include "sim/parameter.h"

#include <math.h>

static void check_stribeck(Check *check) {
  const SimProblem *p = check->problem;
  if (p->stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->count; i++)
    if (!(p->stribeck_beta[i] > 0 && p->stribeck_beta[i] < 1)) {
      check_complain(check, "model.stribeck.beta", "entry %d is %g (expected 0 < beta < 1)", p->first + i + 1,
                     p->stribeck_beta[i]);
      break;
    }
  for (int i = 0; i < p->count; i++)
    if (!(p->stribeck_epsilon[i] > 0) || !isfinite(p->stribeck_epsilon[i])) {
      check_complain(check, "model.stribeck.epsilon", "entry %d is %g (expected > 0)", p->first + i + 1,
                     p->stribeck_epsilon[i]);
      break;
    }
}

/* One complaint about the first entry that fails. */
static void check_gear_entries(Check *check, const char *key, const double *values,
                               bool (*good)(const SimGearbox *, int), const char *expected) {
  const SimGearbox *g = &check->problem->gearbox;
  for (int i = 0; i < check->problem->count; i++) {
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

static void check_step_limit(Check *check, const SimBounds *bounds) {
  const SimProblem *p = check->problem;
  if (p->step < bounds->step_limit) return;
  check_complain(check, "time.step",
                 "%g is %s: with alpha = %g and nu = %.6g, %s M^-1 A, it must stay "
                 "below %.6g "
                 "(or take alpha >= 1/4%s)",
                 p->step, bounds->estimated ? "not known to be stable" : "unstable", p->alpha,
                 bounds->frequency_squared,
                 bounds->estimated ? "a bound on the eigenvalues of" : "the largest eigenvalue of", bounds->step_limit,
                 sim_parameter_find(p->scheme->parameters, "elastic_substeps") ? ", or more elastic_substeps" : "");
}

static SimStatus check_friction(const SimProblem *p, const SimReport *report, int before, SimBounds *bounds) {
  Check check = {.problem = p, .report = report, .mistakes = before};
  operator_check(&check, bounds);
  check_values(&check, "model.friction", p->count, p->friction, 0);
  check_stribeck(&check);
  check_gearbox(&check);
  if (!sim_scheme_serves(p->scheme, p))
    check_complain(&check, "scheme.name", "%s: not offered with sparse matrices", p->scheme->name);
  SimStatus status = sim_group_agree(p->group, check.mistakes ? SIM_BAD_PROBLEM : SIM_OK);
  if (status == SIM_OK) status = operator_bounds(&check, p->scheme->step_operator(p), bounds);
  if (status != SIM_OK) return status;
  bounds->step_limit = scheme_step_limit(p, bounds->frequency_squared);
  check_step_limit(&check, bounds);
  check_damping(&check);
  return check.mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}

const SimKindOps sim_kind_friction = {.check = check_friction, .has_multiplier = true};
