/* Random motions that derivatives are tried on. */
#ifndef TESTS_EVENT_RANDOM_H
#define TESTS_EVENT_RANDOM_H

#include "tests/fixture.h"

enum { D = 3, SEGMENTS = 4, VARIABLES = D * SEGMENTS, COLUMNS = VARIABLES + 6 * D, PROBLEMS = 60 };

static inline double decaying(int i, double t) { return -100 * exp(-10 * t) - i; }
static inline double swinging(int i, double t) { return -10 * sin(1.9 * t) * exp(-t * t) + i; }

/* The k-th: any M, A, D, law and signal. Returns its force. */
static inline FixtureForce *random_problem(uint64_t *seed, int k, SimProblem *p, double *control) {
  static const SimSignal signals[] = {SIM_CONSTANT, SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR, SIM_CONSTANT};
  static const SimStribeck laws[] = {SIM_STRIBECK_NONE, SIM_STRIBECK_SQRT, SIM_STRIBECK_RAMP};
  double root[D * D];
  bool diagonal = k % 2, damped = k % 5 > 0;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, D), SIM_OK);
  fixture_scheme(p, "event");
  sim_problem_set(p, "tolerance", 1e-13);
  fixture_time(p, 5, SEGMENTS);
  p->signal = signals[k % 4];
  p->segments = p->signal == SIM_CONSTANT ? 1 : SEGMENTS;
  p->system.stribeck = laws[k % 3];
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
      p->system.damping[i * D + j] = damped ? 0.1 * (rows + columns) : 0;
    }
    p->control_matrix[i * (D + 1)] = 1;
    p->friction[i] = 2 + fixture_random(seed);
    p->system.stribeck_beta[i] = 0.3 + 0.2 * fixture_random(seed);
    p->system.stribeck_epsilon[i] = 0.5;
    p->x0[i] = fixture_random(seed);
    p->v0[i] = 2 * fixture_random(seed);
  }
  for (int i = 0; i < VARIABLES; i++) control[i] = 5 * fixture_random(seed);
  return k % 2 ? decaying : swinging;
}

/* All that the k-th depends on; returns how many on [SIM_ON_BETA + 1] are. */
static inline int random_dependences(int k, SimDependence *on) {
  int n = 0;
  for (int i = SIM_ON_CONTROL; i <= SIM_ON_BETA; i++)
    if ((i != SIM_ON_DAMPING || k % 5) && (i != SIM_ON_BETA || k % 3)) on[n++] = (SimDependence)i;
  return n;
}

#endif
