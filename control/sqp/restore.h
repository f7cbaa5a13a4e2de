/* A control moved onto the targets by Newton steps on the motion itself, and joints that stop about T to where they would be so fast
 * at T, had they gone on, as is wanted. */
#ifndef CONTROL_SQP_RESTORE_H
#define CONTROL_SQP_RESTORE_H

#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

static const double CTL_RESTORE_MET = 1e-12; /* misses, in units, summed */

typedef struct CtlRestore {
  const CtlSqpShared *shared; /* borrowed, as the next */
  CtlPoint *point;
  double J, misses; /* of the answer */
  double *answer;   /* [n] owned, in one block with all doubles */
  double *control;  /* [n] what is moved */
  double *speed;    /* [m] m/s at T, had it gone on, wanted of a joint; NAN: none, as at first */
  double *
      lead; /* [m] s before T at which a joint is to stop; 0: none, as at first: with neither the target is to be met */
  double slack;         /* s: leads may be off by */
  double miss;          /* of other targets, in units, summed, at most: CTL_RESTORE_MET at first */
  double *deceleration; /* [m] v' of a joint before it stops, m/s^2; 0: it does not, but turns back (corner.h) */
  double *gradient, *lengths, *a, *b, *room; /* room for equations */
  int *stop; /* [stops] targets of joints that come to rest just at the answer's T; owned, in one block with the next */
  int *free; /* [variables] that no bound holds at the answer */
  int *rate; /* [rates] that do not change: u_i - u_(i-p) */
  int *work;
  int stops, variables, rates;
  bool no_memory;
  bool failed; /* a motion has, or there was no time left for it */
} CtlRestore;

/* About s->at and the motion's end there, which s knows. Returns false when out of memory; to be cleared, too. */
bool ctl_restore_init(CtlRestore *restore, const CtlSqp *s, CtlPoint *point);
void ctl_restore_clear(CtlRestore *restore);

/* Wants the targets, and nothing else. */
void ctl_restore_meet(CtlRestore *restore);

/* Moves restore->control. Returns whether it came there: false, too, when no_memory. The point is then the control's. */
bool ctl_restore(CtlRestore *restore);

/* By the point: v_j(T), or what it would be, had joint j not come to rest; and whether it has. */
double ctl_restore_speed(const CtlRestore *restore, int j);
bool ctl_restore_rests(const CtlRestore *restore, int j);

/* y [m] of the least |H u + A'y|, u the answer, A the rows at the point, over the free variables and beside rates. Returns false where
 * LAPACK fails. */
bool ctl_restore_multipliers(CtlRestore *restore, double *y);

/* Whether restore->control, brought there, costs less than the answer by more than round-off, and keeps to all bounds. */
bool ctl_restore_is_less(const CtlRestore *restore);

#endif
