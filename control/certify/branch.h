/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch and bound within one box, depth first, with a limited number of motions. One rank does this work alone and
 * needs no other data. */
#ifndef CONTROL_CERTIFY_BRANCH_H
#define CONTROL_CERTIFY_BRANCH_H

#include "control/certify/box.h"

enum { BRANCH_BOXES = 8 /* maximum number of boxes of a branch */ };

typedef struct Branch {
  double cap;   /* upper limit of the effort J: controls with a larger J need not be excluded */
  double stage; /* limit of J of the current stage of the proof: a box with a lower bound of J above this waits for a
                 * later stage (proof.c) */
  /* The first `open` boxes are active, and the last of them is processed next. Boxes that wait for a later stage are
   * stored at the end of the array, `waiting` of them. */
  Box boxes[BRANCH_BOXES];
  int open, waiting;
  long motions, looked; /* number of simulated motions; number of boxes that were examined (box_settle) */
  long unsolved;        /* number of boxes that are given up because their motion could not be simulated */
  double blurred;       /* lowest of the lower bounds of J of all boxes that are given up without a decision: those
                         * counted in `unsolved`, and boxes too small for a decision; INFINITY: none */
  double nearest;       /* smallest distance of a final state from the target among all motions, as computed by
                         * bound_miss */
  double at[BOUND_N];   /* scaled control w of the motion with this smallest distance */
} Branch;

/* Initialises a branch without boxes. */
void branch_begin(double cap, double stage, Branch *branch);

/* Adds a box for which box_settle has been called, if it may contain a control with J < cap. If branch_goes_on has
 * returned true, two more boxes can be added. */
void branch_lay(const CtlBound *bound, Branch *branch, const Box *box);

/* Whether the branch has an active box, and free storage for the two halves of a box. */
bool branch_goes_on(const Branch *branch);

/* Computes w, the centre of the next active box. */
void branch_middle(const CtlBound *bound, const Branch *branch, double w[BOUND_N]);

/* Processes the motion of the control that branch_middle returned. x, v: final state of the motion; x is NULL if the
 * motion failed. */
void branch_take(const CtlBound *bound, Branch *branch, const double *x, const double *v);

#endif
