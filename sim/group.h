/* Groups of MPI ranks that evaluate one large model together, or agree on their next action. This is the only header of
 * sim that includes MPI.
 *
 * A NULL group is this process alone and does not need MPI_Init. Every call below then does what it would do with one
 * rank. All calls are collective over the group, except rank, size, comm and those marked local. */
#ifndef SIM_GROUP_H
#define SIM_GROUP_H

#include "sim/sim.h"

#include <mpi.h>

SIM_API_BEGIN

/* Whether mpirun or another launcher has started this process, so that MPI_Init would join it to other ranks. Local. */
bool sim_mpi_launched(void);

/* Loads and starts PETSc, without its signal handlers. Call it before the first group, the first model with sparse
 * storage and the first search by a method of PETSc. Collective over MPI_COMM_WORLD; initialises MPI if necessary.
 * options: PETSc options or NULL. Solvers of the steps' linear systems read those with prefix -step_ ("-step_ksp_type
 * cg -step_pc_type jacobi"). SIM_OK; SIM_BAD_PROBLEM: PETSc refuses, for example an option that it cannot parse;
 * SIM_BAD_ARGUMENT: its library cannot be loaded (sim_status_text says why).
 *
 * It changes settings of the whole process. PETSc's memory is zeroed on allocation (PetscMallocSet), because some of
 * its solvers read memory that they have not written, and results must have the same bits. PETSc's errors are returned,
 * not printed. If the process has called PetscInitialize itself, only the options are set: allocator and error handler
 * stay. With PETSc's own allocator, results of searches by PETSc's methods may then vary in their bits. */
SimStatus sim_petsc_start(const char *options);
/* Converts PETSc's error code: SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM for all others. SIM_NO_MEMORY is PETSC_ERR_MEM
 * and 1. PETSc 3.18 returns 1 where it has no memory for an object, because PetscHeaderCreate is `PetscNew(..) ||
 * ..`. */
SimStatus sim_petsc_status(int error);
/* stops PETSc after the last model; collective over MPI_COMM_WORLD; does nothing if it is not started */
void sim_petsc_stop(void);

/* Creates a group of the ranks of comm, which it duplicates. *group is NULL if comm has one rank or is MPI_COMM_NULL.
 * Collective over comm. SIM_OK or SIM_NO_MEMORY, the same on all ranks. */
SimStatus sim_group_create(MPI_Comm comm, SimGroup **group);
void sim_group_destroy(SimGroup *group);        /* collective, may be NULL */
MPI_Comm sim_group_comm(const SimGroup *group); /* MPI_COMM_SELF of NULL */
int sim_group_rank(const SimGroup *group);      /* 0 of NULL */
int sim_group_size(const SimGroup *group);      /* 1 of NULL */

/* The rows of a model's vectors that this rank holds. */
typedef struct SimRows {
  SimGroup *group; /* borrowed; its ranks hold consecutive rows */
  int d;           /* number of all rows */
  int first;       /* this rank's first row, from 0 */
  int count;       /* number of this rank's rows */
} SimRows;
/* Returns this rank's rows of a problem's vectors. Local. */
SimRows sim_problem_rows(const SimProblem *problem);

/* Returns the maximum of all ranks' codes on all ranks: the worst SimStatus, an exit code, or whether any rank has
 * 1. */
int sim_group_agree(const SimGroup *group, int code);
/* Replaces n numbers by their sums over all ranks, on all of them. The order of a sum's terms depends on the number of
 * ranks. */
void sim_group_sum(const SimGroup *group, double *numbers, int n);
/* Replaces n numbers by their maxima over all ranks, on all of them. */
void sim_group_max(const SimGroup *group, double *numbers, int n);

/* Copies the first rank's bytes to all ranks. */
void sim_group_share(const SimGroup *group, void *bytes, size_t size);
/* Copies all ranks' n numbers, in the order of ranks, to all ranks: all [size * n]. */
void sim_group_allgather(const SimGroup *group, const double *mine, int n, double *all);
/* Joins all ranks' pieces [count], of any lengths, in the order of ranks into whole on the first rank (NULL on the
 * others). entry: size of an entry, that of a double or 1. */
void sim_group_gather(const SimGroup *group, size_t entry, int count, const void *piece, void *whole);
/* Splits whole on the first rank into all ranks' pieces [count]; the inverse of sim_group_gather. */
void sim_group_scatter(const SimGroup *group, size_t entry, int count, const void *whole, void *piece);
/* Exchanges n numbers with both neighbours. first is sent to the previous rank and last to the next. before receives
 * the previous rank's last, and behind the next rank's first; 0 if there is no such rank. */
void sim_group_neighbours(const SimGroup *group, int n, const double *first, const double *last, double *before,
                          double *behind);
/* Sends n numbers to the next rank (way 1) or the previous one (way -1), which receives them with the same way. Does
 * nothing if there is no such rank. */
void sim_group_send(const SimGroup *group, int way, const double *numbers, int n);
/* Receives n numbers sent with the same way. Does nothing if there is no sender. */
void sim_group_receive(const SimGroup *group, int way, double *numbers, int n);

SIM_API_END

#endif
