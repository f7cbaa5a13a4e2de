/* SPDX-License-Identifier: BSD-2-Clause */
/* Interpolation without oscillations: piecewise cubics that are monotone wherever the samples are, with a continuous
 * slope (Fritsch and Butland). */
#ifndef SIM_MONOTONE_H
#define SIM_MONOTONE_H

/* Computes the slopes slope[k apart] at n >= 2 samples y[k stride] for ascending t[k stride]. A slope between two
 * intervals is the harmonic mean of the slopes of their chords, weighted by their widths, or 0 if these slopes differ
 * in sign. At an end it is the slope of a parabola, limited so that the cubic is monotone. */
void sim_monotone_slopes(long n, int stride, const double *t, const double *y, int apart, double *slope);

/* Computes the coefficients c of Hermite's cubic a + z (c[0] + z (c[1] + z c[2])), 0 <= z <= 1, with the values a and b
 * and the slopes p and q (derivatives by z) at z = 0 and z = 1. */
static inline void sim_hermite(double a, double b, double p, double q, double c[3]) {
  c[0] = p;
  c[1] = 3 * (b - a) - 2 * p - q;
  c[2] = p + q - 2 * (b - a);
}

#endif
