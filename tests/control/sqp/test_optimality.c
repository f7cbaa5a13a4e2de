/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how the optimality of an answer is judged. Near a local minimum that meets the targets no control is cheaper;
 * near other points there are cheaper ones. The scheme is `event`, with derivatives of the exact motion. */
#include "tests/fixture.h"

#include "control/refine.h"
#include "src/file/sections/file.h"
#include "src/run/evaluated_model.h"

#include <limits.h>

enum { N_MAX = 32, ROWS_MAX = 8, SETTINGS = 4 };

/* A problem with its evaluator. */
typedef struct Given {
  Problem problem;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator;
  int row_of[ROWS_MAX];    /* which entry of (x, v) each row of derivatives belongs to */
  double target[ROWS_MAX]; /* target of each of these entries */
} Given;

static void open_problem(Given *g, const char *file, const char *const *settings) {
  char path[256], event[] = "scheme={name: event}";
  char *all[SETTINGS + 1] = {event};
  Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
  EvaluatedModel model;
  int n = 1;
  /* the cast is safe, as the texts are only read */
  for (; n <= SETTINGS && settings[n - 1]; n++) all[n] = (char *)settings[n - 1];
  snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", file);
  assert_int_equal(problem_file_read(path, all, n, true, &diagnostics, &g->problem), 0);
  CtlProblem *control = &g->problem.control;
  assert_int_equal(rollout_context_prepare(&g->rollout, &g->problem.sim, &diagnostics), 0);
  assert_int_equal(evaluated_model_prepare(&g->problem, true, &model), 0);
  assert_int_equal(evaluated_model_simulation(&model, &g->rollout, &g->simulation), SIM_OK);
  evaluated_model_clear(&model);
  g->evaluator = ctl_simulator(&g->simulation);
  assert_true(control->n <= N_MAX && g->evaluator.m <= ROWS_MAX);
  for (int i = 0, k = 0; i < 2 * control->d; i++) {
    double target = i < control->d ? control->position[i] : control->velocity[i - control->d];
    if (isnan(target)) continue;
    g->row_of[k] = i;
    g->target[k++] = target;
  }
}

static void close_problem(Given *g) {
  ctl_simulation_clear(&g->simulation);
  rollout_context_release(&g->rollout);
  problem_clear(&g->problem);
}

static int go_on(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

/* Searches the answer u [n] by a method. Returns its J. */
static double search(Given *g, const char *method, double *u) {
  CtlSearch *search;
  CtlTimes times;
  CtlState state;
  CtlProblem *control = &g->problem.control;
  control->method = ctl_method_find(method);
  assert_int_equal(stiction_asktell_create(control, &search), CTL_OK);
  assert_int_equal(ctl_drive_serial(search, &g->evaluator, &(CtlListener){.simplex = go_on}, &times), 0);
  stiction_asktell_state(search, &state);
  assert_true(state.E1 <= control->accept && state.E2 <= control->accept);
  memcpy(u, state.control, (size_t)control->n * sizeof *u);
  stiction_asktell_destroy(search);
  return ctl_cost(control, u);
}

/* Returns the largest miss at u [n]. Sets step [n] to the smallest change of u that corrects it if x(T), v(T) are
 * linear in u. A dof that has stopped before T does not move by small changes of u, so its velocity has no
 * derivative. */
static double correction(const Given *g, const double *u, double *step) {
  int n = g->evaluator.n, m = g->evaluator.m, d = g->evaluator.d;
  size_t size = ctl_row_size(n);
  double state[2 * N_MAX], rows[ROWS_MAX * (N_MAX + 2)], miss[ROWS_MAX], most = 0;
  SimFinal final = {.x = state, .v = state + d};
  g->evaluator.evaluate(g->evaluator.context, (CtlWant){.derivatives = true}, 1, u, &final, rows);
  assert_int_equal(final.status, SIM_OK);
  memset(step, 0, (size_t)n * sizeof *step);
  for (int k = 0; k < m; k++) { /* Gram-Schmidt orthogonalisation of rows and misses */
    double *row = rows + (size_t)k * size, length = 0, before = 0;
    bool stopped = row[n] != 0;
    miss[k] = state[g->row_of[k]] - g->target[k];
    most = fmax(most, fabs(miss[k]));
    for (int i = 0; i < n; i++) before += row[i] * row[i];
    for (int q = 0; q < k; q++) {
      double along = 0;
      for (int i = 0; i < n; i++) along += row[i] * rows[(size_t)q * size + (size_t)i];
      for (int i = 0; i < n; i++) row[i] -= along * rows[(size_t)q * size + (size_t)i];
      miss[k] -= along * miss[q];
    }
    for (int i = 0; i < n; i++) length += row[i] * row[i];
    bool holds = !stopped && length > 1e-16 * before;
    for (int i = 0; i < n; i++) row[i] = holds ? row[i] / sqrt(length) : 0;
    miss[k] = holds ? miss[k] / sqrt(length) : 0;
    for (int i = 0; i < n; i++) step[i] -= miss[k] * row[i];
  }
  return most;
}

/* Moves u so that it meets the targets. Returns whether this succeeded. */
static bool bring_back(const Given *g, double *u) {
  double step[N_MAX];
  for (int turn = 0; turn < 25; turn++) {
    if (correction(g, u, step) <= 1e-11) return true;
    for (int i = 0; i < g->evaluator.n; i++) u[i] += step[i];
  }
  return false;
}

static double length(int n, const double *u) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += u[i] * u[i];
  return sqrt(sum);
}

enum { PERTURBATIONS = 1000 };

/* Changes u at random by 1e-4 to 1e-2 of its size, and moves it back to the targets. Returns how often J is smaller by
 * a relative 1e-9. *back: how often the targets were met again. */
static int cheaper(const Given *g, const double *u, int *back) {
  const CtlProblem *p = &g->problem.control;
  double J = ctl_cost(p, u), size = length(p->n, u), direction[N_MAX], other[N_MAX];
  uint64_t seed = 7;
  int less = 0;
  *back = 0;
  for (int k = 0; k < PERTURBATIONS; k++) {
    for (int i = 0; i < p->n; i++) direction[i] = fixture_random(&seed);
    double step = size * pow(10, -3 + fixture_random(&seed)) / length(p->n, direction);
    for (int i = 0; i < p->n; i++) other[i] = u[i] + step * direction[i];
    if (!bring_back(g, other)) continue;
    ++*back;
    less += ctl_cost(p, other) < (1 - 1e-9) * J;
  }
  return less;
}

typedef struct Trial {
  const char *file, *settings[SETTINGS];
} Trial;

static const Trial block = {
    "signal-2x8",
    {"model={kind: friction, mass: 1, friction: 1}", "time={end: 2, step: 0.005}",
     "control={target: {position: 1, velocity: 0}, signal: {kind: piecewise_constant, segments: 20}}"}};
static const Trial arm = {"signal-2x8", {NULL}};
static const Trial one_target = {"tp1", {"control.target.position=[null, 0, null]"}};

static void a_local_minimum_is_one(void **state) {
  (void)state;
  const Trial *const trials[] = {&block, &arm, &one_target};
  for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
    Given g;
    CtlOptimality optimality;
    CtlRefined refined;
    double u[N_MAX];
    int back;
    open_problem(&g, trials[k]->file, trials[k]->settings);
    search(&g, "auto", u);
    assert_int_equal(ctl_refine(&g.problem.control, &g.evaluator, u, NULL, NULL, &refined), SIM_OK);
    assert_int_equal(ctl_optimality_find(&g.problem.control, &g.evaluator, refined.control, &optimality), SIM_OK);
    assert_int_equal(optimality.local_minimum, CTL_MINIMUM_YES);
    assert_true(optimality.kkt <= 1e-6);
    assert_int_equal(cheaper(&g, refined.control, &back), 0);
    assert_true(back > PERTURBATIONS / 2);
    ctl_optimality_clear(&optimality);
    ctl_refined_clear(&refined);
    close_problem(&g);
  }
}

/* Checks by its own motion that `lesser` meets the targets as well as u, and costs less. */
static void assert_lesser(Given *g, const double *u, const double *lesser) {
  double step[N_MAX];
  assert_non_null(lesser);
  assert_true(correction(g, lesser, step) <= 1e-10);
  assert_true(ctl_cost(&g->problem.control, lesser) < (1 - 1e-9) * ctl_cost(&g->problem.control, u));
}

static void what_only_meets_the_target_is_none(void **state) {
  (void)state;
  static const struct {
    const Trial *trial;
    const char *method;
    double stop_at;
  } tries[] = {{&arm, "nlopt:cobyla", 1e-7}, {&one_target, "pds", 0}};
  for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
    Given g;
    CtlOptimality optimality;
    double u[N_MAX];
    int back;
    open_problem(&g, tries[k].trial->file, tries[k].trial->settings);
    g.problem.control.penalty = CTL_PENALTY_P;
    g.problem.control.stop_at = tries[k].stop_at;
    search(&g, tries[k].method, u);
    assert_int_equal(ctl_optimality_find(&g.problem.control, &g.evaluator, u, &optimality), SIM_OK);
    assert_int_equal(optimality.local_minimum, CTL_MINIMUM_NO);
    assert_lesser(&g, u, optimality.lesser);
    assert_true(cheaper(&g, u, &back) > PERTURBATIONS / 10);
    ctl_optimality_clear(&optimality);
    close_problem(&g);
  }
}

/* Checks the multipliers y = -dJ/d(target). The derivative is computed from J at targets slightly to both sides, where
 * u is the only control that meets them. */
static void assert_multipliers(Given *g, const double *u, const double *y) {
  const double size = 1e-4;
  for (int k = 0; k < g->evaluator.m; k++) {
    double J[2], other[N_MAX], target = g->target[k];
    for (int side = 0; side < 2; side++) {
      memcpy(other, u, (size_t)g->evaluator.n * sizeof *other);
      g->target[k] = target + (side ? size : -size);
      assert_true(bring_back(g, other));
      J[side] = ctl_cost(&g->problem.control, other);
    }
    g->target[k] = target;
    assert_true(fabs((J[1] - J[0]) / (2 * size) + y[k]) <= 1e-5 * fabs(y[k]));
  }
}

/* If there are as many targets as variables, every solution is a local minimum. */
static void the_exact_optimum_of_tp1(void **state) {
  (void)state;
  static const double u[] = {12.0201629, -6.9998929, -9.5371791};
  Given g;
  CtlOptimality optimality;
  double step[N_MAX];
  open_problem(&g, "tp1", (const char *const[]){NULL});
  assert_float_equal(ctl_cost(&g.problem.control, u), 474.0676684, 1e-5);
  assert_true(correction(&g, u, step) <= 2e-7);
  assert_int_equal(ctl_optimality_find(&g.problem.control, &g.evaluator, u, &optimality), SIM_OK);
  assert_true(optimality.kkt < 1e-6);
  assert_int_equal(optimality.rank, 3);
  assert_multipliers(&g, u, optimality.multipliers);
  assert_int_equal(optimality.local_minimum, CTL_MINIMUM_YES);
  ctl_optimality_clear(&optimality);
  close_problem(&g);
}

/* A corner with a known answer: two joints, coupled by the mass matrix m, slide all the time and stop exactly at T.
 * Among all controls that slide until T, u = c + g (T/2 - t), constant in each segment, has the least J, where g is
 * determined by x(T) = x_T. */
typedef struct Corner {
  const char *time;
  double end;
  CtlMinimum minimum;
} Corner;

/* The corner is a minimum for T^2 up to 6 m x/c, where the effort c^2 T + 12 (m x)^2/T^3 of one joint is least. Up to
 * half of that value, the joint would turn back at T. */
static const Corner corners[] = {{"time={end: 1.5, step: 0.01}", 1.5, CTL_MINIMUM_YES},
                                 {"time={end: 3.2, step: 0.01}", 3.2, CTL_MINIMUM_YES},
                                 {"time={end: 6, step: 0.01}", 6, CTL_MINIMUM_NO}};

static void set_corner(double end, double *u) {
  enum { SEGMENTS = 16 };
  static const double load[] = {2.4, 2.4}; /* the vector M x_T */
  double h = end / SEGMENTS, squares = 0;
  for (int k = 0; k < SEGMENTS; k++) squares += h * pow(end / 2 - (k + 0.5) * h, 2);
  for (int k = 0; k < SEGMENTS; k++)
    for (int i = 0; i < 2; i++) u[2 * k + i] = 1 + load[i] / squares * (end / 2 - (k + 0.5) * h);
}

static void joints_that_stop_together(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
    Given g;
    CtlOptimality optimality;
    double u[N_MAX];
    int back;
    open_problem(
        &g, "signal-2x8",
        (const char *const[]){"model={kind: friction, mass: [[2, 0.5], [0.5, 1]], friction: [1, 1]}", corners[k].time,
                              "control={target: {position: [0.6857142857142857, 2.0571428571428572], velocity: 0}, "
                              "signal: {kind: piecewise_constant, segments: 16}}",
                              NULL});
    set_corner(corners[k].end, u);
    assert_int_equal(ctl_optimality_find(&g.problem.control, &g.evaluator, u, &optimality), SIM_OK);
    assert_int_equal(optimality.local_minimum, corners[k].minimum);
    if (corners[k].minimum == CTL_MINIMUM_NO) assert_lesser(&g, u, optimality.lesser);
    if (corners[k].minimum == CTL_MINIMUM_YES) {
      assert_int_equal(cheaper(&g, u, &back), 0);
      assert_true(back > PERTURBATIONS / 2);
    }
    ctl_optimality_clear(&optimality);
    close_problem(&g);
  }
}

/* An evaluator that fails after a given number of motions. */
typedef struct Failing {
  CtlEvaluator evaluator;
  long left, count;
} Failing;

static void evaluate_or_fail(void *context, CtlWant want, int count, const double *u, SimFinal *final, double *rows) {
  Failing *failing = context;
  failing->evaluator.evaluate(failing->evaluator.context, want, count, u, final, rows);
  for (int i = 0; i < count; i++, failing->count++)
    if (failing->left-- <= 0) final[i].status = SIM_NOT_FINISHED;
}

static void failed_motions_prove_nothing(void **state) {
  Given g;
  CtlOptimality optimality;
  double u[N_MAX];
  int unknown = 0;
  (void)state;
  open_problem(&g, "signal-2x8",
               (const char *const[]){"model={kind: friction, mass: [1, 2], friction: [1, 1]}",
                                     "time={end: 2, step: 0.01}",
                                     "control={target: {position: [1, -1], velocity: 0}, signal: {kind: "
                                     "piecewise_constant, segments: 6}}",
                                     NULL});
  search(&g, "auto", u);
  Failing failing = {.evaluator = g.evaluator, .left = LONG_MAX};
  CtlEvaluator evaluator = g.evaluator;
  evaluator.context = &failing;
  evaluator.evaluate = evaluate_or_fail;
  assert_int_equal(ctl_optimality_find(&g.problem.control, &evaluator, u, &optimality), SIM_OK);
  assert_int_equal(optimality.local_minimum, CTL_MINIMUM_YES);
  ctl_optimality_clear(&optimality);
  long all = failing.count;
  assert_true(all > 10);
  for (long left = 1; left < all; left++) {
    failing = (Failing){.evaluator = g.evaluator, .left = left};
    assert_int_equal(ctl_optimality_find(&g.problem.control, &evaluator, u, &optimality), SIM_OK);
    assert_int_equal(optimality.local_minimum, CTL_MINIMUM_UNKNOWN);
    assert_non_null(optimality.why);
    ctl_optimality_clear(&optimality);
    unknown++;
  }
  assert_int_equal(unknown, all - 1);
  close_problem(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_exact_optimum_of_tp1),           cmocka_unit_test(a_local_minimum_is_one),
      cmocka_unit_test(what_only_meets_the_target_is_none), cmocka_unit_test(joints_that_stop_together),
      cmocka_unit_test(failed_motions_prove_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
