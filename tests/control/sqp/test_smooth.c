/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests SQP for values of the user's own with derivatives: published minima, random starts, saved searches, sizes,
 * failures. */
#include "tests/control/sqp/found.h"

#include "control/sqp/smooth.h"
#include "control/sqp/starts.h"

static void published_minima_are_found(void **state) {
  (void)state;
  for (int k = 0; k < OWN_PROBLEMS; k++) {
    const OwnProblem *own = &own_problems[k];
    CtlProblem p;
    assert_int_equal(own_problem(own, &p), SIM_OK);
    assert_string_equal(stiction_method_name(ctl_problem_method(&p)), "sqp");
    Found found = search_from(own, &p);
    if (!found.least || found.state.reason != CTL_REASON_TOLERANCE || found.state.ivps > 60)
      fail_msg("%s: f = %.12g (expected %.12g), E1 = %g, after %ld points", own->name, found.state.J, own->least,
               found.state.E1, found.state.ivps);
    ctl_problem_clear(&p);
  }
}

/* Sets start number k of a problem: between its bounds, or near its published start. */
static void set_start(const OwnProblem *own, uint64_t k, CtlProblem *p) {
  for (int i = 0; i < own->n && k > 0; i++) {
    double number = ctl_start_number(k, (uint64_t)i), across = p->upper[i] - p->lower[i];
    p->start[i] = isfinite(across) ? p->lower[i] + across * (1 + number) / 2 : own->start[i] + 5 * number;
  }
}

/* Some problems have other local minima, so not every start finds the published one. */
static void random_starts_find_them(void **state) {
  (void)state;
  enum { STARTS = 20 };
  long evaluations = 0;
  int met = 0;
  for (int k = 0; k < OWN_PROBLEMS; k++)
    for (uint64_t start = 0; start < STARTS; start++) {
      CtlProblem p;
      assert_int_equal(own_problem(&own_problems[k], &p), SIM_OK);
      p.restarts = 0;
      set_start(&own_problems[k], start, &p);
      Found found = search_from(&own_problems[k], &p);
      met += found.least;
      evaluations += found.state.ivps;
      ctl_problem_clear(&p);
    }
  print_message("%d of %d runs end at the least f, %ld evaluations\n", met, OWN_PROBLEMS * STARTS, evaluations);
  assert_true(met >= OWN_PROBLEMS * STARTS * 95 / 100);
  assert_true(evaluations <= 9000);
}

/* Evaluates one point, saves the search, and continues with the loaded one. */
static void saved_searches_go_on_bit_for_bit(void **state) {
  (void)state;
  for (int k = 0; k < OWN_PROBLEMS; k++) {
    const OwnProblem *own = &own_problems[k];
    CtlFunction function = own_function(own);
    CtlEvaluator evaluator = ctl_function_evaluator(&function);
    CtlProblem p;
    CtlSearch *search;
    CtlWant want;
    long ticket;
    double u[OWN_MOST], values[OWN_MOST], none[OWN_MOST], rows[OWN_MOST * (OWN_MOST + 2)];
    assert_int_equal(own_problem(own, &p), SIM_OK);
    Found wanted = search_from(own, &p);
    assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
    while (stiction_asktell_ask(search, 1, &ticket, u, &want)) {
      SimFinal final = {.x = values, .v = none};
      evaluator.evaluate(evaluator.context, want, 1, u, &final, rows);
      const CtlOutcome outcome = {.x = values, .rows = rows, .status = final.status};
      for (bool on = stiction_asktell_tell(search, ticket, &outcome, 0); on;) on = stiction_asktell_advance(search);
      size_t size = stiction_asktell_saved_size(search);
      void *bytes = malloc(size);
      stiction_asktell_save(search, bytes);
      stiction_asktell_destroy(search);
      assert_int_equal(stiction_asktell_load(&p, bytes, size, NULL, &search), CTL_OK);
      free(bytes);
    }
    Found found = keep_found(own, search);
    assert_int_equal(found.state.ivps, wanted.state.ivps);
    assert_memory_equal(found.x, wanted.x, sizeof found.x);
    stiction_asktell_destroy(search);
    ctl_problem_clear(&p);
  }
}

static const double LONG = 1e5, SHORT = 1e-4;

/* The problem hs71 with other units of its first two variables. */
static void hs71_scaled(const OwnNumber *x, OwnNumber *y) {
  const OwnNumber own[] = {x[0] / LONG, x[1] / SHORT, x[2], x[3]};
  hs71(own, y);
}

static void steps_are_in_sizes(void **state) {
  (void)state;
  const OwnProblem *own = &own_problems[13];
  OwnProblem scaled = *own;
  const double sizes[] = {LONG, SHORT, 1, 1};
  CtlProblem p, q;
  scaled.values = hs71_scaled;
  assert_string_equal(own->name, "hs71");
  assert_int_equal(own_problem(own, &p), SIM_OK);
  assert_int_equal(own_problem(&scaled, &q), SIM_OK);
  for (int i = 0; i < 4; i++) {
    q.size[i] = sizes[i];
    q.start[i] *= sizes[i];
    q.lower[i] *= sizes[i];
    q.upper[i] *= sizes[i];
  }
  Found one = search_from(own, &p), other = search_from(&scaled, &q);
  assert_true(one.least && other.least);
  assert_int_equal(one.state.ivps, other.state.ivps);
  for (int i = 0; i < 4; i++) assert_true(fabs(one.x[i] - other.x[i] / sizes[i]) <= 1e-9);
  ctl_problem_clear(&p);
  ctl_problem_clear(&q);
}

/* The minimum is at 1e-3, near 0, where the function is not defined. */
static void barely_defined(const OwnNumber *x, OwnNumber *y) { y[0] = x[0] - 1e-3 * clog(x[0]); }

static SimStatus fails_below_0(void *context, const double *point, double *values, double *rows) {
  return point[0] <= 0 ? SIM_NOT_CONVERGED : own_rows(context, point, values, rows);
}

static void failed_points_shorten_the_step(void **state) {
  (void)state;
  const OwnProblem own = {"log", 1, 1, "o", barely_defined, 1e-3 - 1e-3 * -6.907755278982137, {5}, 0, 0};
  CtlFunction function = own_function(&own);
  function.rows = fails_below_0;
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlProblem p;
  CtlSearch *search;
  assert_int_equal(own_problem(&own, &p), SIM_OK);
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, NULL, NULL), 0);
  Found found = keep_found(&own, search);
  assert_true(found.least && found.state.non_finite > 0);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
}

/* The equation x^2 + 1 = 0, which has no solution. */
static void unreachable(const OwnNumber *x, OwnNumber *y) {
  y[0] = x[1];
  y[1] = square(x[0]) + 1;
}

static void what_cannot_be_met_stalls(void **state) {
  (void)state;
  const OwnProblem own = {"unreachable", 2, 2, "r=", unreachable, 0, {3, 1}, 0, 0};
  CtlProblem p;
  assert_int_equal(own_problem(&own, &p), SIM_OK);
  Found found = search_from(&own, &p);
  assert_int_equal(found.state.reason, CTL_REASON_STALL);
  assert_true(fabs(found.state.E1 - 1e6) <= 1 && found.state.restarts == p.restarts);
  ctl_problem_clear(&p);
}

/* f falls by 3/10 of what its derivative promises, for ever. */
static SimStatus falls(void *context, const double *point, double *values, double *rows) {
  (void)context;
  values[0] = 0.3 * point[0];
  rows[0] = 1;
  return SIM_OK;
}

static SimStatus falls_alone(void *context, const double *point, double *values) {
  double rows[1];
  return falls(context, point, values, rows);
}

static void the_limit_of_trials_is_a_budget(void **state) {
  (void)state;
  const CtlFunction function = {.n = 1, .m = 1, .values = falls_alone, .rows = falls};
  CtlProblem *p;
  CtlAnswer answer;
  assert_int_equal(stiction_control_create_values(&function, &p), CTL_OK);
  assert_int_equal(stiction_solve(p, NULL, NULL, &answer), CTL_OK);
  if (answer.reason != CTL_REASON_BUDGET) fail_msg("%s", stiction_reason_text(answer.reason));
  assert_int_equal(answer.evaluations, 1000);
  stiction_answer_clear(&answer);
  stiction_control_destroy(p);
}

/* A run that has made as many trials as one may still restores the constraints, in a phase with a count of its own. */
static void restoration_counts_its_own_trials(void **state) {
  (void)state;
  enum { TRIALS = 100000 };
  const OwnProblem own = {"hs6", 2, 2, "r=", hs6, 0, {-1.2, 1}, 0, 0};
  CtlFunction function = own_function(&own);
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlProblem p;
  CtlSmooth s;
  double values[2], none[2], rows[8];
  SimFinal final = {.x = values, .v = none};
  assert_int_equal(own_problem(&own, &p), SIM_OK);
  assert_true(ctl_smooth_init(&s, &p));
  ctl_smooth_start(&s, p.start);
  for (int k = 0; k < 20 && !s.ended && (s.restores || !s.restored); k++) {
    evaluator.evaluate(evaluator.context, (CtlWant){.derivatives = true}, 1, s.trial, &final, rows);
    if (k == 1) s.tried = TRIALS;
    ctl_smooth_tell(&s, values, rows);
  }
  assert_true(s.restored && !s.restores && !s.ended);
  assert_true(ctl_smooth_misses(&p, s.values) < 1e-6);
  ctl_smooth_clear(&s);
  ctl_problem_clear(&p);
}

/* A linear f in a ball: its least value is at no vertex, and all curvature is that of the constraint. */
static void linear_in_ball(const OwnNumber *x, OwnNumber *y) {
  y[0] = x[0] + x[1] / 10 + x[2] / 100;
  y[1] = square(x[0]) + square(x[1]) + square(x[2]) - 1;
}

/* The evaluator's matrix is nearly 0, so B learns the curvature of the constraint from the steps. */
static void rejected_steps_teach_curvature(void **state) {
  (void)state;
  enum { SIZE = 3, WIDTH = SIZE + 2, MOST = 40 };
  const OwnProblem own = {"ball", SIZE, 2, "o<", linear_in_ball, -sqrt(1.0101), {0.5, 0.5, 0.5}, -1.5, 1.5};
  CtlFunction function = own_function(&own);
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlProblem p;
  CtlSmooth s;
  double values[2], none[2], rows[(2 + SIZE) * WIDTH] = {0}; /* rows of the values, then those of the matrix */
  SimFinal final = {.x = values, .v = none};
  assert_int_equal(own_problem(&own, &p), SIM_OK);
  p.curvature = true;
  for (int i = 0; i < SIZE; i++) rows[(2 + i) * WIDTH + i] = 1e-6;
  assert_true(ctl_smooth_init(&s, &p));
  ctl_smooth_start(&s, p.start);
  for (int k = 0; k < MOST && !s.ended; k++) { /* without rejected steps it takes 72 */
    evaluator.evaluate(evaluator.context, (CtlWant){.derivatives = true}, 1, s.trial, &final, rows);
    ctl_smooth_tell(&s, values, rows);
  }
  if (!s.ended || fabs(s.f - own.least) > 1e-9) fail_msg("f = %.12g (expected %.12g)", s.f, own.least);
  ctl_smooth_clear(&s);
  ctl_problem_clear(&p);
}

static CtlOptimality optimality_at(const OwnProblem *own, const CtlProblem *p, const double *x) {
  CtlFunction function = own_function(own);
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  CtlOptimality o;
  assert_int_equal(ctl_optimality_find(p, &evaluator, x, &o), SIM_OK);
  return o;
}

/* All minima except that of hs26, which is flat to third order, are recognised. A least time is a vertex, with more
 * active conditions than variables. */
static void minima_are_known_as_such(void **state) {
  (void)state;
  for (int k = 0; k < OWN_PROBLEMS; k++) {
    const OwnProblem *own = &own_problems[k];
    CtlProblem p;
    assert_int_equal(own_problem(own, &p), SIM_OK);
    Found found = search_from(own, &p);
    CtlOptimality o = optimality_at(own, &p, found.x);
    bool flat = strcmp(own->name, "hs26") == 0;
    if (o.local_minimum != (flat ? CTL_MINIMUM_UNKNOWN : CTL_MINIMUM_YES) || !(o.kkt <= 1e-6) || !o.why != !flat)
      fail_msg("%s: kkt %g, curvature %g, %d %s", own->name, o.kkt, o.reduced_hessian_min, o.local_minimum,
               o.why ? o.why : "");
    for (int i = 0; i < own->m; i++) assert_true(isnan(o.multipliers[i]) == (p.roles[i] <= CTL_ROLE_RESIDUAL));
    ctl_optimality_clear(&o);
    ctl_problem_clear(&p);
  }
}

/* Checks y = -df/d(target) by searches with other targets. */
static void multipliers_are_rates_of_f(void **state) {
  (void)state;
  static const double STEP = 1e-3;
  const OwnProblem *own = &own_problems[13];
  CtlProblem p;
  assert_string_equal(own->name, "hs71");
  assert_int_equal(own_problem(own, &p), SIM_OK);
  Found found = search_from(own, &p);
  CtlOptimality o = optimality_at(own, &p, found.x);
  for (int i = 1; i < 3; i++) {
    double f[2];
    for (int side = 0; side < 2; side++) {
      p.position[i] = side ? STEP : -STEP;
      f[side] = search_from(own, &p).state.J;
    }
    p.position[i] = 0;
    assert_true(fabs(o.multipliers[i] + (f[1] - f[0]) / (2 * STEP)) <= 1e-4);
    assert_true(fabs(o.multipliers[i]) > 0.1);
  }
  ctl_optimality_clear(&o);
  ctl_problem_clear(&p);
}

/* Functions with a saddle, a maximum in a corner, a corner with a multiplier of 0, and a point that is a minimum by the
 * signs alone. */
static void saddle(const OwnNumber *x, OwnNumber *y) { y[0] = square(x[0]) - square(x[1]); }
static void away_from_corner(const OwnNumber *x, OwnNumber *y) { y[0] = x[0] - x[1]; }
static void flat_corner(const OwnNumber *x, OwnNumber *y) { y[0] = x[0] - square(x[1]); }
static void sharp_corner(const OwnNumber *x, OwnNumber *y) {
  y[0] = x[0] + x[1] - square(x[1]);
  y[1] = x[0] - x[1];
}

static void other_points_are_not_taken_for_minima(void **state) {
  (void)state;
  static const OwnProblem points[] = {{"saddle", 2, 1, "o", saddle, 0, {0, 0}, 0, 0},
                                      {"away", 2, 1, "o", away_from_corner, 0, {0, 0}, 0, 1},
                                      {"flat", 2, 1, "o", flat_corner, 0, {0, 0}, 0, 1},
                                      {"sharp", 2, 2, "o>", sharp_corner, 0, {0, 0}, 0, 1},
                                      {"missed", 2, 2, "o=", hs6, 0, {0, 1}, 0, 0}};
  static const CtlMinimum expected[] = {CTL_MINIMUM_NO, CTL_MINIMUM_NO, CTL_MINIMUM_UNKNOWN, CTL_MINIMUM_YES,
                                        CTL_MINIMUM_UNKNOWN};
  for (int k = 0; k < 5; k++) {
    CtlProblem p;
    assert_int_equal(own_problem(&points[k], &p), SIM_OK);
    CtlOptimality o = optimality_at(&points[k], &p, p.start);
    if (o.local_minimum != expected[k]) fail_msg("%s: %d %s", points[k].name, o.local_minimum, o.why ? o.why : "");
    ctl_optimality_clear(&o);
    ctl_problem_clear(&p);
  }
}

static char text_of_mistake[256];

static void keep_text(void *context, const char *key, const char *text) {
  (void)context;
  snprintf(text_of_mistake, sizeof text_of_mistake, "%s: %s", key, text);
}

static void assert_refused(const CtlProblem *p, const char *why) {
  const SimReport report = {NULL, keep_text};
  assert_int_equal(stiction_control_check(p, &report), CTL_BAD_PROBLEM);
  if (!strstr(text_of_mistake, why)) fail_msg("%s: not %s", text_of_mistake, why);
}

static void what_it_does_not_take_is_refused(void **state) {
  (void)state;
  CtlProblem p;
  assert_int_equal(own_problem(&own_problems[0], &p), SIM_OK);
  p.size[1] = 0;
  assert_refused(&p, "evaluator.variables: entry 2: size 0 (expected > 0)");
  p.size[1] = 1;
  p.method = ctl_method_find("bundle");
  assert_refused(&p, "search.method: bundle with user-defined values (expected auto)");
  ctl_problem_clear(&p);
  assert_int_equal(ctl_problem_init_values(&p, CTL_SMOOTH_CONTROLS_MAX + 1, 1), SIM_OK);
  p.method = ctl_method_find("sqp");
  assert_refused(&p, "search.method: sqp needs derivatives");
  p.derivatives = true;
  assert_refused(&p, "search.method: sqp with derivatives and 1025 variables (expected at most 1024)");
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_minima_are_found),       cmocka_unit_test(random_starts_find_them),
      cmocka_unit_test(saved_searches_go_on_bit_for_bit), cmocka_unit_test(steps_are_in_sizes),
      cmocka_unit_test(failed_points_shorten_the_step),   cmocka_unit_test(what_cannot_be_met_stalls),
      cmocka_unit_test(the_limit_of_trials_is_a_budget),  cmocka_unit_test(restoration_counts_its_own_trials),
      cmocka_unit_test(rejected_steps_teach_curvature),   cmocka_unit_test(minima_are_known_as_such),
      cmocka_unit_test(multipliers_are_rates_of_f),       cmocka_unit_test(other_points_are_not_taken_for_minima),
      cmocka_unit_test(what_it_does_not_take_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
