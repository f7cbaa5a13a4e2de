/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests unsymmetric damping, as of coils in fields and of gyroscopes, with every scheme; the solver of its steps; and
 * combinations that are not supported. */
#include "tests/fixture.h"

#include "sim/core/features.h"
#include "sim/law/friction_law.h"
#include "sim/step/dense_solver.h"

enum { D = 3, D_MAX = 40, STATE = 2 * D + 1 };

/* Makes two masses and the charge of a coil: 12 N/A between the first mass and the coil, 2 ohm, 5 mH. */
static void coil(SimProblem *p, const char *scheme, long steps) {
  static const double mass[D] = {0.6, 0.3, 0.005}, damping[D * D] = {0.5, -0.2, -12, -0.2, 0.4, 0, 12, 0, 2};
  static const double stiffness[D * D] = {60, -60, 0, -60, 60, 0, 0, 0, 0};
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, 0), SIM_OK);
  for (int i = 0; i < D; i++) p->system.mass[i * (D + 1)] = mass[i];
  memcpy(p->system.damping, damping, sizeof damping);
  memcpy(p->system.stiffness, stiffness, sizeof stiffness);
  p->friction[0] = 2;
  fixture_time(p, 0.5, steps);
  fixture_scheme(p, scheme);
}

/* Returns the voltage, V. */
static double voltage(int i, double t) { return i == D - 1 ? 9 * sin(25 * t) : 0; }
static double steady(int i, double t) {
  (void)t;
  return i == D - 1 ? 6 : 0;
}
static double opposite(int i, double t) { return -voltage(i, t); }

static void watch(void *context, const SimStep *step) {
  const SimEnergy *e = step->energy;
  double *open = context;
  *open = (e->work - e->stored - e->dissipated - e->numerical) / (fabs(e->work) + fabs(e->dissipated) + 1e-300);
}

/* Computes exp(t a) z, a [STATE][STATE], by the series over small parts of t. */
static void go_linear(double a[STATE][STATE], double t, double *z) {
  enum { PARTS = 4096, ORDER = 12 };
  for (int part = 0; part < PARTS; part++) {
    double term[STATE], next[STATE];
    memcpy(term, z, sizeof term);
    for (int k = 1; k <= ORDER; k++) {
      for (int i = 0; i < STATE; i++) {
        next[i] = 0;
        for (int j = 0; j < STATE; j++) next[i] += a[i][j] * term[j] * t / PARTS / k;
      }
      memcpy(term, next, sizeof term);
      for (int i = 0; i < STATE; i++) z[i] += term[i];
    }
  }
}

/* While the first mass moves in one direction, the system is linear. */
static void event_is_the_exponential(void **state) {
  SimProblem p;
  double x[D], v[D], a[STATE][STATE] = {{0}}, z[STATE] = {0};
  (void)state;
  coil(&p, "event", 4);
  fixture_time(&p, 0.3, 4);
  p.v0[0] = 0.8;
  p.v0[1] = 0.6;
  for (int i = 0; i < D; i++) {
    double m = p.system.mass[i * (D + 1)];
    a[i][D + i] = 1;
    for (int j = 0; j < D; j++) {
      a[D + i][j] = -p.system.stiffness[i * D + j] / m;
      a[D + i][D + j] = -p.system.damping[i * D + j] / m;
    }
    a[D + i][2 * D] = (steady(i, 0) - p.friction[i]) / m;
    z[D + i] = p.v0[i];
  }
  z[2 * D] = 1;
  go_linear(a, 0.3, z);
  const SimFinal final = fixture_run(&p, steady, NULL, NULL, x, v);
  assert_true(v[0] > 0);
  assert_int_equal(final.iterations, 0);
  for (int i = 0; i < D; i++) assert_true(fabs(x[i] - z[i]) <= 1e-10 && fabs(v[i] - z[D + i]) <= 1e-9);
}

enum { ENDS = 8 };

/* Computes x, v at end number k. The energies must close. */
static SimFinal run_to(int k, const char *scheme, long steps, double *end) {
  SimProblem p;
  double open = NAN, T = 0.3 + 0.025 * k;
  coil(&p, scheme, steps);
  fixture_time(&p, T, lround(2 * T * (double)steps));
  const SimFinal final = fixture_run(&p, voltage, NULL, &(SimObserver){&open, watch, NULL}, end, end + D);
  assert_true(fabs(open) <= 1e-9);
  return final;
}

/* Returns the mean distance of a scheme from the exact final states. */
static double error_of(const char *scheme, long steps, double exact[ENDS][2 * D]) {
  double sum = 0, end[2 * D];
  for (int k = 0; k < ENDS; k++) {
    run_to(k, scheme, steps, end);
    for (int i = 0; i < D; i++) sum += fabs(end[i] - exact[k][i]) + fabs(end[D + i] - exact[k][D + i]) / 10;
  }
  return sum / ENDS;
}

static void schemes_converge(void **state) {
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang"};
  double exact[ENDS][2 * D];
  (void)state;
  for (int k = 0; k < ENDS; k++) assert_true(run_to(k, "event", 10, exact[k]).iterations >= 3);
  for (int k = 0; k < 4; k++) {
    double coarse = error_of(schemes[k], 1000, exact), fine = error_of(schemes[k], 64000, exact),
           order = log2(coarse / fine) / 6;
    print_message("%s: errors %.2e, %.2e, order %.2f\n", schemes[k], coarse, fine, order);
    /* For centered the error depends on where events lie within steps, also with symmetric damping. */
    assert_true(fine < 1e-3 && order > 0.85 && order < (k == 3 ? 2.1 : 1.2));
  }
}

/* The fixed point and the exact solver have the same steps. A mirrored problem has the mirrored motion, bit for bit. */
static void solvers_agree_and_mirror(void **state) {
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang", "event"};
  (void)state;
  for (int k = 0; k < 5; k++) {
    SimProblem p;
    double x[3][D], v[3][D];
    for (int way = 0; way < 3; way++) {
      coil(&p, schemes[k], 1000);
      if (way == 2 && k == 4) sim_problem_set(&p, "tolerance", 1e-12);
      if (way == 2 && k < 4) {
        assert_int_equal(sim_problem_choose(&p, "solver", "fixed_point"), SIM_OK);
        sim_problem_set(&p, "tolerance", 1e-13);
      }
      fixture_run(&p, way == 1 ? opposite : voltage, NULL, NULL, x[way], v[way]);
    }
    for (int i = 0; i < D; i++) {
      assert_true(x[0][i] == -x[1][i] && v[0][i] == -v[1][i]);
      assert_true(fabs(x[2][i] - x[0][i]) <= 1e-8 && fabs(v[2][i] - v[0][i]) <= 1e-7);
    }
  }
}

static void keep_energy(void *context, const SimStep *step) {
  double *most = context;
  *most = fixture_max(*most, fabs(step->energy->stored) + fabs(step->energy->dissipated));
}

/* A gyroscope changes the direction of a motion without taking energy. */
static void gyroscope_keeps_energy(void **state) {
  SimProblem p;
  double x[D], v[D], most = 0;
  (void)state;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, D, 0), SIM_OK);
  for (int i = 0; i < D; i++) {
    p.system.mass[i * (D + 1)] = 1 + 0.5 * i;
    p.system.stiffness[i * (D + 1)] = 4 + i;
    p.v0[i] = 1 - 0.7 * i;
    for (int j = 0; j < i; j++) {
      p.system.damping[i * D + j] = 3.0 + i - 2 * j;
      p.system.damping[j * D + i] = -p.system.damping[i * D + j];
    }
  }
  fixture_time(&p, 20, 100);
  fixture_scheme(&p, "event");
  fixture_run(&p, fixture_no_force, NULL, &(SimObserver){&most, keep_energy, NULL}, x, v);
  assert_true(most <= 1e-10);
}

typedef struct Reported {
  int n;
  char text[256];
} Reported;

static void hear(void *context, const char *key, const char *text) {
  Reported *reported = context;
  assert_string_equal(key, "model.damping");
  snprintf(reported->text, sizeof reported->text, "%s", text);
  reported->n++;
}

static void what_is_refused(void **state) {
  SimProblem p;
  Reported reported = {0};
  const SimReport report = {&reported, hear};
  (void)state;
  coil(&p, "moreau", 100);
  p.system.damping[0] = -0.1;
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_BAD_PROBLEM);
  assert_int_equal(reported.n, 1);
  assert_non_null(strstr(reported.text, "of its symmetric part"));
  sim_problem_clear(&p);
  assert_int_equal(sim_problem_init_sparse(&p, NULL, 2, 0, 2, 0), SIM_OK);
  SimMatrix *const parts[] = {&p.system.sparse.mass, &p.system.sparse.damping};
  for (int k = 0; k < 2; k++) {
    const double entries[4] = {1, k, -k, 1};
    assert_int_equal(sim_matrix_alloc(parts[k], 2, 4), SIM_OK);
    for (int q = 0; q < 4; q++) {
      parts[k]->column[q] = q % 2;
      parts[k]->value[q] = entries[q];
    }
    parts[k]->start[1] = 2;
    parts[k]->start[2] = 4;
  }
  fixture_time(&p, 1, 10);
  fixture_scheme(&p, "moreau");
  reported = (Reported){0};
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_BAD_PROBLEM);
  assert_int_equal(reported.n, 1);
  assert_non_null(strstr(reported.text, "dense"));
  sim_problem_clear(&p);
}

/* Makes E = G G'/d + shift I + turn (H - H'). round: with integers, so that kinks coincide. */
static void make_step(DenseSolver *s, StepScratch *scratch, int d, double shift, double turn, bool regularized,
                      double *b, double *lambda, bool round, uint64_t *seed) {
  double g[D_MAX * D_MAX];
  assert_int_equal(dense_solver_init(s, d), SIM_OK);
  assert_int_equal(step_scratch_init(scratch, d), SIM_OK);
  for (int i = 0; i < d * d; i++) g[i] = fixture_random(seed);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      double sum = (i == j) * shift + turn * (g[i * d + j] - g[j * d + i]);
      for (int k = 0; k < d && !round; k++) sum += g[i * d + k] * g[j * d + k] / d;
      s->matrix[i * d + j] = round ? (i == j ? 1 : i < j ? 2 : -2) : sum;
    }
  for (int i = 0; i < d; i++) {
    b[i] = round ? floor(4 * fixture_random(seed)) : 2 * fixture_random(seed);
    s->threshold[i] = i % 5 == 3 ? 0 : round ? 1 : 0.2 + fabs(fixture_random(seed));
    s->projection_weight[i] = s->threshold[i] * 0.3;
    lambda[i] = s->threshold[i] > 0 && !round ? fixture_random(seed) : 0;
  }
  s->fresh = regularized ? 0.7 : 1;
  s->kept = regularized ? 1 - 0.7 : 0;
  assert_int_equal(dense_solver_factor(s), SIM_OK);
}

/* Solves one after another with one factorisation, for any coupling; also with b = 0. */
static void steps_are_solved(void **state) {
  static const double turns[] = {0.3, 3, 100, 1e4};
  uint64_t seed = 3;
  int stuck = 0, sliding = 0, worst_iterations = 0;
  double worst = 0;
  (void)state;
  for (int trial = 0; trial < 480; trial++) {
    int d = 2 + trial % (D_MAX - 1);
    bool regularized = trial / D_MAX % 2, round = trial % 7 == 0;
    DenseSolver s;
    StepScratch scratch;
    double b[D_MAX], w[D_MAX] = {0}, lambda[D_MAX], old[D_MAX];
    signed char slip[D_MAX];
    make_step(&s, &scratch, d, 0.1, turns[trial % 4], regularized, b, lambda, round, &seed);
    assert_true(s.skew);
    for (int again = 0; again < 4; again++) {
      StepTally tally = {0};
      memcpy(old, lambda, sizeof old);
      assert_int_equal(step_solve(&s, &scratch, b, NULL, w, lambda, slip, &tally), SIM_OK);
      worst_iterations = tally.iterations > worst_iterations ? (int)tally.iterations : worst_iterations;
      for (int i = 0; i < d; i++) {
        double rest = b[i] - s.threshold[i] * lambda[i], terms = 1 + fabs(b[i]);
        for (int j = 0; j < d; j++) {
          rest -= s.matrix[i * d + j] * w[j];
          terms += fabs(s.matrix[i * d + j] * w[j]);
        }
        double z = friction_project(lambda[i] + s.projection_weight[i] * w[i]);
        worst = fmax(worst, fabs(rest) / terms);
        assert_true(fabs(rest) <= 1e-12 * terms && fabs(lambda[i]) <= 1);
        if (s.threshold[i] > 0) assert_true(fabs(lambda[i] - s.fresh * z - s.kept * old[i]) <= 1e-12);
        if (s.threshold[i] > 0 && !regularized) assert_true(slip[i] == friction_sign(w[i]));
        stuck += w[i] == 0;
        sliding += w[i] != 0;
      }
      for (int i = 0; i < d; i++) b[i] = again == 1 ? 0 : b[i] + (round ? 1 : 0.3 * fixture_random(&seed));
    }
    dense_solver_clear(&s);
    step_scratch_clear(&scratch);
  }
  print_message("%d stuck, %d sliding; equations off by %.1e of their terms; %d pieces at most\n", stuck, sliding,
                worst, worst_iterations);
  assert_true(stuck > 500 && sliding > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(event_is_the_exponential), cmocka_unit_test(schemes_converge),
      cmocka_unit_test(solvers_agree_and_mirror), cmocka_unit_test(gyroscope_keeps_energy),
      cmocka_unit_test(what_is_refused),          cmocka_unit_test(steps_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
