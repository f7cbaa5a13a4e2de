/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests quantities of motions by schemes with steps: integrals are sums over the rows that an observer sees,
 * converge to those of `event` with the scheme's order, and have the derivatives of these sums. */
#include "sim/quantity.h"
#include "tests/sim/tangent.h"

#include <math.h>
#include <string.h>

enum { STEPS = 103 /* not a multiple of the control's segments */, N = 8, MOST_COLUMNS = VARIABLES + 2 * D };

static const char *const schemes[] = {"moreau", "centered", "lie", "strang"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static double swinging(void *context, double t, double *slope) {
  (void)context;
  *slope = 1.3 * cos(1.3 * t);
  return sin(1.3 * t);
}

/* sin(x_1) + t x_2 */
static double bent(void *context, double t, const double *x, double *slopes) {
  (void)context;
  memset(slopes, 0, (D + 1) * sizeof *slopes);
  slopes[0] = cos(x[0]);
  slopes[1] = t;
  slopes[D] = x[1];
  return sin(x[0]) + t * x[1];
}

typedef struct Asked {
  double line[4][D];
  SimQuantity of[N];
  int n;
} Asked;

/* Draws quantities with all shapes. The last ones have a factor u, which a piecewise linear control cannot have. */
static void ask(uint64_t *seed, bool constant_pieces, Asked *a) {
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < D; i++) a->line[k][i] = fixture_random(seed);
  const SimQuantity of[N] = {
      {.way = SIM_AT_END, .x = a->line[0], .v = a->line[1], .from_x = a->line[2], .from_v = a->line[3]},
      {.way = SIM_AT_END, .place = bent},
      {.way = SIM_END_TIME},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = a->line[1], .reference = swinging, .weight = 0.7},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SIZE, .x = a->line[3], .v = a->line[0], .from_x = a->line[3]},
      {.way = SIM_INTEGRAL, .v = a->line[2], .reference = swinging},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_POSITIVE, .v = a->line[1], .control = 2},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = a->line[2], .control = 1, .reference = swinging},
  };
  memcpy(a->of, of, sizeof of);
  a->n = constant_pieces ? N : N - 2;
}

static void read_all(SimProblem *p, const double *control, const Asked *a, double *values) {
  SimWorkspace *work;
  double x[D], v[D];
  SimFinal final = {.x = x, .v = v};
  SimReading reading = {.values = values};
  SimModel *model = fixture_model(p, tangent_swinging, &work);
  assert_int_equal(sim_rollout_quantities(model, work, NULL, control, a->n, a->of, &final, NULL, &reading), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

/* The rows of a motion. */
typedef struct Rows {
  double x[STEPS + 1][D], v[STEPS + 1][D];
} Rows;

static void keep_row(void *context, const SimStep *step) {
  Rows *rows = context;
  memcpy(rows->x[step->n], step->x, sizeof rows->x[0]);
  memcpy(rows->v[step->n], step->v, sizeof rows->v[0]);
}

/* Returns F(y) of row n with the factor u. */
static double integrand(const SimQuantity *of, const Rows *rows, long n, double t, double u) {
  double y = 0, slope;
  for (int i = 0; i < D; i++) {
    y += (of->x ? of->x[i] * rows->x[n][i] : 0) + (of->v ? of->v[i] * rows->v[n][i] : 0);
    y -= of->from_x ? of->from_x[i] * rows->x[0][i] : 0;
  }
  y = u * y - (of->reference ? swinging(NULL, t, &slope) : 0);
  return of->shape == SIM_SHAPE_SQUARE     ? y * y
         : of->shape == SIM_SHAPE_SIZE     ? fabs(y)
         : of->shape == SIM_SHAPE_POSITIVE ? fmax(y, 0)
                                           : y;
}

/* Returns the trapezoidal sum over the rows, with each step cut at the ends of the control's segments. */
static double sum_of(const SimProblem *p, const SimQuantity *of, const Rows *rows, const double *control) {
  double sum = 0, dt = p->end / STEPS, length = p->end / p->segments;
  for (long n = 1; n <= STEPS; n++)
    for (int k = 0; k < p->segments; k++) {
      double from = fmax(dt * (double)(n - 1), k * length), to = fmin(dt * (double)n, (k + 1) * length);
      double u = of->control ? control[k * D + of->control - 1] : 1;
      if (to > from)
        sum += (to - from) / 2 *
               (integrand(of, rows, n - 1, dt * (double)(n - 1), u) + integrand(of, rows, n, dt * (double)n, u));
    }
  return sum;
}

/* The sums are those over the rows, and the motion has the bits of a rollout. */
static void integrals_are_sums_over_rows(void **unused) {
  uint64_t seed = 5;
  (void)unused;
  for (int k = 0; k < 8 * SCHEMES; k++) {
    SimProblem p;
    SimWorkspace *work;
    Asked a;
    Rows rows;
    double control[VARIABLES], values[N], x[2][D], v[2][D], slopes[D + 1];
    tangent_problem(&seed, k, schemes[k % SCHEMES], STEPS, &p, control);
    ask(&seed, p.signal != SIM_PIECEWISE_LINEAR, &a);
    SimModel *model = fixture_model(&p, tangent_swinging, &work);
    const SimObserver observer = {.context = &rows, .step = keep_row};
    SimFinal final = {.x = x[0], .v = v[0]}, plain = {.x = x[1], .v = v[1]};
    SimReading reading = {.values = values};
    assert_int_equal(sim_quantity_values(model, a.n, a.of), a.n);
    assert_int_equal(stiction_rollout(model, work, control, &observer, &plain), SIM_OK);
    assert_int_equal(sim_rollout_quantities(model, work, NULL, control, a.n, a.of, &final, NULL, &reading), SIM_OK);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    double end = 0;
    for (int i = 0; i < D; i++)
      end += a.line[0][i] * x[0][i] + a.line[1][i] * v[0][i] - a.line[2][i] * p.x0[i] - a.line[3][i] * p.v0[i];
    assert_true(fabs(values[0] - end) <= 1e-12);
    assert_true(fabs(values[1] - bent(NULL, p.end, x[0], slopes)) <= 1e-12);
    assert_true(values[2] == p.end);
    for (int q = 3; q < a.n; q++) {
      double sum = sum_of(&p, &a.of[q], &rows, control);
      assert_true(fabs(values[q] - sum) <= 1e-11 * fmax(1, fabs(sum)));
    }
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* A block on a spring slides to and fro without a rest: tracking, distance and work. */
static void read_block(const char *scheme, long steps, double *values) {
  const double one = 1, u[] = {1.5, -2, 0.5};
  double x, v;
  const SimQuantity of[] = {
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = &one, .reference = swinging},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_SIZE, .v = &one},
      {.way = SIM_INTEGRAL, .shape = SIM_SHAPE_POSITIVE, .v = &one, .control = 1},
  };
  SimProblem p;
  SimWorkspace *work;
  SimFinal final = {.x = &x, .v = &v};
  SimReading reading = {.values = values};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  fixture_scheme(&p, scheme);
  fixture_time(&p, 3, steps);
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = 3;
  p.system.mass[0] = 1;
  p.system.stiffness[0] = 4;
  p.friction[0] = 0.2;
  p.x0[0] = 1;
  p.v0[0] = 1;
  if (strcmp(scheme, "strang") == 0) sim_problem_set(&p, "friction_substeps", (double)(steps * steps / 900));
  SimModel *model = fixture_model(&p, tangent_swinging, &work);
  assert_int_equal(sim_rollout_quantities(model, work, NULL, u, 3, of, &final, NULL, &reading), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* The values converge to those of `event` with the order of the scheme: 1, and 2 of `strang` with friction substeps
 * that shrink as dt^2. */
static void values_have_the_order_of_the_scheme(void **unused) {
  enum { GRIDS = 3, COARSEST = 60 };
  double exact[3], values[3];
  (void)unused;
  read_block("event", 3, exact);
  for (int k = 0; k < SCHEMES; k++) {
    double order = strcmp(schemes[k], "strang") == 0 ? 2 : 1, error[GRIDS];
    for (int grid = 0; grid < GRIDS; grid++) {
      read_block(schemes[k], COARSEST << (2 * grid), values);
      error[grid] = 0;
      for (int q = 0; q < 3; q++) error[grid] = fmax(error[grid], fabs(values[q] - exact[q]));
    }
    double found = log2(error[0] / error[GRIDS - 1]) / (2 * (GRIDS - 1));
    print_message("%s: errors %.2e %.2e %.2e, order %.2f\n", schemes[k], error[0], error[1], error[2], found);
    assert_true(found > order - 0.2 && error[GRIDS - 1] < 0.02);
  }
}

/* Derivatives by the control, x0 and v0 are central differences, and the Gauss-Newton matrix that of its integral. */
static void rows_are_differences(void **unused) {
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY};
  const double h = 1e-6;
  uint64_t seed = 8;
  long compared = 0, kinked = 0;
  (void)unused;
  for (int k = 0; k < 6 * SCHEMES; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    Asked a;
    double control[VARIABLES], values[N], alone[N], rows[N * MOST_COLUMNS], x[D], v[D];
    SimFinal final = {.x = x, .v = v};
    SimReading reading = {.values = values, .rows = rows};
    tangent_problem(&seed, k, schemes[k / 6], STEPS, &p, control);
    ask(&seed, p.signal != SIM_PIECEWISE_LINEAR, &a);
    SimModel *model = fixture_model(&p, tangent_swinging, &work);
    assert_int_equal(stiction_sensitivity_create(model, 3, on, &sensitivity), SIM_OK);
    assert_int_equal(sim_rollout_quantities(model, work, sensitivity, control, a.n, a.of, &final, NULL, &reading),
                     SIM_OK);
    read_all(&p, control, &a, alone);
    assert_memory_equal(alone, values, (size_t)a.n * sizeof *values);
    int columns = stiction_sensitivity_columns(sensitivity);
    for (int c = 0; c < columns; c++) {
      int first = columns - 2 * D, entry = c < first ? c : (c - first) % D;
      double *number = tangent_number(&p, control, on[c < first ? 0 : 1 + (c - first) / D], entry), middle = *number;
      double moved[2][N];
      for (int side = 0; side < 2; side++) {
        *number = middle + (side ? h : -h);
        read_all(&p, control, &a, moved[side]);
      }
      *number = middle;
      for (int q = 0; q < a.n; q++) {
        double difference = (moved[1][q] - moved[0][q]) / (2 * h), row = rows[q * columns + c];
        bool same = fabs(difference - row) <= 1e-5 * fmax(1, fabs(difference));
        if (q == 0) kinked += !same; /* a dof stops a step earlier or later, so that the motion itself has a kink */
        if (q == 0 && !same) break;
        assert_true(same);
        compared++;
      }
    }
    stiction_sensitivity_destroy(sensitivity);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_true(compared > 2000 && kinked < 10);
}

/* Of a mass without friction y depends linearly on u, so the matrix of a square is its second derivative. */
static void matrix_is_second_derivative(void **unused) {
  static const SimDependence on = SIM_ON_CONTROL;
  const double one = 1, h = 0.5;
  const SimQuantity of = {
      .way = SIM_INTEGRAL, .shape = SIM_SHAPE_SQUARE, .x = &one, .reference = swinging, .weight = 1};
  double u[2] = {1, -1}, value, row[2], matrix[4], x, v, moved[2][2];
  SimProblem p;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  SimFinal final = {.x = &x, .v = &v};
  (void)unused;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  fixture_scheme(&p, "moreau");
  fixture_time(&p, 2, 31);
  p.signal = SIM_PIECEWISE_CONSTANT;
  p.segments = 2;
  p.system.mass[0] = 1;
  SimModel *model = fixture_model(&p, tangent_decaying, &work);
  assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_OK);
  SimReading reading = {.values = &value, .rows = row, .matrix = matrix};
  for (int side = 0; side < 2; side++) {
    u[1] = -1 + (side ? h : -h);
    assert_int_equal(sim_rollout_quantities(model, work, sensitivity, u, 1, &of, &final, NULL, &reading), SIM_OK);
    memcpy(moved[side], row, sizeof row);
  }
  for (int c = 0; c < 2; c++) assert_true(fabs((moved[1][c] - moved[0][c]) / (2 * h) - matrix[2 + c]) <= 1e-12);
  assert_true(matrix[1] == matrix[2] && matrix[3] > 0);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrals_are_sums_over_rows), cmocka_unit_test(values_have_the_order_of_the_scheme),
      cmocka_unit_test(rows_are_differences), cmocka_unit_test(matrix_is_second_derivative)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
