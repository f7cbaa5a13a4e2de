/* SPDX-License-Identifier: BSD-2-Clause */
/* Data of a mechanism's motion by the scheme `event`, in addition to EventMotion (sim/event/event.h). Its EventSystem
 * belongs to the motion, as M(q) and c(q, q', t) change from segment to segment. */
#ifndef SIM_MECHANISM_MOTION_H
#define SIM_MECHANISM_MOTION_H

#include "sim/core/kind.h"
#include "sim/event/field.h"
#include "sim/graph/formula.h"
#include "sim/mechanism/reach.h"
#include "sim/mechanism/sides.h"

typedef struct MechanismMotion {
  /* Taylor series of r - Q - f and of the thresholds c, also at rest. The further outputs are Q [d] and the power. The
   * forces of the expansion are f + B u, [d]. */
  Expansion *expansion;
  GraphFormula *energies; /* formula of the energy E, and of the sum of the magnitudes of its terms */
  GraphFormula *sizes;    /* formula of the sums [d] of the magnitudes of the terms of r - Q, with accelerations 0 */
  GraphFormula *loads;    /* formula of r - Q [d], c [d], and the thresholds at rest [2][d] */
  double *given;          /* variables of these formulas, q, q', q'', t; in one memory block with the next arrays */
  double *measured;       /* [4 d + 2] values of one of these formulas */
  double *friction;       /* [d] friction thresholds of the event system: c at the last evaluated time, at least DBL_MIN
                           * if the coordinate has friction, else 0 */
  double *slips;          /* [d] directions of slip, 1, -1 or 0 */
  double *forces;         /* [POLYNOMIAL_ORDER + 1][d] scratch for series of forces */
  double *turn; /* [n_kinks] fraction of the segment at which a kink's switching function changes its sign; > 1: not in
                 * the segment */
  bool *turned; /* [n_kinks] whether the kink's function changed its sign at the start of the segment */
  int n_kinks;
  int *rides; /* [rows of the tape] i if the row is a multiple of the velocity of coordinate i, so that it is 0 at rest;
               * else -1 (sides.h) */
  MechanismReach reach;           /* context of the expansion's question whether its orders suffice */
  struct MechanismLanes *lanes;   /* motions beside this one, in batches (batch.h); NULL: none so far; owned */
  struct MechanismMap *map;       /* derivatives over a piece of the segment; NULL until they are needed */
  struct MechanismRecord *record; /* record for adjoint derivatives; NULL: none; borrowed */
  bool failed;                    /* whether M was not positive definite, or a number was not finite, when sticking and
                                   * sliding was decided */
} MechanismMotion;

enum { ENERGY_VALUE, ENERGY_SIZE, ENERGIES }; /* positions of the values of the formula `energies` */

/* Compiles a problem's equations. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM, with the reason in *why, if there
 * are no equations or they have no Taylor series. */
SimStatus mechanism_motion_create(const SimProblem *problem, MechanismMotion **motion, const char **why);
void mechanism_motion_destroy(MechanismMotion *motion); /* may be NULL */

/* Computes order 0 of the series at time t, without forces and accelerations: M in expansion->mass, r and c. look: see
 * graph_series_begin. Returns false if M is not positive definite, or a number is not finite. */
bool mechanism_motion_at(const SimProblem *problem, MechanismMotion *motion, double t, const double *q, const double *v,
                         bool look);
/* Computes Taylor coefficient k of the load and of the threshold of coordinate i at rest, in N. If the thresholds
 * differ by direction, *threshold is their mean, and half their difference is subtracted from the load. */
static inline void mechanism_motion_rest(const MechanismMotion *motion, int i, int k, double *load, double *threshold) {
  const Expansion *expansion = motion->expansion;
  int side = expansion->sides + i;
  double above = expansion_output(expansion, side, k), below = expansion_output(expansion, side + expansion->d, k);
  *load = -expansion_output(expansion, i, k) - (above - below) / 2;
  *threshold = (above + below) / 2;
}
/* Returns the coordinate with friction of which the velocity is proportional to a kink's switching function, so that
 * the kink changes when the coordinate reverses; -1 if there is none. */
static inline int mechanism_motion_rider(const EventSystem *system, const MechanismMotion *motion, int kink) {
  int i = motion->rides[motion->expansion->tape->kink_row[kink]];
  return i >= 0 && system->friction[i] > 0 ? i : -1;
}
/* Computes motion->measured, the values of one of the motion's formulas, with accelerations 0. */
void mechanism_motion_measure(const SimProblem *problem, MechanismMotion *motion, GraphFormula *formula, double t,
                              const double *q, const double *v);

/* Creates another expansion of the equations, for derivatives. parameters: whether parameters are variables in it, for
 * derivatives by them. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus mechanism_motion_vary(const SimProblem *problem, bool parameters, Expansion **expansion);

/* mechanism_motion_drives returns whether a threshold is negative at the start of the segment by more than the error of
 * the motion. Friction would then accelerate the motion instead of resisting it. mechanism_motion_drives_from returns
 * the first fraction of the segment before `limit` where a threshold is so far below 0 that the motion must end there,
 * or `limit` if there is none. */
bool mechanism_motion_drives(const EventSystem *system, const EventSegment *segment);
double mechanism_motion_drives_from(const EventSystem *system, const EventSegment *segment, double limit);

/* Prepares the expansion for the series of a segment that begins, and starts it (expansion_start). The field does so
 * itself if this has not been called. */
void mechanism_motion_prepare(const EventSystem *system, EventMotion *motion);

/* Computes the series of the current segment about its fraction `part`, with the motion's expansion or another one of
 * the same equations with the kinks' signs set. Returns SIM_OK or SIM_NON_FINITE. */
SimStatus mechanism_motion_expand(const EventSystem *system, EventMotion *motion, Expansion *expansion, double part);
/* Sets the kinks' signs of an expansion to those that hold within the segment, at its fraction `part`. */
void mechanism_motion_look(const EventSystem *system, EventMotion *motion, Expansion *expansion, double part);

extern const EventField mechanism_field;

#endif
