/* The branches of a gamma that is analytic in pieces of the speed: of the ramp two, up to epsilon and beyond, of a table one a row. Other
 * laws have one. */
#ifndef SIM_EVENT_BRANCH_H
#define SIM_EVENT_BRANCH_H

#include "sim/event/event.h"
#include "sim/law/friction_table.h"

#include <math.h>

static inline long branches_of(const EventSystem *s) {
  return s->law == SIM_STRIBECK_RAMP ? 2 : s->law == SIM_STRIBECK_TABLE ? s->table->points : 1;
}

/* The speed at which a branch but the first begins, m/s. */
static inline double branch_end(const EventSystem *s, int i, long branch) {
  if (s->law == SIM_STRIBECK_RAMP) return s->epsilon[i];
  return friction_curve(s->table, i).rows[branch * SIM_TABLE_ROW + SIM_TABLE_SPEED];
}

/* That of dof i at the velocity v. */
static inline long branch_of(const EventSystem *s, int i, double v) {
  if (s->law == SIM_STRIBECK_RAMP) return fabs(v) > s->epsilon[i];
  if (s->law != SIM_STRIBECK_TABLE) return 0;
  const FrictionCurve curve = friction_curve(s->table, i);
  return friction_curve_row(&curve, fabs(v));
}

/* As saved: one that there is. */
static inline long branch_saved(const EventSystem *s, double saved) {
  return saved > 0 ? (long)fmin(saved, (double)(branches_of(s) - 1)) : 0;
}

/* What gamma_term is to be multiplied with: beta, which a table has in its numbers. */
static inline double branch_share(const EventSystem *s, int i) {
  return s->law == SIM_STRIBECK_TABLE ? 1 : s->beta[i];
}

/* z = (slip v - speed)/width of the table's row that dof i is in, as a series [order + 1]; returns the row's gamma by its powers. */
static inline const double *branch_part(const EventSystem *s, const EventMotion *m, int i, int order, double *z) {
  const FrictionCurve curve = friction_curve(s->table, i);
  int branch = (int)m->at.branch[i];
  const double *row = curve.rows + branch * SIM_TABLE_ROW;
  double width = friction_curve_width(&curve, branch);
  z[0] = (m->at.slip[i] * m->segment.v[i] - row[SIM_TABLE_SPEED]) / width;
  for (int k = 1; k <= order; k++) z[k] = m->at.slip[i] * m->segment.v[k * s->d + i] / width;
  return row + SIM_TABLE_GAMMA;
}

#endif
