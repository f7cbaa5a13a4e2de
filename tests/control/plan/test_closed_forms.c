/* Plans against closed forms, each from several starts. */
#include "tests/control/plan/forms.h"

typedef void FormMaker(Form *form, int segments);

typedef struct Case {
  const char *name;
  FormMaker *make;
  int segments;
  double form;   /* closed form of f */
  double above;  /* how much the answer may be above it, relative */
} Case;

static const Case cases[] = {
    {"least time", form_least_time, 10, 1.6329931618554521, 1e-2},
    {"least time", form_least_time, 20, 1.6329931618554521, 1e-9},
    {"least time", form_least_time, 50, 1.6329931618554521, 1e-3},
    {"least time, lengths", form_least_time_lengths, 2, 1.6329931618554521, 1e-9},
    {"least time, lengths", form_least_time_lengths, 3, 1.6329931618554521, 1e-9},
    {"least time, lengths", form_least_time_lengths, 5, 1.6329931618554521, 1e-9},
    {"speed limit", form_speed, 10, 2.0666666666666667, 1e-2},
    {"speed limit", form_speed, 20, 2.0666666666666667, 1e-2},
    {"speed limit", form_speed, 50, 2.0666666666666667, 1e-2},
    {"speed limit, lengths", form_speed_lengths, 3, 2.0666666666666667, 1e-9},
    {"oscillator", form_oscillator, 10, 2.088130843, 1e-2},
    {"oscillator", form_oscillator, 20, 2.088130843, 1e-2},
    {"oscillator", form_oscillator, 50, 2.088130843, 1e-2},
    {"oscillator, lengths", form_oscillator_lengths, 2, 2.088130843, 1e-8},
    {"effort + time", form_effort_time, 10, 0, 1e-2},
    {"effort + time", form_effort_time, 40, 0, 1e-2},
    {"via", form_via, 10, 5.168403, 3e-2},
    {"via", form_via, 40, 5.168403, 2e-3},
    {"free via", form_free_via, 40, 3.5, 3e-3},
    {"Bryson-Denham", form_bryson, 10, 4.0 / 9 / 0.1, 4e-2},
    {"Bryson-Denham", form_bryson, 40, 4.0 / 9 / 0.1, 4e-2},
    {"fuel", form_fuel, 15, 2, 1e-9},
    {"fuel", form_fuel, 30, 2, 1e-9},
    {"fuel", form_fuel, 60, 2, 1e-9},
    {"periodic", form_periodic, 10, 1.032796, 3e-2},
    {"periodic", form_periodic, 40, 1.032796, 3e-2},
    {"inertia", form_inertia, 20, 1.128977, 1e-2},
    {"inertia", form_inertia, 40, 1.128977, 1e-2},
};

typedef struct Found {
  CtlState state;
  double point[FORM_CONTROLS + FORM_VARIABLES];
} Found;

static Found search_from(CtlPlan *plan, const double *start, int runs) {
  CtlProblem p;
  CtlSearch *search;
  CtlEvaluator evaluator = ctl_plan_evaluator(plan);
  const SimReport report = {NULL, fixture_complain};
  Found found = {0};
  assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
  if (start) memcpy(p.start, start, (size_t)p.n * sizeof *start);
  p.restarts = 0;
  p.local_starts = runs;
  p.max_evaluations = 400;
  assert_int_equal(ctl_problem_check(&p, &report), SIM_OK);
  assert_int_equal(ctl_search_create(&p, &search), SIM_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, NULL, NULL), 0);
  ctl_search_state(search, &found.state);
  memcpy(found.point, found.state.control, (size_t)p.n * sizeof *found.point);
  ctl_search_destroy(search);
  ctl_problem_clear(&p);
  return found;
}

static void closed_forms(void **state) {
  (void)state;
  int from = getenv("CASE") ? atoi(getenv("CASE")) : 0, to = getenv("CASE") ? from + 1 : (int)(sizeof cases / sizeof *cases);
  for (int k = from; k < to; k++) {
    enum { STARTS = 10 };
    const Case *c = &cases[k];
    Form f;
    CtlProblem p;
    c->make(&f, c->segments);
    CtlPlan *plan = form_plan(&f);
    assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
    double best = INFINITY;
    int met = 0, least = 0;
    char text[4000] = "", *end = text;
    double J[STARTS];
    for (int s = 0; s < STARTS; s++) {
      Found found = search_from(plan, p.starts + (size_t)s * (size_t)p.n, 1);
      bool meets = found.state.E1 <= 1;
      met += meets;
      J[s] = meets ? found.state.J : INFINITY;
      if (meets && found.state.J < best) best = found.state.J;
      end += sprintf(end, " %ld%s", found.state.ivps, meets ? "" : found.state.E1 < 1e3 ? "~" : "-");
    }
    for (int s = 0; s < STARTS; s++) least += J[s] <= best * (1 + 1e-3);
    print_message("%-22s S=%2d: %.9g (closed %.9g, above %.2g) met %d, least %d of %d, evaluations%s\n", c->name,
                  c->segments, best, c->form, best / c->form - 1, met, least, STARTS, text);
    ctl_problem_clear(&p);
    ctl_plan_destroy(plan);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
