/* SPDX-License-Identifier: BSD-2-Clause */
/* The time-stepping schemes for friction, all of which support dofs without mass, and models with such dofs. */
#ifndef TESTS_MASSLESS_H
#define TESTS_MASSLESS_H

#include "tests/fixture.h"

static const char *const stepping[] = {"moreau", "centered", "lie", "strang"};
enum { STEPPING = sizeof stepping / sizeof *stepping };

enum { SLIDERS = 4, MAXWELL = SLIDERS + 1 };

static const double SPRING[SLIDERS] = {400, 300, 200, 100},
                    /* stiffness of each slider's spring, N/m, and its threshold, N, in the order in which the sliders
                     * slip */
    LIMIT[SLIDERS] = {0.3, 1.5, 2, 3};

/* Makes a mass, which is dof `at`, with sliders on springs that rub on the ground. The sliders are the other dofs, in
 * order. */
static inline void maxwell(SimProblem *p, const char *scheme, int at, double end, long steps) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, MAXWELL, 0), SIM_OK);
  p->system.mass[at * (MAXWELL + 1)] = 0.5;
  p->system.damping[at * (MAXWELL + 1)] = 12;
  for (int k = 0; k < SLIDERS; k++) {
    int i = k + (k >= at);
    p->system.stiffness[i * (MAXWELL + 1)] = SPRING[k];
    p->system.stiffness[at * (MAXWELL + 1)] += SPRING[k];
    p->system.stiffness[i * MAXWELL + at] = p->system.stiffness[at * MAXWELL + i] = -SPRING[k];
    p->friction[i] = LIMIT[k];
  }
  fixture_time(p, end, steps);
  fixture_scheme(p, scheme);
}

/* Makes a mass with one slider on a spring. */
static inline void jenkins(SimProblem *p, double k) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 2, 0), SIM_OK);
  p->system.mass[0] = 1;
  p->system.stiffness[0] = p->system.stiffness[3] = k;
  p->system.stiffness[1] = p->system.stiffness[2] = -k;
}

#endif
