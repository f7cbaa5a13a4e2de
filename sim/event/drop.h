/* SPDX-License-Identifier: BSD-2-Clause */
/* The drop gamma of friction with speed, for the scheme event: applies the series of sim/law/friction_series.h to the
 * dofs of a motion. */
#ifndef SIM_EVENT_DROP_H
#define SIM_EVENT_DROP_H

#include "sim/event/event.h"

#include <math.h>

/* Returns the friction table of dof i; empty if its law is not a table. */
static inline FrictionCurve drop_curve(const EventSystem *s, int i) {
  return s->series->law == SIM_STRIBECK_TABLE ? friction_curve(s->table, i) : (FrictionCurve){0};
}

static inline long branches_of(const EventSystem *s) {
  return s->series && s->series->branches ? s->series->branches(s->table) : 1;
}

/* Returns the branch of the friction law, an interval of speeds with one formula, that contains the velocity v of dof
 * i. */
static inline long branch_of(const EventSystem *s, int i, double v) {
  return s->series && s->series->branch_at ? s->series->branch_at(s->epsilon[i], drop_curve(s, i), v) : 0;
}

/* Returns the speed at which branch number `branch` > 0 begins, in m/s. */
static inline double branch_begins(const EventSystem *s, int i, long branch) {
  return s->series->branch_begins(s->epsilon[i], drop_curve(s, i), branch);
}

/* Converts a branch number from a saved state, and limits it to the branches that exist. */
static inline long branch_saved(const EventSystem *s, double saved) {
  return saved > 0 ? (long)fmin(saved, (double)(branches_of(s) - 1)) : 0;
}

/* Returns the factor of the friction law's series: beta_i, the relative decrease of friction with speed; 1 for a
 * friction table, since its entries include beta. */
static inline double law_share(const EventSystem *s, int i) {
  return s->series->law == SIM_STRIBECK_TABLE ? 1 : s->beta[i];
}

/* Sets motion->segment.path, the pointers by which the law's series access the segment. Call it again when the system's
 * d or one of these arrays changes. */
static inline void drop_bind(const EventSystem *s, EventMotion *m) {
  EventSegment *g = &m->segment;
  g->path = (FrictionPath){.d = s->d,
                           .v = g->v,
                           .square = g->square,
                           .root = g->root,
                           .slip = m->at.slip,
                           .branch = m->at.branch,
                           .epsilon = s->epsilon,
                           .table = s->table};
}

#endif
