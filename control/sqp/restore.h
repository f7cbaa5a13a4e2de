/* SPDX-License-Identifier: BSD-2-Clause */
/* Moves a control by Newton steps until its motion meets the targets. For a joint that stops near T, where its velocity
 * is not differentiable, the target is one of two others: a value of the velocity that is extrapolated to T from before
 * the stop, or the time of the stop. */
#ifndef CONTROL_SQP_RESTORE_H
#define CONTROL_SQP_RESTORE_H

#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

/* the targets count as met if the sum of their misses, each divided by its unit (E1 and E2), is at most this */
static const double CTL_RESTORE_MET = 1e-12;

typedef struct CtlRestore {
  const CtlSqpShared *shared; /* borrowed, like the next field */
  CtlPoint *point;
  double J, misses; /* effort J and sum of the misses of the targets at the answer */
  double *answer;   /* [n] the answer; owned, in one block with all other doubles */
  double *control;  /* [n] control that is moved */
  /* [m] wanted velocity of a joint at T, extrapolated from before its stop, in m/s; NAN (default): not given */
  double *speed;
  /* [m] wanted time of a joint's stop before T, in s; 0 (default): not given. If neither is given, the joint is to meet
   * its target */
  double *lead;
  double slack;         /* tolerance of the times in `lead`, in s */
  double miss;          /* largest accepted sum of the misses of targets without wanted velocity or time, in units of
                         * E1 and E2; default CTL_RESTORE_MET */
  double *deceleration; /* [m] v' of a joint before its stop, in m/s^2; 0: the joint turns back instead (corner.h) */
  double *gradient, *lengths, *a, *b, *room; /* workspace for the equations */
  /* [stops] indices of the targets of joints that come to rest exactly at T at the answer; owned, in one block with the
   * next */
  int *stop;
  int *free; /* [variables] indices of the variables that no bound holds at the answer */
  int *rate; /* [rates] indices i of active rates, for which u_i - u_(i-p) stays constant */
  int *work;
  int stops, variables, rates;
  bool no_memory;
  bool failed; /* whether the simulation of a motion failed or the time limit was reached */
} CtlRestore;

/* Initialises a restoration at s->at; s contains the final state there. Returns false when out of memory; clear it
 * then, too. */
bool ctl_restore_init(CtlRestore *restore, const CtlSqp *s, CtlPoint *point);
void ctl_restore_clear(CtlRestore *restore);

/* Sets the goal: meet the targets, without wanted velocities and times. */
void ctl_restore_meet(CtlRestore *restore);

/* Moves restore->control to the goal. Returns whether it was reached; false also if no_memory is set. After success the
 * outcome of the motion is in restore->point. */
bool ctl_restore(CtlRestore *restore);

/* Whether joint j has come to rest before T at the present point. */
bool ctl_restore_rests(const CtlRestore *restore, int j);

/* Computes the multipliers y [m] that minimise |H u + A'y|. u is the answer and A has the rows at the point. The norm
 * is over free variables and modulo active rates. Returns false if LAPACK fails. */
bool ctl_restore_multipliers(CtlRestore *restore, double *y);

/* Whether restore->control costs less than the answer, by more than round-off, and satisfies all bounds. */
bool ctl_restore_is_less(const CtlRestore *restore);

#endif
