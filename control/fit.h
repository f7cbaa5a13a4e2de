/* Least squares: parameters p within bounds for which the sum of the squares of residuals r(p) is least, how well they are known
 * then, and which of them cannot be told apart. Knows neither motions nor files: whoever calls has the residuals. */
#ifndef CONTROL_FIT_H
#define CONTROL_FIT_H

#include "sim/sim.h"

SIM_API_BEGIN

typedef struct CtlFit {
  int n;                       /* parameters */
  int m;                       /* residuals, >= 1 */
  const double *lower, *upper; /* [n] finite, lower < upper; borrowed */
  void *context;
  /* r [m] at p [n] and, unless it is NULL, dr/dp [m][n]. False: there is no motion to compare; the point then counts as far off. */
  bool (*evaluate)(void *context, const double *p, double *r, double *jacobian);
} CtlFit;

/* How a run of least squares has ended. */
typedef struct CtlFitEnd {
  double sum;       /* of squares; INFINITY: no point had any */
  long evaluations; /* of residuals; of derivatives as well: the next */
  long derivatives;
} CtlFitEnd;

/* From p [n], moved into the bounds, to the best point that the method of Gauss and Newton comes across, in TAO's trust regions with bounds (bntr), in p again.
 * PETSc must have been started (sim/group.h), and its allocator must give memory that is zero. The same bits whatever has run before.
 * SIM_OK; SIM_NO_MEMORY; SIM_NOT_CONVERGED: TAO failed: p is the best point all the same. */
SimStatus ctl_fit_solve(const CtlFit *fit, double *p, CtlFitEnd *end);

/* What the derivatives at an answer tell of it. Arrays are the caller's. */
typedef struct CtlFitStatistics {
  double deviation;    /* s: sqrt(sum/(data - parameters that are free)); of as many data or fewer 0 */
  int free;            /* parameters that are not at a bound which the sum would fall beyond */
  bool *bound;         /* [n] those that are */
  double *error;       /* [n] standard error; 0 at a bound, INFINITY of what cannot be told */
  double *correlation; /* [n][n]; 0 at bounds, and with what cannot be told */
  int untold;          /* combinations that the data do not tell */
  double *
      combination; /* [untold, at most n][n] each as changes of p, the largest relative one 1; 0 of who has no part in it */
  double
      offset; /* sqrt(d'J'J d/free)/s, d the step of Gauss and Newton (Bates and Watts): how far from the least sum; noise
                  * s below 1e-6 norm(J diag(p)) counts as that */
} CtlFitStatistics;

/* Of r [m] and its derivatives jacobian [m][n] at p [n], of which `data` residuals are measurements. The covariance is
 * s^2 (J'J)^-1. A combination of relative changes of p cannot be told where its standard error is 1 or more, or the
 * singular value of J diag(p) is at most 1e-6 of the largest; p_i = 0 counts as upper - lower. SIM_OK; SIM_NO_MEMORY; SIM_NON_FINITE: LAPACK
 * finds no singular values. */
SimStatus ctl_fit_statistics(const CtlFit *fit, const double *p, const double *r, const double *jacobian, int data,
                             CtlFitStatistics *statistics);

SIM_API_END

#endif
