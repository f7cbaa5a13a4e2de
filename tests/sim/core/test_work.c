/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the counted work of a motion with its processor time: by `event` and by time steps, with one mass and many,
 * with and without derivatives, forward and adjoint. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "tests/fixture.h"

#include <time.h>

enum { MOST = 60 };

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void waves(void *context, double t, double *f) {
  const SimProblem *p = context;
  for (int i = 0; i < p->d; i++) f[i] = 2 + sin(0.3 * t + i);
}

/* Makes a chain of d masses with strong damping, which is pulled, with n variables. */
static SimModel *chain(int d, int n, const char *scheme, double end, long steps, SimProblem *p, SimWorkspace **work) {
  const SimReport report = {NULL, fixture_complain};
  SimModel *model;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  for (int i = 0; i < d; i++) {
    p->system.mass[i * d + i] = 1;
    p->system.damping[i * d + i] = 900;
    p->system.stiffness[i * d + i] = 10 * (i == 0 || i == d - 1 ? 1 : 2);
    if (i > 0) p->system.stiffness[i * d + i - 1] = p->system.stiffness[(i - 1) * d + i] = -10;
    p->friction[i] = 0.05;
    p->v0[i] = 1 - 0.01 * i;
  }
  if (n > 1) {
    p->signal = SIM_PIECEWISE_CONSTANT;
    p->segments = n;
  }
  fixture_time(p, end, steps);
  fixture_scheme(p, scheme);
  assert_int_equal(stiction_problem_set_force(p, waves, p), SIM_OK);
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, work), SIM_OK);
  return model;
}

typedef enum Way { PLAIN, ALONG, BACK } Way;

static SimStatus go(const SimModel *model, SimWorkspace *work, Way way, const double *u) {
  static const SimDependence on = SIM_ON_CONTROL;
  static double x[MOST], v[MOST], numbers[6 * MOST * 64], gradients[64 * 64];
  SimFinal final = {.x = x, .v = v};
  SimDerivative derivative = {numbers, numbers + 2 * MOST * 64, numbers + 3 * MOST * 64, numbers + 4 * MOST * 64, true};
  SimSensitivity *sensitivity = NULL;
  SimAdjoint *adjoint = NULL;
  SimStatus status = SIM_OK;
  if (way == PLAIN) return stiction_rollout(model, work, u, NULL, &final);
  if (way == ALONG) {
    assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_OK);
    status = stiction_rollout_sensitivity(model, work, sensitivity, u, &final, &derivative);
  } else {
    assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_OK);
    status = sim_rollout_record(model, work, adjoint, u, &final);
    memset(numbers, 0, sizeof numbers);
    numbers[0] = numbers[3 * stiction_model_size(model) + 1] = 1;
    if (status == SIM_OK) status = sim_adjoint_sweep(adjoint, 2, numbers, gradients);
  }
  stiction_sensitivity_destroy(sensitivity);
  sim_adjoint_destroy(adjoint);
  return status;
}

/* Finds the smallest limit `most` of work with which a motion ends, up to one percent. This is the work of the
 * motion. */
static double work_of(const SimModel *model, SimWorkspace *work, Way way, const double *u) {
  double low = 0, high = 1;
  for (bool enough = false; !enough || high - low > 0.01 * high;) {
    double most = enough ? (low + high) / 2 : high;
    stiction_workspace_interrupt(work, &(SimInterrupt){.most = most});
    SimStatus status = go(model, work, way, u);
    assert_true(status == SIM_OK || status == SIM_TOO_LONG);
    if (status == SIM_OK)
      high = most;
    else
      low = most;
    if (!enough && status == SIM_TOO_LONG) high = 2 * most;
    enough = enough || status == SIM_OK;
  }
  stiction_workspace_interrupt(work, NULL);
  return high;
}

static void work_takes_time(void **state) {
  (void)state;
  static const struct {
    const char *scheme;
    int d, n;
    Way way;
    double end;
    long steps;
  } trials[] = {{"event", 1, 1, PLAIN, 4, 10},     {"event", 8, 1, PLAIN, 2, 10},     {"event", 60, 1, PLAIN, 0.5, 10},
                {"event", 1, 16, ALONG, 2, 10},    {"event", 8, 16, ALONG, 0.5, 10},  {"event", 60, 4, ALONG, 0.2, 10},
                {"event", 8, 16, BACK, 1, 10},     {"event", 60, 4, BACK, 0.5, 10},   {"moreau", 1, 1, PLAIN, 1, 20000},
                {"moreau", 60, 1, PLAIN, 1, 1000}, {"moreau", 8, 16, ALONG, 1, 2000}, {"moreau", 60, 16, ALONG, 1, 300},
                {"moreau", 60, 16, BACK, 1, 300}};
  double least = INFINITY, largest = 0, u[64];
  for (int k = 0; k < 64; k++) u[k] = 0.3;
  for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimModel *model = chain(trials[k].d, trials[k].n, trials[k].scheme, trials[k].end, trials[k].steps, &p, &work);
    double counted = work_of(model, work, trials[k].way, u), took = INFINITY;
    for (int turn = 0; turn < 25; turn++) {
      double before = processor_time();
      assert_int_equal(go(model, work, trials[k].way, u), SIM_OK);
      took = fmin(took, processor_time() - before);
    }
    printf("%s, %d masses, %d variables, way %d: work %.4g, %.2g s each\n", trials[k].scheme, trials[k].d, trials[k].n,
           trials[k].way, counted, took / counted);
    least = fmin(least, took / counted);
    largest = fmax(largest, took / counted);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  /* Counts of segments and steps differ by a factor of 1e5. A factor of 12 to 17 is due to the counts, the places of
   * loops in memory, processors and other programs. */
  assert_true(largest < 25 * least);
}

/* The work is the same number on any machine and with any kernel. */
static void work_is_a_count(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work;
  SimModel *model = chain(2, 1, "event", 1, 10, &p, &work);
  assert_true(sim_problem_work(&p, 0) == 1 + 0.028 * 4);
  assert_true(sim_problem_work(&p, 2) == 4 * sim_problem_work(&p, 0));
  assert_true(sim_problem_work(NULL, 0) == 0);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(work_takes_time), cmocka_unit_test(work_is_a_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
