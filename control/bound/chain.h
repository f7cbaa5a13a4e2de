/* Linear system of a Newton step. The variables of a node are those of V at one Bernstein coefficient in time. A
 * place is a time at which matrices must be positive semidefinite (program.h). It has local variables and depends on
 * a few neighbouring nodes. The system is therefore banded after the local variables of each place have been
 * eliminated. */
#ifndef CONTROL_BOUND_CHAIN_H
#define CONTROL_BOUND_CHAIN_H

#include "control/bound/lmi.h"

typedef struct BoundChain {
  const BoundProgram *program;
  int rest;  /* number of variables of a place that come from nodes: parts times node_size (program.h) */
  int width; /* width of the band: number of entries of a column from the diagonal down */
  /* Number added to the diagonal, as a fraction of the diagonal entry. Without it the matrix would be singular, because
   * some changes of V, for example by a constant, have no effect. */
  double dependent;
  double *band;   /* [nodes node_size][width] lower triangle by columns, overwritten by its factor */
  double *plain;  /* copy of the band before factorisation */
  double *room;   /* [4][nodes node_size] workspace of conjugate gradients */
  double **place; /* for each place: factor [local][local] of the part of its local variables, and the eliminated
                   * rows [local][rest] */
  double *whole;  /* [size][size] workspace for the system of one place */
} BoundChain;

SimStatus bound_chain_init(const BoundProgram *program, BoundChain *chain);
void bound_chain_clear(BoundChain *chain);

void bound_chain_start(BoundChain *chain); /* sets the band and the factors to zero before places are added */
/* returns zeroed workspace for the system of a place; the caller fills its lower triangle */
double *bound_chain_place(BoundChain *chain, int place);
/* Eliminates the local variables of the place and adds the remaining part of its system to the band. Returns false
 * if the local part is not positive definite. */
bool bound_chain_add(BoundChain *chain, int place);
bool bound_chain_factor(BoundChain *chain); /* factors the band; returns false if it is not positive definite */

/* Adds the right-hand side g [size] of a place to `node` [nodes][node_size], that of the node variables. The local part
 * of g is overwritten by its reduced form, after elimination. */
void bound_chain_reduce(const BoundChain *chain, int place, double *g, double *node);
void bound_chain_solve(const BoundChain *chain, double *node);
/* Computes the part of the Newton step d of a place that belongs to its local variables, from the reduced right-hand
 * side g and from the part of d that belongs to nodes. */
void bound_chain_local(const BoundChain *chain, int place, const double *g, double *d);

#endif
