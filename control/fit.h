/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonlinear least squares with bounds: parameters p that minimise the sum of squared residuals r(p), their standard
 * errors, and the combinations of parameters that the data do not determine. It depends neither on motions nor on
 * files; the caller supplies the residuals. */
#ifndef CONTROL_FIT_H
#define CONTROL_FIT_H

#include "sim/internal.h"

typedef struct CtlFit {
  int n;                       /* number of parameters */
  int m;                       /* number of residuals, >= 1 */
  const double *lower, *upper; /* [n] bounds, finite, lower < upper; borrowed */
  void *context;
  /* Computes the residuals r [m] at the parameters p [n] and, unless jacobian is NULL, dr/dp [m][n]. Returns false if
   * the residuals do not exist, because the motion failed; the point then counts as very bad. */
  bool (*evaluate)(void *context, const double *p, double *r, double *jacobian);
} CtlFit;

/* Result of a fit. */
typedef struct CtlFitEnd {
  double sum;       /* sum of squared residuals; INFINITY if the residuals exist at no point */
  long evaluations; /* number of evaluations of the residuals */
  long derivatives; /* number of these evaluations that included derivatives */
} CtlFitEnd;

/* Runs the Gauss-Newton method in trust regions with bounds of PETSc's TAO (bntr) from p [n], which is first moved into
 * the bounds. Writes the best point to p. PETSc must have been started (sim/ranks.h), and its allocator must return
 * zeroed memory. The bits of the result do not depend on earlier runs. Returns SIM_OK, SIM_NO_MEMORY, or
 * SIM_NOT_CONVERGED: TAO failed, and p is the best point found. */
SimStatus ctl_fit_solve(const CtlFit *fit, double *p, CtlFitEnd *end);

/* Statistics of a fit, from the derivatives at the fitted parameters. The caller owns the arrays. */
typedef struct CtlFitStatistics {
  double deviation;    /* standard deviation of the data, s = sqrt(sum/(data - free)), with the number `data` of
                        * measurements; 0 if data <= free */
  int free;            /* number of parameters that are not held at a bound */
  bool *bound;         /* [n] whether a parameter is held at a bound, beyond which the sum would fall */
  double *error;       /* [n] standard error of each parameter; 0 at a bound, INFINITY if the data do not determine the
                        * parameter */
  double *correlation; /* [n][n] correlations of the parameters; 0 at bounds and for parameters that are not
                        * determined */
  int undetermined;    /* number of combinations of parameters that the data do not determine */
  /* [undetermined, at most n][n] each such combination as changes of p, scaled so that the largest relative change is
   * 1; 0: the parameter is not involved */
  double *combination;
  /* Distance from the minimum, relative to the noise in the data: sqrt(d'J'J d/free)/s with the Gauss-Newton step d and
   * the derivatives J of the residuals (Bates and Watts). s is the standard deviation, but at least 1e-6 norm(J
   * diag(p)). */
  double offset;
} CtlFitStatistics;

/* Computes the statistics from the residuals r [m] and jacobian J [m][n] at p [n]. The first `data` residuals are
 * measurements. The covariance is s^2 (J'J)^-1 with the standard deviation s. A combination of relative changes of p is
 * not determined if its standard error is 1 or more, or if the singular value of J diag(p) is at most 1e-6 of the
 * largest. For p_i = 0, upper - lower replaces p_i. Returns SIM_OK, SIM_NO_MEMORY, or SIM_NON_FINITE if LAPACK finds no
 * singular values. */
SimStatus ctl_fit_statistics(const CtlFit *fit, const double *p, const double *r, const double *jacobian, int data,
                             CtlFitStatistics *statistics);

/* Computes by how much the fitted p [n] would change, to first order, if `change` [m] were added to the residuals r [m]
 * with the derivatives J = jacobian [m][n]: shift = -(J'J)^-1 J' change. Parameters at a bound do not change, nor do
 * combinations that the data do not determine, according to the `statistics` of this fit. Returns SIM_OK,
 * SIM_NO_MEMORY, or SIM_NON_FINITE if LAPACK finds no singular values or a number is not finite. */
SimStatus ctl_fit_shift(const CtlFit *fit, const double *p, const double *r, const double *jacobian,
                        const double *change, const CtlFitStatistics *statistics, double *shift);

#endif
