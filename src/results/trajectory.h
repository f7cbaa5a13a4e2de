/* SPDX-License-Identifier: BSD-2-Clause */
/* An observer that writes a rollout while it is computed, into trajectory.csv or trajectory.h5, energy.csv, events.csv
 * and events.h5.
 *
 * Every output.every-th step and the last one are written.
 * - trajectory.csv has t, x1..xd, v1..vd, lambda1..lambdad, the additional results of the kind of model and, for a
 *   control that varies in time, u1..up.
 * - trajectory.h5 (src/results/hdf5_rows.h) has x, v, lambda, force, the additional results, and u1..up by name.
 * - energy.csv has t, work, stored, dissipated, numerical, closure, in J, at the same steps. With a moving surface it
 *   has surface after work. With stops, reaction1..reactiond follow lambda, and impacts follows dissipated.
 *
 * A model distributed over ranks with at most TRAJECTORY_SMALL degrees of freedom is gathered and written by the first
 * rank. With more, all ranks write trajectory.h5 together. */
#ifndef SRC_TRAJECTORY_H
#define SRC_TRAJECTORY_H

#include "src/file/sections/file.h"
#include "src/results/peaks.h"
#include "src/results/results.h"

typedef struct Trajectory Trajectory;

/* Checks whether trajectory.h5 will fit on the disk of the new directory. If not, the directory is removed. Returns 0,
 * or EXIT_USAGE after reporting it. */
int trajectory_check_room(const Results *results, const Problem *problem);

/* Warns about a trajectory of more than 300 MB. */
void trajectory_warn_of_size(const Problem *problem, Diagnostics *diagnostics);

/* Opens the files. problem: borrowed. If the run stores no results, only the energy is recorded. Collective, like all
 * functions here, over the problem's group. Returns NULL on all ranks after reporting an error. */
Trajectory *trajectory_open(const Results *results, const Problem *problem);

/* trajectory_save flushes the files to the disk, and writes the state to bytes [trajectory_saved_size] on the first
 * rank. Returns 0, or -1 on all ranks if this fails. */
size_t trajectory_saved_size(const Problem *problem);
int trajectory_save(Trajectory *trajectory, void *bytes);

/* Reopens the files of a saved state, which may have been written by another number of ranks, and removes all that was
 * written later. bytes [trajectory_saved_size]: on the first rank; NULL elsewhere. Returns NULL on all ranks after
 * reporting an error. */
Trajectory *trajectory_reopen(const Results *results, const Problem *problem, const void *bytes);

/* Returns the observer for stiction_rollout; valid until the files are closed. */
const SimObserver *trajectory_observer(const Trajectory *trajectory);

/* Returns the energies at the last step. */
SimEnergy trajectory_energy(const Trajectory *trajectory);

/* Returns the largest and smallest x and v so far; the caller frees them. NULL if they are not known: with more than
 * TRAJECTORY_SMALL degrees of freedom, or on other ranks than the first. */
Peaks *trajectory_take_peaks(Trajectory *trajectory);

/* Ends the last intervals and closes the files. ended: rows of trajectory.h5 that were not reached are removed. Returns
 * 0, or -1 on all ranks after reporting an error. */
int trajectory_close(Trajectory *trajectory, bool ended);

#endif
