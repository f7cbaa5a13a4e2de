/* One matrix of a program during its solution: Q >= 0, its dual X >= 0, and their Newton step. */
#ifndef CONTROL_BOUND_LMI_H
#define CONTROL_BOUND_LMI_H

#include "control/bound/program.h"

typedef struct BoundBlock {
  const BoundLmi *lmi;
  const double *cost; /* cost of the place; NULL: none */
  double share;
  double *X, *Q, *W;     /* [n][n]; W = Q^-1 */
  double *dX, *dQ, *fix; /* [n][n] steps; fix: second-order term of the last step for X */
  double *own, *own_dual, *d_own, *d_dual, *own_fix, *own_rhs; /* [own] */
  double *oo, *os;                                             /* [own][own] factor, [own][shared] eliminated rows */
} BoundBlock;

/* Workspace for any matrix of a program. */
typedef struct BoundWork {
  double *gx, *gw, *t;       /* [rows][rows], [rows][rows], [rows][n] */
  double *h, *column, *term; /* [shared][shared], [columns], [terms] */
  double *m, *eigen;         /* [2][n][n], [4 n] */
} BoundWork;

SimStatus bound_work_init(const BoundProgram *program, BoundWork *work);
void bound_work_clear(BoundWork *work);
SimStatus bound_block_init(const BoundLmi *lmi, const BoundPlace *place, BoundBlock *block);
void bound_block_clear(BoundBlock *block);

/* Computes Q from the place's variables and the own ones. */
void bound_block_matrix(const BoundBlock *block, const double *value, const double *own, BoundWork *work, double *Q);
/* Computes W = Q^-1. Returns false if Q is not positive definite. */
bool bound_block_invert(BoundBlock *block);
double bound_block_gap(const BoundBlock *block); /* <X, Q> plus the gap of the own variables */

/* Adds the matrix's contribution to H [size][size] of the place's system, lower triangle, with the own variables
 * eliminated. Returns false if it is not positive definite. */
bool bound_block_hessian(BoundBlock *block, BoundWork *work, int size, double *H);
/* Adds to g [size] the right-hand side for a barrier of weight mu. */
void bound_block_right_side(BoundBlock *block, BoundWork *work, double mu, double *g);
/* Computes the block's steps from the step of the place's variables. */
void bound_block_step(BoundBlock *block, BoundWork *work, double mu, const double *d_value);
/* Computes `fix`, the second-order term of the last step; none: sets it to 0. */
void bound_block_correct(BoundBlock *block, BoundWork *work, bool none);
/* Reduces the step lengths so that Q, own variables, X and own duals stay positive, with `part` of the way to the
 * boundary. */
void bound_block_lengths(BoundBlock *block, BoundWork *work, double part, double *along_Q, double *along_X);

#endif
