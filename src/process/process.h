/* This process among those that a launcher (mpirun, srun) has started together. */
#ifndef SRC_PROCESS_H
#define SRC_PROCESS_H

#include "sim/internal.h"
#include "src/base/diagnostics.h"

/* Initialises MPI if a launcher has started this process: alone it does not, since a singleton's MPI_Init takes longer than
 * most simulations. False: this MPI cannot be used by several threads in turn. Collective over all. */
bool process_start(int *argc, char ***argv);

/* Starts PETSc, and with it MPI if that has not been initialised (sim_petsc_start). 0, EXIT_USAGE where it does not take the options, NULL: none, or
 * EXIT_INTERNAL; after telling. Collective over all. */
int process_start_petsc(const char *options, Diagnostics *diagnostics);

bool process_with_mpi(void);
int process_rank(void);  /* of MPI_COMM_WORLD; 0 without MPI */
int process_ranks(void); /* their number; 1 without MPI */

/* All of them (sim/group.h), until the process ends; NULL when there is one. */
SimGroup *process_group(void);

/* Ends all of them with that exit code, after telling why: some rank does not answer, and MPI_Finalize would wait for it for ever, or
 * this one has no memory, and others wait for it. */
void process_end_all(int code, Diagnostics *diagnostics, const char *why);
void process_end_without_memory(Diagnostics *diagnostics);

/* How much memory there is. */

/* Bytes that this process can still have: what the machine has without swapping, and what the control groups of a job or a
 * container allow; INFINITY when the system does not tell. */
double memory_available(void);

#endif
