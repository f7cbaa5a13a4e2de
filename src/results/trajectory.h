/* The observer that writes a rollout as it goes: trajectory.csv or trajectory.h5, energy.csv, events.csv and events.h5.
 *
 * Every output.every-th step and the last are written. trajectory.csv has t,x1..xd,v1..vd,lambda1..lambdad, the kind's
 * extras and, of a control that varies in time, u1..up; trajectory.h5 (src/results/hdf5_rows.h) x, v, lambda, force, the
 * extras and u1..up, each under its name;
 * energy.csv t,work,stored,dissipated,numerical,closure, J, at the same steps; surface after work where one moves. Where there are
 * stops, their reaction1..reactiond after lambda, and impacts after dissipated.
 *
 * A model whose rows are spread over ranks: up to TRAJECTORY_SMALL degrees of freedom the first rank is sent all and
 * writes; beyond, all write trajectory.h5 together. */
#ifndef SRC_TRAJECTORY_H
#define SRC_TRAJECTORY_H

#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

typedef struct Trajectory Trajectory;

/* Whether trajectory.h5 will fit on the disk of a directory just made, which is removed when not. Returns 0, or EXIT_USAGE
 * after telling. */
int trajectory_check_room(const Results *results, const Problem *problem);

/* Warns of a trajectory of more than 300 MB. */
void trajectory_warn_of_size(const Problem *problem, Diagnostics *diagnostics);

/* problem: borrowed; all ranks of its group call all of these. results: where nothing is written, the energy alone is kept. NULL after
 * telling, on all of them. */
Trajectory *trajectory_open(const Results *results, const Problem *problem);

/* Where it stands as bytes [trajectory_saved_size], the first rank's, with its files put on the disk so far. Returns 0, or
 * -1, on all of them, when they could not be. */
size_t trajectory_saved_size(const Problem *problem);
int trajectory_save(Trajectory *trajectory, void *bytes);

/* One that stood like this, by these ranks or by others: opens its files again and cuts off what was written later. bytes
 * [trajectory_saved_size]: the first rank's, NULL elsewhere. NULL, on all of them, after telling. */
Trajectory *trajectory_reopen(const Results *results, const Problem *problem, const void *bytes);

/* What to hand to sim_rollout; valid until the close. */
const SimObserver *trajectory_observer(const Trajectory *trajectory);

/* Energies at the last step seen. */
SimEnergy trajectory_energy(const Trajectory *trajectory);

/* How far the motion has swung so far: the caller's, to be freed; NULL: not known, beyond TRAJECTORY_SMALL or but on the first rank. */
Peaks *trajectory_take_peaks(Trajectory *trajectory);

/* Ends the last intervals and closes the files; ended: rows of trajectory.h5 that were not reached are cut off. Returns 0, or -1 (on all ranks) after telling that they could not be
 * written. */
int trajectory_close(Trajectory *trajectory, bool ended);

#endif
