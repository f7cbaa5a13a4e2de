/* SPDX-License-Identifier: BSD-2-Clause */
/* Trace of a step with stops (moreau_stops.h), for its derivatives. A step with stops is solved several times, until it
 * is known which stops act. The trace has each solve in which a dof was found to meet a rigid stop, and the last solve,
 * which gives v+. Each solve determines v by
 *
 *   (E + theta^2 dt^2 diag(k)) v = b + dt k (end - x - theta (1-theta) dt v_before),
 *   k != 0 for dofs at an elastic stop with position `end`,
 *   v_i = g_i for held dofs, v_i = 0 for dofs that stick
 *
 * For a dof that meets a stop, s and g of moreau_stops.h are functions of its x and v before the step and of v_f in
 * that solve. */
#ifndef SIM_FRICTION_STOPS_TRACE_H
#define SIM_FRICTION_STOPS_TRACE_H

#include "sim/core/sensitivity.h"

/* Bits of the state of a dof in a solve: the dof sticks; a stop determines the speed of the dof; an elastic stop pushes
 * the dof. */
enum { STOPS_STICKS = 1, STOPS_HELD = 2, STOPS_PRESSED = 4 };

typedef struct StopsMeeting {
  int dof, solve;
  double part[3];           /* derivatives of the contact time s by x, v and v_f */
  double speed[3];          /* derivatives of the rebound velocity g by x, v and v_f */
  double friction;          /* derivative of the rebound velocity g by dt c lambda_f, if the dof sticks in this
                             * solve; else 0 */
  double own[DEPENDENCES];  /* derivatives of the rebound velocity g by c, M_ii, D_ii with x, v, v_f and lambda_f
                             * fixed */
  double by_part, by_speed; /* derivatives of the position x+ after the step by the contact time s and by v+ */
} StopsMeeting;

/* The solves of a step, and the dofs that meet rigid stops in it. branch, v and lambda are [d + 1][d], matters [d + 1],
 * met [d]. */
typedef struct StopsTrace {
  int solves, meetings; /* number of solves, and number of dofs that met a stop; both are 0 if no dof is held or
                         * pushed */
  unsigned char *branch;
  double *v, *lambda;
  bool *matters; /* for each solve: whether v+ and x+ of the step depend on its v */
  StopsMeeting *met;
  bool smooth; /* false if a frictionless dof rests at a stop that exerts no force; otherwise true */
} StopsTrace;

/* Returns the meeting of dof i with a stop; NULL: none. */
static inline const StopsMeeting *stops_trace_meeting(const StopsTrace *trace, int i) {
  for (int k = 0; k < trace->meetings; k++)
    if (trace->met[k].dof == i) return &trace->met[k];
  return NULL;
}

/* Whether a stop holds dof i in the last solve, which must exist. d: number of dofs. */
static inline bool stops_trace_holds(const StopsTrace *trace, int d, int i) {
  return trace->branch[(trace->solves - 1) * d + i] & STOPS_HELD;
}

#endif
