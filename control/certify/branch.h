/* Branch and bound within one box, depth first, for a given number of motions. It is the work of one rank and needs
 * no other data. */
#ifndef CONTROL_CERTIFY_BRANCH_H
#define CONTROL_CERTIFY_BRANCH_H

#include "control/certify/box.h"

enum { BRANCH_BOXES = 8 /* maximum number of boxes */ };

typedef struct Branch {
  double cap;              /* controls with J above this are ignored */
  double stage;            /* boxes with J above this wait for a later stage */
  Box boxes[BRANCH_BOXES]; /* active boxes from the front, the last one first; waiting boxes from the end */
  int open, waiting;
  long motions, looked; /* number of motions; number of settled boxes */
  long unsolved;        /* number of boxes left because their motion failed */
  double blurred;       /* lowest J of boxes that are too small to decide and stay */
  double nearest;       /* smallest miss of all motions, as bound_miss */
  double at[BOUND_N];   /* w of the motion with the smallest miss */
} Branch;

/* Initialises an empty branch. */
void branch_begin(double cap, double stage, Branch *branch);

/* Adds a settled box if any of its controls has J < cap. There is room for two more boxes than branch_goes_on
 * reserves. */
void branch_lay(const CtlBound *bound, Branch *branch, const Box *box);

/* Whether it has an active box and room for the results. */
bool branch_goes_on(const Branch *branch);

/* Returns the centre of that box. */
void branch_middle(const CtlBound *bound, const Branch *branch, double w[BOUND_N]);

/* Processes its motion with final state x, v; x NULL: it failed. */
void branch_take(const CtlBound *bound, Branch *branch, const double *x, const double *v);

#endif
