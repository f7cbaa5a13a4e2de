/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests friction laws and spring laws with series that begin with zeros. Blocks are thrown with all friction laws, from
 * 3 to 1e6 epsilon, and their time T and distance X until they stop are compared with quadrature,
 *
 *     m v' = -c (1 - gamma(v)):   T = int_0^v0 m/(c (1 - gamma)) dv,   X = int_0^v0 m v/(c (1 - gamma)) dv
 *
 * Also forces that begin with high powers of t, and springs with a range that the motion does not fill. */
#include "tests/sim/adjoint.h"
#include "tests/sim/event/event.h"
#include "tests/sim/friction/springs.h"

/* ---- thrown blocks ---- */

typedef struct Thrown {
  SimStribeck law;
  double exponent, mass, c, beta, epsilon, v0;
} Thrown;

enum { POINTS = 6 };
static const double knots[POINTS] = {0, 1, 2, 5, 9, 20}, measured[POINTS] = {1, 0.95, 0.6, 0.4, 0.45, 0.5};

/* Returns gamma, the decrease of friction. For a table it is 1 - F/F(0) by the library's cubics, which other tests
 * verify; otherwise it is computed by formula. */
static double gamma_at(const Thrown *t, const SimProblem *p, double v) {
  double z = v / t->epsilon;
  switch (t->law) {
  case SIM_STRIBECK_SQRT: return t->beta * z / sqrt(1 + z * z);
  case SIM_STRIBECK_RAMP: return t->beta * fmin(z, 1);
  case SIM_STRIBECK_EXPONENTIAL: return t->beta * -expm1(-pow(z, t->exponent));
  case SIM_STRIBECK_TABLE: {
    const double *row = p->system.table.rows;
    int k = 0;
    while (k + 1 < POINTS && row[SIM_TABLE_ROW] <= v) row += SIM_TABLE_ROW, k++;
    double part = k + 1 < POINTS ? (v - row[0]) / (row[SIM_TABLE_ROW] - row[0]) : 0;
    const double *c = row + SIM_TABLE_GAMMA;
    return c[0] + part * (c[1] + part * (c[2] + part * c[3]));
  }
  default: return 0;
  }
}

/* Results of a quadrature: T, X, and the derivative of X by the parameter beta of the law. */
typedef struct Stop {
  double time, way, by_beta;
} Stop;

/* Integrates by Gauss's rule with 5 points on panels. The panels end at the points of a table and at epsilon, and are
 * short where gamma changes. */
static Stop quadrature(const Thrown *t, const SimProblem *p) {
  static const double node[5] = {-0.9061798459386639928, -0.5384693101056830910, 0, 0.5384693101056830910,
                                 0.9061798459386639928};
  static const double weight[5] = {0.2369268850561890875, 0.4786286704993664680, 0.5688888888888888889,
                                   0.4786286704993664680, 0.2369268850561890875};
  Stop stop = {0};
  for (double from = 0; from < t->v0;) {
    double z = from / t->epsilon, next = z < 45 ? from + t->epsilon / 32 : from * (1 + 1.0 / 32);
    double last = ceil(z + 1e-9) * t->epsilon;
    if (z < 45 && next > last - 1e-9 * t->epsilon) next = last;
    next = fmin(next, t->v0);
    for (int q = 0; q < 5; q++) {
      double v = from + (next - from) * (1 + node[q]) / 2, gamma = gamma_at(t, p, v);
      double share = weight[q] * (next - from) / 2 * t->mass / (t->c * (1 - gamma));
      stop.time += share;
      stop.way += share * v;
      stop.by_beta += share * v * gamma / (t->beta * (1 - gamma));
    }
    from = next;
  }
  return stop;
}

static void throw(const Thrown *t, SimProblem *p) {
  double speed[POINTS];
  long where;
  fixture_throw(p, "event", 1, 1, t->mass, t->c, t->v0);
  p->system.stribeck = t->law;
  p->system.stribeck_exponent = t->exponent;
  p->system.stribeck_beta[0] = t->beta;
  p->system.stribeck_epsilon[0] = t->epsilon;
  for (int k = 0; k < POINTS; k++) speed[k] = t->epsilon * knots[k];
  if (t->law == SIM_STRIBECK_TABLE)
    assert_int_equal(stiction_problem_set_friction_table(p, POINTS, 1, speed, measured, &where), SIM_OK);
}

static void note_stop(void *context, double t, int dof, int slip) {
  (void)dof;
  if (slip == 0) *(double *)context = t;
}

static const Thrown blocks[] = {{.mass = 1, .c = 3, .beta = 0.6, .epsilon = 0.01},
                                {.mass = 2, .c = 0.5, .beta = 0.9, .epsilon = 0.001},
                                {.mass = 0.3, .c = 40, .beta = 0.35, .epsilon = 1}};
static const struct {
  SimStribeck law;
  double exponent;
} laws[] = {{SIM_STRIBECK_EXPONENTIAL, 1},
            {SIM_STRIBECK_EXPONENTIAL, 2},
            {SIM_STRIBECK_SQRT, 0},
            {SIM_STRIBECK_RAMP, 0},
            {SIM_STRIBECK_TABLE, 0}};
enum { BLOCKS = sizeof blocks / sizeof *blocks, LAWS = sizeof laws / sizeof *laws };

static void thrown_blocks_stop(void **state) {
  static const double speeds[] = {3, 6, 6.5, 8, 10, 36, 38, 45, 60, 300, 1e3, 1e4, 1e6};
  (void)state;
  for (int block = 0; block < BLOCKS; block++)
    for (int law = 0; law < LAWS; law++)
      for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        Thrown t = blocks[block];
        SimProblem p;
        double x, v, end = 0;
        t.law = laws[law].law;
        t.exponent = laws[law].exponent;
        t.v0 = speeds[k] * t.epsilon;
        throw(&t, &p);
        const Stop stop = quadrature(&t, &p);
        fixture_time(&p, 1.5 * stop.time, 3);
        fixture_run(&p, fixture_no_force, NULL, &(SimObserver){&end, event_pass_step, note_stop}, &x, &v);
        if (!(fabs(end / stop.time - 1) <= 1e-9 && fabs(x / stop.way - 1) <= 1e-9 && v == 0))
          fail_msg("law %d of exponent %g, block %d from %g epsilon: stops %.1e late, x %.1e off", (int)t.law,
                   t.exponent, block, speeds[k], end / stop.time - 1, x / stop.way - 1);
      }
}

/* Tests derivatives of thrown blocks by v0 and beta, forward and adjoint: dX/dv0 = m v0/(c (1 - gamma(v0))). */
static void thrown_blocks_have_derivatives(void **state) {
  static const SimDependence on[] = {SIM_ON_VELOCITY, SIM_ON_BETA};
  static const double speeds[] = {5, 40, 500};
  (void)state;
  for (int law = 0; law < LAWS; law++)
    for (int k = 0; k < 3; k++) {
      Thrown t = blocks[0];
      SimProblem p;
      Both both;
      bool beta = laws[law].law != SIM_STRIBECK_TABLE;
      t.law = laws[law].law;
      t.exponent = laws[law].exponent;
      t.v0 = speeds[k] * t.epsilon;
      throw(&t, &p);
      const Stop stop = quadrature(&t, &p);
      double by_v0 = t.mass * t.v0 / (t.c * (1 - gamma_at(&t, &p, t.v0)));
      fixture_time(&p, 1.5 * stop.time, 1);
      adjoint_begin(&p, fixture_no_force, NULL, 1 + beta, on, &both);
      assert_near(both.rows[0] / by_v0, 1, 1e-8);
      if (beta) assert_near(both.rows[1] / stop.by_beta, 1, 1e-8);
      adjoint_record(&both, NULL);
      assert_true(adjoint_worst_error(&both) < 1e-8);
      adjoint_end(&both);
      sim_problem_clear(&p);
    }
}

/* ---- late powers ---- */

/* The force c + 5 t^2 pulls a resting block of threshold c. So v begins with t^3 and v^2 with t^6. Compared with
 * Runge-Kutta of order 4. */
static double late_pull(int i, double t) { return (void)i, 3 + 5 * t * t; }

static double late_rise(double t, double v) {
  double z = v / 0.1;
  return late_pull(0, t) - 3 - 3 * 0.5 * expm1(-z * z);
}

static void peak_that_begins_late(void **state) {
  enum { STEPS = 20000 };
  double x, v, end_x = 0, end_v = 0, h = 1.0 / STEPS;
  SimProblem p;
  (void)state;
  for (int n = 0; n < STEPS; n++) {
    double t = n * h, a = late_rise(t, end_v), b = late_rise(t + h / 2, end_v + h / 2 * a),
           c = late_rise(t + h / 2, end_v + h / 2 * b), d = late_rise(t + h, end_v + h * c);
    end_x += h * (end_v + h / 6 * (a + b + c));
    end_v += h / 6 * (a + 2 * b + 2 * c + d);
  }
  throw(&(Thrown){SIM_STRIBECK_EXPONENTIAL, 2, 1, 3, 0.5, 0.1, 0}, &p);
  fixture_run(&p, late_pull, NULL, NULL, &x, &v);
  assert_near(x, end_x, 1e-10);
  assert_near(v, end_v, 1e-10);
}

/* A free mass of 1 kg leaves e = 0 at 1 m/s on a spring with the force g = 30 e^n, which is 0 there. Its position x at
 * T satisfies int_0^x de/sqrt(1 - 60 e^(n+1)/(n+1)) = T. */
static int power;
static double power_law(int i, double e) { return (void)i, 30 * pow(fabs(e), power) * (e < 0 ? -1 : 1); }

static double power_time(double x) {
  enum { PANELS = 4000 };
  double sum = 0;
  for (int k = 0; k <= PANELS; k++) {
    double e = x * k / PANELS, rate = 1 / sqrt(1 - 60 * pow(e, power + 1) / (power + 1));
    sum += rate * (k == 0 || k == PANELS ? 1 : k % 2 ? 4 : 2);
  }
  return sum * x / (3 * PANELS);
}

static void springs_that_begin_late(void **state) {
  (void)state;
  for (power = 1; power <= 15; power += 2) {
    SimProblem p;
    double where, x, v, to = 0.8 * pow((power + 1) / 60.0, 1.0 / (power + 1)), end = power_time(to);
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
    fixture_scheme(&p, "event");
    fixture_time(&p, end, 1);
    p.system.mass[0] = p.v0[0] = 1;
    assert_int_equal(springs_set(&p, SIM_ANCHORS, false, power_law, 1.5, &where), SIM_OK);
    fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
    assert_near(x, to, 1e-10);
    assert_near(v, sqrt(1 - 60 * pow(to, power + 1) / (power + 1)), 1e-10);
  }
}

/* ---- wide ranges ---- */

static double cube(int i, double e) { return (void)i, 80378.98583667325 * e * e * e; }
static double two_wells(int i, double e) { return (void)i, e * e * e - e; }
static double wave_on_cube(int i, double e) { return (void)i, e * e * e + 2 * sin(3 * e); }
static double hanging(int i, double e) { return (void)i, 5 * e * (1 - 0.5 / sqrt(1 + e * e)); }

/* Two masses that rest at an equilibrium stay there exactly. */
static void rest_is_rest(void **state) {
  static const char *const schemes[] = {"event", "moreau", "centered"};
  static double (*const rest[])(int, double) = {cube, two_wells, wave_on_cube, hanging};
  (void)state;
  for (int k = 0; k < 3; k++)
    for (int law = 0; law < 4; law++)
      for (int c = 0; c < 2; c++) {
        SimProblem p;
        double where, x[2], v[2];
        assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
        fixture_scheme(&p, schemes[k]);
        fixture_time(&p, k ? 1e-6 : 1, 100);
        p.system.mass[0] = p.system.mass[3] = 1;
        p.friction[0] = p.friction[1] = c;
        assert_int_equal(springs_set(&p, SIM_LINKS, false, rest[law], 75985.5, &where), SIM_OK);
        fixture_run(&p, fixture_no_force, NULL, NULL, x, v);
        assert_true(x[0] == 0 && x[1] == 0 && v[0] == 0 && v[1] == 0);
      }
}

/* A motion that stays within 2 m is the same for any larger range of the law. */
static void range_does_not_matter(void **state) {
  static double (*const any[])(int, double) = {two_wells, wave_on_cube, hanging};
  (void)state;
  for (int law = 0; law < 3; law++) {
    double x[4], v[4], where;
    for (int k = 0; k < 4; k++) {
      SimProblem p;
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
      fixture_scheme(&p, "event");
      fixture_time(&p, 10, 1);
      p.system.mass[0] = 1;
      p.x0[0] = 1.3;
      p.friction[0] = 0.02;
      assert_int_equal(springs_set(&p, SIM_ANCHORS, false, any[law], 2 * pow(law == 1 ? 4 : 50, k), &where), SIM_OK);
      fixture_run(&p, fixture_no_force, NULL, NULL, &x[k], &v[k]);
      assert_near(x[k], x[0], 1e-9);
      assert_near(v[k], v[0], 1e-9);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thrown_blocks_stop),    cmocka_unit_test(thrown_blocks_have_derivatives),
      cmocka_unit_test(peak_that_begins_late), cmocka_unit_test(springs_that_begin_late),
      cmocka_unit_test(rest_is_rest),          cmocka_unit_test(range_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
