/* SPDX-License-Identifier: BSD-2-Clause */
/* Random systems of several dofs with full matrices, forces that oscillate, and laws of friction. */
#ifndef TESTS_SIM_EVENT_RANDOM_SYSTEMS_H
#define TESTS_SIM_EVENT_RANDOM_SYSTEMS_H

#include "tests/fixture.h"

enum { SYSTEMS = 10, D_MAX = 8, END = 4 };

static double random_terms[D_MAX][4]; /* constant, amplitude, frequency and phase of each force */

static inline double random_force(int i, double t) {
  const double *term = random_terms[i];
  return term[0] + term[1] * sin(term[2] * t + term[3]);
}

/* Adds scale R R', R a random matrix. */
static inline void add_square(uint64_t *seed, int d, double scale, double *matrix) {
  double root[D_MAX * D_MAX];
  for (int i = 0; i < d * d; i++) root[i] = fixture_random(seed);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < d; k++) matrix[i * d + j] += scale * root[i * d + k] * root[j * d + k];
}

/* Makes system k of SYSTEMS: d = 2..8, gamma none, sqrt or ramp in turn (the decrease of friction with speed); some
 * dofs are initially at rest. */
static inline void random_system(int k, SimProblem *p) {
  uint64_t seed = 2026 + 97 * (uint64_t)k;
  int d = 2 + k % (D_MAX - 1);
  for (int i = 0; i < 9; i++) fixture_random(&seed);
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  add_square(&seed, d, 0.4, p->system.mass);
  add_square(&seed, d, 2, p->system.stiffness);
  add_square(&seed, d, 0.2, p->system.damping);
  p->system.stribeck = (SimStribeck[]){SIM_STRIBECK_NONE, SIM_STRIBECK_SQRT, SIM_STRIBECK_RAMP}[k % 3];
  for (int i = 0; i < d; i++) {
    double *term = random_terms[i];
    p->system.mass[i * d + i] += 0.5;
    p->friction[i] = 2.5 + 1.5 * fixture_random(&seed);
    p->x0[i] = fixture_random(&seed);
    p->v0[i] = (i + k) % 3 == 0 ? 0 : fixture_random(&seed);
    p->system.stribeck_beta[i] = 0.3 + 0.2 * fixture_random(&seed);
    p->system.stribeck_epsilon[i] = 0.15 + 0.1 * fixture_random(&seed);
    term[0] = 0.5 * fixture_random(&seed);
    term[1] = 4 + fixture_random(&seed);
    term[2] = 4 + 2 * fixture_random(&seed);
    term[3] = 3 * fixture_random(&seed);
  }
}

#endif
