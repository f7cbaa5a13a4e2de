/* f(t), where it varies and B has an inverse (else: drift.h): B^-1 f is a part of the control then, u = w - B^-1 f, so that J alone depends on time. On each interval B^-1 f is taken for
 * a line g, which makes N u.u a polynomial of degree 2; with `rest` the norm of what is left, sqrt(int N r.r dt), r = B^-1 f - g,
 *
 *     J >= (sqrt(J_g) - rest)^2,    J_g the least by (w - g).                                                   (4) */
#ifndef CONTROL_BOUND_FORCE_H
#define CONTROL_BOUND_FORCE_H

#include "control/bound/mesh.h"
#include "control/control.h"

typedef struct BoundForce {
  bool varies;          /* else nothing of the rest is there */
  double *line;         /* [intervals][2][m] N: g where an interval begins and where it ends */
  double *least, *most; /* [m] N: B^-1 f is between */
  double *missed;       /* [intervals] each one's part in the square of rest, about */
  double norm, rest;    /* sqrt(int N g.g dt) of B^-1 f, and of r: at most */
} BoundForce;

/* Whether f is a constant, and of d entries which: f may be NULL. */
bool bound_force_is_constant(const SimProblem *sim, double *f);

/* SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: B has no inverse, or is too ill-conditioned. */
SimStatus bound_force_create(const CtlProblem *problem, const SimProblem *sim, const BoundMesh *mesh,
                             BoundForce *force);
void bound_force_clear(BoundForce *force);

#endif
