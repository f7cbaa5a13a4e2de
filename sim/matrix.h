/* Sparse matrices and loads of problems too large for tables. Included by sim/sim.h. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include "sim/api.h"

#include <stdbool.h>

SIM_API_BEGIN

/* A sparse matrix's rows of one rank, compressed: row i (the rank's i-th) has the entries start[i] .. start[i+1] - 1, by
 * ascending column, each column at most once. All NULL: the zero matrix. */
typedef struct SimMatrix {
  int *start;    /* [count+1] */
  int *column;   /* [start[count]] in the whole matrix, 0 .. d-1 */
  double *value; /* [start[count]] */
} SimMatrix;

/* This rank's rows of the matrices. */
typedef struct SimSparse {
  SimMatrix mass;      /* M, kg; symmetric, as the other two */
  SimMatrix stiffness; /* A, N/m */
  SimMatrix damping;   /* D, N s/m */
} SimSparse;

/* f, for problems too large to tabulate it over all times. */
typedef struct SimLoad {
  void *context; /* borrowed, outlives the model */
  bool constant; /* f does not depend on t: asked at t = 0 alone, once a rollout; a dense model asks once for all */
  /* f [count]: the rank's rows of f(t), N. Asked at the times sim_force_time(k), ascending within a rollout, by one caller
   * at a time. NULL: f = 0. */
  void (*at)(void *context, double t, double *f);
  long
      looks; /* where pieces are made of it: at so many places besides, in equal steps, whether they hold; what is narrower and lies
               * between the places where a piece asks may be missed */
} SimLoad;

SIM_API_END

#endif
