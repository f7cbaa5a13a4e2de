#include "src/rows.h"

Rows rows_of(const SimProblem *problem, MPI_Comm comm) {
  Rows rows = {.d = problem->d, .count = problem->d, .comm = comm};
  if (problem->kind == SIM_SPARSE) {
    rows.first = problem->sparse.first;
    rows.count = problem->sparse.count;
  }
  if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &rows.rank);
  return rows;
}

static void sum_up(const Rows *rows, int n, MPI_Datatype type, void *numbers) {
  if (rows->comm == MPI_COMM_NULL) return;
  if (rows->rank == 0)
    MPI_Reduce(MPI_IN_PLACE, numbers, n, type, MPI_SUM, 0, rows->comm);
  else
    MPI_Reduce(numbers, NULL, n, type, MPI_SUM, 0, rows->comm);
}

void rows_gather(const Rows *rows, int n, double *vectors) {
  for (int k = 0; k < n; k++) sum_up(rows, rows->d, MPI_DOUBLE, vectors + (size_t)k * (size_t)rows->d);
}

void rows_sum(const Rows *rows, int n, long *sums) { sum_up(rows, n, MPI_LONG, sums); }

int rows_agree(const Rows *rows, int code) {
  int all = code;
  if (rows->comm != MPI_COMM_NULL) MPI_Allreduce(&code, &all, 1, MPI_INT, MPI_MAX, rows->comm);
  return all;
}
