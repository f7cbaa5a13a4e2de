/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests plans with all methods, in searches that are saved, and mistakes in settings. */
#include "tests/control/plan/forms.h"

#include "sim/group.h"

enum { VALUES = 100 };

static void every_method_takes_plans(void **state) {
  const char *const methods[] = {"auto", "sqp", "pds", "hybrid", "nlopt:cobyla", "nlopt:neldermead", "nlopt:sbplx"};
  const double most[] = {1e-8, 1e-8, 0.2, 1e-8, 1e-6, 0.5, 0.5};
  (void)state;
  Form f;
  form_least_time_lengths(&f, 2);
  CtlPlan *plan = form_plan(&f);
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    CtlProblem p;
    double point[FORM_CONTROLS];
    assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
    p.method = ctl_method_find(methods[k]);
    p.max_evaluations = 20000;
    const double start[] = {1.8, -1.8, 1.5, 0.7};
    memcpy(p.start, start, sizeof start);
    CtlState found = form_search(plan, &p, point);
    assert_true(found.E1 <= 1 && found.J <= 1.6329931618554521 * (1 + most[k]));
    ctl_problem_clear(&p);
  }
  ctl_plan_destroy(plan);
}

/* Evaluates one point, saves the search, and continues with the loaded one. */
static void saved_searches_go_on_bit_for_bit(void **state) {
  void (*const makers[])(Form *, int) = {form_speed, form_fuel, form_periodic};
  (void)state;
  for (int k = 0; k < 3; k++) {
    Form f;
    makers[k](&f, 10);
    CtlPlan *plan = form_plan(&f);
    CtlEvaluator e = ctl_plan_evaluator(plan);
    CtlProblem p;
    CtlSearch *s;
    CtlWant want;
    CtlState found;
    long ticket;
    double point[64], u[64], values[VALUES], none[VALUES],
        *rows = malloc((size_t)e.m * ctl_row_size(e.n) * sizeof *rows);
    assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
    p.local_starts = 4;
    CtlState wanted = form_search(plan, &p, point);
    assert_int_equal(stiction_asktell_create(&p, &s), SIM_OK);
    while (stiction_asktell_ask(s, 1, &ticket, u, &want)) {
      SimFinal final = {.x = values, .v = none};
      e.evaluate(e.context, want, 1, u, &final, rows);
      const CtlOutcome outcome = {.x = values, .rows = rows, .status = final.status};
      bool round = stiction_asktell_tell(s, ticket, &outcome, 0);
      for (bool on = round; on;) on = stiction_asktell_advance(s);
      if (!round) continue; /* if their round is not complete, points with derivatives are simulated again */
      size_t size = stiction_asktell_saved_size(s);
      void *bytes = malloc(size);
      stiction_asktell_save(s, bytes);
      stiction_asktell_destroy(s);
      assert_int_equal(stiction_asktell_load(&p, bytes, size, NULL, &s), SIM_OK);
      free(bytes);
    }
    stiction_asktell_state(s, &found);
    assert_int_equal(found.ivps, wanted.ivps);
    assert_int_equal(found.reached, wanted.reached);
    assert_memory_equal(found.control, point, (size_t)p.n * sizeof *point);
    stiction_asktell_destroy(s);
    free(rows);
    ctl_problem_clear(&p);
    ctl_plan_destroy(plan);
  }
}

static void expect_text(void *context, const char *key, const char *text) {
  const char **expected = context;
  (void)key;
  if (!*expected || !strstr(text, *expected)) return;
  *expected = NULL;
}

/* Checks that a setting is refused with this text. */
static void refused(Form *f, const char *text) {
  const SimReport report = {&text, expect_text}, none = {NULL, fixture_complain};
  CtlPlan *plan;
  const char *expected = text;
  assert_int_equal(stiction_problem_finalize(&f->problem, &none), SIM_OK);
  assert_int_equal(ctl_plan_create(&f->setting, &report, &plan), SIM_BAD_PROBLEM);
  if (text) fail_msg("not reported: %s", expected);
  assert_null(plan);
  sim_problem_clear(&f->problem);
}

static void mistakes_are_reported(void **state) {
  Form f;
  (void)state;
  form_least_time(&f, 4);
  f.variable[0].start = 30;
  refused(&f, "outside its bounds");
  form_least_time(&f, 4);
  f.variable[0].lower = 0;
  refused(&f, "expected > 0");
  form_least_time(&f, 4);
  form_vary(&f, CTL_VARY_LENGTH, 0, 0, 1, 0.5);
  refused(&f, "expected all");
  form_least_time(&f, 4);
  form_vary(&f, CTL_VARY_VELOCITY, 1, 0, 1, 0.5);
  refused(&f, "expected 0..0");
  form_speed(&f, 4);
  f.quantity[3].role = CTL_ROLE_OBJECTIVE;
  refused(&f, "can only be limited");
  form_fuel(&f, 4);
  f.quantity[0].role = CTL_ROLE_AT_MOST;
  refused(&f, "can only be minimised");
  form_via(&f, 4);
  f.quantity[3].time = 1;
  refused(&f, "no variable");
  form_via(&f, 4);
  f.quantity[3].of.time = -1;
  refused(&f, "below 0");
  form_via(&f, 4);
  fixture_scheme(&f.problem, "moreau");
  refused(&f, "expected the scheme event");
  form_least_time(&f, 4);
  fixture_scheme(&f.problem, "moreau");
  refused(&f, "expected event");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_takes_plans),
                                     cmocka_unit_test(saved_searches_go_on_bit_for_bit),
                                     cmocka_unit_test(mistakes_are_reported)};
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
