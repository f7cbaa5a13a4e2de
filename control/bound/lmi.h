/* SPDX-License-Identifier: BSD-2-Clause */
/* A block: one matrix Q >= 0 of a program (program.h) during the solution, its dual matrix X >= 0, and the Newton steps
 * of Q and X. "own" variables belong to this matrix alone; "shared" variables belong to a time point (BoundPlace) and
 * are shared by all its matrices. */
#ifndef CONTROL_BOUND_LMI_H
#define CONTROL_BOUND_LMI_H

#include "control/bound/program.h"

typedef struct BoundBlock {
  const BoundLmi *lmi;
  const double *cost; /* cost of the time point (BoundPlace.cost), which is added to the matrix Q; NULL: none */
  double share;
  double *X, *Q, *W;     /* [n][n] each: dual matrix X, matrix Q of the program, inverse W of Q */
  double *dX, *dQ, *fix; /* dX, dQ: [n][n] steps of X and Q. fix: [n][n] second-order term of the step of X, from the
                          * previous step. */
  /* [own] each: own variables, their dual variables, the steps of both, the second-order term of the dual step, and a
   * right-hand side */
  double *own, *own_dual, *d_own, *d_dual, *own_fix, *own_rhs;
  double *oo, *os; /* oo: [own][own] Cholesky factor of the Hessian with respect to the own variables. os: [own][shared]
                    * rows of the Hessian for own and shared variables, multiplied by the inverse of this factor. */
} BoundBlock;

/* Workspace that is large enough for any matrix of a program. */
typedef struct BoundWork {
  double *gx, *gw, *t;       /* [rows][rows], [rows][rows], [rows][n]: G X G', G W G' where the rows of G are all rows
                              * of the matrix, and an intermediate product */
  double *h, *column, *term; /* [shared][shared], [columns], [terms]: Hessian of the shared variables, one number per
                              * column, one number per term */
  double *m, *eigen;         /* [2][n][n] scratch matrices; [4 n] scratch array for eigenvalues */
} BoundWork;

SimStatus bound_work_init(const BoundProgram *program, BoundWork *work);
void bound_work_clear(BoundWork *work);
SimStatus bound_block_init(const BoundLmi *lmi, const BoundPlace *place, BoundBlock *block);
void bound_block_clear(BoundBlock *block);

/* Computes the matrix Q from the variables `value` of the time point and from the own variables of the block. */
void bound_block_matrix(const BoundBlock *block, const double *value, const double *own, BoundWork *work, double *Q);
/* Computes the inverse W of the matrix Q. Returns false if Q is not positive definite. */
bool bound_block_invert(BoundBlock *block);
double bound_block_gap(const BoundBlock *block); /* Returns the duality gap of the block: the trace of X Q plus the
                                                  * products of own variables and their dual variables. */

/* Eliminates the own variables of the block. Adds the contribution of the block to the lower triangle of the Hessian H
 * [size][size] of the time point. Returns false if the Hessian with respect to the own variables is not positive
 * definite. */
bool bound_block_hessian(BoundBlock *block, BoundWork *work, int size, double *H);
/* Adds the block's contribution to the time point's right-hand side g [size], for a barrier with weight mu. */
void bound_block_right_side(BoundBlock *block, BoundWork *work, double mu, double *g);
/* Computes the Newton steps of the block's matrices and own variables from the step of the time point's variables. */
void bound_block_step(BoundBlock *block, BoundWork *work, double mu, const double *d_value);
/* Computes `fix`, the second-order term of Mehrotra's corrector, from the previous step. none: sets this term to 0. */
void bound_block_correct(BoundBlock *block, BoundWork *work, bool none);
/* Reduces the step lengths so that the matrices Q and X, the own variables and their dual variables stay positive.
 * part: fraction of the distance to the boundary that a step may cover. */
void bound_block_lengths(BoundBlock *block, BoundWork *work, double part, double *along_Q, double *along_X);

#endif
