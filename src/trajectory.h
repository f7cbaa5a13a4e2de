/* The observer that writes a rollout as it goes: trajectory.csv and events.csv. */
#ifndef SRC_TRAJECTORY_H
#define SRC_TRAJECTORY_H

#include "sim/sim.h"
#include "src/results.h"

typedef struct Trajectory Trajectory;

enum { TRAJECTORY_SIZE_MAX = 64 }; /* degrees of freedom up to which trajectory.csv is written */

/* Opens trajectory.csv (t,x1..xd,v1..vd,lambda1..lambdad and the kind's extras; every `every`-th step and the last) and
 * events.csv (dof, from, to, stick | slip+ | slip-: one row an interval, for the dofs with friction; and contact, of a
 * dash-pot's mass with its support). problem: borrowed. NULL after telling. */
Trajectory *trajectory_open(const Results *results, const SimProblem *problem, long every);

/* Where it stands as bytes [trajectory_saved_size], with its files put on the disk so far. Returns 0, or -1 when they could
 * not be. */
size_t trajectory_saved_size(const SimProblem *problem);
int trajectory_save(const Trajectory *trajectory, void *bytes);

/* One that stood like this: opens its files again and cuts off what was written later. NULL after telling. */
Trajectory *trajectory_reopen(const Results *results, const SimProblem *problem, long every, const void *bytes);

/* What to hand to sim_rollout; valid until the close. */
const SimObserver *trajectory_observer(const Trajectory *trajectory);

/* Energies at the last step seen. */
SimEnergy trajectory_energy(const Trajectory *trajectory);

/* Ends the last intervals and closes both files. Returns 0, or -1 after telling that they could not be
 * written. */
int trajectory_close(Trajectory *trajectory);

#endif
