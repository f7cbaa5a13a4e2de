/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests friction measured at some speeds: closed forms, laws that a table can represent, and its cubics. */
#include "tests/fixture.h"

#include "sim/internal.h"
#include "sim/law/friction_force.h"
#include "sim/monotone.h"

static const double MASS = 0.7, STATIC = 3, THROWN = 2;

/* Makes a block of mass MASS that slides on a floor. */
static void make_block(SimProblem *p, const char *scheme, double end, long steps) {
  fixture_throw(p, scheme, end, steps, MASS, STATIC, THROWN);
}

static void set_table(SimProblem *p, int n, const double *speed, const double *friction) {
  long where;
  assert_int_equal(stiction_problem_set_friction_table(p, n, 1, speed, friction, &where), SIM_OK);
}

static const char *const stepping[] = {"moreau", "centered", "lie", "strang"};
enum { STEPPING = sizeof stepping / sizeof *stepping };

/* Friction is c + b v up to a speed: m v' = -c - b v, so the block stops at t = m/b log(1 + b v0/c), after v0 m/b - c/b
 * t. */
static void line_is_viscous(void **state) {
  (void)state;
  const double slope = 1.3, speed[] = {0, 0.4, 1, 3}, rate = slope / MASS;
  double friction[4], stop = log(1 + slope * THROWN / STATIC) / rate, way = THROWN / rate - STATIC / slope * stop;
  for (int k = 0; k < 4; k++) friction[k] = STATIC + slope * speed[k];
  SimProblem p;
  double x, v, error[2];
  make_block(&p, "event", 2, 7);
  set_table(&p, 4, speed, friction);
  fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
  assert_true(v == 0 && fabs(x - way) < 1e-9);
  for (int k = 0; k < STEPPING; k++) {
    for (int fine = 0; fine < 2; fine++) {
      make_block(&p, stepping[k], 2, fine ? 8000 : 2000);
      set_table(&p, 4, speed, friction);
      fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
      error[fine] = fabs(x - way);
    }
    assert_true(error[1] < 2e-3 && error[1] < 0.35 * error[0]);
  }
}

/* A table of two points equals the ramp law, in every scheme. */
static void two_points_are_a_ramp(void **state) {
  (void)state;
  const double beta = 0.4, epsilon = 0.5, speed[] = {0, epsilon}, friction[] = {7, 7 * (1 - beta)};
  for (int k = 0; k <= STEPPING; k++) {
    double x[2], v[2];
    for (int table = 0; table < 2; table++) {
      SimProblem p;
      make_block(&p, k < STEPPING ? stepping[k] : "event", 0.7, 1000);
      p.system.stiffness[0] = 30;
      p.system.stribeck = SIM_STRIBECK_RAMP;
      p.system.stribeck_beta[0] = beta;
      p.system.stribeck_epsilon[0] = epsilon;
      if (table) set_table(&p, 2, speed, friction);
      fixture_run(&p, fixture_no_force, NULL, NULL, &x[table], &v[table]);
    }
    assert_true(fabs(x[1] - x[0]) < 1e-11 && fabs(v[1] - v[0]) < 1e-10);
  }
}

/* The curve passes through its points, is monotone between them, and is odd. Its slope agrees with differences. */
static void cubics_are_monotone(void **state) {
  (void)state;
  enum { N = 6, SAMPLES = 400 };
  uint64_t seed = 3;
  for (int trial = 0; trial < 40; trial++) {
    SimProblem p;
    double speed[N], friction[N], steepest = 0, before = 0;
    make_block(&p, "moreau", 1, 10);
    p.friction[0] = 1; /* the force is then F(s)/F(0) */
    for (int k = 0; k < N; k++) {
      speed[k] = (k ? speed[k - 1] : trial % 2 - 0.1) + 0.1 + fabs(fixture_random(&seed));
      friction[k] = 2 + fixture_random(&seed);
    }
    if (trial % 3 == 0) friction[2] = friction[3];
    set_table(&p, N, speed, friction);
    for (int k = 0; k < N; k++)
      assert_true(fabs(friction_gamma_of(&p, 0, speed[k]) - (1 - friction[k] / friction[0])) < 1e-14);
    for (int k = 0; k < N - 1; k++)
      for (int q = 0; q <= SAMPLES; q++) {
        double h = 1e-6, s = speed[k] + (speed[k + 1] - speed[k]) * q / SAMPLES, gamma = friction_gamma_of(&p, 0, s),
               slope = friction_drop_slope(&p, 0, s), rise = friction[k] - friction[k + 1];
        double difference = (friction_gamma_of(&p, 0, s + h) - friction_gamma_of(&p, 0, s - h)) / (2 * h);
        assert_true(q == 0 || (gamma - before) * rise >= -1e-14);
        assert_true(friction_gamma_of(&p, 0, -s) == -gamma && friction_drop_slope(&p, 0, -s) == slope);
        assert_true(q == 0 || q == SAMPLES || fabs(slope - difference) < 1e-6 * (1 + fabs(slope)));
        steepest = fmax(steepest, fabs(slope));
        before = gamma;
      }
    double bound = friction_table_steepest(&p.system.table, 0);
    assert_true(bound >= steepest - 1e-12 && bound < 1.01 * steepest + 1e-12);
    assert_true(friction_gamma_of(&p, 0, 100) == friction_gamma_of(&p, 0, speed[N - 1] + 1e-9));
    assert_true(friction_drop_slope(&p, 0, 100) == 0 && friction_gamma_of(&p, 0, 0) == 0);
    sim_problem_clear(&p);
  }
}

/* Only the shape of the table matters: m v' = -c F(v)/F(0). With a table for each dof, each has its own shape. */
static void thresholds_scale_it(void **state) {
  (void)state;
  const double speed[] = {0, 0.5, 2.5}, friction[] = {1, 0.5, 0.7, 1, 1, 1}, twice[] = {2, 1, 1.4};
  double x[4], v[4];
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    make_block(&p, "event", 3, 7);
    set_table(&p, 3, speed, k ? twice : friction);
    fixture_run(&p, fixture_no_force, NULL, NULL, &x[k], &v[k]);
  }
  assert_true(fabs(x[0] - x[1]) < 1e-12);
  SimProblem both;
  long where;
  assert_int_equal(sim_problem_init(&both, SIM_FRICTION, 2, 0), SIM_OK);
  fixture_time(&both, 3, 7);
  fixture_scheme(&both, "event");
  for (int i = 0; i < 2; i++) {
    both.system.mass[3 * i] = MASS;
    both.friction[i] = STATIC;
    both.v0[i] = THROWN;
  }
  assert_int_equal(stiction_problem_set_friction_table(&both, 3, 2, speed, friction, &where), SIM_OK);
  fixture_run(&both, fixture_no_force, NULL, NULL, x + 2, v + 2);
  assert_true(fabs(x[2] - x[0]) < 1e-12);                                 /* the first dof has the shape of its table */
  assert_true(fabs(x[3] - MASS * THROWN * THROWN / (2 * STATIC)) < 1e-9); /* the table of the second dof is constant */
}

static void count_complaints(void *context, const char *key, const char *text) {
  (void)text;
  *(int *)context += strcmp(key, "time.step") == 0 ? 1 : 100;
}

/* A step with which the friction of the table would overshoot is refused. A slightly shorter one is accepted. */
static void steps_are_bounded(void **state) {
  (void)state;
  const double speed[] = {0, 0.01, 3}, falls[] = {3, 1, 1}, rises[] = {3, 8, 8};
  for (int k = 0; k < 2 * STEPPING; k++) {
    SimProblem p;
    SimBounds bounds;
    int complaints = 0;
    const SimReport report = {&complaints, count_complaints};
    make_block(&p, stepping[k % STEPPING], 1, 1000000);
    set_table(&p, 3, speed, k / STEPPING ? rises : falls);
    assert_int_equal(sim_problem_check(&p, &report, &bounds), SIM_OK);
    double substeps[STEPPING] = {1, 1, sim_problem_get(&p, "friction_substeps"),
                                 2 * sim_problem_get(&p, "friction_substeps")};
    double slope = friction_table_steepest(&p.system.table, 0), limit = bounds.friction_limit;
    assert_true(fabs(limit / (MASS / (STATIC * slope) * substeps[k % STEPPING]) - 1) < 1e-9);
    for (int shorter = 0; shorter < 2; shorter++) {
      long steps = (long)ceil(1 / limit) + 3 * shorter - 2;
      fixture_time(&p, 1, steps);
      assert_int_equal(sim_problem_check(&p, &report, &bounds), shorter ? SIM_OK : SIM_BAD_PROBLEM);
    }
    assert_int_equal(complaints, 1);
    sim_problem_clear(&p);
  }
}

static void bad_tables_are_refused(void **state) {
  (void)state;
  static const struct {
    double speed[3], friction[3];
    long where;
  } all[] = {{{0, 1, 1}, {1, 1, 1}, 2},         {{-0.1, 1, 2}, {1, 1, 1}, 0}, {{0, 1, 2}, {0, 1, 1}, 3},
             {{0, 1, 2}, {1, -0.1, 1}, 4},      {{0, 1, 2}, {1, 1, NAN}, 5},  {{0, INFINITY, 2}, {1, 1, 1}, 1},
             {{0, 1e-300, 2}, {1, 1e200, 1}, 4}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    SimProblem p;
    long where = -1;
    make_block(&p, "moreau", 1, 10);
    assert_int_equal(stiction_problem_set_friction_table(&p, 3, 1, all[k].speed, all[k].friction, &where),
                     SIM_BAD_PROBLEM);
    assert_int_equal(where, all[k].where);
    assert_true(p.system.stribeck == SIM_STRIBECK_NONE && !p.system.table.rows);
    sim_problem_clear(&p);
  }
}

static void keep_energy(void *context, const SimStep *step) { *(SimEnergy *)context = *step->energy; }

static void energy_closes(void **state) {
  (void)state;
  for (int k = 0; k <= STEPPING; k++) {
    SimProblem p;
    double x[3], v[3];
    fixture_paper(&p, 2, k < STEPPING ? stepping[k] : "event", SIM_UNREGULARIZED, 1);
    fixture_table(&p);
    SimEnergy energy;
    const SimObserver observer = {.context = &energy, .step = keep_energy};
    const double u[] = {1, -2, 3};
    fixture_run(&p, fixture_tp2_force, u, &observer, x, v);
    double error = energy.stored + energy.dissipated + energy.numerical - energy.work;
    assert_true(fabs(error) < 1e-9 * (fabs(energy.work) + fabs(energy.dissipated)) && energy.dissipated > 1);
  }
}

/* A friction law that is given as a C function: Stribeck's law, or one with a kink. */
typedef struct Own {
  double beta, scale;
  int kind; /* 1: a kink at s = scale; 2: a jump there; 3: a wrong slope; 4: negative; 5: not finite */
  long asked;
} Own;

static double own_force(void *context, int i, double s, double *slope) {
  Own *own = context;
  (void)i;
  own->asked++;
  if (own->kind == 1) {
    *slope = s < own->scale ? -STATIC * own->beta / own->scale : 0;
    return STATIC * (1 - own->beta * fmin(s / own->scale, 1));
  }
  double drop = exp(-s / own->scale);
  *slope = -STATIC * own->beta / own->scale * drop * (own->kind == 3 ? 1.1 : 1);
  if (own->kind == 5 && s > 1) *slope = NAN;
  return STATIC * (1 - own->beta * (1 - drop)) - (own->kind == 2 && s > own->scale) - 9 * (own->kind == 4 && s > 1);
}

/* A law given as a function has the same motion and derivatives as the program's own formula, in every scheme. */
static void functions_are_laws(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k <= STEPPING; k++) {
      Own own = {.beta = 0.6, .scale = 0.4, .kind = kind};
      double x[2], v[2], where;
      for (int function = 0; function < 2; function++) {
        SimProblem p;
        make_block(&p, k < STEPPING ? stepping[k] : "event", 0.7, 1000);
        p.system.stiffness[0] = 30;
        p.system.stribeck = kind ? SIM_STRIBECK_RAMP : SIM_STRIBECK_EXPONENTIAL;
        p.system.stribeck_beta[0] = own.beta;
        p.system.stribeck_epsilon[0] = own.scale;
        const SimFrictionLaw law = {&own, own_force};
        if (function) assert_int_equal(stiction_problem_set_friction_law(&p, 1, &law, 4, &where), SIM_OK);
        if (function)
          for (double s = -5; s < 5; s += 0.0137) {
            double slope, force = own_force(&own, 0, fmin(fabs(s), 4), &slope), r = fabs(s);
            assert_true(fabs(1 - fabs(friction_gamma_of(&p, 0, s)) - force / STATIC) < 1e-8);
            if (r < 4 && fabs(r - own.scale) > 1e-3)
              assert_true(fabs(friction_drop_slope(&p, 0, s) + slope) < 1e-4 * STATIC);
          }
        fixture_run(&p, fixture_no_force, NULL, NULL, &x[function], &v[function]);
      }
      assert_true(fabs(x[0] - x[1]) < 1e-7 && fabs(v[0] - v[1]) < 1e-6);
      assert_true(own.asked < 20000);
    }
}

static void bad_functions_are_refused(void **state) {
  (void)state;
  SimProblem p;
  double where;
  make_block(&p, "moreau", 1, 1000);
  for (int kind = 2; kind <= 5; kind++) {
    Own own = {.beta = 0.6, .scale = 0.4, .kind = kind};
    assert_int_equal(stiction_problem_set_friction_law(&p, 1, &(SimFrictionLaw){&own, own_force}, 4, &where),
                     SIM_BAD_PROBLEM);
    assert_true(p.system.stribeck == SIM_STRIBECK_NONE && !p.system.table.rows);
    assert_true(kind == 2 ? fabs(where - 0.4) < 1e-6 : kind == 3 ? where < 4 : where > 1);
  }
  EXPECT_REFUSED(stiction_problem_set_friction_law(&p, 1, NULL, 4, &where),
                 "stiction_problem_set_friction_law: law is NULL, or no function");
  EXPECT_REFUSED(stiction_problem_set_friction_law(&p, 2, &(SimFrictionLaw){NULL, own_force}, 4, &where),
                 "stiction_problem_set_friction_law: columns is neither 1 nor d");
  EXPECT_REFUSED(stiction_problem_set_friction_law(&p, 1, &(SimFrictionLaw){NULL, own_force}, NAN, &where),
                 "stiction_problem_set_friction_law: most is not above 0, or not finite");
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(line_is_viscous),
      cmocka_unit_test(two_points_are_a_ramp),
      cmocka_unit_test(cubics_are_monotone),
      cmocka_unit_test(thresholds_scale_it),
      cmocka_unit_test(steps_are_bounded),
      cmocka_unit_test(bad_tables_are_refused),
      cmocka_unit_test(energy_closes),
      cmocka_unit_test(functions_are_laws),
      cmocka_unit_test(bad_functions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
