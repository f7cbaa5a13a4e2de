/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the friction problem of one step. The exact solver satisfies the law up to round-off for any coupling, and both
 * solvers agree. */
#include "tests/fixture.h"

#include "sim/law/friction_law.h"
#include "sim/step/dense_solver.h"

enum { D_MAX = 40 };

typedef struct Case {
  DenseSolver solver;
  StepScratch scratch;
  double b[D_MAX], lambda_old[D_MAX];
} Case;

/* Makes E = G G' + shift I with random G. The smaller the shift, the stronger is the coupling. */
static void make_case(Case *c, int d, double shift, bool regularized, uint64_t *seed) {
  double g[D_MAX * D_MAX];
  assert_int_equal(dense_solver_init(&c->solver, d), SIM_OK);
  assert_int_equal(step_scratch_init(&c->scratch, d), SIM_OK);
  for (int i = 0; i < d * d; i++) g[i] = fixture_random(seed);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      double sum = i == j ? shift : 0;
      for (int k = 0; k < d; k++) sum += g[i * d + k] * g[j * d + k] / d;
      c->solver.matrix[i * d + j] = sum;
    }
  for (int i = 0; i < d; i++) {
    c->b[i] = 2 * fixture_random(seed);
    c->solver.threshold[i] = i % 5 == 3 ? 0 : 0.2 + fabs(fixture_random(seed));
    c->solver.projection_weight[i] = c->solver.threshold[i] * 0.3;
    c->lambda_old[i] = c->solver.threshold[i] > 0 ? fixture_random(seed) : 0;
  }
  c->solver.fresh = regularized ? 0.7 : 1;
  c->solver.kept = regularized ? 1 - 0.7 : 0;
  assert_int_equal(dense_solver_factor(&c->solver), SIM_OK);
}

static void free_case(Case *c) {
  dense_solver_clear(&c->solver);
  step_scratch_clear(&c->scratch);
}

/* Returns the largest violation of E w + Q lambda = b and of the law, relative to the size of b. */
static double violation(const Case *c, const double *w, const double *lambda) {
  const DenseSolver *s = &c->solver;
  double worst = 0;
  for (int i = 0; i < s->d; i++) {
    double rest = c->b[i] - s->threshold[i] * lambda[i];
    for (int j = 0; j < s->d; j++) rest -= s->matrix[i * s->d + j] * w[j];
    worst = fmax(worst, fabs(rest));
    if (!(s->threshold[i] > 0)) {
      worst = fmax(worst, fabs(lambda[i]));
      continue;
    }
    double z = friction_project(lambda[i] + s->projection_weight[i] * w[i]);
    worst = fmax(worst, fabs(lambda[i] - s->fresh * z - s->kept * c->lambda_old[i]));
    assert_true(fabs(lambda[i]) <= 1);
  }
  return worst;
}

static void exact_meets_the_law(void **state) {
  (void)state;
  static const double shifts[] = {10, 0.1, 1e-3, 1e-6};
  uint64_t seed = 7;
  int stuck = 0, sliding = 0;
  for (int trial = 0; trial < 240; trial++) {
    Case c;
    int d = 1 + trial % D_MAX;
    bool regularized = trial / D_MAX % 2;
    make_case(&c, d, shifts[trial % 4], regularized, &seed);
    double w[D_MAX] = {0}, lambda[D_MAX];
    signed char slip[D_MAX];
    StepTally tally = {0};
    memcpy(lambda, c.lambda_old, sizeof lambda);
    assert_int_equal(step_solve(&c.solver, &c.scratch, c.b, NULL, w, lambda, slip, &tally), SIM_OK);
    assert_true(violation(&c, w, lambda) < 1e-9); /* the condition number of E is at most 1e7 */
    for (int i = 0; i < d; i++) {
      if (!(c.solver.threshold[i] > 0)) continue;
      if (slip[i])
        assert_true(w[i] * slip[i] > 0), sliding++;
      else if (!regularized)
        assert_true(w[i] == 0), stuck++;
    }
    free_case(&c);
  }
  assert_true(stuck > 100 && sliding > 100); /* both branches must occur */
}

/* Hilbert matrices give a coupling for which projected Gauss-Seidel converges extremely slowly. */
static void exact_meets_the_law_of_hilbert(void **state) {
  (void)state;
  uint64_t seed = 21;
  for (int trial = 0; trial < 120; trial++) {
    Case c;
    int d = 3 + trial % 7;
    make_case(&c, d, 1, trial / 7 % 2, &seed);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) c.solver.matrix[i * d + j] = 1.0 / (i + j + 1);
      c.b[i] *= 0.5;
    }
    assert_int_equal(dense_solver_factor(&c.solver), SIM_OK);
    double w[D_MAX] = {0}, lambda[D_MAX];
    signed char slip[D_MAX];
    StepTally tally = {0};
    memcpy(lambda, c.lambda_old, sizeof lambda);
    assert_int_equal(step_solve(&c.solver, &c.scratch, c.b, NULL, w, lambda, slip, &tally), SIM_OK);
    assert_true(tally.iterations < 100);
    double size = 1;
    for (int i = 0; i < d; i++) size = fmax(size, fabs(w[i]));
    assert_true(violation(&c, w, lambda) < 1e-12 * size);
    free_case(&c);
  }
}

/* By the smooth law rows without friction rest although their terms may be far smaller than the rounding errors that
 * other rows with friction leave in w. */
static void smooth_ends_where_rows_differ(void **state) {
  (void)state;
  uint64_t seed = 33;
  for (int trial = 0; trial < 400; trial++) {
    Case c;
    int d = 4 + trial % 8;
    make_case(&c, d, 0.1, false, &seed);
    c.solver.eta = pow(10, -2 - 4 * fabs(fixture_random(&seed)));
    for (int i = 0; i < d; i++) {
      double size = pow(10, 3 * fixture_random(&seed));
      c.solver.threshold[i] = i % 2 ? 0 : size;
      c.b[i] = i % 2 ? 1e-3 * fixture_random(&seed) : size * (1 - 1e-3 * fabs(fixture_random(&seed)));
    }
    assert_int_equal(dense_solver_factor(&c.solver), SIM_OK);
    double w[D_MAX] = {0}, lambda[D_MAX];
    signed char slip[D_MAX];
    StepTally tally = {0};
    assert_int_equal(step_solve(&c.solver, &c.scratch, c.b, NULL, w, lambda, slip, &tally), SIM_OK);
    for (int i = 0; i < d; i++) {
      double left = c.b[i] - c.solver.threshold[i] * lambda[i], terms = fabs(c.b[i]) + c.solver.threshold[i];
      for (int j = 0; j < d; j++) {
        left -= c.solver.matrix[i * d + j] * w[j];
        terms += fabs(c.solver.matrix[i * d + j] * w[j]);
      }
      assert_true(fabs(left) < 1e-9 * terms);
    }
    free_case(&c);
  }
}

/* With strong coupling, a solution near by leads to the answer in about one sweep, whatever was solved before in the
 * same storage. */
static void coupled_starts_with_newton(void **state) {
  (void)state;
  enum { D = 12, LOADS = 60 };
  uint64_t seed = 15;
  Case c;
  make_case(&c, D, 0.1, false, &seed);
  assert_true(c.solver.coupled);
  double w[D] = {0}, lambda[D] = {0};
  signed char slip[D];
  StepTally tally = {0};
  for (int k = 0; k < LOADS; k++) {
    for (int i = 0; i < D; i++) c.b[i] += 0.02 * fixture_random(&seed);
    double again_w[D] = {0}, again_lambda[D] = {0};
    signed char again_slip[D];
    StepTally aside = {0};
    StepScratch fresh;
    assert_int_equal(step_scratch_init(&fresh, D), SIM_OK);
    memcpy(again_w, w, sizeof w);
    assert_int_equal(step_solve(&c.solver, &c.scratch, c.b, NULL, w, lambda, slip, &tally), SIM_OK);
    assert_int_equal(step_solve(&c.solver, &fresh, c.b, NULL, again_w, again_lambda, again_slip, &aside), SIM_OK);
    assert_memory_equal(w, again_w, sizeof w);
    assert_memory_equal(slip, again_slip, sizeof slip);
    assert_true(violation(&c, w, lambda) < 1e-13);
    step_scratch_clear(&fresh);
  }
  assert_in_range(tally.iterations, LOADS, 2 * LOADS);
  free_case(&c);
  make_case(&c, D, 1e14, false, &seed);
  assert_false(c.solver.coupled); /* sweeps suffice here */
  free_case(&c);
}

static void solvers_agree(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int trial = 0; trial < 40; trial++) {
    Case c;
    int d = 1 + trial % 8;
    make_case(&c, d, 1, trial % 2, &seed);
    double w[2][D_MAX] = {{0}}, lambda[2][D_MAX];
    signed char slip[2][D_MAX];
    for (int kind = 0; kind < 2; kind++) {
      StepTally tally = {0};
      c.solver.kind = kind ? SIM_FIXED_POINT : SIM_EXACT;
      c.solver.tolerance = 1e-15;
      memcpy(lambda[kind], c.lambda_old, sizeof lambda[kind]);
      assert_int_equal(step_solve(&c.solver, &c.scratch, c.b, NULL, w[kind], lambda[kind], slip[kind], &tally), SIM_OK);
      assert_true(tally.iterations >= 1);
    }
    for (int i = 0; i < d; i++) {
      assert_true(fabs(w[0][i] - w[1][i]) < 1e-12);
      assert_true(fabs(lambda[0][i] - lambda[1][i]) < 1e-11);
    }
    free_case(&c);
  }
}

static void one_dof_closed_form(void **state) {
  (void)state;
  static const double loads[] = {0, 0.3, 1, -1, 1.5, -4};
  for (int k = 0; k < 6; k++) {
    Case c;
    assert_int_equal(dense_solver_init(&c.solver, 1), SIM_OK);
    assert_int_equal(step_scratch_init(&c.scratch, 1), SIM_OK);
    c.solver.matrix[0] = 2;
    c.solver.threshold[0] = 1;
    assert_int_equal(dense_solver_factor(&c.solver), SIM_OK);
    double w = 0.1, lambda = 0.4, b = loads[k];
    signed char slip;
    StepTally tally = {0};
    assert_int_equal(step_solve(&c.solver, &c.scratch, &b, NULL, &w, &lambda, &slip, &tally), SIM_OK);
    double expected = fabs(b) <= 1 ? 0 : (b - friction_sign(b)) / 2;
    assert_true(w == expected);
    assert_true(lambda == friction_project(b));
    assert_int_equal(slip, fabs(b) <= 1 ? 0 : (int)friction_sign(b));
    free_case(&c);
  }
}

static void non_finite_is_reported(void **state) {
  (void)state;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k < 3; k++) {
      Case c;
      uint64_t seed = 3;
      make_case(&c, 3, 1, false, &seed);
      c.solver.kind = kind ? SIM_FIXED_POINT : SIM_EXACT;
      c.solver.tolerance = 1e-12;
      c.b[1] = bad[k];
      double w[3] = {0}, lambda[3] = {0};
      signed char slip[3];
      StepTally tally = {0};
      assert_int_equal(step_solve(&c.solver, &c.scratch, c.b, NULL, w, lambda, slip, &tally), SIM_NON_FINITE);
      free_case(&c);
    }
}

/* With too large an r the fixed-point iteration does not converge, and reports that. */
static void divergence_is_reported(void **state) {
  (void)state;
  Case c;
  uint64_t seed = 5;
  make_case(&c, 3, 1, false, &seed);
  c.solver.kind = SIM_FIXED_POINT;
  c.solver.tolerance = 1e-14;
  for (int i = 0; i < 3; i++) {
    c.solver.threshold[i] = 10;
    c.solver.projection_weight[i] = 1e3;
  }
  double w[3] = {0}, lambda[3] = {0.1, 0.2, -0.3};
  signed char slip[3];
  StepTally tally = {0};
  assert_int_equal(step_solve(&c.solver, &c.scratch, c.b, NULL, w, lambda, slip, &tally), SIM_NOT_CONVERGED);
  free_case(&c);
}

/* A cleared solver holds no memory, and can be cleared again. */
static void cleared_twice(void **state) {
  (void)state;
  StepScratch scratch;
  assert_int_equal(step_scratch_init(&scratch, 3), SIM_OK);
  for (int k = 0; k < 2; k++) {
    step_scratch_clear(&scratch);
    assert_true(!scratch.a && !scratch.square && !scratch.index);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_meets_the_law),
      cmocka_unit_test(exact_meets_the_law_of_hilbert),
      cmocka_unit_test(smooth_ends_where_rows_differ),
      cmocka_unit_test(solvers_agree),
      cmocka_unit_test(one_dof_closed_form),
      cmocka_unit_test(coupled_starts_with_newton),
      cmocka_unit_test(non_finite_is_reported),
      cmocka_unit_test(divergence_is_reported),
      cmocka_unit_test(cleared_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
