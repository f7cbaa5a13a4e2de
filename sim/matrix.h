/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse matrices. Included by sim/internal.h. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

/* One rank's rows of a sparse matrix in compressed form. Row i of the rank has the entries start[i] .. start[i+1] - 1,
 * with ascending columns, each column at most once. If all pointers are NULL, the matrix is zero. */
typedef struct SimMatrix {
  int *start;    /* [count+1] index of each row's first entry */
  int *column;   /* [start[count]] column in the whole matrix, 0 .. d-1 */
  double *value; /* [start[count]] value of the entry */
} SimMatrix;

/* This rank's rows of the three matrices of equation (1), which are symmetric. */
typedef struct SimSparse {
  SimMatrix mass;      /* M in kg */
  SimMatrix stiffness; /* A in N/m */
  SimMatrix damping;   /* D in N s/m */
} SimSparse;

#endif
