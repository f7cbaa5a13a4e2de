/* gamma(v_i) of each friction law along a segment, as a power series: a row a law, and no law without one. */
#ifndef SIM_EVENT_LAW_SERIES_H
#define SIM_EVENT_LAW_SERIES_H

#include "sim/event/event.h"
#include "sim/law/friction_table.h"

#include <math.h>

typedef struct LawSeries {
  SimStribeck law;
  double exponent; /* of a law that takes one; else 0 */

  /* The coefficient of an order of weight gamma(v_i): those below have been asked for. Keeps segment.square, segment.root. */
  double (*term)(const EventSystem *system, const EventMotion *motion, int i, int order, double weight);
  /* slope [order + 1][d] of dof i += weight gamma'(v_i), over the segment's width, in s/m. */
  void (*slope)(const EventSystem *system, const EventMotion *motion, int i, double weight, double *slope);

  /* A gamma that is analytic in pieces of the speed: how many branches it has, at which speed a branch but the first begins, m/s, and
   * the branch at the velocity v. NULL: it has one. */
  long (*branches)(const EventSystem *system);
  double (*branch_begins)(const EventSystem *system, int i, long branch);
  long (*branch_at)(const EventSystem *system, int i, double v);

  /* Down to which speed a series holds that is made at the speed z, both over epsilon: what is below round-off at z, and so in all
   * coefficients, has become so large there that the next series begins. 0: to rest. NULL: at any speed. */
  double (*floor)(double z);
  /* What a series of which all but the first few coefficients may vanish differs by from what it stands for, over gamma's
   * largest, where `part` of the segment has passed, in which v_i is v. NULL: none is such. */
  double (*gap)(const EventSystem *system, const EventMotion *motion, int i, double v, double part);
} LawSeries;

/* Of a table: weight slip_i times the powers of z, 0..SIM_TABLE_ORDER, over the segment's width: at powers + i, `stride` numbers from one to the
 * next, [order + 1][d] each. */
void law_table_powers(const EventSystem *system, const EventMotion *motion, int i, double weight, int stride,
                      double *powers);

/* NULL: there is none. */
const LawSeries *law_series(SimStribeck law, double exponent);

static inline long branches_of(const EventSystem *s) {
  return s->series && s->series->branches ? s->series->branches(s) : 1;
}

/* Of dof i at the velocity v. */
static inline long branch_of(const EventSystem *s, int i, double v) {
  return s->series && s->series->branch_at ? s->series->branch_at(s, i, v) : 0;
}

/* As saved: one that there is. */
static inline long branch_saved(const EventSystem *s, double saved) {
  return saved > 0 ? (long)fmin(saved, (double)(branches_of(s) - 1)) : 0;
}

/* What `term` is to be multiplied with: beta, which a table has in its numbers. */
static inline double law_share(const EventSystem *s, int i) {
  return s->series->law == SIM_STRIBECK_TABLE ? 1 : s->beta[i];
}

#endif
