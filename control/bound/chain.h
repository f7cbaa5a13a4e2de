/* The linear system of a step: places know a few nodes that stand side by side, so that it is a band once each place's local variables
 * are eliminated. */
#ifndef CONTROL_BOUND_CHAIN_H
#define CONTROL_BOUND_CHAIN_H

#include "control/bound/lmi.h"

typedef struct BoundChain {
  const BoundProgram *program;
  int rest;         /* parts of a node's variables that a place has */
  int width;        /* of the band: entries below the diagonal and it */
  double dependent; /* part added to diagonals: V has parts that nothing depends on, a constant to begin with */
  double *band;     /* [nodes node_size][width] lower triangle by columns, then its factor */
  double *plain;    /* it, not factored */
  double *room;     /* [4][nodes node_size] */
  double **place;   /* [places] factor [local][local] and what was eliminated [local][parts node_size] */
  double *whole;    /* room for a place's system [size][size] */
} BoundChain;

SimStatus bound_chain_init(const BoundProgram *program, BoundChain *chain);
void bound_chain_clear(BoundChain *chain);

void bound_chain_start(BoundChain *chain);               /* zero */
double *bound_chain_place(BoundChain *chain, int place); /* zeroed room for a place's system, lower triangle */
bool bound_chain_add(BoundChain *chain, int place); /* that, eliminated, to the band; false: not positive definite */
bool bound_chain_factor(BoundChain *chain);         /* likewise */

/* Right-hand sides g of a place, [size], whose local part is reduced in place, to those of nodes [nodes][node_size]. */
void bound_chain_reduce(const BoundChain *chain, int place, double *g, double *node);
void bound_chain_solve(const BoundChain *chain, double *node);
/* The local part of a place's step, from g as reduced and the rest of d. */
void bound_chain_local(const BoundChain *chain, int place, const double *g, double *d);

#endif
