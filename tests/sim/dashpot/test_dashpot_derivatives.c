/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives along the steps of a dash-pot with central differences of the same steps, and with adjoint
 * ones. */
#include "tests/sim/adjoint.h"
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/dashpot/other_schemes.h"

enum { CONTROLS = 3, RUNS = 40, STEPS = 300 };

static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY};

/* Makes case k. The cases have all laws and signals. Every other case has a support. Every other case without a support
 * uses another scheme. */
static void make(SimProblem *p, int k, double *control) {
  static const SimDashpotLaw laws[] = {SIM_VISCOUS, SIM_COULOMB, SIM_BINGHAM, SIM_BINGHAM_CUBIC,
                                       SIM_BINGHAM_NONMONOTONE};
  static const SimSignal signals[] = {SIM_CONSTANT, SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR};
  uint64_t seed = (uint64_t)k + 3;
  dashpot_problem(p, laws[k % 5], 2, STEPS);
  if (k % 2) dashpot_support(p, 0.05, 300);
  if (k % 4 == 0) p->scheme = other_schemes[k / 4 % OTHER_SCHEMES];
  p->control_matrix[0] = 0.7;
  p->signal = signals[k % 3];
  p->segments = k % 3 ? CONTROLS : 1;
  p->x0[0] = 0.04 * fixture_random(&seed);
  p->v0[0] = k % 4 ? 2 * fixture_random(&seed) : 0;
  for (int i = 0; i < CONTROLS; i++) control[i] = 6 * fixture_random(&seed);
}

/* Computes x(T), v(T); returns a hash of the branches. */
static uint64_t end_of(SimProblem *p, const double *control, double *end) {
  static DashpotRow rows[STEPS + 1];
  uint64_t branches = 1;
  SimWorkspace *work;
  SimFinal final = {.x = end, .v = end + 1};
  SimModel *model = fixture_model(p, dashpot_f1, &work);
  const SimObserver observer = {.context = rows, .step = dashpot_see};
  assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
  for (int n = 0; n <= STEPS; n++)
    branches = (branches ^ (uint64_t)(rows[n].slip + 2 + 4 * rows[n].contact)) * UINT64_C(1099511628211);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return branches;
}

static void derivatives_are_differences(void **state) {
  (void)state;
  const double h = 1e-6;
  int compared = 0, tried = 0, stops = 0;
  for (int k = 0; k < RUNS; k++) {
    SimProblem p;
    Both b;
    double control[CONTROLS], end[2], ends[2][2];
    make(&p, k, control);
    adjoint_begin(&p, dashpot_f1, control, 3, on, &b);
    adjoint_record(&b, control);
    assert_true(adjoint_worst_error(&b) <= 1e-12);
    uint64_t branches = end_of(&p, control, end);
    assert_memory_equal(&end[0], b.final.x, sizeof *end);
    stops += !isnan(b.stop_time[0]);
    int controls = b.columns - 2;
    for (int c = 0; c < b.columns; c++, tried++) {
      double *number = c < controls ? &control[c] : c == controls ? p.x0 : p.v0, middle = *number;
      bool same = true;
      for (int side = 0; side < 2; side++) {
        *number = middle + (side ? h : -h);
        same = same && end_of(&p, control, ends[side]) == branches;
      }
      *number = middle;
      compared += same;
      for (int i = 0; i < 2 && same; i++) {
        double difference = (ends[1][i] - ends[0][i]) / (2 * h);
        assert_true(fabs(difference - b.rows[i * b.columns + c]) < 1e-5 * fmax(1, fabs(difference)));
      }
    }
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
  assert_true(compared > 0.9 * tried && stops > 0);
}

/* A mass without threshold rests without force. The first push moves it. */
static void rest_without_threshold(void **state) {
  (void)state;
  SimProblem p;
  Both b;
  const double control[CONTROLS] = {0};
  dashpot_problem(&p, SIM_VISCOUS, 1, 10);
  p.control_matrix[0] = 1;
  adjoint_begin(&p, fixture_no_force, control, 1, on, &b);
  assert_true(b.rows[0] > 1e-3);
  adjoint_record(&b, control);
  assert_true(adjoint_worst_error(&b) <= 1e-12);
  adjoint_end(&b);
  sim_problem_clear(&p);
}

/* Derivatives by quantities that a dash-pot's steps do not have are refused. */
static void others_are_refused(void **state) {
  (void)state;
  static const SimDependence none[] = {SIM_ON_FRICTION, SIM_ON_MASS, SIM_ON_DAMPING, SIM_ON_BETA};
  SimProblem p;
  SimWorkspace *work;
  dashpot_problem(&p, SIM_BINGHAM, 1, 10);
  SimModel *model = fixture_model(&p, fixture_no_force, &work);
  for (int k = 0; k < 4; k++) {
    SimSensitivity *sensitivity;
    assert_int_equal(stiction_sensitivity_create(model, 1, &none[k], &sensitivity), SIM_BAD_PROBLEM);
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_are_differences),
                                     cmocka_unit_test(rest_without_threshold), cmocka_unit_test(others_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
