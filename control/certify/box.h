/* A box of controls with the cuts of motions. */
#ifndef CONTROL_CERTIFY_BOX_H
#define CONTROL_CERTIFY_BOX_H

#include "control/base/bytes.h"
#include "control/certify/bound.h"

enum { BOX_CUTS = 6 };

typedef struct Box {
  double lower[BOUND_N], upper[BOUND_N]; /* range of w */
  double least;                          /* lower bound of J of its controls that may meet the target */
  int n_cuts;
  Cut cuts[BOX_CUTS];
} Box;

/* Sets the box to all controls of the bound. */
void box_begin(const CtlBound *bound, Box *box);

/* Shrinks the box by the ball J < cap and its cuts, and computes `least`. Returns whether anything below cap is
 * left. */
bool box_settle(const CtlBound *bound, double cap, Box *box);

/* Returns the centre. */
void box_middle(const CtlBound *bound, const Box *box, double w[BOUND_N]);

/* Adds the cut of the motion of its centre, with final state x, v, in place of the weakest cut. */
void box_cut(const CtlBound *bound, Box *box, const double *x, const double *v);

/* Halves the box: one half stays, `other` is the other half. Neither is settled. */
void box_halve(const CtlBound *bound, Box *box, Box *other);

/* Length of the longest side, and the volume, relative to the whole. */
double box_size(const CtlBound *bound, const Box *box);
double box_volume(const CtlBound *bound, const Box *box);

/* Writes or reads a box, safe against any bytes; its maximum size, bytes. */
void box_serialize(const CtlBound *bound, Box *box, CtlBytes *bytes);
size_t box_size_most(const CtlBound *bound);

#endif
