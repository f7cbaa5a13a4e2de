/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of this process, which may be one of several that a launcher (mpirun, srun) started together. */
#ifndef SRC_PROCESS_H
#define SRC_PROCESS_H

#include "sim/internal.h"
#include "src/base/diagnostics.h"

/* Initialises MPI if a launcher started this process. In a process that was started alone MPI stays off, since MPI_Init
 * would take longer than most simulations. Returns false if MPI does not support several threads that call it in turns.
 * Collective over all processes. */
bool process_start(int *argc, char ***argv);

/* Starts PETSc, and MPI if it is not initialised yet (stiction_petsc_start). options: options for PETSc; NULL: none.
 * Returns 0; EXIT_USAGE if PETSc refuses the options; or EXIT_INTERNAL. Errors are reported. Collective over all
 * processes. */
int process_start_petsc(const char *options, Diagnostics *diagnostics);

bool process_with_mpi(void);
int process_rank(void);  /* rank in MPI_COMM_WORLD; 0 without MPI */
int process_ranks(void); /* number of processes; 1 without MPI */

/* Returns the group of all processes (sim/group.h), valid until the process ends; NULL if there is only one. */
SimGroup *process_group(void);

/* process_end_all reports `why` and ends all processes with this exit code. It is used if a rank no longer responds, so
 * that MPI_Finalize would never return. process_end_without_memory does the same if this process has no memory while
 * others wait for it. */
void process_end_all(int code, Diagnostics *diagnostics, const char *why);
void process_end_without_memory(Diagnostics *diagnostics);

/* Returns how many bytes this process can still allocate. The limits are the machine's free memory without swap space,
 * and the control groups of a job or container. Returns INFINITY if the system does not report them. */
double memory_available(void);

#endif
