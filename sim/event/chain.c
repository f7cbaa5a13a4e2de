/* The scheme `event` of SIM_CHAIN, M V'' + alpha sgn(V') + K V = F: with masses at all nodes a system like any other, with M
 * diagonal and A = K; nodes without mass: massless.h. */
#include "sim/chain/chain.h"

#include "sim/event/scheme.h"

#include <stdlib.h>

typedef struct ChainSystem {
  EventSystem system;
  double *store; /* its matrices and springs */
} ChainSystem;

static void fill(const SimProblem *p, const double *springs, double *mass, double *stiffness) {
  int n = p->d;
  for (int i = 0; i < n; i++) {
    mass[i * n + i] = p->chain.node_mass[i];
    stiffness[i * n + i] = springs[i] + springs[i + 1];
    if (i + 1 < n) stiffness[i * n + i + 1] = stiffness[(i + 1) * n + i] = -springs[i + 1];
  }
}

static void release(SimModel *model) {
  ChainSystem *plan = model->plan;
  if (!plan) return;
  free(plan->store);
  free(plan);
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  size_t n = (size_t)p->d;
  ChainSystem *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  double *mass = plan->store = calloc(2 * n * n + n + 1, sizeof *mass);
  if (!mass) return SIM_NO_MEMORY;
  double *stiffness = mass + n * n, *springs = stiffness + n * n;
  chain_held_springs(p, springs);
  fill(p, springs, mass, stiffness);
  plan->system = event_system(p);
  plan->system.mass = plan->system.form = mass;
  plan->system.stiffness = stiffness;
  plan->system.springs = springs;
  plan->system.massless = chain_massless(p);
  plan->system.mass_is_diagonal = true;
  return SIM_OK;
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
    .takes = CHAIN_TAKES & ~(unsigned)SIM_HAS_MANY,
    .together = TOGETHER_NODES_SIGNAL,
    .derivatives = SIM_HAS_DENSE | SIM_HAS_SIGNAL | SIM_HAS_DYNAMICAL,
    .prepare = prepare,
    .release = release,
    .start = start,
    .step = step,
    .leap = step,
    .equip_sensitivity = event_equip_sensitivity,
    .equip_adjoint = event_equip_adjoint,
};
