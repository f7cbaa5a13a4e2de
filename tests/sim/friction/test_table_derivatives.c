/* Derivatives with regard to the numbers of a friction table: of its curve, and along the steps of every scheme with steps. */
#include "tests/sim/adjoint.h"
#include "tests/sim/stops.h"

#include "sim/law/friction_table.h"

enum { POINTS = 6, STEPS = 160, PROBLEMS = 12 };

/* Random tables that fall and rise; one for all dofs, or one each. */
static void fill_table(uint64_t *seed, int columns, double *friction) {
  for (int j = 0; j < columns; j++)
    for (int k = 0; k < POINTS; k++) friction[j * POINTS + k] = 2 + 0.2 * j + (k ? fixture_random(seed) : 1);
}

static void set_table(SimProblem *p, int columns, const double *friction) {
  static const double speed[POINTS] = {0, 0.2, 0.5, 0.9, 1.5, 4};
  long where;
  assert_int_equal(sim_problem_set_friction_table(p, POINTS, columns, speed, friction, &where), SIM_OK);
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

/* A scheme with its choices. */
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

/* Of how many numbers the difference is another one than the column. */
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
      error = fmax(error, fabs(difference - b->rows[i * b->columns + D + j]));
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
    for (int k = 0; k < PROBLEMS; k++) {
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

/* `event` has none, nor has a model without a table. */
static void others_have_none(void **state) {
  (void)state;
  const SimDependence on = SIM_ON_TABLE;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *sensitivity;
    const double friction[POINTS] = {3, 2, 1, 1.5, 2, 3};
    fixture_paper(&p, 1, k ? "moreau" : "event", SIM_UNREGULARIZED, 10);
    if (!k) set_table(&p, 1, friction);
    SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
    assert_int_equal(sim_sensitivity_create(model, 1, &on, &sensitivity), SIM_BAD_PROBLEM);
    sim_workspace_destroy(work);
    sim_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(partials_are_differences),
                                     cmocka_unit_test(columns_are_differences), cmocka_unit_test(others_have_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
