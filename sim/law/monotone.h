/* Derivatives of the interpolation of sim/monotone.h. */
#ifndef SIM_LAW_MONOTONE_H
#define SIM_LAW_MONOTONE_H

/* How slope i of sim_monotone_slopes rises with y: by[k] with the sample `first` + k, `first` is returned; 0 where the slope is held at a
 * bound. */
long monotone_slope_partials(long n, int stride, const double *t, const double *y, long i, double by[3]);

#endif
