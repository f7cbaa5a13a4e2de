/* SPDX-License-Identifier: BSD-2-Clause */
/* Mechanisms for tests of `moreau`: some of the literature, and a linear one, the same as a friction model with
 * matrices. */
#ifndef TESTS_MECHANISM_STEPS_H
#define TESTS_MECHANISM_STEPS_H

#include "tests/sim/mechanism/random.h"

static const MechanismText pendulum = {
    .d = 1, .coordinates = {"q"}, .kinetic = "q'^2/2", .potential = "-9.81*cos(q)", .friction = {"0.3"}};
static const MechanismText two_links = {.d = 2,
                                        .coordinates = {"a", "b"},
                                        .kinetic =
                                            "a'^2*(1.6667 + cos(b))/2 + a'*b'*(0.3333 + cos(b)/2) + b'^2*0.3333/2",
                                        .potential = "9.81*(1.5*sin(a) + 0.5*sin(a + b))",
                                        .friction = {"3", "0.6 + 0.4*exp(-abs(b')/0.1)"}};
static const MechanismText cart_pole = {.d = 2,
                                        .coordinates = {"x", "theta"},
                                        .kinetic = "x'^2/2 + 0.1*(x'^2 + 2*x'*cos(theta)*theta' + theta'^2)/2",
                                        .potential = "-0.1*9.81*cos(theta)",
                                        .friction = {"2", "0.01"}};

/* Matrices of the text below. D is not symmetric. */
static const MechanismText linear = {.d = 2,
                                     .coordinates = {"x", "y"},
                                     .kinetic = "(x'^2 + 2*y'^2 + 0.8*x'*y')/2",
                                     .potential = "(9*x^2 - 4*x*y + 5*y^2)/2",
                                     .applied = {"pa*(-0.3*x' + 0.4*y')", "pa*(-0.2*x' - 0.5*y')"},
                                     .friction = {"1.5*pb", "0.7*pb"},
                                     .parameters = {"pa", "pb"},
                                     .values = {1, 1}};

static inline void set_matrices(SimProblem *p, double damping, double friction) {
  static const double mass[] = {1, 0.4, 0.4, 2}, stiffness[] = {9, -2, -2, 5}, resistance[] = {0.3, -0.4, 0.2, 0.5};
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 2, 1), SIM_OK);
  memcpy(p->system.mass, mass, sizeof mass);
  memcpy(p->system.stiffness, stiffness, sizeof stiffness);
  for (int k = 0; k < 4; k++) p->system.damping[k] = damping * resistance[k];
  p->friction[0] = 1.5 * friction;
  p->friction[1] = 0.7 * friction;
  fixture_time(p, 4, 100);
}

static inline void set_stops(SimProblem *p, int i, double end, double stiffness) {
  for (int j = 0; j < p->d && !p->stops.present; j++) {
    p->stops.lower[j] = p->stops.upper[j] = p->stops.stiffness[j] = NAN;
    p->stops.restitution[j] = 0;
  }
  p->stops.present = true;
  p->stops.lower[i] = -end;
  p->stops.upper[i] = end;
  p->stops.stiffness[i] = stiffness;
  p->stops.restitution[i] = isnan(stiffness) ? 0.6 : 0;
}

/* The k-th of the cases: with and without damping, friction, stops, and with either weight of a step's end. */
static inline void set_case(SimProblem *p, uint64_t k, double *u) {
  uint64_t seed = 77 * k;
  assert_int_equal(sim_problem_set_scheme(p, "moreau"), SIM_OK);
  sim_problem_set(p, "theta", k % 2 ? 0.5 : 0.8);
  p->signal = k % 2 ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT;
  p->segments = SEGMENTS;
  for (int j = 0; j < SEGMENTS; j++) u[j] = 8 * fixture_random(&seed);
  for (int i = 0; i < 2; i++) {
    p->x0[i] = fixture_random(&seed);
    p->v0[i] = k % 5 ? fixture_random(&seed) : 0;
  }
  if (k / 4 % 2) set_stops(p, 0, 1.05, NAN);
  if (k / 4 % 2) set_stops(p, 1, 1.1, k / 8 % 2 ? NAN : 300);
}

#endif
