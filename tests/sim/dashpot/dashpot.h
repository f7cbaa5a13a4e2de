/* SPDX-License-Identifier: BSD-2-Clause */
/* The thesis's mass with a dash-pot, and records of its runs. */
#ifndef TESTS_DASHPOT_H
#define TESTS_DASHPOT_H

#include "bench/accuracy/dashpot_exact.h"
#include "tests/fixture.h"

/* Makes the problem with the thesis's data, at rest: m = 1, k = 100, gamma = 1, f_crit = 1 (0 for the viscous law). */
static inline void dashpot_problem(SimProblem *p, SimDashpotLaw law, double end, long steps) {
  assert_int_equal(sim_problem_init(p, SIM_DASHPOT, 1, 1), SIM_OK);
  p->dashpot.mass = 1;
  p->dashpot.stiffness = 100;
  p->friction[0] = law == SIM_VISCOUS ? 0 : 1;
  p->dashpot.law = law;
  p->dashpot.g = 1;
  fixture_time(p, end, steps);
}

static inline void dashpot_support(SimProblem *p, double position, double stiffness) {
  p->dashpot.has_support = true;
  p->dashpot.support_position = position;
  p->dashpot.support_stiffness = stiffness;
}

/* Force f2 of (6.1b) in the thesis. */
static inline double dashpot_f2(int i, double t) { return dashpot_f1(i, t) / 20; }

/* A row of a run, at the time of step n = 0..steps. */
typedef struct DashpotRow {
  double t, x, v, f_d, f_s, lambda;
  int slip;
  bool contact;
  SimEnergy energy;
} DashpotRow;

static inline void dashpot_see(void *context, const SimStep *step) {
  DashpotRow *row = (DashpotRow *)context + step->n;
  *row = (DashpotRow){step->t,        step->x[0],    step->v[0],    step->extra[0], step->extra[1],
                      step->extra[2], step->slip[0], step->contact, *step->energy};
}

/* Returns all rows of a run, which the caller frees. Clears the problem. */
static inline DashpotRow *dashpot_run(SimProblem *p, FixtureForce *force, double push) {
  double x, v;
  DashpotRow *rows = calloc((size_t)p->steps + 1, sizeof *rows);
  assert_non_null(rows);
  fixture_run(p, force, &push, &(SimObserver){.context = rows, .step = dashpot_see}, &x, &v);
  return rows;
}

#endif
