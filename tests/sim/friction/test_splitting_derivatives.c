/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives along steps of lie and strang with stops and nonlinear springs with central differences and
 * adjoint ones. */
#include "tests/sim/friction/springs.h"
#include "tests/sim/stops.h"

enum { PROBLEMS = 12, STEPS = 150 };

/* Adds stops around x0, of which some are rigid, some elastic, and some without rebound. */
static void add_stops(SimProblem *p, int k) {
  uint64_t seed = (uint64_t)k + 77;
  stops_none(p);
  for (int i = 0; i < D; i++) {
    double room = 0.6 + 0.5 * fixture_random(&seed);
    p->stops.lower[i] = p->x0[i] - room;
    p->stops.upper[i] = p->x0[i] + 0.3 * room;
    p->stops.restitution[i] = (k + i) % 3 == 0 ? 0 : 0.6;
    if ((k + i) % 4 == 1) {
      p->stops.stiffness[i] = 80;
      p->stops.restitution[i] = 0;
    }
  }
}

static long impacts_of(SimProblem *p, const double *control) {
  double x[D], v[D];
  SimWorkspace *work;
  SimFinal final = {.x = x, .v = v};
  SimModel *model = fixture_model(p, tangent_swinging, &work);
  assert_int_equal(stiction_rollout(model, work, control, NULL, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return final.impacts;
}

static void check(const char *scheme) {
  int wrong = 0, all = 0;
  long impacts = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    double control[VARIABLES];
    uint64_t seed = (uint64_t)k + 11;
    if (k % 3)
      springs_make_any(&p, k, scheme, STEPS, control);
    else
      tangent_problem(&seed, k, scheme, STEPS, &p, control);
    if (k % 3 != 1) add_stops(&p, k);
    if (k % 4 == 3) {
      p.by_direction = false;
      sim_problem_set(&p, "multiplier", SIM_SMOOTH);
      sim_problem_set(&p, "eta", 0.1);
    }
    springs_check_derivatives(&p, k, control, &wrong, &all);
    impacts += impacts_of(&p, control);
    sim_problem_clear(&p);
  }
  assert_true(all > 20 * PROBLEMS && wrong <= all / 50 && impacts > 2 * PROBLEMS);
}

static void test_lie(void **state) {
  (void)state;
  check("lie");
}

static void test_strang(void **state) {
  (void)state;
  check("strang");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lie), cmocka_unit_test(test_strang)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
