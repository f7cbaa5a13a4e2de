/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that errors of a caller are reported: arguments that public functions refuse, problems that are not finalized
 * or were changed since, forces that a scheme does not support. None of them ends the process. */
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

typedef struct Reported {
  char key[32], text[256];
  int count;
} Reported;

static void record_report(void *context, const char *key, const char *text) {
  Reported *reported = context;
  snprintf(reported->key, sizeof reported->key, "%s", key);
  snprintf(reported->text, sizeof reported->text, "%s", text);
  reported->count++;
}

static void wave(void *context, double t, double *f) { *f = 3 * sin(*(const double *)context * t); }
static void wrong_from_half(void *context, double t, double *f) { *f = t < 0.5 ? 1 : *(const double *)context; }

static void problems(void **state) {
  (void)state;
  SimProblem p;
  SimModel *model;
  SimBounds bounds;
  double where, b = 1;
  long at;
  EXPECT_REFUSED(sim_problem_init(NULL, SIM_FRICTION, 1, 1), "sim_problem_init: problem is NULL");
  EXPECT_REFUSED(sim_problem_init(&p, (SimKind)17, 1, 1), "sim_problem_init: kind is none of the enum's");
  EXPECT_REFUSED(sim_problem_init(&p, SIM_FRICTION, 0, 1), "sim_problem_init: d is below 1");
  SimProblem *made = &p;
  EXPECT_REFUSED(stiction_problem_create(SIM_FRICTION, 0, 1, &made), "stiction_problem_create: d is below 1");
  assert_null(made);
  EXPECT_REFUSED(stiction_problem_create((SimKind)99, 1, 1, &made),
                 "stiction_problem_create: kind is not a value of the enum");
  EXPECT_REFUSED(stiction_problem_create_sparse(NULL, 2, 1, 2, 0, &made),
                 "stiction_problem_create_sparse: first, count are no rows of d");
  EXPECT_REFUSED(sim_problem_init(&p, SIM_FRICTION, 1, -1), "sim_problem_init: n_control is below 0");
  EXPECT_REFUSED(sim_problem_init_sparse(&p, NULL, 4, 3, 2, 0),
                 "sim_problem_init_sparse: first, count are no rows of d");
  EXPECT_REFUSED(stiction_problem_finalize(&p, NULL), "stiction_problem_finalize: problem is NULL, or not initialised");
  EXPECT_REFUSED(stiction_model_create(&p, NULL, &model), "stiction_model_create: problem is NULL, or not initialised");
  assert_null(model);
  EXPECT_REFUSED(sim_problem_set(&p, "theta", 1), "sim_problem_set: problem is NULL, or not initialised");
  assert_true(isnan(sim_problem_get(&p, "theta")));
  sim_problem_clear(&p);
  fixture_throw(&p, "moreau", 1, 10, 1, 1, 1);
  assert_int_equal(stiction_problem_set_value(&p, "model.mass", -1), SIM_OK);
  Reported reported = {.count = 0};
  assert_int_equal(stiction_problem_finalize(&p, &(SimReport){&reported, record_report}), SIM_BAD_PROBLEM);
  assert_int_equal(reported.count, 1);
  assert_string_equal(reported.key, "model.mass");
  assert_true(strstr(stiction_status_text(SIM_BAD_PROBLEM), "not valid: model.mass: eigenvalues from -1"));
  assert_int_equal(stiction_problem_set_value(&p, "model.mass", 1), SIM_OK);
  assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_BAD_PROBLEM);
  assert_string_equal(stiction_status_text(SIM_BAD_PROBLEM),
                      "the problem is not valid: problem: not finalized (expected stiction_problem_finalize before)");
  EXPECT_REFUSED(sim_problem_set_scheme(&p, NULL), "sim_problem_set_scheme: name is NULL");
  EXPECT_REFUSED(sim_problem_choose(&p, "solver", NULL), "sim_problem_choose: word is NULL");
  EXPECT_REFUSED(sim_problem_check(&p, NULL, NULL), "sim_problem_check: bounds is NULL");
  EXPECT_REFUSED(sim_problem_set_viscous(&p, NULL), "sim_problem_set_viscous: b is NULL");
  EXPECT_REFUSED(
      stiction_problem_set_springs(&p, (SimSpringPlace)9, 1, &(SimLoad){&b, false, wave, 0}, 0, 1, 0, NULL, &where),
      "stiction_problem_set_springs: place is none of the enum's");
  EXPECT_REFUSED(stiction_problem_set_surface(&p, 1, &(SimLoad){0}, 0, NULL, &where),
                 "stiction_problem_set_surface: velocity is NULL, or no function");
  EXPECT_REFUSED(stiction_problem_set_thresholds(&p, 1, &(SimLoad){&b, false, wave, 0}, 2, NULL, &where),
                 "stiction_problem_set_thresholds: breaks are NULL, or less than none");
  EXPECT_REFUSED(stiction_problem_set_friction_table(&p, 1, 1, NULL, &b, &at),
                 "stiction_problem_set_friction_table: speed is NULL");
  EXPECT_REFUSED(sim_matrix_alloc(&p.system.sparse.mass, -1, 1), "sim_matrix_alloc: rows, entries are below 0");
  EXPECT_REFUSED(sim_string_fill(&p, 1, &b, &b, &b), "sim_string_fill: problem is NULL, or not one of sparse storage");
  assert_int_equal(sim_problem_check(&p, NULL, &bounds), SIM_OK);
  sim_problem_clear(&p);
}

static void evaluations(void **state) {
  (void)state;
  static const SimDependence on = SIM_ON_POSITION, none = (SimDependence)40;
  SimProblem p;
  SimModel *model, *other;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  SimAdjoint *adjoint;
  double x, v;
  SimFinal final = {.x = &x, .v = &v};
  fixture_throw(&p, "moreau", 1, 10, 1, 1, 1);
  assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
  assert_int_equal(stiction_model_create(&p, NULL, &other), SIM_OK);
  EXPECT_REFUSED(stiction_model_create(&p, NULL, NULL), "stiction_model_create: model is NULL");
  EXPECT_REFUSED(stiction_workspace_create(NULL, &work), "stiction_workspace_create: model is NULL");
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  EXPECT_REFUSED(stiction_rollout(NULL, work, NULL, NULL, &final), "stiction_rollout: model is NULL");
  EXPECT_REFUSED(stiction_rollout(other, work, NULL, NULL, &final),
                 "stiction_rollout: work is NULL, or another model's");
  EXPECT_REFUSED(stiction_rollout(model, work, NULL, NULL, &(SimFinal){.x = &x}),
                 "stiction_rollout: final is NULL, or has no room for x or v");
  assert_int_equal(sim_rollout_begin(model, work, NULL, NULL), SIM_OK);
  EXPECT_REFUSED(sim_rollout_run_to(model, work, NULL, 11), "sim_rollout_run_to: until is beyond the last step");
  EXPECT_REFUSED(sim_workspace_load(model, work, NULL, 0), "sim_workspace_load: bytes is NULL");
  stiction_batch(other, work, 1, NULL, &final);
  assert_int_equal(final.status, SIM_BAD_ARGUMENT);
  EXPECT_REFUSED(stiction_sensitivity_create(model, 1, &none, &sensitivity),
                 "stiction_sensitivity_create: on is NULL, empty, or has what is none of the enum's");
  EXPECT_REFUSED(sim_adjoint_create(model, 0, &on, &adjoint),
                 "sim_adjoint_create: on is NULL, empty, or has what is none of the enum's");
  assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_OK);
  EXPECT_REFUSED(sim_adjoint_sweep(adjoint, sim_adjoint_together(adjoint) + 1, &x, &x),
                 "sim_adjoint_sweep: n is not from 1 to sim_adjoint_together");
  sim_workspace_set_kernel(work, 99);
  sim_workspace_set_kernel(NULL, 0);
  assert_string_equal(sim_batch_kernel(model, work), "ref");
  assert_null(sim_kernel_name(-1));
  assert_null(stiction_kind_extra_unit(SIM_DASHPOT, 99));
  assert_int_equal(stiction_model_size(NULL) + stiction_kind_extras((SimKind)17, NULL), 0);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
  sim_adjoint_destroy(adjoint);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  stiction_model_destroy(other);
  sim_problem_clear(&p);
}

/* Any change except of the force is detected. */
static void finalized(void **state) {
  (void)state;
  for (int change = -2; change < 8; change++) {
    SimProblem p, copy;
    SimModel *model;
    Reported reported = {.count = 0};
    const SimReport report = {&reported, record_report};
    fixture_throw(&p, "centered", 1, 10, 1, 1, 1);
    if (change >= -1) assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
    copy = p; /* is the same */
    double *const numbers[] = {p.x0, p.v0, p.friction, p.system.mass, p.system.stiffness, &copy.end};
    if (change >= 0 && change < 6) *numbers[change] = nextafter(*numbers[change], 9);
    if (change == 6) sim_problem_set(&copy, "alpha", 0.3);
    if (change == 7) copy.segments = 2;
    assert_int_equal(stiction_model_create(&copy, &report, &model), change == -1 ? SIM_OK : SIM_BAD_PROBLEM);
    assert_int_equal(reported.count, change == -1 ? 0 : 1);
    if (change != -1) assert_non_null(strstr(reported.text, change == -2 ? "not finalized" : "changed since"));
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* A force given as a function gives the same motion as in a table, by time steps and in pieces. A force that is not
 * finite, or that a scheme does not support, is reported. */
static void forces(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "event"};
  double rate = 7, x[2], v[2];
  Reported reported = {.count = 0};
  const SimReport report = {&reported, record_report};
  SimModel *model;
  for (int k = 0; k < 4; k++) {
    for (int way = 0; way < 2; way++) {
      SimProblem p;
      SimWorkspace *work;
      SimFinal final = {.x = &x[way], .v = &v[way]};
      double where;
      fixture_throw(&p, schemes[k], 1, 20, 1, 1, 1);
      assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
      if (way)
        assert_int_equal(stiction_problem_set_force(&p, wave, &rate), SIM_OK);
      else if (sim_force_in_pieces(&p))
        assert_int_equal(stiction_problem_set_pieces(&p, &(SimLoad){&rate, false, wave, 0}, 0, NULL, &where), SIM_OK);
      else
        assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
      for (long n = 0; p.force && n < sim_force_count(&p); n++) wave(&rate, sim_force_time(&p, n), p.force + n);
      assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
      assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
      assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      double bad = NAN;
      stiction_problem_set_force(&p, wrong_from_half, &bad);
      assert_int_equal(stiction_model_create(&p, &report, &model), SIM_BAD_PROBLEM);
      assert_string_equal(reported.key, "model.force");
      sim_problem_clear(&p);
    }
    assert_memory_equal(&x[0], &x[1], sizeof x[0]);
    assert_memory_equal(&v[0], &v[1], sizeof v[0]);
  }
  SimProblem chain;
  assert_int_equal(sim_problem_init(&chain, SIM_CHAIN, 1, 0), SIM_OK);
  fixture_time(&chain, 1, 10);
  fixture_scheme(&chain, "implicit_euler");
  chain.chain.chain_case = SIM_CHAIN_QUASISTATIC;
  chain.chain.springs[0] = chain.chain.springs[1] = chain.friction[0] = 1;
  assert_int_equal(stiction_problem_finalize(&chain, NULL), SIM_OK);
  stiction_problem_set_force(&chain, wave, &rate);
  assert_int_equal(stiction_model_create(&chain, &report, &model), SIM_BAD_PROBLEM);
  assert_non_null(strstr(reported.text, "wants its rate"));
  sim_problem_clear(&chain);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(problems), cmocka_unit_test(evaluations),
                                     cmocka_unit_test(finalized), cmocka_unit_test(forces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
