/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/outcome/penalty.h"

#include "control/outcome/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double larger(double a, double b) { return a > b ? a : b; } /* like fmax, but returns NAN if b is NAN */

/* Returns `total`, the sum, sum of squares or maximum of a norm, after |y_i - target_i| has been included for all i.
 * spacing: distance of nodes if y is a function along a string, in m; 0 for a vector. */
static double gather_norm(CtlNorm norm, double total, int d, const double *y, const double *target, double spacing) {
  double weight = spacing > 0 ? spacing : 1;
  for (int i = 0; i < d; i++) {
    if (isnan(target[i])) continue;
    double r = isnan(y[i]) ? INFINITY : fabs(y[i] - target[i]);
    total = norm == CTL_NORM_2 ? total + weight * r * r : norm == CTL_NORM_1 ? total + weight * r : larger(r, total);
  }
  return total;
}

static double finish_norm(CtlNorm norm, double total) { return norm == CTL_NORM_2 ? sqrt(total) : total; }

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

double ctl_statistic_of(const CtlProblem *problem, int n, const double *errors) {
  double sum = 0, values[CTL_SCENARIOS_MAX];
  memcpy(values, errors, (size_t)n * sizeof *values);
  qsort(values, (size_t)n, sizeof *values, compare);
  if (problem->statistic == CTL_QUANTILE) return values[ctl_quantile_rank(problem->quantile, n)];
  if (problem->statistic == CTL_WORST) return values[n - 1];
  for (int k = 0; k < n; k++) sum += values[k];
  return sum / n;
}

int ctl_quantile_rank(double part, int n) {
  double rank = ceil(part * n - 1e-9); /* rank of the quantile; the return statement also handles NAN and values outside
                                        * (0, 1] */
  return !(rank > 1) || n < 1 ? 0 : rank < n ? (int)rank - 1 : n - 1;
}

/* Computes the errors E1 of the position and E2 of the velocity of one scenario. x, v: positions and velocities of
 * all scenarios, one after the other. If x or v is NULL, its error is 0. */
static void ctl_scenario_errors(const CtlProblem *p, int scenario, const double *x, const double *v, double errors[2]) {
  int d = p->d / p->scenarios, first = scenario * d;
  errors[0] = x ? ctl_target_error(d, x + first, p->position + first, p->position_scale + first, 0) : 0;
  errors[1] = v ? ctl_target_error(d, v + first, p->velocity + first, p->velocity_scale + first, 0) : 0;
}

double ctl_statistic(const CtlProblem *p, const double *x, const double *v) {
  double values[CTL_SCENARIOS_MAX] = {0}, errors[2];
  for (int s = 0; s < p->scenarios; s++) {
    ctl_scenario_errors(p, s, x, v, errors);
    values[s] = errors[0] + errors[1];
  }
  return ctl_statistic_of(p, p->scenarios, values);
}

/* Returns the norm || (x - x_T, v - v_T) || of the distances from the target. If x or v is NULL, its entries are
 * omitted. With both given it is G_K of penalty.h. With scenarios it is their statistic. For user-defined values, which
 * x contains, it is the norm of the constraint violations. */
static double norm_of_misses(CtlNorm norm, const CtlProblem *problem, const double *x, const double *v) {
  double total = 0;
  if (problem->scenarios) return ctl_statistic(problem, x, v);
  if (problem->roles) return x ? ctl_values_miss(problem, norm, x) : 0;
  if (x) total = gather_norm(norm, total, problem->d, x, problem->position, problem->position_spacing);
  if (v) total = gather_norm(norm, total, problem->d, v, problem->velocity, problem->velocity_spacing);
  return finish_norm(norm, total);
}

void ctl_penalty_start(CtlPenalty *penalty, const CtlProblem *problem) {
  double rho = ctl_problem_rho(problem);
  *penalty = (CtlPenalty){.rho = {rho, rho, rho}, .norm = problem->norm};
}

void ctl_penalty_centre(CtlPenalty *penalty, const CtlProblem *problem, double J, const double *x, const double *v) {
  if (problem->penalty != CTL_PENALTY_PI) return;
  double distance = norm_of_misses(CTL_NORM_2, problem, x, v);
  penalty->norm = distance >= 2 ? CTL_NORM_INF : distance > 1 ? CTL_NORM_2 : CTL_NORM_1;
  penalty->centre_G = norm_of_misses(penalty->norm, problem, x, v);
  penalty->centre_J = isfinite(J) ? J : -INFINITY; /* if J of the centre is unknown, it counts as lower than any
                                                    * other J, so that the term Z is 0 */
}

double ctl_penalty_merit(const CtlPenalty *penalty, const CtlProblem *problem, double J, const double *x,
                         const double *v) {
  if (problem->penalty == CTL_PENALTY_P && problem->scenarios)
    return J + penalty->rho[0] * ctl_statistic(problem, x, v);
  if (problem->penalty == CTL_PENALTY_P)
    return J + penalty->rho[0] * norm_of_misses(penalty->norm, problem, x, NULL) +
           penalty->rho[1] * norm_of_misses(penalty->norm, problem, NULL, v);
  double G = norm_of_misses(penalty->norm, problem, x, v);
  double ratio = penalty->centre_G / larger(G, 1e-8);
  /* the comparison is false for inf/inf, which is NAN; the factor is then 1 */
  double Z = (ratio < 1 ? ratio : 1) * larger(penalty->centre_J - J, 0);
  return J + penalty->rho[2] * G + Z;
}

void ctl_penalty_update_rho(CtlPenalty *penalty, const CtlProblem *problem, const double *x, const double *v) {
  if (problem->rho_update != CTL_RHO_DYNAMIC) return;
  double *rho = penalty->rho;
  if (problem->scenarios) {
    rho[0] = rho[2] = fmin(CTL_RHO_MAX, rho[0] + ctl_statistic(problem, x, v));
    return;
  }
  rho[0] = fmin(CTL_RHO_MAX, rho[0] + norm_of_misses(CTL_NORM_INF, problem, x, NULL));
  rho[1] = fmin(CTL_RHO_MAX, rho[1] + norm_of_misses(CTL_NORM_INF, problem, NULL, v));
  rho[2] = (rho[0] + rho[1]) / 2;
}

/* Returns max(1, ||target||) over the entries that have a target. */
double ctl_target_size(int d, const double *target, double spacing) {
  double size = 0;
  for (int i = 0; i < d; i++)
    if (!isnan(target[i])) size = spacing > 0 ? size + spacing * target[i] * target[i] : fmax(size, fabs(target[i]));
  return fmax(1, finish_norm(spacing > 0 ? CTL_NORM_2 : CTL_NORM_INF, size));
}

double ctl_target_error(int d, const double *y, const double *target, const double *scale, double spacing) {
  if (d < 1 || !y || !target || !scale) return 0;
  double size = ctl_target_size(d, target, spacing), worst = 0;
  if (spacing > 0)
    return finish_norm(CTL_NORM_2, gather_norm(CTL_NORM_2, 0, d, y, target, spacing)) /
           (isnan(scale[0]) ? size : scale[0]);
  for (int i = 0; i < d; i++)
    worst = larger(gather_norm(CTL_NORM_INF, 0, 1, y + i, target + i, 0) / (isnan(scale[i]) ? size : scale[i]), worst);
  return worst;
}

void ctl_errors(const CtlProblem *p, const double *x, const double *v, double errors[2]) {
  if (!p || !p->start || !x || !errors || (!v && !p->roles)) return;
  if (p->scenarios) {
    errors[0] = ctl_statistic(p, x, NULL);
    errors[1] = ctl_statistic(p, NULL, v);
    return;
  }
  if (p->roles) {
    errors[0] = ctl_values_error(p, x);
    errors[1] = 0;
    return;
  }
  errors[0] = ctl_target_error(p->d, x, p->position, p->position_scale, p->position_spacing);
  errors[1] = ctl_target_error(p->d, v, p->velocity, p->velocity_scale, p->velocity_spacing);
}

int ctl_target_given(int d, const double *target) {
  int count = 0;
  for (int i = 0; i < d; i++) count += !isnan(target[i]);
  return count;
}

int ctl_target_count(const CtlProblem *problem) {
  return ctl_target_given(problem->d, problem->position) + ctl_target_given(problem->d, problem->velocity);
}

int ctl_row_count(const CtlProblem *problem) {
  int curvature = problem->curvature ? problem->n : 0;
  return problem->roles ? problem->d + curvature : ctl_target_count(problem);
}

int ctl_targets_alone(const CtlProblem *problem) {
  if (!problem || !problem->start) return 0;
  return (problem->position_spacing > 0 ? 0 : ctl_target_given(problem->d, problem->position)) +
         (problem->velocity_spacing > 0 ? 0 : ctl_target_given(problem->d, problem->velocity));
}

bool ctl_problem_is_underactuated(const CtlProblem *problem) {
  if (!problem || !problem->start) return false;
  return problem->p < problem->d / (problem->scenarios ? problem->scenarios : 1);
}
