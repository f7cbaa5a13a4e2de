/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse matrices. A part of sim/internal.h. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

/* One rank's rows of a sparse matrix in compressed form. The rank's row i has the entries start[i] .. start[i+1] - 1,
 * with ascending columns, each column at most once. All NULL: the zero matrix. */
typedef struct SimMatrix {
  int *start;    /* [count+1] */
  int *column;   /* [start[count]] column in the whole matrix, 0 .. d-1 */
  double *value; /* [start[count]] value of the entry */
} SimMatrix;

/* This rank's rows of the matrices. */
typedef struct SimSparse {
  SimMatrix mass;      /* M in kg; all three are symmetric */
  SimMatrix stiffness; /* A in N/m */
  SimMatrix damping;   /* D in N s/m */
} SimSparse;

#endif
