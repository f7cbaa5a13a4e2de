/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests plans: derivatives against differences, the same bits in any order, tracking, multipliers. */
#include "tests/control/plan/forms.h"

static double swing(void *context, double t, double *slope) {
  (void)context;
  *slope = cos(t);
  return sin(t);
}

enum { DRAWN_SEGMENTS = 4, DRAWN_MOST = 400 };

/* Makes a random plan of two blocks joined by a spring, with each kind of variable and quantity. */
static void draw(Form *f, int k, uint64_t *seed) {
  const CtlRole roles[] = {CTL_ROLE_EQUAL, CTL_ROLE_AT_MOST, CTL_ROLE_AT_LEAST, CTL_ROLE_OBJECTIVE, CTL_ROLE_RESIDUAL};
  bool moves = k % 3 != 0;
  form_begin(f, 2, 2, 0.6, 3, DRAWN_SEGMENTS);
  for (int i = 0; i < 2; i++) {
    f->problem.system.mass[3 * i] = 1.5 + 0.5 * fixture_random(seed);
    f->problem.system.stiffness[3 * i] = 2 + fixture_random(seed);
    f->problem.v0[i] = 1 + 0.5 * fixture_random(seed);
    f->problem.x0[i] = fixture_random(seed);
    f->problem.control_matrix[3 * i] = 1 + 0.3 * fixture_random(seed);
  }
  f->problem.signal = k % 5 == 4 ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT;
  if (k % 3 == 1) form_vary(f, CTL_VARY_END, 0, 1, 3, 2 + 0.5 * fixture_random(seed));
  if (k % 3 == 2) form_vary_lengths(f, 3, 2 + 0.3 * fixture_random(seed));
  form_vary(f, CTL_VARY_POSITION, 1, -2, 2, fixture_random(seed));
  form_vary(f, CTL_VARY_VELOCITY, 0, 0.1, 3, 1.5 + fixture_random(seed));
  form_vary(f, CTL_VARY_TIME, 0, 0, 3, 0.9 + 0.3 * fixture_random(seed));
  CtlQuantity *q = form_add(f, CTL_READ_MOTION, SIM_AT_TIME, 0, 1, 0.5, roles[k % 5], 0.1);
  q->time = f->setting.variables;
  q->of.reference = swing;
  form_add(f, CTL_READ_MOTION, SIM_AT_TIME, 1, 1, 0.5, roles[k % 3], 0.1)->of.time = 1.1;
  for (int i = 0; i < 2; i++) {
    form_add(f, CTL_READ_MOTION, SIM_AT_END, i, 0, 1, CTL_ROLE_EQUAL, 0);
    form_add(f, CTL_READ_MOTION, SIM_AT_END, i, 1, 0, roles[(k + i) % 5], 0.2)->weight = 2;
  }
  form_add(f, CTL_READ_MOTION, SIM_LARGEST, 0, 1, 0.3, roles[1 + k % 2], 0.2);
  q = form_add(f, CTL_READ_MOTION, SIM_INTEGRAL, 0, 1, 0, roles[k % 5], 0.3);
  q->of.shape = (SimShape)(k % 4);
  if (q->of.shape == SIM_SHAPE_SQUARE) q->of.reference = swing;
  form_add(f, CTL_READ_MOTION, SIM_END_TIME, 0, 0, 0, roles[(k + 2) % 5], 2);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, roles[(k + 3) % 5], 1)->weight = 0.5;
  f->around[0] = 0.7;
  f->around[1] = -1.1;
  if (k % 4 < 2) f->setting.around = f->around;
  if (f->problem.signal == SIM_PIECEWISE_CONSTANT) {
    q = form_add(f, CTL_READ_MOTION, SIM_LARGEST, 1, 0, 1, CTL_ROLE_AT_MOST, 2);
    q->of.control = 2;
    form_add(f, CTL_READ_FUEL, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0)->weight = 0.7;
  }
  assert_true(moves || f->setting.variables == 3);
}

static void draw_point(CtlPlan *plan, const Form *f, uint64_t *seed, double *point) {
  CtlProblem p;
  assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
  for (int i = 0; i < p.n - f->setting.variables; i++) point[i] = 2 * fixture_random(seed);
  for (int i = 0; i < f->setting.variables; i++) point[p.n - f->setting.variables + i] = f->variable[i].start;
  ctl_problem_clear(&p);
}

static SimStatus evaluate(const CtlEvaluator *e, const double *point, double *values, double *rows) {
  double none[DRAWN_MOST];
  SimFinal final = {.x = values, .v = none};
  e->evaluate(e->context, (CtlWant){.derivatives = rows != NULL}, 1, point, &final, rows);
  return final.status;
}

/* Computes the quantities at a point. Quantities of a dof at rest are continued with the acceleration at the point
 * `at`, as the rows of derivatives at `at` are. */
static void going_on(const CtlEvaluator *e, const double *point, const double *at, double *values) {
  size_t n = (size_t)e->n, width = ctl_row_size(e->n);
  double *rows = malloc((size_t)e->m * width * sizeof *rows);
  assert_int_equal(evaluate(e, point, values, rows), SIM_OK);
  for (size_t i = 0; i < (size_t)e->d; i++) {
    const double *beside = rows + i * width + n;
    if (beside[1] != 0) values[i] += at[i * width + n + 1] * beside[0] / beside[1];
  }
  free(rows);
}

static void derivatives_are_differences(void **state) {
  enum { PROBLEMS = 60 };
  const double h = 1e-6;
  uint64_t seed = 11;
  int rests = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    Form f;
    draw(&f, k, &seed);
    CtlPlan *plan = form_plan(&f);
    CtlEvaluator e = ctl_plan_evaluator(plan);
    double point[64], values[2][DRAWN_MOST], here[DRAWN_MOST],
        *rows = malloc((size_t)e.m * ctl_row_size(e.n) * sizeof *rows);
    draw_point(plan, &f, &seed, point);
    assert_int_equal(evaluate(&e, point, here, rows), SIM_OK);
    for (int i = 0; i < e.d; i++) rests += rows[(size_t)i * ctl_row_size(e.n) + (size_t)e.n] != 0;
    double worst = 0;
    for (int c = 0; c < e.n; c++) {
      for (int side = 0; side < 2; side++) {
        point[c] += side ? -2 * h : h;
        going_on(&e, point, rows, values[side]);
      }
      point[c] += h;
      for (int i = 0; i < e.d; i++) {
        double difference = (values[0][i] - values[1][i]) / (2 * h),
               row = rows[(size_t)i * ctl_row_size(e.n) + (size_t)c];
        worst = fixture_max(worst, fabs(difference - row) / (1 + fabs(row)));
      }
    }
    assert_true(worst <= 1e-6);
    free(rows);
    ctl_plan_destroy(plan);
  }
  assert_true(rests >= 10);
}

/* Returns the integral of (u - a)'N (u - a) over segment k of length h, by Simpson's rule, which is exact. */
static double segment_effort(const Form *f, const double *u, int k, double h) {
  static const double weights[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
  double sum = 0;
  for (int at = 0; at < 3; at++) {
    double w[2];
    for (int i = 0; i < 2; i++) {
      double end = u[2 * k + i], begin = f->problem.signal == SIM_PIECEWISE_CONSTANT ? end : k ? u[2 * k - 2 + i] : 0;
      w[i] = begin + (end - begin) * at / 2 - f->around[i];
    }
    sum += h * weights[at] * (f->N[0] * w[0] * w[0] + (f->N[1] + f->N[2]) * w[0] * w[1] + f->N[3] * w[1] * w[1]);
  }
  return sum;
}

static void effort_around_given_forces_is_its_integral(void **state) {
  enum { S = 5 };
  uint64_t seed = 3;
  (void)state;
  for (int k = 0; k < 2; k++) {
    Form f;
    double point[2 * S], value, expected = 0;
    form_begin(&f, 2, 2, 0, 2, S);
    f.problem.signal = k ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT;
    form_add(&f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
    memcpy(f.N, (const double[]){2, 0.5, 0.5, 1}, sizeof f.N);
    f.around[0] = 1.5;
    f.around[1] = -0.7;
    f.setting.weight = f.N;
    f.setting.around = f.around;
    for (int i = 0; i < 2 * S; i++) point[i] = fixture_random(&seed);
    for (int i = 0; i < S; i++) expected += segment_effort(&f, point, i, 2.0 / S);
    CtlPlan *plan = form_plan(&f);
    CtlEvaluator e = ctl_plan_evaluator(plan);
    assert_int_equal(evaluate(&e, point, &value, NULL), SIM_OK);
    assert_true(fabs(value - expected) < 1e-13 * expected);
    ctl_plan_destroy(plan);
  }
}

/* Plans with the same settings give the same bits, whatever the order of points, with and without derivatives. */
static void order_does_not_matter(void **state) {
  enum { POINTS = 6 };
  uint64_t seed = 5;
  (void)state;
  for (int k = 0; k < 12; k++) {
    Form f;
    CtlPlan *plan[2];
    double points[POINTS][64], values[2][POINTS][DRAWN_MOST];
    const SimReport report = {NULL, fixture_complain};
    draw(&f, k, &seed);
    assert_int_equal(stiction_problem_finalize(&f.problem, &report), SIM_OK);
    for (int side = 0; side < 2; side++) assert_int_equal(ctl_plan_create(&f.setting, &report, &plan[side]), SIM_OK);
    CtlEvaluator e[2] = {ctl_plan_evaluator(plan[0]), ctl_plan_evaluator(plan[1])};
    size_t size = (size_t)e[0].m * ctl_row_size(e[0].n);
    double *rows = calloc(2 * POINTS * size, sizeof *rows), none[DRAWN_MOST];
    for (int j = 0; j < POINTS; j++) {
      draw_point(plan[0], &f, &seed, points[j]);
      for (int i = e[0].n - f.setting.variables; i < e[0].n && j % 2; i++)
        points[j][i] *= 1 + 0.01 * fixture_random(&seed);
    }
    for (int side = 0; side < 2; side++)
      for (int j = 0; j < POINTS; j++) {
        int at = side ? POINTS - 1 - j : j;
        SimFinal final = {.x = values[side][at], .v = none};
        e[side].evaluate(e[side].context, (CtlWant){.derivatives = true}, 1, points[at], &final,
                         rows + ((size_t)side * POINTS + (size_t)at) * size);
        assert_int_equal(final.status, SIM_OK);
      }
    for (int j = 0; j < POINTS; j++) {
      size_t bytes = (size_t)e[0].d * sizeof(double);
      assert_memory_equal(values[0][j], values[1][j], bytes);
      assert_memory_equal(rows + (size_t)j * size, rows + (POINTS + (size_t)j) * size, size * sizeof *rows);
      assert_int_equal(evaluate(&e[0], points[j], values[1][j], NULL), SIM_OK);
      assert_memory_equal(values[0][j], values[1][j], bytes);
    }
    free(rows);
    for (int side = 0; side < 2; side++) ctl_plan_destroy(plan[side]);
    sim_problem_clear(&f.problem);
  }
}

enum { TRACKED = 20 };
static const double TRACKED_END = 4, TRACK_WEIGHT = 10;

/* Returns the position at t of a block of 1 kg without friction that a unit force pushes during segment k. */
static double response(int k, double t) {
  double h = TRACKED_END / TRACKED, s = fmax(t - k * h, 0), over = fmax(s - h, 0);
  return (s * s - over * over) / 2;
}

/* Returns the least h u'u + 10 int (x - sin t)^2 by its normal equations. Integrals use Gauss's rule of 5 nodes on each
 * tenth of a segment. */
static double least_tracking(void) {
  static const double node[] = {0, 0.538469310105683, 0.906179845938664},
                      weight[] = {0.568888888888889, 0.478628670499366, 0.236926885056189};
  static double A[TRACKED][TRACKED], b[TRACKED], u[TRACKED];
  double h = TRACKED_END / TRACKED, f = 0;
  for (int i = 0; i < TRACKED; i++) A[i][i] = h;
  for (int part = 0; part < 10 * TRACKED; part++)
    for (int q = -2; q <= 2; q++) {
      double width = h / 10, t = width * (part + 0.5 + copysign(node[abs(q)], q) / 2),
             by = TRACK_WEIGHT * width / 2 * weight[abs(q)];
      f += by * sin(t) * sin(t);
      for (int i = 0; i < TRACKED; i++) {
        b[i] += by * response(i, t) * sin(t);
        for (int j = 0; j < TRACKED; j++) A[i][j] += by * response(i, t) * response(j, t);
      }
    }
  for (int i = 0; i < TRACKED; i++) u[i] = b[i];
  for (int i = 0; i < TRACKED; i++) /* eliminates without pivoting, as the matrix is positive definite */
    for (int r = i + 1; r < TRACKED; r++) {
      double part = A[r][i] / A[i][i];
      for (int c = i; c < TRACKED; c++) A[r][c] -= part * A[i][c];
      u[r] -= part * u[i];
    }
  for (int i = TRACKED - 1; i >= 0; i--) {
    for (int c = i + 1; c < TRACKED; c++) u[i] -= A[i][c] * u[c];
    u[i] /= A[i][i];
  }
  for (int i = 0; i < TRACKED; i++) f -= b[i] * u[i];
  return f;
}

static void form_tracking(Form *f, double friction) {
  form_begin(f, 1, 1, friction, TRACKED_END, TRACKED);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  CtlQuantity *q = form_add(f, CTL_READ_MOTION, SIM_INTEGRAL, 0, 1, 0, CTL_ROLE_OBJECTIVE, 0);
  q->of.shape = SIM_SHAPE_SQUARE;
  q->of.reference = swing;
  q->weight = TRACK_WEIGHT;
}

/* Without friction the problem is linear-quadratic, so that a single step of SQP solves it. */
static void tracking_is_a_step(void **state) {
  double point[TRACKED], least = least_tracking();
  CtlProblem p;
  Form f;
  (void)state;
  form_tracking(&f, 0);
  CtlPlan *plan = form_plan(&f);
  assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
  p.local_starts = 1;
  p.step = 1e3;
  CtlState found = form_search(plan, &p, point);
  assert_true(fabs(found.J - least) <= 1e-11 * least && found.ivps <= 4);
  ctl_problem_clear(&p);
  ctl_plan_destroy(plan);
}

/* A multiplier is the derivative of the least f by the target, for each kind of constraint. */
static void multipliers_are_rates(void **state) {
  void (*const makers[])(Form *, int) = {form_via, form_effort_time, form_speed_lengths, form_bryson, form_inertia};
  const int segments[] = {10, 10, 3, 10, 20};
  (void)state;
  for (int k = 0; k < 5; k++) {
    Form f;
    makers[k](&f, segments[k]);
    int count = f.setting.quantities;
    CtlPlan *plan = form_plan(&f);
    CtlProblem p;
    CtlPlanOptimality o;
    CtlQuantityValue values[FORM_QUANTITIES];
    double point[FORM_CONTROLS], other[FORM_CONTROLS];
    assert_int_equal(ctl_plan_problem(plan, &p), SIM_OK);
    form_search(plan, &p, point);
    assert_int_equal(ctl_plan_optimality(plan, &p, point, &o, values), SIM_OK);
    memcpy(p.start, point, (size_t)p.n * sizeof *point);
    p.local_starts = 1;
    for (int q = 0; q < count; q++) {
      double f2[2];
      bool stops = f.quantity[q].of.way == SIM_AT_END && f.weights[q][1][0] != 0 && k != 3;
      /* for a block that stops, the rate exists on one side only */
      if (f.quantity[q].role < CTL_ROLE_EQUAL || stops) continue;
      for (int side = 0; side < 2; side++) {
        const double h = 1e-5;
        makers[k](&f, segments[k]);
        f.quantity[q].target += side ? -h : h;
        CtlPlan *moved = form_plan(&f);
        CtlProblem also;
        assert_int_equal(ctl_plan_problem(moved, &also), SIM_OK);
        memcpy(also.start, point, (size_t)p.n * sizeof *point);
        also.local_starts = 1;
        CtlState found = form_search(moved, &also, other);
        f2[side] = found.J;
        ctl_problem_clear(&also);
        ctl_plan_destroy(moved);
      }
      double rate = (f2[0] - f2[1]) / 2e-5;
      assert_true(fabs(values[q].multiplier + rate) <= 1e-4 * (1 + fabs(rate)));
    }
    ctl_plan_optimality_clear(&o);
    ctl_problem_clear(&p);
    ctl_plan_destroy(plan);
  }
}

static void push(void *context, double t, double *f) {
  (void)context;
  f[0] = 0.5 * sin(t);
}

/* A force in t is known until the end of the setting's problem. Beyond it there are no values. */
static void force_ends(void **state) {
  enum { SEGMENTS = 2 };
  const double ends[] = {10, 20, 20 * (1 + 1e-8), 20.1, 200};
  (void)state;
  for (int lengths = 0; lengths < 2; lengths++)
    for (int forced = 0; forced < 2; forced++) {
      Form f;
      CtlQuantityValue values[FORM_QUANTITIES];
      double where;
      (lengths ? form_least_time_lengths : form_least_time)(&f, SEGMENTS);
      const SimLoad load = {.at = forced ? push : NULL, .constant = !forced};
      assert_int_equal(stiction_problem_set_pieces(&f.problem, &load, 0, NULL, &where), SIM_OK);
      CtlPlan *plan = form_plan(&f);
      for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const double T = ends[k], point[] = {2, -2, lengths ? T / 2 : T, T / 2};
        assert_int_equal(ctl_plan_read(plan, point, values), forced && T > 20.01 ? SIM_BAD_PROBLEM : SIM_OK);
      }
      ctl_plan_destroy(plan);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_differences), cmocka_unit_test(effort_around_given_forces_is_its_integral),
      cmocka_unit_test(order_does_not_matter),       cmocka_unit_test(tracking_is_a_step),
      cmocka_unit_test(multipliers_are_rates),       cmocka_unit_test(force_ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
