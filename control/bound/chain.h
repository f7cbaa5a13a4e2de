/* Linear system of a Newton step. Each place depends on a few neighbouring nodes, so the system is banded once each
 * place's local variables are eliminated. */
#ifndef CONTROL_BOUND_CHAIN_H
#define CONTROL_BOUND_CHAIN_H

#include "control/bound/lmi.h"

typedef struct BoundChain {
  const BoundProgram *program;
  int rest;         /* parts of node variables per place */
  int width;        /* width of the band: entries of a column from the diagonal down */
  double dependent; /* part added to diagonals, because V has parts without effect, such as a constant */
  double *band;     /* [nodes node_size][width] lower triangle by columns, then its factor */
  double *plain;    /* the band before factorisation */
  double *room;     /* [4][nodes node_size] */
  double **place;   /* [places] factor [local][local] and eliminated rows [local][parts node_size] */
  double *whole;    /* workspace of a place's system [size][size] */
} BoundChain;

SimStatus bound_chain_init(const BoundProgram *program, BoundChain *chain);
void bound_chain_clear(BoundChain *chain);

void bound_chain_start(BoundChain *chain);               /* sets all to zero */
double *bound_chain_place(BoundChain *chain, int place); /* zeroed workspace of a place's system, lower triangle */
/* eliminates it and adds it to the band; false: not positive definite */
bool bound_chain_add(BoundChain *chain, int place);
bool bound_chain_factor(BoundChain *chain); /* false: not positive definite */

/* Adds the right-hand side g of a place, [size], to that of the nodes [nodes][node_size]. Reduces its local part in
 * place. */
void bound_chain_reduce(const BoundChain *chain, int place, double *g, double *node);
void bound_chain_solve(const BoundChain *chain, double *node);
/* Computes the local part of a place's step from the reduced g and the other part of d. */
void bound_chain_local(const BoundChain *chain, int place, const double *g, double *d);

#endif
