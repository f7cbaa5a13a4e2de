/* Records two motions of one model at the same times and compares them. */
#ifndef SRC_RUN_MOTION_DIFFERENCE_H
#define SRC_RUN_MOTION_DIFFERENCE_H

#include "sim/internal.h"

/* At time t, s, a dof begins to slip backward (-1), stick (0) or slip forward (1). */
typedef struct MotionEvent {
  double t;
  int dof, slip;
} MotionEvent;

/* A recorded motion. */
typedef struct Motion {
  const SimProblem *problem; /* borrowed */
  long rows;                 /* times recorded so far, of problem->steps + 1 */
  double *t;                 /* [rows] s; owned, with values */
  double *values;            /* [rows][3][d] x, v, lambda; for a dash-pot f_d in place of lambda */
  MotionEvent *events;       /* [n_events] of dofs with friction, after t = 0; owned */
  long n_events, room;
  signed char *slip; /* [d] at the last recorded time; owned */
  bool no_memory;    /* not all events could be stored */
} Motion;

/* Allocates memory for all times of a problem of one rank (cleared on SIM_NO_MEMORY). */
SimStatus motion_init(Motion *motion, const SimProblem *problem);
void motion_clear(Motion *motion);

/* Adds a time; each vector is [d]. */
void motion_add(Motion *motion, double t, const double *x, const double *v, const double *lambda);

/* Simulates with a control (NULL: 0) and records the motion. Returns SIM_NO_MEMORY or the status of the rollout. With
 * time steps, events are known up to a step: what slips at t_n has moved since t_{n-1}, what sticks at t_n has stopped
 * there, as in events.csv. */
SimStatus motion_record(Motion *motion, const SimModel *model, SimWorkspace *work, const double *control);

/* Differences between two motions. Members are NAN if there is nothing to compare, e.g. v of nodes without mass, which
 * jumps. Sums over time: step times the sum over all times but the first. */
typedef struct MotionDifference {
  double x_end, v_end;         /* largest |x_i(T)|, m, |v_i(T)|, m/s, of the difference */
  double x_most;               /* largest |x_i(t)|, m */
  double x_l2, v_l2;           /* L2 over time */
  double lambda_l1, lambda_l2; /* L1, s, and L2 over time */
  /* largest distance in time, s, from an event of the exact motion before T to the nearest one of the same dof and
   * kind; NAN: there are no events, or one has no counterpart */
  double event_time;
  long n_events, n_exact; /* number of events of each before T */
} MotionDifference;

/* Compares a motion with an exact one recorded at the same times. */
void motion_difference(const Motion *motion, const Motion *exact, MotionDifference *difference);

#endif
