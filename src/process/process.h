/* This process among those that a launcher (mpirun, srun) has started together. */
#ifndef SRC_PROCESS_H
#define SRC_PROCESS_H

#include "sim/sim.h"

/* Initialises MPI if a launcher has started this process: alone it does not, since a singleton's MPI_Init takes longer than
 * most simulations. False: this MPI cannot be used by several threads in turn. Collective over all. */
bool process_start(int *argc, char ***argv);

bool process_with_mpi(void);
int process_rank(void);  /* of MPI_COMM_WORLD; 0 without MPI */
int process_ranks(void); /* their number; 1 without MPI */

/* All of them (sim/group.h), until the process ends; NULL when there is one. */
SimGroup *process_group(void);

#endif
