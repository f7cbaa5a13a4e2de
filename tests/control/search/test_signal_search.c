/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches of time-varying controls: their cost, their bounds, and templates of up to 64 variables. */
#include "tests/control/search/drive.h"

#include "control/pds/template_store.h"
#include "control/problem/bounds.h"
#include "sim/group.h"

enum { P = 2, SEGMENTS = 3 };

static CtlProblem signal_problem(SimSignal signal, int segments) {
  static const double weight[P * P] = {2, 0.5, 0.5, 1};
  CtlProblem p;
  assert_int_equal(ctl_problem_init_signal(&p, P, signal, segments, P * segments), SIM_OK);
  memcpy(p.weight, weight, sizeof weight);
  p.method = ctl_method_find("pds");
  p.end = 3;
  for (int i = 0; i < p.d; i++) p.position[i] = 0;
  return p;
}

/* Returns u(t) as defined in sim/signal.h. */
static double u_at(const CtlProblem *p, const double *u, int i, double t) {
  double h = p->end / p->segments;
  int k = (int)(t / h) < p->segments ? (int)(t / h) : p->segments - 1;
  double end = u[k * P + i], start = k ? u[(k - 1) * P + i] : 0;
  return p->signal == SIM_PIECEWISE_LINEAR ? start + (end - start) * (t / h - k) : end;
}

/* Integrates N u.u over time by Gauss-Legendre with two points on many parts of each segment. This is exact for squares
 * of linear pieces. */
static double integral(const CtlProblem *p, const double *u) {
  enum { PARTS = 4 };
  double width = p->end / (p->segments * PARTS), sum = 0;
  for (int part = 0; part < p->segments * PARTS; part++)
    for (int side = -1; side <= 1; side += 2) {
      double t = width * (part + 0.5 + side / sqrt(12)), a = u_at(p, u, 0, t), b = u_at(p, u, 1, t);
      sum += width / 2 * (p->weight[0] * a * a + (p->weight[1] + p->weight[2]) * a * b + p->weight[3] * b * b);
    }
  return sum;
}

static void J_is_exact_and_kept_by_refinement(void **state) {
  (void)state;
  uint64_t seed = 21;
  double u[P * SEGMENTS], fine[P * SEGMENTS * 4];
  for (int kind = SIM_PIECEWISE_CONSTANT; kind <= SIM_PIECEWISE_LINEAR; kind++)
    for (int trial = 0; trial < 20; trial++) {
      for (int i = 0; i < P * SEGMENTS; i++) u[i] = 10 * fixture_random(&seed);
      CtlProblem p = signal_problem((SimSignal)kind, SEGMENTS);
      double J = ctl_cost(&p, u);
      assert_true(fabs(J / integral(&p, u) - 1) <= 1e-14);
      for (int times = 2; times <= 4; times++) {
        CtlProblem q = signal_problem((SimSignal)kind, SEGMENTS * times);
        sim_signal_refine((SimSignal)kind, P, SEGMENTS, times, u, fine);
        assert_true(fabs(ctl_cost(&q, fine) / J - 1) <= 1e-14);
        ctl_problem_clear(&q);
      }
      ctl_problem_clear(&p);
    }
}

/* The cost of one linear piece from 0 to u is a third of T u'Nu. */
static void J_of_a_ramp(void **state) {
  (void)state;
  const double u[P] = {3, -2};
  CtlProblem ramp = signal_problem(SIM_PIECEWISE_LINEAR, 1), step = signal_problem(SIM_PIECEWISE_CONSTANT, 1);
  assert_true(ctl_cost(&step, u) == 3 * (2 * 9 - 2 * 0.5 * 6 + 4));
  assert_true(fabs(ctl_cost(&ramp, u) - ctl_cost(&step, u) / 3) <= 1e-14 * ctl_cost(&step, u));
  ctl_problem_clear(&ramp);
  ctl_problem_clear(&step);
}

static const CtlProblem *bounded;

/* The model linear(), but only at points within the bounds. Its zero is outside: u = c rises too fast from the first to
 * the second entry. */
static SimStatus bounded_linear(int n, const double *u, double *x, double *v) {
  double h = bounded->end / bounded->segments;
  assert_true(u[3] <= 1.5);
  for (int i = 0; i < n; i++) {
    double before = i < P ? 0 : u[i - P];
    if (i >= P || bounded->signal == SIM_PIECEWISE_LINEAR)
      assert_true(fabs(u[i] - before) <= bounded->rate[i % P] * h * (1 + 1e-12));
  }
  return linear(n, u, x, v);
}

static void no_method_leaves_the_bounds(void **state) {
  (void)state;
  for (int kind = SIM_PIECEWISE_CONSTANT; kind <= SIM_PIECEWISE_LINEAR; kind++)
    for (int method = ctl_method_find("pds"); stiction_method_name(method);
         method++) { /* these methods need no derivatives */
      CtlProblem p = signal_problem((SimSignal)kind, 2);
      double free_best = 0;
      p.method = method;
      p.rho = 10;
      p.restarts = 0;
      p.max_evaluations = 80; /* local methods are restarted after each local search */
      p.rate[0] = 0.2;        /* with the segment length h = 1.5 this allows a change of 0.3 */
      p.upper[3] = 1.5;
      bounded = &p;
      run(&p, bounded_linear, 4, 0, 0);
      assert_true(ctl_bounds_broken(&p, drive.u) < 0);
      assert_true(drive.asked > 8);
      /* the answer has moved from the start up to the limit of the rate */
      for (int i = 0; i < p.n; i++) free_best = fmax(free_best, fabs(drive.u[i]));
      assert_true(free_best > 0.25);
      ctl_problem_clear(&p);
    }
}

static void moving_inside_moves_no_more_than_it_must(void **state) {
  (void)state;
  CtlProblem p = signal_problem(SIM_PIECEWISE_LINEAR, 3); /* here h = 1 */
  p.rate[0] = 1;
  p.lower[1] = -4;
  double u[] = {5, -6, 1.5, -6, -9, 7}, good[] = {0.5, -4, 1.5, -5, 1, 30}, kept[6];
  const double inside[] = {1, -4, 1.5, -6, 0.5, 7};
  memcpy(kept, good, sizeof kept);
  assert_int_equal(ctl_bounds_broken(&p, u), 0);
  ctl_bounds_move_inside(&p, u);
  assert_memory_equal(u, inside, sizeof inside);
  assert_int_equal(ctl_bounds_broken(&p, u), -1);
  assert_int_equal(ctl_bounds_broken(&p, good), -1);
  ctl_bounds_move_inside(&p, good);
  assert_memory_equal(good, kept, sizeof kept);
  ctl_problem_clear(&p);
}

/* The last message reported. */
static char message[256];
static int n_messages;
static void tell(void *context, const char *key, const char *text) {
  (void)context;
  snprintf(message, sizeof message, "%s: %s", key, text);
  n_messages++;
}

/* Checks that exactly one mistake is reported, and that key and text begin like this. */
static void expect_message(const CtlProblem *p, const char *beginning) {
  const SimReport report = {NULL, tell};
  n_messages = 0;
  assert_int_equal(stiction_control_check(p, &report), CTL_BAD_PROBLEM);
  assert_int_equal(n_messages, 1);
  if (strncmp(message, beginning, strlen(beginning)) != 0) fail_msg("\"%s\"", message);
}

static void bad_bounds_are_reported(void **state) {
  (void)state;
  CtlProblem p = signal_problem(SIM_PIECEWISE_CONSTANT, 3);
  p.rate[1] = 2;
  assert_int_equal(stiction_control_check(&p, NULL), CTL_OK);
  p.start[1] = 5; /* the first piece of a piecewise constant control may have any value */
  p.start[3] = p.start[5] = 6;
  assert_int_equal(stiction_control_check(&p, NULL), CTL_OK);
  p.start[5] = 3.9;
  expect_message(&p, "control.start: segment 3: entry 2 goes from 6 to 3.9");
  p.start[5] = 6;
  p.signal = SIM_PIECEWISE_LINEAR;
  expect_message(&p, "control.start: segment 1: entry 2 goes from 0 to 5");
  p.rate[1] = 0;
  expect_message(&p, "control.bounds.rate: entry 2 is 0 (expected ");
  p.rate[1] = INFINITY;
  p.upper[3] = 7; /* bounds may differ from segment to segment */
  assert_int_equal(stiction_control_check(&p, NULL), CTL_OK);
  p.rate[1] = 100; /* but not together with a rate */
  expect_message(&p, "control.bounds: entry 2 has a rate");
  p.rate[1] = INFINITY;
  p.start[3] = 8;
  expect_message(&p, "control.start: entry 4 (2 of segment 2) is 8, outside its bounds ");
  p.lower[2] = 9;
  p.upper[2] = 8.5;
  p.start[3] = 6;
  expect_message(&p, "control.bounds: entry 3: lower 9 is not below upper 8.5");
  ctl_problem_clear(&p);
}

static void templates_of_64_variables(void **state) {
  (void)state;
  enum { N = 64, SIZE = 4 * N };
  const CtlTemplate *scheme = ctl_template_take(N, SIZE);
  static double tau[SIZE][N];
  assert_non_null(scheme);
  assert_int_equal(scheme->size, SIZE);
  for (long k = 0; k < SIZE; k++) {
    ctl_template_offset(scheme, k, tau[k]);
    for (long other = 0; other < k; other++) assert_memory_not_equal(tau[k], tau[other], sizeof tau[k]);
  }
  for (int k = 0; k < N; k++) /* the reflected vertices come first */
    for (int i = 0; i < N; i++) assert_true(tau[k][i] == (i == k ? -1 : 0));
  ctl_template_give(scheme);
}

static void templates_are_shared_and_kept(void **state) {
  (void)state;
  const CtlTemplate *first = ctl_template_take(16, 4096), *again = ctl_template_take(16, 4096);
  const CtlTemplate *wider = ctl_template_take(16, 4097);
  assert_non_null(first);
  assert_ptr_equal(first, again);
  assert_ptr_not_equal(first, wider);
  ctl_template_give(first);
  ctl_template_give(again);
  ctl_template_give(wider);
  assert_ptr_equal(ctl_template_take(16, 4096), first);
  /* There are more templates than are kept. Those in use must not change. */
  long size = (long)(CTL_TEMPLATE_KEPT / (ctl_template_bytes(16, 1 << 16) >> 16));
  for (long k = 0; k < 3; k++) {
    const CtlTemplate *large = ctl_template_take(16, size + k);
    assert_non_null(large);
    ctl_template_give(large);
  }
  assert_int_equal(first->size, 4096);
  assert_true(ctl_template_base(first, 4095) <= 16);
  ctl_template_give(first);
}

static void templates_too_large_are_refused(void **state) {
  (void)state;
  CtlProblem p;
  assert_int_equal(ctl_problem_init(&p, 64, 1), SIM_OK);
  p.method = ctl_method_find("pds");
  p.end = 1;
  p.position[0] = 0;
  p.scheme_size = 1 << 19;
  assert_int_equal(stiction_control_check(&p, NULL), CTL_OK);
  p.scheme_size = CTL_SCHEME_MAX;
  expect_message(&p, "search.scheme_size: ");
  assert_null(ctl_template_take(64, CTL_SCHEME_MAX));
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(J_is_exact_and_kept_by_refinement),
      cmocka_unit_test(J_of_a_ramp),
      cmocka_unit_test_teardown(no_method_leaves_the_bounds, drive_end),
      cmocka_unit_test(moving_inside_moves_no_more_than_it_must),
      cmocka_unit_test(bad_bounds_are_reported),
      cmocka_unit_test(templates_of_64_variables),
      cmocka_unit_test(templates_are_shared_and_kept),
      cmocka_unit_test(templates_too_large_are_refused),
  };
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
