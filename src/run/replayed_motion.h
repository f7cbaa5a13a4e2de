/* Several motions of one problem side by side: each steps from one common instant to the next and leaves there what it is. */
#ifndef SRC_REPLAYED_MOTION_H
#define SRC_REPLAYED_MOTION_H

#include "src/run/rollout_context.h"

/* The stick and slip events of a dof. */
typedef struct EventTimes {
  double *times; /* [n] s, ascending; owned */
  int n, room;
} EventTimes;

typedef struct ReplayedMotion {
  const Problem *problem; /* outlives the motion */
  long finer;             /* of its steps, from one common instant to the next */
  RolloutContext rollout;
  SimObserver observer;
  Trajectory *trajectory; /* of its rows; NULL: not written */
  double *instant;        /* [3][count] x, v, lambda at the last common instant */
  double *apart;          /* [count] its lambda from another motion's: int |.| dt so far, s */
  signed char *slip;      /* [count] at the last instant */
  EventTimes *events;     /* [count]; NULL: too many dofs */
  double time;            /* of the last instant, s */
  bool no_memory;         /* for events */
} ReplayedMotion;

/* Prepares a motion, not yet at t = 0. To be released also when it fails. Collective over the problem's group, as the next
 * three. Returns 0, EXIT_USAGE or EXIT_INTERNAL, after telling diagnostics. */
int replayed_motion_prepare(ReplayedMotion *motion, const Problem *problem, long finer, Diagnostics *diagnostics);
/* To the k-th common instant, k = 0, 1, .. in turn. */
SimStatus replayed_motion_go(ReplayedMotion *motion, const double *control, long k);
/* After the last. */
void replayed_motion_end(ReplayedMotion *motion);
void replayed_motion_release(ReplayedMotion *motion);

#endif
