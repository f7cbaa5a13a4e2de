/* Drift: the part a(t) = M^-1 f of the acceleration v', for a force f(t) that varies and cannot be made part of a
 * control (force.h) because B has no inverse. On each interval, a(t) is a polynomial of degree q plus a remainder with
 * a known bound. S(t) z a(t)' is a polynomial of degree r + q, also in Bernstein form. The remainder adds E(t) to (1)
 * of program.h, |E| <= rest max |S|. If each coefficient Q_e + E(t) is positive semidefinite, so is sum B_e (Q_e +
 * E(t)). V has the form of R1 only. The forms with patterns or cells would need the force on a resting joint, which
 * depends on time and is not a polynomial of the same degree times free numbers. */
#ifndef CONTROL_BOUND_DRIFT_H
#define CONTROL_BOUND_DRIFT_H

#include "control/bound/force.h"

enum { BOUND_DRIFT_DEGREE = 6 /* maximum degree of the polynomials that approximate a drift */ };

/* Returns the degree q of a(t), which depends on the pieces of the force. Returns 0 if the force is constant or part of
 * the control. */
int bound_drift_degree(const SimProblem *sim);

typedef struct BoundDrift {
  int parts;          /* number of parts, one for each dof with a v' that depends on time through f; 0: the other fields
                       * are unset */
  double *still;      /* [d] upper bound, m/s^2, of the part |a_i| of the acceleration that depends on time, for
                       * those dof that have no polynomial part */
  int *part;          /* [d] number of the part that belongs to the dof, from 1; 0: the dof has none */
  double *a;          /* [intervals][parts][q + 1] Bernstein coefficients, m/s^2 */
  double *rest;       /* [intervals][parts] upper bound of the remainder, m/s^2 */
  double *missed;     /* [intervals] integral of rest over the interval, summed over the parts */
  double whole, left; /* approximate integrals over time of |a| (whole) and of the remainder (left), summed over the
                       * parts */
} BoundDrift;

/* Creates the data for a force that varies. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if M is too
 * ill-conditioned. */
SimStatus bound_drift_create(const SimProblem *sim, const BoundMesh *mesh, BoundDrift *drift);
void bound_drift_clear(BoundDrift *drift);

/* Computes the data of all parts of the drift for one place, which is Bernstein coefficient e of an interval. scale
 * [d]: factors of a. Sets the weights place->weight [parts][BOUND_SPAN] and the errors place->off [parts] from index
 * BOUND_FORCED on. */
void bound_drift_place(const BoundDrift *drift, const BoundMesh *mesh, int interval, int e, const double *scale, int d,
                       BoundPlace *place);

#endif
