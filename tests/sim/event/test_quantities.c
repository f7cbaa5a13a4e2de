/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests quantities of a motion by `event` and their derivatives: closed forms of a block, central differences of random
 * motions, and fine grids. */
#include "sim/quantity.h"
#include "tests/sim/tangent.h"

#include <math.h>
#include <string.h>

enum { PROBLEMS = 24, TIMES = SEGMENTS + 1, MOST_COLUMNS = VARIABLES + TIMES + 2 * D, MOST_VALUES = 48 };

static double none(int i, double t) {
  (void)i;
  (void)t;
  return 0;
}

static double constant(int i, double t) {
  (void)t;
  return 1.5 - i;
}

static double swinging(void *context, double t, double *slope) {
  const double *rate = context;
  *slope = *rate * cos(*rate * t);
  return sin(*rate * t);
}

typedef struct Block {
  SimProblem p;
  SimModel *model;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
} Block;

/* A block of mass 1 and friction 1, at rest at first; the control has segments of 0.4 s and 0.5 s. */
static void make_block(Block *b) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_LENGTH};
  const double h[] = {0.4, 0.5};
  assert_int_equal(sim_problem_init(&b->p, SIM_FRICTION, 1, 1), SIM_OK);
  fixture_scheme(&b->p, "event");
  b->p.system.mass[0] = b->p.friction[0] = 1;
  b->p.signal = SIM_PIECEWISE_CONSTANT;
  b->p.segments = 2;
  b->p.steps = 2;
  assert_int_equal(sim_problem_set_lengths(&b->p, h), SIM_OK);
  b->model = fixture_model(&b->p, none, &b->work);
  assert_int_equal(stiction_sensitivity_create(b->model, 2, on, &b->sensitivity), SIM_OK);
}

static void clear_block(Block *b) {
  stiction_sensitivity_destroy(b->sensitivity);
  stiction_workspace_destroy(b->work);
  stiction_model_destroy(b->model);
  sim_problem_clear(&b->p);
}

static void is(double value, double expected) {
  assert_true(fabs(value - expected) <= 1e-13 * fmax(1, fabs(expected)));
}

/* sin(x) + t x */
static double bent(void *context, double t, const double *x, double *slopes) {
  (void)context;
  slopes[0] = cos(*x) + t;
  slopes[1] = *x;
  return sin(*x) + t * *x;
}

enum { END, VIA, SPEED, WAY = 4, SQUARE, TIME, WORK, BENT, BENT_VIA, N = 9 }; /* quantities of the next test */

/* Checks the integral of the square of x, which is `end` at a + b. */
static void is_square(const SimReading *reading, double a, double b, double end) {
  is(reading->values[SQUARE],
     pow(a, 5) / 5 + pow(a, 4) * b + 2 * pow(a, 3) * b * b + a * a * pow(b, 3) - a * pow(b, 4) / 2 + pow(b, 5) / 20);
  is(reading->rows[4 * SQUARE + 3], end * end); /* a longer last segment adds the integrand at T to the integral */
  /* The derivatives of x by the control are t^2/2, then a^2/2 + a s for u_1, and s^2/2 for u_2. */
  is(reading->matrix[4 + 1], 6 * pow(b, 5) / 20);
  is(reading->matrix[1], 6 * (a * a / 2 * b * b * b / 6 + a * pow(b, 4) / 8));
  is(reading->matrix[4], reading->matrix[1]);
}

/* With u = 3 for the time h1, then 0, the position is x = t^2 until h1. Then v = 2 h1 - s and x = h1^2 + 2 h1 s - s^2/2
 * with s = t - h1. */
static void closed_forms_of_a_block(void **unused) {
  const double one = 1, u[] = {3, 0}, a = 0.4, b = 0.5;
  double values[10], rows[10 * 4], times[10], matrix[16], rates[10], x, v;
  SimReading reading = {values, rows, times, matrix, rates};
  SimFinal final = {.x = &x, .v = &v};
  const SimQuantity of[N] = {{.way = SIM_AT_END, .x = &one},
                             {.way = SIM_AT_TIME, .x = &one, .time = 0.6},
                             {.way = SIM_LARGEST, .v = &one},
                             {.way = SIM_INTEGRAL, .v = &one},
                             {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = &one, .weight = 3},
                             {.way = SIM_END_TIME},
                             {.way = SIM_INTEGRAL, .v = &one, .control = 1},
                             {.way = SIM_AT_END, .place = bent},
                             {.way = SIM_AT_TIME, .place = bent, .time = 0.6}};
  Block block;
  (void)unused;
  make_block(&block);
  assert_int_equal(sim_quantity_values(block.model, N, of), 10);
  assert_int_equal(sim_rollout_quantities(block.model, block.work, block.sensitivity, u, N, of, &final, NULL, &reading),
                   SIM_OK);
  const double end = a * a + 2 * a * b - b * b / 2;
  is(values[END], end);
  is(x, end);
  is(rows[4 * END + 2], 2 * a + 2 * b);
  is(rows[4 * END + 3], 2 * a - b);
  is(values[VIA], a * a + 2 * a * 0.2 - 0.02); /* time since h1 is s = 0.6 - h1 = 0.2 here */
  is(rows[4 * VIA + 0], a * a / 2 + a * 0.2);
  is(rows[4 * VIA + 1], 0.02);
  is(rows[4 * VIA + 2], 2 * a + 2 * 0.2 - 2 * a + 0.2);
  is(rows[4 * VIA + 3], 0);
  for (int k = 0; k < 2; k++) { /* v is largest at the end of the push */
    is(values[SPEED + k], 2 * a);
    is(times[SPEED + k], a);
    is(rows[4 * (SPEED + k)], a);
    is(rows[4 * (SPEED + k) + 2], 2);
    is(rows[4 * (SPEED + k) + 3], 0);
  }
  is(values[WAY], end);
  for (int c = 0; c < 4; c++) is(rows[4 * WAY + c], rows[4 * END + c]);
  is_square(&reading, a, b, end);
  is(values[TIME], a + b);
  is(rows[4 * TIME + 2], 1);
  is(rows[4 * TIME], 0);
  is(values[WORK], 3 * a * a);
  is(rows[4 * WORK], 2 * a * a - a * a + 3 * a * a / 2);
  is(values[BENT], sin(end) + (a + b) * end);
  is(values[BENT_VIA], sin(values[VIA]) + 0.6 * values[VIA]);
  for (int c = 0; c < 4; c++) {
    is(rows[4 * BENT + c], (cos(end) + a + b) * rows[4 * END + c] + end * (c > 1));
    is(rows[4 * BENT_VIA + c], (cos(values[VIA]) + 0.6) * rows[4 * VIA + c]);
  }
  is(rates[BENT_VIA], (cos(values[VIA]) + 0.6) * rates[VIA] + values[VIA]);
  clear_block(&block);
}

/* A push and a reversal give shapes with kinks, a largest x inside a segment, and a stop. */
static void a_block_that_turns(void **unused) {
  const double one = 1, u[] = {3, -4}, minus = -1; /* v is 0.8 at 0.4 s and 0 at 0.56 s; then the block moves
                                                    * backward with the acceleration -3 */
  double values[5], rows[5 * 4], times[5], x, v;
  SimReading reading = {values, rows, times, NULL, NULL};
  SimFinal final = {.x = &x, .v = &v};
  const SimQuantity of[] = {{.way = SIM_LARGEST, .x = &one},
                            {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SIZE, .v = &one},
                            {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_POSITIVE, .v = &minus},
                            {.way = SIM_AT_END, .x = &one}};
  Block block;
  (void)unused;
  make_block(&block);
  assert_int_equal(sim_rollout_quantities(block.model, block.work, block.sensitivity, u, 4, of, &final, NULL, &reading),
                   SIM_OK);
  double back = 3 * 0.34 * 0.34 / 2;
  is(values[0], 0.16);
  is(values[1], 0.16 + 0.064);
  is(times[1], 0.56);
  is(rows[4 + 0], 0.08 + 0.4 * 0.16);
  is(rows[4 + 1], 0.5 * 0.16 * 0.16);
  is(rows[4 + 2], 0.8 + 2 * 0.16);
  is(rows[4 + 3], 0);
  is(values[2], 0.224 + back);
  is(values[3], back);
  is(values[4], 0.224 - back);
  for (int c = 0; c < 4; c++) {
    is(rows[2 * 4 + c], 2 * rows[4 + c] - rows[4 * 4 + c]);
    is(rows[3 * 4 + c], rows[4 + c] - rows[4 * 4 + c]);
  }
  clear_block(&block);
}

/* Quantities with all ways and shapes for a random problem. */
typedef struct Asked {
  double line[4][D], time, rate;
  SimQuantity of[10];
  int n;
} Asked;

static void ask(uint64_t *seed, bool constant_pieces, Asked *a) {
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < D; i++) a->line[k][i] = fixture_random(seed);
  a->rate = 1.3;
  const SimQuantity of[10] = {
      {.way = SIM_AT_END, .x = a->line[0], .v = a->line[1], .from_x = a->line[2], .from_v = a->line[3]},
      {.way = SIM_AT_TIME, .x = a->line[0], .time = 2.1 + fixture_random(seed)},
      {.way = SIM_AT_TIME, .x = a->line[1], .time = 4, .reference = swinging, .context = &a->rate},
      {.way = SIM_LARGEST, .x = a->line[2]},
      {.way = SIM_LARGEST, .x = a->line[1], .v = a->line[0], .from_x = a->line[1]},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = a->line[0], .v = a->line[3], .weight = 1},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SIZE, .x = a->line[3], .v = a->line[0], .from_x = a->line[3]},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = a->line[1], .reference = swinging, .context = &a->rate},
      {.way = SIM_INTEGRAL, .v = a->line[1], .control = 2},
      {.way = SIM_LARGEST, .v = a->line[2], .control = 1},
  };
  memcpy(a->of, of, sizeof of);
  a->n = constant_pieces ? 10 : 8;
}

static void read_all(SimProblem *p, FixtureForce *force, const double *control, const Asked *a, double *values,
                     double *times) {
  SimWorkspace *work;
  double x[D], v[D];
  SimFinal final = {.x = x, .v = v};
  SimReading reading = {.values = values, .times = times};
  SimModel *model = fixture_model(p, force, &work);
  assert_int_equal(sim_rollout_quantities(model, work, NULL, control, a->n, a->of, &final, NULL, &reading), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

/* Changes T, an entry of the control, a length, x0 or v0 of the problem `middle` by h. */
static void move(const SimProblem *middle, SimDependence on, int entry, double h, SimProblem *p, double *control) {
  assert_int_equal(sim_problem_copy(middle, p), SIM_OK);
  double lengths[SEGMENTS];
  for (int k = 0; k < SEGMENTS; k++) lengths[k] = p->start_count ? p->starts[k + 1] - p->starts[k] : 0;
  if (on == SIM_ON_LENGTH) lengths[entry] += h;
  for (int k = 0; k < SEGMENTS && on == SIM_ON_END; k++) lengths[k] *= 1 + h / p->end;
  if (p->start_count && (on == SIM_ON_LENGTH || on == SIM_ON_END)) {
    assert_int_equal(sim_problem_set_lengths(p, lengths), SIM_OK);
  } else if (on == SIM_ON_END) {
    fixture_time(p, p->end + h, SEGMENTS);
  } else {
    *tangent_number(p, control, on, entry) += h;
  }
}

typedef struct Tally {
  int compared, jumps;
} Tally;

/* Compares a column of the derivatives of all values with differences. Largest values at a place that jumps are left
 * out, as they have a kink there. */
static void compare(const SimProblem *middle, FixtureForce *force, double *control, SimDependence on, int entry,
                    const Asked *a, int m, const double *times, const double *column, int columns, Tally *tally) {
  const double h = 1e-5;
  double values[2][MOST_VALUES], at[2][MOST_VALUES], size = 1;
  for (int side = 0; side < 2; side++) {
    SimProblem p;
    double moved[VARIABLES];
    memcpy(moved, control, sizeof moved);
    move(middle, on, entry, side ? h : -h, &p, moved);
    read_all(&p, force, moved, a, values[side], at[side]);
    sim_problem_clear(&p);
  }
  for (int k = 0; k < m; k++) {
    double difference = (values[1][k] - values[0][k]) / (2 * h);
    if (fabs(at[0][k] - times[k]) > 1e-3 || fabs(at[1][k] - times[k]) > 1e-3) {
      tally->jumps++;
      continue;
    }
    size = fmax(size, fabs(difference));
    assert_true(fabs(difference - column[(long)k * columns]) <= 1e-7 * size);
    tally->compared++;
  }
}

static int entries_of(const SimProblem *p, SimDependence on) {
  return on == SIM_ON_CONTROL ? p->segments * D : on == SIM_ON_END ? 1 : on == SIM_ON_LENGTH ? SEGMENTS : D;
}

/* Compares all derivatives by n kinds of numbers with differences, and values computed with derivatives with those
 * alone. */
static void compare_all(SimProblem *p, FixtureForce *force, double *control, int n, const SimDependence *on,
                        const Asked *a, Tally *tally) {
  double x[D], v[D];
  double values[MOST_VALUES], alone[MOST_VALUES], times[MOST_VALUES], rows[MOST_VALUES * MOST_COLUMNS];
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  SimFinal final = {.x = x, .v = v};
  SimReading reading = {values, rows, times, NULL, NULL};
  SimModel *model = fixture_model(p, force, &work);
  int m = sim_quantity_values(model, a->n, a->of), column = 0;
  assert_true(m > a->n - 3 && m <= MOST_VALUES);
  assert_int_equal(stiction_sensitivity_create(model, n, on, &sensitivity), SIM_OK);
  assert_int_equal(sim_rollout_quantities(model, work, sensitivity, control, a->n, a->of, &final, NULL, &reading),
                   SIM_OK);
  read_all(p, force, control, a, alone, NULL);
  for (int q = 0; q < m; q++) assert_true(fabs(alone[q] - values[q]) <= 1e-12 * fmax(1, fabs(values[q])));
  int columns = stiction_sensitivity_columns(sensitivity);
  for (int i = 0; i < n; i++)
    for (int entry = 0; entry < entries_of(p, on[i]); entry++, column++)
      compare(p, force, control, on[i], entry, a, m, times, rows + column, columns, tally);
  assert_int_equal(column, columns);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

/* Compares derivatives with differences for all matrices, laws and signals, with friction, stops and unequal lengths of
 * segments. */
static void rows_are_differences(void **unused) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_END, SIM_ON_LENGTH};
  uint64_t seed = 11;
  Tally tally = {0, 0};
  (void)unused;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    Asked a;
    double control[VARIABLES], lengths[SEGMENTS];
    tangent_problem(&seed, k, "event", SEGMENTS, &p, control);
    sim_problem_set(&p, "tolerance", 1e-13);
    p.stops.present = k % 5 == 3 && p.system.stribeck == SIM_STRIBECK_NONE;
    for (int i = 0; i < D && p.stops.present; i++) {
      p.stops.upper[i] = 1.2;
      p.stops.lower[i] = -1.2;
      p.stops.stiffness[i] = NAN;
      p.stops.restitution[i] = 0.4;
    }
    FixtureForce *const forces[] = {constant, tangent_swinging, tangent_decaying};
    bool segmented = p.signal != SIM_CONSTANT;
    for (int q = 0; q < SEGMENTS; q++) lengths[q] = 1.2 + 0.5 * fixture_random(&seed);
    if (segmented && k % 3) assert_int_equal(sim_problem_set_lengths(&p, lengths), SIM_OK);
    ask(&seed, p.signal != SIM_PIECEWISE_LINEAR, &a);
    compare_all(&p, forces[k / 4 % 3], control, p.start_count ? 5 : 4, on, &a, &tally);
    sim_problem_clear(&p);
  }
  assert_true(tally.jumps < tally.compared / 100);
}

/* Test problem 1 of Glowinski-Kearsley with four segments of unequal lengths and its time-varying force. */
static void rows_of_a_paper(void **unused) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_END, SIM_ON_LENGTH};
  static double control[VARIABLES];
  const double lengths[SEGMENTS] = {1.1, 1.3, 1.5, 1.1};
  uint64_t seed = 2;
  SimProblem p;
  Asked a;
  Tally tally = {0, 0};
  (void)unused;
  fixture_paper(&p, 1, "event", SIM_UNREGULARIZED, 1);
  sim_problem_set(&p, "tolerance", 1e-13);
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = SEGMENTS;
  fixture_time(&p, 5, SEGMENTS);
  assert_int_equal(sim_problem_set_lengths(&p, lengths), SIM_OK);
  for (int k = 0; k < VARIABLES; k++) control[k] = 40 * fixture_random(&seed);
  ask(&seed, true, &a);
  compare_all(&p, tangent_decaying, control, 3, on, &a, &tally);
  assert_true(tally.jumps == 0 && tally.compared >= a.n * (VARIABLES + TIMES));
  sim_problem_clear(&p);
}

static void keep(void *context, const char *key, const char *text) {
  (void)snprintf(context, 200, "%s: %s", key, text);
}

static void refused(SimProblem *p, const SimQuantity *of, const char *part) {
  SimWorkspace *work;
  char text[200] = "";
  double x[D], v[D], value[MOST_VALUES];
  SimFinal final = {.x = x, .v = v};
  SimReading reading = {.values = value};
  const SimReport report = {text, keep};
  SimModel *model = fixture_model(p, constant, &work);
  assert_int_equal(sim_quantities_check(model, 1, of, &report), SIM_BAD_PROBLEM);
  assert_non_null(strstr(text, part));
  assert_int_equal(sim_rollout_quantities(model, work, NULL, NULL, 1, of, &final, NULL, &reading), SIM_BAD_PROBLEM);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

static void others_are_refused(void **unused) {
  double control[VARIABLES], rate = 1;
  uint64_t seed = 3;
  SimProblem p;
  (void)unused;
  tangent_problem(&seed, 1, "moreau", 100, &p, control);
  refused(&p, &(SimQuantity){.way = SIM_LARGEST}, "number 1: a value on the way");
  tangent_problem(&seed, 1, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.way = SIM_LARGEST, .reference = swinging, .context = &rate}, "number 1: a reference");
  tangent_problem(&seed, 1, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.shape = SIM_SHAPE_SQUARE}, "a shape");
  tangent_problem(&seed, 1, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.way = SIM_AT_TIME, .time = -1}, "a time below 0");
  tangent_problem(&seed, 1, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.way = SIM_INTEGRAL, .place = bent}, "a place");
  tangent_problem(&seed, 1, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.place = bent, .x = &rate}, "a place");
  tangent_problem(&seed, 1, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.control = D + 1}, "an entry of u");
  tangent_problem(&seed, 2, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.control = 1}, "piecewise linear");
  tangent_problem(&seed, 2, "event", 100, &p, control);
  refused(&p, &(SimQuantity){.way = (SimWay)17}, "unknown way");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms_of_a_block), cmocka_unit_test(a_block_that_turns),
                                     cmocka_unit_test(rows_are_differences), cmocka_unit_test(rows_of_a_paper),
                                     cmocka_unit_test(others_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
