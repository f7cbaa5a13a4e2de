/* Linear system of a Newton step. Each place depends on a few neighbouring nodes. The system is therefore banded after
 * the local variables of each place have been eliminated. */
#ifndef CONTROL_BOUND_CHAIN_H
#define CONTROL_BOUND_CHAIN_H

#include "control/bound/lmi.h"

typedef struct BoundChain {
  const BoundProgram *program;
  int rest;  /* number of node parts per place times the size of a node */
  int width; /* width of the band: number of entries of a column from the diagonal down */
  /* addition to diagonal entries, relative; it is needed because parts of V, such as a constant, have no effect */
  double dependent;
  double *band;   /* [nodes node_size][width] lower triangle by columns, overwritten by its factor */
  double *plain;  /* copy of the band before factorisation */
  double *room;   /* [4][nodes node_size] workspace of conjugate gradients */
  double **place; /* for each place: factor [local][local] and eliminated rows [local][parts node_size] */
  double *whole;  /* [size][size] workspace for the system of one place */
} BoundChain;

SimStatus bound_chain_init(const BoundProgram *program, BoundChain *chain);
void bound_chain_clear(BoundChain *chain);

void bound_chain_start(BoundChain *chain); /* sets all to zero */
/* returns zeroed workspace for the system of a place; the caller fills its lower triangle */
double *bound_chain_place(BoundChain *chain, int place);
/* eliminates the place's local variables and adds the rest to the band; false: not positive definite */
bool bound_chain_add(BoundChain *chain, int place);
bool bound_chain_factor(BoundChain *chain); /* factors the band; false: not positive definite */

/* Adds the right-hand side g of a place, [size], to that of the nodes [nodes][node_size]. Reduces its local part in
 * place. */
void bound_chain_reduce(const BoundChain *chain, int place, double *g, double *node);
void bound_chain_solve(const BoundChain *chain, double *node);
/* Computes the local part of a place's step d from the reduced g and the other part of d. */
void bound_chain_local(const BoundChain *chain, int place, const double *g, double *d);

#endif
