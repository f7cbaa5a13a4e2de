/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains under loads with exact motions from bench/accuracy/chain_exact.h. */
#ifndef TESTS_CHAIN_STUDY_H
#define TESTS_CHAIN_STUDY_H

#include "bench/accuracy/chain_exact.h"
#include "tests/sim/chain/chain.h"

/* A chain under loads amplitude sin(omega t), of which the last acts on the end, and the masses of its nodes if it is
 * dynamical. */
typedef struct Study {
  int n;
  SimChainCase chain_case;
  SimChainEnd end;
  double time;
  double springs[EXACT_NODES + 1], thresholds[EXACT_NODES], mass[EXACT_NODES];
  double amplitude[EXACT_NODES + 1], omega[EXACT_NODES + 1];
} Study;

/* Returns the factor with which the end's value acts on the last node. */
static inline double study_end_share(const SimProblem *p) {
  return p->chain.end == SIM_END_FREE ? -1 : p->chain.end == SIM_END_DISPLACEMENT ? p->chain.springs[p->d] : 0;
}

typedef struct StudyLoad {
  const Study *study;
  double share;
} StudyLoad;

static inline void study_load(void *context, double t, double *f) {
  const StudyLoad *load = context;
  const Study *s = load->study;
  for (int i = 0; i < s->n; i++) f[i] = s->amplitude[i] * sin(s->omega[i] * t);
  f[s->n - 1] += load->share * s->amplitude[s->n] * sin(s->omega[s->n] * t);
}

/* Sets the loads in the form that the scheme needs. */
static inline void study_pose(SimProblem *p, const Study *s, const char *scheme, long steps) {
  chain_init(p, s->n, s->chain_case, s->end, scheme);
  memcpy(p->chain.springs, s->springs, ((size_t)s->n + 1) * sizeof(double));
  memcpy(p->friction, s->thresholds, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->n; i++) p->chain.node_mass[i] *= s->mass[i];
  fixture_time(p, s->time, steps);
  if (sim_force_in_pieces(p)) {
    StudyLoad context = {s, study_end_share(p)};
    const SimLoad load = {.context = &context, .at = study_load};
    double where;
    assert_int_equal(stiction_problem_set_pieces(p, &load, 0, NULL, &where), SIM_OK);
    assert_int_equal(sim_problem_alloc_force(p), SIM_OK);
    chain_set_end_values(p, s->amplitude[s->n], s->omega[s->n]);
    return;
  }
  assert_int_equal(sim_problem_alloc_force(p), SIM_OK);
  for (int i = 0; i < s->n; i++) chain_add_force(p, i, s->amplitude[i], s->omega[i]);
  chain_add_end(p, s->amplitude[s->n], s->omega[s->n]);
}

static inline Study study_of(const ChainReference *r) {
  Study s = {2, r->chain_case, r->end, r->time, {2, 1.5, 1}, {0.5, 0.4}, {r->mass[0], r->mass[1]}, {0}, {0}};
  memcpy(s.amplitude, r->amplitude, sizeof r->amplitude);
  memcpy(s.omega, r->omega, sizeof r->omega);
  s.amplitude[2] = r->end_amplitude;
  s.omega[2] = r->end_omega;
  return s;
}

/* Returns a chain of three nodes with a free end, or of five nodes with a moved end. */
static inline Study larger_study(SimChainCase chain_case, int which) {
  const Study studies[] = {{3,
                            chain_case,
                            SIM_END_FREE,
                            12,
                            {2, 1, 3, 1},
                            {0.4, 0.3, 0.5},
                            {1, 2, 1.5},
                            {1.2, 0, -0.9, 0.8},
                            {1, 0, 1.3, 0.7}},
                           {5,
                            chain_case,
                            SIM_END_DISPLACEMENT,
                            12,
                            {2, 1, 3, 1, 2, 2},
                            {0.4, 0.2, 0.5, 0.3, 0.4},
                            {1, 2, 1.5, 1, 0.5},
                            {1.2, 0, -0.9, 0.5, 0, 1.5},
                            {1, 0, 1.3, 1.7, 0, 0.7}}};
  return studies[which];
}

#endif
