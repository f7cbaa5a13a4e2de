/* SPDX-License-Identifier: BSD-2-Clause */
/* A box of scaled controls w, with the cuts of motions that restrict it. */
#ifndef CONTROL_CERTIFY_BOX_H
#define CONTROL_CERTIFY_BOX_H

#include "control/base/bytes.h"
#include "control/certify/bound.h"

/* maximum number of cuts that a box keeps */
enum { BOX_CUTS = 6 };

typedef struct Box {
  double lower[BOUND_N], upper[BOUND_N]; /* [n] lower and upper limits of the scaled control w */
  double least;                          /* lower bound of J over the controls of the box that may meet the target */
  int n_cuts;
  Cut cuts[BOX_CUTS];
} Box;

/* Sets the box to the limits of all controls w, without cuts. */
void box_begin(const CtlBound *bound, Box *box);

/* Reduces the box by the condition J < cap and by its cuts, and computes the field `least`. Returns whether the box may
 * still contain a control with J < cap that meets the target. */
bool box_settle(const CtlBound *bound, double cap, Box *box);

/* Computes w, the centre of the box. */
void box_middle(const CtlBound *bound, const Box *box, double w[BOUND_N]);

/* Adds the two strongest cuts that the motion of the control at the box's centre gives. If the box has the maximum
 * number of cuts, a new cut replaces the weakest one. x, v: final state of that motion. */
void box_cut(const CtlBound *bound, Box *box, const double *x, const double *v);

/* Halves the box: *box becomes one half and *other the other half. box_settle must be called for both afterwards. */
void box_halve(const CtlBound *bound, Box *box, Box *other);

/* box_size returns the length of the longest side of the box, relative to that of the box of all controls; box_volume
 * returns its volume, relative to the box of all controls. */
double box_size(const CtlBound *bound, const Box *box);
double box_volume(const CtlBound *bound, const Box *box);

/* box_serialize writes or reads a box. Reading is safe against any bytes. box_size_most returns the largest size of a
 * written box, in bytes. */
void box_serialize(const CtlBound *bound, Box *box, CtlBytes *bytes);
size_t box_size_most(const CtlBound *bound);

#endif
