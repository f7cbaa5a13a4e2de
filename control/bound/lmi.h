/* One matrix of a program during the solution: Q >= 0, its dual X >= 0, and the Newton step of both. */
#ifndef CONTROL_BOUND_LMI_H
#define CONTROL_BOUND_LMI_H

#include "control/bound/program.h"

typedef struct BoundBlock {
  const BoundLmi *lmi;
  const double *cost; /* cost of the place, which is added to the matrix; NULL: none */
  double share;
  double *X, *Q, *W;     /* [n][n]; W = Q^-1 */
  double *dX, *dQ, *fix; /* [n][n] steps of X and Q; fix: second-order term of X from the previous step */
  double *own, *own_dual, *d_own, *d_dual, *own_fix, *own_rhs; /* [own] */
  double *oo, *os; /* [own][own] factor of the own variables' part; [own][shared] eliminated rows */
} BoundBlock;

/* Workspace that is large enough for any matrix of a program. */
typedef struct BoundWork {
  double *gx, *gw, *t;       /* [rows][rows], [rows][rows], [rows][n] */
  double *h, *column, *term; /* [shared][shared], [columns], [terms] */
  double *m, *eigen;         /* [2][n][n], [4 n] */
} BoundWork;

SimStatus bound_work_init(const BoundProgram *program, BoundWork *work);
void bound_work_clear(BoundWork *work);
SimStatus bound_block_init(const BoundLmi *lmi, const BoundPlace *place, BoundBlock *block);
void bound_block_clear(BoundBlock *block);

/* Computes Q from the variables of the place and the own variables. */
void bound_block_matrix(const BoundBlock *block, const double *value, const double *own, BoundWork *work, double *Q);
/* Computes the inverse W of Q. Returns false if Q is not positive definite. */
bool bound_block_invert(BoundBlock *block);
double bound_block_gap(const BoundBlock *block); /* Returns the trace of X Q plus the gap of the own variables. */

/* Adds the matrix's contribution to the Hessian H [size][size] of the place, lower triangle, after eliminating the own
 * variables. Returns false if their part is not positive definite. */
bool bound_block_hessian(BoundBlock *block, BoundWork *work, int size, double *H);
/* Adds the right-hand side for a barrier with weight mu to g [size]. */
void bound_block_right_side(BoundBlock *block, BoundWork *work, double mu, double *g);
/* Computes the steps of the block from the step of the place's variables. */
void bound_block_step(BoundBlock *block, BoundWork *work, double mu, const double *d_value);
/* Computes `fix`, the second-order term of the previous step. none: sets it to 0. */
void bound_block_correct(BoundBlock *block, BoundWork *work, bool none);
/* Reduces the step lengths so that Q, the own variables, X and the own duals stay positive. `part` is the fraction of
 * the way to the boundary that a step may use. */
void bound_block_lengths(BoundBlock *block, BoundWork *work, double part, double *along_Q, double *along_X);

#endif
