/* The quasistatic chain by increments of its load,
 *
 *   Z = G - (F+ - F),   G+ = Proj(Z) = Z + K d,   V+ = V + d:
 *
 * exact while the same nodes slip the same way, so of second order (of first where one node's slip abruptly stops
 * another's: loads that work against each other), without the rate of F and without creep: a node that sticks does not
 * move by one bit. A load that jumps is followed. */
#include "sim/chain/chain.h"

static int check(const SimProblem *p, const SimReport *report) {
  if (p->chain.chain_case == SIM_CHAIN_QUASISTATIC) return 0;
  return sim_complain(report, "scheme.name",
                      "increment is for quasistatic chains (expected implicit_euler or symplectic)");
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  chain_begin(model, work, n);
  SimStatus status = chain_follow(model, work);
  if (status == SIM_OK) chain_end(model, work, n);
  return status;
}

const SimScheme sim_scheme_increment = {
    CHAIN_SCHEME,
    .name = "increment",
    .sentence = "by increments of the load, for quasistatic chains: second order, no creep, jumps allowed",
    .check = check,
    .step = step,
};
