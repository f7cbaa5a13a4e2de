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

static double friction_of(int s, int scenarios) { return scenarios > 1 ? 0.8 + 0.4 * s / (scenarios - 1) : 1; }

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
    assert_true(isnan(weights[s]) && x->active == worst &&
                fabs(x->value - (2 - friction_of(s, SCENARIOS)) * T * T / 2) < 1e-9);
    assert_true(worst ? fabs(x->multiplier + 1 / (T * (2 - 1.2))) < 1e-6 : x->multiplier == 0); /* dT/dx = 1/v(T) */
  }
  ctl_plan_optimality_clear(&o);
  robust_close(&r);
}

/* The same with a bound of T that depends on the friction. */
static void far_in_time(Form *f, double friction, int segments) {
  far(f, friction, segments);
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, CTL_ROLE_AT_MOST, 4 * friction);
}

/* Least time of a block that comes to rest by T in all scenarios, within an interval. */
static void stop(Form *f, double friction, int segments) {
  far(f, 1 + (friction - 1) / 4, segments);
  f->quantity[1].target = 0.8;
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_AT_MOST, 1.2);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 0, 1, CTL_ROLE_EQUAL, 0);
}

static void at_rest(void **state) {
  (void)state;
  Robust r;
  CtlQuantityValue values[SCENARIOS * 4];
  robust_open(&r, stop, 2, SCENARIOS, CTL_WORST);
  robust_search(&r);
  show("least time to rest", &r);
  /* the least friction stops at T exactly, so that u = 2 least - 2 brakes; the largest friction ends at 0.8 */
  double least = 0.95, most = 1.05, rise = 2 - most, fall = most + 2 - 2 * least;
  assert_true(fabs(r.found.J / sqrt(8 * 0.8 / (rise * (1 + rise / fall))) - 1) < 1e-8 && r.found.E1 <= 1);
  assert_int_equal(ctl_robust_read(r.robust, r.point, values, NULL), SIM_OK);
  for (int s = 0; s < SCENARIOS; s++) {
    const CtlQuantityValue *own = &values[4 * s];
    assert_true(own[1].miss < 1e-6 && own[2].miss < 1e-6 && fabs(own[3].value) < 1e-6);
  }
  robust_close(&r);
}

/* Brute force ------------------------------------------------------------------------------------------------------ */

/* Least effort to x >= 1 at T = 2. */
static void push(Form *f, double friction, int segments) {
  form_begin(f, 1, 1, friction, 2, segments);
  form_bound(f, 8);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_AT_LEAST, 1);
}

/* Little effort, and an end near x = 1: what is minimised differs between scenarios. */
static void come_near(Form *f, double friction, int segments) {
  form_begin(f, 1, 1, friction, 2, segments);
  form_bound(f, 8);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0)->weight = 0.01;
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_RESIDUAL, 1)->weight = 3;
  form_add(f, CTL_READ_MOTION, SIM_INTEGRAL, 0, 0, 1, CTL_ROLE_OBJECTIVE, 0)->of.shape = SIM_SHAPE_SQUARE;
}

/* Returns f of a point of two variables, from the plans of all scenarios; INFINITY where a condition is missed. */
static double statistic_of(Robust *r, CtlStatistic statistic, const double *point) {
  double worst = -INFINITY, mean = 0;
  for (int s = 0; s < r->scenarios; s++) {
    CtlEvaluator e = ctl_plan_evaluator(r->plans[s]);
    const CtlProblem *p = &r->nominal;
    double values[16], none[16], f = 0;
    SimFinal final = {.x = values, .v = none};
    e.evaluate(e.context, (CtlWant){0}, 1, point, &final, NULL);
    for (int i = 0; i < e.d; i++) {
      if (p->roles[i] == CTL_ROLE_OBJECTIVE) f += values[i];
      if (p->roles[i] == CTL_ROLE_RESIDUAL) f += values[i] * values[i];
      if (p->roles[i] == CTL_ROLE_AT_LEAST && values[i] < p->position[i]) f = INFINITY;
    }
    worst = fmax(worst, f);
    mean += f / r->scenarios;
  }
  return statistic == CTL_MEAN ? mean : worst;
}

/* Returns the least f over u_2 within 1 of `middle`, or over both entries if outer, by golden sections. */
static double golden(Robust *r, CtlStatistic statistic, const double *middle, double *point, bool outer) {
  static const double PART = 0.6180339887498949;
  double *entry = &point[!outer], low = middle[!outer] - 1, high = middle[!outer] + 1, best = INFINITY, f[2];
  for (int round = 0; round < 45; round++) {
    for (int k = 0; k < 2; k++) {
      *entry = k ? low + PART * (high - low) : high - PART * (high - low);
      f[k] = outer ? golden(r, statistic, middle, point, false) : statistic_of(r, statistic, point);
      best = fmin(best, f[k]);
    }
    *(f[0] < f[1] ? &high : &low) = f[0] < f[1] ? low + PART * (high - low) : high - PART * (high - low);
  }
  return best;
}

/* Finds the least f on ever finer grids about the best point, which does well along limits, and about it by golden
 * sections, which do well along kinks. */
static double brute_force(Robust *r, CtlStatistic statistic) {
  enum { GRID = 12, ROUNDS = 22 };
  double at[2] = {0, 0}, half = 8, best = INFINITY;
  for (int round = 0; round < ROUNDS; round++, half *= 0.55) {
    const double from[2] = {at[0], at[1]};
    for (int k = 0; k < (GRID + 1) * (GRID + 1); k++) {
      const double point[2] = {fmax(-8, fmin(8, from[0] + half * (2.0 * (k % (GRID + 1)) / GRID - 1))),
                               fmax(-8, fmin(8, from[1] + half * (2.0 * (k / (GRID + 1)) / GRID - 1)))};
      double f = statistic_of(r, statistic, point);
      if (!(f < best)) continue;
      best = f;
      memcpy(at, point, sizeof at);
    }
  }
  double point[2] = {at[0], at[1]};
  return fmin(best, golden(r, statistic, at, point, true));
}

static void beside_brute_force(void **state) {
  (void)state;
  const struct {
    const char *name;
    Maker *make;
    CtlStatistic statistic;
  } cases[] = {{"least effort", push, CTL_WORST},
               {"near an end, worst case", come_near, CTL_WORST},
               {"near an end, mean", come_near, CTL_MEAN}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Robust r;
    robust_open(&r, cases[k].make, 2, SCENARIOS, cases[k].statistic);
    robust_search(&r);
    show(cases[k].name, &r);
    double brute = brute_force(&r, cases[k].statistic);
    print_message("  by brute force %.10f\n", brute);
    assert_true(r.found.E1 <= 1 && r.found.J <= brute * (1 + 1e-7) && r.found.J >= brute * (1 - 1e-4));
    robust_close(&r);
  }
}

/* The scenarios that determine the largest f have multipliers with the sum 1. */
static void weights_of_the_worst(void **state) {
  (void)state;
  Robust r;
  CtlPlanOptimality o;
  CtlQuantityValue values[SCENARIOS * 3];
  double weights[SCENARIOS], f[SCENARIOS], sum = 0, most = -INFINITY;
  robust_open(&r, come_near, 2, SCENARIOS, CTL_WORST);
  robust_search(&r);
  assert_int_equal(ctl_robust_read(r.robust, r.point, values, f), SIM_OK);
  assert_int_equal(ctl_robust_optimality(r.robust, &r.problem, r.point, &o, values, weights), SIM_OK);
  for (int s = 0; s < SCENARIOS; s++) {
    sum += weights[s];
    most = fmax(most, f[s]);
    assert_true(weights[s] >= 0);
  }
  for (int s = 0; s < SCENARIOS; s++) assert_true(weights[s] == 0 || f[s] > most - 1e-6);
  assert_true(fabs(sum - 1) < 1e-6 && o.all.kkt < 1e-6);
  assert_true(fabs(values[0].value * 0.01 + most - r.found.J) < 1e-8);
  ctl_plan_optimality_clear(&o);
  robust_close(&r);
}

/* Derivatives ------------------------------------------------------------------------------------------------------ */

static void evaluate(const CtlEvaluator *e, const double *point, double *values, double *rows) {
  double *none = malloc((size_t)e->d * sizeof *none);
  SimFinal final = {.x = values, .v = none};
  e->evaluate(e->context, (CtlWant){.derivatives = rows != NULL}, 1, point, &final, rows);
  assert_int_equal(final.status, SIM_OK);
  free(none);
}

static void derivatives(void **state) {
  (void)state;
  const CtlStatistic statistics[] = {CTL_MEAN, CTL_WORST};
  static const double STEP = 1e-6;
  for (int k = 0; k < 2; k++) {
    Robust r;
    robust_open(&r, come_near, 4, SCENARIOS, statistics[k]);
    CtlEvaluator e = ctl_robust_evaluator(r.robust);
    double point[8] = {3, 1.5, -0.5, 0.25, 0.7}, beside[2][64], values[64], rows[64 * 16];
    assert_true(e.d <= 64 && e.n <= 8 && (size_t)e.m * ctl_row_size(e.n) <= 64 * 16);
    assert_int_equal(e.n, 4 + k); /* t of the worst case */
    evaluate(&e, point, values, rows);
    for (int i = 0; i < e.n; i++) {
      double at = point[i];
      for (int side = 0; side < 2; side++) {
        point[i] = at + (side ? STEP : -STEP);
        evaluate(&e, point, beside[side], NULL);
      }
      point[i] = at;
      for (int j = 0; j < e.d; j++) {
        double slope = (beside[1][j] - beside[0][j]) / (2 * STEP);
        assert_true(fabs(rows[(size_t)j * ctl_row_size(e.n) + (size_t)i] - slope) < 1e-7 * fmax(1, fabs(slope)));
      }
    }
    double f = 0;
    for (int j = 0; j < e.d && !k; j++)
      f += r.problem.roles[j] == CTL_ROLE_RESIDUAL ? values[j] * values[j] : values[j];
    if (!k) assert_true(fabs(f / statistic_of(&r, CTL_MEAN, point) - 1) < 1e-12);
    robust_close(&r);
  }
}

/* Refusals --------------------------------------------------------------------------------------------------------- */

static char complaint[256];

static void keep(void *context, const char *key, const char *text) {
  (void)context;
  snprintf(complaint, sizeof complaint, "%s: %s", key, text);
}

static void refused(Maker *one, Maker *other, const char *expected) {
  const SimReport report = {NULL, keep};
  Maker *const makers[] = {one, other};
  CtlPlan *plans[2];
  CtlRobust *robust;
  for (int s = 0; s < 2; s++) {
    Form f;
    makers[s](&f, 1 + 0.1 * s, 4);
    plans[s] = form_plan(&f);
  }
  *complaint = '\0';
  assert_int_equal(ctl_robust_create(2, plans, CTL_WORST, &report, &robust), SIM_BAD_PROBLEM);
  assert_true(robust == NULL && strncmp(complaint, expected, strlen(expected)) == 0);
  for (int s = 0; s < 2; s++) ctl_plan_destroy(plans[s]);
}

static void to_a_point(Form *f, double friction, int segments) {
  push(f, friction, segments);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 1, 0, CTL_ROLE_EQUAL, 1);
}

static void without_friction(Form *f, double friction, int segments) {
  push(f, friction, segments);
  f->problem.friction[0] = 0;
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 0, 1, CTL_ROLE_EQUAL, 0);
}

static void belt(void *context, double t, double *w) {
  const double *speeds = context;
  *w = speeds[0] + t * speeds[1];
}

/* A block that is to be at rest at T = 2 on a belt with the speed speeds[0] + speeds[1] t. */
static void on_belt(Form *f, double friction, int segments, double speeds[2]) {
  const SimLoad load = {.at = belt, .context = speeds};
  double where;
  push(f, friction, segments);
  assert_int_equal(stiction_problem_set_surface(&f->problem, 1, &load, 0, NULL, &where), SIM_OK);
  form_add(f, CTL_READ_MOTION, SIM_AT_END, 0, 0, 1, CTL_ROLE_EQUAL, 0);
}

static void on_a_moving_belt(Form *f, double friction, int segments) {
  on_belt(f, friction, segments, (double[]){0.5, 0});
}

static void on_a_stopping_belt(Form *f, double friction, int segments) {
  on_belt(f, friction, segments, (double[]){0.5, -0.25});
}

/* Friction holds a block at the speed of its belt, which must be 0 at T. */
static void belts(void **state) {
  (void)state;
  Robust r;
  CtlQuantityValue values[SCENARIOS * 3];
  refused(on_a_moving_belt, on_a_moving_belt, "quantities: q2: one number in all scenarios");
  refused(on_a_stopping_belt, on_a_moving_belt, "quantities: q2: one number in all scenarios");
  robust_open(&r, on_a_stopping_belt, 4, SCENARIOS, CTL_WORST);
  robust_search(&r);
  show("to rest on a belt that stops", &r);
  assert_true(r.found.E1 <= 1);
  assert_int_equal(ctl_robust_read(r.robust, r.point, values, NULL), SIM_OK);
  for (int s = 0; s < SCENARIOS; s++)
    assert_true(values[3 * s + 1].miss < 1e-6 && fabs(values[3 * s + 2].value) < 1e-6);
  robust_close(&r);
}

/* The bounds of a shared quantity are those of the first scenario, and so is its value. */
static void shared_roles(void **state) {
  (void)state;
  Robust r;
  robust_open(&r, far_in_time, 4, SCENARIOS, CTL_WORST);
  int found = 0;
  for (int i = 0; i < r.problem.d; i++) {
    if (r.problem.roles[i] != CTL_ROLE_AT_MOST) continue;
    assert_true(r.problem.position[i] == 4 * friction_of(0, SCENARIOS));
    found++;
  }
  assert_int_equal(found, 1);
  robust_close(&r);
}

static void refusals(void **state) {
  (void)state;
  refused(to_a_point, to_a_point,
          "quantities: q2: one number in all scenarios (expected with control.objective: an interval");
  refused(without_friction, without_friction, "quantities: q2: one number in all scenarios");
  refused(push, come_near, "scenarios: scenario 2 has other variables or quantities than the first");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(least_time),
                                     cmocka_unit_test(at_rest),
                                     cmocka_unit_test(beside_brute_force),
                                     cmocka_unit_test(weights_of_the_worst),
                                     cmocka_unit_test(derivatives),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(belts),
                                     cmocka_unit_test(shared_roles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
