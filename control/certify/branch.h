/* A box and what becomes of it: boxes of a branch and bound, looked at depth first, as many motions as somebody cares to run. It is
 * the work that a rank does alone, and all that it has to know is here. */
#ifndef CONTROL_CERTIFY_BRANCH_H
#define CONTROL_CERTIFY_BRANCH_H

#include "control/certify/box.h"

enum { BRANCH_BOXES = 8 /* at a time */ };

typedef struct Branch {
  double cap;              /* of no interest are controls with J above this */
  double stage;            /* those with J above this wait for a later stage */
  Box boxes[BRANCH_BOXES]; /* from the front those to be looked at next, the last first; from the end those that wait */
  int open, waiting;
  long motions, looked; /* so far; boxes settled */
  long unsolved;        /* left, for their motions fail */
  double blurred;       /* the least J of boxes too small to tell, which stay as they are */
  double nearest;       /* the least miss of all motions, as bound_miss has it */
  double at[BOUND_N];   /* its w */
} Branch;

/* With nothing in it. */
void branch_begin(double cap, double stage, Branch *branch);

/* Lays a settled box into it, if any of its controls is of interest. There is room for two more than branch_goes_on leaves. */
void branch_lay(const CtlBound *bound, Branch *branch, const Box *box);

/* Whether it has a box to look at, and room for what may become of it. */
bool branch_goes_on(const Branch *branch);

/* The middle of that box. */
void branch_middle(const CtlBound *bound, const Branch *branch, double w[BOUND_N]);

/* What its motion has told, which ends at x, v; x NULL: it has failed. */
void branch_take(const CtlBound *bound, Branch *branch, const double *x, const double *v);

#endif
