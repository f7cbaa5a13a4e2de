/* Moves a control onto the targets by Newton steps on the motion itself. Joints that stop about T are moved to a
 * given velocity at T, extrapolated from before the stop, or to a given time of the stop. */
#ifndef CONTROL_SQP_RESTORE_H
#define CONTROL_SQP_RESTORE_H

#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

static const double CTL_RESTORE_MET = 1e-12; /* sum of the misses, in units, that counts as met */

typedef struct CtlRestore {
  const CtlSqpShared *shared; /* borrowed, as the next */
  CtlPoint *point;
  double J, misses; /* J and misses of the answer */
  double *answer;   /* [n] owned, in one block with all doubles */
  double *control;  /* [n] the control that is moved */
  /* [m] wanted velocity of a joint at T, extrapolated from before its stop, m/s; NAN (default): none */
  double *speed;
  /* [m] wanted time of a joint's stop before T, s; 0 (default): none. With neither, the target is to be met */
  double *lead;
  double slack;         /* tolerance of leads, s */
  double miss;          /* largest sum of the other targets' misses, in units; default CTL_RESTORE_MET */
  double *deceleration; /* [m] v' of a joint before its stop, m/s^2; 0: it turns back instead (corner.h) */
  double *gradient, *lengths, *a, *b, *room; /* workspace of the equations */
  /* [stops] targets of joints that come to rest exactly at the answer's T; owned, in one block with the next */
  int *stop;
  int *free; /* [variables] variables that no bound holds at the answer */
  int *rate; /* [rates] active rates: u_i - u_(i-p) stays constant */
  int *work;
  int stops, variables, rates;
  bool no_memory;
  bool failed; /* a motion failed or the time was used up */
} CtlRestore;

/* Initialises at s->at and its final state, which s knows. Returns false when out of memory; clear it then, too. */
bool ctl_restore_init(CtlRestore *restore, const CtlSqp *s, CtlPoint *point);
void ctl_restore_clear(CtlRestore *restore);

/* Sets the goal to the targets alone. */
void ctl_restore_meet(CtlRestore *restore);

/* Moves restore->control. Returns whether the goal was reached (false also if no_memory). The point is then the
 * control's. */
bool ctl_restore(CtlRestore *restore);

/* Returns whether joint j has come to rest before T at the point. */
bool ctl_restore_rests(const CtlRestore *restore, int j);

/* Computes y [m] that minimises |H u + A'y|, u the answer, A the rows at the point, over free variables and modulo
 * rates. Returns false if LAPACK fails. */
bool ctl_restore_multipliers(CtlRestore *restore, double *y);

/* Whether restore->control costs less than the answer by more than round-off and keeps all bounds. */
bool ctl_restore_is_less(const CtlRestore *restore);

#endif
