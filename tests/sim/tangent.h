/* SPDX-License-Identifier: BSD-2-Clause */
/* Random problems for derivatives of the final state, and the numbers on which they depend. */
#ifndef TESTS_TANGENT_H
#define TESTS_TANGENT_H

#include "tests/fixture.h"

enum { D = 3, SEGMENTS = 4, VARIABLES = D * SEGMENTS, COLUMNS = VARIABLES + 6 * D };

static inline double tangent_decaying(int i, double t) { return -100 * exp(-10 * t) - i; }
static inline double tangent_swinging(int i, double t) { return -10 * sin(1.9 * t) * exp(-t * t) + i; }

/* Returns the address of the number by which a column differentiates. */
static inline double *tangent_number(SimProblem *p, double *control, SimDependence on, int entry) {
  switch (on) {
  case SIM_ON_CONTROL: return &control[entry];
  case SIM_ON_POSITION: return &p->x0[entry];
  case SIM_ON_VELOCITY: return &p->v0[entry];
  case SIM_ON_FRICTION: return &p->friction[entry];
  case SIM_ON_MASS: return &p->system.mass[entry * (D + 1)];
  case SIM_ON_DAMPING: return &p->system.damping[entry * (D + 1)];
  default: return &p->system.stribeck_beta[entry];
  }
}

/* Selects the kinds of numbers that problem k has: on [7]. Returns how many. */
static inline int tangent_numbers(int k, SimDependence *on) {
  static const SimDependence all[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_FRICTION,
                                      SIM_ON_MASS,    SIM_ON_DAMPING,  SIM_ON_BETA};
  int n = 0;
  for (int i = 0; i < 7; i++)
    if ((all[i] != SIM_ON_DAMPING || k % 5) && (all[i] != SIM_ON_BETA || k % 3)) on[n++] = all[i];
  return n;
}

/* Makes problem k with random M, A, D, law and signal, which lasts 5 s. */
static inline void tangent_problem(uint64_t *seed, int k, const char *scheme, long steps, SimProblem *p,
                                   double *control) {
  static const SimSignal signals[] = {SIM_CONSTANT, SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR, SIM_CONSTANT};
  static const SimStribeck laws[] = {SIM_STRIBECK_NONE, SIM_STRIBECK_SQRT,        SIM_STRIBECK_RAMP,
                                     SIM_STRIBECK_NONE, SIM_STRIBECK_EXPONENTIAL, SIM_STRIBECK_RAMP};
  double root[D * D];
  bool diagonal = k % 2, damped = k % 5 > 0;
  double skew = k % 6 == 2 ? 0.6 : 0;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, D), SIM_OK);
  fixture_scheme(p, scheme);
  fixture_time(p, 5, steps);
  p->signal = signals[k % 4];
  p->segments = p->signal == SIM_CONSTANT ? 1 : SEGMENTS;
  p->system.stribeck = laws[k % 6];
  if (p->system.stribeck == SIM_STRIBECK_EXPONENTIAL) p->system.stribeck_exponent = k % 12 < 6 ? 1 : 2;
  for (int i = 0; i < D * D; i++) root[i] = fixture_random(seed);
  for (int i = 0; i < D; i++) {
    for (int j = 0; j < D; j++) {
      double rows = 0, columns = 0;
      for (int q = 0; q < D; q++) {
        rows += root[i * D + q] * root[j * D + q];
        columns += root[q * D + i] * root[q * D + j];
      }
      p->system.mass[i * D + j] = diagonal ? (i == j) * (2 + rows) : rows + (i == j);
      p->system.stiffness[i * D + j] = 3 * columns;
      p->system.damping[i * D + j] = damped ? 0.1 * (rows + columns) + skew * ((i < j) - (i > j)) : 0;
    }
    p->control_matrix[i * (D + 1)] = 1;
    p->friction[i] = 2 + fixture_random(seed);
    p->by_direction = k % 7 == 2;
    p->friction_bias[i] = p->by_direction ? 0.3 * (1 - i) : 0;
    p->system.stribeck_beta[i] = 0.3 + 0.2 * fixture_random(seed);
    p->system.stribeck_epsilon[i] = 0.5;
    p->x0[i] = fixture_random(seed);
    p->v0[i] = 2 * fixture_random(seed);
  }
  if (k % 12 == 6) fixture_table(p); /* for a law given by a table, which has no parameter beta */
  for (int i = 0; i < VARIABLES; i++) control[i] = 5 * fixture_random(seed);
}

/* Computes the final state: x, then v. */
static inline void tangent_end(SimProblem *p, const double *control, double *end) {
  SimWorkspace *work;
  SimModel *model = fixture_model(p, tangent_swinging, &work);
  SimFinal final = {.x = end, .v = end + D};
  assert_int_equal(stiction_rollout(model, work, control, NULL, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

#endif
