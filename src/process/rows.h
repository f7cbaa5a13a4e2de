/* Which rows of a model's vectors this process holds, and how to bring them together. */
#ifndef SRC_ROWS_H
#define SRC_ROWS_H

#include "sim/sim.h"

#include <mpi.h>

typedef struct Rows {
  int d;            /* all */
  int first, count; /* mine; all of them when I am alone */
  MPI_Comm
      comm; /* of those who share them, in the order of their rows; MPI_COMM_NULL: I am alone, perhaps without MPI */
  int rank; /* in comm; 0 when alone */
} Rows;

/* comm: the ranks of the problem's group; MPI_COMM_NULL when it has none. */
Rows rows_of(const SimProblem *problem, MPI_Comm comm);

/* Brings n vectors [n][d] together on the first rank, where everyone has filled in his own rows and zeros elsewhere.
 * Collective over rows->comm, as all below. */
void rows_gather(const Rows *rows, int n, double *vectors);

/* One vector of everyone's pieces [count], whole [d] on the first rank (NULL elsewhere), and the way back; size: of an
 * entry, that of a double or 1. */
void rows_collect(const Rows *rows, size_t size, const void *piece, void *whole);
void rows_deal(const Rows *rows, size_t size, const void *whole, void *piece);

/* Sums on the first rank, in place. */
void rows_sum(const Rows *rows, int n, long *sums);

/* The first rank's bytes, to all. */
void rows_share(const Rows *rows, size_t size, void *bytes);

/* The largest of everyone's numbers, in place. */
void rows_max(const Rows *rows, int n, double *numbers);

/* The largest of everyone's codes. */
int rows_agree(const Rows *rows, int code);

#endif
