/* Observer that writes a rollout while it is computed: trajectory.csv or trajectory.h5, energy.csv, events.csv,
 * events.h5.
 *
 * Every output.every-th step and the last one are written. - trajectory.csv: t,x1..xd,v1..vd,lambda1..lambdad, the
 * kind's additional results and, for a time-varying control, u1..up; - trajectory.h5 (src/results/hdf5_rows.h): x, v,
 * lambda, force, the additional results and u1..up by name; - energy.csv: t,work,stored,dissipated,numerical,closure,
 * J, at the same steps; with a moving surface also surface after
 *   work.
 * With stops, reaction1..reactiond follow lambda, and impacts follow dissipated.
 *
 * For a model distributed over ranks: up to TRAJECTORY_SMALL degrees of freedom the first rank gathers and writes
 * everything; beyond that all ranks write trajectory.h5 together. */
#ifndef SRC_TRAJECTORY_H
#define SRC_TRAJECTORY_H

#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

typedef struct Trajectory Trajectory;

/* Whether trajectory.h5 will fit on the disk of the new directory, which is removed if it does not. Returns 0, or
 * EXIT_USAGE after reporting it. */
int trajectory_check_room(const Results *results, const Problem *problem);

/* Warns about a trajectory of more than 300 MB. */
void trajectory_warn_of_size(const Problem *problem, Diagnostics *diagnostics);

/* Opens the files. problem: borrowed. Collective, like all functions here, over the problem's group. If nothing is
 * written, only the energy is recorded. Returns NULL on all ranks after reporting an error. */
Trajectory *trajectory_open(const Results *results, const Problem *problem);

/* Saves the state as bytes [trajectory_saved_size] on the first rank, after flushing the files to the disk. Returns 0,
 * or -1 on all ranks if this fails. */
size_t trajectory_saved_size(const Problem *problem);
int trajectory_save(Trajectory *trajectory, void *bytes);

/* Reopens the files of a saved state, written by these or other ranks, and removes everything written later. bytes
 * [trajectory_saved_size]: on the first rank, NULL elsewhere. Returns NULL on all ranks after reporting an error. */
Trajectory *trajectory_reopen(const Results *results, const Problem *problem, const void *bytes);

/* Returns the observer for stiction_rollout; valid until the files are closed. */
const SimObserver *trajectory_observer(const Trajectory *trajectory);

/* Returns the energies at the last step. */
SimEnergy trajectory_energy(const Trajectory *trajectory);

/* Returns the extremes of the motion so far; the caller frees them. NULL: unknown, i.e. beyond TRAJECTORY_SMALL, or not
 * on the first rank. */
Peaks *trajectory_take_peaks(Trajectory *trajectory);

/* Ends the last intervals and closes the files. ended: rows of trajectory.h5 that were not reached are removed. Returns
 * 0, or -1 on all ranks after reporting an error. */
int trajectory_close(Trajectory *trajectory, bool ended);

#endif
