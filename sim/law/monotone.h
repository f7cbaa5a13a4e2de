/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives of the interpolation of sim/monotone.h. */
#ifndef SIM_LAW_MONOTONE_H
#define SIM_LAW_MONOTONE_H

/* Computes the derivatives of slope i of sim_monotone_slopes by the samples y: by[k] is the derivative by sample
 * `first` + k. Returns `first`. They are 0 if the slope has been limited to 0. */
long monotone_slope_partials(long n, int stride, const double *t, const double *y, long i, double by[3]);

#endif
