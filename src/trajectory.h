/* The observer that writes a rollout as it goes: trajectory.csv, energy.csv and events.csv. */
#ifndef SRC_TRAJECTORY_H
#define SRC_TRAJECTORY_H

#include "sim/sim.h"
#include "src/results.h"

typedef struct Trajectory Trajectory;

enum { TRAJECTORY_SIZE_MAX = 64 }; /* degrees of freedom up to which trajectory.csv is written */

/* Opens trajectory.csv (t,x1..xd,v1..vd,lambda1..lambdad and the kind's extras; every `every`-th step and the last),
 * energy.csv (t,work,stored,dissipated,numerical,closure, J; at the same steps) and events.csv (dof, from, to, stick |
 * slip+ | slip-: one row an interval, for the dofs with friction; and contact, of a dash-pot's mass with its support).
 * problem: borrowed. NULL after telling. */
Trajectory *trajectory_open(const Results *results, const SimProblem *problem, long every);

/* What to hand to sim_rollout; valid until the close. */
const SimObserver *trajectory_observer(const Trajectory *trajectory);

/* Energies at the last step seen. */
SimEnergy trajectory_energy(const Trajectory *trajectory);

/* Ends the last intervals and closes the files. Returns 0, or -1 after telling that they could not be
 * written. */
int trajectory_close(Trajectory *trajectory);

#endif
