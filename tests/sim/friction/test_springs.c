/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests nonlinear springs: closed forms, the equation of a step, energies, sticking, storages, combinations that are
 * not supported. event/test_event_springs.c tests exact motions. */
#include "tests/sim/friction/springs.h"

/* Without friction, steps are of order 2: half the step gives a quarter of the error. */
static void test_duffing(void **state) {
  (void)state;
  double error[2];
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    double x, v;
    springs_make_duffing(&p, "moreau", 1.25, k ? 800 : 400);
    fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
    error[k] = fabs(x); /* after a quarter of a period the mass is at 0, with its largest speed */
  }
  assert_true(error[1] < 0.02);
  assert_true(error[0] / error[1] > 3.8 && error[0] / error[1] < 4.2);
}

/* Other schemes on the same problem are of order 2, too, and the energies of their steps close. */
static void test_centered(void **state) {
  (void)state;
  double error[2];
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    double x, v;
    springs_make_duffing(&p, "centered", 1.25, k ? 800 : 400);
    fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
    error[k] = fabs(x);
  }
  assert_true(error[1] < 0.02 && error[0] / error[1] > 3.8 && error[0] / error[1] < 4.2);
}

static void see_closure(void *context, const SimStep *step) {
  double *closure = context;
  const SimEnergy *e = step->energy;
  double scale = fabs(e->work) + fabs(e->stored) + fabs(e->dissipated) + 1;
  *closure = fixture_max(*closure, fabs(e->work - e->stored - e->dissipated - e->numerical) / scale);
}

static void test_centered_energy(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    SimProblem p;
    double control[VARIABLES], x[D], v[D], exact[2][D], closure = 0, far = 0;
    const SimObserver observer = {.context = &closure, .step = see_closure};
    springs_make_any(&p, k, "event", 10, control);
    fixture_run(&p, tangent_swinging, control, NULL, exact[0], exact[1]);
    springs_make_any(&p, k, "centered", 4000, control);
    sim_problem_set(&p, "multiplier", k % 3 == 2 ? SIM_REGULARIZED : SIM_UNREGULARIZED);
    fixture_run(&p, tangent_swinging, control, &observer, x, v);
    for (int i = 0; i < D; i++) far = fmax(far, fabs(x[i] - exact[0][i]));
    assert_true(closure < 1e-10);
    assert_true(far < 0.1);
  }
}

/* Checks of the steps of `moreau`: their equation with laws given by formulas, the energies, and dofs that stick. */
typedef struct Steps {
  const SimProblem *problem;
  const double *control;
  double x[D], v[D], residual, closure, span;
  signed char slip[D];
  bool links;
  long stuck;
} Steps;

static double step_mean(SpringFormula law, int i, double e, double next) {
  double way = next - e;
  return fabs(way) < 1e-5 ? law.force(i, e + way / 2) : (law.potential(i, next) - law.potential(i, e)) / way;
}

static const SpringFormula anchors = {springs_wavy, springs_wavy_potential};
static const SpringFormula links = {springs_kinked, springs_kinked_potential};

static double law_force(SpringFormula law, int i, double e, double next, double theta) {
  return step_mean(law, i, e, next) + (theta - 0.5) * (law.force(i, next) - law.force(i, e));
}

static double springs_force(const Steps *s, int i, const double *next, double theta) {
  double sum = law_force(anchors, i, s->x[i], next[i], theta);
  if (s->links && i > 0) sum += law_force(links, i, s->x[i] - s->x[i - 1], next[i] - next[i - 1], theta);
  if (s->links && i < D - 1) sum -= law_force(links, i, s->x[i + 1] - s->x[i], next[i + 1] - next[i], theta);
  return sum;
}

static void see_step(void *context, const SimStep *step) {
  Steps *s = context;
  const SimProblem *p = s->problem;
  const SimEnergy *e = step->energy;
  double theta = sim_problem_get(p, "theta"), dt = p->step;
  for (int i = 0; i < D && step->n > 0; i++) {
    double sign = step->lambda[i] > 0 ? 1 : -1;
    double c = p->friction[i] + (p->by_direction ? sign * p->friction_bias[i] : 0);
    double rest = c * step->lambda[i] - tangent_swinging(i, step->t) * theta -
                  tangent_swinging(i, step->t - dt) * (1 - theta) - s->control[i];
    rest += stiction_friction_force(p, i, step->t, NULL, s->v[i], 0) + springs_force(s, i, step->x, theta);
    for (int j = 0; j < D; j++)
      rest += p->system.mass[i * D + j] * (step->v[j] - s->v[j]) / dt + p->system.damping[i * D + j] * step->v[j] +
              p->system.stiffness[i * D + j] * (theta * step->x[j] + (1 - theta) * s->x[j]);
    s->residual = fixture_max(s->residual, fabs(rest));
    if (step->slip[i] || s->slip[i]) continue;
    assert_true(step->v[i] == 0 && step->x[i] == s->x[i]);
    s->stuck++;
  }
  memcpy(s->x, step->x, sizeof s->x);
  memcpy(s->v, step->v, sizeof s->v);
  memcpy(s->slip, step->slip, sizeof s->slip);
  for (int i = 0; i < D; i++) s->span = fmax(s->span, fabs(step->x[i]));
  double scale = fabs(e->work) + fabs(e->stored) + fabs(e->dissipated) + 1;
  s->closure = fixture_max(s->closure, fabs(e->work - e->stored - e->dissipated - e->numerical) / scale);
}

static void test_steps(void **state) {
  (void)state;
  long stuck = 0;
  for (int k = 0; k < 12; k++) {
    SimProblem p;
    SimWorkspace *work;
    double control[VARIABLES], x[D], v[D];
    springs_make_any(&p, k, "moreau", 500, control);
    p.signal = SIM_CONSTANT;
    p.segments = 1;
    if (k % 4 > 1) sim_problem_set(&p, "theta", 0.7);
    SimModel *model = fixture_model(&p, tangent_swinging, &work);
    Steps s = {.problem = &p, .control = control, .links = k % 2};
    const SimObserver observer = {.context = &s, .step = see_step};
    SimFinal final = {.x = x, .v = v};
    assert_int_equal(stiction_rollout(model, work, control, &observer, &final), SIM_OK);
    assert_true(s.residual < 1e-8); /* the test forms differences of potentials over short distances */
    assert_true(s.closure < 1e-11);
    assert_true(s.span > 0.5);
    stuck += s.stuck;
    SimFinal alone[4] = {final, final, final, final};
    double ends[4][2 * D];
    for (int q = 0; q < 4; q++) alone[q] = (SimFinal){.x = ends[q], .v = ends[q] + D};
    double controls[4 * D];
    for (int q = 0; q < 4; q++) memcpy(controls + q * D, control, D * sizeof *control);
    stiction_batch(model, work, 4, controls, alone);
    for (int q = 0; q < 4; q++) assert_memory_equal(ends[q], x, sizeof x);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_true(stuck > 1000);
}

/* A linear law equals a stiffness. A law for each row equals a row of A. */
static double line(int i, double e) {
  (void)i;
  return 7 * e;
}

static void test_line(void **state) {
  (void)state;
  double end[2][2][D];
  for (int law = 0; law < 2; law++) {
    SimProblem p;
    uint64_t seed = 3;
    double control[VARIABLES], where;
    tangent_problem(&seed, 0, "moreau", 500, &p, control);
    if (law) {
      assert_int_equal(springs_set(&p, SIM_ANCHORS, false, line, 8, &where), SIM_OK);
      assert_int_equal(springs_set(&p, SIM_LINKS, true, line, 8, &where), SIM_OK);
    } else {
      for (int i = 0; i < D; i++) p.system.stiffness[i * D + i] += i % (D - 1) ? 21 : 14;
      for (int i = 0; i + 1 < D; i++) p.system.stiffness[i * D + i + 1] = p.system.stiffness[(i + 1) * D + i] -= 7;
    }
    fixture_run(&p, tangent_swinging, control, NULL, end[law][0], end[law][1]);
  }
  for (int q = 0; q < 2; q++)
    for (int i = 0; i < D; i++) assert_true(fabs(end[0][q][i] - end[1][q][i]) < 1e-11);
}

/* A tip of 1 kg is pulled at 0.01 m/s by a spring of 1 N/m over a substrate with V (1 - cos 2 pi x). If ratio = 4 pi^2
 * V/k is below 1, it follows, nowhere faster than 1/(1 - ratio) times the support, up to inertia. Above 1 it slips from
 * well to well. */
static double tip_ratio;
static double substrate(int i, double x) {
  (void)i;
  return tip_ratio / (2 * FIXTURE_PI) * sin(2 * FIXTURE_PI * x);
}
static double drawn(int i, double t) {
  (void)i;
  return 0.01 * t;
}
static void see_speed(void *context, const SimStep *step) {
  double *fastest = context;
  *fastest = fmax(*fastest, fabs(step->v[0]));
}

static double tip_speed(double ratio) {
  SimProblem p;
  double x, v, where, fastest = 0;
  const SimObserver observer = {.context = &fastest, .step = see_speed};
  tip_ratio = ratio;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
  p.system.mass[0] = 0.01;
  p.system.damping[0] = 0.2;
  p.system.stiffness[0] = 1;
  p.v0[0] = 0.01 / (1 + ratio);
  fixture_time(&p, 300, 30000);
  fixture_scheme(&p, "moreau");
  assert_int_equal(springs_set(&p, SIM_ANCHORS, false, substrate, 4, &where), SIM_OK);
  fixture_run(&p, drawn, NULL, &observer, &x, &v);
  return fastest;
}

static void test_tip(void **state) {
  (void)state;
  double smooth = tip_speed(0.8);
  assert_true(smooth > 0.045 && smooth < 0.0505);
  assert_true(tip_speed(2.5) > 0.5);
}

/* Anchors with one law give the same motion with sparse as with dense storage. */
static double soft(int i, double e) {
  (void)i;
  return 3 * e * e * e - e;
}

static void test_sparse(void **state) {
  (void)state;
  enum { N = 24 };
  double end[2][2][N], where;
  for (int sparse = 0; sparse < 2; sparse++) {
    SimProblem p;
    if (sparse) {
      double ones[N + 1];
      for (int i = 0; i <= N; i++) ones[i] = 1;
      assert_int_equal(sim_problem_init_sparse(&p, NULL, N, 0, N, 0), SIM_OK);
      assert_int_equal(sim_string_fill(&p, N + 1, ones, ones, ones), SIM_OK);
    } else {
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, N, 0), SIM_OK);
    }
    for (int i = 0; i < N; i++) {
      p.friction[i] = 0.1;
      p.v0[i] = sin(i);
      if (sparse) continue;
      p.system.mass[i * (N + 1)] = 1;
      p.system.stiffness[i * (N + 1)] = 2;
      if (i + 1 < N) p.system.stiffness[i * (N + 1) + 1] = p.system.stiffness[i * (N + 1) + N] = -1;
    }
    fixture_scheme(&p, "moreau");
    fixture_time(&p, 5, 200);
    assert_int_equal(springs_set(&p, SIM_ANCHORS, false, soft, 3, &where), SIM_OK);
    fixture_run(&p, fixture_no_force, NULL, NULL, end[sparse][0], end[sparse][1]);
  }
  for (int q = 0; q < 2; q++)
    for (int i = 0; i < N; i++) assert_true(fabs(end[0][q][i] - end[1][q][i]) < 1e-10);
}

/* Refused ---------------------------------------------------------------------------------------------------------- */

static double jumping(int i, double e) {
  (void)i;
  return e < 0.3 ? 0 : 1;
}
static double endless(int i, double e) {
  (void)i;
  return 1 / e;
}

typedef struct Reported {
  int n;
  char key[64];
} Reported;
static void take_note(void *context, const char *key, const char *text) {
  Reported *reported = context;
  assert_non_null(text);
  reported->n++;
  snprintf(reported->key, sizeof reported->key, "%s", key);
}

/* Checks that a problem has exactly this error, and clears it. */
static void assert_refused(SimProblem *p, const char *key) {
  Reported reported = {0};
  const SimReport report = {&reported, take_note};
  SimBounds bounds;
  assert_int_equal(sim_problem_check(p, &report, &bounds), SIM_BAD_PROBLEM);
  assert_int_equal(reported.n, 1);
  assert_string_equal(reported.key, key);
  sim_problem_clear(p);
}

static void test_refused(void **state) {
  (void)state;
  SimProblem p;
  double where;
  springs_make_duffing(&p, "moreau", 1, 1000);
  assert_int_equal(springs_set(&p, SIM_ANCHORS, false, jumping, 1, &where), SIM_BAD_PROBLEM);
  assert_true(fabs(where - 0.3) < 1e-9 && p.springs[SIM_ANCHORS].pieces == 0);
  assert_int_not_equal(springs_set(&p, SIM_ANCHORS, false, endless, 1, &where), SIM_OK);
  sim_problem_clear(&p);
  springs_make_duffing(&p, "moreau", 1, 1000);
  p.x0[0] = 1.5;
  assert_refused(&p, "model.x0");
  springs_make_duffing(&p, "moreau", 1, 1000);
  sim_problem_set(&p, "solver", SIM_FIXED_POINT);
  assert_refused(&p, "scheme.solver");
  springs_make_duffing(&p, "moreau", 1, 1000);
  assert_int_equal(springs_set(&p, SIM_LINKS, true, soft, 1, &where), SIM_BAD_PROBLEM);
  sim_problem_clear(&p);
}

/* Where a law decreases, here by at most 1 N/m, a step has two solutions that coincide for theta dt = sqrt(m/1). For
 * steps up to this length the solution is found. */
static void test_limit(void **state) {
  (void)state;
  for (int above = 0; above < 2; above++) {
    SimProblem p;
    SimBounds bounds;
    double where, x, v;
    springs_make_duffing(&p, "moreau", 1, 10);
    p.x0[0] = 0.1;
    assert_int_equal(springs_set(&p, SIM_ANCHORS, false, soft, 1, &where), SIM_OK);
    fixture_time(&p, above ? 20.5 : 19, 10);
    if (above) {
      assert_refused(&p, "time.step");
      continue;
    }
    assert_int_equal(sim_problem_check(&p, NULL, &bounds), SIM_OK);
    assert_true(bounds.spring_limit > 1.9 && bounds.spring_limit < 2.001);
    fixture_run(&p, fixture_no_force, NULL, NULL, &x, &v);
  }
}

static void test_range(void **state) {
  (void)state;
  springs_leave_range("moreau", 1000);
}

static double bumpy(int i, double e) {
  (void)i;
  return e + 0.5 * exp(-pow((e - 1.234) / 0.004, 2));
}

static double split(int i, double e) {
  (void)i;
  return e > 1.2 && e < 1.25 ? NAN : e;
}

/* Between the points that its pieces need, a law is sampled with the given density. So a narrow maximum limits the
 * step, and a gap in the law is found. */
static void test_looks(void **state) {
  (void)state;
  FixtureSource source = {bumpy, 1};
  SimLoad law = {.context = &source, .at = fixture_force_at};
  for (int q = 0; q < 2; q++) {
    SimProblem p;
    SimBounds bounds;
    double where;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
    p.system.mass[0] = 1;
    fixture_time(&p, 1, 100);
    law.looks = q ? 4096 : 0;
    source.force = bumpy;
    assert_int_equal(stiction_problem_set_springs(&p, SIM_ANCHORS, 1, &law, -4, 4, 0, NULL, &where), SIM_OK);
    assert_int_equal(sim_problem_check(&p, NULL, &bounds), SIM_OK);
    assert_true(q ? bounds.spring_limit < 0.25 : isinf(bounds.spring_limit));
    source.force = split;
    SimStatus status = stiction_problem_set_springs(&p, SIM_ANCHORS, 1, &law, -4, 4, 0, NULL, &where);
    assert_int_equal(status, q ? SIM_NON_FINITE : SIM_OK);
    assert_true(!q || (where > 1.2 && where < 1.25));
    sim_problem_clear(&p);
  }
}

static void test_derivatives(void **state) {
  (void)state;
  springs_check_all_derivatives("moreau", 100, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_duffing),  cmocka_unit_test(test_steps),           cmocka_unit_test(test_line),
      cmocka_unit_test(test_tip),      cmocka_unit_test(test_sparse),          cmocka_unit_test(test_refused),
      cmocka_unit_test(test_limit),    cmocka_unit_test(test_range),           cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_centered), cmocka_unit_test(test_centered_energy), cmocka_unit_test(test_looks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
