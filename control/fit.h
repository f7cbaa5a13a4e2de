/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonlinear least squares with bounds: parameters p that minimise the sum of squared residuals r(p), their standard
 * errors, and the combinations of parameters that the data do not determine. It depends neither on motions nor on
 * files; the caller supplies the residuals. */
#ifndef CONTROL_FIT_H
#define CONTROL_FIT_H

#include "sim/internal.h"

typedef struct CtlFit {
  int n;                       /* parameters */
  int m;                       /* number of residuals, >= 1 */
  const double *lower, *upper; /* [n] bounds, finite, lower < upper; borrowed */
  void *context;
  /* Computes r [m] at p [n] and, unless jacobian is NULL, dr/dp [m][n]. Returns false if the residuals do not exist
   * (the motion failed); the point then counts as very bad. */
  bool (*evaluate)(void *context, const double *p, double *r, double *jacobian);
} CtlFit;

/* Result of a fit. */
typedef struct CtlFitEnd {
  double sum;       /* sum of squares; INFINITY if no point had residuals */
  long evaluations; /* number of evaluations of the residuals */
  long derivatives; /* number of these evaluations with derivatives */
} CtlFitEnd;

/* Runs the Gauss-Newton method in TAO's trust regions with bounds (bntr) from p [n], moved into the bounds. Writes
 * the best point to p. PETSc must have been started (sim/ranks.h), and its allocator must return zeroed memory. The
 * bits do not depend on earlier runs. SIM_OK; SIM_NO_MEMORY; SIM_NOT_CONVERGED: TAO failed, p is the best point
 * found. */
SimStatus ctl_fit_solve(const CtlFit *fit, double *p, CtlFitEnd *end);

/* Statistics of a fit, from the derivatives at the answer. The caller owns the arrays. */
typedef struct CtlFitStatistics {
  double deviation;    /* standard deviation s = sqrt(sum/(data - free)); 0 if data <= free */
  int free;            /* number of parameters that are not held at a bound */
  bool *bound;         /* [n] whether a parameter is held at a bound, beyond which the sum would fall */
  double *error;       /* [n] standard error; 0 at a bound, INFINITY if the data do not determine the parameter */
  double *correlation; /* [n][n] correlations; 0 at bounds and for parameters that are not determined */
  int undetermined;    /* number of combinations of parameters that the data do not determine */
  /* [undetermined, at most n][n] each combination as changes of p, scaled to a largest relative change of 1; 0: the
   * parameter is not involved */
  double *combination;
  /* Distance from the minimum, relative to the noise in the data: sqrt(d'J'J d/free)/s with the Gauss-Newton step d and
   * the derivatives J of the residuals (Bates and Watts). s is at least 1e-6 norm(J diag(p)). */
  double offset;
} CtlFitStatistics;

/* Computes the statistics from r [m] and jacobian [m][n] at p [n], of which `data` residuals are measurements. The
 * covariance is s^2 (J'J)^-1. A combination of relative changes of p is not determined if its standard error is 1 or
 * more, or if the singular value of J diag(p) is at most 1e-6 of the largest. For p_i = 0, upper - lower replaces
 * p_i. SIM_OK; SIM_NO_MEMORY; SIM_NON_FINITE: LAPACK finds no singular values. */
SimStatus ctl_fit_statistics(const CtlFit *fit, const double *p, const double *r, const double *jacobian, int data,
                             CtlFitStatistics *statistics);

/* Computes by how much the fitted p [n] would change, to first order, if `change` [m] were added to the residuals r [m]
 * with the derivatives jacobian [m][n]: shift = -(J'J)^-1 J' change. Parameters at a bound and combinations that the
 * data do not determine, by the `statistics` of this fit, do not change. SIM_OK; SIM_NO_MEMORY; SIM_NON_FINITE: LAPACK
 * finds no singular values, or a number is not finite. */
SimStatus ctl_fit_shift(const CtlFit *fit, const double *p, const double *r, const double *jacobian,
                        const double *change, const CtlFitStatistics *statistics, double *shift);

#endif
