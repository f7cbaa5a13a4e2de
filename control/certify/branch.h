/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch and bound within one box, depth first, with a limited number of motions. One rank does this work and needs no
 * other data. */
#ifndef CONTROL_CERTIFY_BRANCH_H
#define CONTROL_CERTIFY_BRANCH_H

#include "control/certify/box.h"

enum { BRANCH_BOXES = 8 /* maximum number of boxes of a branch */ };

typedef struct Branch {
  double cap;   /* upper limit of the effort J: controls with a larger J need not be excluded */
  double stage; /* limit of J of the current stage: a box with a lower bound of J above this waits for a later
                 * stage (proof.c) */
  /* The first `open` boxes are active, and the last of them is processed next. The last `waiting` boxes of the array
   * wait for a later stage. */
  Box boxes[BRANCH_BOXES];
  int open, waiting;
  long motions, looked; /* number of simulated motions; number of boxes that were examined (box_settle) */
  long unsolved;        /* number of boxes that stay undecided because their motion failed */
  double blurred;       /* lowest lower bound of J among the boxes that are too small to decide */
  double nearest;       /* smallest miss (distance from the target) of all motions, as computed by bound_miss */
  double at[BOUND_N];   /* scaled control w of the motion with the smallest miss */
} Branch;

/* Initialises a branch without boxes. */
void branch_begin(double cap, double stage, Branch *branch);

/* Adds a box, after box_settle, if it may contain a control with J < cap. If branch_goes_on has returned true, there is
 * room for two more boxes. */
void branch_lay(const CtlBound *bound, Branch *branch, const Box *box);

/* Whether the branch has an active box, and room for the two halves of a box. */
bool branch_goes_on(const Branch *branch);

/* Returns the centre of the next active box. */
void branch_middle(const CtlBound *bound, const Branch *branch, double w[BOUND_N]);

/* Processes the motion of the control that branch_middle returned. x, v: its final state; x is NULL if the motion
 * failed. */
void branch_take(const CtlBound *bound, Branch *branch, const double *x, const double *v);

#endif
