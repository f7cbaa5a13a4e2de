/* The force of a SIM_SPARSE model: asked for as the steps need it. What does not depend on time joins B u. */
#include "sim/step/sparse_step.h"

#include <string.h>

bool sparse_load_constant(const SimProblem *p) { return p->sparse.load.constant && p->signal == SIM_CONSTANT; }

void sparse_load_start(const SimProblem *p, SimWorkspace *work) {
  const SimLoad *load = &p->sparse.load;
  SparseWork *sparse = work->sparse;
  if (!load->at) return;
  bool constant = sparse_load_constant(p);
  double *f = constant ? sparse->spare[0] : sparse->force[1];
  load->at(load->context, 0, f);
  for (int i = 0; constant && i < p->sparse.count; i++) work->push[i] += f[i];
}

void sparse_load_resume(const SimProblem *p, SparseWork *sparse, long n) {
  for (int k = 0; k < 2; k++)
    if (sparse->solver[k]) sparse->solver[k]->matrix->kernel->forget(sparse->solver[k]);
  sparse_load_now(p, sparse, n);
}

const double *sparse_load_now(const SimProblem *p, SparseWork *sparse, long n) {
  if (!sparse->force[1]) return NULL;
  p->sparse.load.at(p->sparse.load.context, sim_force_time(p, n), sparse->force[1]);
  return sparse->force[1];
}

const double *sparse_load_mean(const SimProblem *p, SparseWork *sparse, long n, double theta) {
  double *before = sparse->force[1], *after = sparse->force[0];
  if (!before) return NULL;
  sparse->force[0] = before;
  sparse->force[1] = after;
  p->sparse.load.at(p->sparse.load.context, sim_force_time(p, n), after);
  for (int i = 0; i < p->sparse.count; i++) before[i] = theta * after[i] + (1 - theta) * before[i];
  return before;
}
