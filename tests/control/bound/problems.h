/* SPDX-License-Identifier: BSD-2-Clause */
/* Problems with a known least effort, exact or approximate. */
#ifndef TESTS_CONTROL_BOUND_PROBLEMS_H
#define TESTS_CONTROL_BOUND_PROBLEMS_H

#include "control/bound.h"
#include "tests/fixture.h"

static const double BLOCK = 3.5, ARM = 62.7852; /* BLOCK: the least J of open_block. ARM: J of a known control of
                                                 * open_arm. */

/* Opens a system of d dofs with as many forces, which is at rest at 0. */
static inline void open_problem(SimProblem *p, CtlProblem *c, int d, double end) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, d), SIM_OK);
  fixture_time(p, end, 100);
  fixture_scheme(p, "event");
  assert_int_equal(ctl_problem_init(c, d, d), SIM_OK);
  c->end = end;
}

static inline void close_problem(SimProblem *p, CtlProblem *c) {
  sim_problem_clear(p);
  ctl_problem_clear(c);
}

/* Opens a block of 1 kg that is to move 1 m in 2 s against friction of 1 N, from rest to rest. */
static inline void open_block(SimProblem *p, CtlProblem *c) {
  open_problem(p, c, 1, 2);
  p->system.mass[0] = p->friction[0] = c->position[0] = 1;
  c->velocity[0] = 0;
}

/* Opens the arm of jobs/problems/signal-2x8.yaml. */
static inline void open_arm(SimProblem *p, CtlProblem *c) {
  static const double mass[4] = {3, 1, 1, 2};
  open_problem(p, c, 2, 2);
  memcpy(p->system.mass, mass, sizeof mass);
  p->friction[0] = 4;
  p->friction[1] = 3;
  c->position[0] = 1;
  c->position[1] = 0.5;
  c->velocity[0] = c->velocity[1] = 0;
}

static inline CtlLowerBound bound_of(const CtlProblem *c, const SimProblem *p, const CtlLowerBoundOptions *options) {
  CtlLowerBound bound;
  assert_int_equal(ctl_lower_bound(c, p, options, &bound), SIM_OK);
  return bound;
}

#endif
