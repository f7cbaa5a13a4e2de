/* Derivatives backwards along exact motions, against those that go forward, and central differences. */
#include "tests/sim/chain/chain.h"
#include "tests/sim/event/random.h"

enum { ARM = 2, ARM_SEGMENTS = 512, ARM_VARIABLES = ARM * ARM_SEGMENTS };

/* Derivatives of a problem of d dofs by both ways; arrays of the caller's. */
typedef struct Both {
  int d, columns;
  SimModel *model;
  SimWorkspace *work;
  SimAdjoint *adjoint;
  SimFinal final;
  double *rows; /* [3 d][columns] forward: x(T), v(T), v before stops */
  double *stop_time, *stop_acceleration;
} Both;

static void begin(SimProblem *p, FixtureForce *force, const double *control, int n, const SimDependence *on, Both *b) {
  SimSensitivity *sensitivity;
  b->d = p->d;
  b->model = fixture_model(p, force, &b->work);
  assert_int_equal(sim_sensitivity_create(b->model, n, on, &sensitivity), SIM_OK);
  assert_int_equal(sim_adjoint_create(b->model, n, on, &b->adjoint), SIM_OK);
  b->columns = sim_sensitivity_columns(sensitivity);
  assert_int_equal(sim_adjoint_columns(b->adjoint), b->columns);
  size_t d = (size_t)p->d, size = d * (size_t)b->columns;
  b->rows = calloc(3 * size + 4 * d, sizeof *b->rows);
  b->stop_time = b->rows + 3 * size;
  b->stop_acceleration = b->stop_time + d;
  b->final = (SimFinal){.x = b->stop_acceleration + d, .v = b->stop_acceleration + 2 * d};
  SimDerivative derivative = {.state = b->rows,
                              .stop = b->rows + 2 * size,
                              .stop_time = b->stop_time,
                              .stop_acceleration = b->stop_acceleration};
  assert_int_equal(sim_rollout_sensitivity(b->model, b->work, sensitivity, control, &b->final, &derivative), SIM_OK);
  assert_true(derivative.smooth);
  sim_sensitivity_destroy(sensitivity);
}

static void end(Both *b) {
  free(b->rows);
  sim_adjoint_destroy(b->adjoint);
  sim_workspace_destroy(b->work);
  sim_model_destroy(b->model);
}

/* The same motion on record: the same bits, the same stops. */
static void record(const Both *b, const double *control) {
  size_t d = (size_t)b->d, size = d * sizeof(double);
  double *x = calloc(4 * d, sizeof *x), *stop_time = x + 2 * d;
  SimFinal final = {.x = x, .v = x + d};
  bool smooth;
  assert_int_equal(sim_rollout_record(b->model, b->work, b->adjoint, control, &final), SIM_OK);
  assert_memory_equal(final.x, b->final.x, size);
  assert_memory_equal(final.v, b->final.v, size);
  sim_adjoint_stops(b->adjoint, stop_time, stop_time + d, &smooth);
  assert_true(smooth);
  for (size_t i = 0; i < d; i++) {
    assert_true(isnan(b->stop_time[i]) ? isnan(stop_time[i]) : stop_time[i] == b->stop_time[i]);
    assert_true(stop_time[d + i] == b->stop_acceleration[i]);
  }
  free(x);
}

/* The part of its largest entry by which a gradient misses the weighed sum of the forward rows. */
static double sweep_error(const Both *b, const double *weights) {
  double *gradient = calloc((size_t)b->columns, sizeof *gradient), error = 0, size = 0;
  assert_int_equal(sim_adjoint_sweep(b->adjoint, weights, gradient), SIM_OK);
  for (int k = 0; k < b->columns; k++) {
    double sum = 0;
    for (int i = 0; i < 3 * b->d; i++) sum += weights[i] * b->rows[i * b->columns + k];
    error = fixture_max(error, fabs(gradient[k] - sum));
    size = fmax(size, fabs(sum));
  }
  free(gradient);
  return error > 0 ? error / size : 0;
}

/* Each row alone. */
static double worst_error(const Both *b) {
  double *weights = calloc((size_t)(3 * b->d), sizeof *weights), worst = 0;
  for (int i = 0; i < 3 * b->d; i++) {
    weights[i] = 1;
    worst = fixture_max(worst, sweep_error(b, weights));
    weights[i] = 0;
  }
  free(weights);
  return worst;
}

/* Every law, signal and mass; with all that a motion depends on. */
static void backward_is_forward(void **state) {
  uint64_t seed = 5;
  int stops = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    SimDependence on[SIM_ON_BETA + 1];
    Both b;
    double control[VARIABLES], weights[3 * D];
    FixtureForce *force = random_problem(&seed, k, &p, control);
    begin(&p, force, control, random_dependences(k, on), on, &b);
    record(&b, control);
    assert_true(worst_error(&b) <= 1e-12);
    for (int i = 0; i < 3 * D; i++) weights[i] = fixture_random(&seed);
    assert_true(sweep_error(&b, weights) <= 1e-12);
    for (int i = 0; i < D; i++) stops += !isnan(b.stop_time[i]);
    end(&b);
    sim_problem_clear(&p);
  }
  assert_true(stops > PROBLEMS / 2);
}

/* An adjoint keeps the last rollout, whatever was on record before. */
static void records_replace_each_other(void **state) {
  uint64_t seed = 7;
  const SimDependence on = SIM_ON_CONTROL;
  SimProblem p;
  Both b;
  double control[VARIABLES], other[VARIABLES], weights[3 * D], x[D], v[D];
  SimFinal final = {.x = x, .v = v};
  (void)state;
  FixtureForce *force = random_problem(&seed, 1, &p, control);
  for (int i = 0; i < VARIABLES; i++) other[i] = -control[i];
  for (int i = 0; i < 3 * D; i++) weights[i] = 1 + i;
  begin(&p, force, control, 1, &on, &b);
  assert_int_equal(sim_rollout_record(b.model, b.work, b.adjoint, other, &final), SIM_OK);
  assert_true(sweep_error(&b, weights) > 0.01);
  record(&b, control);
  assert_true(sweep_error(&b, weights) <= 1e-12);
  end(&b);
  sim_problem_clear(&p);
}

/* Two joints of an arm by 2 x 512 variables, each of which counts in its own segment alone. */
static void fine_signals(void **state) {
  static const double mass[ARM * ARM] = {3, 1, 1, 2};
  static const SimSignal signals[] = {SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR};
  const SimDependence on = SIM_ON_CONTROL;
  (void)state;
  for (int q = 0; q < 2; q++) {
    SimProblem p;
    Both b;
    double control[ARM_VARIABLES];
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, ARM, ARM), SIM_OK);
    fixture_scheme(&p, "event");
    fixture_time(&p, 2, ARM_SEGMENTS);
    p.signal = signals[q];
    p.segments = ARM_SEGMENTS;
    memcpy(p.system.mass, mass, sizeof mass);
    for (int i = 0; i < ARM; i++) {
      p.friction[i] = 4 - i;
      p.control_matrix[i * (ARM + 1)] = 1;
    }
    for (int i = 0; i < ARM_VARIABLES; i++) {
      double t = 2.0 * (double)(i / ARM) / ARM_SEGMENTS;
      control[i] = 9 * sin((5 - i % ARM) * t + 0.5);
    }
    begin(&p, fixture_no_force, control, 1, &on, &b);
    record(&b, control);
    assert_true(worst_error(&b) <= 1e-12);
    end(&b);
    sim_problem_clear(&p);
  }
}

static double pushing(int i, double t) { return 2 * sin(1.3 * t + i) + 1.5 - i; }

/* The number of a chain that a column is the derivative with regard to. */
static double *number_of(SimProblem *p, double *control, SimDependence on, int entry) {
  return on == SIM_ON_CONTROL    ? &control[entry]
         : on == SIM_ON_POSITION ? &p->x0[entry]
         : on == SIM_ON_VELOCITY ? &p->v0[entry]
                                 : &p->friction[entry];
}

/* weights'(x, v)(T) of a chain. */
static double weighed_end(SimProblem *p, const double *control, const double *weights) {
  SimWorkspace *work;
  double end_state[2 * D], sum = 0;
  SimFinal final = {.x = end_state, .v = end_state + D};
  SimModel *model = fixture_model(p, pushing, &work);
  assert_int_equal(sim_rollout(model, work, control, NULL, &final), SIM_OK);
  for (int i = 0; i < 2 * D; i++) sum += weights[i] * end_state[i];
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  return sum;
}

/* A chain whose nodes have masses, by both ways and by central differences. */
static void chains(void **state) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_FRICTION};
  enum { KINDS = sizeof on / sizeof *on };
  const double h = 1e-6, weights[3 * D] = {1, -2, 0.5, 0.7, 1, -1};
  double control[D] = {0.5, -0.3, 0.2}, gradient[KINDS * D];
  SimProblem p;
  Both b;
  (void)state;
  chain_init(&p, D, SIM_CHAIN_DYNAMICAL, SIM_END_CLAMPED, "event");
  fixture_time(&p, 4, 10);
  for (int i = 0; i < D; i++) p.v0[i] = 1 - 0.4 * i;
  begin(&p, pushing, control, KINDS, on, &b);
  record(&b, control);
  assert_true(b.final.iterations > 2 && worst_error(&b) <= 1e-12);
  assert_int_equal(sim_adjoint_sweep(b.adjoint, weights, gradient), SIM_OK);
  for (int k = 0; k < KINDS * D; k++) {
    double *number = number_of(&p, control, on[k / D], k % D), middle = *number, ends[2];
    for (int side = 0; side < 2; side++) {
      *number = middle + (side ? h : -h);
      ends[side] = weighed_end(&p, control, weights);
    }
    *number = middle;
    assert_true(fabs(gradient[k] - (ends[1] - ends[0]) / (2 * h)) <= 1e-7 * fmax(1, fabs(gradient[k])));
  }
  end(&b);
  sim_problem_clear(&p);
}

/* One with nodes without mass says that it has none. */
static void massless_have_none(void **state) {
  static const SimChainCase cases[] = {SIM_CHAIN_SEMI_DYNAMICAL, SIM_CHAIN_QUASISTATIC};
  const SimDependence on = SIM_ON_CONTROL;
  (void)state;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimAdjoint *adjoint;
    SimSensitivity *sensitivity;
    chain_init(&p, D, cases[k], SIM_END_CLAMPED, "event");
    fixture_time(&p, 4, 10);
    SimModel *model = fixture_model(&p, fixture_no_force, &work);
    assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_BAD_PROBLEM);
    assert_int_equal(sim_sensitivity_create(model, 1, &on, &sensitivity), SIM_BAD_PROBLEM);
    sim_workspace_destroy(work);
    sim_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* What has no record, or no derivatives, has no gradient. */
static void failures_are_told(void **state) {
  const SimDependence on = SIM_ON_CONTROL;
  const double weights[3 * D] = {1};
  double control[3] = {0}, gradient[3], x[3], v[3];
  SimFinal final = {.x = x, .v = v};
  SimProblem p;
  SimWorkspace *work;
  SimAdjoint *adjoint;
  (void)state;
  fixture_paper(&p, 1, "event", SIM_UNREGULARIZED, 1);
  sim_problem_set(&p, "max_events", 2);
  SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
  assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_OK);
  assert_int_equal(sim_adjoint_sweep(adjoint, weights, gradient), SIM_BAD_PROBLEM);
  assert_int_equal(sim_rollout_record(model, work, adjoint, control, &final), SIM_EVENTS_ACCUMULATE);
  assert_int_equal(sim_adjoint_sweep(adjoint, weights, gradient), SIM_EVENTS_ACCUMULATE);
  for (int i = 0; i < 3; i++) assert_true(isnan(gradient[i]));
  sim_adjoint_destroy(adjoint);
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(backward_is_forward), cmocka_unit_test(records_replace_each_other),
      cmocka_unit_test(fine_signals),        cmocka_unit_test(chains),
      cmocka_unit_test(massless_have_none),  cmocka_unit_test(failures_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
