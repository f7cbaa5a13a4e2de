/* Power series of gamma(v_i) along a segment: one row for each friction law; a law without a row is not supported. */
#ifndef SIM_EVENT_LAW_SERIES_H
#define SIM_EVENT_LAW_SERIES_H

#include "sim/event/event.h"
#include "sim/law/friction_table.h"

#include <math.h>

typedef struct LawSeries {
  SimStribeck law;
  double exponent; /* for a law that has one; else 0 */

  /* Returns the coefficient of an order of weight gamma(v_i); lower orders must have been computed before. Keeps
   * segment.square, segment.root. */
  double (*term)(const EventSystem *system, const EventMotion *motion, int i, int order, double weight);
  /* Adds the series of weight gamma'(v_i) over the segment's width to slope [order + 1][d] of dof i, s/m. */
  void (*slope)(const EventSystem *system, const EventMotion *motion, int i, double weight, double *slope);

  /* For a gamma that is piecewise analytic in the speed: number of branches; speed at which a branch other than the
   * first begins, m/s; branch at velocity v. NULL: one branch. */
  long (*branches)(const EventSystem *system);
  double (*branch_begins)(const EventSystem *system, int i, long branch);
  long (*branch_at)(const EventSystem *system, int i, double v);

  /* Lowest speed, relative to epsilon, for which a series made at speed z holds: there the next series begins. Below
   * it, terms that are below rounding error at z, and so missing in the coefficients, are no longer small. 0: down to
   * rest. NULL: any speed. */
  double (*floor)(double z);
  /* Error, relative to the largest gamma, of a series of which all but the first few coefficients may be 0, at the
   * fraction `part` of the segment where v_i is v. NULL: no such series. */
  double (*gap)(const EventSystem *system, const EventMotion *motion, int i, double v, double part);
} LawSeries;

/* For a table: weight slip_i times the powers 0..SIM_TABLE_ORDER of z over the segment's width, [order + 1][d] each.
 * powers + i: first number; `stride`: distance between successive powers. */
void law_table_powers(const EventSystem *system, const EventMotion *motion, int i, double weight, int stride,
                      double *powers);

/* Returns the row of a law; NULL: none. */
const LawSeries *law_series(SimStribeck law, double exponent);

static inline long branches_of(const EventSystem *s) {
  return s->series && s->series->branches ? s->series->branches(s) : 1;
}

/* Branch of dof i at velocity v. */
static inline long branch_of(const EventSystem *s, int i, double v) {
  return s->series && s->series->branch_at ? s->series->branch_at(s, i, v) : 0;
}

/* A branch from a saved state, limited to existing ones. */
static inline long branch_saved(const EventSystem *s, double saved) {
  return saved > 0 ? (long)fmin(saved, (double)(branches_of(s) - 1)) : 0;
}

/* Factor of `term`: beta; 1 for a table, whose numbers include it. */
static inline double law_share(const EventSystem *s, int i) {
  return s->series->law == SIM_STRIBECK_TABLE ? 1 : s->beta[i];
}

#endif
