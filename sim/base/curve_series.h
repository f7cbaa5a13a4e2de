/* SPDX-License-Identifier: BSD-2-Clause */
/* Taylor series of a force f(e(s)) while the elongation e moves along a path e(s) and stays in one piece of the curve
 * f. Both f and e are polynomials. Coefficient k of f(e(s)) needs only the coefficients up to k of e(s), so e may in
 * turn depend on f. */
#ifndef SIM_BASE_CURVE_SERIES_H
#define SIM_BASE_CURVE_SERIES_H

#include "sim/base/curve.h"
#include "sim/base/polynomial.h"

#include <string.h>

enum { CURVE_TERMS = SIM_PIECE_ORDER + 1 };

/* Expands the piece of one column about the elongation e(0), in powers of z = (e - e(0))/width: coefficients about
 * [CURVE_TERMS]. */
static inline void curve_about(Curve curve, const double *row, int column, double e, double *about) {
  const double *c = curve_coefficients(row, curve.columns) + (curve.columns == 1 ? 0 : column);
  int last = (int)row[2];
  memset(about, 0, CURVE_TERMS * sizeof *about);
  for (int j = 0; j <= last; j++) about[j] = c[j * curve.columns];
  polynomial_part(last, 1, about, curve_part(row, e), 1);
}

/* Returns coefficient `order` of f(e(s)); e(s) must be known up to this order. powers [CURVE_TERMS][stride]:
 * coefficients by powers of s of z, z^2, .., with z as in curve_about. Their lower orders must be known; this function
 * adds the coefficients of this order. */
static inline double curve_term(const double *row, const double *about, int order, double e, int stride,
                                double *powers) {
  double *z = powers + stride, sum = 0;
  int last = (int)row[2];
  powers[order] = order == 0;
  if (order == 0) {
    for (int j = 1; j <= last; j++) powers[j * stride] = 0;
    return about[0];
  }
  z[order] = e / row[1];
  for (int j = 2; j <= last; j++) {
    double *own = powers + j * stride, *below = own - stride;
    own[order] = 0;
    for (int q = 1; q <= order - j + 1; q++) own[order] += z[q] * below[order - q];
  }
  for (int j = last; j >= 1; j--) sum += about[j] * powers[j * stride + order];
  return sum;
}

/* Returns coefficient `order` of the slope f'(e(s)). */
static inline double curve_slope_term(const double *row, const double *about, int order, int stride,
                                      const double *powers) {
  double sum = 0;
  for (int j = 1; j <= (int)row[2]; j++) sum += j * about[j] * powers[(j - 1) * stride + order] / row[1];
  return sum;
}

#endif
