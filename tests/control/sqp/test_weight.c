/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests weights of the cost that differ much in size, and singular ones. If some forces cost nothing, J soon reaches 0,
 * and no other answer is accepted as a minimum. The final state is known: x(T) = a.u + bend u_2^2. */
#include "tests/fixture.h"

#include "control/refine.h"

#include <math.h>

enum { N = 2 };

typedef struct Ends {
  double a[N], bend;
} Ends;

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  const Ends *e = context;
  (void)want;
  for (int k = 0; k < count; k++) {
    const double *u = controls + k * N;
    double *row = rows + (size_t)k * ctl_row_size(N);
    final[k].status = SIM_OK;
    final[k].x[0] = e->a[0] * u[0] + e->a[1] * u[1] + e->bend * u[1] * u[1];
    final[k].v[0] = 0;
    memset(row, 0, ctl_row_size(N) * sizeof *row);
    row[0] = e->a[0];
    row[1] = e->a[1] + 2 * e->bend * u[1];
  }
}

static void open_weighted(CtlProblem *problem, double first, double both, double second) {
  assert_int_equal(ctl_problem_init(problem, N, 1), SIM_OK);
  problem->end = 1;
  problem->position[0] = 1;
  problem->derivatives = true;
  const double weight[N * N] = {first, both, both, second};
  memcpy(problem->weight, weight, sizeof weight);
}

/* Returns the J that SQP reaches with at most this number of evaluations. */
static double least(CtlProblem *problem, Ends *ends, long evaluations) {
  const CtlEvaluator evaluator = {.n = N, .d = 1, .m = 1, .block = 1, .context = ends, .evaluate = evaluate};
  const double start[N] = {0.3, 0.2};
  CtlRefined refined;
  assert_int_equal(ctl_refine(problem, &evaluator, start, NULL, NULL, &refined), SIM_OK);
  assert_in_range(refined.evaluations, 1, evaluations);
  double J = refined.J;
  ctl_refined_clear(&refined);
  return J;
}

/* Solves the same problem in other units of one force: N u.u and a.u do not change, and J = 1/2. */
static void units_do_not_matter(void **state) {
  (void)state;
  static const double sizes[] = {1, 1e-4, 1e-10, 1e-14, 1e8};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    CtlProblem problem;
    Ends ends = {{1, sqrt(sizes[k])}, 0};
    open_weighted(&problem, 1, 0, sizes[k]);
    assert_true(fabs(least(&problem, &ends, 4) - 0.5) < 1e-9);
    ctl_problem_clear(&problem);
  }
}

static void what_costs_nothing_is_used(void **state) {
  (void)state;
  static const double effects[] = {1, 1e-2, 1e-4};
  for (int k = 0; k < 3; k++) {
    CtlProblem problem;
    Ends ends = {{1, effects[k]}, 0};
    open_weighted(&problem, 1, 0, 0);
    assert_true(least(&problem, &ends, 16) < 1e-9);
    ctl_problem_clear(&problem);
  }
  CtlProblem problem;
  Ends ends = {{1, 0.5}, 0};
  open_weighted(&problem, 1, 1, 1); /* controls with u_1 = -u_2 cost nothing */
  assert_true(least(&problem, &ends, 16) < 1e-9);
  ctl_problem_clear(&problem);
}

/* u = (1, 0) is stationary. If bend > 0, any u_2 reduces u_1; if bend < 0, it increases u_1. */
static void a_saddle_is_no_minimum(void **state) {
  (void)state;
  static const double bends[] = {1e-3, 1, -1e-1, -1};
  for (int k = 0; k < 4; k++) {
    CtlProblem problem;
    CtlOptimality is;
    Ends ends = {{1, 0}, bends[k]};
    const CtlEvaluator evaluator = {.n = N, .d = 1, .m = 1, .block = 1, .context = &ends, .evaluate = evaluate};
    const double u[N] = {1, 0};
    open_weighted(&problem, 1, 0, 0);
    assert_int_equal(ctl_optimality_find(&problem, &evaluator, u, &is), SIM_OK);
    assert_int_equal(is.local_minimum, bends[k] > 0 ? CTL_MINIMUM_NO : CTL_MINIMUM_YES);
    ctl_optimality_clear(&is);
    ctl_problem_clear(&problem);
  }
}

/* Tests J = 0 at a control other than zero, and at zero. */
static void nothing_is_less_than_nothing(void **state) {
  (void)state;
  static const double controls[][N] = {{0, 2}, {0, 0}};
  for (int k = 0; k < 2; k++) {
    CtlProblem problem;
    CtlOptimality is;
    Ends ends = {{1, 0.5}, 0};
    const CtlEvaluator evaluator = {.n = N, .d = 1, .m = 1, .block = 1, .context = &ends, .evaluate = evaluate};
    open_weighted(&problem, 1, 0, 0);
    if (k) problem.position[0] = 0;
    assert_int_equal(ctl_optimality_find(&problem, &evaluator, controls[k], &is), SIM_OK);
    assert_int_equal(is.local_minimum, CTL_MINIMUM_YES);
    ctl_optimality_clear(&is);
    ctl_problem_clear(&problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_do_not_matter), cmocka_unit_test(what_costs_nothing_is_used),
      cmocka_unit_test(a_saddle_is_no_minimum), cmocka_unit_test(nothing_is_less_than_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
