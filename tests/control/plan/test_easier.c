/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests starts of plans that come from easier problems: which parts of the plan these leave out, how many evaluations
 * they use, and that they do not depend on the clock. */
#include "tests/control/plan/forms.h"

#include "control/outcome/values.h"
#include "control/solve/easier.h"
#include "control/solve/easier_problems.h"
#include "control/solve/part.h"

/* Returns false for the first calls, and then true: a stop is requested. The context is the number of the first
 * calls. */
static bool is_stopped(void *context) {
  long *left = context;
  return --*left < 0;
}

static CtlPlan *open_form(Form *f, CtlProblem *p) {
  CtlPlan *plan = form_plan(f);
  assert_int_equal(ctl_plan_problem(plan, p), SIM_OK);
  return plan;
}

static void close_form(CtlPlan *plan, CtlProblem *p) {
  ctl_problem_clear(p);
  ctl_plan_destroy(plan);
}

/* Adds the starts from easier problems to the problem. Returns their number. */
static int add_starts(CtlProblem *p, long *evaluations) {
  int before = p->start_count;
  assert_int_equal(ctl_plan_easier_starts(p, NULL, evaluations), SIM_OK);
  return p->start_count - before;
}

/* A plan with a least time of 1.633 s. The motion passes 0.5 m at a time that is a variable and begins at 10 s, far
 * from its solution. */
static void form_found_time(Form *f) {
  form_least_time(f, 4);
  f->variable[0].start = 20;
  form_vary(f, CTL_VARY_TIME, 0, 0, 20, 10);
  form_add(f, CTL_READ_MOTION, SIM_AT_TIME, 0, 1, 0, CTL_ROLE_EQUAL, 0.5)->time = 2;
  form_add(f, CTL_READ_LATE, 0, 0, 0, 0, CTL_ROLE_AT_MOST, 0)->time = 2;
}

static void found_times_do_not_hold_the_end(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  long evaluations;
  double least = INFINITY;
  form_found_time(&f);
  CtlPlan *plan = open_form(&f, &p);
  int count = add_starts(&p, &evaluations);
  for (int k = 0; k < count; k++) least = fmin(least, p.starts[(size_t)k * (size_t)p.n + 4]);
  if (!(fabs(least - 1.633) < 0.05)) fail_msg("T = %g at the best of %d starts (expected about 1.633)", least, count);
  assert_true(evaluations > 65L * count); /* the time is chosen among 65 values in each easier problem */
  close_form(plan, &p);
}

/* Evaluates a start. Returns the largest violation of a constraint, in tolerances. */
static double error_at(CtlPlan *plan, const CtlProblem *p, const double *start) {
  double final[FORM_QUANTITIES] = {0}, none[FORM_QUANTITIES];
  const CtlEvaluator evaluator = ctl_plan_evaluator(plan);
  SimFinal at = {.x = final, .v = none};
  evaluator.evaluate(evaluator.context, (CtlWant){0}, 1, start, &at, NULL);
  return ctl_values_error(p, final);
}

/* A block passes 0.5 m and then ends at 0.3 m: the last easier problem but one passes it at T/2, and meets all
 * conditions; in the last one the block turns round at rest. */
static void times_at_equal_parts_are_a_start(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  long evaluations;
  form_begin(&f, 1, 1, 1, 20, 6);
  form_bound(&f, 4);
  form_vary(&f, CTL_VARY_END, 0, 0.02, 20, 2);
  form_vary(&f, CTL_VARY_TIME, 0, 0, 20, 1);
  form_add(&f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(&f, 0, 0.3);
  form_add(&f, CTL_READ_MOTION, SIM_AT_TIME, 0, 1, 0, CTL_ROLE_EQUAL, 0.5)->time = 2;
  form_add(&f, CTL_READ_LATE, 0, 0, 0, 0, CTL_ROLE_AT_MOST, 0)->time = 2;
  CtlPlan *plan = open_form(&f, &p);
  int count = add_starts(&p, &evaluations);
  const double *last = p.starts + (size_t)(count - 2) * (size_t)p.n;
  assert_true(last[p.n - 1] == last[p.n - 2] / 2);
  assert_true(error_at(plan, &p, last) <= 1);
  close_form(plan, &p);
}

/* A block goes back to -0.5 m, forwards to 2 m and back to 1 m. The last easier problem turns round at rest, and has
 * the least time of the plan: the sum of sqrt(2 L (a1 + a2)/(a1 a2)) over the three ways L, with a1 = 2, a2 = 4. */
static void turns_at_rest_are_a_start(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  long evaluations;
  form_begin(&f, 1, 1, 1, 20, 4);
  form_bound(&f, 3);
  form_vary_lengths(&f, 20, 1.2);
  form_add(&f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_to(&f, 0, 1);
  for (int k = 0; k < 2; k++) {
    form_vary(&f, CTL_VARY_TIME, 0, 0, 20, 0.4);
    int time = f.setting.variables;
    form_add(&f, CTL_READ_MOTION, SIM_AT_TIME, 0, 1, 0, CTL_ROLE_EQUAL, k ? 2 : -0.5)->time = time;
    form_add(&f, CTL_READ_LATE, 0, 0, 0, 0, CTL_ROLE_AT_MOST, 0)->time = time;
  }
  CtlPlan *plan = open_form(&f, &p);
  int count = add_starts(&p, &evaluations);
  const double *last = p.starts + (size_t)(count - 1) * (size_t)p.n;
  double end = last[4] + last[5] + last[6] + last[7], exact = sqrt(0.75) + sqrt(3.75) + sqrt(1.5);
  if (!(fabs(end - exact) < 1e-6 && error_at(plan, &p, last) <= 1))
    fail_msg("T = %.9g (expected %.9g), missed by %g", end, exact, error_at(plan, &p, last));
  close_form(plan, &p);
}

/* Bryson and Denham's problem with a stop that rebounds in place of the limit: the last easier problem has the limit, so
 * its motion meets all conditions without an impact, for the cost with this limit, 4.5795 for 10 segments. */
static void stops_become_limits(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  long evaluations;
  form_bryson(&f, 10);
  f.setting.quantities--;
  f.problem.stops.present = true;
  f.problem.stops.lower[0] = f.problem.stops.stiffness[0] = NAN;
  f.problem.stops.upper[0] = 0.1;
  f.problem.stops.restitution[0] = 0.5;
  CtlPlan *plan = open_form(&f, &p);
  int count = add_starts(&p, &evaluations);
  double effort = 0;
  const double *last = p.starts + (size_t)(count - 1) * (size_t)p.n;
  for (int i = 0; i < p.n; i++) effort += 0.5 * last[i] * last[i] / 10;
  if (!(fabs(effort - 4.57953) < 1e-4 && error_at(plan, &p, last) <= 1))
    fail_msg("J = %.9g (expected 4.57953), missed by %g", effort, error_at(plan, &p, last));
  close_form(plan, &p);
}

/* Two blocks that do not act on each other, with limits. */
static void form_blocks(Form *f) {
  form_begin(f, 2, 2, 1, 4, 8);
  f->problem.system.mass[3] = 1.4;
  f->problem.friction[1] = 0.8;
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  for (int i = 0; i < 2; i++) {
    f->problem.control_matrix[3 * i] = 1;
    form_to(f, i, 1 + i);
    form_add(f, CTL_READ_MOTION, SIM_LARGEST, i, 0, 1, CTL_ROLE_AT_MOST, 0.3 + 0.3 * i);
  }
}

/* The evaluations of easier problems are taken from the budget of the search, at most an eighth of it. With a very
 * small budget no easier problem is searched. */
static void the_budget_is_shared(void **state) {
  (void)state;
  const long budgets[] = {8, 40, 400, 4000};
  for (int k = 0; k < 8; k++) {
    static Form f;
    CtlProblem p;
    long spent, most = budgets[k / 2];
    if (k % 2)
      form_blocks(&f);
    else
      form_found_time(&f);
    CtlPlan *plan = open_form(&f, &p);
    p.max_evaluations = most;
    add_starts(&p, &spent);
    if ((most >= 400 && spent == 0) || spent > (most + 7) / 8 || p.max_evaluations != most - spent)
      fail_msg("%ld of %ld spent, %ld left", spent, most, p.max_evaluations);
    close_form(plan, &p);
  }
}

/* The time limit ends no easier search, since a run that is resumed from a checkpoint must have the same starts. */
static void the_clock_changes_no_start(void **state) {
  (void)state;
  static Form f;
  CtlProblem p[2];
  CtlPlan *plan[2];
  long spent[2];
  for (int k = 0; k < 2; k++) {
    form_blocks(&f);
    plan[k] = open_form(&f, &p[k]);
    p[k].max_seconds = k ? 1e-9 : 0;
    assert_int_equal(add_starts(&p[k], &spent[k]), 2);
  }
  assert_int_equal(spent[0], spent[1]);
  assert_memory_equal(p[0].starts, p[1].starts, (size_t)p[0].start_count * (size_t)p[0].n * sizeof *p[0].starts);
  for (int k = 0; k < 2; k++) close_form(plan[k], &p[k]);
}

/* stiction_solve begins with them, too, and does not change the problem. */
static void a_solve_has_the_same_starts(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  CtlAnswer answer;
  CtlSearch *search;
  CtlState found;
  long spent;
  form_blocks(&f);
  CtlPlan *plan = open_form(&f, &p);
  int before = p.start_count;
  assert_int_equal(stiction_solve(&p, NULL, NULL, &answer), CTL_OK);
  assert_int_equal(p.start_count, before);
  assert_true(add_starts(&p, &spent) > 0);
  CtlEvaluator evaluator = ctl_plan_evaluator(plan);
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, NULL, NULL), 0);
  stiction_asktell_state(search, &found);
  assert_true(answer.meets && answer.J == found.J && answer.evaluations == spent + found.evaluations);
  stiction_asktell_destroy(search);
  stiction_answer_clear(&answer);
  close_form(plan, &p);
}

static void a_stop_is_asked_for(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  enum { OFTEN = 1000000 };
  long evaluations, left = OFTEN;
  const CtlStop stop = {.context = &left, .stopped = is_stopped};
  form_found_time(&f);
  CtlPlan *plan = open_form(&f, &p);
  int before = p.start_count;
  assert_int_equal(ctl_plan_easier_starts(&p, &stop, &evaluations), SIM_OK);
  long asked = OFTEN - left;
  int after = p.start_count;
  assert_true(asked > 65L * (after - before)); /* each of the times that are tried asks whether to stop, too */
  for (int k = 0; k < 4; k++) {
    left = k * asked / 4;
    assert_int_equal(ctl_plan_easier_starts(&p, &stop, &evaluations), SIM_CANCELLED);
    assert_int_equal(p.start_count, after);
  }
  close_form(plan, &p);
}

/* A target of x(T) - v(0) = 1 with v(0) = 1 is one of x(T) = 2 in the easier problem of least effort. */
static void a_start_is_part_of_a_target(void **state) {
  (void)state;
  static const double one[] = {1};
  static Form f;
  CtlProblem p;
  long evaluations;
  form_begin(&f, 1, 1, 1, 4, 4);
  f.problem.v0[0] = 1;
  form_add(&f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_add(&f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_EQUAL, 1)->of.from_v = one;
  CtlPlan *plan = open_form(&f, &p);
  assert_int_equal(add_starts(&p, &evaluations), 1);
  assert_true(error_at(plan, &p, p.starts) <= 1);
  close_form(plan, &p);
}

/* Adds a condition on the sum of a and b times the positions, or the velocities, of two blocks at T. */
static void form_sum(Form *f, double a, double b, bool velocities, CtlRole role, double target) {
  double *weights = f->weights[f->setting.quantities][velocities];
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 0, 0, role, target);
  weights[0] = a;
  weights[1] = b;
}

/* Targets of single entries in place of conditions on sums: those of the nearest final state. */
static void sums_have_targets(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  const double first[] = {0, 0.5, 0, 0}; /* x0, v0 */
  const struct {
    CtlRole role;
    double a, b, target; /* a x_1 + b x_2 */
    double x[2];         /* NAN: free */
  } cases[] = {{CTL_ROLE_EQUAL, 1, 1, 1.5, {0.5, 1}},    {CTL_ROLE_EQUAL, 1, 1, 0.5, {0, 0.5}},
               {CTL_ROLE_EQUAL, 2, -1, 2, {1, 0}},       {CTL_ROLE_AT_LEAST, 2, -1, 2, {1, 0}},
               {CTL_ROLE_AT_MOST, 2, -1, 2, {NAN, NAN}}, {CTL_ROLE_AT_MOST, 1, 2, -1.5, {-0.5, -0.5}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double target[4];
    form_begin(&f, 2, 2, 1, 4, 4);
    f.problem.x0[1] = 0.5;
    form_add(&f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
    form_sum(&f, cases[k].a, cases[k].b, false, cases[k].role, cases[k].target);
    form_add(&f, CTL_READ_MOTION, SIM_AT_END, 0, 0, 1, CTL_ROLE_EQUAL, 0);
    form_sum(&f, 1, 1, true, CTL_ROLE_EQUAL, 2);
    CtlPlan *plan = open_form(&f, &p);
    assert_int_equal(easier_targets(plan, first, target), SIM_OK);
    for (int i = 0; i < 2; i++)
      if (isnan(cases[k].x[i]) ? !isnan(target[i]) : !(fabs(target[i] - cases[k].x[i]) < 1e-8))
        fail_msg("case %d: x_%d = %g (expected %g)", (int)k, i, target[i], cases[k].x[i]);
    assert_true(target[2] == 0 && fabs(target[3] - 2) < 1e-8);
    close_form(plan, &p);
  }
}

/* Conditions that contradict each other give no targets. */
static void contradictions_have_no_targets(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  const double first[4] = {0};
  double target[4];
  form_begin(&f, 2, 2, 1, 4, 4);
  form_add(&f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_sum(&f, 1, 1, false, CTL_ROLE_EQUAL, 2);
  form_sum(&f, 1, 1, false, CTL_ROLE_AT_MOST, 1);
  CtlPlan *plan = open_form(&f, &p);
  assert_int_equal(easier_targets(plan, first, target), SIM_OK);
  for (int i = 0; i < 4; i++) assert_true(isnan(target[i]));
  close_form(plan, &p);
}

/* An easier problem without any quantity, or without any variable, keeps the point of its start. */
static void empty_parts_are_no_searches(void **state) {
  (void)state;
  static Form f;
  CtlProblem p;
  form_blocks(&f);
  CtlPlan *plan = open_form(&f, &p);
  bool *kept = calloc((size_t)p.d, sizeof *kept);
  double *point = calloc((size_t)p.n, sizeof *point);
  const PlanShare share = {0, 0, 1};
  for (int k = 0; k < 2; k++) {
    PlanPart part;
    long evaluations = 0;
    kept[0] = k;
    assert_int_equal(plan_part_open(&part, plan, &p, 1 - k, &share, kept, p.starts, 2), SIM_OK);
    assert_int_equal(plan_part_search(&part, NULL, &evaluations, point), SIM_OK);
    assert_int_equal(evaluations, 0);
    assert_memory_equal(point, p.starts, (size_t)p.n * sizeof *point);
    plan_part_close(&part);
  }
  free(kept);
  free(point);
  close_form(plan, &p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(found_times_do_not_hold_the_end),
                                     cmocka_unit_test(times_at_equal_parts_are_a_start),
                                     cmocka_unit_test(turns_at_rest_are_a_start),
                                     cmocka_unit_test(stops_become_limits),
                                     cmocka_unit_test(the_budget_is_shared),
                                     cmocka_unit_test(the_clock_changes_no_start),
                                     cmocka_unit_test(a_solve_has_the_same_starts),
                                     cmocka_unit_test(a_stop_is_asked_for),
                                     cmocka_unit_test(a_start_is_part_of_a_target),
                                     cmocka_unit_test(sums_have_targets),
                                     cmocka_unit_test(contradictions_have_no_targets),
                                     cmocka_unit_test(empty_parts_are_no_searches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
