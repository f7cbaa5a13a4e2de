/* Groups of ranks: who evaluates one large model together, or agrees on what all do next. The one header of sim that knows
 * of MPI.
 *
 * NULL is the group of this process alone, for which MPI need not be initialised: of it, every call below does what it
 * would do with one rank. But for rank, size, comm and destroy all are collective over the group. */
#ifndef SIM_GROUP_H
#define SIM_GROUP_H

#include "sim/sim.h"

#include <mpi.h>

SIM_API_BEGIN

/* Whether mpirun, or another starter of ranks, has started this process: MPI_Init then joins it to the others. Local. */
bool sim_mpi_launched(void);

/* Starts PETSc, without its signal handlers: before the first group or model of sparse storage, or search by a method of
 * PETSc's. Collective over MPI_COMM_WORLD, and initialises MPI if nobody has. options: PETSc options, of which the solvers of
 * the steps' linear systems read those with the prefix -step_ ("-step_ksp_type cg -step_pc_type jacobi"); may be NULL. SIM_OK,
 * SIM_BAD_PROBLEM when PETSc refuses (an option it cannot parse), or SIM_BAD_ARGUMENT where it cannot be loaded (sim_status_text tells why): its library
 * is loaded by this.
 *
 * It sets what is the whole process's: PETSc's memory is zero when it is taken (PetscMallocSet), for some of its solvers read what
 * they have not written, and the answer must be the same bits; PETSc's errors are returned, not printed. Not so in a process that has
 * called PetscInitialize itself: there allocator and error handler stay, only the options are given, and with PETSc's own
 * allocator the bits of searches by PETSc's methods may vary. */
SimStatus sim_petsc_start(const char *options);
/* Of what a call of PETSc returned: SIM_OK, SIM_NO_MEMORY or, of all else, SIM_BAD_PROBLEM. PETSC_ERR_MEM is no memory, and so
 * is 1, which PETSc 3.18 makes of it where an object has none: PetscHeaderCreate is `PetscNew(..) || ..`. */
SimStatus sim_petsc_status(int error);
void sim_petsc_stop(void); /* after the last model; collective over MPI_COMM_WORLD; does nothing when not started */

/* A group of the ranks of comm, which is duplicated; NULL if comm has one rank or is MPI_COMM_NULL. Collective over comm.
 * SIM_OK, SIM_NO_MEMORY, on all. */
SimStatus sim_group_create(MPI_Comm comm, SimGroup **group);
void sim_group_destroy(SimGroup *group);        /* collective, may be NULL */
MPI_Comm sim_group_comm(const SimGroup *group); /* MPI_COMM_SELF of NULL */
int sim_group_rank(const SimGroup *group);      /* 0 of NULL */
int sim_group_size(const SimGroup *group);      /* 1 of NULL */

/* Which rows of a model's vectors this rank holds, and with whom it shares them. Local. */
typedef struct SimRows {
  SimGroup *group; /* borrowed; the ranks have consecutive rows */
  int d;           /* number of all rows */
  int first;       /* this rank's first row, from 0 */
  int count;       /* number of this rank's rows */
} SimRows;
/* Returns this rank's rows of a problem's vectors. Local. */
SimRows sim_problem_rows(const SimProblem *problem);

/* The largest of everyone's codes, on all: the worst SimStatus, an exit code, whether anyone says 1. */
int sim_group_agree(const SimGroup *group, int code);
/* Replaces n numbers by their sums over all ranks, on all of them. The order of a sum's terms depends on the number of ranks. */
void sim_group_sum(const SimGroup *group, double *numbers, int n);
/* Replaces n numbers by their maxima over all ranks, on all of them. */
void sim_group_max(const SimGroup *group, double *numbers, int n);

/* The first rank's bytes, to all. */
void sim_group_share(const SimGroup *group, void *bytes, size_t size);
/* Every rank's n numbers in the order of ranks, on all: all [size * n]. */
void sim_group_allgather(const SimGroup *group, const double *mine, int n, double *all);
/* A vector in pieces of any lengths, one after the other in the order of ranks: everyone's piece [count] to whole, on the
 * first rank (NULL elsewhere). entry: size of an entry, that of a double or 1. */
void sim_group_gather(const SimGroup *group, size_t entry, int count, const void *piece, void *whole);
/* The way back of sim_group_gather: whole, on the first rank, to everyone's piece [count]. */
void sim_group_scatter(const SimGroup *group, size_t entry, int count, const void *whole, void *piece);
/* n numbers each: first go to the rank before, last to the one behind; before become that one's last, behind this one's
 * first; 0 where there is none. */
void sim_group_neighbours(const SimGroup *group, int n, const double *first, const double *last, double *before,
                          double *behind);
/* From rank to rank: n numbers to the one behind this one (way 1) or before it (-1), which receives them with the same way.
 * Nothing where there is none. */
void sim_group_send(const SimGroup *group, int way, const double *numbers, int n);
/* Receives what sim_group_send has sent with the same way. */
void sim_group_receive(const SimGroup *group, int way, double *numbers, int n);

SIM_API_END

#endif
