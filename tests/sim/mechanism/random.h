/* SPDX-License-Identifier: BSD-2-Clause */
/* Random mechanisms, for tests. */
#ifndef TESTS_MECHANISM_RANDOM_H
#define TESTS_MECHANISM_RANDOM_H

#include "tests/sim/mechanism/mechanism.h"

enum { TEXT_SIZE = 1500, D_MAX = 3, SEGMENTS = 4 };

typedef struct RandomMechanism {
  MechanismText text;
  char kinetic[TEXT_SIZE], potential[TEXT_SIZE], applied[D_MAX][TEXT_SIZE], friction[D_MAX][TEXT_SIZE];
  double x0[D_MAX], v0[D_MAX], u[SEGMENTS], lengths[SEGMENTS];
  double lower, upper; /* ends of the first coordinate, for the caller; equal: none */
  bool linear;
} RandomMechanism;

static inline double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * (fixture_random(seed) + 1) / 2;
}
static inline int choose(uint64_t *seed, int n) { return (int)((fixture_random(seed) + 1) / 2 * n); }

static inline void append(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void append(char *to, const char *format, ...) {
  va_list list;
  size_t length = strlen(to);
  va_start(list, format);
  int n = vsnprintf(to + length, TEXT_SIZE - length, format, list);
  va_end(list);
  assert_true(n >= 0 && (size_t)n < TEXT_SIZE - length);
}

static const char *const names[D_MAX] = {"x", "y", "z"};

/* Makes random energies: a mass for each coordinate, and points on pendulums that hang on each other. */
static inline void random_energies(uint64_t *seed, RandomMechanism *r) {
  int d = r->text.d, points = choose(seed, 3);
  append(r->kinetic, "0");
  append(r->potential, "0");
  for (int i = 0; i < d; i++) append(r->kinetic, " + %s%.3f*%s'^2", i ? "" : "pa*", between(seed, 0.2, 1), names[i]);
  for (int k = 0; k < points; k++) {
    double mass = between(seed, 0.1, 1);
    char across[TEXT_SIZE] = "0", up[TEXT_SIZE] = "0";
    for (int i = 0; i < d; i++) {
      double arm = between(seed, 0.2, 1);
      append(across, " + %.3f*cos(%s)*%s'", arm, names[i], names[i]);
      append(up, " + %.3f*sin(%s)*%s'", arm, names[i], names[i]);
      append(r->potential, " - %.3f*cos(%s)", 9.81 * mass * arm, names[i]);
    }
    append(r->kinetic, " + %.3f*((%s)^2 + (%s)^2)", mass / 2, across, up);
  }
  for (int i = 0; i < d; i++)
    if (choose(seed, 2)) append(r->potential, " + %.3f*%s^2", between(seed, 0, 10), names[i]);
}

/* Makes random forces that are odd in coordinates and velocities, so that mirror images have mirrored motions. */
static inline void random_forces(uint64_t *seed, RandomMechanism *r) {
  for (int i = 0; i < r->text.d; i++) {
    const char *x = names[i], *other = names[choose(seed, r->text.d)];
    append(r->applied[i], "0");
    if (choose(seed, 3) == 0) append(r->applied[i], " - %.3f*%s'", between(seed, 0, 1), x);
    if (choose(seed, 4) == 0) append(r->applied[i], " - %.3f*%s'*abs(%s')", between(seed, 0, 1), x, x);
    if (choose(seed, 4) == 0) {
      double gap = between(seed, 0.05, 0.5), k = between(seed, 1, 30);
      append(r->applied[i], " - %.3f*(max(0, %s - %.3f) + min(0, %s + %.3f))", k, x, gap, x, gap);
    }
    double c = between(seed, 0.1, 3);
    append(r->friction[i], "pb*");
    switch (choose(seed, 5)) {
    case 0: append(r->friction[i], "0"); break;
    case 1: append(r->friction[i], "%.3f*(0.6 + 0.4*exp(-abs(%s')/0.1))", c, x); break;
    case 2: append(r->friction[i], "%.3f*abs(cos(%s))", c, other); break;
    case 3: append(r->friction[i], "%.3f*(1.2 + sin(%.3f*t))", c, between(seed, 0.5, 3)); break;
    default: append(r->friction[i], "%.3f", c);
    }
  }
}

static inline void random_mechanism(uint64_t seed, RandomMechanism *r) {
  *r = (RandomMechanism){.text = {.d = 1, .parameters = {"pa", "pb"}, .values = {1, 1}}};
  r->text.d += choose(&seed, D_MAX);
  random_energies(&seed, r);
  random_forces(&seed, r);
  r->text.kinetic = r->kinetic;
  r->text.potential = r->potential;
  r->linear = choose(&seed, 2);
  for (int k = 0; k < SEGMENTS; k++) {
    r->u[k] = between(&seed, -8, 8);
    r->lengths[k] = 0.5;
  }
  for (int i = 0; i < r->text.d; i++) {
    r->text.coordinates[i] = names[i];
    r->text.applied[i] = r->applied[i];
    r->text.friction[i] = r->friction[i];
    r->x0[i] = choose(&seed, 3) ? between(&seed, -1, 1) : 0;
    r->v0[i] = choose(&seed, 3) ? 0 : between(&seed, -1, 1);
  }
}

/* Makes the problem and the control u [SEGMENTS], or their mirror images if sign is -1. */
static inline void random_problem(const RandomMechanism *r, double sign, double tolerance, SimProblem *p, double *u) {
  mechanism_problem(&r->text, 1, 2, p);
  p->signal = r->linear ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT;
  p->segments = SEGMENTS;
  sim_problem_set(p, "tolerance", tolerance);
  for (int k = 0; k < SEGMENTS; k++) u[k] = sign * r->u[k];
  for (int i = 0; i < r->text.d; i++) {
    p->x0[i] = sign * r->x0[i];
    p->v0[i] = sign * r->v0[i];
  }
}

#endif
