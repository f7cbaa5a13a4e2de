/* SPDX-License-Identifier: BSD-2-Clause */
/* Time-stepping schemes, with their options, for which derivatives are compared. */
#ifndef TESTS_STEP_CASES_H
#define TESTS_STEP_CASES_H

#include "tests/sim/tangent.h"

/* A scheme with some of its keys; the other keys have their defaults. */
typedef struct Case {
  const char *scheme;
  SimMultiplier multiplier;
  SimSolver solver;
  const char *key; /* key of a setting; NULL: none */
  double value;
} Case;

static const Case cases[] = {
    {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED},
    {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED, .key = "theta", .value = 0.7},
    {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED, .key = "theta", .value = 1},
    {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED, .solver = SIM_FIXED_POINT},
    {.scheme = "centered", .multiplier = SIM_UNREGULARIZED},
    {.scheme = "centered", .multiplier = SIM_UNREGULARIZED, .solver = SIM_FIXED_POINT, .key = "alpha", .value = 0.4},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED, .key = "epsilon", .value = 0.2},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED, .key = "start", .value = 1},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED, .solver = SIM_FIXED_POINT},
    {.scheme = "lie", .multiplier = SIM_UNREGULARIZED},
    {.scheme = "lie",
     .multiplier = SIM_UNREGULARIZED,
     .solver = SIM_FIXED_POINT,
     .key = "elastic_substeps",
     .value = 3},
    {.scheme = "lie", .multiplier = SIM_SMOOTH, .key = "alpha", .value = 0.3},
    {.scheme = "strang", .multiplier = SIM_UNREGULARIZED, .key = "friction_substeps", .value = 1},
    {.scheme = "strang", .multiplier = SIM_UNREGULARIZED, .key = "elastic", .value = 1},
    {.scheme = "strang", .multiplier = SIM_SMOOTH},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Returns whether a step has several solves. */
static inline bool splits(const Case *c) { return strcmp(c->scheme, "lie") == 0 || strcmp(c->scheme, "strang") == 0; }
static inline bool by_modes(const Case *c) { return c->key && strcmp(c->key, "elastic") == 0; }

/* Makes problem number k of a case, and lists in on [7] the kinds of numbers by which it is differentiated. Returns
 * their number. */
static inline int case_problem(uint64_t *seed, int k, const Case *c, long steps, SimProblem *p, double *control,
                               SimDependence *on) {
  int n = tangent_numbers(k, on), left = 0;
  tangent_problem(seed, k, c->scheme, steps, p, control);
  for (int i = 0; i < k % 4; i++) p->v0[i] = 0;
  sim_problem_set(p, "multiplier", c->multiplier);
  sim_problem_set(p, "solver", c->solver);
  if (c->multiplier == SIM_SMOOTH) {
    p->by_direction = false;
    sim_problem_set(p, "eta", 0.05);
  }
  if (c->key) assert_int_equal(sim_problem_set(p, c->key, c->value), SIM_OK);
  for (int i = 0; i < D * D && by_modes(c); i++) p->system.damping[i] = 0;
  for (int i = 0; i < n; i++)
    if (!by_modes(c) || (on[i] != SIM_ON_DAMPING && on[i] != SIM_ON_MASS)) on[left++] = on[i];
  return left;
}

#endif
