#include "sim/dense.h"
#include "sim/model.h"
#include "sim/scheme.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Check {
  const SimProblem *problem;
  const SimReport *report;
  int mistakes;
} Check;

int sim_complain(const SimReport *report, const char *key, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (report) report->complain(report->context, key, text);
  return 1;
}

static void complain(Check *check, const char *key, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  check->mistakes += sim_complain(check->report, key, "%s", text);
}

/* Every entry finite, and at least `least`; tells the first that is not. */
static void check_values(Check *check, const char *key, long n, const double *values, double least) {
  for (long i = 0; i < n; i++) {
    if (isfinite(values[i]) && values[i] >= least) continue;
    if (isfinite(values[i]))
      complain(check, key, "entry %ld is %g (expected >= %g)", i + 1, values[i], least);
    else
      complain(check, key, "entry %ld is not finite", i + 1);
    return;
  }
}

/* A symmetric matrix with eigenvalues >= 0 (> 0 when definite). Returns whether it is, with its extreme
 * eigenvalues. */
static bool check_matrix(Check *check, const char *key, const double *a, bool definite, double *smallest,
                         double *largest) {
  int d = check->problem->d, before = check->mistakes;
  check_values(check, key, (long)d * d, a, -INFINITY);
  if (check->mistakes > before) return false;
  double scale = 0;
  for (long i = 0; i < (long)d * d; i++) scale = fmax(scale, fabs(a[i]));
  for (int i = 0; i < d; i++)
    for (int j = 0; j < i; j++)
      if (fabs(a[i * d + j] - a[j * d + i]) > 1e-12 * scale) {
        complain(check, key, "not symmetric: entry (%d,%d) is %g, entry (%d,%d) is %g", i + 1, j + 1, a[i * d + j],
                 j + 1, i + 1, a[j * d + i]);
        return false;
      }
  if (dense_eigenvalue_range(d, a, smallest, largest)) {
    complain(check, key, "its eigenvalues could not be computed");
    return false;
  }
  double round_off = 4 * d * DBL_EPSILON * scale;
  if (definite && *smallest <= round_off)
    complain(check, key, "smallest eigenvalue %.3g (expected positive definite)", *smallest);
  else if (!definite && *smallest < -round_off)
    complain(check, key, "smallest eigenvalue %.3g (expected positive semi-definite)", *smallest);
  return check->mistakes == before;
}

static void check_stribeck(Check *check) {
  const SimProblem *p = check->problem;
  if (p->stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->d; i++)
    if (!(p->stribeck_beta[i] > 0 && p->stribeck_beta[i] < 1)) {
      complain(check, "model.stribeck.beta", "entry %d is %g (expected 0 < beta < 1)", i + 1, p->stribeck_beta[i]);
      break;
    }
  for (int i = 0; i < p->d; i++)
    if (!(p->stribeck_epsilon[i] > 0) || !isfinite(p->stribeck_epsilon[i])) {
      complain(check, "model.stribeck.epsilon", "entry %d is %g (expected > 0)", i + 1, p->stribeck_epsilon[i]);
      break;
    }
}

static void check_time(Check *check) {
  const SimProblem *p = check->problem;
  if (!(p->end > 0) || !isfinite(p->end)) complain(check, "time.end", "%g (expected > 0)", p->end);
  if (!(p->step > 0) || !isfinite(p->step))
    complain(check, "time.step", "%g (expected > 0)", p->step);
  else if (p->steps < 1)
    complain(check, "time.steps", "%ld (expected >= 1)", p->steps);
  else if (fabs(p->end / p->step - (double)p->steps) > 1e-9 + 4 * DBL_EPSILON * (double)p->steps)
    complain(check, "time.step", "T/step = %.12g is not the number of steps %ld", p->end / p->step, p->steps);
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
    complain(check, "model.mass", "the eigenvalues of M^-1 A could not be computed");
  bounds->frequency_squared = fmax(bounds->frequency_squared, 0);
  bounds->step_limit = p->scheme->step_limit(p, bounds->frequency_squared);
  if (!(p->step < bounds->step_limit))
    complain(check, "time.step",
             "%g is unstable: with alpha = %g and nu = %.6g, the largest eigenvalue of M^-1 A, it must stay "
             "below %.6g "
             "(or take alpha >= 1/4)",
             p->step, p->alpha, bounds->frequency_squared, bounds->step_limit);
  p->scheme->step_operator(p, operator_e);
  for (int i = 0; i < d; i++) friction_squared[i * d + i] = p->friction[i] * p->friction[i];
  if (dense_generalised_largest(d, friction_squared, operator_e, &bounds->delta))
    complain(check, "model.mass", "the eigenvalues of the step's operator could not be computed");
  free(operator_e);
  return SIM_OK;
}

SimStatus sim_problem_check(const SimProblem *problem, const SimReport *report, SimBounds *bounds) {
  Check check = {.problem = problem, .report = report};
  int d = problem->d;
  double ignored, damping_max;
  *bounds = (SimBounds){.step_limit = INFINITY};
  check_matrix(&check, "model.mass", problem->mass, true, &bounds->mass_min, &bounds->mass_max);
  check_matrix(&check, "model.stiffness", problem->stiffness, false, &ignored, &bounds->stiffness_max);
  check_matrix(&check, "model.damping", problem->damping, false, &ignored, &damping_max);
  check_values(&check, "model.friction", d, problem->friction, 0);
  check_values(&check, "model.x0", d, problem->x0, -INFINITY);
  check_values(&check, "model.v0", d, problem->v0, -INFINITY);
  check_values(&check, "control.matrix", (long)d * problem->n_control, problem->control_matrix, -INFINITY);
  check_stribeck(&check);
  check_time(&check);
  if (!sim_scheme_offers(problem->scheme, problem->multiplier))
    complain(&check, "scheme.multiplier", "not offered by the scheme %s", problem->scheme->name);
  check.mistakes += problem->scheme->check(problem, report);
  if (check.mistakes) return SIM_BAD_PROBLEM;
  SimStatus status = fill_bounds(&check, bounds);
  return check.mistakes ? SIM_BAD_PROBLEM : status;
}

SimStatus sim_problem_check_constants(const SimProblem *p, const SimBounds *bounds, const SimReport *report) {
  int mistakes = 0;
  bool frictionless = !(bounds->delta > 0);
  if (p->multiplier == SIM_REGULARIZED && (!(p->epsilon > 0) || !isfinite(p->epsilon)))
    mistakes += sim_complain(report, "scheme.epsilon", "%g (expected > 0)", p->epsilon);
  if (!(p->tolerance > 0) || !isfinite(p->tolerance))
    mistakes += sim_complain(report, "scheme.tolerance", "%g (expected > 0)", p->tolerance);
  if (!frictionless && (!(p->r > 0) || !isfinite(p->r)))
    mistakes += sim_complain(report, "scheme.r", "%g (expected > 0)", p->r);
  else if (!frictionless && p->solver == SIM_FIXED_POINT && !(p->r * bounds->delta * p->step < 4))
    mistakes += sim_complain(report, "scheme.r", "%g: the fixed point converges for 0 < r < 4/(delta step) = %g only",
                             p->r, 4 / (bounds->delta * p->step));
  return mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}
