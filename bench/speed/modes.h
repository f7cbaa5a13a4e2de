/* SPDX-License-Identifier: BSD-2-Clause */
/* A mechanism's motion by an integrator of smooth equations: between events each coordinate either slides in one
 * direction or sticks. The equations are those of the program's own graph, with the entries of M as nodes of it. */
#ifndef BENCH_MODES_H
#define BENCH_MODES_H

#include "sim/graph/formula.h"
#include "sim/internal.h"

enum { MODES_D = 6, MODES_N = 2 * MODES_D };

typedef struct Modes {
  const SimProblem *problem;
  const double *control; /* [segments][p], piecewise constant */
  int d, segment;
  GraphFormula *formula;                      /* r - Q with accelerations 0 [d], c [d], lower triangle of M */
  double given[3 * MODES_D + 1];              /* q, q', q'', t */
  double values[MODES_D * (MODES_D + 5) / 2]; /* of the formula */
  double force[MODES_D];                      /* B u in this segment, N or N m */
  signed char slip[MODES_D];                  /* direction of each coordinate that slides; 0: it sticks */
  bool begins[MODES_D];                       /* whether it slides since the last event, from rest */
  double held[MODES_D];      /* load that friction must balance where a coordinate sticks, by the last evaluation */
  double threshold[MODES_D]; /* c, by the last evaluation */
  double mass[MODES_D][MODES_D], factor[MODES_D][MODES_D];
  long evaluations, events;
} Modes;

/* Compiles the equations of a problem, which is borrowed. All its coordinates must have friction, or slide for ever.
 * Returns false without memory. */
bool modes_create(const SimProblem *problem, Modes *modes);
void modes_clear(Modes *modes);

/* Begins a motion: y [2 d] is set to q, q' at t = 0. */
void modes_begin(Modes *modes, double *y);
/* Begins a segment of the control, and decides the coordinates at rest. */
void modes_enter(Modes *modes, int segment, double t, double *y);

/* Computes the rates [2 d] of y = q, q', and held and threshold. */
void modes_rates(Modes *modes, double t, const double *y, double *rates);

/* Whether a coordinate can stick. */
static inline bool modes_rubs(const Modes *modes, int i) { return modes->problem->friction[i] > 0; }
/* Returns a function that changes its sign where coordinate i comes to rest, or where its friction exceeds the
 * threshold in the direction `way`, 1 or -1. y must be that of the last evaluation unless the coordinate slides. */
static inline double modes_room(const Modes *modes, int i, int way, const double *y) {
  return modes->slip[i] ? modes->slip[i] * y[modes->d + i] : modes->threshold[i] - way * modes->held[i];
}
/* Returns the direction in which the load of the last evaluation would move coordinate i, which sticks. */
static inline int modes_way(const Modes *modes, int i) { return modes->held[i] > 0 ? 1 : -1; }

/* Changes the mode at an event of coordinate i: it comes to rest, or begins to slide towards `way`. */
void modes_pass(Modes *modes, int i, int way, double t, double *y);

#endif
