/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests batches of motions of mechanisms: each motion has the same bits as alone in a new workspace, for any size of the
 * batch and whatever the workspace has simulated before; motions that fail have the same status; without memory the
 * motions run one after another. Kernels are the same for mechanisms; test_graph_lanes tests the lanes' vectors. */
#include "tests/sim/mechanism/random.h"

#include "tests/no_memory.h"

enum { N = 21, FEW = 3 };

typedef struct Motions {
  double x[N][D_MAX], v[N][D_MAX];
  SimFinal final[N];
} Motions;

static void clear(Motions *motions) {
  *motions = (Motions){0};
  for (int k = 0; k < N; k++) motions->final[k] = (SimFinal){.x = motions->x[k], .v = motions->v[k]};
}

static void open(SimProblem *p, SimModel **model, SimWorkspace **work) {
  const SimReport report = {.complain = fixture_complain};
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, model), SIM_OK);
  assert_int_equal(stiction_workspace_create(*model, work), SIM_OK);
}

/* Makes N controls near u [SEGMENTS]. */
static void vary_controls(uint64_t seed, const double *u, double *controls) {
  for (int k = 0; k < N * SEGMENTS; k++) controls[k] = u[k % SEGMENTS] * (1 + 0.5 * fixture_random(&seed));
}

static void assert_alike(const Motions *a, const Motions *b, int n, int d) {
  for (int k = 0; k < n; k++) {
    assert_int_equal(a->final[k].status, b->final[k].status);
    assert_int_equal(a->final[k].iterations, b->final[k].iterations);
    assert_int_equal(a->final[k].grazes, b->final[k].grazes);
    assert_int_equal(a->final[k].impacts, b->final[k].impacts);
    assert_int_equal(a->final[k].settled, b->final[k].settled);
    if (a->final[k].status == SIM_NON_FINITE) continue; /* NaN has many bit patterns */
    assert_memory_equal(a->x[k], b->x[k], (size_t)d * sizeof(double));
    assert_memory_equal(a->v[k], b->v[k], (size_t)d * sizeof(double));
  }
}

/* Runs the controls in batches of this size. */
static void run_batches(const SimModel *model, SimWorkspace *work, int size, const double *controls, Motions *motions) {
  clear(motions);
  for (int k = 0; k < N; k += size)
    stiction_batch(model, work, k + size < N ? size : N - k, controls + k * SEGMENTS, &motions->final[k]);
}

/* Compares batches of several sizes with motions alone, each in a new workspace. Returns how many motions fail. */
static int compare(const SimModel *model, SimWorkspace *work, const double *controls) {
  static const int sizes[] = {N, 9, 5, 3, 2, 1};
  Motions alone, together;
  int failed = 0;
  clear(&alone);
  assert_int_equal(sim_batch_lanes(model, work), 1);
  for (int k = 0; k < N; k++) {
    SimWorkspace *fresh;
    assert_int_equal(stiction_workspace_create(model, &fresh), SIM_OK);
    stiction_rollout(model, fresh, controls + k * SEGMENTS, NULL, &alone.final[k]);
    failed += alone.final[k].status != SIM_OK;
    stiction_workspace_destroy(fresh);
  }
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    run_batches(model, work, sizes[s], controls, &together);
    assert_alike(&alone, &together, N, stiction_model_size(model));
  }
  return failed;
}

/* Coordinate 0 has stops, or all coordinates. */
static void add_stops(SimProblem *p, double distance, bool all) {
  p->stops.present = true;
  for (int i = 0; i < p->d; i++) {
    bool has = all || i == 0;
    p->stops.lower[i] = has ? -distance : NAN;
    p->stops.upper[i] = has ? distance : NAN;
    p->stops.stiffness[i] = NAN;
    p->stops.restitution[i] = 0.5;
    if (fabs(p->x0[i]) > distance) p->x0[i] = 0.1;
  }
}

/* Returns how many of the motions of a random mechanism fail. */
static int compare_random(uint64_t seed, double tolerance) {
  RandomMechanism r;
  SimProblem p;
  SimModel *model;
  SimWorkspace *work;
  double u[SEGMENTS], controls[N * SEGMENTS];
  random_mechanism(seed, &r);
  random_problem(&r, 1, tolerance, &p, u);
  vary_controls(seed, u, controls);
  if (seed % 3 == 0) add_stops(&p, 1.2, false);
  if (seed % 3 == 1) add_stops(&p, 0.5, true);
  if (seed % 4 == 0) sim_problem_set(&p, "max_events", 6);
  open(&p, &model, &work);
  int failed = compare(model, work, controls);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return failed;
}

static void random_batches_have_the_bits_of_motions_alone(void **state) {
  enum { MECHANISMS = 30 };
  static const double tolerances[] = {1e-10, 1e-5};
  (void)state;
  for (int t = 0; t < 2; t++) {
    int failed = 0;
    for (uint64_t seed = 1; seed <= MECHANISMS; seed++) failed += compare_random(seed, tolerances[t]);
    assert_in_range(failed, 1, MECHANISMS * N / 2);
  }
}

static bool stops_now(void *context) { return ++*(long *)context > 200; }

/* A stop is seen by all lanes. */
static void a_batch_can_be_stopped(void **state) {
  (void)state;
  RandomMechanism r;
  SimProblem p;
  SimModel *model;
  SimWorkspace *work;
  Motions motions;
  long asked = 0;
  double u[SEGMENTS], controls[N * SEGMENTS];
  random_mechanism(2, &r);
  random_problem(&r, 1, 1e-10, &p, u);
  vary_controls(2, u, controls);
  open(&p, &model, &work);
  stiction_workspace_interrupt(work, &(SimInterrupt){.stops = stops_now, .context = &asked});
  run_batches(model, work, N, controls, &motions);
  int cancelled = 0;
  for (int k = 0; k < N; k++) cancelled += motions.final[k].status == SIM_CANCELLED;
  assert_int_equal(motions.final[N - 1].status, SIM_CANCELLED);
  assert_in_range(cancelled, N / 2, N);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

typedef struct Attempt {
  const SimModel *model;
  const double *controls;
  const Motions *right;
} Attempt;

static void attempt(void *context, long k) {
  const Attempt *of = context;
  SimWorkspace *work;
  Motions motions;
  (void)k;
  if (stiction_workspace_create(of->model, &work) != SIM_OK) return;
  clear(&motions);
  stiction_batch(of->model, work, FEW, of->controls, motions.final);
  assert_alike(of->right, &motions, FEW, stiction_model_size(of->model));
  stiction_workspace_destroy(work);
}

static void without_memory_motions_run_alone(void **state) {
  (void)state;
  RandomMechanism r;
  SimProblem p;
  SimModel *model;
  SimWorkspace *work;
  Motions motions;
  double u[SEGMENTS], controls[N * SEGMENTS];
  random_mechanism(2, &r);
  random_problem(&r, 1, 1e-4, &p, u);
  vary_controls(2, u, controls);
  open(&p, &model, &work);
  run_batches(model, work, N, controls, &motions);
  Attempt of = {model, controls, &motions};
  assert_true(no_memory_each(attempt, &of) > 40);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_batches_have_the_bits_of_motions_alone),
                                     cmocka_unit_test(a_batch_can_be_stopped),
                                     cmocka_unit_test(without_memory_motions_run_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
