/* A force f(t) that varies where B has no inverse, so it cannot be part of a control (force.h). v' then has a part
 * a(t) = M^-1 f. On each interval it is a polynomial of degree q plus a remainder with a known bound. S(t) z a(t)'
 * is a polynomial of degree r + q, also in Bernstein form. The remainder adds E(t) to (1) of program.h, |E| <= rest
 * max |S|. If each coefficient Q_e + E(t) is positive semidefinite, so is sum B_e (Q_e + E(t)). V is that of R1,
 * because the force on a resting joint depends on time and is not a polynomial of the same degree times free
 * numbers. */
#ifndef CONTROL_BOUND_DRIFT_H
#define CONTROL_BOUND_DRIFT_H

#include "control/bound/force.h"

enum { BOUND_DRIFT_DEGREE = 6 /* maximum of q */ };

/* Returns the degree q, which depends on the pieces of the force. Returns 0 if the force is constant or part of the
 * control. */
int bound_drift_degree(const SimProblem *sim);

typedef struct BoundDrift {
  int parts;          /* number of dof for which v' has such a part; 0: the other fields are unset */
  double *still;      /* [d] upper bound of |a| for dof without such a part, m/s^2 */
  int *part;          /* [d] number of the dof's part, from 1; 0: it has none */
  double *a;          /* [intervals][parts][q + 1] Bernstein coefficients, m/s^2 */
  double *rest;       /* [intervals][parts] upper bound of the remainder, m/s^2 */
  double *missed;     /* [intervals] integral of rest over the interval, summed over the parts */
  double whole, left; /* approximate integrals over time of |a| and of rest, summed over the parts */
} BoundDrift;

/* Creates the data for a force that varies. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if M is too
 * ill-conditioned. */
SimStatus bound_drift_create(const SimProblem *sim, const BoundMesh *mesh, BoundDrift *drift);
void bound_drift_clear(BoundDrift *drift);

/* Computes what the parts contribute to one place, from BOUND_FORCED on: Bernstein coefficient e of each part in an
 * interval. scale [d]: factors of a. Sets place->weight [parts][BOUND_SPAN] and place->off [parts]. */
void bound_drift_place(const BoundDrift *drift, const BoundMesh *mesh, int interval, int e, const double *scale, int d,
                       BoundPlace *place);

#endif
