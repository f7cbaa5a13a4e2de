/* SPDX-License-Identifier: BSD-2-Clause */
/* The jump of derivatives at an event of a mechanism that makes velocities or accelerations jump: an impact on a
 * rigid stop, or a kink of an expression (abs, ?:) where forces jump. With g = 0 at the event, and - and + before
 * and after it, a column of derivatives X_q, X_v by a number z changes to (Aizerman and Gantmacher's saltation)
 *
 *     later = -(dg/dq X_q + dg/dv X_v + dg/dt t_z + dg/dz)/g'-,          the shift of the event's time
 *     X_q+ = X_q + (v- - v+) later,
 *     X_v+ = J (X_v + a- later) + W (X_q + v- later, z, t_z + later) - a+ later
 *
 * t_z is the derivative of the time at which the column is differentiated. v+ = J v- is the map of an impact
 * (impact.h), J = 1 at a kink. W follows from M_F (v+ - v-) = 0 in the rows F of coordinates that no stop holds:
 *
 *     (M_FF W)_F = -d[M(q, t, z) (v+ - v-)]_F,        which is 0 at a kink */
#ifndef SIM_MECHANISM_JUMP_H
#define SIM_MECHANISM_JUMP_H

#include "sim/event/event.h"
#include "sim/mechanism/columns.h"

typedef struct MechanismJump {
  int d, n;             /* d: number of coordinates; n = 2 d + constants + 1 columns: derivatives by q, v, the constants
                         * and the time */
  Expansion *expansion; /* own copy of the equations, as the Taylor series of the motion must be kept */
  bool same_kinks; /* whether the kinks of this copy have the same numbers as the motion's; if not, jumps at kinks have
                    * no derivatives */
  ExpansionColumns *columns;
  double *state;                   /* [2 d][n] derivatives of q+ and v+ by q-, v-, constants and time */
  double *later;                   /* [n] derivatives of the event's time */
  double *load, *threshold, *rate; /* [d][n] results of expansion_columns_along */
  double *own, *change, *none;     /* scratch: [n] `later` of another kink; [d] v+ - v-, or a column; [d] zeros */
} MechanismJump;

/* Creates a jump. motion: the equations of the motion; parameters: whether derivatives by parameters are needed.
 * Returns SIM_OK or SIM_NO_MEMORY; destroy the jump in each case. */
SimStatus mechanism_jump_create(const SimProblem *problem, const Expansion *motion, bool parameters,
                                MechanismJump **jump);
void mechanism_jump_destroy(MechanismJump *jump); /* may be NULL */

/* Computes jump->state and jump->later of the event at the start of the current segment. before: [d] accelerations
 * before the event; stops: whether friction brought a coordinate to rest at the event, which is not a jump of this
 * kind. Returns whether derivatives jump. Sets *smooth to false if they do not exist. */
bool mechanism_jump_find(MechanismJump *jump, const EventSystem *system, EventMotion *motion, const double *before,
                         bool stops, bool *smooth);

#endif
