/* SPDX-License-Identifier: BSD-2-Clause */
/* The kind dashpot: m v' = f + B u - k x - f_d + lambda_contact, x' = v. One mass is on a spring with a dash-pot, and
 * optionally meets a support with a spring of its own (Gotika, chapter IV). */
#include "sim/core/kind.h"
#include "sim/core/model.h"
#include "sim/operator/check.h"

#include <math.h>

/* Makes the checks of the law that the rows of keys do not cover. */
static void check_law(Check *check) {
  SimDashpotLaw law = check->problem->dashpot.law;
  double f_crit = check->problem->friction[0];
  if (law == SIM_VISCOUS && f_crit > 0)
    check_complain(check, "model.f_crit", "%g (expected 0: the law viscous has no threshold)", f_crit);
  if (law == SIM_BINGHAM_NONMONOTONE && f_crit != 1)
    check_complain(check, "model.f_crit", "%g (expected 1: the law bingham_nonmonotone is written for it)", f_crit);
}

static SimFeatures features(const SimProblem *p) { return p->dashpot.has_support ? SIM_HAS(SUPPORT) : 0; }

static SimStatus check_dashpot(Check *check, SimBounds *bounds) {
  const SimProblem *p = check->problem;
  if (p->d != 1) {
    check_complain(check, "model.mass", "%d masses (expected one)", p->d);
    return SIM_BAD_PROBLEM;
  }
  check_rows(check, "model", sim_dashpot_parameters);
  check_law(check);
  if (check->mistakes) return SIM_BAD_PROBLEM;
  double stiffest = p->dashpot.stiffness + (p->dashpot.has_support ? p->dashpot.support_stiffness : 0);
  bounds->mass_min = bounds->mass_max = p->dashpot.mass;
  bounds->stiffness_max = stiffest;
  bounds->frequency_squared = stiffest / p->dashpot.mass;
  return SIM_OK;
}

static double energy_size(const SimModel *model, SimWorkspace *work, const double *x, const double *v) {
  (void)work;
  const SimDashpot *d = &model->problem.dashpot;
  double stiffness = d->stiffness + (d->has_support ? d->support_stiffness : 0);
  return d->mass * v[0] * v[0] + stiffness * x[0] * x[0];
}

/* Names of additional results, in N: the dash-pot's force f_d; the spring's force f_s = k x, which pulls the mass back;
 * and the support's force lambda_contact <= 0. */
static const char *const extra[] = {"f_d", "f_s", "lambda_contact"};
static const char *const extra_units[] = {"N", "N", "N"};

const SimKindOps sim_kind_dashpot = {.parameters = sim_dashpot_parameters,
                                     .features = features,
                                     .check = check_dashpot,
                                     .energy_size = energy_size,
                                     .n_extra = 3,
                                     .extra = extra,
                                     .extra_units = extra_units};
