/* A block: one matrix Q >= 0 of a program (program.h) during the solution, its dual X >= 0, and the Newton steps of
 * both. "own" variables belong to this matrix alone; "shared" variables belong to its place and are shared by the
 * place's matrices. */
#ifndef CONTROL_BOUND_LMI_H
#define CONTROL_BOUND_LMI_H

#include "control/bound/program.h"

typedef struct BoundBlock {
  const BoundLmi *lmi;
  const double *cost; /* cost of the place (BoundPlace.cost), which is added to the matrix; NULL: none */
  double share;
  double *X, *Q, *W;     /* [n][n] each: dual matrix X, matrix Q of the program, inverse W of Q */
  double *dX, *dQ, *fix; /* dX, dQ: [n][n] steps of X and Q. fix: [n][n] second-order term of the step of X, from the
                          * previous step. */
  double *own, *own_dual, *d_own, *d_dual, *own_fix, *own_rhs; /* [own] each: own variables, their duals, the steps
                                                                * of both, the second-order term of the duals' step,
                                                                * and a right-hand side */
  double *oo, *os; /* oo: [own][own] factor of the own variables' part of the Hessian. os: [own][shared] eliminated
                    * rows. */
} BoundBlock;

/* Workspace that is large enough for any matrix of a program. */
typedef struct BoundWork {
  double *gx, *gw, *t;       /* [rows][rows], [rows][rows], [rows][n]: products of all rows with X and with W, and an
                              * intermediate product */
  double *h, *column, *term; /* [shared][shared], [columns], [terms]: Hessian of the shared variables, one number per
                              * column, one number per term */
  double *m, *eigen;         /* [2][n][n] scratch matrices, [4 n] scratch for eigenvalues */
} BoundWork;

SimStatus bound_work_init(const BoundProgram *program, BoundWork *work);
void bound_work_clear(BoundWork *work);
SimStatus bound_block_init(const BoundLmi *lmi, const BoundPlace *place, BoundBlock *block);
void bound_block_clear(BoundBlock *block);

/* Computes Q from the variables `value` of the place and from the own variables. */
void bound_block_matrix(const BoundBlock *block, const double *value, const double *own, BoundWork *work, double *Q);
/* Computes the inverse W of Q. Returns false if Q is not positive definite. */
bool bound_block_invert(BoundBlock *block);
double bound_block_gap(const BoundBlock *block); /* Returns the duality gap of the block: the trace of X Q plus the
                                                  * products of own variables and their duals. */

/* Eliminates the own variables. Adds the block's contribution to the lower triangle of the Hessian H [size][size] of
 * the place. Returns false if the own variables' part is not positive definite. */
bool bound_block_hessian(BoundBlock *block, BoundWork *work, int size, double *H);
/* Adds the block's contribution to the place's right-hand side g [size], for a barrier with weight mu. */
void bound_block_right_side(BoundBlock *block, BoundWork *work, double mu, double *g);
/* Computes the steps of the block from the step of the place's variables. */
void bound_block_step(BoundBlock *block, BoundWork *work, double mu, const double *d_value);
/* Computes `fix`, the second-order term of the previous step. none: sets it to 0. */
void bound_block_correct(BoundBlock *block, BoundWork *work, bool none);
/* Reduces the step lengths so that Q, the own variables, X and the duals of own variables stay positive. `part` is the
 * fraction of the way to the boundary that a step may use. */
void bound_block_lengths(BoundBlock *block, BoundWork *work, double part, double *along_Q, double *along_X);

#endif
