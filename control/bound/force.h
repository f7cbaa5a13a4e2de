/* A force f(t) that varies where B has an inverse (otherwise drift.h): B^-1 f becomes part of the control, u = w -
 * B^-1 f, so only J depends on time. On each interval a line g approximates B^-1 f, which makes N u.u a polynomial
 * of degree 2. With the norm of the remainder, rest = sqrt(int N r.r dt), r = B^-1 f - g,
 *
 *     J >= (sqrt(J_g) - rest)^2,    J_g the minimum for w - g.                                                    (4)
 */
#ifndef CONTROL_BOUND_FORCE_H
#define CONTROL_BOUND_FORCE_H

#include "control/bound/mesh.h"
#include "control/internal.h"

typedef struct BoundForce {
  bool varies;          /* false: the other fields are unset */
  double *line;         /* [intervals][2][m] N: g at the beginning and end of each interval */
  double *least, *most; /* [m] N: range of B^-1 f */
  double *missed;       /* [intervals] approximate contribution to rest^2 */
  double norm, rest;    /* upper bounds of sqrt(int N g.g dt) for B^-1 f and for r */
} BoundForce;

/* Whether f is constant. f: [d] its value; may be NULL. */
bool bound_force_is_constant(const SimProblem *sim, double *f);

/* Creates the part of the control. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: B has no inverse or is too
 * ill-conditioned. */
SimStatus bound_force_create(const CtlProblem *problem, const SimProblem *sim, const BoundMesh *mesh,
                             BoundForce *force);
void bound_force_clear(BoundForce *force);

#endif
