/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI and PETSc: groups of ranks, each of which holds some rows of a model or evaluates some points of a search.
 * This is the only public header that includes MPI. A NULL group stands for this process alone and does not need
 * MPI_Init. */
#ifndef SIM_RANKS_H
#define SIM_RANKS_H

#include "sim/sim.h"

#include <mpi.h>

SIM_API_BEGIN

/* Loads and starts PETSc, without its signal handlers. Call it before the first group, the first model with sparse
 * storage and the first search by a method of PETSc. Collective over MPI_COMM_WORLD; initialises MPI if necessary.
 * options: PETSc options or NULL. Solvers of the steps' linear systems read those with prefix -step_ ("-step_ksp_type
 * cg -step_pc_type jacobi"). Returns SIM_OK; SIM_BAD_PROBLEM if PETSc refuses, for example an option that it cannot
 * parse; SIM_BAD_ARGUMENT if its library cannot be loaded (stiction_status_text has the reason).
 *
 * The function changes settings of the whole process. PETSc's memory is zeroed on allocation (PetscMallocSet),
 * because some of its solvers read memory that they have not written, and results must have the same bits. PETSc's
 * errors are returned, not printed. If the process has called PetscInitialize itself, only the options are set:
 * allocator and error handler stay. With PETSc's own allocator, results of searches by PETSc's methods may then vary
 * in their bits. */
SimStatus stiction_petsc_start(const char *options);
/* Stops PETSc; call it after the last model. Collective over MPI_COMM_WORLD. Does nothing if PETSc is not started. */
void stiction_petsc_stop(void);

/* Creates a group of the ranks of comm, which is duplicated. *group is NULL if comm has one rank or is MPI_COMM_NULL.
 * Collective over comm. Returns SIM_OK or SIM_NO_MEMORY, the same on all ranks. */
SimStatus stiction_group_create(MPI_Comm comm, SimGroup **group);
void stiction_group_destroy(SimGroup *group);   /* collective; group may be NULL */
int stiction_group_rank(const SimGroup *group); /* returns 0 if group is NULL */
int stiction_group_size(const SimGroup *group); /* returns 1 if group is NULL */

SIM_API_END

#endif
