/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of ranks. In sim only this file and the files for PETSc call MPI. */
#include "sim/group.h"

#include <stdlib.h>
#include <string.h>

struct SimGroup {
  MPI_Comm comm;
  int rank, size;
  /* [size] lengths and positions of the ranks' parts of a vector, while the first rank gathers or scatters the vector;
   * owned */
  int *counts, *firsts;
};

static bool reserve(SimGroup **out, int size) {
  SimGroup *group = *out = calloc(1, sizeof *group);
  if (!group) return false;
  group->counts = calloc(2 * (size_t)size, sizeof *group->counts);
  group->firsts = group->counts + size;
  return group->counts;
}

static void release(SimGroup *group) {
  if (group) free(group->counts);
  free(group);
}

SimStatus stiction_group_create(MPI_Comm comm, SimGroup **out) {
  SimGroup *group;
  int size = 1;
  *out = NULL;
  if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &size);
  if (size == 1) return SIM_OK;
  int missing = !reserve(&group, size);
  MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, comm);
  if (missing) {
    release(group);
    return SIM_NO_MEMORY;
  }
  MPI_Comm_dup(comm, &group->comm);
  MPI_Comm_rank(comm, &group->rank);
  group->size = size;
  *out = group;
  return SIM_OK;
}

void stiction_group_destroy(SimGroup *group) {
  if (!group) return;
  MPI_Comm_free(&group->comm);
  release(group);
}

MPI_Comm sim_group_comm(const SimGroup *group) { return group ? group->comm : MPI_COMM_SELF; }
int stiction_group_rank(const SimGroup *group) { return group ? group->rank : 0; }
int stiction_group_size(const SimGroup *group) { return group ? group->size : 1; }

SimRows sim_problem_rows(const SimProblem *problem) {
  return (SimRows){.group = problem->group, .d = problem->d, .first = problem->first, .count = problem->count};
}

static void reduce(const SimGroup *group, void *values, int n, MPI_Datatype type, MPI_Op op) {
  if (group) MPI_Allreduce(MPI_IN_PLACE, values, n, type, op, group->comm);
}

int sim_group_agree(const SimGroup *group, int code) {
  reduce(group, &code, 1, MPI_INT, MPI_MAX);
  return code;
}

void sim_group_sum(const SimGroup *group, double *numbers, int n) { reduce(group, numbers, n, MPI_DOUBLE, MPI_SUM); }
void sim_group_max(const SimGroup *group, double *numbers, int n) { reduce(group, numbers, n, MPI_DOUBLE, MPI_MAX); }

void sim_group_share(const SimGroup *group, void *bytes, size_t size) {
  enum { PIECE = 1 << 30 }; /* longer messages are sent in several parts, since MPI's counts have type int */
  for (size_t at = 0, piece; group && at < size; at += piece) {
    piece = size - at < PIECE ? size - at : PIECE;
    MPI_Bcast((char *)bytes + at, (int)piece, MPI_BYTE, 0, group->comm);
  }
}

void sim_group_allgather(const SimGroup *group, const double *mine, int n, double *all) {
  if (group)
    MPI_Allgather(mine, n, MPI_DOUBLE, all, n, MPI_DOUBLE, group->comm);
  else
    memcpy(all, mine, (size_t)n * sizeof *all);
}

static MPI_Datatype type_of(size_t entry) { return entry == sizeof(double) ? MPI_DOUBLE : MPI_BYTE; }

/* Sends the length of each rank's part to the first rank, which computes the positions of the parts. */
static void lay_out(const SimGroup *group, int count) {
  MPI_Gather(&count, 1, MPI_INT, group->counts, 1, MPI_INT, 0, group->comm);
  for (int r = 1; r < group->size; r++) group->firsts[r] = group->firsts[r - 1] + group->counts[r - 1];
}

void sim_group_gather(const SimGroup *group, size_t entry, int count, const void *piece, void *whole) {
  MPI_Datatype type = type_of(entry);
  if (!group) {
    memcpy(whole, piece, (size_t)count * entry);
    return;
  }
  lay_out(group, count);
  MPI_Gatherv(piece, count, type, whole, group->counts, group->firsts, type, 0, group->comm);
}

void sim_group_scatter(const SimGroup *group, size_t entry, int count, const void *whole, void *piece) {
  MPI_Datatype type = type_of(entry);
  if (!group) {
    memcpy(piece, whole, (size_t)count * entry);
    return;
  }
  lay_out(group, count);
  MPI_Scatterv(whole, group->counts, group->firsts, type, piece, count, type, 0, group->comm);
}

/* Returns the rank at distance `way` from this one; MPI_PROC_NULL if there is none. */
static int rank_beside(const SimGroup *group, int way) {
  int rank = group->rank + way;
  return rank >= 0 && rank < group->size ? rank : MPI_PROC_NULL;
}

void sim_group_neighbours(const SimGroup *group, int n, const double *first, const double *last, double *before,
                          double *behind) {
  for (int i = 0; i < n; i++) before[i] = behind[i] = 0;
  if (!group) return;
  int left = rank_beside(group, -1), right = rank_beside(group, 1);
  MPI_Sendrecv(last, n, MPI_DOUBLE, right, 0, before, n, MPI_DOUBLE, left, 0, group->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(first, n, MPI_DOUBLE, left, 1, behind, n, MPI_DOUBLE, right, 1, group->comm, MPI_STATUS_IGNORE);
}

void sim_group_send(const SimGroup *group, int way, const double *numbers, int n) {
  if (group) MPI_Send(numbers, n, MPI_DOUBLE, rank_beside(group, way), 2, group->comm);
}

void sim_group_receive(const SimGroup *group, int way, double *numbers, int n) {
  if (group) MPI_Recv(numbers, n, MPI_DOUBLE, rank_beside(group, -way), 2, group->comm, MPI_STATUS_IGNORE);
}
