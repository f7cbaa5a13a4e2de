/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests properties of any motion with moving surfaces: the equation of a step, energies, sticking, derivatives, lanes,
 * storages. test_belt.c tests the belt. */
#include "tests/sim/event/event.h"
#include "tests/sim/friction/string.h"
#include "tests/sim/tangent.h"

/* Velocity w(t) of the surface: constant for a belt, varying for a shaking table. */
static double shaking(int i, double t) { return 0.6 * sin(2.5 * t) + 0.3 * (i + 1) * cos(1.3 * t); }
static double running(int i, double t) {
  (void)t;
  return 0.4 - 0.3 * i;
}

static void set_surface(SimProblem *p, FixtureForce *speed) {
  FixtureSource source = {speed, p->d};
  const SimLoad load = {.context = &source, .constant = speed == running, .at = fixture_force_at};
  double where;
  assert_int_equal(stiction_problem_set_surface(p, p->d, &load, 0, NULL, &where), SIM_OK);
}

/* Checks of the steps of `moreau`: their equation, written for x and x' themselves. */
typedef struct Steps {
  const SimProblem *problem;
  const double *control;
  double x[D], v[D], slide[D];
  double residual, closure, scale;
  FixtureForce *speed;
  bool rests;
} Steps;

static void see_any(void *context, const SimStep *step) {
  Steps *s = context;
  const SimProblem *p = s->problem;
  const SimEnergy *e = step->energy;
  double theta = sim_problem_get(p, "theta"), dt = p->step;
  for (int i = 0; i < D; i++) {
    double rest = stiction_friction_force(p, i, step->t, NULL, 0, step->lambda[i]) -
                  tangent_swinging(i, step->t) * theta - tangent_swinging(i, step->t - dt) * (1 - theta) -
                  s->control[i];
    rest += stiction_friction_force(p, i, step->t, NULL, s->slide[i], 0);
    for (int j = 0; j < D; j++)
      rest += p->system.mass[i * D + j] * (step->v[j] - s->v[j]) / dt + p->system.damping[i * D + j] * step->v[j] +
              p->system.stiffness[i * D + j] * (theta * step->x[j] + (1 - theta) * s->x[j]);
    if (p->drags) rest -= p->viscous[i] * (step->v[i] - step->slide[i]);
    if (step->n > 0 && !isnan(theta)) s->residual = fixture_max(s->residual, fabs(rest));
    if (step->slip[i] == 0 && s->rests) assert_true(step->slide[i] == 0);
    assert_near(step->v[i] - step->slide[i], s->speed(i, step->t), 1e-14 * (1 + fabs(step->v[i])));
  }
  memcpy(s->x, step->x, sizeof s->x);
  memcpy(s->v, step->v, sizeof s->v);
  memcpy(s->slide, step->slide, sizeof s->slide);
  s->scale = fmax(s->scale, fabs(e->work) + fabs(e->surface) + fabs(e->stored) + fabs(e->dissipated) + 1);
  s->closure =
      fixture_max(s->closure, fabs(e->work + e->surface - e->stored - e->dissipated - e->numerical) / s->scale);
}

/* Makes random problem number k with moving surfaces. */
static void make_any(SimProblem *p, int k, const char *scheme, long steps, FixtureForce *speed, double *control) {
  uint64_t seed = (uint64_t)k + 5;
  const double viscous[D] = {0.7, 0, 0.4};
  tangent_problem(&seed, k, scheme, steps, p, control);
  if (k % 2) assert_int_equal(sim_problem_set_viscous(p, viscous), SIM_OK);
  set_surface(p, speed);
}

static void keep_constant(SimProblem *p) {
  p->signal = SIM_CONSTANT;
  p->segments = 1;
}

static Steps run_any(int k, const char *scheme, long steps, FixtureForce *speed, double *x) {
  SimProblem p;
  SimWorkspace *work;
  double control[VARIABLES], v[D];
  make_any(&p, k, scheme, steps, speed, control);
  keep_constant(&p);
  SimModel *model = fixture_model(&p, tangent_swinging, &work);
  Steps s = {.problem = &p, .control = control, .speed = speed, .rests = strcmp(scheme, "lie") != 0};
  const SimObserver observer = {.context = &s, .step = see_any};
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
  assert_memory_equal(x, s.x, sizeof s.x);
  assert_memory_equal(v, s.v, sizeof s.v);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return s;
}

static void test_balance(void **state) {
  (void)state;
  FixtureForce *const speeds[] = {running, shaking};
  double x[D], exact[D];
  for (int k = 0; k < 8; k++) {
    for (int which = 0; which < 2; which++) {
      FixtureForce *speed = speeds[which];
      assert_true(run_any(k, "event", 50, speed, exact).closure < 1e-9);
      Steps moreau = run_any(k, "moreau", 2000, speed, x), centered = run_any(k, "centered", 2000, speed, x);
      assert_true(moreau.residual < (which ? 0.2 : 1e-9));
      assert_true(moreau.closure < 1e-11);
      assert_true(centered.closure < 1e-11);
      assert_true(run_any(k, "lie", 2000, speed, x).closure < 1e-11);
      assert_true(run_any(k, "strang", 2000, speed, x).closure < 1e-11);
    }
  }
}

/* The motions by all schemes agree in the mean over many problems. */
static void test_agreement(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang"};
  enum { PROBLEMS = 6 };
  double x[D], exact[PROBLEMS][D];
  for (int k = 0; k < PROBLEMS; k++) run_any(k, "event", 10, shaking, exact[k]);
  for (int q = 0; q < 4; q++) {
    double far[2] = {0};
    for (int fine = 0; fine < 2; fine++)
      for (int k = 0; k < PROBLEMS; k++) {
        run_any(k, schemes[q], fine ? 3200 : 400, shaking, x);
        for (int i = 0; i < D; i++) far[fine] += fabs(x[i] - exact[k][i]) / (D * PROBLEMS);
      }
    assert_true(far[0] < 0.02 && far[1] < far[0] / 4);
  }
}

/* Derivatives ------------------------------------------------------------------------------------------------------ */

/* Returns the largest difference between derivatives and central differences, relative to the largest derivative. */
static double wrong_derivative(SimProblem *p, double *control, const SimDependence *on, int n, int *smooth) {
  const double h = 1e-6;
  double state[2 * D * COLUMNS], stop[D * COLUMNS], time[D], acceleration[D], x[D], v[D], worst = 0, size = 1;
  SimWorkspace *work;
  SimSensitivity *columns;
  SimModel *model = fixture_model(p, tangent_swinging, &work);
  SimFinal final = {.x = x, .v = v};
  SimDerivative derivative = {state, stop, time, acceleration, false};
  assert_int_equal(stiction_sensitivity_create(model, n, on, &columns), SIM_OK);
  assert_int_equal(stiction_rollout_sensitivity(model, work, columns, control, &final, &derivative), SIM_OK);
  int width = stiction_sensitivity_columns(columns);
  for (int k = 0, column = 0; k < n; k++)
    for (int i = 0; i < (on[k] == SIM_ON_CONTROL ? stiction_model_controls(model) : D); i++, column++) {
      double ends[2][2 * D], *number = tangent_number(p, control, on[k], i), middle = *number;
      for (int side = 0; side < 2; side++) {
        *number = middle + (side ? h : -h);
        tangent_end(p, control, ends[side]);
      }
      *number = middle;
      for (int row = 0; row < 2 * D; row++) {
        double difference = (ends[1][row] - ends[0][row]) / (2 * h);
        worst = fixture_max(worst, fabs(difference - state[row * width + column]));
        size = fmax(size, fabs(difference));
      }
    }
  stiction_sensitivity_destroy(columns);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  *smooth += derivative.smooth;
  return derivative.smooth ? worst / size : 0;
}

static void test_derivatives(void **state) {
  (void)state;
  static const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_VELOCITY, SIM_ON_FRICTION, SIM_ON_BETA};
  SimSensitivity *none;
  SimWorkspace *work;
  int wrong = 0, smooth = 0;
  for (int k = 0; k < 15; k++) {
    SimProblem p;
    double control[VARIABLES];
    make_any(&p, k, "event", 10, shaking, control);
    sim_problem_set(&p, "tolerance", 1e-14);
    double error = wrong_derivative(&p, control, on, k % 3 ? 5 : 4, &smooth);
    wrong += error > 1e-5;
    if (error > 1e-5) print_message("problem %d: %g\n", k, error);
    SimModel *model = fixture_model(&p, tangent_swinging, &work);
    assert_int_equal(stiction_sensitivity_create(model, 1, (SimDependence[]){SIM_ON_MASS}, &none), SIM_BAD_PROBLEM);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_int_equal(wrong, 0);
  assert_true(smooth >= 10);
}

/* Representations of a surface ------------------------------------------------------------------------------------- */

/* A batch, and a problem that was sent as bytes, have the same bits as a single rollout. */
static void test_same_bits(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "event"};
  enum { N = 9 };
  for (int q = 0; q < 4; q++) {
    SimProblem p, sent;
    SimWorkspace *work;
    double control[VARIABLES], controls[N * D], ends[2][N][2 * D];
    SimFinal finals[N];
    make_any(&p, 7, schemes[q], 200, shaking, control);
    keep_constant(&p);
    fixture_fill_force(&p, tangent_swinging);
    void *bytes = malloc(sim_problem_packed_size(&p));
    sim_problem_pack(&p, bytes);
    assert_int_equal(sim_problem_unpack(&sent, bytes, sim_problem_packed_size(&p)), SIM_OK);
    for (int i = 0; i < N * D; i++) controls[i] = control[i % D] + i;
    for (int way = 0; way < 2; way++) {
      SimModel *model;
      assert_int_equal(stiction_problem_finalize(way ? &p : &sent, NULL), SIM_OK);
      assert_int_equal(stiction_model_create(way ? &p : &sent, NULL, &model), SIM_OK);
      assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
      for (int i = 0; i < N; i++) finals[i] = (SimFinal){.x = ends[way][i], .v = ends[way][i] + D};
      if (way) stiction_batch(model, work, N, controls, finals);
      for (int i = 0; i < N && !way; i++) stiction_rollout(model, work, controls + i * D, NULL, &finals[i]);
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
    }
    assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
    free(bytes);
    sim_problem_clear(&p);
    sim_problem_clear(&sent);
  }
}

/* A string with viscous friction on a shaking surface, with sparse and with dense storage. */
static void make_string(SimProblem *p, SimProblem *dense) {
  enum { NODES = 5 };
  FixtureSource source = {shaking, 1};
  const SimLoad load = {.context = &source, .at = fixture_force_at};
  double where, ones[NODES + 1] = {1, 1, 1, 1, 1, 1};
  assert_int_equal(sim_problem_init_sparse(p, NULL, NODES, 0, NODES, 1), SIM_OK);
  assert_int_equal(sim_string_fill(p, 1, ones, ones, ones), SIM_OK);
  for (int i = 0; i < NODES; i++) p->x0[i] = 0.1 * i;
  fixture_time(p, 2, 400);
  fixture_scheme(p, "moreau");
  string_dense(dense, p);
  for (int q = 0; q < 2; q++) {
    SimProblem *one = q ? p : dense;
    assert_int_equal(sim_problem_set_viscous(one, ones), SIM_OK);
    assert_int_equal(sim_problem_set_viscous(one, ones), SIM_OK);
    assert_int_equal(stiction_problem_set_surface(one, 1, &load, 0, NULL, &where), SIM_OK);
  }
}

static void test_sparse(void **state) {
  (void)state;
  SimProblem problems[2];
  double ends[2][10], u = 0.3;
  make_string(&problems[0], &problems[1]);
  const double start[] = {problems[0].v0[0], problems[0].v0[4]};
  for (int q = 0; q < 2; q++) {
    SimModel *model;
    SimWorkspace *work;
    SimFinal final = {.x = ends[q], .v = ends[q] + 5};
    assert_int_equal(stiction_problem_finalize(&problems[q], NULL), SIM_OK);
    assert_int_equal(stiction_model_create(&problems[q], NULL, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, &u, NULL, &final), SIM_OK);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    if (q == 0) assert_true(problems[0].v0[0] == start[0] && problems[0].v0[4] == start[1]);
    sim_problem_clear(&problems[q]);
  }
  for (int i = 0; i < 10; i++) assert_near(ends[0][i], ends[1][i], 1e-12);
}

static double jumping(int i, double t) {
  (void)i;
  return t < 2 ? 0.5 : 1;
}

static double kinked(int i, double t) { return i ? fabs(sin(t)) : t < 3 ? 0 : t < 3.001 ? 1000 * (t - 3) : 1; }

static double smooth_step(int i, double t) {
  return i ? exp(-100 * (t - 2) * (t - 2)) : 0.5 * (1 + tanh(20 * (t - 2)));
}

static double swinging(int i, double t) {
  (void)i;
  return sin(1e6 * t);
}

static void test_refused(void **state) {
  (void)state;
  SimProblem p;
  FixtureSource jump = {jumping, 1}, none = {fixture_no_force, 1};
  const SimLoad jumps = {.context = &jump, .at = fixture_force_at}, rests = {.context = &none, .at = fixture_force_at};
  double where, at = 2;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(&p, 5, 10);
  assert_int_equal(stiction_problem_set_surface(&p, 1, &jumps, 1, &at, &where), SIM_BAD_PROBLEM);
  assert_true(where == 2 && p.surface_pieces == 0);
  FixtureForce *const allowed[] = {kinked, smooth_step};
  for (int k = 0; k < 2; k++) {
    FixtureSource own = {allowed[k], 2};
    const SimLoad load = {.context = &own, .at = fixture_force_at};
    assert_int_equal(stiction_problem_set_surface(&p, 2, &load, 0, NULL, &where), SIM_OK);
  }
  FixtureSource swing = {swinging, 1};
  const SimLoad swings = {.context = &swing, .at = fixture_force_at};
  assert_int_equal(stiction_problem_set_surface(&p, 1, &swings, 0, NULL, &where), SIM_NOT_CONVERGED);
  assert_true(where > 0 && where < 5 && p.surface_pieces == 0);
  assert_int_equal(stiction_problem_set_surface(&p, 1, &rests, 0, NULL, &where), SIM_OK);
  assert_true(p.surface_pieces == 0 && !p.surface);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_balance),   cmocka_unit_test(test_agreement), cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_same_bits), cmocka_unit_test(test_sparse),    cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
