/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of MPI ranks that evaluate one large model together, or agree on their next action. sim/ranks.h creates them.
 *
 * A NULL group stands for this process alone and does not need MPI_Init. The functions below then act as for a group of
 * one rank. All calls are collective over the group, except rank, size, comm and those marked local. */
#ifndef SIM_GROUP_H
#define SIM_GROUP_H

#include "sim/internal.h"
#include "sim/ranks.h"

/* Whether mpirun or another launcher has started this process, so that MPI_Init would join it to other ranks. Local. */
bool sim_mpi_launched(void);

/* Converts PETSc's error code: 0 to SIM_OK, PETSC_ERR_MEM and 1 to SIM_NO_MEMORY, all others to SIM_BAD_PROBLEM. PETSc
 * 3.18 returns 1 if there is no memory for an object, because PetscHeaderCreate is `PetscNew(..) || ..`. */
SimStatus sim_petsc_status(int error);

MPI_Comm sim_group_comm(const SimGroup *group); /* returns MPI_COMM_SELF if group is NULL */

/* The rows of a model's vectors that this rank holds. */
typedef struct SimRows {
  SimGroup *group; /* group of ranks, which hold consecutive rows; borrowed */
  int d;           /* number of rows of all ranks together */
  int first;       /* index of this rank's first row, from 0 */
  int count;       /* number of this rank's rows */
} SimRows;
/* Returns this rank's rows of a problem's vectors. Local. */
SimRows sim_problem_rows(const SimProblem *problem);

/* Returns the maximum of all ranks' codes, on every rank. A code may be a SimStatus, an exit code, or 1 for "yes". */
int sim_group_agree(const SimGroup *group, int code);
/* Replaces each of n values on all ranks by the sum of this value over all ranks. The order of a sum's terms, and so
 * its rounding, depends on the number of ranks. */
void sim_group_sum(const SimGroup *group, double *numbers, int n);
/* Replaces each of n values on all ranks by the maximum of this value over all ranks. */
void sim_group_max(const SimGroup *group, double *numbers, int n);

/* Copies the first rank's bytes to all ranks. */
void sim_group_share(const SimGroup *group, void *bytes, size_t size);
/* Copies the n numbers of each rank, in the order of the ranks, to the array all [size * n] on every rank. */
void sim_group_allgather(const SimGroup *group, const double *mine, int n, double *all);
/* Joins the arrays [count] of all ranks, which may differ in length, in the order of the ranks, to the array `whole` on
 * the first rank (NULL on the others). entry: size of an entry in bytes, that of a double or 1. */
void sim_group_gather(const SimGroup *group, size_t entry, int count, const void *piece, void *whole);
/* Splits the array `whole` of the first rank into the arrays [count] of all ranks; the inverse of sim_group_gather. */
void sim_group_scatter(const SimGroup *group, size_t entry, int count, const void *whole, void *piece);
/* Exchanges n values with both neighbouring ranks. first is sent to the previous rank and last to the next. `before`
 * receives `last` of the previous rank, and `behind` receives `first` of the next rank; 0 if there is no such rank. */
void sim_group_neighbours(const SimGroup *group, int n, const double *first, const double *last, double *before,
                          double *behind);
/* Sends n values to the next rank (way 1) or to the previous one (way -1). That rank must call sim_group_receive with
 * the same way. Does nothing if there is no such rank. */
void sim_group_send(const SimGroup *group, int way, const double *numbers, int n);
/* Receives n values that a neighbouring rank has sent with the same `way`. Does nothing if there is no such
 * neighbour. */
void sim_group_receive(const SimGroup *group, int way, double *numbers, int n);

#endif
