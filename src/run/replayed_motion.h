/* Simulates several motions of one problem in parallel: each advances to the next common time and stores its state
 * there. */
#ifndef SRC_REPLAYED_MOTION_H
#define SRC_REPLAYED_MOTION_H

#include "src/run/rollout_context.h"

/* The stick and slip events of a dof. */
typedef struct EventTimes {
  double *times; /* [n] s, ascending; owned */
  int n, room;
} EventTimes;

typedef struct ReplayedMotion {
  const Problem *problem; /* must outlive the motion */
  long finer;             /* number of its steps between common times */
  RolloutContext rollout;
  SimObserver observer;
  Trajectory *trajectory; /* writes its rows; NULL: not written */
  double *instant;        /* [3][count] x, v, lambda at the last common time */
  double *apart;          /* [count] integral of |difference of lambda from another motion| so far, s */
  signed char *slip;      /* [count] at the last common time */
  EventTimes *events;     /* [count]; NULL: too many dofs */
  double time;            /* last common time, s */
  bool no_memory;         /* no memory for events */
} ReplayedMotion;

/* Prepares a motion before t = 0. Release it in each case. Collective over the problem's group, like the next three.
 * Returns 0; EXIT_USAGE or EXIT_INTERNAL after adding to diagnostics. */
int replayed_motion_prepare(ReplayedMotion *motion, const Problem *problem, long finer, Diagnostics *diagnostics);
/* Advances to the k-th common time; call with k = 0, 1, .. in order. */
SimStatus replayed_motion_go(ReplayedMotion *motion, const double *control, long k);
/* Ends the motion after the last common time. */
void replayed_motion_end(ReplayedMotion *motion);
void replayed_motion_release(ReplayedMotion *motion);

#endif
