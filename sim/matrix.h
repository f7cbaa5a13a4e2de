/* Sparse matrices, and forces given as functions. Included by sim/sim.h. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include "sim/api.h"

#include <stdbool.h>

SIM_API_BEGIN

/* One rank's rows of a sparse matrix in compressed form. The rank's row i has the entries start[i] .. start[i+1] - 1,
 * with ascending columns, each column at most once. All NULL: the zero matrix. */
typedef struct SimMatrix {
  int *start;    /* [count+1] */
  int *column;   /* [start[count]] column in the whole matrix, 0 .. d-1 */
  double *value; /* [start[count]] */
} SimMatrix;

/* This rank's rows of the matrices. */
typedef struct SimSparse {
  SimMatrix mass;      /* M, kg; all three are symmetric */
  SimMatrix stiffness; /* A, N/m */
  SimMatrix damping;   /* D, N s/m */
} SimSparse;

/* A force f as a function, used where a table over all times would be too large. */
typedef struct SimLoad {
  void *context; /* borrowed, outlives the model */
  /* f does not depend on t: it is evaluated at t = 0 only, once for each rollout, or once for a dense model */
  bool constant;
  /* Computes f [count], N, the rank's rows of f(t). It is called at the times sim_force_time(k), ascending within a
   * rollout, by one caller at a time. NULL: f = 0. */
  void (*at)(void *context, double t, double *f);
  /* When pieces are computed from `at`: number of additional equidistant times at which they are verified. A feature of
   * f that is narrower than their distance and lies between the other sample times may be missed. */
  long looks;
} SimLoad;

SIM_API_END

#endif
