/* Groups of ranks and the start of PETSc: with sparse_petsc.c the only files of sim that call MPI or PETSc. */
#include "sim/group.h"
#include "sim/operator/sparse.h"

#include <stdlib.h>

struct SimGroup {
  MPI_Comm comm;
  int rank, size;
};

/* PETSc's memory, zero when it is taken: some of its solvers (POUNDERS, 3.18) read entries that they have not written, and
 * the same problem must give the same bits whatever has been in that memory before. What PETSc has taken before these are
 * set is of malloc's kind, too. */
static PetscErrorCode take_memory(size_t size, PetscBool clear, int line, const char function[], const char file[],
                                  void **memory) {
  (void)clear, (void)line, (void)function, (void)file;
  *memory = size ? calloc(1, size) : NULL;
  return *memory || !size ? 0 : PETSC_ERR_MEM;
}

static PetscErrorCode give_memory(void *memory, int line, const char function[], const char file[]) {
  (void)line, (void)function, (void)file;
  free(memory);
  return 0;
}

static PetscErrorCode resize_memory(size_t size, int line, const char function[], const char file[], void **memory) {
  (void)line, (void)function, (void)file;
  void *moved = size ? realloc(*memory, size) : NULL;
  if (size && !moved) return PETSC_ERR_MEM;
  if (!size) free(*memory);
  *memory = moved;
  return 0;
}

SimStatus sim_petsc_start(const char *options) {
  PetscBool started = PETSC_FALSE;
  if (PetscInitialized(&started)) return SIM_BAD_PROBLEM;
  if (!started) {
    char name[] = "stiction", quiet[] = "-no_signal_handler";
    char *arguments[] = {name, quiet, NULL}, **argv = arguments;
    int argc = 2;
    PETSC_MPI_THREAD_REQUIRED = MPI_THREAD_SERIALIZED; /* a caller may use it from several threads in turn */
    PetscBool debugged = PETSC_FALSE; /* by PETSc's own allocator (-malloc_debug), which does not like others */
    if (PetscInitialize(&argc, &argv, NULL, NULL)) return SIM_BAD_PROBLEM;
    PetscMallocGetDebug(&debugged, NULL, NULL);
    if (!debugged && PetscMallocSet(take_memory, give_memory, resize_memory)) return SIM_BAD_PROBLEM;
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  }
  if (options && PetscOptionsInsertString(NULL, options)) return SIM_BAD_PROBLEM;
  return SIM_OK;
}

void sim_petsc_stop(void) {
  PetscBool started = PETSC_FALSE;
  PetscInitialized(&started);
  if (started) PetscFinalize();
}

SimStatus sim_group_create(MPI_Comm comm, SimGroup **out) {
  SimGroup *group = calloc(1, sizeof *group);
  int missing = !group;
  *out = NULL;
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, comm);
  if (missing) {
    free(group);
    return SIM_NO_MEMORY;
  }
  MPI_Comm_dup(comm, &group->comm);
  MPI_Comm_rank(comm, &group->rank);
  MPI_Comm_size(comm, &group->size);
  *out = group;
  return SIM_OK;
}

void sim_group_destroy(SimGroup *group) {
  if (!group) return;
  MPI_Comm_free(&group->comm);
  free(group);
}

MPI_Comm sim_group_comm(const SimGroup *group) { return group ? group->comm : MPI_COMM_SELF; }
int sim_group_rank(const SimGroup *group) { return group ? group->rank : 0; }
int sim_group_size(const SimGroup *group) { return group ? group->size : 1; }

static void reduce(const SimGroup *group, double *values, int n, MPI_Op op) {
  if (group && group->size > 1) MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, op, group->comm);
}

void group_sum(const SimGroup *group, double *values, int n) { reduce(group, values, n, MPI_SUM); }
void group_max(const SimGroup *group, double *values, int n) { reduce(group, values, n, MPI_MAX); }

void group_gather(const SimGroup *group, const double *mine, int n, double *all) {
  MPI_Allgather(mine, n, MPI_DOUBLE, all, n, MPI_DOUBLE, sim_group_comm(group));
}

void group_neighbours(const SimGroup *group, double first, double last, double beyond[2]) {
  beyond[0] = beyond[1] = 0;
  if (!group || group->size == 1) return;
  int before = group->rank > 0 ? group->rank - 1 : MPI_PROC_NULL;
  int behind = group->rank < group->size - 1 ? group->rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&last, 1, MPI_DOUBLE, behind, 0, &beyond[0], 1, MPI_DOUBLE, before, 0, group->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&first, 1, MPI_DOUBLE, before, 1, &beyond[1], 1, MPI_DOUBLE, behind, 1, group->comm, MPI_STATUS_IGNORE);
}

int group_place(const SimGroup *group, int *rank) {
  *rank = sim_group_rank(group);
  return sim_group_size(group);
}

SimStatus group_agree(const SimGroup *group, SimStatus status) {
  double worst = status;
  group_max(group, &worst, 1);
  return (SimStatus)worst;
}
