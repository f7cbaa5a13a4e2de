/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/fit_bias.h"

#include "src/file/sections/with.h"
#include "src/study/evaluation.h"

#include <math.h>
#include <stdlib.h>

/* Simulates the problem `found` with another scheme or step. Sets change [m] to factor times (residuals of this motion
 * minus r). r: residuals of the motion by the scheme of the file. */
static SimStatus compare_motions(const Problem *found, const Identification *id, ProblemChanges changes, double factor,
                                 const double *r, double *change) {
  Diagnostics dropped = {0};
  Problem other;
  SimModel *model = NULL;
  int code = problem_with(found, changes, &dropped, &other);
  diagnostics_clear(&dropped);
  if (code) return code == EXIT_INTERNAL ? SIM_NO_MEMORY : SIM_BAD_PROBLEM;
  SimStatus status = stiction_model_create(&other.sim, NULL, &model);
  if (status == SIM_OK) status = fit_motion(&other.sim, model, NULL, NULL, id, change, NULL);
  for (long k = 0; k < id->m && status == SIM_OK; k++) change[k] = factor * (change[k] - r[k]);
  stiction_model_destroy(model);
  problem_clear(&other);
  return status;
}

/* Fills change [m] with an estimate of the residuals without errors of time steps, minus the residuals r. */
static SimStatus find_change(const Problem *found, const Identification *id, const double *r, double *change,
                             FitReference *reference) {
  /* for a scheme of first order, the error is twice the change that half the step makes */
  static const double FIRST_ORDER = 2;
  SimStatus status = SIM_BAD_PROBLEM;
  *reference = FIT_BY_EVENT;
  if (problem_takes_event(found))
    status = compare_motions(found, id, (ProblemChanges){.scheme = SCHEME_EVENT}, 1, r, change);
  if (status == SIM_OK || status == SIM_NO_MEMORY) return status;
  *reference = FIT_BY_HALF_STEP;
  return compare_motions(found, id, (ProblemChanges){.finer = 2}, FIRST_ORDER, r, change);
}

/* Finds the parameter that the errors of time steps move farthest, in units of its standard error. */
static void find_worst(int n, const CtlFitStatistics *statistics, FitBias *bias) {
  for (int k = 0; k < n; k++) {
    double error = statistics->error[k], errors = fabs(bias->parameters[k]) / error;
    if (!(error > 0 && isfinite(error) && errors > bias->errors)) continue;
    bias->errors = errors;
    bias->worst = k;
  }
}

bool fit_bias_find(const CtlFit *fit, const Problem *found, const Identification *id, const double *p, const double *r,
                   const double *jacobian, const CtlFitStatistics *statistics, FitBias *bias) {
  *bias = (FitBias){.worst = -1};
  if (sim_scheme_by_events(found->sim.scheme)) return true;
  double *change = calloc((size_t)fit->m, sizeof *change);
  SimStatus status = change ? find_change(found, id, r, change, &bias->reference) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = ctl_fit_shift(fit, p, r, jacobian, change, statistics, bias->parameters);
  free(change);
  if (status == SIM_NO_MEMORY) return false;
  if (status != SIM_OK) {
    *bias = (FitBias){.reference = FIT_INCOMPARABLE, .worst = -1};
    return true;
  }
  for (int k = 0; k < fit->n; k++) bias->parameters[k] = -bias->parameters[k];
  find_worst(fit->n, statistics, bias);
  return true;
}

bool fit_bias_matters(const FitBias *bias) { return bias->errors > 1; }

const char *fit_reference_text(FitReference reference) {
  return reference == FIT_BY_EVENT ? "event" : reference == FIT_BY_HALF_STEP ? "half the step" : NULL;
}
