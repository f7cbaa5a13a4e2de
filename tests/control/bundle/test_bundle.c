/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests searches that minimise a statistic over several scenarios. The final states are linear in u, so the answers are
 * known. */
#include "tests/fixture.h"

#include "control/evaluator.h"
#include "control/outcome/penalty.h"

#include <math.h>
#include <string.h>

enum { S = 5, N = 2 };

/* In scenario s the final state is x(T) = slope_s.u - aim_s. In all scenarios v(T) = u_1 - 1. */
static const double slope[S][N] = {{1, 0}, {0.9, 0.1}, {1.2, -0.2}, {1, 0.3}, {0.7, 0}},
                    aim[S] = {1, 1.1, 0.8, 1.3, 0.9};

static size_t targets; /* number of targets per scenario: x(T), or x(T) and v(T) */

static void evaluate_one(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                         double *rows) {
  int s = *(const int *)context;
  for (int k = 0; k < count; k++, controls += N) {
    final[k].x[0] = slope[s][0] * controls[0] + slope[s][1] * controls[1] - aim[s];
    final[k].v[0] = controls[0] - 1;
    final[k].iterations = 1;
    if (!want.derivatives) continue;
    const double row[2][N + 2] = {{slope[s][0], slope[s][1]}, {1, 0}};
    memcpy(rows + (size_t)k * targets * (N + 2), row, targets * sizeof row[0]);
  }
}

/* Evaluators of all scenarios together. */
typedef struct Case {
  int scenario[S];
  CtlEvaluator each[S];
  CtlStack stack;
  CtlProblem one, all;
} Case;

static void case_open(Case *c, CtlStatistic statistic, const char *method, bool velocity) {
  targets = 1 + (size_t)velocity;
  for (int s = 0; s < S; s++) {
    c->scenario[s] = s;
    c->each[s] = (CtlEvaluator){
        .n = N, .d = 1, .m = 1 + velocity, .block = 4, .context = &c->scenario[s], .evaluate = evaluate_one};
  }
  assert_int_equal(ctl_problem_init(&c->one, N, 1), SIM_OK);
  c->one.end = 1;
  c->one.position[0] = 0;
  if (velocity) c->one.velocity[0] = 0;
  c->one.derivatives = true;
  c->one.statistic = statistic;
  c->one.quantile = 0.6;
  c->one.method = ctl_method_find(method);
  assert_int_equal(ctl_problem_stack(&c->one, S, &c->all), SIM_OK);
  assert_int_equal(ctl_stack_init(&c->stack, S, c->each, 1), SIM_OK);
}

static void case_close(Case *c) {
  ctl_stack_clear(&c->stack);
  ctl_problem_clear(&c->one);
  ctl_problem_clear(&c->all);
}

static int go_on(void *context, const CtlState *state, double seconds) {
  long *rounds = context;
  (void)state, (void)seconds;
  return rounds && --*rounds == 0 ? 1 : 0;
}

/* Drives the search for a number of rounds (NULL: to its end), and returns its result. */
static void drive(Case *c, CtlSearch *search, long *rounds, CtlState *state) {
  const CtlEvaluator evaluator = ctl_stacked(&c->stack);
  const CtlListener listener = {.context = rounds, .simplex = go_on};
  CtlTimes times;
  assert_int_equal(ctl_drive_serial(search, &evaluator, &listener, &times), rounds ? 1 : 0);
  stiction_asktell_state(search, state);
}

static double statistic_at(const Case *c, double a, double b) {
  double errors[S];
  for (int s = 0; s < S; s++)
    errors[s] = fabs(slope[s][0] * a + slope[s][1] * b - aim[s]) + (isnan(c->one.velocity[0]) ? 0 : fabs(a - 1));
  return ctl_statistic_of(&c->all, S, errors);
}

/* Returns the least statistic, found by a search on finer and finer grids. A convex statistic needs one grid at a time;
 * for a quantile all local minima are searched. */
static double least_statistic(const Case *c, double most) {
  double at[N] = {0, 0}, least = INFINITY, width = 8;
  enum { HALF = 80 };
  for (int level = 0; level < 12; level++, width /= level == 1 ? 8 : 4) {
    double centre[N] = {at[0], at[1]};
    for (int i = -HALF; i <= HALF; i++)
      for (int j = -HALF; j <= HALF; j++) {
        double a = centre[0] + width * i / HALF, b = centre[1] + width * j / HALF, value = statistic_at(c, a, b);
        if (!(value < least) || a * a + b * b > most) continue;
        least = value;
        at[0] = a;
        at[1] = b;
      }
  }
  return least;
}

static void finds(CtlStatistic statistic, const char *method, bool velocity, double most, double tolerance) {
  Case c;
  CtlSearch *search;
  CtlState state;
  case_open(&c, statistic, method, velocity);
  c.all.effort_at_most = most;
  assert_int_equal(stiction_asktell_create(&c.all, &search), CTL_OK);
  drive(&c, search, NULL, &state);
  double found = ctl_statistic(&c.all, state.x, state.v), least = least_statistic(&c, most > 0 ? most : INFINITY);
  assert_int_equal(state.reason, CTL_REASON_TOLERANCE);
  assert_true(found <= least + tolerance && found >= least - 1e-4);
  assert_true(most == 0 || state.J <= most);
  assert_true(fabs(statistic_at(&c, state.control[0], state.control[1]) - found) < 1e-12);
  stiction_asktell_destroy(search);
  case_close(&c);
}

static void each_statistic_is_found(void **state) {
  (void)state;
  for (int velocity = 0; velocity < 2; velocity++) {
    finds(CTL_WORST, "bundle", velocity, 0, 1e-5);
    finds(CTL_MEAN, "bundle", velocity, 0, 1e-5);
    finds(CTL_QUANTILE, "bundle", velocity, 0, 1e-4);
    finds(CTL_WORST, "pds", velocity, 0, 1e-4);
    finds(CTL_MEAN, "pds", velocity, 0, 1e-4);
    finds(CTL_QUANTILE, "pds", velocity, 0, 1e-2);
  }
}

static void no_more_effort_than_allowed(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    finds(CTL_WORST, "bundle", false, 0.3 + 0.3 * k, 1e-3);
    finds(CTL_MEAN, "bundle", false, 0.3 + 0.3 * k, 1e-3);
    finds(CTL_WORST, "pds", false, 0.3 + 0.3 * k, 1e-3);
  }
}

static void a_statistic_of_numbers(void **state) {
  (void)state;
  const double numbers[] = {5, 1, 4, 2, 3};
  CtlProblem p = {.statistic = CTL_MEAN};
  assert_true(ctl_statistic_of(&p, 5, numbers) == 3);
  p.statistic = CTL_WORST;
  assert_true(ctl_statistic_of(&p, 5, numbers) == 5);
  p.statistic = CTL_QUANTILE;
  const double parts[] = {0.01, 0.2, 0.21, 0.6, 0.8, 0.81, 1}, expected[] = {1, 1, 2, 3, 4, 5, 5};
  for (int k = 0; k < 7; k++) {
    p.quantile = parts[k];
    assert_true(ctl_statistic_of(&p, 5, numbers) == expected[k]);
  }
}

/* Evaluates x_s(T) = (to_s - u) ((u + 1/2)^2 + 0.15) of scenario s, where to_s is about 3. A search from u = 0 ends in
 * a local minimum near u = -1/2, where the miss is 0.5. */
static void evaluate_valley(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                            double *rows) {
  double to = 3 + 0.005 * *(const int *)context;
  (void)want;
  assert_int_equal(count, 1);
  double u = controls[0], factor = (u + 0.5) * (u + 0.5) + 0.15;
  final->x[0] = (to - u) * factor;
  final->v[0] = 0;
  final->iterations = 1;
  const double row[N + 2] = {2 * (to - u) * (u + 0.5) - factor};
  memcpy(rows, row, sizeof row);
}

/* Evaluates the numbers in the file, without scenarios: x(T) = 3 - u, which has a single solution. */
static void evaluate_slope(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                           double *rows) {
  (void)context;
  assert_true(want.derivatives && want.motion < CTL_MOTIONS);
  assert_int_equal(count, 1);
  final->x[0] = 3 - controls[0];
  final->v[0] = 0;
  final->iterations = 1;
  const double row[N + 2] = {-1};
  memcpy(rows, row, sizeof row);
}

/* From the answer for the numbers in the file the other minimum is found, even if that answer must first be made
 * cheaper. A search with a single start does not use it. */
static void the_nominal_answer_is_a_start(void **state) {
  const double most = 8.9, expected[] = {0.2, 0.5};
  (void)state;
  for (int k = 0; k < 3; k++) {
    Case c;
    CtlSearch *search;
    CtlState found;
    case_open(&c, CTL_WORST, "bundle", false);
    for (int s = 0; s < S; s++) c.each[s].evaluate = evaluate_valley;
    CtlEvaluator nominal = c.each[0];
    nominal.evaluate = evaluate_slope;
    c.stack.nominal = &nominal;
    c.all.local_starts = k == 2 ? 1 : 2;
    c.all.restarts = 0;
    c.all.effort_at_most = k == 1 ? most : 0;
    assert_int_equal(stiction_asktell_create(&c.all, &search), CTL_OK);
    drive(&c, search, NULL, &found);
    double worst = ctl_statistic(&c.all, found.x, found.v);
    assert_int_equal(found.reason, CTL_REASON_TOLERANCE);
    if (k < 2) {
      assert_true(found.control[0] > 2.5 && worst < expected[k]);
    } else
      assert_true(found.control[0] < 0);
    assert_true(k != 1 || found.J <= most);
    stiction_asktell_destroy(search);
    case_close(&c);
  }
}

/* The penalty weight rho grows with all misses, also if only velocities are missed. */
static void rho_grows_by_all_misses(void **state) {
  (void)state;
  for (int velocity = 0; velocity < 2; velocity++) {
    Case c;
    CtlPenalty penalty;
    double x[S] = {0}, v[S] = {0};
    case_open(&c, CTL_MEAN, "pds", true);
    c.all.rho = 10;
    c.all.rho_update = CTL_RHO_DYNAMIC;
    for (int s = 0; s < S; s++) (velocity ? v : x)[s] = 2;
    ctl_penalty_start(&penalty, &c.all);
    ctl_penalty_update_rho(&penalty, &c.all, x, v);
    assert_true(penalty.rho[0] == 12 && penalty.rho[2] == 12 && penalty.rho[1] == 10);
    case_close(&c);
  }
}

/* A search that is saved after any round and loaded gives the same bits. */
static void a_saved_search_goes_on(void **state) {
  (void)state;
  Case c;
  CtlState whole, gone_on;
  CtlSearch *search, *again;
  case_open(&c, CTL_MEAN, "bundle", true);
  assert_int_equal(stiction_asktell_create(&c.all, &search), CTL_OK);
  drive(&c, search, NULL, &whole);
  for (long rounds = 1; rounds < whole.rounds; rounds += 3) {
    long left = rounds;
    assert_int_equal(stiction_asktell_create(&c.all, &again), CTL_OK);
    drive(&c, again, &left, &gone_on);
    size_t size = stiction_asktell_saved_size(again);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    stiction_asktell_save(again, bytes);
    stiction_asktell_destroy(again);
    assert_int_equal(stiction_asktell_load(&c.all, bytes, size, NULL, &again), CTL_OK);
    drive(&c, again, NULL, &gone_on);
    assert_int_equal(gone_on.rounds, whole.rounds);
    assert_memory_equal(gone_on.control, whole.control, N * sizeof(double));
    stiction_asktell_destroy(again);
    free(bytes);
  }
  stiction_asktell_destroy(search);
  case_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_statistic_of_numbers),        cmocka_unit_test(each_statistic_is_found),
      cmocka_unit_test(no_more_effort_than_allowed),   cmocka_unit_test(rho_grows_by_all_misses),
      cmocka_unit_test(the_nominal_answer_is_a_start), cmocka_unit_test(a_saved_search_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
