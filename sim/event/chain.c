/* The scheme `event` of SIM_CHAIN, M V'' + alpha sgn(V') + K V = F: with masses at all nodes a system like any other, with M
 * diagonal and A = K; nodes without mass: massless.h. */
#include "sim/chain/chain.h"

#include "sim/event/scheme.h"

#include <stdlib.h>

typedef struct ChainSystem {
  EventSystem system;
  double *springs; /* [d+1] */
} ChainSystem;

static void release(SimModel *model) {
  ChainSystem *plan = model->plan;
  if (!plan) return;
  event_system_clear(&plan->system);
  free(plan->springs);
  free(plan);
}

/* M and A = K. */
static SimStatus fill(const SimProblem *p, const double *springs, EventSystem *system) {
  size_t n = (size_t)p->d;
  double *diagonal = calloc(2 * n, sizeof *diagonal);
  if (!diagonal) return SIM_NO_MEMORY;
  double *off = diagonal + n;
  SimStatus status = rows_of_tridiagonal(p->d, p->chain.node_mass, off, &system->mass);
  for (size_t i = 0; i < n; i++) {
    diagonal[i] = springs[i] + springs[i + 1];
    off[i] = -springs[i + 1];
  }
  if (status == SIM_OK) status = rows_of_tridiagonal(p->d, diagonal, off, &system->stiffness);
  free(diagonal);
  system->form = system->mass;
  return status;
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  ChainSystem *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  plan->springs = calloc((size_t)p->d + 1, sizeof *plan->springs);
  if (!plan->springs) return SIM_NO_MEMORY;
  chain_held_springs(p, plan->springs);
  plan->system = event_system(p);
  plan->system.springs = plan->springs;
  plan->system.massless = chain_massless(p);
  plan->system.mass_is_diagonal = true;
  return fill(p, plan->springs, &plan->system);
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  SimStatus status = event_start(model, work);
  if (status == SIM_OK) chain_publish(model, work, 0);
  return status;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  SimStatus status = event_step(model, work, n);
  if (status == SIM_OK) chain_publish(model, work, n);
  return status;
}

const SimScheme sim_scheme_event_chain = {
    EVENT_SCHEME,
    .kind = SIM_CHAIN,
    .takes = CHAIN_TAKES,
    .together = TOGETHER_NODES_SIGNAL,
    .derivatives = SIM_HAS_DENSE | SIM_HAS_MANY | SIM_HAS_SIGNAL | SIM_HAS_DYNAMICAL,
    .prepare = prepare,
    .release = release,
    .start = start,
    .step = step,
    .leap = step,
    .equip_sensitivity = event_equip_sensitivity,
    .equip_adjoint = event_equip_adjoint,
};
