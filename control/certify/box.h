/* A box of controls, and what motions have told of it. */
#ifndef CONTROL_CERTIFY_BOX_H
#define CONTROL_CERTIFY_BOX_H

#include "control/base/bytes.h"
#include "control/certify/bound.h"

enum { BOX_CUTS = 6 };

typedef struct Box {
  double lower[BOUND_N], upper[BOUND_N]; /* of w */
  double least;                          /* J of all of its controls that may meet the target is at least this */
  int n_cuts;
  Cut cuts[BOX_CUTS];
} Box;

/* The whole of the bound's controls. */
void box_begin(const CtlBound *bound, Box *box);

/* Shrinks it to what the ball J < cap and its cuts leave, and finds `least`. Returns whether anything below cap is left. */
bool box_settle(const CtlBound *bound, double cap, Box *box);

/* The middle of it. */
void box_middle(const CtlBound *bound, const Box *box, double w[BOUND_N]);

/* Adds what the motion of its middle has told, which ends at x, v, in place of what tells least. */
void box_cut(const CtlBound *bound, Box *box, const double *x, const double *v);

/* Leaves it one half of it, other the other; neither is settled. */
void box_halve(const CtlBound *bound, Box *box, Box *other);

/* The size of the largest side, and the product of all, as a part of that of the whole. */
double box_size(const CtlBound *bound, const Box *box);
double box_volume(const CtlBound *bound, const Box *box);

/* To bytes, or from any; how many they are at most. */
void box_serialize(const CtlBound *bound, Box *box, CtlBytes *bytes);
size_t box_size_most(const CtlBound *bound);

#endif
