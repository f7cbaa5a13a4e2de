/* f(t), where it varies and B has no inverse, so that it is no part of a control (force.h): v' has a part a(t) = M^-1 f, which is a polynomial of degree
 * q on each interval but for a rest of which a bound is known. S(t) v a(t)' is one of degree r + q, in Bernstein form, too; the rest may be anything. */
#ifndef CONTROL_BOUND_DRIFT_H
#define CONTROL_BOUND_DRIFT_H

#include "control/bound/mesh.h"

enum { BOUND_DRIFT_DEGREE = 6 };

typedef struct BoundDrift {
  int parts;          /* degrees of freedom with such a part; 0: nothing of the rest is there */
  int *part;          /* [d] which, from 1 on; 0: none */
  double *a;          /* [intervals][parts][q + 1] m/s^2: Bernstein coefficients */
  double *rest;       /* [intervals][parts] m/s^2: at most */
  double *missed;     /* [intervals] int rest dt, of all parts */
  double whole, left; /* int of |a| and of rest over time, of all parts, about */
} BoundDrift;

/* Of a force that varies. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: M is too ill-conditioned. */
SimStatus bound_drift_create(const SimProblem *sim, const BoundMesh *mesh, BoundDrift *drift);
void bound_drift_clear(BoundDrift *drift);

/* The parts of a place that follow on BOUND_VALUE: e-th coefficients of an interval. scale [d]: of a, which takes it to scaled numbers; weight and off
 * [parts][BOUND_SPAN], [parts] from BOUND_FORCED on. */
void bound_drift_place(const BoundDrift *drift, const BoundMesh *mesh, int interval, int e, const double *scale, int d,
                       BoundPlace *place);

#endif
