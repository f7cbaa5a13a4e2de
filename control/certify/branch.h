/* Branch and bound within one box, depth first, with a limited number of motions. One rank does this work and needs no
 * other data. */
#ifndef CONTROL_CERTIFY_BRANCH_H
#define CONTROL_CERTIFY_BRANCH_H

#include "control/certify/box.h"

enum { BRANCH_BOXES = 8 /* maximum number of boxes of a branch */ };

typedef struct Branch {
  double cap;   /* controls whose J is above this are ignored */
  double stage; /* boxes whose lower bound of J is above this wait for a later stage */
  /* the active boxes are at the front, and the last of them is the next; the waiting boxes are at the end */
  Box boxes[BRANCH_BOXES];
  int open, waiting;
  long motions, looked; /* number of motions; number of boxes that were settled */
  long unsolved;        /* number of boxes that stay undecided because their motion failed */
  double blurred;       /* lowest bound of J among the boxes that are too small to decide */
  double nearest;       /* smallest miss of all motions, as computed by bound_miss */
  double at[BOUND_N];   /* w of the motion with the smallest miss */
} Branch;

/* Initialises a branch without boxes. */
void branch_begin(double cap, double stage, Branch *branch);

/* Adds a settled box if it may contain a control with J < cap. There is always room for two more boxes than
 * branch_goes_on reserves. */
void branch_lay(const CtlBound *bound, Branch *branch, const Box *box);

/* Whether the branch has an active box and room for the halves. */
bool branch_goes_on(const Branch *branch);

/* Returns the centre of the next active box. */
void branch_middle(const CtlBound *bound, const Branch *branch, double w[BOUND_N]);

/* Processes the motion of that centre, with final state x, v; x is NULL if the motion failed. */
void branch_take(const CtlBound *bound, Branch *branch, const double *x, const double *v);

#endif
