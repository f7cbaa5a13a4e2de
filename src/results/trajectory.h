/* SPDX-License-Identifier: BSD-2-Clause */
/* An observer that writes a rollout to files while it is computed: to trajectory.csv or trajectory.h5, energy.csv,
 * events.csv and events.h5.
 *
 * Only one of output.every steps is written, and the last step.
 * - trajectory.csv has t, x1..xd, v1..vd, lambda1..lambdad, reaction1..reactiond if there are stops, the additional
 *   results of the kind of model and, for a control that varies in time, u1..up.
 * - trajectory.h5 (src/results/hdf5_rows.h) has x, v, lambda, force, the additional results, and u1..up by name.
 * - energy.csv has t, work, stored, dissipated, numerical, closure, in J, at the same steps. With a moving surface it
 *   has `surface` after work, and with stops `impacts` after dissipated.
 *
 * If a model is distributed over ranks and has at most TRAJECTORY_SMALL degrees of freedom, the first rank gathers and
 * writes its motion. If it has more, all ranks write trajectory.h5 together. */
#ifndef SRC_TRAJECTORY_H
#define SRC_TRAJECTORY_H

#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

typedef struct Trajectory Trajectory;

/* Checks that the disk of the new directory has enough space for trajectory.h5. If not, removes the directory. Returns
 * 0, or EXIT_USAGE after reporting it. */
int trajectory_check_room(const Results *results, const Problem *problem);

/* Warns if the trajectory will need more than 300 MB. */
void trajectory_warn_of_size(const Problem *problem, Diagnostics *diagnostics);

/* Opens the files. problem: borrowed. If the run stores no results, only the energy is recorded. Collective, like all
 * functions here, over the problem's group. Returns NULL on all ranks after reporting an error. */
Trajectory *trajectory_open(const Results *results, const Problem *problem);

/* trajectory_save flushes the files to the disk, and writes the state to bytes [trajectory_saved_size] on the first
 * rank. Returns 0, or -1 on all ranks if this fails. */
size_t trajectory_saved_size(const Problem *problem);
int trajectory_save(Trajectory *trajectory, void *bytes);

/* Reopens the files of a saved state, and removes all that was written to them later. The state may have been written
 * by another number of ranks. bytes [trajectory_saved_size]: the state, on the first rank; NULL on other ranks. Returns
 * NULL on all ranks after reporting an error. */
Trajectory *trajectory_reopen(const Results *results, const Problem *problem, const void *bytes);

/* Returns the observer to pass to stiction_rollout; valid until the files are closed. */
const SimObserver *trajectory_observer(const Trajectory *trajectory);

/* Returns the energies at the last step. */
SimEnergy trajectory_energy(const Trajectory *trajectory);

/* Returns the largest and smallest x and v so far; the caller frees them. Returns NULL with more than TRAJECTORY_SMALL
 * degrees of freedom, and on all ranks but the first. */
Peaks *trajectory_take_peaks(Trajectory *trajectory);

/* Ends the last intervals and closes the files. ended: the run will not be resumed, so rows of trajectory.h5 that it
 * has not reached are removed. Returns 0, or -1 on all ranks after reporting an error. */
int trajectory_close(Trajectory *trajectory, bool ended);

#endif
