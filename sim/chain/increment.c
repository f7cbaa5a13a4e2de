/* The quasistatic chain, computed by increments of its load:
 *
 *     Z = G - (F+ - F),   G+ = Proj(Z) = Z + K d,   V+ = V + d.
 *
 * It is exact as long as the same nodes slip in the same direction, and so of second order. It is of first order if the
 * slip of one node abruptly stops that of another, because of loads that oppose each other. It needs no rate of F and
 * has no creep, since a node that sticks does not move by one bit. The load may jump. */
#include "sim/chain/chain.h"

const SimScheme sim_scheme_increment = {
    CHAIN_SCHEME,
    .takes = CHAIN_TAKES & ~(SIM_HAS(DYNAMICAL) | SIM_HAS(SEMI_DYNAMICAL)),
    .together = TOGETHER(NODES_SIGNAL),
    .name = "increment",
    .sentence = "by increments of the load, for quasistatic chains: second order, no creep, jumps allowed",
    .prepare = chain_prepare,
    .step = chain_step,
};
