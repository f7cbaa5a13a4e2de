/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the splitting schemes with reference data: runs of an independent implementation, single substeps, closed
 * forms. */
#include "sim/law/smooth_law.h"
#include "sim/step/dense_solver.h"
#include "tests/sim/friction/reference_splitting.h"
#include "tests/sim/friction/splitting.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const double mass_62[4] = {2, 1, 1, 2}, stiffness_62[4] = {2, -1, -1, 2};

typedef struct Trace {
  const TraceRow *row, *end;
  int d;
  double tolerance, lambda_tolerance;
} Trace;

static void follow(void *context, const SimStep *step) {
  Trace *trace = context;
  if (trace->row == trace->end || step->n != trace->row->n) return;
  for (int i = 0; i < trace->d; i++) {
    assert_near(step->x[i], trace->row->x[i], trace->tolerance);
    assert_near(step->v[i], trace->row->v[i], trace->tolerance);
    assert_near(step->lambda[i], trace->row->lambda[i], trace->lambda_tolerance);
  }
  trace->row++;
}

#define ROWS(rows) rows, rows + sizeof rows / sizeof *rows
#define FINE       "scheme.tolerance=1e-16"

static void traces(void **state) {
  (void)state;
  static const struct {
    const char *file;
    char *settings[4];
    const TraceRow *rows, *end;
    double tolerance, lambda_tolerance;
  } cases[] = {
      {"glowinski-2004-5.1", {"time.step=0.01"}, ROWS(trace_51), 1e-12, 1e-12},
      {"glowinski-2004-5.2", {"time.step=0.01"}, ROWS(trace_52_lie), 1e-12, 1e-12},
      {"glowinski-2004-5.2", {"time.step=0.01", "scheme={name: strang}"}, ROWS(trace_52_strang), 1e-12, 1e-12},
      /* the tolerances are the round-off of b/q, which is amplified by 1e3 */
      {"shiau-6.2", {"time={end: 4, step: 0.01}"}, ROWS(trace_62), 1e-12, 2e-12},
      {"shiau-6.2", {"time={end: 4, step: 0.01}", "scheme.solver=fixed_point", FINE}, ROWS(trace_62), 1e-12, 1e-11},
      {"glowinski-2004-gearbox", {"time.step=0.01"}, ROWS(trace_gear), 1e-12, 1e-12},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Problem problem;
    double x[2], v[2];
    splitting_read(cases[k].file, cases[k].settings, &problem);
    Trace trace = {cases[k].rows, cases[k].end, problem.sim.d, cases[k].tolerance, cases[k].lambda_tolerance};
    splitting_roll(&problem, &(SimObserver){.context = &trace, .step = follow}, x, v);
    assert_ptr_equal(trace.row, trace.end);
    problem_clear(&problem);
  }
}

/* Solves for M and C of 6.2, tau = 0.01, exactly, and by the paper's iteration from lambda = 0 with 3/4 of its bound on
 * rho. It takes about as many iterations as the reference. */
static void friction_substep(void **state) {
  (void)state;
  static const struct {
    double b[2], w[2], lambda[2];
    long iterations;
  } cases[] = {{{0.004, -0.006}, {0, 0}, {0.4, -0.6}, 48},
               {{0.02, 0.004}, {0.005, 0}, {1, -0.1}, 3},
               {{0.05, -0.06}, {0.13 / 3, -0.14 / 3}, {1, -1}, 2},
               {{0.02, 0.01}, {0.005, 0}, {1, 0.5}, 3}};
  DenseSolver solver;
  StepScratch scratch;
  assert_int_equal(dense_solver_init(&solver, 2), SIM_OK);
  assert_int_equal(step_scratch_init(&scratch, 2), SIM_OK);
  memcpy(solver.matrix, mass_62, sizeof mass_62);
  for (int i = 0; i < 2; i++) {
    solver.threshold[i] = 0.01;
    solver.projection_weight[i] = 0.75 * 2 / 0.01; /* beta_d, the largest eigenvalue of M^-1 C^2, is 1 here */
  }
  solver.by_multiplier = true; /* so that the iteration ends only at round-off */
  assert_int_equal(dense_solver_factor(&solver), SIM_OK);
  for (int k = 0; k < 8; k++) {
    double w[2] = {0}, lambda[2] = {0};
    signed char slip[2];
    StepTally tally = {0};
    solver.kind = k < 4 ? SIM_EXACT : SIM_FIXED_POINT;
    assert_int_equal(step_solve(&solver, &scratch, cases[k % 4].b, NULL, w, lambda, slip, &tally), SIM_OK);
    for (int i = 0; i < 2; i++) {
      assert_near(w[i], cases[k % 4].w[i], 1e-16);
      assert_near(lambda[i], cases[k % 4].lambda[i], 5e-15);
      assert_int_equal(slip[i], (cases[k % 4].w[i] > 0) - (cases[k % 4].w[i] < 0));
    }
    if (k >= 4) assert_true(labs(tally.iterations - cases[k % 4].iterations) <= 5);
  }
  step_scratch_clear(&scratch);
  dense_solver_clear(&solver);
}

/* Compares one elastic step, with M and A of 6.2, with the reference. */
static void elastic_step(void **state) {
  (void)state;
  SimProblem p;
  double x[2], v[2];
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
  memcpy(p.system.mass, mass_62, sizeof mass_62);
  memcpy(p.system.stiffness, stiffness_62, sizeof stiffness_62);
  fixture_scheme(&p, "lie");
  sim_problem_set(&p, "elastic_substeps", 3);
  sim_problem_set(&p, "alpha", 0.3);
  fixture_time(&p, 0.2, 1);
  p.x0[0] = 0.5;
  p.x0[1] = -0.2;
  p.v0[0] = 1;
  p.v0[1] = 0.3;
  fixture_run(&p, fixture_no_force, NULL, NULL, x, v);
  assert_near(x[0], 0.6767779161286074, 1e-15);
  assert_near(x[1], -0.11928821661219366, 1e-15);
  assert_near(v[0], 0.7601793481894226, 2e-14);
  assert_near(v[1], 0.5112221128688191, 2e-14);
}

/* A damped oscillator without friction has x = e^{-zt} cos(wt). `difference` is of second order; eigenvectors are exact
 * without damping. */
static void oscillator(void **state) {
  (void)state;
  for (int damped = 0; damped < 2; damped++) {
    double error[3], z = damped ? 0.3 : 0, w = sqrt(9 - z * z), t = 2;
    double exact_x = exp(-z * t) * cos(w * t), exact_v = exp(-z * t) * (-z * cos(w * t) - w * sin(w * t));
    for (int k = 0; k < 3; k++) {
      SimProblem p;
      double x, v;
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
      fixture_scheme(&p, damped ? "strang" : "lie");
      p.system.mass[0] = 2;
      p.system.stiffness[0] = 18;
      p.system.damping[0] = 4 * z;
      p.x0[0] = 1;
      p.v0[0] = -z;
      sim_problem_set(&p, "elastic", k == 2 && !damped);
      sim_problem_set(&p, "elastic_substeps", k ? 40 : 10);
      fixture_time(&p, t, 10);
      fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
      error[k] = fabs(x - exact_x) + fabs(v - exact_v);
    }
    assert_true(error[0] > 15 * error[1] && error[0] < 17 * error[1]);
    if (!damped) assert_true(error[2] < 1e-13);
  }
}

/* `difference` converges to `elastic: exact` with second order in its substeps. */
static void exact_is_the_limit(void **state) {
  (void)state;
  double x[4][2], v[4][2], error[3];
  for (int k = 0; k < 4; k++) {
    char *settings[] = {k == 3   ? "scheme.elastic=exact"
                        : k == 0 ? "scheme.elastic_substeps=1"
                        : k == 1 ? "scheme.elastic_substeps=10"
                                 : "scheme.elastic_substeps=100",
                        "time={end: 4, step: 0.01}", NULL};
    Problem problem;
    splitting_read("shiau-6.2", settings, &problem);
    splitting_roll(&problem, NULL, x[k], v[k]);
    problem_clear(&problem);
  }
  for (int k = 0; k < 3; k++) error[k] = fabs(x[k][0] - x[3][0]) + fabs(v[k][1] - v[3][1]);
  for (int k = 0; k < 2; k++) assert_true(error[k] > 90 * error[k + 1] && error[k] < 110 * error[k + 1]);
  assert_true(error[2] < 1e-8);
}

/* w solves e w + q w / sqrt(eta^2 + w^2) = b for any scales, and also mirrored. */
static void smooth_root(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int k = 0; k < 100000; k++) {
    double e = pow(10, 4 * fixture_random(&seed)), q = pow(10, 4 * fixture_random(&seed)),
           eta = pow(10, -8 + 8 * fixture_random(&seed)), b = q * (k % 3 ? 2 * fixture_random(&seed) : 1);
    SmoothRoot root = smooth_law_root(e, q, eta, b), mirrored = smooth_law_root(e, q, eta, -b);
    assert_true(root.converged);
    assert_true(fabs(e * root.w + q * root.lambda - b) <= 1e-14 * fabs(b));
    assert_true(fabs(root.lambda) <= 1 && root.w * b >= 0);
    assert_true(mirrored.w == -root.w && mirrored.lambda == -root.lambda);
  }
}

/* As eta -> 0 the smooth law tends to sgn, for one mass (in closed form), and for two with a full mass matrix. */
static void smooth_tends_to_sgn(void **state) {
  (void)state;
  static const char *const files[] = {"glowinski-2004-5.2", "shiau-6.2"};
  for (int f = 0; f < 2; f++) {
    double sharp[2] = {0}, x[2] = {0}, v[2], before = INFINITY;
    for (int k = 0; k < 5; k++) {
      char eta[64];
      snprintf(eta, sizeof eta, "scheme.eta=1e-%d", 2 * k);
      char *settings[] = {"scheme.multiplier=smooth", eta, NULL}, *none[] = {NULL};
      Problem problem;
      splitting_read(files[f], k ? settings : none, &problem);
      splitting_roll(&problem, NULL, x, v);
      problem_clear(&problem);
      if (k == 0) {
        memcpy(sharp, x, sizeof sharp);
        continue;
      }
      double error = fabs(x[0] - sharp[0]) + fabs(x[1] - sharp[1]);
      assert_true(error < before / 20);
      before = error;
    }
    assert_true(before < 1e-6);
  }
}

/* A mass on a gear box that bears its load slides to rest in t = m v0/C_e, over m v0^2/(2 C_e). Under a force f within
 * the threshold it does not move by one bit, and lambda balances the rest of the load. */
static void gearbox_slides_and_rests(void **state) {
  (void)state;
  char *slides[] = {"model.stribeck.beta=1e-12", "model.gearbox.beta=1e-12", "model.force='1.4'", "model.v0=1", NULL};
  char *coarse[] = {"model.stribeck.beta=1e-12",
                    "model.gearbox.beta=1e-12",
                    "model.force='1.4'",
                    "model.v0=1",
                    "time.step=0.01",
                    NULL};
  char *rests[] = {"model.force='2.0'", "model.x0=0.3", NULL};
  char *plain[] = {"model.gearbox.delta=0", "model.force='0.2'", "model.x0=0.3", NULL};
  Problem problem;
  double x, v, exact = 1 / (2 * 1.06), error[2];
  for (int k = 0; k < 2; k++) {
    splitting_read("glowinski-2004-gearbox", k ? slides : coarse, &problem);
    splitting_roll(&problem, NULL, &x, &v);
    problem_clear(&problem);
    error[k] = fabs(x - exact);
    assert_true(v == 0);
  }
  assert_true(error[0] < 0.01 && error[1] < error[0] / 9);

  for (int k = 0; k < 2; k++) {
    splitting_read("glowinski-2004-gearbox", k ? plain : rests, &problem);
    double load = k ? 0.2 / 0.5 : 0.6 / 1.06;
    TraceRow row = {problem.sim.steps, {0.3}, {0}, {load}};
    Trace trace = {&row, &row + 1, 1, 1e-15, 1e-15};
    splitting_roll(&problem, &(SimObserver){.context = &trace, .step = follow}, &x, &v);
    assert_ptr_equal(trace.row, trace.end);
    assert_true(x == 0.3 && v == 0);
    problem_clear(&problem);
  }
}

typedef struct Stops {
  double time[3]; /* times of the last step that ended in motion, and of the next one */
} Stops;

static void see_stops(void *context, const SimStep *step) {
  Stops *stops = context;
  for (int i = 0; i < 3; i++)
    if (step->v[i] != 0) stops->time[i] = step->t;
}

/* The masses of Shiau-Glowinski 6.3 stop at positions and times that are right up to O(dt), and then do not move. */
static void masses_stop(void **state) {
  (void)state;
  static const struct {
    char *settings[3];
    double time[3], x[3];
  } cases[] = {
      {{NULL},
       {0.39840606501001, 0.39840606501001, 0.39840606501001},
       {-0.20237819934122347, -0.10118909967061174, -0.06745939978040782}},
      {{"model.x0=[1,3,5]", "model.v0=2"},
       {0.28882973185942706, 0.18497503816253955, 0.26987957446859},
       {1.0378610288099448, 3.151437630466888, 5.243668571573459}},
      {{"model.x0=[1,2,3]", "model.v0=1"},
       {0.34293115456272927, 0.28882973185942706, 0.23614992354538358},
       {0.9221176890333338, 2.0189305144049725, 3.0529695083443}},
  };
  for (int k = 0; k < 3; k++)
    for (int fine = 0; fine < 2; fine++) {
      double dt = fine ? 1e-4 : 1e-3, x[3], v[3];
      char *settings[] = {fine ? "time={end: 4, step: 1e-4}" : "time={end: 4, step: 1e-3}", cases[k].settings[0],
                          cases[k].settings[1], NULL};
      Problem problem;
      Stops stops = {{0}};
      splitting_read("shiau-6.3", settings, &problem);
      splitting_roll(&problem, &(SimObserver){.context = &stops, .step = see_stops}, x, v);
      for (int i = 0; i < 3; i++) {
        assert_near(stops.time[i], cases[k].time[i], 5 * dt);
        assert_near(x[i], cases[k].x[i], 5 * dt);
      }
      problem_clear(&problem);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(traces),
      cmocka_unit_test(friction_substep),
      cmocka_unit_test(elastic_step),
      cmocka_unit_test(oscillator),
      cmocka_unit_test(exact_is_the_limit),
      cmocka_unit_test(smooth_root),
      cmocka_unit_test(smooth_tends_to_sgn),
      cmocka_unit_test(gearbox_slides_and_rests),
      cmocka_unit_test(masses_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
