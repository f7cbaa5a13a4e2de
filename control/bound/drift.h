/* f(t), where it varies and B has no inverse, so that it is no part of a control (force.h): v' has a part a(t) = M^-1 f, which is a polynomial of degree
 * q on each interval but for a rest of which a bound is known. S(t) z a(t)' is one of degree r + q, in Bernstein form, too. The rest adds E(t) to (1) of
 * program.h, |E| <= rest max |S|: where each coefficient Q_e + E(t) is positive semidefinite, so is sum B_e (Q_e + E(t)). V is that of R1, for where a joint
 * rests its force depends on time, and is no polynomial times free numbers of the same degree. */
#ifndef CONTROL_BOUND_DRIFT_H
#define CONTROL_BOUND_DRIFT_H

#include "control/bound/force.h"

enum { BOUND_DRIFT_DEGREE = 6 /* at most */ };

/* q: as the pieces of the force have it; 0: it is constant, or a part of the control. */
int bound_drift_degree(const SimProblem *sim);

typedef struct BoundDrift {
  int parts;          /* degrees of freedom with such a part; 0: nothing of the rest is there */
  double *still;      /* [d] m/s^2: how far from 0 a may be of one that has none */
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
