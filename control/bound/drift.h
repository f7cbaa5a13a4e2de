/* SPDX-License-Identifier: BSD-2-Clause */
/* Drift: the part a(t) = M^-1 f of the acceleration v' for a force f(t) that varies in time. It is used if B has no
 * inverse, since the force cannot then be made a part of the control (force.h). On each interval, a(t) is approximated
 * by a polynomial of degree q, with a known bound `rest` of the remainder.
 *
 * In the rate of V = z'S(t) z, z = (1, x, v), with S of degree r, the products S(t) z a(t)' are polynomials of degree r
 * + q, which also have Bernstein form. The remainder adds a matrix E(t) with |E| <= rest max |S| to (1) of program.h.
 * If each coefficient Q_e + E(t) is positive semidefinite, so is the sum of B_e (Q_e + E(t)) with the Bernstein
 * polynomials B_e.
 *
 * V has only the terms of the relaxation R1 (README.md). Other forms of V, with patterns of signs or cells of x_i,
 * would need the force on a resting joint, but this force is not a product of free numbers and a polynomial of that
 * degree. */
#ifndef CONTROL_BOUND_DRIFT_H
#define CONTROL_BOUND_DRIFT_H

#include "control/bound/force.h"

enum { BOUND_DRIFT_DEGREE = 6 /* maximum degree of the polynomials that approximate a drift */ };

/* Returns the degree q of the polynomials for the drift a(t), which depends on the pieces of the force. Returns 0 if
 * the force is constant or part of the control. */
int bound_drift_degree(const SimProblem *sim);

typedef struct BoundDrift {
  int parts;          /* number of dofs with an acceleration v' that depends on time through the force. The drift has
                       * one component, called a part, for each of them; 0: the other fields are unset */
  double *still;      /* [d] upper bound, in m/s^2, of the time-dependent acceleration |a_i| of those dofs that have no
                       * polynomial */
  int *part;          /* [d] index, from 1, of the component of the drift for each dof; 0: the dof has none */
  double *a;          /* [intervals][parts][q + 1] Bernstein coefficients of the components of the drift, in m/s^2 */
  double *rest;       /* [intervals][parts] upper bound of the difference between the drift and its polynomial, in
                       * m/s^2 */
  double *missed;     /* [intervals] integral of the bound `rest` over each interval, summed over the components */
  double whole, left; /* approximate integrals over time, summed over the components: of the drift |a| (whole), and of
                       * its remainder (left) */
} BoundDrift;

/* Creates the drift of a force that varies in time. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the mass
 * matrix is too ill-conditioned. */
SimStatus bound_drift_create(const SimProblem *sim, const BoundMesh *mesh, BoundDrift *drift);
void bound_drift_clear(BoundDrift *drift);

/* Computes the data of all components of the drift for one time point, Bernstein coefficient e of an interval. scale
 * [d]: factors by which the drift is multiplied. Sets the weights place->weight [parts][BOUND_SPAN] and the errors
 * place->off [parts] from index BOUND_FORCED on. */
void bound_drift_place(const BoundDrift *drift, const BoundMesh *mesh, int interval, int e, const double *scale, int d,
                       BoundPlace *place);

#endif
