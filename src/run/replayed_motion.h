/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates several motions of one problem in turns, e.g. with different time steps. Each motion advances to the next
 * common time and stores its state there, so that the states can be compared. */
#ifndef SRC_REPLAYED_MOTION_H
#define SRC_REPLAYED_MOTION_H

#include "src/run/rollout_context.h"

/* Times at which a degree of freedom (dof) begins to stick or to slip. */
typedef struct EventTimes {
  double *times; /* [n] times, in s, in increasing order; owned */
  int n, room;
} EventTimes;

typedef struct ReplayedMotion {
  const Problem *problem; /* problem of the motion, which must outlive it */
  long finer;             /* number of steps of this motion between two common times */
  RolloutContext rollout;
  SimObserver observer;
  Trajectory *trajectory; /* writes rows of the motion to files; NULL: the motion is not written */
  double *instant;        /* [3][count] x, v, lambda at the last common time */
  double *apart;          /* [count] integral over time so far of |lambda - lambda of the motion that it is compared
                           * with|, in s */
  signed char *slip;      /* [count] direction of slip (-1, 0, 1) at the last common time */
  EventTimes *events;     /* [count] events of each dof; NULL: there are too many dofs */
  double time;            /* last common time in s */
  bool no_memory;         /* whether there was no memory for an event */
} ReplayedMotion;

/* Prepares a motion at t = 0. The caller releases it in each case. Collective over the problem's group, as are the next
 * three functions. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting to diagnostics. */
int replayed_motion_prepare(ReplayedMotion *motion, const Problem *problem, long finer, Diagnostics *diagnostics);
/* Continues the simulation to common time number k. Must be called with k = 0, 1, .. in order. */
SimStatus replayed_motion_go(ReplayedMotion *motion, const double *control, long k);
/* Ends the motion after the last common time. */
void replayed_motion_end(ReplayedMotion *motion);
void replayed_motion_release(ReplayedMotion *motion);

#endif
