/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the search as a whole, on analytic models in which x(T) is a function of u. */
#include "tests/control/search/drive.h"

#include "control/pds/template.h"

static void finds_the_target(void **state) {
  (void)state;
  for (int n = 1; n <= N_MAX; n++)
    for (CtlPenaltyKind kind = CTL_PENALTY_P; kind <= CTL_PENALTY_PI; kind++) {
      CtlProblem p = plain_problem(n);
      p.penalty = kind;
      run(&p, linear, 17, 0, 0);
      assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
      assert_true(drive.last.E1 < 1e-8 && drive.last.E2 == 0 && drive.last.edge < 1e-10);
      for (int i = 0; i < n; i++) assert_true(fabs(drive.u[i] - 1.2345 - i / 3.0) < 1e-8);
      ctl_problem_clear(&p);
    }
  CtlProblem p = plain_problem(2);
  p.start[0] = -1.2;
  p.start[1] = 1;
  p.simplex = CTL_SIMPLEX_REGULAR;
  run(&p, rosenbrock, 64, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
  assert_true(fabs(drive.u[0] - 1) < 1e-6 && fabs(drive.u[1] - 1) < 1e-6);
  ctl_problem_clear(&p);
}

/* Minimum of |u|^2 with u_1 + u_2 = 2: the minimum of the exact penalty is (1, 1). */
static SimStatus on_a_line(int n, const double *u, double *x, double *v) {
  (void)n;
  x[0] = u[0] + u[1];
  x[1] = 1e10; /* this entry is free */
  v[0] = v[1] = NAN;
  return SIM_OK;
}

static void weighs_cost_against_target(void **state) {
  (void)state;
  for (CtlPenaltyKind kind = CTL_PENALTY_P; kind <= CTL_PENALTY_PI; kind++) {
    CtlProblem p = plain_problem(2);
    p.weight[0] = p.weight[3] = 1;
    p.position[0] = 2;
    p.position[1] = NAN;
    p.rho = 100;
    p.penalty = kind;
    p.end = 0.5;
    p.scheme_size = CTL_SCHEME_PAPER;
    run(&p, on_a_line, 64, 0, 0);
    assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
    assert_true(fabs(drive.u[0] - 1) < 1e-3 && fabs(drive.u[1] - 1) < 1e-3);
    assert_true(fabs(drive.last.J - 1) < 1e-5);
    assert_true(fabs(drive.last.best - drive.last.J - 100 * 2 * drive.last.E1) < 1e-9);
    ctl_problem_clear(&p);
  }
}

/* Neither batches nor the order of outcomes change the course, even with restarts, failures and dynamic penalties. */
static void order_of_outcomes_does_not_matter(void **state) {
  (void)state;
  static Drive first;
  Model *models[] = {linear, unreachable, fails_on_the_left};
  for (int k = 0; k < 3; k++) {
    CtlProblem p = plain_problem(2);
    p.penalty = k ? CTL_PENALTY_PI : CTL_PENALTY_P;
    p.rho = 1e5;
    p.rho_update = CTL_RHO_DYNAMIC;
    p.start[1] = k == 2 ? 0.5 : 0;
    p.scheme_size = 16;
    run(&p, models[k], 1, 0, 0);
    first = drive;
    drive.points = NULL;
    for (int repeat = 1; repeat <= 3; repeat++) {
      run(&p, models[k], 13 * repeat % BATCH_MAX, (uint64_t)repeat, 0);
      assert_int_equal(drive.rounds, first.rounds);
      assert_int_equal(drive.asked, first.asked);
      assert_memory_equal(drive.points, first.points, (size_t)first.asked * sizeof *first.points);
      assert_memory_equal(drive.u, first.u, sizeof first.u);
      for (long i = 0; i < first.rounds; i++) assert_same_state(&drive.states[i], &first.states[i]);
    }
    free(first.points);
    ctl_problem_clear(&p);
  }
}

static int compare_points(const void *a, const void *b) { return memcmp(a, b, sizeof *drive.points); }

static void no_point_is_simulated_twice(void **state) {
  (void)state;
  CtlProblem p = plain_problem(3);
  p.step = 0.3;
  p.simplex = CTL_SIMPLEX_REGULAR;
  run(&p, unreachable, 32, 0, 0);
  assert_true(drive.last.cache_hits > drive.last.evaluations / 20);
  qsort(drive.points, (size_t)drive.asked, sizeof *drive.points, compare_points);
  for (long i = 1; i < drive.asked; i++) assert_true(compare_points(drive.points[i - 1], drive.points[i]) != 0);
  ctl_problem_clear(&p);
}

/* If states are so large that the cache holds only a few simplexes, the search takes the same course. */
static void a_small_cache_changes_nothing_but_counts(void **state) {
  enum { LARGE = 550000, AT_MOST = 12 };
  (void)state;
  CtlProblem p = plain_problem(2), large;
  p.scheme_size = 4;
  p.max_simplexes = AT_MOST;
  run(&p, linear, 1, 0, 0);
  assert_int_equal(ctl_problem_init(&large, 2, LARGE), SIM_OK);
  large.method = ctl_method_find("pds");
  large.end = 1;
  memset(large.weight, 0, 4 * sizeof(double));
  large.position[0] = large.position[1] = 0;
  large.scheme_size = 4;
  large.max_simplexes = AT_MOST;
  double u[2], *x = calloc(LARGE, sizeof(double));
  double v[2];
  long ticket;
  CtlSearch *search;
  CtlState last;
  assert_non_null(x);
  assert_int_equal(stiction_asktell_create(&large, &search), CTL_OK);
  while (stiction_asktell_ask(search, 1, &ticket, u, NULL)) {
    CtlOutcome outcome = {.x = x, .v = x};
    linear(2, u, x, v);
    if (stiction_asktell_tell(search, ticket, &outcome, 0))
      while (stiction_asktell_advance(search)) {
      }
  }
  stiction_asktell_state(search, &last);
  assert_int_equal(last.evaluations, drive.last.evaluations);
  assert_true(last.ivps > drive.last.ivps); /* there are more simulations, as the cache was emptied */
  assert_true(last.best == drive.last.best && last.edge == drive.last.edge);
  assert_memory_equal(last.control, drive.u, sizeof u);
  stiction_asktell_destroy(search);
  free(x);
  ctl_problem_clear(&large);
  ctl_problem_clear(&p);
}

static void bounds_are_never_crossed(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  for (int i = 0; i < 2; i++) {
    p.lower[i] = -0.5;
    p.upper[i] = 0.75; /* the target is at u = (1.2, 1.6) */
  }
  p.restarts = 0;
  run(&p, linear, 8, 3, 0); /* run checks that every point is inside */
  assert_int_equal(drive.last.reason, CTL_REASON_STALL);
  assert_true(drive.u[0] == 0.75 && drive.u[1] == 0.75);
  assert_int_equal(drive.last.non_finite, 0);
  /* Points outside the bounds do not count. Of the first vertices only the start is inside. The points of the template
   * are given by their coordinates tau in the simplex. */
  long inside = 1;
  CtlTemplate scheme;
  assert_int_equal(ctl_template_init(&scheme, 2, 64), SIM_OK);
  for (long k = 0; k < 64; k++) {
    double tau[2];
    ctl_template_offset(&scheme, k, tau);
    inside += is_inside(&p, tau);
  }
  assert_true(inside > 1 && inside < 65);
  assert_int_equal(drive.states[0].evaluations, inside);
  ctl_template_clear(&scheme);
  ctl_problem_clear(&p);
}

/* If bounds allow only the start, the search simulates it once and ends by itself. */
static void nothing_to_search(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  for (int i = 0; i < 2; i++) p.lower[i] = p.upper[i] = p.start[i] = i;
  run(&p, linear, 8, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_STALL);
  assert_int_equal(drive.last.ivps, 1);
  assert_true(drive.last.rounds > 30 && drive.last.restarts == 2); /* all of these rounds are within one call of tell */
  ctl_problem_clear(&p);
}

static void stall_and_restarts(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  run(&p, unreachable, 64, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_STALL);
  assert_int_equal(drive.last.restarts, 2);
  assert_int_equal(drive.last.scheme_size, 16 * 64);
  assert_true(drive.last.E1 > 0.999 && drive.last.edge < 1e-10);
  double best = INFINITY;
  for (long i = 0; i < drive.rounds; i++) {
    assert_true(drive.states[i].best <= best);
    best = drive.states[i].best;
    if (i && drive.states[i].restarts > drive.states[i - 1].restarts) {
      double doubled = sqrt(2) * (drive.states[i].restarts == 1 ? 2 : 4);
      assert_true(fabs(drive.states[i].edge - doubled) < 1e-12);
      assert_int_equal(drive.states[i].scheme_size, 4 * drive.states[i - 1].scheme_size);
    }
  }
  p.restarts = 0;
  run(&p, unreachable, 64, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_STALL);
  assert_int_equal(drive.last.restarts, 0);
  ctl_problem_clear(&p);
}

/* The vertices of the first simplex come first, and the best of them becomes v_0. Reflected at it, 0 goes to 2. */
static void the_best_vertex_opens(void **state) {
  (void)state;
  CtlProblem p = plain_problem(1);
  run(&p, linear, 1, 0, 0);
  for (int i = 0; i < 3; i++) assert_true(drive.points[i][0] == i);
  assert_int_equal(drive.states[0].evaluations, 2 + 64);
  ctl_problem_clear(&p);
}

static void a_restart_can_find_the_target(void **state) {
  (void)state;
  CtlProblem p = plain_problem(1);
  p.scheme_size = 2;
  p.step = 0.25;
  p.restarts = 0;
  run(&p, two_valleys, 64, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_STALL);
  assert_true(drive.u[0] == 0);
  p.restarts = 1;
  run(&p, two_valleys, 64, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
  assert_int_equal(drive.last.restarts, 1);
  assert_true(fabs(drive.u[0] - 3) < 1e-6);
  ctl_problem_clear(&p);
}

static void failures_are_data(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.start[1] = 0.5;
  run(&p, fails_on_the_left, 8, 5, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
  long failed = 0;
  for (long i = 0; i < drive.asked; i++) failed += drive.points[i][0] < 0.25;
  assert_true(failed > 0);
  assert_int_equal(drive.last.non_finite, failed);
  assert_true(isfinite(drive.states[0].best)); /* even though the start failed */
  ctl_problem_clear(&p);
}

static void a_search_where_all_fails_ends(void **state) {
  (void)state;
  for (CtlPenaltyKind kind = CTL_PENALTY_P; kind <= CTL_PENALTY_PI; kind++) {
    CtlProblem p = plain_problem(2);
    p.penalty = kind;
    p.rho_update = CTL_RHO_DYNAMIC;
    run(&p, always_fails, 8, 0, 0);
    assert_int_equal(drive.last.reason, CTL_REASON_FAILED);
    assert_true(drive.last.best == INFINITY && drive.last.E1 == INFINITY && drive.last.edge < p.tolerance);
    assert_int_equal(drive.last.non_finite, drive.last.ivps);
    assert_int_equal(drive.last.restarts, 0);
    assert_true(drive.u[0] == 0 && drive.u[1] == 0);
    ctl_problem_clear(&p);
  }
}

static void stops_at_a_good_value(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.stop_at = 1e-3;
  run(&p, linear, 8, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_STOP_AT);
  assert_true(drive.last.E1 <= 1e-3 && drive.last.edge > 1e-6);
  /* the search ended no later than needed: one simplex before, the target was not met */
  assert_true(drive.states[drive.rounds - 2].E1 > 1e-3);
  ctl_problem_clear(&p);
}

static void stops_on_relative_size(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.relative_tolerance = 1e-3;
  p.accept = 0.1;
  run(&p, linear, 8, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
  assert_true(drive.last.edge > 1e-5 && drive.last.edge < 1e-2);
  ctl_problem_clear(&p);
}

static void budgets_are_kept(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.scheme_size = 16;
  for (long most = 19; most < 200; most += 7) {
    p.max_evaluations = most;
    run(&p, linear, 5, 0, 0);
    assert_int_equal(drive.last.reason, CTL_REASON_BUDGET);
    assert_true(drive.last.evaluations <= most && drive.last.evaluations + 16 > most);
  }
  p.max_evaluations = 1500; /* this limit is reached after a restart with a wider scheme */
  run(&p, unreachable, 5, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_BUDGET);
  assert_true(drive.last.evaluations <= 1500);
  p.max_evaluations = 0;
  p.max_simplexes = 7;
  run(&p, linear, 5, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_BUDGET);
  assert_int_equal(drive.last.rounds, 7);
  p.max_simplexes = 0;
  p.max_seconds = 40;
  run(&p, linear, 1, 0, 1); /* each simulation takes one second */
  assert_int_equal(drive.last.reason, CTL_REASON_BUDGET);
  assert_int_equal(drive.last.ivps, 40); /* this is in the middle of a simplex */
  assert_true(drive.states[drive.rounds - 2].ivps < 40);
  ctl_problem_clear(&p);
}

/* The parameters of the penalty increase once per simplex, and the stored best value changes with them. */
static void dynamic_penalty_through_a_search(void **state) {
  (void)state;
  CtlProblem p = plain_problem(1);
  p.rho = 10;
  p.rho_update = CTL_RHO_DYNAMIC;
  p.max_simplexes = 5;
  run(&p, unreachable, 8, 0, 0);
  double rho = 10;
  for (long i = 0; i < drive.rounds; i++) {
    const CtlState *s = &drive.states[i];
    rho += s->E1;
    assert_true(s->rho[0] == rho && s->rho[1] == 10 && s->rho[2] == (rho + 10) / 2);
    assert_true(s->best == rho * s->E1);
  }
  ctl_problem_clear(&p);
}

static void reasons_have_names(void **state) {
  (void)state;
  assert_string_equal(stiction_reason_text(CTL_REASON_STALL), "stall");
  assert_string_equal(stiction_reason_text(CTL_REASON_STOP_AT), "stop_at");
  assert_string_equal(stiction_reason_text(CTL_REASON_TOO_LONG), "too_long");
  assert_string_equal(stiction_reason_text(CTL_REASON_SIGNAL), "signal");
}

/* An outcome for a ticket that was never issued, or of an earlier round, changes nothing either. */
static void second_outcome_of_a_ticket_changes_nothing(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  CtlSearch *search;
  CtlState s;
  double u[3 * 2], x[2], v[2];
  long tickets[3];
  const CtlOutcome outcome = {.x = x, .v = v};
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_int_equal(stiction_asktell_ask(search, 3, tickets, u, NULL), 3);
  linear(2, u, x, v);
  for (int k = 0; k < 3; k++) assert_false(stiction_asktell_tell(search, tickets[0], &outcome, 0));
  assert_false(stiction_asktell_tell(search, tickets[2] + 1, &outcome, 0));
  assert_false(stiction_asktell_tell(search, -1, &outcome, 0));
  assert_true(stiction_asktell_wants(search, tickets[1]) && stiction_asktell_wants(search, tickets[2]));
  stiction_asktell_state(search, &s);
  assert_int_equal(s.evaluations, 0);
  for (int k = 1; k < 3; k++) {
    linear(2, u + 2 * k, x, v);
    stiction_asktell_tell(search, tickets[k], &outcome, 0);
  }
  stiction_asktell_state(search, &s);
  assert_int_equal(s.ivps, 3);
  assert_false(stiction_asktell_tell(search, tickets[1], &outcome, 0));
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(second_outcome_of_a_ticket_changes_nothing),
      cmocka_unit_test_teardown(finds_the_target, drive_end),
      cmocka_unit_test_teardown(weighs_cost_against_target, drive_end),
      cmocka_unit_test_teardown(order_of_outcomes_does_not_matter, drive_end),
      cmocka_unit_test_teardown(no_point_is_simulated_twice, drive_end),
      cmocka_unit_test_teardown(a_small_cache_changes_nothing_but_counts, drive_end),
      cmocka_unit_test_teardown(bounds_are_never_crossed, drive_end),
      cmocka_unit_test_teardown(nothing_to_search, drive_end),
      cmocka_unit_test_teardown(stall_and_restarts, drive_end),
      cmocka_unit_test_teardown(the_best_vertex_opens, drive_end),
      cmocka_unit_test_teardown(a_restart_can_find_the_target, drive_end),
      cmocka_unit_test_teardown(failures_are_data, drive_end),
      cmocka_unit_test_teardown(a_search_where_all_fails_ends, drive_end),
      cmocka_unit_test_teardown(stops_at_a_good_value, drive_end),
      cmocka_unit_test_teardown(stops_on_relative_size, drive_end),
      cmocka_unit_test_teardown(budgets_are_kept, drive_end),
      cmocka_unit_test_teardown(dynamic_penalty_through_a_search, drive_end),
      cmocka_unit_test(reasons_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
