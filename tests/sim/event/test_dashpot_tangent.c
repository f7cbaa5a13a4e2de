/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares derivatives of a dash-pot's motion by `event` with central differences, adjoint ones, and closed forms. */
#include "tests/sim/adjoint.h"
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/event/event.h"

enum { CONTROLS = 3, LAWS = 5 };
#ifndef RUNS
#define RUNS 90
#endif

static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY};

static double terms[4]; /* constant, amplitude, frequency and phase of the force */
static double swinging(int i, double t) {
  (void)i;
  return terms[0] + terms[1] * sin(terms[2] * t + terms[3]);
}

/* Makes case k, with any law, selection, support and signal. Every third mass is light. */
static void make(SimProblem *p, int k, double *control) {
  static const SimDashpotLaw laws[LAWS] = {SIM_VISCOUS, SIM_COULOMB, SIM_BINGHAM, SIM_BINGHAM_CUBIC,
                                           SIM_BINGHAM_NONMONOTONE};
  static const SimSignal signals[] = {SIM_CONSTANT, SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR};
  uint64_t seed = (uint64_t)k * 7919 + 5;
  SimDashpotLaw law = laws[k % LAWS];
  dashpot_problem(p, law, 0.5 + 2 * event_uniform(&seed), 20);
  SimDashpot *d = &p->dashpot;
  d->selection = event_uniform(&seed) < 0.5 ? SIM_NEAREST_VELOCITY : SIM_MAX_DISSIPATION;
  d->mass = pow(10, fixture_random(&seed));
  d->stiffness = event_uniform(&seed) < 0.2 ? 0 : pow(10, 1 + fixture_random(&seed));
  d->g = pow(10, fixture_random(&seed));
  double c = law == SIM_BINGHAM_CUBIC && event_uniform(&seed) < 0.2 ? 0 : pow(10, fixture_random(&seed));
  p->friction[0] = law == SIM_VISCOUS ? 0 : law == SIM_BINGHAM_NONMONOTONE ? 1 : c;
  if (event_uniform(&seed) < 0.5) dashpot_support(p, 0.4 * fixture_random(&seed), pow(10, 1.5 + fixture_random(&seed)));
  p->x0[0] = 0.4 * fixture_random(&seed);
  p->v0[0] = k % 4 ? 2 * fixture_random(&seed) : 0;
  terms[0] = 3 * fixture_random(&seed);
  terms[1] = 6 * c * fixture_random(&seed);
  terms[2] = 12 * event_uniform(&seed);
  terms[3] = 6 * event_uniform(&seed);
  if (k % 3 == 2) { /* a light mass: the force w by the law follows the load mu, and reaches the folds of the law
                     * together with it */
    d->mass = pow(10, -3 + fixture_random(&seed));
    d->g = pow(10, -1 + fixture_random(&seed));
    terms[1] = 8 * fixture_random(&seed);
    terms[2] = 3 * event_uniform(&seed);
  }
  p->control_matrix[0] = 0.7;
  p->signal = signals[k / LAWS % 3];
  p->segments = p->signal == SIM_CONSTANT ? 1 : CONTROLS;
  for (int i = 0; i < CONTROLS; i++) control[i] = 6 * fixture_random(&seed);
  fixture_scheme(p, "event");
  sim_problem_set(p, "tolerance", 1e-14);
}

static void see_event(void *context, double t, int dof, int what) {
  uint64_t *hash = context;
  (void)t;
  (void)dof;
  *hash = (*hash ^ (uint64_t)(what + 2)) * UINT64_C(1099511628211);
}

static void see_step(void *context, const SimStep *step) {
  (void)context;
  (void)step;
}

/* Computes x(T), v(T); returns a hash of the events. */
static uint64_t end_of(SimProblem *p, const double *control, double *end) {
  uint64_t seen = 1;
  SimWorkspace *work;
  SimFinal final = {.x = end, .v = end + 1};
  SimModel *model = fixture_model(p, swinging, &work);
  const SimObserver observer = {.context = &seen, .step = see_step, .event = see_event};
  assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return seen;
}

/* Compares all columns of one problem; returns how many could be compared, as both ends had the same stops. */
static int compare(SimProblem *p, const Both *b, double *control, uint64_t events) {
  const double h = 1e-7;
  int compared = 0, controls = b->columns - 2;
  for (int c = 0; c < b->columns; c++) {
    double *number = c < controls ? &control[c] : c == controls ? p->x0 : p->v0, middle = *number, ends[2][2];
    bool same = true;
    for (int side = 0; side < 2; side++) {
      *number = middle + (side ? h : -h);
      same = same && end_of(p, control, ends[side]) == events;
    }
    *number = middle;
    compared += same;
    for (int i = 0; i < 2 && same; i++) {
      double difference = (ends[1][i] - ends[0][i]) / (2 * h);
      assert_true(fabs(difference - b->rows[i * b->columns + c]) < 1e-5 * fmax(1, fabs(difference)));
    }
  }
  return compared;
}

static void derivatives_are_differences(void **state) {
  (void)state;
  int compared = 0, tried = 0, stops = 0;
  for (int k = 0; k < RUNS; k++) {
    SimProblem p;
    Both b;
    double control[CONTROLS], end[2];
    make(&p, k, control);
    adjoint_begin(&p, swinging, control, 3, on, &b);
    adjoint_record(&b, control);
    /* ignores entries that are round-off */
    for (int i = 0; i < 3 * b.columns; i++) b.least = fmax(b.least, fabs(b.rows[i]));
    assert_true(adjoint_worst_error(&b) <= 1e-13);
    uint64_t events = end_of(&p, control, end);
    assert_memory_equal(&end[0], b.final.x, sizeof *end);
    stops += !isnan(b.stop_time[0]);
    compared += compare(&p, &b, control, events);
    tried += b.columns;
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
  print_message("%d of %d columns compared, %d motions end at rest\n", compared, tried, stops);
  assert_true(compared > 0.9 * tried && stops > 0);
}

/* By Bingham's law without a spring, a push from rest gives v = g (F - f_crit) (1 - exp(-t/(m g))), also at
 * intermediate times. */
static void pushed(void **state) {
  (void)state;
  const double push = 3, end = 1.5, g = 0.4;
  const SimDependence by = SIM_ON_CONTROL;
  enum { ALL = 10 };
  SimProblem p;
  SimWorkspace *work;
  SimSensitivity *columns;
  dashpot_problem(&p, SIM_BINGHAM, end, ALL);
  p.dashpot.stiffness = 0;
  p.dashpot.g = g;
  p.control_matrix[0] = 1;
  fixture_scheme(&p, "event");
  SimModel *model = fixture_model(&p, fixture_no_force, &work);
  assert_int_equal(stiction_sensitivity_create(model, 1, &by, &columns), SIM_OK);
  sim_workspace_differentiate(work, columns);
  assert_int_equal(sim_rollout_begin(model, work, &push, NULL), SIM_OK);
  for (long n = 0; n <= ALL; n += ALL / 2) {
    double rows[2], t = end * (double)n / ALL, gone = exp(-t / g);
    assert_int_equal(sim_rollout_run_to(model, work, NULL, n), SIM_OK);
    sim_workspace_derivatives(model, work, rows);
    assert_true(fabs(rows[0] - g * (t - g * (1 - gone))) < 1e-12 && fabs(rows[1] - g * (1 - gone)) < 1e-12);
  }
  stiction_sensitivity_destroy(columns);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* A mass that starts at v0 comes to rest, with dx/dv0 = m v0/(f_crit + v0/g). */
static void comes_to_rest(void **state) {
  (void)state;
  const double v0 = 0.8, g = 0.4, control = 0;
  SimProblem p;
  Both b;
  dashpot_problem(&p, SIM_BINGHAM, 5, 10);
  p.dashpot.stiffness = 0;
  p.dashpot.g = g;
  p.v0[0] = v0;
  fixture_scheme(&p, "event");
  adjoint_begin(&p, fixture_no_force, &control, 1, &on[2], &b);
  double rest = g * log(1 + v0 / g); /* the mass comes to rest by m v' = -1 - v/g */
  assert_true(fabs(b.rows[0] - v0 / (1 + v0 / g)) < 1e-12 && b.rows[1] == 0);
  assert_true(fabs(b.stop_time[0] - rest) < 1e-9 && fabs(b.stop_acceleration[0] + 1) < 1e-9);
  assert_true(fabs(b.rows[2] - exp(-rest / g)) < 1e-12);
  adjoint_record(&b, &control);
  assert_true(adjoint_worst_error(&b) <= 1e-13);
  adjoint_end(&b);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_are_differences), cmocka_unit_test(pushed),
                                     cmocka_unit_test(comes_to_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
