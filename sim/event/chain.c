/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheme `event` for chains (SIM_CHAIN), M V'' + alpha sgn(V') + K V = F. A chain with mass at every node is
 * treated like a friction model, with diagonal M and A = K. massless.c treats nodes without mass. */
#include "sim/chain/chain.h"

#include "sim/event/field.h"
#include "sim/event/scheme.h"

#include <stdlib.h>

static SimStatus prepare(SimModel *model) {
  SimProblem *p = &model->problem;
  EventSystem *plan = model->plan = calloc(1, sizeof *plan);
  SimStatus status = plan ? chain_matrices(p) : SIM_NO_MEMORY;
  if (status != SIM_OK) return status;
  *plan = event_system(p);
  plan->springs = p->chain.held;
  plan->massless = chain_massless(p);
  if (plan->massless > 0) plan->field = &event_field_massless;
  plan->mass_is_diagonal = true;
  status = rows_of_sparse(p->d, &p->system.sparse.mass, &plan->mass);
  if (status == SIM_OK) status = rows_of_sparse(p->d, &p->system.sparse.stiffness, &plan->stiffness);
  plan->form = plan->mass;
  return status;
}

const SimScheme sim_scheme_event_chain = {
    EVENT_SCHEME,
    .kind = SIM_CHAIN,
    .takes = CHAIN_TAKES,
    .together = TOGETHER(NODES_SIGNAL),
    .derivatives = CHAIN_DERIVATIVES,
    .prepare = prepare,
};
