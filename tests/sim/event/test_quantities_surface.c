/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests quantities of motions on moving surfaces: their values against the rows of a fine grid, which have x and x'
 * themselves, and their derivatives against central differences. */
#include "sim/quantity.h"
#include "tests/sim/tangent.h"

enum { PROBLEMS = 12, GRID = 4000, ASKED = 7, MOST_VALUES = 48, COLUMN_COUNT = VARIABLES + 2 * D };

/* Velocity w(t) of the surfaces, which are not at rest at t = 0. */
static double shaking(int i, double t) { return 0.6 * sin(2.5 * t) + 0.3 * (i + 1) * cos(1.3 * t); }
static double running(int i, double t) {
  (void)t;
  return 0.4 - 0.3 * i;
}

static void make(int k, SimProblem *p, double *control) {
  uint64_t seed = (uint64_t)k + 5;
  double where;
  tangent_problem(&seed, k, "event", GRID, p, control);
  sim_problem_set(p, "tolerance", 1e-13);
  FixtureSource source = {k % 3 ? shaking : running, D};
  const SimLoad load = {.context = &source, .constant = k % 3 == 0, .at = fixture_force_at};
  assert_int_equal(stiction_problem_set_surface(p, D, &load, 0, NULL, &where), SIM_OK);
}

/* The quantities of a problem, and their sums y on the rows of the grid. */
typedef struct Asked {
  double line[4][D];
  SimQuantity of[ASKED];
  int n;
  const double *control;
  const SimProblem *problem;
  double x0[D], v0[D];        /* x(0), v(0) */
  double values[MOST_VALUES]; /* by the grid */
  double last[ASKED], before; /* before: time of the last row */
  int first[ASKED];
} Asked;

static void ask(int k, const SimProblem *p, Asked *a) {
  uint64_t seed = (uint64_t)k + 99;
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < D; i++) a->line[j][i] = fixture_random(&seed);
  const SimQuantity of[ASKED] = {
      {.way = SIM_AT_END, .x = a->line[0], .v = a->line[1], .from_x = a->line[2], .from_v = a->line[3]},
      {.way = SIM_AT_TIME, .x = a->line[0], .v = a->line[2], .time = 2.5},
      {.way = SIM_LARGEST, .x = a->line[2]},
      {.way = SIM_LARGEST, .x = a->line[1], .v = a->line[0], .from_v = a->line[1]},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = a->line[0], .v = a->line[3], .weight = 1},
      {.way = SIM_LARGEST, .v = a->line[2], .control = 1},
      {.way = SIM_INTEGRAL, .v = a->line[1], .control = 2}};
  memcpy(a->of, of, sizeof of);
  a->n = p->signal == SIM_PIECEWISE_LINEAR ? 5 : ASKED;
  for (int q = 0, at = 0; q < a->n; q++) {
    a->first[q] = at;
    at += sim_way_is_of_segments(a->of[q].way) ? p->segments : 1;
  }
  for (int i = 0; i < MOST_VALUES; i++) a->values[i] = 0;
  for (int q = 0; q < a->n; q++)
    for (int s = 0; s < p->segments && a->of[q].way == SIM_LARGEST; s++) a->values[a->first[q] + s] = -INFINITY;
}

static double weigh(const double *weights, const double *x) {
  double sum = 0;
  for (int i = 0; i < D && weights; i++) sum += weights[i] * x[i];
  return sum;
}

static int segment_of(const SimProblem *p, double t) {
  double k = floor(t / p->end * p->segments);
  return (int)fmin(p->segments - 1, fmax(0, k));
}

static double factor_of(const Asked *a, const SimQuantity *of, int segment) {
  return of->control ? a->control[segment * D + of->control - 1] : 1;
}

/* Adds a row of the grid to the values: largest values of rows, integrals by trapezoids. */
static void see(void *context, const SimStep *step) {
  Asked *a = context;
  const SimProblem *p = a->problem;
  if (step->n == 0) {
    memcpy(a->x0, step->x, sizeof a->x0);
    memcpy(a->v0, p->v0, sizeof a->v0);
  }
  for (int q = 0; q < a->n; q++) {
    const SimQuantity *of = &a->of[q];
    double *value = &a->values[a->first[q]],
           sum = weigh(of->x, step->x) + weigh(of->v, step->v) - weigh(of->from_x, a->x0) - weigh(of->from_v, a->v0);
    int before = segment_of(p, step->t - 1e-9), behind = segment_of(p, step->t + 1e-9);
    double now = factor_of(a, of, before) * sum, next = factor_of(a, of, behind) * sum;
    if (of->way == SIM_AT_END || (of->way == SIM_AT_TIME && fabs(step->t - of->time) < 1e-9)) *value = now;
    if (of->way == SIM_LARGEST) {
      value[before] = fmax(value[before], now);
      value[behind] = fmax(value[behind], next);
    }
    bool square = of->shape == SIM_SHAPE_SQUARE;
    double part = square ? next * next : next;
    if (of->way == SIM_INTEGRAL && step->n > 0)
      *value += (step->t - a->before) / 2 * ((square ? now * now : now) + a->last[q]);
    a->last[q] = part;
  }
  a->before = step->t;
}

static void values_are_those_of_the_rows(void **state) {
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    SimWorkspace *work;
    Asked a;
    double control[VARIABLES], x[D], v[D], values[MOST_VALUES];
    SimFinal final = {.x = x, .v = v};
    SimReading reading = {.values = values};
    make(k, &p, control);
    ask(k, &p, &a);
    a.problem = &p;
    a.control = control;
    SimModel *model = fixture_model(&p, tangent_swinging, &work);
    const SimObserver observer = {.context = &a, .step = see};
    assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
    int m = sim_quantity_values(model, a.n, a.of);
    assert_int_equal(sim_rollout_quantities(model, work, NULL, control, a.n, a.of, &final, NULL, &reading), SIM_OK);
    for (int i = 0; i < m; i++) {
      double tolerance = i < 2 ? 1e-12 : 2e-3; /* those at T and at a time are of rows themselves */
      if (!(fabs(values[i] - a.values[i]) <= tolerance * fmax(1, fabs(values[i]))))
        fail_msg("problem %d, value %d: %.15g (expected %.15g)", k, i, values[i], a.values[i]);
    }
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

static void read_moved(const SimProblem *middle, SimDependence on, int entry, double h, const double *control,
                       const Asked *a, double *values, double *times) {
  SimProblem p;
  SimWorkspace *work;
  double moved[VARIABLES], x[D], v[D];
  SimFinal final = {.x = x, .v = v};
  SimReading reading = {.values = values, .times = times};
  memcpy(moved, control, sizeof moved);
  assert_int_equal(sim_problem_copy(middle, &p), SIM_OK);
  *tangent_number(&p, moved, on, entry) += h;
  SimModel *model = fixture_model(&p, tangent_swinging, &work);
  assert_int_equal(sim_rollout_quantities(model, work, NULL, moved, a->n, a->of, &final, NULL, &reading), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* Compares a column of rows with differences, except where the place of a largest value jumps. Returns how many
 * jump. */
static int compare(const SimProblem *p, SimDependence on, int entry, const double *control, const Asked *a, int m,
                   const double *times, const double *column, int columns) {
  const double h = 1e-5;
  double low[MOST_VALUES], high[MOST_VALUES], at[2][MOST_VALUES], size = 1;
  int jumps = 0;
  read_moved(p, on, entry, -h, control, a, low, at[0]);
  read_moved(p, on, entry, h, control, a, high, at[1]);
  for (int i = 0; i < m; i++) {
    double difference = (high[i] - low[i]) / (2 * h);
    bool jumped = fabs(at[0][i] - times[i]) > 1e-3 || fabs(at[1][i] - times[i]) > 1e-3;
    jumps += jumped;
    if (jumped) continue;
    size = fmax(size, fabs(difference));
    if (!(fabs(difference - column[i * columns]) <= 1e-7 * size))
      fail_msg("%d, %d, value %d: %.10g (expected %.10g)", (int)on, entry, i, column[i * columns], difference);
  }
  return jumps;
}

static void rows_are_differences(void **state) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY};
  int jumps = 0, compared = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    Asked a;
    double control[VARIABLES], x[D], v[D];
    double values[MOST_VALUES], times[MOST_VALUES], rows[MOST_VALUES * COLUMN_COUNT];
    SimFinal final = {.x = x, .v = v};
    SimReading reading = {.values = values, .rows = rows, .times = times};
    make(k, &p, control);
    fixture_time(&p, 5, SEGMENTS);
    ask(k, &p, &a);
    SimModel *model = fixture_model(&p, tangent_swinging, &work);
    int m = sim_quantity_values(model, a.n, a.of), column = 0;
    assert_int_equal(stiction_sensitivity_create(model, 3, on, &sensitivity), SIM_OK);
    int columns = stiction_sensitivity_columns(sensitivity);
    assert_int_equal(sim_rollout_quantities(model, work, sensitivity, control, a.n, a.of, &final, NULL, &reading),
                     SIM_OK);
    for (int j = 0; j < 3; j++)
      for (int entry = 0; entry < (j ? D : p.segments * D); entry++, column++, compared += m)
        jumps += compare(&p, on[j], entry, control, &a, m, times, rows + column, columns);
    assert_int_equal(column, columns);
    stiction_sensitivity_destroy(sensitivity);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_true(jumps < compared / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_those_of_the_rows),
                                     cmocka_unit_test(rows_are_differences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
