/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that examining motions by `event` finds errors in a segment or at an event, with their size. */
#include "tests/sim/event/residual.h"

static double pushes(int i, double t) {
  (void)t;
  return i == 0 ? 10 : 2;
}

/* Two blocks under constant forces, m = 2 and c = 3: one slides with a = 3.5, the other sticks with lambda = 2/3. */
static void two_blocks(Paused *p) {
  assert_int_equal(sim_problem_init(&p->problem, SIM_FRICTION, 2, 1), SIM_OK);
  for (int i = 0; i < 2; i++) {
    p->problem.system.mass[3 * i] = 2;
    p->problem.friction[i] = 3;
  }
  fixture_time(&p->problem, 1, 10);
  fixture_scheme(&p->problem, "event");
  pause_at(p, pushes, 5);
  assert_true(examine(p).largest < 1e-14);
}

/* Residuals are relative to the largest term of the row, f = 10 N or 2 N, or to the largest speed. */
static void series_that_are_wrong(void **state) {
  (void)state;
  for (double wrong = 1e-7; wrong < 1; wrong *= 100) {
    Paused p;
    two_blocks(&p);
    EventSegment *g = &p.motion->segment;
    double v = g->v[2], x = g->x[4], lambda = g->lambda[1];
    g->v[2] += wrong * 10 / 2 * g->width; /* the acceleration gets an error of wrong f/m, and x follows it */
    g->x[4] += wrong * 10 / 2 * g->width * g->width / 2;
    assert_found(examine(&p), wrong / fmax(1, (10 * wrong + 7) / 10), 1e-5, SIM_RESIDUAL_EQUATION);
    g->v[2] = v;
    g->x[4] = x;
    g->x[2] = wrong * v; /* x' gets this error relative to the largest speed */
    assert_found(examine(&p), wrong, 1e-5, SIM_RESIDUAL_PATH);
    g->x[2] = 0;
    g->lambda[1] = lambda * (1 + wrong);
    assert_found(examine(&p), wrong / (1 + wrong), 1e-5, SIM_RESIDUAL_EQUATION);
    g->lambda[1] = NAN;
    assert_true(isnan(examine(&p).largest));
    release(&p);
  }
}

/* A dof sticks with more than its threshold, or slides against its friction. */
static void friction_that_is_wrong(void **state) {
  (void)state;
  Paused p;
  two_blocks(&p);
  p.motion->at.slip[0] = -1; /* the balance of forces is 2 a + 3 (-1) - 10 = -6, relative to 10; but v has its
                              * largest value against the slip */
  assert_found(examine(&p), 1, 1e-6, SIM_RESIDUAL_FRICTION);
  release(&p);
  two_blocks(&p);
  /* The force that holds the dof is 1.5 times its threshold, and violates the balance by 2 N. */
  p.model->problem.friction[1] = 1;
  p.motion->segment.lambda[1] = 2;
  assert_found(examine(&p), 0.5, 1e-6, SIM_RESIDUAL_FRICTION);
  release(&p);
}

/* Stribeck's term falls by beta c where the speed is about epsilon, which is 1e-4 of the speeds in the segment. If its
 * series ignore this, the segment is correct everywhere else. */
static void peak_that_is_lost(void **state) {
  (void)state;
  for (SimStribeck law = SIM_STRIBECK_SQRT; law <= SIM_STRIBECK_EXPONENTIAL; law++)
    for (int exponent = 1; exponent <= (law == SIM_STRIBECK_EXPONENTIAL ? 2 : 1); exponent++) {
      Paused p;
      if (law == SIM_STRIBECK_RAMP) continue; /* the segments of this law end at epsilon */
      fixture_throw(&p.problem, "event", 10, 10, 1, 3, 2);
      p.problem.system.stribeck = law;
      if (law == SIM_STRIBECK_EXPONENTIAL) p.problem.system.stribeck_exponent = exponent;
      p.problem.system.stribeck_beta[0] = 0.6;
      p.problem.system.stribeck_epsilon[0] = 2e-4;
      pause_at(&p, fixture_no_force, 0);
      EventSegment *g = &p.motion->segment;
      double a = -3 * (1 - 0.6), rest = -2 / a;
      const double x[] = {0, 2 * rest, a * rest * rest / 2}, v[] = {2, a * rest, 0};
      g->order = 2;
      g->width = rest;
      p.motion->part = 1;
      memcpy(g->x, x, sizeof x);
      memcpy(g->v, v, sizeof v);
      SimResidual found = examine(&p);
      assert_int_equal(found.of, SIM_RESIDUAL_EQUATION);
      assert_true(found.largest > 0.1 && found.largest <= 0.6);
      g->width = rest * 0.9; /* the segment then covers 1000 epsilon, up to where gamma has its final value beta */
      g->x[1] *= 0.9, g->x[2] *= 0.81, g->v[1] *= 0.9;
      assert_true(examine(&p).largest < (law == SIM_STRIBECK_SQRT ? 1e-5 : 1e-12));
      release(&p);
    }
}

/* Functions that differ from the polynomials. */
typedef struct Wrong {
  double by;
  const SimProblem *problem;
} Wrong;

static double load(int i, double t) { return i == 0 ? 10 + sin(3 * t) : 2 * cos(t); }
static void wrong_load(void *context, double t, double *f) {
  for (int i = 0; i < 2; i++) f[i] = load(i, t) * (1 + ((const Wrong *)context)->by);
}
static void threshold(void *context, double t, double *c) { c[0] = (3 - sin(t)) * (1 + ((const Wrong *)context)->by); }
static double hardening(double e) { return 2 * e + 5 * e * e * e; }
static void law_of_springs(void *context, double e, double *g) {
  (void)context;
  g[0] = hardening(e);
}
static double wrong_spring(void *context, SimSpringPlace place, int k, double e) {
  (void)place, (void)k;
  return hardening(e) * (1 + ((const Wrong *)context)->by);
}

/* A rollout with polynomials is compared with these functions. It ends where the difference is too large. */
static void functions_that_are_wrong(void **state) {
  (void)state;
  for (int which = 0; which < 3; which++)
    for (double by = 0; by < 0.1; by = by == 0 ? 1e-11 : by * 100) {
      SimProblem p;
      SimWorkspace *work;
      Wrong none = {0, &p}, wrong = {by, &p};
      double where, x[2], v[2];
      const SimLoad course = {.context = &none, .at = threshold}, law = {.at = law_of_springs};
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 1), SIM_OK);
      for (int i = 0; i < 2; i++) p.system.mass[3 * i] = p.friction[i] = 2;
      fixture_time(&p, 3, 30);
      fixture_scheme(&p, "event");
      if (which == 1) assert_int_equal(stiction_problem_set_thresholds(&p, 1, &course, 0, NULL, &where), SIM_OK);
      if (which == 2)
        assert_int_equal(stiction_problem_set_springs(&p, SIM_LINKS, 1, &law, -9, 9, 0, NULL, &where), SIM_OK);
      SimModel *model = fixture_model(&p, load, &work);
      SimOriginals originals = {.context = &wrong};
      SimFinal plain = {.x = x, .v = v}, final = plain;
      stiction_rollout(model, work, NULL, NULL, &plain);
      assert_true(plain.status == SIM_OK && plain.examined.largest == 0);
      if (which == 0) originals.force = wrong_load;
      if (which == 1) originals.thresholds = threshold;
      if (which == 2 && by > 0) originals.spring = wrong_spring; /* otherwise the polynomials replace this function */
      double end[] = {x[0], x[1], v[0], v[1]};
      assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
      SimStatus status = stiction_rollout(model, work, NULL, NULL, &final);
      assert_int_equal(status, by > 1.1e-8 ? SIM_RESIDUAL_LARGE : SIM_OK);
      if (status == SIM_OK) assert_true(end[0] == x[0] && end[1] == x[1] && end[2] == v[0] && end[3] == v[1]);
      assert_true(final.examined.largest <= by + 1e-11 && final.examined.largest >= by / 10);
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      sim_problem_clear(&p);
    }
}

static double softening(double e) { return 4 * e / sqrt(1 + e * e); }
static void law_that_softens(void *context, double e, double *g) {
  (void)context;
  g[0] = softening(e);
}
static void only_load(void *context, double t, double *f) {
  (void)context;
  for (int i = 0; i < 2; i++) f[i] = load(i, t);
}

/* Missing functions are replaced by the polynomials, also in pieces below 0, which have powers of the distance to their
 * upper end. */
static void springs_without_function(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work;
  double where, x[2], v[2];
  const SimLoad law = {.at = law_that_softens};
  const SimOriginals originals = {.force = only_load};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 1), SIM_OK);
  for (int i = 0; i < 2; i++) p.system.mass[3 * i] = p.friction[i] = 2;
  fixture_time(&p, 3, 30);
  fixture_scheme(&p, "event");
  assert_int_equal(stiction_problem_set_springs(&p, SIM_LINKS, 1, &law, -60, 60, 0, NULL, &where), SIM_OK);
  /* the law must have more than one piece */
  assert_true(p.springs[SIM_LINKS].rows[0] + p.springs[SIM_LINKS].rows[1] < -1);
  SimModel *model = fixture_model(&p, load, &work);
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
  assert_true(x[1] - x[0] < -1);
  if (!(final.examined.largest < 1e-11)) fail_msg("%g is found", final.examined.largest);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* A residual is relative to the largest term. So an error of a force is found in any units, and a correct motion raises
 * no alarm. */
static struct Units { double length, time, force; } units;
static double load_in_units(int i, double t) { return units.force * load(i, t / units.time); }
static void wrong_in_units(void *context, double t, double *f) {
  wrong_load(context, t / units.time, f);
  for (int i = 0; i < 2; i++) f[i] *= units.force;
}

static SimFinal examined_in_units(double by) {
  SimProblem p;
  SimWorkspace *work;
  double state[4];
  Wrong wrong = {by, &p};
  const SimOriginals originals = {.context = &wrong, .force = wrong_in_units};
  SimFinal final = {.x = state, .v = state + 2};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 1), SIM_OK);
  fixture_time(&p, 3 * units.time, 30);
  fixture_scheme(&p, "event");
  for (int i = 0; i < 2; i++) {
    p.system.mass[3 * i] = 2 * units.force * units.time * units.time / units.length;
    p.system.stiffness[3 * i] = 5 * units.force / units.length;
    p.friction[i] = 2 * units.force;
    p.x0[i] = 0.3 * units.length;
    p.v0[i] = i * units.length / units.time;
  }
  p.system.stribeck = SIM_STRIBECK_SQRT;
  for (int i = 0; i < 2; i++) {
    p.system.stribeck_beta[i] = 0.4;
    p.system.stribeck_epsilon[i] = 0.1 * units.length / units.time;
  }
  SimModel *model = fixture_model(&p, load_in_units, &work);
  assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
  stiction_rollout(model, work, NULL, NULL, &final);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return final;
}

static void residual_is_the_same_in_all_units(void **state) {
  (void)state;
  static const struct Units all[] = {{1, 1, 1},          {1e3, 1e3, 1e-3},   {1e6, 1e9, 1e-6},
                                     {1e-9, 1e-3, 1e12}, {1e12, 1e-6, 1e-9}, {39.37, 1 / 3600.0, 0.2248}};
  for (double by = 0; by < 0.1; by = by == 0 ? 1e-10 : by * 1000) {
    SimFinal first = {0};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      units = all[k];
      SimFinal final = examined_in_units(by);
      if (k == 0) first = final;
      assert_int_equal(final.status, by > 1e-8 ? SIM_RESIDUAL_LARGE : SIM_OK);
      assert_int_equal(final.examined.of, first.examined.of);
      bool same = fabs(final.examined.largest / first.examined.largest - 1) < 0.01;
      if (by == 0 ? final.examined.largest > 1e-11 : !same)
        fail_msg("wrong by %g, units %zu: %g, not %g", by, k, final.examined.largest, first.examined.largest);
    }
  }
}

/* The error is also found if the motion is saved midway and continued elsewhere. */
static void found_before_a_pause(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work, *other;
  double x[2], v[2];
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 1), SIM_OK);
  for (int i = 0; i < 2; i++) p.system.mass[3 * i] = p.system.stiffness[3 * i] = p.friction[i] = 2;
  fixture_time(&p, 3, 30);
  fixture_scheme(&p, "event");
  SimModel *model = fixture_model(&p, load, &work);
  assert_int_equal(stiction_workspace_create(model, &other), SIM_OK);
  sim_workspace_examine(work, &polynomials);
  sim_workspace_examine(other, &polynomials);
  SimFinal whole = {.x = x, .v = v}, again = whole;
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &whole), SIM_OK);
  assert_true(whole.examined.largest > 0);
  for (long n = 0; n <= 30; n += 6) {
    void *bytes = malloc(sim_workspace_saved_size(model));
    sim_rollout_begin(model, work, NULL, NULL);
    sim_rollout_run_to(model, work, NULL, n);
    sim_workspace_save(model, work, bytes);
    assert_int_equal(sim_workspace_load(model, other, bytes, sim_workspace_saved_size(model)), SIM_OK);
    sim_rollout_run_to(model, other, NULL, 30);
    assert_int_equal(sim_rollout_end(model, other, &again), SIM_OK);
    assert_memory_equal(&again.examined, &whole.examined, sizeof whole.examined);
    free(bytes);
  }
  stiction_workspace_destroy(other);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* Other schemes have no series to be examined. */
static void other_schemes(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  p.system.mass[0] = 1;
  fixture_time(&p, 1, 10);
  assert_true(isinf(sim_residual_most(&p)));
  SimModel *model = fixture_model(&p, fixture_no_force, &work);
  assert_int_equal(sim_workspace_examine(work, &polynomials), SIM_BAD_PROBLEM);
  assert_int_equal(sim_workspace_examine(NULL, &polynomials), SIM_BAD_ARGUMENT);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(series_that_are_wrong),
                                     cmocka_unit_test(friction_that_is_wrong),
                                     cmocka_unit_test(peak_that_is_lost),
                                     cmocka_unit_test(functions_that_are_wrong),
                                     cmocka_unit_test(residual_is_the_same_in_all_units),
                                     cmocka_unit_test(springs_without_function),
                                     cmocka_unit_test(found_before_a_pause),
                                     cmocka_unit_test(other_schemes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
