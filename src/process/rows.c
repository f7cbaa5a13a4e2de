#include "src/process/rows.h"

#include <string.h>

Rows rows_of(const SimProblem *problem, MPI_Comm comm) {
  Rows rows = {.d = problem->d, .first = problem->first, .count = problem->count, .comm = comm};
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

static MPI_Datatype type_of(size_t size) { return size == sizeof(double) ? MPI_DOUBLE : MPI_BYTE; }

static int ranks_of(const Rows *rows) {
  int ranks = 1;
  if (rows->comm != MPI_COMM_NULL) MPI_Comm_size(rows->comm, &ranks);
  return ranks;
}

void rows_collect(const Rows *rows, size_t size, const void *piece, void *whole) {
  if (rows->rank > 0) {
    MPI_Send(piece, rows->count, type_of(size), 0, 0, rows->comm);
    return;
  }
  memcpy(whole, piece, (size_t)rows->count * size);
  for (int r = 1, at = rows->count, count; r < ranks_of(rows); r++, at += count) {
    MPI_Status status;
    MPI_Recv((char *)whole + (size_t)at * size, rows->d - at, type_of(size), r, 0, rows->comm, &status);
    MPI_Get_count(&status, type_of(size), &count);
  }
}

void rows_deal(const Rows *rows, size_t size, const void *whole, void *piece) {
  if (rows->rank > 0) {
    MPI_Send(&rows->count, 1, MPI_INT, 0, 0, rows->comm);
    MPI_Recv(piece, rows->count, type_of(size), 0, 0, rows->comm, MPI_STATUS_IGNORE);
    return;
  }
  memcpy(piece, whole, (size_t)rows->count * size);
  for (int r = 1, at = rows->count, count; r < ranks_of(rows); r++, at += count) {
    MPI_Recv(&count, 1, MPI_INT, r, 0, rows->comm, MPI_STATUS_IGNORE);
    MPI_Send((const char *)whole + (size_t)at * size, count, type_of(size), r, 0, rows->comm);
  }
}

void rows_share(const Rows *rows, size_t size, void *bytes) {
  if (rows->comm != MPI_COMM_NULL) MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, rows->comm);
}

void rows_max(const Rows *rows, int n, double *numbers) {
  if (rows->comm != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, numbers, n, MPI_DOUBLE, MPI_MAX, rows->comm);
}
