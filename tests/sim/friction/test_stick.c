/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the main property of this program: a joint that sticks does not move. Also properties of every friction law:
 * |lambda| <= 1, mirror symmetry, dissipation, the energy balance. */
#include "tests/fixture.h"

static const char *const schemes[] = {"centered", "moreau"};

/* A joint on a spring, coupled by a full mass matrix, is loaded below its threshold for 1e5 steps. */
static void loaded_joint_does_not_drift(void **state) {
  (void)state;
  for (int s = 0; s < 2; s++) {
    SimProblem p;
    double x[2], v[2], u[2] = {0.9, -2.5};
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 2), SIM_OK);
    fixture_scheme(&p, schemes[s]);
    const double mass[4] = {2, 0.7, 0.7, 1}, stiffness[4] = {5, -2, -2, 4};
    memcpy(p.system.mass, mass, sizeof mass);
    memcpy(p.system.stiffness, stiffness, sizeof stiffness);
    p.friction[0] = 3;
    p.friction[1] = 4;
    p.x0[0] = 0.1;
    p.x0[1] = -0.2;
    fixture_time(&p, 1000, 100000);
    fixture_run(&p, fixture_no_force, u, NULL, x, v);
    assert_true(x[0] == 0.1 && x[1] == -0.2);
    assert_true(v[0] == 0 && v[1] == 0);
  }
}

/* With the paper's explicit start a loaded joint alternates by dt^2 f / 2m between odd and even steps. This is kept as
 * in the paper, for comparison. */
static void paper_start_ping_pongs(void **state) {
  (void)state;
  SimProblem p;
  double x, v, u = 1, dt = 0.01;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  fixture_scheme(&p, "centered");
  assert_int_equal(sim_problem_choose(&p, "start", "paper"), SIM_OK);
  p.system.mass[0] = 2;
  p.friction[0] = 3;
  fixture_time(&p, 1.01, 101);
  fixture_run(&p, fixture_no_force, &u, NULL, &x, &v);
  assert_true(fabs(x - dt * dt * u / 4) < 1e-15);
  assert_true(v == 0);
}

typedef struct Watch {
  double rest[3]; /* x of each dof when it last moved */
  bool moved_after_rest;
  bool lambda_out;
  double time_of_rest;
  double least_dissipation, dissipated, numerical, closure, scale;
} Watch;

static void see(void *context, const SimStep *step) {
  Watch *watch = context;
  bool rest = true;
  for (int i = 0; i < 3; i++) {
    if (!(fabs(step->lambda[i]) <= 1)) watch->lambda_out = true;
    if (step->slip[i] == 0 && step->v[i] != 0 && watch->time_of_rest > 0) watch->moved_after_rest = true;
    if (step->v[i] != 0) rest = false;
  }
  const SimEnergy *e = step->energy;
  if (step->n > 0) watch->least_dissipation = fmin(watch->least_dissipation, e->dissipated - watch->dissipated);
  watch->dissipated = e->dissipated;
  watch->numerical = e->numerical;
  watch->closure = fmax(watch->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
  watch->scale = fmax(watch->scale, fabs(e->work) + fabs(e->stored) + fabs(e->dissipated));
  if (!rest)
    watch->time_of_rest = 0;
  else if (watch->time_of_rest == 0) {
    watch->time_of_rest = step->t;
    memcpy(watch->rest, step->x, sizeof watch->rest);
  } else if (memcmp(watch->rest, step->x, sizeof watch->rest))
    watch->moved_after_rest = true;
}

/* TP2 comes to rest. Continued to 10 T with `moreau`, it does not move by one bit. */
static void tp2_rests_for_good(void **state) {
  (void)state;
  SimProblem p;
  double x[3], v[3];
  Watch watch = {0};
  fixture_paper(&p, 2, "moreau", SIM_UNREGULARIZED, 1);
  fixture_time(&p, 100, 10000);
  fixture_run(&p, fixture_tp2_force, NULL, &(SimObserver){.context = &watch, .step = see}, x, v);
  assert_true(watch.time_of_rest > 0 && watch.time_of_rest < 10);
  assert_false(watch.moved_after_rest);
  assert_memory_equal(x, watch.rest, sizeof x);
}

/* The laws and the balance hold on both problems of the paper, for every scheme, multiplier and solver. */
static void laws_and_balance(void **state) {
  (void)state;
  for (int k = 0; k < 16; k++) {
    int problem = 1 + k % 2, s = k / 2 % 2, regularized = k / 4 % 2, fixed_point = k / 8;
    if (s == 1 && regularized) continue; /* this combination is not supported */
    SimProblem p;
    double x[3], v[3], u[3] = {3, -8, 20};
    Watch watch = {0};
    fixture_paper(&p, problem, schemes[s], regularized ? SIM_REGULARIZED : SIM_UNREGULARIZED, 1);
    sim_problem_set(&p, "solver", fixed_point ? SIM_FIXED_POINT : SIM_EXACT);
    sim_problem_set(&p, "tolerance", 1e-14);
    for (int i = 0; i < 3; i++) { /* damping and gamma are part of the balance */
      p.system.damping[4 * i] = 0.2;
      p.system.stribeck_beta[i] = 0.3;
      p.system.stribeck_epsilon[i] = 0.1;
    }
    p.system.stribeck = SIM_STRIBECK_SQRT;
    SimFinal f = fixture_run(&p, problem == 1 ? fixture_tp1_force : fixture_tp2_force, u,
                             &(SimObserver){.context = &watch, .step = see}, x, v);
    assert_int_equal(f.status, SIM_OK);
    assert_false(watch.lambda_out);
    assert_true(watch.closure < 1e-11 * watch.scale);
    assert_true(watch.dissipated > 0);
    /* The regularized law creeps, and may return a little energy. A fixed point is accurate up to its tolerance. */
    double allowed = regularized ? 1e-3 : fixed_point ? 1e-9 : 0;
    assert_true(watch.least_dissipation >= -allowed * watch.scale);
  }
}

/* The numerical loss of the scheme vanishes with the step. */
static void numerical_loss_vanishes(void **state) {
  (void)state;
  double loss[2];
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    double x[3], v[3];
    Watch watch = {0};
    fixture_paper(&p, 1, "moreau", SIM_UNREGULARIZED, k ? 16 : 1);
    fixture_run(&p, fixture_tp1_force, NULL, &(SimObserver){.context = &watch, .step = see}, x, v);
    loss[k] = fabs(watch.numerical);
  }
  assert_true(loss[0] > 0 && loss[1] < loss[0] / 10);
}

/* Negated data give the negated motion, bit for bit. */
static void mirror_symmetry(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    int s = k % 3 == 2, regularized = k % 3 == 1, fixed_point = k / 3;
    double x[2][3], v[2][3];
    for (int mirrored = 0; mirrored < 2; mirrored++) {
      SimProblem p;
      SimWorkspace *work;
      double u[3] = {4, -1, 9};
      fixture_paper(&p, 2, schemes[s], regularized ? SIM_REGULARIZED : SIM_UNREGULARIZED, 1);
      sim_problem_set(&p, "solver", fixed_point ? SIM_FIXED_POINT : SIM_EXACT);
      SimModel *model = fixture_model(&p, fixture_tp2_force, &work);
      if (mirrored) {
        stiction_workspace_destroy(work);
        stiction_model_destroy(model);
        for (int i = 0; i < 3; i++) {
          p.x0[i] = -p.x0[i];
          p.v0[i] = -p.v0[i];
          u[i] = -u[i];
        }
        for (long n = 0; n < 3 * sim_force_count(&p); n++) p.force[n] = -p.force[n];
        assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
        assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
        assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
      }
      SimFinal f = {.x = x[mirrored], .v = v[mirrored]};
      stiction_rollout(model, work, u, NULL, &f);
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      sim_problem_clear(&p);
    }
    for (int i = 0; i < 3; i++) {
      assert_true(x[0][i] == -x[1][i]);
      assert_true(v[0][i] == -v[1][i]);
    }
  }
}

/* A batch equals its rollouts, bit for bit, in any order and combination. A workspace does not depend on its last
 * rollout. */
static void batch_is_its_rollouts(void **state) {
  (void)state;
  enum { N = 7 };
  for (int s = 0; s < 2; s++) {
    SimProblem p;
    SimWorkspace *work;
    double u[N][3], one[6], many[N][6];
    SimFinal final[N];
    uint64_t seed = 1;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < 3; j++) u[i][j] = 30 * fixture_random(&seed);
    u[4][1] = 1e308; /* an overflow must not change the others */
    fixture_paper(&p, 1, schemes[s], s ? SIM_UNREGULARIZED : SIM_REGULARIZED, 1);
    SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
    for (int i = 0; i < N; i++) final[i] = (SimFinal){.x = many[i], .v = many[i] + 3};
    stiction_batch(model, work, N, u[0], final);
    for (int i = N - 1; i >= 0; i--) {
      SimFinal f = {.x = one, .v = one + 3};
      stiction_rollout(model, work, u[i], NULL, &f);
      assert_int_equal(f.status, final[i].status);
      assert_int_equal(f.status == SIM_OK, i != 4);
      if (i == 4) continue;
      assert_int_equal(f.iterations, final[i].iterations);
      assert_memory_equal(one, many[i], sizeof one);
    }
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loaded_joint_does_not_drift), cmocka_unit_test(paper_start_ping_pongs),
      cmocka_unit_test(tp2_rests_for_good),          cmocka_unit_test(laws_and_balance),
      cmocka_unit_test(numerical_loss_vanishes),     cmocka_unit_test(mirror_symmetry),
      cmocka_unit_test(batch_is_its_rollouts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
