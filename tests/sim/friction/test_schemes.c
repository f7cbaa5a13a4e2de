/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the two schemes of the control paper with values of its problems and with closed forms, and tests their
 * order of convergence. */
#include "tests/fixture.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void paper_values(void **state) {
  (void)state;
  static const struct {
    int problem;
    const char *scheme;
    double x[3], tolerance;
  } cases[] = {{1, "centered", {0.4376737, 1.7457713, 2.8932895}, 1e-7},
               {2, "centered", {1.3832580, 0.4550070, 0.3379318}, 1e-7},
               {1, "moreau", {0.4648520552, 1.7632785253, 2.8954465319}, 1e-9}};
  for (int k = 0; k < 3; k++) {
    SimProblem p;
    double x[3], v[3];
    fixture_paper(&p, cases[k].problem, cases[k].scheme, SIM_UNREGULARIZED, 1);
    SimFinal f = fixture_run(&p, cases[k].problem == 1 ? fixture_tp1_force : fixture_tp2_force, NULL, NULL, x, v);
    assert_int_equal(f.status, SIM_OK);
    for (int i = 0; i < 3; i++) {
      assert_near(x[i], cases[k].x[i], cases[k].tolerance);
      assert_true(v[i] == 0); /* all dofs are exactly at rest by then */
    }
    assert_true(f.residual < 1e-11);
  }
}

/* The solution by the paper's solver tends to the exact one as its tolerance goes to 1e-12. */
static void fixed_point_tends_to_exact(void **state) {
  (void)state;
  static const double tolerances[] = {1e-6, 1e-9, 1e-12};
  for (int which = 0; which < 4; which++) {
    SimProblem p;
    int problem = 1 + which % 2;
    SimMultiplier multiplier = which / 2 ? SIM_REGULARIZED : SIM_UNREGULARIZED;
    FixtureForce *force = problem == 1 ? fixture_tp1_force : fixture_tp2_force;
    double exact[3], x[3], v[3], before = INFINITY;
    fixture_paper(&p, problem, "centered", multiplier, 1);
    fixture_run(&p, force, NULL, NULL, exact, v);
    for (int k = 0; k < 3; k++) {
      fixture_paper(&p, problem, "centered", multiplier, 1);
      sim_problem_set(&p, "solver", SIM_FIXED_POINT);
      sim_problem_set(&p, "tolerance", tolerances[k]);
      fixture_run(&p, force, NULL, NULL, x, v);
      double error = 0;
      for (int i = 0; i < 3; i++) error = fmax(error, fabs(x[i] - exact[i]));
      assert_true(error < before / 10);
      before = error;
    }
    assert_true(before < 1e-8);
  }
}

/* The numbers of linear systems are those of models.md, section 5: without and with regularization about 2809 and 907
 * (TP1), 8945 and 2829 (TP2). */
static void fixed_point_counts(void **state) {
  (void)state;
  static const long expected[2][2] = {{2809, 907}, {8945, 2829}};
  for (int k = 0; k < 4; k++) {
    SimProblem p;
    double x[3], v[3];
    int problem = 1 + k / 2;
    fixture_paper(&p, problem, "centered", k % 2 ? SIM_REGULARIZED : SIM_UNREGULARIZED, 1);
    sim_problem_set(&p, "solver", SIM_FIXED_POINT);
    sim_problem_set(&p, "tolerance", 1.5e-8);
    SimFinal f = fixture_run(&p, problem == 1 ? fixture_tp1_force : fixture_tp2_force, NULL, NULL, x, v);
    long want = expected[problem - 1][k % 2];
    assert_true(labs(f.iterations - want) <= want / 100);
  }
}

/* x(T) tends to the limits of models.md as dt -> 0, with first order. */
static void first_order(void **state) {
  (void)state;
  static const double limits[2][3] = {{0.4471, 1.7469, 2.8876}, {1.383288, 0.44842, 0.32880}};
  static const char *const schemes[] = {"centered", "moreau"};
  for (int problem = 1; problem <= 2; problem++)
    for (int s = 0; s < 2; s++) {
      SimProblem p;
      FixtureForce *force = problem == 1 ? fixture_tp1_force : fixture_tp2_force;
      double fine[3], x[3], v[3], slopes = 0, error[3] = {0};
      fixture_paper(&p, problem, schemes[s], SIM_UNREGULARIZED, 256);
      fixture_run(&p, force, NULL, NULL, fine, v);
      for (int i = 0; i < 3; i++) assert_near(fine[i], limits[problem - 1][i], 2e-4);
      for (int k = 0; k < 3; k++) {
        fixture_paper(&p, problem, schemes[s], SIM_UNREGULARIZED, 1L << 2 * k);
        fixture_run(&p, force, NULL, NULL, x, v);
        for (int i = 0; i < 3; i++) error[k] += fabs(x[i] - fine[i]);
      }
      slopes = log(error[0] / error[2]) / log(16);
      /* The times of rest have irregular positions on the grid, so only the trend is regular. */
      assert_true(slopes > 0.6 && slopes < 2.2);
    }
}

/* A block slides to rest: x(t) = v0 t - c t^2/(2m) until t* = m v0/c. Then it does not move. */
static void sliding_block(void **state) {
  (void)state;
  static const char *const schemes[] = {"centered", "moreau"};
  for (int s = 0; s < 2; s++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      SimProblem p;
      double x, v;
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
      fixture_scheme(&p, schemes[s]);
      p.system.mass[0] = 2;
      p.friction[0] = 3;
      p.v0[0] = 1.7;
      fixture_time(&p, 2, k ? 4000 : 400);
      fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
      assert_true(v == 0);
      error[k] = fabs(x - 1.7 * 1.7 * 2 / 3 / 2);
    }
    assert_true(error[0] < 2e-2 && error[1] < error[0] / 3);
  }
}

/* Without friction this is the damped oscillator. The order is two for alpha = 1/4 and theta = 1/2, and one with the
 * damping as it is discretised. */
static void oscillator(void **state) {
  (void)state;
  static const char *const schemes[] = {"centered", "moreau"};
  for (int s = 0; s < 2; s++)
    for (int damped = 0; damped < 2; damped++) {
      double error[2];
      for (int k = 0; k < 2; k++) {
        SimProblem p;
        double x, v, m = 2, a = 8, b = damped ? 0.8 : 0, decay = b / (2 * m), w = sqrt(a / m - decay * decay);
        assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
        fixture_scheme(&p, schemes[s]);
        p.system.mass[0] = m;
        p.system.stiffness[0] = a;
        p.system.damping[0] = b;
        p.x0[0] = 1;
        fixture_time(&p, 3, k ? 3000 : 300);
        fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
        error[k] = fabs(x - exp(-decay * 3) * (cos(w * 3) + decay / w * sin(w * 3)));
      }
      double order = log10(error[0] / error[1]), expected = s == 1 && damped ? 1 : 2;
      assert_near(order, expected, 0.1);
    }
}

/* All alpha in [0, 1/2] converge to the same motion. */
static void any_alpha(void **state) {
  (void)state;
  static const double alphas[] = {0, 0.1, 0.25, 0.5};
  double x[4][3], v[3];
  for (int k = 0; k < 4; k++) {
    SimProblem p;
    fixture_paper(&p, 2, "centered", SIM_UNREGULARIZED, 16);
    sim_problem_set(&p, "alpha", alphas[k]);
    fixture_run(&p, fixture_tp2_force, NULL, NULL, x[k], v);
    for (int i = 0; i < 3; i++) assert_near(x[k][i], x[0][i], 2e-3);
  }
}

/* With both laws of gamma, the force c (1 - gamma(v)) keeps a steady speed v. */
static void steady_sliding_with_stribeck(void **state) {
  (void)state;
  static const char *const schemes[] = {"centered", "moreau"};
  for (int s = 0; s < 2; s++)
    for (int law = SIM_STRIBECK_SQRT; law <= SIM_STRIBECK_RAMP; law++) {
      SimProblem p;
      double x, v, beta = 0.4, epsilon = 0.5, speed = 0.3, u;
      double gamma =
          law == SIM_STRIBECK_SQRT ? beta * speed / sqrt(epsilon * epsilon + speed * speed) : beta * speed / epsilon;
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
      fixture_scheme(&p, schemes[s]);
      p.system.mass[0] = 2;
      p.friction[0] = 3;
      p.v0[0] = speed;
      p.system.stribeck = (SimStribeck)law;
      p.system.stribeck_beta[0] = beta;
      p.system.stribeck_epsilon[0] = epsilon;
      fixture_time(&p, 1, 200);
      u = 3 * (1 - gamma);
      fixture_run(&p, fixture_no_force, &u, NULL, &x, &v);
      assert_near(v, speed, 1e-12);
      assert_near(x, speed, 1e-12);
    }
}

/* B u acts like a force of the same size. */
static void control_acts_as_force(void **state) {
  (void)state;
  static const char *const schemes[] = {"centered", "moreau"};
  for (int s = 0; s < 2; s++) {
    SimProblem p;
    double x[2][3], v[3], u[2] = {5, -3};
    for (int k = 0; k < 2; k++) {
      fixture_paper(&p, 2, schemes[s], SIM_UNREGULARIZED, 1);
      p.n_control = 2;
      const double matrix[6] = {2, 0, 1, 1, 0, -1};
      memcpy(p.control_matrix, matrix, sizeof matrix);
      SimWorkspace *work;
      SimModel *model;
      if (k == 1) { /* the control gives the forces B u = (10, 2, 3) */
        SimBounds bounds;
        assert_int_equal(sim_problem_check(&p, NULL, &bounds), SIM_OK);
        sim_problem_set(&p, "r", 1);
        sim_problem_set(&p, "epsilon", 1);
        assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
        for (long n = 0; n < sim_force_count(&p); n++) {
          p.force[3 * n] = 10;
          p.force[3 * n + 1] = 2;
          p.force[3 * n + 2] = 3;
        }
        assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
        assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
        assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
      } else
        model = fixture_model(&p, fixture_no_force, &work);
      SimFinal f = {.x = x[k], .v = v};
      stiction_rollout(model, work, k ? NULL : u, NULL, &f);
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      sim_problem_clear(&p);
    }
    for (int i = 0; i < 3; i++) assert_true(x[0][i] == x[1][i]);
  }
}

/* For alpha < 1/4 a step must be below 2/sqrt((1 - 4 alpha) nu), which is 4/sqrt(1 - 4 alpha) here. */
static void long_steps_are_refused(void **state) {
  (void)state;
  static const double alphas[] = {0, 0.125};
  for (int k = 0; k < 4; k++) {
    SimProblem p;
    SimBounds bounds;
    double limit = 4 / sqrt(1 - 4 * alphas[k / 2]);
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
    p.system.mass[0] = 1;
    p.system.stiffness[0] = 0.25;
    fixture_time(&p, 10 * limit * (k % 2 ? 1.001 : 0.999), 10);
    fixture_scheme(&p, "centered");
    sim_problem_set(&p, "alpha", alphas[k / 2]);
    assert_int_equal(sim_problem_check(&p, NULL, &bounds), k % 2 ? SIM_BAD_PROBLEM : SIM_OK);
    assert_near(bounds.step_limit, limit, 1e-12);
    fixture_time(&p, bounds.step_limit, 1);
    assert_int_equal(sim_problem_check(&p, NULL, &bounds), SIM_BAD_PROBLEM);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paper_values),
      cmocka_unit_test(fixed_point_tends_to_exact),
      cmocka_unit_test(fixed_point_counts),
      cmocka_unit_test(first_order),
      cmocka_unit_test(sliding_block),
      cmocka_unit_test(oscillator),
      cmocka_unit_test(any_alpha),
      cmocka_unit_test(steady_sliding_with_stribeck),
      cmocka_unit_test(control_acts_as_force),
      cmocka_unit_test(long_steps_are_refused),
  };
  cmocka_set_skip_filter(getenv("STICTION_SKIP"));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
