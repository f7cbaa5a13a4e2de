/* How far apart two motions of one model are: recorded at the same instants, then compared. */
#ifndef SRC_RUN_MOTION_DIFFERENCE_H
#define SRC_RUN_MOTION_DIFFERENCE_H

#include "sim/internal.h"

/* From t, s, on a dof slips backward (-1), sticks (0), slips forward (1). */
typedef struct MotionEvent {
  double t;
  int dof, slip;
} MotionEvent;

/* A recorded motion. */
typedef struct Motion {
  const SimProblem *problem; /* borrowed */
  long rows;                 /* instants so far, of problem->steps + 1 */
  double *t;                 /* [rows] s; owned, with values */
  double *values;            /* [rows][3][d] x, v, lambda; of a dash-pot f_d in lambda's place */
  MotionEvent *events;       /* [n_events] of dofs with friction, after the beginning; owned */
  long n_events, room;
  signed char *slip; /* [d] at the last row; owned */
  bool no_memory;    /* for all events */
} Motion;

/* Room for all instants of a problem of one rank (SIM_NO_MEMORY leaves it cleared). */
SimStatus motion_init(Motion *motion, const SimProblem *problem);
void motion_clear(Motion *motion);

/* The next instant; each [d]. */
void motion_add(Motion *motion, double t, const double *x, const double *v, const double *lambda);

/* Runs a control (NULL: 0) and records it. SIM_NO_MEMORY, or how the rollout ended. A scheme with steps knows an event to a
 * step: what slips at t_n has moved since t_{n-1}, what sticks there has stopped at t_n, as in events.csv. */
SimStatus motion_record(Motion *motion, const SimModel *model, SimWorkspace *work, const double *control);

/* All but n_events: NAN where there is nothing to compare, v of nodes without mass among it, which jumps. Sums over time: step
 * times the sum over all instants but the first. */
typedef struct MotionDifference {
  double x_end, v_end;         /* largest |x_i(T)|, m, |v_i(T)|, m/s, of the difference */
  double x_most;               /* largest |x_i(t)|, m */
  double x_l2, v_l2;           /* L2 over time */
  double lambda_l1, lambda_l2; /* L1, s, and L2 over time */
  double event_time;      /* s: for each event of the exact motion before T how far the nearest like it is (the same dof
                                * begins the same), the largest; NAN: one has none like it, or there are none */
  long n_events, n_exact; /* how many events each has before T */
} MotionDifference;

/* Of a motion from an exact one with the same instants. */
void motion_difference(const Motion *motion, const Motion *exact, MotionDifference *difference);

#endif
