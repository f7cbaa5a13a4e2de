/* SPDX-License-Identifier: BSD-2-Clause */
/* Power series of gamma(v_i), the relative decrease of friction with speed, along a motion in which v_i is a polynomial
 * of s in 0..1. Each friction law that has such a series has one FrictionSeries. */
#ifndef SIM_LAW_FRICTION_SERIES_H
#define SIM_LAW_FRICTION_SERIES_H

#include "sim/law/friction_table.h"

/* The motion of d dofs, along which gamma is expanded; borrowed. Series are [order + 1][d] as in
 * sim/base/polynomial.h. */
typedef struct FrictionPath {
  int d;
  const double *v;       /* series of v, in m/s */
  double *square, *root; /* intermediate series of the law, which `term` writes and reads */
  const signed char *slip;
  const long *branch;
  const double *epsilon;         /* [d] parameter epsilon of the law of gamma, in m/s */
  const SimFrictionTable *table; /* friction table, for a measured law */
} FrictionPath;

typedef struct FrictionSeries {
  SimStribeck law;
  double exponent; /* exponent of the law; 0: the law has none */

  /* Returns coefficient `order` of weight gamma(v_i). The lower orders must have been computed before. Writes
   * coefficient `order` of path->square and path->root. */
  double (*term)(const FrictionPath *path, int i, int order, double weight);
  /* Adds the series of weight gamma'(v_i), s/m for weight 1, to column i of slope [order + 1][d]. The function `term`
   * must have computed all orders before. */
  void (*slope)(const FrictionPath *path, int i, int order, double weight, double *slope);

  /* For a gamma with different formulas in several ranges of speed (branches). branches returns their number,
   * branch_begins the speed at which a branch other than the first begins, in m/s, and branch_at the branch at velocity
   * v. NULL: there is one branch. */
  long (*branches)(const SimFrictionTable *table);
  double (*branch_begins)(double epsilon, FrictionCurve curve, long branch);
  long (*branch_at)(double epsilon, FrictionCurve curve, double v);

  /* Returns the lowest speed, relative to epsilon, down to which a series about the speed z may be used. At this speed
   * a new series begins. At lower speeds, terms would matter that are below rounding error at z and therefore missing
   * in the coefficients. 0: the series is valid down to rest. NULL: it is valid at any speed. */
  double (*floor)(double z);
  /* Returns the error of a series, relative to the largest gamma, at the fraction `part` of the path, where v_i is v.
   * It is needed for laws with series that may have many zero coefficients and then others, so that the coefficients do
   * not show where the series may end. NULL: the law has no such series. */
  double (*gap)(const FrictionPath *path, int i, int order, double v, double part);
} FrictionSeries;

/* For a table: computes weight slip_i times the powers 0..SIM_TABLE_ORDER of z as series, [order + 1][d] each. The
 * function `term` must have computed all orders before. powers + i: first number; `stride`: number of doubles between
 * successive powers. */
void friction_series_powers(const FrictionPath *path, int i, int order, double weight, int stride, double *powers);

/* Returns the speed above which a law has reached its limit, in m/s: to rounding error, or to 1e-9. It includes laws
 * without a FrictionSeries. */
double friction_series_end(SimStribeck law, double exponent, double epsilon);

/* Returns the series of a law; NULL: it has none. */
const FrictionSeries *friction_series(SimStribeck law, double exponent);

#endif
