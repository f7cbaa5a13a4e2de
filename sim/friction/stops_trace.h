/* How a step with stops (moreau_stops.h) came about, for its derivatives. Its solves in turn are those at which somebody was found to
 * meet a rigid end, and the last one, whose v is v+. In each
 *
 *     (E + theta^2 dt^2 diag(k)) v = b + dt k (end - x - theta (1-theta) dt v_before) of who is pressed to an elastic end,
 *     v_i = g_i of who is held,    v_i = 0 of who sticks
 *
 * and of who meets an end in it, s and g of moreau_stops.h are functions of its x and v before the step and v_f of that solve. */
#ifndef SIM_FRICTION_STOPS_TRACE_H
#define SIM_FRICTION_STOPS_TRACE_H

#include "sim/core/sensitivity.h"

/* Of a dof in a solve: any of these. */
enum { STOPS_STICKS = 1, STOPS_HELD = 2, STOPS_PRESSED = 4 };

typedef struct StopsMeeting {
  int dof, solve;
  double part[3];           /* of s by x, v, v_f */
  double speed[3];          /* of g, likewise */
  double friction;          /* of g by dt c lambda_f, where that sticks */
  double own[DEPENDENCES];  /* of g by c, M_ii, D_ii, all else as it is */
  double by_part, by_speed; /* of x+ by s and v+ */
} StopsMeeting;

/* All [d + 1][d], but [d + 1] matters, [d] met. */
typedef struct StopsTrace {
  int solves, meetings; /* 0: nobody is held or pressed */
  unsigned char *branch;
  double *v, *lambda;
  bool *matters; /* whether derivatives of v+ and x+ depend on those of the solve's v */
  StopsMeeting *met;
  bool smooth; /* nobody without friction rests at an end that does not push */
} StopsTrace;

/* That of dof i; NULL: it has not met any end. */
static inline const StopsMeeting *stops_trace_meeting(const StopsTrace *trace, int i) {
  for (int k = 0; k < trace->meetings; k++)
    if (trace->met[k].dof == i) return &trace->met[k];
  return NULL;
}

/* Whether dof i of d is held in the end; there are solves. */
static inline bool stops_trace_holds(const StopsTrace *trace, int d, int i) {
  return trace->branch[(trace->solves - 1) * d + i] & STOPS_HELD;
}

#endif
