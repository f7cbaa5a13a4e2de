/* SPDX-License-Identifier: BSD-2-Clause */
/* Records two motions of the same model at the same times, and compares them. */
#ifndef SRC_RUN_MOTION_DIFFERENCE_H
#define SRC_RUN_MOTION_DIFFERENCE_H

#include "sim/internal.h"

/* An event: at time t, in s, a degree of freedom (dof) begins to slip backward (slip = -1), to stick (0) or to slip
 * forward (1). */
typedef struct MotionEvent {
  double t;
  int dof, slip;
} MotionEvent;

/* A recorded motion. */
typedef struct Motion {
  const SimProblem *problem; /* borrowed */
  long rows;                 /* number of instants recorded so far; problem->steps + 1 for a complete motion */
  double *t;                 /* [rows] times in s; owned, as is `values` */
  double *values;            /* [rows][3][d] x, v and lambda; for a dash-pot, its force f_d in place of lambda */
  MotionEvent *events;       /* [n_events] events of dofs with friction after t = 0; owned */
  long n_events, room;
  signed char *slip; /* [d] slip of each dof at the last recorded instant; owned */
  bool no_memory;    /* whether an event could not be stored */
} Motion;

/* Allocates memory for all instants of a problem on one rank. If it returns SIM_NO_MEMORY, the motion is cleared. */
SimStatus motion_init(Motion *motion, const SimProblem *problem);
void motion_clear(Motion *motion);

/* Adds an instant. Each vector is [d]. */
void motion_add(Motion *motion, double t, const double *x, const double *v, const double *lambda);

/* Simulates with a control (NULL: 0) and records the motion. Returns SIM_NO_MEMORY, or the status of the rollout. With
 * time steps, events are known only up to a step, and get the same times as in events.csv: a dof that slips at t_n has
 * moved since t_{n-1}, and a dof that sticks at t_n has stopped there. */
SimStatus motion_record(Motion *motion, const SimModel *model, SimWorkspace *work, const double *control);

/* Differences between two motions. A member is NAN if it is not defined, e.g. for v of nodes without mass, which jumps.
 * Integrals over time are computed as the step times the sum over all instants but the first. */
typedef struct MotionDifference {
  double x_end, v_end;         /* largest entry of the difference of x(T), in m, and of v(T), in m/s */
  double x_most;               /* largest entry of the difference of x(t) at any instant, in m */
  double x_l2, v_l2;           /* L2 norms over time of the differences of x and of v */
  double lambda_l1, lambda_l2; /* L1 norm over time, in s, and L2 norm over time of the difference of lambda */
  /* Largest distance in time, in s, between an event of the exact motion before T and the nearest event of the same dof
   * and kind. NAN if there are no events, or one of them has no counterpart. */
  double event_time;
  long n_events, n_exact; /* number of events before T in the motion and in the exact motion */
} MotionDifference;

/* Computes the differences between a motion and an exact motion that was recorded at the same times. */
void motion_difference(const Motion *motion, const Motion *exact, MotionDifference *difference);

#endif
