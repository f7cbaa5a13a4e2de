/* SPDX-License-Identifier: BSD-2-Clause */
/* Moves a control by Newton steps until its motion meets the targets. The velocity of a joint that stops near T is not
 * differentiable there. For such a joint the caller may prescribe one of two other numbers: the velocity extrapolated
 * to T from before the stop, or the time of the stop. */
#ifndef CONTROL_SQP_RESTORE_H
#define CONTROL_SQP_RESTORE_H

#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

/* the targets count as met if the sum of their misses, each divided by its unit (E1 and E2), is at most this */
static const double CTL_RESTORE_MET = 1e-12;

typedef struct CtlRestore {
  const CtlSqpShared *shared; /* borrowed, like the pointer below */
  CtlPoint *point;
  double J, misses; /* effort J of the answer, and the sum of its distances from the targets */
  double *answer;   /* [n] the answer; owned, in one block with all other doubles */
  double *control;  /* [n] control that the Newton steps change */
  /* [m] wanted velocity of a joint at T, extrapolated from before its stop, in m/s; NAN (default): none */
  double *speed;
  /* [m] wanted time between a joint's stop and T, in s; 0 (default): none. If neither is given, the joint has to meet
   * its target. */
  double *lead;
  double slack;         /* tolerance of the times in `lead`, in s */
  double miss;          /* largest accepted sum of the distances from targets without a wanted velocity or time, in
                         * units of E1 and E2; default CTL_RESTORE_MET */
  double *deceleration; /* [m] acceleration v' of a joint before its stop, in m/s^2; 0: the joint reverses at T instead
                         * (corner.h) */
  double *gradient, *lengths, *a, *b, *room; /* workspace for the equations */
  /* [stops] indices of the targets of joints that come to rest exactly at T at the answer; owned, in one memory block
   * with the next arrays */
  int *stop;
  int *free; /* [variables] indices of the variables that no bound holds at the answer */
  int *rate; /* [rates] indices i of the variables with an active rate limit, for which u_i - u_(i-p) stays constant */
  int *work;
  int stops, variables, rates;
  bool no_memory;
  bool failed; /* whether the simulation of a motion failed or the time limit was reached */
} CtlRestore;

/* Initialises a restoration at the control s->at; s contains the final state there. Returns false when out of memory;
 * clear the restoration also then. */
bool ctl_restore_init(CtlRestore *restore, const CtlSqp *s, CtlPoint *point);
void ctl_restore_clear(CtlRestore *restore);

/* Sets the goal "meet all targets": removes all wanted velocities and times. */
void ctl_restore_meet(CtlRestore *restore);

/* Moves restore->control until the goal is reached. Returns whether this succeeded; false also if restore->no_memory is
 * set. After success the outcome of the motion is in restore->point. */
bool ctl_restore(CtlRestore *restore);

/* Whether joint j has come to rest before T at the present point. */
bool ctl_restore_rests(const CtlRestore *restore, int j);

/* Computes the multipliers y [m] that minimise |H u + A'y|, where u is the answer and the rows of A are the targets'
 * derivatives at the present point. Entries of variables at bounds are excluded, and active rate limits have
 * multipliers of their own. Returns false if LAPACK fails. */
bool ctl_restore_multipliers(CtlRestore *restore, double *y);

/* Whether restore->control costs less than the answer, by more than round-off, and satisfies all bounds. */
bool ctl_restore_is_less(const CtlRestore *restore);

#endif
