/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the time steps of chains with masses, and of quasistatic ones by `increment`. Forward and adjoint derivatives
 * and central differences agree, for every signal and storage. Batches, also of different models, have the bits of
 * single rollouts. */
#include "tests/sim/adjoint.h"
#include "tests/sim/chain/chain.h"

enum { NODES = 11, CONTROLS = 5 * SEGMENTS, RUNS = 19 };

static const char *const schemes[] = {"implicit_euler", "symplectic", "increment"};
static const int sizes[] = {1, 3, NODES}; /* the largest has sparse matrices */
static const SimSignal signals[] = {SIM_CONSTANT, SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR};

static double pushing(int i, double t) { return (4 * sin(1.3 * t + i) + 3 - 1.4 * (i % 4)) * exp(-t); }
/* Begins at 0, where nodes without mass can rest. */
static double swaying(int i, double t) { return 4 * sin(1.3 * t) + (2 - 1.4 * (i % 4)) * sin(2.1 * t); }

static FixtureForce *force_of(const SimProblem *p) {
  return p->chain.chain_case == SIM_CHAIN_QUASISTATIC ? swaying : pushing;
}

/* Makes case k of all schemes, sizes, signals and ends. Controls may be too large for nodes without mass to rest at the
 * start. control: [CONTROLS] set. */
static void chain_case(int k, SimProblem *p, double *control) {
  uint64_t seed = (uint64_t)k + 1;
  int n = sizes[k / 3 % 3];
  bool massive = k % 3 < 2;
  chain_init(p, n, massive ? SIM_CHAIN_DYNAMICAL : SIM_CHAIN_QUASISTATIC, (SimChainEnd)(k / 27), schemes[k % 3]);
  /* later motion of nodes without mass forgets the start */
  bool short_time = !massive && p->chain.end == SIM_END_CLAMPED;
  fixture_time(p, short_time ? 0.1 : 5, short_time ? 10 : 500);
  p->signal = signals[k / 9 % 3];
  p->segments = p->signal == SIM_CONSTANT ? 1 : SEGMENTS;
  for (int i = 0; i <= n; i++) p->chain.springs[i] = 2 + fixture_random(&seed);
  for (int i = 0; i < n; i++) {
    double mass = 1.5 + 0.5 * fixture_random(&seed);
    p->friction[i] = 0.6 + 0.3 * fixture_random(&seed);
    double x0 = fixture_random(&seed);
    if (!massive) continue;
    p->chain.node_mass[i] = mass;
    p->x0[i] = x0;
    p->v0[i] = 1 - 0.4 * i;
  }
  for (int i = 0; i < CONTROLS; i++) control[i] = (massive ? 0.5 : 2) * fixture_random(&seed);
}
enum { CASES = 81 };

/* Returns weights'(x(T), v(T)), the weighted sum of the final positions and velocities. */
static double weighed_end(SimProblem *p, const double *control, const double *weights) {
  SimWorkspace *work;
  double end_state[2 * NODES], sum = 0;
  SimFinal final = {.x = end_state, .v = end_state + p->d};
  SimModel *model = fixture_model(p, force_of(p), &work);
  assert_int_equal(stiction_rollout(model, work, control, NULL, &final), SIM_OK);
  for (int i = 0; i < 2 * p->d; i++) sum += weights[i] * end_state[i];
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return sum;
}

/* Returns the largest difference of the gradient from central differences, relative to the gradient. */
static double difference_error(SimProblem *p, double *control, const Both *b, const SimDependence *on,
                               const int *columns) {
  bool massless = p->chain.chain_case == SIM_CHAIN_QUASISTATIC;
  double weights[3 * NODES] = {0}, *gradient = calloc((size_t)b->columns, sizeof *gradient), worst = 0;
  /* the velocity of a node without mass has the rounding error of a position, divided by the step */
  const double h = massless ? 1e-5 : 1e-6, fast = massless ? p->step : 1;
  for (int i = 0; i < 2 * p->d; i++) weights[i] = (1 - 0.3 * i) * (i < p->d ? 1 : fast);
  assert_int_equal(sim_adjoint_sweep(b->adjoint, 1, weights, gradient), SIM_OK);
  for (int k = 0, first = 0; k < 4; first += columns[k++])
    for (int i = 0; i < columns[k]; i++) {
      double *number = tangent_number(p, control, on[k], i), middle = *number, ends[2];
      for (int side = 0; side < 2; side++) {
        *number = middle + (side ? h : -h);
        ends[side] = weighed_end(p, control, weights);
      }
      *number = middle;
      double error = fabs(gradient[first + i] - (ends[1] - ends[0]) / (2 * h));
      worst = fixture_max(worst, error / fmax(1, fabs(gradient[first + i])));
    }
  free(gradient);
  return worst;
}

static void forward_backward_and_differences(void **state) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_FRICTION};
  int stops = 0;
  (void)state;
  for (int k = 0; k < CASES; k++) {
    SimProblem p;
    Both b;
    double control[CONTROLS];
    chain_case(k, &p, control);
    const int columns[] = {p.n_control * p.segments, p.d, p.d, p.d};
    adjoint_begin(&p, force_of(&p), control, 4, on, &b);
    /* the derivatives of the velocity of a slipping node without mass are differences of those of its positions */
    if (p.chain.chain_case == SIM_CHAIN_QUASISTATIC) b.least = 1 / p.step;
    adjoint_record(&b, control);
    if (!(adjoint_worst_error(&b) <= 1e-12)) fail_msg("case %d: %g", k, adjoint_worst_error(&b));
    double error = difference_error(&p, control, &b, on, columns);
    if (!(error <= 1e-6)) fail_msg("case %d: %g by differences", k, error);
    for (int i = 0; i < p.d; i++) stops += !isnan(b.stop_time[i]);
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
  if (!(stops > CASES / 6)) fail_msg("%d stops", stops);
}

/* Chains with massless nodes have no derivatives by schemes with a step of their own. */
static void massless_have_none(void **state) {
  const SimDependence on = SIM_ON_CONTROL;
  (void)state;
  for (SimChainCase which = SIM_CHAIN_SEMI_DYNAMICAL; which <= SIM_CHAIN_QUASISTATIC; which++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    chain_init(&p, 3, which, SIM_END_CLAMPED, "implicit_euler");
    fixture_time(&p, 1, 10);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    SimModel *model = fixture_model(&p, fixture_no_force, &work);
    assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_BAD_PROBLEM);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

typedef struct Ends {
  double x[RUNS][NODES], v[RUNS][NODES];
  SimFinal final[RUNS];
} Ends;

static void ends_init(Ends *e) {
  memset(e, 0, sizeof *e);
  for (int i = 0; i < RUNS; i++) e->final[i] = (SimFinal){.x = e->x[i], .v = e->v[i]};
}

static void assert_same(const Ends *a, const Ends *b, int n) {
  for (int i = 0; i < n; i++) {
    assert_int_equal(a->final[i].status, SIM_OK);
    assert_int_equal(b->final[i].status, SIM_OK);
    assert_int_equal(a->final[i].iterations, b->final[i].iterations);
  }
  assert_memory_equal(a->x, b->x, sizeof a->x);
  assert_memory_equal(a->v, b->v, sizeof a->v);
}

static void batches_are_rollouts(void **state) {
  static Ends alone, batch;
  (void)state;
  for (int k = 0; k < CASES; k++) {
    SimProblem p;
    SimWorkspace *work;
    double control[RUNS * CONTROLS];
    uint64_t seed = 3;
    chain_case(k, &p, control);
    SimModel *model = fixture_model(&p, force_of(&p), &work);
    int n = stiction_model_controls(model);
    bool in_lanes = p.d < NODES && p.chain.chain_case == SIM_CHAIN_DYNAMICAL;
    for (int i = 0; i < RUNS * n; i++) control[i] = 3 * fixture_random(&seed);
    ends_init(&alone);
    for (int i = 0; i < RUNS; i++) stiction_rollout(model, work, control + i * n, NULL, &alone.final[i]);
    for (int kernel = 1; sim_kernel_name(kernel); kernel++) {
      if (!sim_kernel_runs(kernel)) continue;
      sim_workspace_set_kernel(work, kernel);
      assert_string_equal(sim_batch_kernel(model, work), sim_kernel_name(in_lanes ? kernel : 0));
      ends_init(&batch);
      stiction_batch(model, work, RUNS, control, batch.final);
      assert_same(&alone, &batch, RUNS);
    }
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Chains of the same structure with different numbers, each in its own vector lane. */
static void models_are_rollouts(void **state) {
  static Ends alone, batch;
  (void)state;
  for (int s = 0; s < 2; s++) {
    SimModel *models[RUNS];
    SimWorkspace *works[RUNS];
    SimRun runs[RUNS];
    double control[RUNS][CONTROLS];
    ends_init(&alone);
    ends_init(&batch);
    for (int i = 0; i < RUNS; i++) {
      SimProblem p;
      chain_case(s + 3, &p, control[i]);
      p.chain.node_mass[1] += 0.05 * i;
      p.chain.springs[i % 4] += 0.1;
      p.friction[2] += 0.01 * i;
      models[i] = fixture_model(&p, pushing, &works[i]);
      runs[i] = (SimRun){.model = models[i], .work = works[i], .control = control[i]};
      stiction_rollout(models[i], works[i], control[i], NULL, &alone.final[i]);
      sim_problem_clear(&p);
    }
    sim_batch_models(RUNS, runs, batch.final);
    assert_same(&alone, &batch, RUNS);
    for (int i = 0; i < RUNS; i++) {
      stiction_workspace_destroy(works[i]);
      stiction_model_destroy(models[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forward_backward_and_differences),
                                     cmocka_unit_test(massless_have_none), cmocka_unit_test(batches_are_rollouts),
                                     cmocka_unit_test(models_are_rollouts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
