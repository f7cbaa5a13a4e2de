/* The quasistatic chain by increments of its load,
 *
 *   Z = G - (F+ - F),   G+ = Proj(Z) = Z + K d,   V+ = V + d:
 *
 * exact while the same nodes slip the same way, so of second order (of first where one node's slip abruptly stops
 * another's: loads that work against each other), without the rate of F and without creep: a node that sticks does not
 * move by one bit. A load that jumps is followed. */
#include "sim/chain/chain.h"

const SimScheme sim_scheme_increment = {
    CHAIN_SCHEME,
    .takes = CHAIN_TAKES & ~(unsigned)(SIM_HAS_DYNAMICAL | SIM_HAS_SEMI_DYNAMICAL),
    .together = TOGETHER_NODES_SIGNAL,
    .name = "increment",
    .sentence = "by increments of the load, for quasistatic chains: second order, no creep, jumps allowed",
    .prepare = chain_prepare,
    .step = chain_step,
};
