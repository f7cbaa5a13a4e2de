/* SPDX-License-Identifier: BSD-2-Clause */
/* Linear system of a Newton step. A node is the set of variables of the test function V at one Bernstein coefficient in
 * time. A time point (BoundPlace) is a coefficient, or a time of a jump or an end, at which matrices must be positive
 * semidefinite (program.h). A time point has local variables and depends on a few neighbouring nodes. After the local
 * variables of each time point have been eliminated, the system of the node variables is banded. */
#ifndef CONTROL_BOUND_CHAIN_H
#define CONTROL_BOUND_CHAIN_H

#include "control/bound/lmi.h"

typedef struct BoundChain {
  const BoundProgram *program;
  int rest;  /* number of variables of a time point that depend on nodes: parts times node_size (program.h) */
  int width; /* width of the matrix's band: number of entries of a column from the diagonal down */
  /* Regularisation: this fraction of each diagonal entry of the matrix is added to the entry. Without it the matrix
   * could be singular, since some changes of the test function V, for example by a constant, have no effect on the
   * program. */
  double dependent;
  double *band;   /* [nodes node_size][width] lower triangle of the banded matrix by columns, overwritten by its
                   * Cholesky factor */
  double *plain;  /* copy of `band` before the factorisation */
  double *room;   /* [4][nodes node_size] workspace of conjugate gradients */
  double **place; /* for each time point: Cholesky factor [local][local] of the block of the matrix for its local
                   * variables, then the eliminated rows [local][rest] */
  double *whole;  /* [size][size] workspace for the system of one time point */
} BoundChain;

SimStatus bound_chain_init(const BoundProgram *program, BoundChain *chain);
void bound_chain_clear(BoundChain *chain);

void bound_chain_start(BoundChain *chain); /* sets the matrix to zero, before the time points are added */
/* returns zeroed workspace for the matrix of a time point; the caller fills the lower triangle */
double *bound_chain_place(BoundChain *chain, int place);
/* Eliminates the local variables of the time point and adds the remaining part of its matrix to the banded matrix of
 * all nodes. Returns false if the local part is not positive definite. */
bool bound_chain_add(BoundChain *chain, int place);
bool bound_chain_factor(BoundChain *chain); /* factors the banded matrix; returns false if this matrix is not
                                             * positive definite */

/* Eliminates the local variables from the right-hand side g [size] of a time point. The entries of g for the local
 * variables are overwritten by intermediate values for bound_chain_local; the others are added to `node`
 * [nodes][node_size], the right-hand side of the variables of V at all nodes. */
void bound_chain_reduce(const BoundChain *chain, int place, double *g, double *node);
void bound_chain_solve(const BoundChain *chain, double *node);
/* Computes the entries of the Newton step d [size] for the local variables of a time point, from g as left by
 * bound_chain_reduce and from the other entries of d, those for the variables of V at the nodes. */
void bound_chain_local(const BoundChain *chain, int place, const double *g, double *d);

#endif
