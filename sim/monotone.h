/* Interpolation without oscillations: cubics between samples, monotone where the samples are, with a continuous slope
 * (Fritsch and Butland). */
#ifndef SIM_MONOTONE_H
#define SIM_MONOTONE_H

/* Computes the slopes at n >= 2 samples y[k stride] at ascending t[k stride] into slope[k apart]. An inner slope is the
 * harmonic mean of the slopes of both adjacent chords, weighted by their widths, or 0 if these differ in sign. At an
 * end it is the slope of a parabola, limited to keep the cubic monotone. */
void sim_monotone_slopes(long n, int stride, const double *t, const double *y, int apart, double *slope);

/* Coefficients of Hermite's cubic a + z (c[0] + z (c[1] + z c[2])) for 0 <= z <= 1, from a to b, with the slopes p and
 * q with respect to z. */
static inline void sim_hermite(double a, double b, double p, double q, double c[3]) {
  c[0] = p;
  c[1] = 3 * (b - a) - 2 * p - q;
  c[2] = p + q - 2 * (b - a);
}

#endif
