/* SPDX-License-Identifier: BSD-2-Clause */
/* The quasistatic chain, computed by increments of its load. With the displacements V, the spring matrix K, the load F
 * and the displacement d of a step:
 *
 *   K d + alpha lambda = F+ - K V, lambda in sgn(d), V+ = V + d.
 *
 * As G = K V - F, this is G+ = Proj(G - (F+ - F)) = G - (F+ - F) + K d. It is a StepForm with E = h^2 K and w = d/h,
 * the same equations as those of `moreau` with theta = 1 for dofs without mass. It is exact as long as the same nodes
 * slip in the same direction, and so of second order. It is of first order if the slip of one node abruptly stops that
 * of another, because of loads that oppose each other. It needs no rate of F. A node that sticks does not change its
 * position by one bit. The load may jump. */
#include "sim/chain/chain.h"

static SimStatus prepare(SimModel *model) {
  double h = model->problem.step;
  return chain_prepare_form(model, (OperatorSum){.term = {{OPERATOR_STIFFNESS, h * h}}}, 1, 1);
}

const SimScheme sim_scheme_increment = {
    CHAIN_SCHEME,
    .span = SPAN_END,
    .takes = CHAIN_TAKES & ~(SIM_HAS(DYNAMICAL) | SIM_HAS(SEMI_DYNAMICAL)),
    .together = TOGETHER(NODES_SIGNAL),
    .derivatives = (CHAIN_DERIVATIVES & ~SIM_HAS(DYNAMICAL)) | SIM_HAS(QUASISTATIC),
    .name = "increment",
    .sentence = "by increments of the load, for quasistatic chains: second order, no creep, jumps allowed",
    .prepare = prepare,
    .step = form_step,
};
