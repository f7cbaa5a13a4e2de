/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests robust plans: closed forms, brute force, derivatives against differences, refusals. */
#include "control/plan/robust.h"
#include "tests/control/plan/forms.h"

enum { SCENARIOS = 5, MOST = 64 };

typedef void Maker(Form *form, double friction, int segments);

/* A robust plan of blocks with these thresholds. */
typedef struct Robust {
  CtlPlan *plans[MOST];
  CtlRobust *robust;
  CtlProblem nominal, problem;
  int scenarios, quantities;
  double point[FORM_CONTROLS + FORM_VARIABLES];
  CtlState found;
} Robust;

static double friction_of(int s, int scenarios) { double w = getenv("W") ? atof(getenv("W")) : 0.2; return scenarios > 1 ? 1 - w + 2 * w * s / (scenarios - 1) : 1; }

static void robust_open(Robust *r, Maker *make, int segments, int scenarios, CtlStatistic statistic) {
  const SimReport report = {NULL, fixture_complain};
  *r = (Robust){.scenarios = scenarios};
  for (int s = 0; s < scenarios; s++) {
    Form f;
    make(&f, friction_of(s, scenarios), segments);
    r->quantities = f.setting.quantities;
    r->plans[s] = form_plan(&f);
  }
  assert_int_equal(ctl_robust_create(scenarios, r->plans, statistic, &report, &r->robust), SIM_OK);
  assert_int_equal(ctl_plan_problem(r->plans[0], &r->nominal), SIM_OK);
  assert_int_equal(ctl_robust_problem(r->robust, &r->nominal, &r->problem), SIM_OK);
}

static void robust_close(Robust *r) {
  ctl_problem_clear(&r->problem);
  ctl_problem_clear(&r->nominal);
  ctl_robust_destroy(r->robust);
  for (int s = 0; s < r->scenarios; s++) ctl_plan_destroy(r->plans[s]);
}

static void robust_search(Robust *r) {
  CtlSearch *search;
  CtlEvaluator evaluator = ctl_robust_evaluator(r->robust);
  const SimReport report = {NULL, fixture_complain};
  assert_int_equal(stiction_control_check(&r->problem, &report), SIM_OK);
  assert_int_equal(stiction_asktell_create(&r->problem, &search), SIM_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, NULL, NULL), 0);
  stiction_asktell_state(search, &r->found);
  memcpy(r->point, r->found.control, (size_t)r->problem.n * sizeof(double));
  stiction_asktell_destroy(search);
}

static void show(const char *name, const Robust *r) {
  print_message("%-34s f %.10f, E1 %.1e; %ld of %ld starts, %ld evaluations\n", name, r->found.J, r->found.E1,
                r->found.reached, r->found.starts, r->found.ivps);
}

/* Closed forms ----------------------------------------------------------------------------------------------------- */

/* Least time of a block that ends at x >= 1 with |u| <= 2. */
static void far(Form *f, double friction, int segments) {
  form_begin(f, 1, 1, friction, 20, segments);
  form_bound(f, 2);
  form_vary(f, CTL_VARY_END, 0, 0.1, 20, 2.5);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_AT_LEAST, 1);
}

/* The least time is that of the scenario with the largest friction, which alone has a multiplier. */
static void least_time(void **state) {
  (void)state;
  Robust r;
  CtlPlanOptimality o;
  CtlQuantityValue values[SCENARIOS * 2];
  double weights[SCENARIOS], form = sqrt(2 / (2 - 1.2));
  robust_open(&r, far, 4, SCENARIOS, CTL_WORST);
  robust_search(&r);
  show("least time to x >= 1", &r);
  assert_true(fabs(r.found.J / form - 1) < 1e-9 && r.found.E1 <= 1);
  assert_int_equal(ctl_robust_read(r.robust, r.point, values, NULL), SIM_OK);
  assert_int_equal(ctl_robust_optimality(r.robust, &r.problem, r.point, &o, values, weights), SIM_OK);
  assert_true(o.vertex && o.all.local_minimum == CTL_MINIMUM_YES && o.hamiltonian < 1e-8);
  for (int s = 0; s < SCENARIOS; s++) {
    bool worst = s == SCENARIOS - 1;
    const CtlQuantityValue *x = &values[2 * s + 1];
    double T = values[2 * s].value;
    assert_true(isnan(weights[s]) && x->active == worst && fabs(x->value - (2 - friction_of(s, SCENARIOS)) * T * T / 2) < 1e-9);
    assert_true(worst ? fabs(x->multiplier + 1 / (T * (2 - 1.2))) < 1e-6 : x->multiplier == 0); /* dT/dx = 1/v(T) */
  }
  ctl_plan_optimality_clear(&o);
  robust_close(&r);
}

/* Least time of a block that comes to rest by T in all scenarios, within 0.1 m. */
static void stop(Form *f, double friction, int segments) {
  far(f, friction, segments);
  f->quantity[1].target = 0.8;
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_AT_MOST, 1.2);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 0, 1, CTL_ROLE_EQUAL, 0);
}

static void at_rest(void **state) {
  (void)state;
  Robust r;
  for (int S = 1; S <= (getenv("DBG")?1:5); S++) for (int seg = getenv("DBG")?6:2; seg <= (getenv("DBG")?6:10); seg += 4) {
    robust_open(&r, stop, seg, S, CTL_WORST);
    if (getenv("DBG")) r.problem.local_starts = 1 + atoi(getenv("DBG"));
    robust_search(&r);
    print_message("%d %d ", S, seg); show("", &r);
    if (S == 1) {
      Form f;
      stop(&f, 1, seg);
      CtlPlan *plan = form_plan(&f);
      CtlProblem p;
      ctl_plan_problem(plan, &p);
      CtlState st = form_search(plan, &p, r.point);
      print_message("   nominal %g %ld of %ld, %ld\n", st.J, st.reached, st.starts, st.ivps);
      ctl_problem_clear(&p);
      ctl_plan_destroy(plan);
    }
    robust_close(&r);
  }
  CtlQuantityValue values[SCENARIOS * 4];
  robust_open(&r, stop, 10, SCENARIOS, CTL_WORST);
  robust_search(&r);
  show("least time to rest", &r);
  assert_true(r.found.E1 <= 1);
  assert_int_equal(ctl_robust_read(r.robust, r.point, values, NULL), SIM_OK);
  for (int s = 0; s < SCENARIOS; s++) {
    print_message("  %g: x %.6f v %.2e\n", friction_of(s, SCENARIOS), values[4 * s + 1].value, values[4 * s + 3].value);
  }
  robust_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(least_time), cmocka_unit_test(at_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
