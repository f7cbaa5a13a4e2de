/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a scheme of a dash-pot is given by a row of numbers: with further rows, energies close and steps converge
 * to the exact motion. test_dashpot_derivatives.c tests their derivatives. */
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/dashpot/other_schemes.h"

static const SimDashpotLaw laws[] = {SIM_VISCOUS, SIM_COULOMB, SIM_BINGHAM, SIM_BINGHAM_CUBIC, SIM_BINGHAM_NONMONOTONE};

/* Returns the rows of a run until t = 1. scheme NULL: `event`. */
static DashpotRow *run_by(const SimScheme *scheme, SimDashpotLaw law, long steps) {
  SimProblem p;
  dashpot_problem(&p, law, 1, steps);
  p.x0[0] = 0.2;
  p.v0[0] = -1;
  if (scheme)
    p.scheme = scheme;
  else
    assert_int_equal(sim_problem_set_scheme(&p, "event"), SIM_OK);
  return dashpot_run(&p, dashpot_f1, 0);
}

static void energies_close(void **state) {
  (void)state;
  enum { STEPS = 500 };
  for (int k = 0; k < OTHER_SCHEMES; k++)
    for (int law = 0; law < 5; law++) {
      DashpotRow *rows = run_by(other_schemes[k], laws[law], STEPS);
      double moved = 0;
      for (int n = 0; n <= STEPS; n++) {
        const SimEnergy *e = &rows[n].energy;
        moved = fixture_max(moved, fabs(e->numerical));
        assert_true(fabs(e->work - e->stored - e->dissipated - e->numerical) < 1e-13);
        assert_true(n == 0 || e->dissipated >= rows[n - 1].energy.dissipated);
      }
      assert_true(moved > 1e-6);
      free(rows);
    }
}

/* The error of x(1) decreases linearly with the step. */
static void come_near(void **state) {
  (void)state;
  for (int law = 0; law < 4; law++) {
    DashpotRow *exact = run_by(NULL, laws[law], 10);
    for (int k = 0; k < OTHER_SCHEMES; k++) {
      double error[2];
      for (int fine = 0; fine < 2; fine++) {
        long steps = fine ? 32000 : 2000;
        DashpotRow *rows = run_by(other_schemes[k], laws[law], steps);
        error[fine] = fabs(rows[steps].x - exact[10].x);
        free(rows);
      }
      assert_true(error[0] < 5e-3 && error[1] < error[0] / 8);
    }
    free(exact);
  }
}

/* A support requires a spring that acts at a step's end. */
static void support_is_refused(void **state) {
  (void)state;
  for (int k = 0; k < OTHER_SCHEMES; k++) {
    SimProblem p;
    dashpot_problem(&p, SIM_BINGHAM, 1, 100);
    dashpot_support(&p, 0.05, 100);
    p.scheme = other_schemes[k];
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_BAD_PROBLEM);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energies_close), cmocka_unit_test(come_near),
                                     cmocka_unit_test(support_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
