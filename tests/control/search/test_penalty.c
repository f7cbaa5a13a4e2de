/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the penalty functions with values computed by hand, and tests the check of the control problem. */
#include "tests/fixture.h"

#include "control/outcome/penalty.h"

static void assert_near(double value, double expected) {
  assert_true(fabs(value - expected) <= 1e-12 * fabs(expected));
}

enum { D = 3 };

/* Sets up the problem: targets x_T = (1,2,3) and v_T = (0,-4,0), penalty weight rho = 10, and n = 1 variable. */
static void start(CtlProblem *problem, CtlPenaltyKind kind) {
  assert_int_equal(ctl_problem_init(problem, 1, D), SIM_OK);
  problem->penalty = kind;
  problem->rho = 10;
  problem->end = 1;
  for (int i = 0; i < D; i++) {
    problem->position[i] = i + 1;
    problem->velocity[i] = i == 1 ? -4 : 0;
  }
}

static void cost_is_the_integral(void **state) {
  (void)state;
  CtlProblem problem;
  const double u[2] = {3, -2};
  assert_int_equal(ctl_problem_init(&problem, 2, 1), SIM_OK);
  problem.end = 2.5;
  assert_true(ctl_cost(&problem, u) == 2.5 * 13);
  const double weight[4] = {2, 0.5, 0.5, 1};
  memcpy(problem.weight, weight, sizeof weight);
  assert_true(ctl_cost(&problem, u) == 2.5 * (2 * 9 - 2 * 0.5 * 6 + 4));
  ctl_problem_clear(&problem);
}

/* State with the residuals (3,0,-4) and (0,12,5). Their norms (1, 2, infinity) are 7, 5, 4 and 17, 13, 12. */
static const double X[D] = {4, 2, -1}, V[D] = {0, 8, 5};

static void p_in_three_norms(void **state) {
  (void)state;
  static const CtlNorm norms[] = {CTL_NORM_1, CTL_NORM_2, CTL_NORM_INF};
  static const double of_x[] = {7, 5, 4}, of_v[] = {17, 13, 12};
  CtlProblem problem;
  CtlPenalty penalty;
  start(&problem, CTL_PENALTY_P);
  for (int k = 0; k < 3; k++) {
    problem.norm = norms[k];
    ctl_penalty_start(&penalty, &problem);
    assert_near(ctl_penalty_merit(&penalty, &problem, 0.5, X, V), 0.5 + 10 * of_x[k] + 10 * of_v[k]);
    penalty.rho[1] = 100;
    assert_near(ctl_penalty_merit(&penalty, &problem, 0.5, X, V), 0.5 + 10 * of_x[k] + 100 * of_v[k]);
    /* The penalty of kind P (not Pi) has no centre, so that this has no effect. */
    ctl_penalty_centre(&penalty, &problem, 1e9, X, V);
    assert_int_equal(penalty.norm, norms[k]);
    assert_near(ctl_penalty_merit(&penalty, &problem, 0.5, X, V), 0.5 + 10 * of_x[k] + 100 * of_v[k]);
  }
  ctl_problem_clear(&problem);
}

/* Makes a state with the residual r in x_1, s in v_3, and 0 elsewhere. */
static void state_at(double r, double s, double *x, double *v) {
  const double at_target[2][D] = {{1, 2, 3}, {0, -4, 0}};
  memcpy(x, at_target[0], sizeof at_target[0]);
  memcpy(v, at_target[1], sizeof at_target[1]);
  x[0] += r;
  v[2] += s;
}

/* Tests how the penalty Pi switches its norm by (3.7) of the control paper: by the miss G_2 of its centre, also at the
 * limits G_2 = 2 and G_2 = 1 exactly, and one unit in the last place inside. */
static void pi_switches_its_norm(void **state) {
  (void)state;
  static const struct {
    double r;
    CtlNorm norm;
  } cases[] = {{100, CTL_NORM_INF},       {2, CTL_NORM_INF}, {2 - 0x1p-50, CTL_NORM_2}, {1.5, CTL_NORM_2},
               {1 + 0x1p-50, CTL_NORM_2}, {1, CTL_NORM_1},   {0.5, CTL_NORM_1},         {0, CTL_NORM_1}};
  CtlProblem problem;
  CtlPenalty penalty;
  double x[D], v[D];
  start(&problem, CTL_PENALTY_PI);
  ctl_penalty_start(&penalty, &problem);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    state_at(0, cases[k].r, x, v); /* velocities count like positions */
    ctl_penalty_centre(&penalty, &problem, 7, x, v);
    assert_int_equal(penalty.norm, cases[k].norm);
    assert_true(penalty.centre_G == cases[k].r && penalty.centre_J == 7);
  }
  ctl_problem_clear(&problem);
}

static void pi_in_three_norms(void **state) {
  (void)state;
  static const double centres[] = {0.5, 1.5, 8}; /* misses G at the centre in the norms K = 1, 2, infinity */
  static const double G[] = {7, 5, 4};           /* misses of the state, the norms of the residuals 3 in x and -4 in
                                                  * v */
  CtlProblem problem;
  CtlPenalty penalty;
  double x[D], v[D], x_centre[D], v_centre[D];
  start(&problem, CTL_PENALTY_PI);
  ctl_penalty_start(&penalty, &problem);
  penalty.rho[2] = 100; /* of the three weights only rho[2] has an effect */
  state_at(3, -4, x, v);
  for (int k = 0; k < 3; k++) {
    state_at(centres[k], 0, x_centre, v_centre);
    ctl_penalty_centre(&penalty, &problem, 20, x_centre, v_centre);
    /* A u that is more expensive than the centre uc has no extra term Z in its merit. */
    assert_near(ctl_penalty_merit(&penalty, &problem, 21, x, v), 21 + 100 * G[k]);
    /* A u that is cheaper than uc has the extra term Z = min(G(uc)/G(u), 1) (J(uc) - J(u)). */
    double ratio = fmin(centres[k] / G[k], 1);
    assert_near(ctl_penalty_merit(&penalty, &problem, 15, x, v), 15 + 100 * G[k] + ratio * 5);
    /* The centre itself has no extra term Z. */
    assert_near(ctl_penalty_merit(&penalty, &problem, 20, x_centre, v_centre), 20 + 100 * centres[k]);
  }
  assert_true(fmin(centres[2] / G[2], 1) == 1); /* the ratio has reached its limit */

  /* The floor 1e-8 of (3.5) in the control paper acts, as u is on the target and uc 1e-9 away from it. */
  double x_near[D];
  state_at(0, 0, x, v);
  state_at(0x1p-30, 0, x_near, v_centre);
  ctl_penalty_centre(&penalty, &problem, 20, x_near, v_centre);
  assert_near(ctl_penalty_merit(&penalty, &problem, 15, x, v), 15 + 5 * 0x1p-30 / 1e-8);
  ctl_problem_clear(&problem);
}

static void pi_with_a_centre_that_failed(void **state) {
  (void)state;
  const double failed[D] = {NAN, NAN, NAN};
  CtlProblem problem;
  CtlPenalty penalty;
  double x[D], v[D];
  start(&problem, CTL_PENALTY_PI);
  ctl_penalty_start(&penalty, &problem);
  ctl_penalty_centre(&penalty, &problem, 20, failed, failed);
  assert_int_equal(penalty.norm, CTL_NORM_INF);
  assert_true(ctl_penalty_merit(&penalty, &problem, 20, failed, failed) == INFINITY);
  state_at(3, -4, x, v);
  assert_near(ctl_penalty_merit(&penalty, &problem, 15, x, v), 15 + 10 * 4 + 5);
  ctl_problem_clear(&problem);
}

static void free_entries_are_left_out(void **state) {
  (void)state;
  const double partial[D] = {NAN, -7, 1e300};
  CtlProblem problem;
  CtlPenalty penalty;
  start(&problem, CTL_PENALTY_P);
  problem.position[0] = problem.position[2] = NAN;
  for (int i = 0; i < D; i++) problem.velocity[i] = NAN;
  ctl_penalty_start(&penalty, &problem);
  assert_near(ctl_penalty_merit(&penalty, &problem, 1, partial, partial), 1 + 10 * 9.0);
  assert_near(ctl_target_error(D, partial, problem.position, problem.position_scale, 0), 4.5);
  assert_true(ctl_target_error(D, partial, problem.velocity, problem.velocity_scale, 0) == 0);
  problem.penalty = CTL_PENALTY_PI;
  ctl_penalty_centre(&penalty, &problem, 1, partial, partial);
  assert_int_equal(penalty.norm, CTL_NORM_INF);
  assert_true(penalty.centre_G == 9);
  problem.rho_update = CTL_RHO_DYNAMIC;
  ctl_penalty_update_rho(&penalty, &problem, partial, partial);
  assert_true(penalty.rho[0] == 19 && penalty.rho[1] == 10 && penalty.rho[2] == 14.5);
  ctl_problem_clear(&problem);
}

static void dynamic_rho_and_its_cap(void **state) {
  (void)state;
  CtlProblem problem;
  CtlPenalty penalty;
  start(&problem, CTL_PENALTY_P);
  ctl_penalty_start(&penalty, &problem);
  ctl_penalty_update_rho(&penalty, &problem, X, V);
  for (int k = 0; k < 3; k++) assert_true(penalty.rho[k] == 10); /* rho stays constant */
  problem.rho_update = CTL_RHO_DYNAMIC;
  ctl_penalty_update_rho(&penalty, &problem, X, V);
  assert_true(penalty.rho[0] == 14 && penalty.rho[1] == 22 && penalty.rho[2] == 18);
  penalty.rho[0] = 1e6 - 1;
  ctl_penalty_update_rho(&penalty, &problem, X, V);
  assert_true(penalty.rho[0] == 1e6 && penalty.rho[1] == 34 && penalty.rho[2] == (1e6 + 34) / 2);
  ctl_problem_clear(&problem);
}

static void errors_are_relative_beyond_one(void **state) {
  (void)state;
  const double none[D] = {NAN, NAN, NAN};
  const double large[D] = {1, -8, NAN}, small[D] = {0.5, NAN, -0.25}, y[D] = {2, -4, 1};
  assert_true(ctl_target_error(D, y, large, none, 0) == 4.0 / 8);
  assert_true(ctl_target_error(D, y, small, none, 0) == 1.5);
  const double failed[D] = {NAN, 0, 0};
  assert_true(ctl_target_error(D, failed, large, none, 0) == INFINITY);
}

/* A small entry beside a large one has a large miss with a scale of its own. The divisor of entries without scale
 * remains the largest entry. */
static void entries_have_scales_of_their_own(void **state) {
  (void)state;
  const double target[D] = {100, 0.05, NAN}, y[D] = {100.01, 0.0001, 7}, failed[D] = {100, NAN, 7};
  const double none[D] = {NAN, NAN, NAN}, small[D] = {NAN, 0.05, 1e-9}, all[D] = {0.01, 0.01, 0.01};
  assert_near(ctl_target_error(D, y, target, none, 0), 0.0499 / 100);
  assert_near(ctl_target_error(D, y, target, small, 0), 0.0499 / 0.05);
  assert_near(ctl_target_error(D, target, target, small, 0), 0);
  assert_near(ctl_target_error(D, y, target, all, 0), 4.99);
  assert_true(ctl_target_error(D, failed, target, small, 0) == INFINITY);
}

static void functions_have_integral_norms(void **state) {
  (void)state;
  const double h = 0.25, target[D] = {3, 0, -4}, y[D] = {3, 2, -3}; /* the misses are 0, 2, 1 */
  CtlProblem problem;
  CtlPenalty penalty;
  start(&problem, CTL_PENALTY_P);
  memcpy(problem.position, target, sizeof target);
  for (int i = 0; i < D; i++) problem.velocity[i] = NAN;
  problem.position_spacing = h;
  ctl_penalty_start(&penalty, &problem);
  assert_near(ctl_penalty_merit(&penalty, &problem, 1, y, y), 1 + 10 * sqrt(h * 5));
  penalty.norm = CTL_NORM_1;
  assert_near(ctl_penalty_merit(&penalty, &problem, 1, y, y), 1 + 10 * h * 3);
  penalty.norm = CTL_NORM_INF;
  assert_near(ctl_penalty_merit(&penalty, &problem, 1, y, y), 1 + 10 * 2.0);
  assert_near(ctl_target_error(D, y, target, problem.position_scale, h), sqrt(h * 5) / sqrt(h * 25));
  assert_near(ctl_target_error(D, y, target, problem.position_scale, 0.01), sqrt(0.01 * 5)); /* here ||target|| < 1 */
  for (int i = 0; i < D; i++) problem.position_scale[i] = 0.1;
  assert_near(ctl_target_error(D, y, target, problem.position_scale, h), sqrt(h * 5) / 0.1);
  /* The penalty function does not use these scales. */
  assert_near(ctl_penalty_merit(&penalty, &problem, 1, y, y), 1 + 10 * 2.0);
  ctl_problem_clear(&problem);
}

/* The check of the problem -------------------------------------------------------------------------------------- */

static char complaint[64];
static int complaints;

static void remember(void *context, const char *key, const char *text) {
  (void)context;
  assert_true(strlen(text) > 0);
  snprintf(complaint, sizeof complaint, "%s", key);
  complaints++;
}

/* Checks that exactly one mistake is reported, under this key (NULL: none). */
static void expect(const CtlProblem *p, const char *key) {
  const SimReport report = {NULL, remember};
  complaint[0] = 0;
  complaints = 0;
  assert_int_equal(stiction_control_check(p, &report), key ? SIM_BAD_PROBLEM : SIM_OK);
  assert_int_equal(complaints, key ? 1 : 0);
  if (key) assert_string_equal(complaint, key);
}

static CtlProblem good_problem(void) {
  CtlProblem p;
  assert_int_equal(ctl_problem_init(&p, 2, 2), SIM_OK);
  p.method = ctl_method_find("pds");
  p.end = 1;
  p.position[0] = p.position[1] = 1;
  return p;
}

/* Checks a problem that is valid except for one assignment. */
#define EXPECT_WITH(assignment, key)                                                                                   \
  do {                                                                                                                 \
    CtlProblem p = good_problem();                                                                                     \
    assignment;                                                                                                        \
    expect(&p, key);                                                                                                   \
    ctl_problem_clear(&p);                                                                                             \
  } while (0)

static void mistakes_are_reported(void **state) {
  (void)state;
  EXPECT_WITH(p.scheme_size = 0, NULL);
  EXPECT_WITH(p.scheme_size = 4, NULL);
  EXPECT_WITH(p.scheme_size = 3, "search.scheme_size");
  EXPECT_WITH(p.scheme_size = CTL_SCHEME_MAX + 1L, "search.scheme_size");
  EXPECT_WITH(p.step = 0, "search.step");
  EXPECT_WITH(p.step = NAN, "search.step");
  EXPECT_WITH(p.step = 1e100, NULL);
  EXPECT_WITH(p.step = 1.01e100, "search.step");
  EXPECT_WITH(p.method = ctl_method_find("sqp"), "search.method"); /* sqp needs derivatives */
  EXPECT_WITH((p.method = ctl_method_find("sqp"), p.derivatives = true), NULL);
  EXPECT_WITH(p.rho = -1, "search.rho");
  EXPECT_WITH(p.tolerance = 0, "search.tolerance");
  EXPECT_WITH(p.relative_tolerance = -1, "search.relative_tolerance");
  EXPECT_WITH(p.accept = 0, "search.accept");
  EXPECT_WITH(p.stop_at = NAN, "search.stop_at");
  EXPECT_WITH(p.max_seconds = -1, "search.max_seconds");
  EXPECT_WITH(p.max_simplexes = -1, "search.max_simplexes");
  EXPECT_WITH(p.restarts = -1, "search.restarts");
  EXPECT_WITH(p.max_evaluations = 3 + 64, NULL);
  EXPECT_WITH(p.max_evaluations = 3 + 63, "search.max_evaluations");
  EXPECT_WITH(p.rho = 2e6, NULL);
  EXPECT_WITH((p.rho = 2e6, p.rho_update = CTL_RHO_DYNAMIC), "search.rho");
  EXPECT_WITH(p.end = 0, "time.end");
  EXPECT_WITH(p.n = CTL_CONTROLS_MAX + 1, "control.matrix");
  EXPECT_WITH(p.start[1] = INFINITY, "control.start");
  EXPECT_WITH((p.lower[0] = -2, p.upper[0] = -1), "control.start");
  EXPECT_WITH((p.lower[1] = 2, p.upper[1] = -2), "control.bounds");
  EXPECT_WITH(p.upper[1] = NAN, "control.bounds");
  EXPECT_WITH(p.position[0] = p.position[1] = NAN, "control.target");
  EXPECT_WITH(p.velocity[0] = INFINITY, "control.target.velocity");
  EXPECT_WITH(p.position[1] = NAN, NULL);
  /* One number is the scale of all entries. */
  EXPECT_WITH((p.position[1] = NAN, p.position_scale[0] = p.position_scale[1] = 1e-3), NULL);
  EXPECT_WITH(p.position_scale[1] = 0, "control.target.scale.position");
  EXPECT_WITH(p.position_scale[0] = INFINITY, "control.target.scale.position");
  EXPECT_WITH(p.velocity_scale[0] = 1, "control.target.scale.velocity"); /* a scale without a target is an error */
}

static void weights_are_semidefinite(void **state) {
  (void)state;
  EXPECT_WITH(p.weight[0] = NAN, "control.weight");
  EXPECT_WITH(p.weight[1] = 1, "control.weight"); /* the weight is not symmetric */
  EXPECT_WITH((p.weight[0] = 1, p.weight[3] = -1e-3), "control.weight");
  EXPECT_WITH((p.weight[1] = p.weight[2] = 2), "control.weight"); /* the weight has the eigenvalues -1 and 3 */
  EXPECT_WITH((p.weight[0] = p.weight[1] = p.weight[2] = p.weight[3] = 1.0 / 3), NULL);
}

static void user_edges(CtlProblem *p, double a, double b, double c, double d) {
  const double edges[4] = {a, b, c, d};
  p->simplex = CTL_SIMPLEX_USER;
  memcpy(p->edges, edges, sizeof edges);
}

static void degenerate_simplexes_are_refused(void **state) {
  (void)state;
  EXPECT_WITH(user_edges(&p, 1, 2, -2, -4), "search.simplex");
  EXPECT_WITH(user_edges(&p, 1, 2, 0, 0), "search.simplex");
  EXPECT_WITH(user_edges(&p, 1.0 / 3, 0.1, 10.0 / 3, 1), "search.simplex"); /* the edges are parallel up to round-off */
  EXPECT_WITH(user_edges(&p, 1, INFINITY, 0, 1), "search.simplex");
  EXPECT_WITH(user_edges(&p, 1, 0, 0, 1.01e100), "search.simplex"); /* the square of this edge overflows */
  EXPECT_WITH(user_edges(&p, 1, 2, -2, 4), NULL);
  EXPECT_WITH(user_edges(&p, 1e-12, 0, 0, 1e9), NULL); /* edges may have very different lengths */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cost_is_the_integral),
      cmocka_unit_test(p_in_three_norms),
      cmocka_unit_test(pi_switches_its_norm),
      cmocka_unit_test(pi_in_three_norms),
      cmocka_unit_test(pi_with_a_centre_that_failed),
      cmocka_unit_test(free_entries_are_left_out),
      cmocka_unit_test(dynamic_rho_and_its_cap),
      cmocka_unit_test(errors_are_relative_beyond_one),
      cmocka_unit_test(entries_have_scales_of_their_own),
      cmocka_unit_test(functions_have_integral_norms),
      cmocka_unit_test(mistakes_are_reported),
      cmocka_unit_test(weights_are_semidefinite),
      cmocka_unit_test(degenerate_simplexes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
