/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a rollout that is interrupted, or exceeds its limit of work, ends at once, alone and in a batch by every
 * kernel. The next rollout in its workspace has the bits of one in a new workspace. Schemes are those in problem files
 * and all others by name. */
#include "tests/fixture.h"

#include "src/file/sections/file.h"

#include <limits.h>

enum { POINTS = 9, VARIABLES = 256 };

/* Lets a number of polls pass before it requests a stop. */
typedef struct Patience {
  long left, asked;
} Patience;

static bool stops(void *context) {
  Patience *patience = context;
  patience->asked++;
  return patience->left-- <= 0;
}

static double each; /* work of a segment or step of the model */

typedef struct Ends {
  double *states; /* [POINTS][2 d] */
  SimFinal final[POINTS];
} Ends;

static Ends ends_of(int d) {
  Ends ends = {.states = calloc((size_t)(POINTS * 2 * d), sizeof(double))};
  assert_non_null(ends.states);
  for (int i = 0; i < POINTS; i++)
    ends.final[i] = (SimFinal){.x = ends.states + 2 * i * d, .v = ends.states + (2 * i + 1) * d};
  return ends;
}

static const double *controls_of(int p) {
  static double u[POINTS * VARIABLES];
  for (int k = 0; k < POINTS * p; k++) u[k] = 0.3 * (k % 11) - 1;
  return u;
}

/* Runs all points. most: limit of segments, or of steps and iterations; 0: no limit. */
static void run(const SimModel *model, SimWorkspace *work, int kernel, long left, long most, Ends *ends,
                Patience *patience) {
  *patience = (Patience){.left = left};
  const SimInterrupt interrupt = {.context = patience, .stops = left < 0 ? NULL : stops, .most = (double)most * each};
  sim_workspace_set_kernel(work, kernel);
  stiction_workspace_interrupt(work, &interrupt);
  stiction_batch(model, work, POINTS, controls_of(stiction_model_controls(model)), ends->final);
  stiction_workspace_interrupt(work, NULL);
}

static int count(const Ends *ends, SimStatus status) {
  int n = 0;
  for (int i = 0; i < POINTS; i++) n += ends->final[i].status == status;
  return n;
}

/* Finds the smallest limit with which the longest motion ends. The limit is exact, and the same for every kernel. */
static long find_most(const SimModel *model, SimWorkspace *work, Ends *ends) {
  Patience patience;
  long low = 0, high = 1L << 20; /* the first limit is too small */
  while (high - low > 1) {
    long most = low + (high - low) / 2;
    run(model, work, 0, -1, most, ends, &patience);
    *(count(ends, SIM_TOO_LONG) ? &low : &high) = most;
  }
  return high;
}

/* Interrupts rollouts by one kernel at once, midway and never. Then runs them with a limit that is one step or segment
 * too small, and with the exact limit. */
static void try_kernel(const SimModel *model, SimWorkspace *work, int kernel, long most, const Ends *whole) {
  size_t bytes = (size_t)(POINTS * 2 * stiction_model_size(model)) * sizeof(double);
  Ends ends = ends_of(stiction_model_size(model));
  Patience patience;
  run(model, work, kernel, 0, 0, &ends, &patience);
  assert_int_equal(count(&ends, SIM_CANCELLED), POINTS);
  run(model, work, kernel, LONG_MAX, 0, &ends, &patience);
  assert_memory_equal(ends.states, whole->states, bytes);
  long asked = patience.asked;
  for (long left = 1; left < asked; left = 40 * left + 1) {
    run(model, work, kernel, left, 0, &ends, &patience);
    assert_true(count(&ends, SIM_CANCELLED) > 0);
    for (int i = 0; i < POINTS; i++)
      if (ends.final[i].status != SIM_CANCELLED)
        assert_memory_equal(ends.final[i].x, whole->final[i].x, (size_t)stiction_model_size(model) * sizeof(double));
  }
  run(model, work, kernel, -1, most, &ends, &patience);
  assert_memory_equal(ends.states, whole->states, bytes);
  run(model, work, kernel, -1, most - 1, &ends, &patience);
  assert_true(count(&ends, SIM_TOO_LONG) > 0);
  int by_kernel = count(&ends, SIM_TOO_LONG);
  run(model, work, 0, -1, most - 1, &ends, &patience);
  assert_int_equal(count(&ends, SIM_TOO_LONG), by_kernel);
  free(ends.states);
}

static void interrupt(const char *path, char **settings, int n) {
  Problem problem;
  SimModel *model;
  SimWorkspace *work;
  Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
  assert_int_equal(problem_file_read(path, settings, n, false, &diagnostics, &problem), 0);
  SimProblem *p = &problem.sim;
  assert_int_equal(stiction_model_create(p, &(SimReport){NULL, fixture_complain}, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  Ends whole = ends_of(stiction_model_size(model));
  each = sim_problem_work(p, 0);
  Patience unused;
  run(model, work, 0, -1, 0, &whole, &unused);
  if (count(&whole, SIM_OK) == POINTS) {
    Ends ends = ends_of(stiction_model_size(model));
    long most = find_most(model, work, &ends);
    for (int k = 0; sim_kernel_name(k); k++)
      if (sim_kernel_runs(k)) try_kernel(model, work, k, most, &whole);
    free(ends.states);
  }
  free(whole.states);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  problem_clear(&problem);
}

static void every_scheme_can_be_interrupted(void **state) {
  (void)state;
  static const char *const files[] = {
      "tp1", "tp2-springs", "stops", "chain-dynamical", "chain-semi-dynamical", "gotika-6-free", "dashpot-control"};
  static const char *const schemes[] = {"centered", "moreau", "lie", "strang", "event"};
  static const char *const solvers[] = {"exact", "fixed_point"};
  char path[512], word[64];
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", files[k]);
    interrupt(path, NULL, 0);
  }
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
    for (int solver = 0; solver < (k < 4 ? 2 : 1); solver++) {
      if (k < 4)
        snprintf(word, sizeof word, "scheme={name: %s, solver: %s}", schemes[k], solvers[solver]);
      else
        snprintf(word, sizeof word, "scheme={name: %s}", schemes[k]);
      char *settings[] = {word};
      interrupt(STICTION_ROOT "/jobs/problems/tp2.yaml", settings, 1);
    }
}

/* A motion in parts is interrupted, saved, and continues from the last observed state, bit for bit. */
static void what_was_shown_last_can_be_saved(void **state) {
  (void)state;
  static const char *const files[] = {"tp1", "thrown", "belt", "burridge-knopoff"};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[512];
    Problem problem;
    SimModel *model;
    SimWorkspace *work;
    snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", files[k]);
    assert_int_equal(
        problem_file_read(path, NULL, 0, false, &(Diagnostics){.report = diagnostic_print, .to = stderr}, &problem), 0);
    assert_int_equal(stiction_model_create(&problem.sim, NULL, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    size_t d = (size_t)problem.sim.d, size = sim_workspace_saved_size(model);
    double *states = calloc(4 * d, sizeof *states);
    char *bytes = malloc(size);
    assert_true(states && bytes);
    SimFinal whole = {.x = states, .v = states + d}, broken = {.x = states + 2 * d, .v = states + 3 * d};
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &whole), SIM_OK);
    Patience patience = {.left = 2};
    stiction_workspace_interrupt(work, &(SimInterrupt){.context = &patience, .stops = stops});
    sim_rollout_begin(model, work, NULL, NULL);
    assert_int_equal(sim_rollout_run_to(model, work, NULL, problem.sim.steps), SIM_CANCELLED);
    stiction_workspace_interrupt(work, NULL);
    sim_workspace_save(model, work, bytes);
    assert_int_equal(sim_workspace_load(model, work, bytes, size), SIM_OK);
    assert_int_equal(sim_rollout_run_to(model, work, NULL, problem.sim.steps), SIM_OK);
    sim_rollout_end(model, work, &broken);
    assert_memory_equal(states, states + 2 * d, 2 * d * sizeof *states);
    free(states);
    free(bytes);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    problem_clear(&problem);
  }
}

/* Interrupts an adjoint sweep. */
static void the_way_back_can_be_interrupted(void **state) {
  (void)state;
  static const char *const schemes[] = {"scheme={name: centered}", "scheme={name: moreau}", "scheme={name: event}"};
  const SimDependence on = SIM_ON_CONTROL;
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    char word[64];
    Problem problem;
    SimModel *model;
    SimWorkspace *work;
    SimAdjoint *adjoint;
    double x[8], v[8], weights[3 * 8] = {1}, gradient[VARIABLES];
    SimFinal final = {.x = x, .v = v};
    snprintf(word, sizeof word, "%s", schemes[k]);
    Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
    assert_int_equal(
        problem_file_read(STICTION_ROOT "/jobs/problems/tp2.yaml", (char *[]){word}, 1, false, &diagnostics, &problem),
        0);
    assert_int_equal(stiction_model_create(&problem.sim, NULL, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_OK);
    Patience patience = {.left = 100000};
    stiction_workspace_interrupt(work, &(SimInterrupt){.context = &patience, .stops = stops});
    assert_int_equal(sim_rollout_record(model, work, adjoint, controls_of(3), &final), SIM_OK);
    assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, gradient), SIM_OK);
    patience.left = 2;
    assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, gradient), SIM_CANCELLED);
    sim_adjoint_destroy(adjoint);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    problem_clear(&problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_scheme_can_be_interrupted),
                                     cmocka_unit_test(the_way_back_can_be_interrupted),
                                     cmocka_unit_test(what_was_shown_last_can_be_saved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
