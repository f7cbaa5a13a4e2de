/* The ranks that evaluate one large model together. The one public header of sim that knows of MPI (through PETSc): who
 * has no group (SimSparse.group = NULL) needs none of it, unless the model takes PETSc's solvers. */
#ifndef SIM_GROUP_H
#define SIM_GROUP_H

#include "sim/sim.h"

#include <petscsys.h>

/* Starts PETSc, without its signal handlers: before the first group or SIM_SPARSE model. Collective over MPI_COMM_WORLD,
 * and initialises MPI if nobody has (as one process). options: PETSc options, of which the solvers of the steps' linear
 * systems read those with the prefix -step_ ("-step_ksp_type cg -step_pc_type jacobi"); may be NULL. SIM_OK, or
 * SIM_BAD_PROBLEM when PETSc refuses (an option it cannot parse). */
SimStatus sim_petsc_start(const char *options);
void sim_petsc_stop(void); /* after the last model; collective over MPI_COMM_WORLD; does nothing when not started */

/* A group of the ranks of comm, which is duplicated. Collective over comm. SIM_OK, SIM_NO_MEMORY. */
SimStatus sim_group_create(MPI_Comm comm, SimGroup **group);
void sim_group_destroy(SimGroup *group);
MPI_Comm sim_group_comm(const SimGroup *group); /* MPI_COMM_SELF of NULL */
int sim_group_rank(const SimGroup *group);      /* 0 of NULL */
int sim_group_size(const SimGroup *group);      /* 1 of NULL */

#endif
