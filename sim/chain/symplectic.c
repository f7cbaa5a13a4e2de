/* The semi-implicit (symplectic) Euler scheme of a chain with masses: the velocity first,
 *
 *   W+ = soft(W + h M^-1 (F - K V), h M^-1 alpha),   V+ = V + h W+.
 *
 * Of first order like implicit_euler, with errors 3 to 6 times smaller, and no energy is fed to the chain. Stable for
 * h < 2/sqrt(nu), nu the largest eigenvalue of M^-1 K. Semi-dynamical: so for the node with mass, which the others then
 * follow as in `increment`; nu = (k_{n-1} + k_n)/m there, its value when the neighbour sticks, which is the largest. */
#include "sim/chain/chain.h"

#include <math.h>

static double step_limit(const SimProblem *p, double nu) {
  (void)p;
  return nu > 0 ? 2 / sqrt(nu) : INFINITY;
}

const SimScheme sim_scheme_symplectic = {
    CHAIN_SCHEME,
    CHAIN_FORM,
    .takes = CHAIN_TAKES & ~(unsigned)SIM_HAS_QUASISTATIC,
    .together = TOGETHER_NODES_SIGNAL,
    .name = "symplectic",
    .sentence = "velocities first: smaller errors, brings in no energy; nodes with masses",
    .step_limit = step_limit,
    .prepare = chain_prepare,
    .step = chain_step,
};
