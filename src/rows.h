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

/* Sums on the first rank, in place. */
void rows_sum(const Rows *rows, int n, long *sums);

/* The largest of everyone's codes. */
int rows_agree(const Rows *rows, int code);

#endif
