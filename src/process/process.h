/* This process among those started together by a launcher (mpirun, srun). */
#ifndef SRC_PROCESS_H
#define SRC_PROCESS_H

#include "sim/internal.h"
#include "src/base/diagnostics.h"

/* Initialises MPI if a launcher started this process. Otherwise does not, since MPI_Init of a single process takes
 * longer than most simulations. Returns false if this MPI does not support threads that take turns. Collective over all
 * processes. */
bool process_start(int *argc, char ***argv);

/* Starts PETSc, and with it MPI if it has not been initialised (sim_petsc_start). Returns 0; EXIT_USAGE if PETSc
 * refuses the options (NULL: none); or EXIT_INTERNAL; errors are reported. Collective over all processes. */
int process_start_petsc(const char *options, Diagnostics *diagnostics);

bool process_with_mpi(void);
int process_rank(void);  /* of MPI_COMM_WORLD; 0 without MPI */
int process_ranks(void); /* number of processes; 1 without MPI */

/* Returns the group of all processes (sim/group.h), valid until the process ends; NULL if there is only one. */
SimGroup *process_group(void);

/* Ends all processes with this exit code after reporting why: some rank does not respond, so MPI_Finalize would never
 * return; or this one has no memory while others wait for it. */
void process_end_all(int code, Diagnostics *diagnostics, const char *why);
void process_end_without_memory(Diagnostics *diagnostics);

/* Available memory. */

/* Returns the bytes that this process can still allocate: limited by the machine's memory without swapping, and by the control groups of a
 * job or container. INFINITY if the system does not provide them. */
double memory_available(void);

#endif
