/* Power series of gamma(v_i) along a motion in which v_i is a polynomial of s in 0..1: one row for each friction law; a
 * law without a row has no series. */
#ifndef SIM_LAW_FRICTION_SERIES_H
#define SIM_LAW_FRICTION_SERIES_H

#include "sim/law/friction_table.h"

/* The motion of d dofs, along which gamma is expanded; borrowed. Series are [order + 1][d] as in
 * sim/base/polynomial.h. */
typedef struct FrictionPath {
  int d;
  const double *v;       /* series of v, m/s */
  double *square, *root; /* intermediate series of the law, which `term` writes and reads */
  const signed char *slip;
  const long *branch;
  const double *epsilon;         /* [d] m/s */
  const SimFrictionTable *table; /* friction table, for a measured law */
} FrictionPath;

typedef struct FrictionSeries {
  SimStribeck law;
  double exponent; /* exponent of the law, if it has one; else 0 */

  /* Returns the coefficient of an order of weight gamma(v_i); lower orders must have been computed before. Writes
   * coefficient `order` of path->square and path->root. */
  double (*term)(const FrictionPath *path, int i, int order, double weight);
  /* Adds the series of weight gamma'(v_i), s/m for weight 1, to entries i of slope [order + 1][d]. All terms must have
   * been computed. */
  void (*slope)(const FrictionPath *path, int i, int order, double weight, double *slope);

  /* For a gamma that is piecewise analytic in the speed: number of branches; speed at which a branch other than the
   * first begins, m/s; branch at velocity v. NULL: one branch. */
  long (*branches)(const SimFrictionTable *table);
  double (*branch_begins)(double epsilon, FrictionCurve curve, long branch);
  long (*branch_at)(double epsilon, FrictionCurve curve, double v);

  /* Lowest speed, relative to epsilon, for which a series made at speed z holds: at this speed the next series begins.
   * At lower speeds, terms that are below rounding error at z, and therefore missing in the coefficients, are no longer
   * small. 0: the series holds down to rest. NULL: it holds at any speed. */
  double (*floor)(double z);
  /* Error of a series, relative to the largest gamma, at the fraction `part` of the path, where v_i is v. It is needed
   * where all but the first few coefficients of a series may be 0. NULL: the law has no such series. */
  double (*gap)(const FrictionPath *path, int i, int order, double v, double part);
} FrictionSeries;

/* For a table: computes weight slip_i times the powers 0..SIM_TABLE_ORDER of z as series, [order + 1][d] each. All
 * terms must have been computed before. powers + i: first number; `stride`: number of doubles between successive
 * powers. */
void friction_series_powers(const FrictionPath *path, int i, int order, double weight, int stride, double *powers);

/* Speed above which a law has reached its limit, m/s: to rounding, or to 1e-9. Also for laws without a row. */
double friction_series_end(SimStribeck law, double exponent, double epsilon);

/* Returns the row of a law; NULL: none. */
const FrictionSeries *friction_series(SimStribeck law, double exponent);

#endif
