/* One matrix of a program in the middle of its solution: Q >= 0 and its dual X >= 0, with what a step of Newton has of it. */
#ifndef CONTROL_BOUND_LMI_H
#define CONTROL_BOUND_LMI_H

#include "control/bound/program.h"

typedef struct BoundBlock {
  const BoundLmi *lmi;
  const double *cost; /* of the place; NULL: none */
  double share;
  double *X, *Q, *W;     /* [n][n]; W = Q^-1 */
  double *dX, *dQ, *fix; /* [n][n] steps; fix: what the second order of the last step makes of X */
  double *own, *own_dual, *d_own, *d_dual, *own_fix, *own_rhs; /* [own] */
  double *oo, *os; /* [own][own] factor, [own][shared] of what was eliminated */
} BoundBlock;

/* Room for the work of any matrix of a program. */
typedef struct BoundWork {
  double *gx, *gw, *t;       /* [rows][rows], [rows][rows], [rows][n] */
  double *h, *column, *term; /* [shared][shared], [columns], [terms] */
  double *m, *eigen;         /* [2][n][n], [4 n] */
} BoundWork;

SimStatus bound_work_init(const BoundProgram *program, BoundWork *work);
void bound_work_clear(BoundWork *work);
SimStatus bound_block_init(const BoundLmi *lmi, const BoundPlace *place, BoundBlock *block);
void bound_block_clear(BoundBlock *block);

/* Q of a place's variables and own ones. */
void bound_block_matrix(const BoundBlock *block, const double *value, const double *own, BoundWork *work, double *Q);
/* W of Q; false: Q is not positive definite. */
bool bound_block_invert(BoundBlock *block);
double bound_block_gap(const BoundBlock *block); /* <X, Q> and that of own ones */

/* Adds to H [size][size], lower triangle, what the matrix makes of the place's system, own variables eliminated; false: it is not
 * positive definite. */
bool bound_block_hessian(BoundBlock *block, BoundWork *work, int size, double *H);
/* Adds to g [size] the right-hand side for a barrier of weight mu. */
void bound_block_right_side(BoundBlock *block, BoundWork *work, double mu, double *g);
/* The steps of all of the block's, by that of the place's variables. */
void bound_block_step(BoundBlock *block, BoundWork *work, double mu, const double *d_value);
/* Second order: fix, of the last step. none: no more. */
void bound_block_correct(BoundBlock *block, BoundWork *work, bool none);
/* Shrinks the lengths of steps until Q, own ones and X, own duals stay where they may be, `part` of the way to the edge. */
void bound_block_lengths(BoundBlock *block, BoundWork *work, double part, double *along_Q, double *along_X);

#endif
