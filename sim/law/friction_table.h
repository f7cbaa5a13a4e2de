/* SPDX-License-Identifier: BSD-2-Clause */
/* Measured friction (SimFrictionTable): computes gamma, the relative decrease of friction with speed, and its slope
 * from piecewise cubic polynomials, one row for each piece. */
#ifndef SIM_FRICTION_TABLE_H
#define SIM_FRICTION_TABLE_H

#include "sim/internal.h"

#include <stdbool.h>

/* The table of one dof; borrowed. */
typedef struct FrictionCurve {
  const double *rows; /* [points][SIM_TABLE_ROW], rows of SimFrictionTable */
  int points;
} FrictionCurve;

static inline FrictionCurve friction_curve(const SimFrictionTable *table, int i) {
  long column = table->columns == 1 ? 0 : i;
  return (FrictionCurve){table->rows + column * table->points * SIM_TABLE_ROW, table->points};
}

/* friction_curve_row returns the index of the row that contains the speed r >= 0. friction_curve_width returns the
 * width of a row, in m/s; INFINITY for the last one. */
int friction_curve_row(const FrictionCurve *curve, double r);
double friction_curve_width(const FrictionCurve *curve, int row);

/* friction_curve_gamma returns gamma(s) at the velocity s, friction_curve_slope its derivative gamma'(s), s/m; at a
 * kink the derivative from the left. */
double friction_curve_gamma(const void *curve, double s);
double friction_curve_slope(const FrictionCurve *curve, double s);

/* Derivative of gamma(s) by one of the friction forces F of the table. */
typedef struct FrictionPartial {
  int point;
  double gamma; /* derivative of gamma, 1/N */
} FrictionPartial;
/* maximum number of derivatives of gamma(s) that are not 0 */
enum { FRICTION_PARTIALS = 5 };
/* Computes the derivatives of gamma(s) by the friction F at each of the table's points, in parts. The derivatives by
 * points that are not in `parts` are 0. Returns the number of parts. If neighbouring F are equal, or a slope of the
 * curve is at its bound, that slope is held fixed. */
int friction_curve_partials(const FrictionCurve *curve, double s, FrictionPartial parts[FRICTION_PARTIALS]);
/* Derivatives by the friction F at one point, for all speeds of a row: coefficients of the powers of z as in
 * SIM_TABLE_GAMMA, 1/N. A point may occur twice; then both derivatives are added. */
typedef struct FrictionRowPartial {
  int point;
  double gamma[SIM_TABLE_ORDER + 1];
} FrictionRowPartial;
int friction_row_partials(const FrictionCurve *curve, int row, FrictionRowPartial parts[FRICTION_PARTIALS]);
/* Returns the index of the first point of a dof's curve in the table. */
static inline int friction_curve_first(const SimFrictionTable *table, int i) {
  return table->columns == 1 ? 0 : i * table->points;
}

/* Frees the friction table of a system, so that its friction no longer decreases with speed. */
void friction_table_drop(SimSystem *system);

/* Returns the largest |gamma'| of a table, s/m. */
double friction_table_steepest(const SimFrictionTable *table, int i);
/* Whether friction decreases with speed anywhere (gamma' > 0), also between two points, as is possible for a
 * user-defined law. */
bool friction_table_falls(const SimFrictionTable *table, int i);

#endif
