/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests derivatives by the numbers of a friction table: of its curve, along the steps of every scheme, and along
 * motions by `event`. */
#include "tests/sim/adjoint.h"
#include "tests/sim/stops.h"

#include "sim/law/friction_table.h"

enum { POINTS = 6, STEPS = 160, PROBLEMS = 12 };

/* Fills random tables that decrease and increase: one for all dofs, or one for each. */
static void fill_table(uint64_t *seed, int columns, double *friction) {
  for (int j = 0; j < columns; j++)
    for (int k = 0; k < POINTS; k++) friction[j * POINTS + k] = 2 + 0.2 * j + (k ? fixture_random(seed) : 1);
}

static void set_table(SimProblem *p, int columns, const double *friction) {
  static const double speed[POINTS] = {0, 0.2, 0.5, 0.9, 1.5, 4};
  long where;
  assert_int_equal(stiction_problem_set_friction_table(p, POINTS, columns, speed, friction, &where), SIM_OK);
}

static void partials_are_differences(void **state) {
  (void)state;
  const double h = 1e-6;
  uint64_t seed = 3;
  for (int k = 0; k < 200; k++) {
    SimProblem p;
    double friction[POINTS], s = 5 * fixture_random(&seed), gamma[2], sums[POINTS] = {0};
    FrictionPartial parts[FRICTION_PARTIALS];
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
    fill_table(&seed, 1, friction);
    set_table(&p, 1, friction);
    FrictionCurve curve = friction_curve(&p.system.table, 0);
    for (int n = friction_curve_partials(&curve, s, parts); n-- > 0;) sums[parts[n].point] += parts[n].gamma;
    for (int j = 0; j < POINTS; j++) {
      for (int side = 0; side < 2; side++) {
        friction[j] += side ? 2 * h : -h;
        set_table(&p, 1, friction);
        curve = friction_curve(&p.system.table, 0);
        gamma[side] = friction_curve_gamma(&curve, s);
      }
      friction[j] -= h;
      assert_true(fabs((gamma[1] - gamma[0]) / (2 * h) - sums[j]) < 1e-7);
    }
    sim_problem_clear(&p);
  }
}

/* A scheme with some of its keys. */
typedef struct Case {
  const char *scheme;
  SimMultiplier multiplier;
  bool stops;
} Case;

static const Case cases[] = {{"moreau", SIM_UNREGULARIZED, false},   {"moreau", SIM_UNREGULARIZED, true},
                             {"centered", SIM_UNREGULARIZED, false}, {"centered", SIM_REGULARIZED, false},
                             {"lie", SIM_UNREGULARIZED, false},      {"strang", SIM_SMOOTH, false}};

static void make(SimProblem *p, int k, const Case *c, int columns, double *friction, double *control) {
  uint64_t seed = (uint64_t)k + 23;
  tangent_problem(&seed, 2 * k, c->scheme, STEPS, p, control);
  p->system.stribeck_exponent = 0;
  p->by_direction = false;
  sim_problem_set(p, "multiplier", c->multiplier);
  if (c->multiplier == SIM_SMOOTH) sim_problem_set(p, "eta", 0.1);
  fill_table(&seed, columns, friction);
  set_table(p, columns, friction);
  if (!c->stops) return;
  stops_none(p);
  for (int i = 0; i < D; i++) {
    p->stops.lower[i] = p->x0[i] - 0.5;
    p->stops.upper[i] = p->x0[i] + 0.3;
    p->stops.restitution[i] = 0.5;
  }
}

/* Returns the number of columns that differ from differences. */
static int wrong_columns(SimProblem *p, const Both *b, int columns, double *friction, const double *control) {
  const double h = 1e-6;
  int wrong = 0;
  for (int j = 0; j < columns * POINTS; j++) {
    double ends[2][2 * D], error = 0, size = 1;
    for (int side = 0; side < 2; side++) {
      friction[j] += side ? 2 * h : -h;
      set_table(p, columns, friction);
      tangent_end(p, control, ends[side]);
    }
    friction[j] -= h;
    for (int i = 0; i < 2 * D; i++) {
      double difference = (ends[1][i] - ends[0][i]) / (2 * h);
      error = fmax(error, fabs(difference - b->rows[(i + 1) * b->columns - columns * POINTS + j]));
      size = fmax(size, fabs(difference));
    }
    wrong += error > 1e-5 * size;
  }
  set_table(p, columns, friction);
  return wrong;
}

static void columns_are_differences(void **state) {
  (void)state;
  static const SimDependence on[] = {SIM_ON_FRICTION, SIM_ON_TABLE};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    int wrong = 0, all = 0;
    double moved = 0;
    for (int k = 0; k < PROBLEMS / 3; k++) {
      SimProblem p;
      Both b;
      double control[VARIABLES], friction[D * POINTS];
      int columns = k % 2 ? D : 1;
      make(&p, k, &cases[c], columns, friction, control);
      adjoint_begin(&p, tangent_swinging, control, 2, on, &b);
      assert_int_equal(b.columns, D + columns * POINTS);
      for (int i = 0; i < 3 * D * b.columns; i++) b.least = fmax(b.least, fabs(b.rows[i]));
      adjoint_record(&b, control);
      assert_true(adjoint_worst_error(&b) <= 1e-11);
      wrong += wrong_columns(&p, &b, columns, friction, control);
      all += columns * POINTS;
      for (int i = 0; i < D * b.columns; i++) moved = fmax(moved, i % b.columns < D ? 0 : fabs(b.rows[i]));
      adjoint_end(&b);
      sim_problem_clear(&p);
    }
    assert_true(wrong <= all / 20 && moved > 0.05);
  }
}

static double waning(int i, double t) { return 3 - 0.2 * t + 0.1 * i; }
static double pressing(int i, double e) { return 0.3 * (i + 1) * fabs(e); }

/* Further features of the problem: thresholds that depend on time or position, or elastic stops. */
enum { PLAIN, IN_TIME, BY_PLACE, ELASTIC_ENDS, BESIDE };

static void put_beside(SimProblem *p, int beside) {
  FixtureSource source = {beside == IN_TIME ? waning : pressing, p->d};
  const SimLoad load = {.context = &source, .at = fixture_force_at};
  double where;
  if (beside == IN_TIME) assert_int_equal(stiction_problem_set_thresholds(p, D, &load, 0, NULL, &where), SIM_OK);
  if (beside == BY_PLACE)
    assert_int_equal(stiction_problem_set_rise(p, SIM_OWN_PLACE, D, &load, -20, 20, 0, NULL, &where), SIM_OK);
  if (beside != ELASTIC_ENDS) return;
  stops_none(p);
  for (int i = 0; i < D; i++) {
    p->stops.upper[i] = p->x0[i] + 0.3;
    p->stops.stiffness[i] = 300;
  }
}

/* Compares each column of the exact motion with differences, forward and adjoint. */
static void motions_columns_are_differences(void **state) {
  (void)state;
  const Case event = {"event", SIM_UNREGULARIZED, false};
  const SimDependence on = SIM_ON_TABLE;
  for (int beside = 0; beside < BESIDE; beside++) {
    double moved = 0;
    for (int k = 0; k < PROBLEMS; k++) {
      SimProblem p;
      Both b;
      double control[VARIABLES], friction[D * POINTS];
      int columns = k % 2 ? D : 1;
      make(&p, k, &event, columns, friction, control);
      put_beside(&p, beside);
      adjoint_begin(&p, tangent_swinging, control, 1, &on, &b);
      assert_int_equal(b.columns, columns * POINTS);
      adjoint_record(&b, control);
      assert_true(adjoint_worst_error(&b) <= 1e-11);
      assert_int_equal(wrong_columns(&p, &b, columns, friction, control), 0);
      for (int i = 0; i < D * b.columns; i++) moved = fmax(moved, fabs(b.rows[i]));
      adjoint_end(&b);
      sim_problem_clear(&p);
    }
    assert_true(moved > 0.05);
  }
}

/* A mass m is pushed by the force `push`. Friction decreases linearly from F_0 = 2 N to F_1 = 1 N over the first 2 m/s:
 * m v' = push - 2 + v/2. F_0 and F_1 contribute the two hat functions of this line. The closed form of V = dv(T)/dF_1
 * holds for a constant threshold c = 2, where friction is 2 F(v)/F_0: m V' = V/2 - v/2. */
static void closed_form(void **state) {
  (void)state;
  const double speed[] = {0, 2}, friction[] = {2, 1}, push = 2.5, end = 1.5;
  const SimDependence on = SIM_ON_TABLE;
  SimProblem p;
  Both b;
  long where;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  fixture_scheme(&p, "event");
  fixture_time(&p, end, 10);
  p.system.mass[0] = p.control_matrix[0] = 1;
  p.friction[0] = 2;
  assert_int_equal(stiction_problem_set_friction_table(&p, 2, 1, speed, friction, &where), SIM_OK);
  adjoint_begin(&p, fixture_no_force, &push, 1, &on, &b);
  double grown = exp(end / 2), v = grown - 1; /* solution of the equation: v = (push - 2)/(1/2) (grown - 1) */
  assert_true(fabs(b.final.v[0] - v) < 1e-9);
  /* V has the forcing -v/2 = -(exp(t/2) - 1)/2. */
  double second = -end / 2 * grown + grown - 1;
  assert_true(fabs(b.rows[b.columns + 1] - second) < 1e-9);
  assert_true(fabs(b.rows[b.columns] + second / 2) < 1e-9); /* F(v)/F_0 depends only on F_1/F_0 */
  adjoint_record(&b, &push);
  assert_true(adjoint_worst_error(&b) <= 1e-12);
  adjoint_end(&b);
  sim_problem_clear(&p);
}

/* Models without a table have no such derivatives. Nor has `event`, if it makes a table from a law and a gear box, or
 * from a law without a series. */
static void others_have_none(void **state) {
  (void)state;
  const SimDependence on = SIM_ON_TABLE;
  for (int k = 0; k < 3; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    const double friction[POINTS] = {3, 2, 1, 1.5, 2, 3};
    fixture_paper(&p, 1, k ? "event" : "moreau", SIM_UNREGULARIZED, 10);
    if (k == 1) {
      set_table(&p, 1, friction);
      p.system.gearbox.present = true;
      p.system.gearbox.law = SIM_STRIBECK_SQRT;
      SimGearbox *g = &p.system.gearbox;
      for (int i = 0; i < p.d; i++) {
        g->delta[i] = g->k[i] = g->b[i] = g->epsilon[i] = 1;
        g->a[i] = 0.5;
      }
    }
    if (k == 2) {
      p.system.stribeck = SIM_STRIBECK_EXPONENTIAL;
      p.system.stribeck_exponent = 1.5;
      for (int i = 0; i < p.d; i++) p.system.stribeck_beta[i] = p.system.stribeck_epsilon[i] = 0.5;
    }
    SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
    assert_int_equal(stiction_sensitivity_create(model, 1, &on, &sensitivity), SIM_BAD_PROBLEM);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(partials_are_differences),
                                     cmocka_unit_test(columns_are_differences),
                                     cmocka_unit_test(motions_columns_are_differences), cmocka_unit_test(closed_form),
                                     cmocka_unit_test(others_have_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
