/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains for tests: problems from the reference table, and rollouts. */
#ifndef TESTS_CHAIN_H
#define TESTS_CHAIN_H

#include "tests/fixture.h"
#include "tests/sim/chain/reference_chain.h"

/* Makes a chain of n nodes. All springs, thresholds and masses are one, and a control acts on each of the first five
 * nodes. Change it before its force is filled in. */
static inline void chain_init(SimProblem *p, int n, SimChainCase chain_case, SimChainEnd end, const char *scheme) {
  assert_int_equal(sim_problem_init(p, SIM_CHAIN, n, n <= 5 ? n : 5), SIM_OK);
  p->chain.chain_case = chain_case;
  p->chain.end = end;
  fixture_scheme(p, scheme);
  for (int i = 0; i <= n; i++) p->chain.springs[i] = 1;
  for (int i = 0; i < n; i++) p->friction[i] = 1;
  int first = chain_case == SIM_CHAIN_DYNAMICAL ? 0 : chain_case == SIM_CHAIN_SEMI_DYNAMICAL ? n - 1 : n;
  for (int i = first; i < n; i++) p->chain.node_mass[i] = 1;
}

/* Adds amplitude sin(omega t) to the force on node i. */
static inline void chain_add_force(SimProblem *p, int i, double amplitude, double omega) {
  for (long k = 0; k < sim_force_count(p); k++) {
    double t = sim_force_time(p, k);
    p->force[k * p->d + i] += amplitude * sin(omega * t);
    if (p->chain.force_rate) p->chain.force_rate[k * p->d + i] += amplitude * omega * cos(omega * t);
  }
}

/* Sets the end's force or displacement to amplitude sin(omega t), and adds the part of the force that acts on the last
 * node. */
static inline void chain_set_end_values(SimProblem *p, double amplitude, double omega) {
  for (long k = 0; k < sim_force_count(p); k++) p->chain.end_value[k] = amplitude * sin(omega * sim_force_time(p, k));
}

static inline void chain_add_end(SimProblem *p, double amplitude, double omega) {
  double share = p->chain.end == SIM_END_FREE ? -1 : p->chain.springs[p->d];
  chain_set_end_values(p, amplitude, omega);
  if (p->chain.end != SIM_END_CLAMPED) chain_add_force(p, p->d - 1, share * amplitude, omega);
}

static inline void chain_reference_problem(SimProblem *p, const ChainReference *r, const char *scheme, long steps) {
  static const double springs[3] = {2, 1.5, 1}, thresholds[2] = {0.5, 0.4};
  chain_init(p, 2, r->chain_case, r->end, scheme);
  memcpy(p->chain.springs, springs, sizeof springs);
  memcpy(p->friction, thresholds, sizeof thresholds);
  memcpy(p->chain.node_mass, r->mass, sizeof r->mass);
  fixture_time(p, r->time, steps);
  assert_int_equal(sim_problem_alloc_force(p), SIM_OK);
  for (int i = 0; i < 2; i++) chain_add_force(p, i, r->amplitude[i], r->omega[i]);
  chain_add_end(p, r->end_amplitude, r->end_omega);
}

/* Checks a problem with its force filled in, runs it, and clears it. The run may fail. x, v: [d] final state. */
static inline SimFinal chain_try(SimProblem *p, const double *control, const SimObserver *observer, double *x,
                                 double *v) {
  const SimReport report = {NULL, fixture_complain};
  SimModel *model;
  SimWorkspace *work;
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  stiction_rollout(model, work, control, observer, &final);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
  return final;
}

/* Runs the problem with an observer; the run must succeed. */
static inline SimFinal chain_run(SimProblem *p, const double *control, const SimObserver *observer, double *x,
                                 double *v) {
  SimFinal final = chain_try(p, control, observer, x, v);
  assert_int_equal(final.status, SIM_OK);
  return final;
}

#endif
