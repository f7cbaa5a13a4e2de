/* SPDX-License-Identifier: BSD-2-Clause */
/* A force f(t) that varies in time, for a matrix B with an inverse (without an inverse drift.h is used). B^-1 f becomes
 * part of the control: u = w - B^-1 f with a new control w. The equation of motion then does not depend on time, but J
 * does. On each interval a line g approximates B^-1 f, so that N u.u is a polynomial of degree 2 in time. N is the
 * weight of J. With the remainder r = B^-1 f - g and its norm rest = sqrt(int N r.r dt),
 *
 *   J >= (sqrt(J_g) - rest)^2,                                                                                   (4)
 *
 * where J_g is the minimum for the control w - g. */
#ifndef CONTROL_BOUND_FORCE_H
#define CONTROL_BOUND_FORCE_H

#include "control/bound/mesh.h"
#include "control/internal.h"

typedef struct BoundForce {
  bool varies;          /* whether the force f varies in time; if it is constant, the other fields are unset */
  double *line;         /* [intervals][2][m] values of the lines g, which approximate B^-1 f, at the beginning and end
                         * of each interval, in N */
  double *least, *most; /* [m] smallest and largest value over time of the entries of B^-1 f, in N */
  double *missed;       /* [intervals] approximate contribution of each interval to the square of the remainder's
                         * norm `rest` */
  double norm, rest;    /* upper bounds of norms, weighted by N: of B^-1 f (norm), and of its difference r from the
                         * lines (rest) */
} BoundForce;

/* Whether the force of the problem is constant in time. f [d]: set to the constant force, in N; may be NULL. */
bool bound_force_is_constant(const SimProblem *sim, double *f);

/* Creates the lines that approximate B^-1 f. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the control matrix B
 * has no inverse or is too ill-conditioned. */
SimStatus bound_force_create(const CtlProblem *problem, const SimProblem *sim, const BoundMesh *mesh,
                             BoundForce *force);
void bound_force_clear(BoundForce *force);

#endif
