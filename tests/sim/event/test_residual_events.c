/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the examination of motions by `event` at events and near rest. Errors are found, and correct motions raise no
 * alarm, however small some terms are. */
#include "sim/event/dashpot_residual.h"
#include "tests/sim/event/residual.h"

static double load(int i, double t) { return i == 0 ? 10 + sin(3 * t) : 2 * cos(t); }

static double weight(int i, double t) {
  (void)i, (void)t;
  return -2 * 9.81;
}

/* A sliding block stops or bounces at a wrong time, so that it moves on or its speed jumps. */
static void events_at_the_wrong_time(void **state) {
  (void)state;
  for (int late = 0; late < 2; late++)
    for (double part = 1e-7; part < 0.1; part *= 100) {
      Paused p;
      fixture_throw(&p.problem, "event", 3, 30, 1, 3, 2);
      pause_at(&p, fixture_no_force, 1);
      p.motion->part *= late ? 1 + part : 1 - part;
      SimStatus status = sim_rollout_run_to(p.model, p.work, NULL, 30);
      SimResidual found = p.work->residual;
      assert_int_equal(status, SIM_RESIDUAL_LARGE);
      /* if it is late, it first moves on */
      assert_true(found.of == SIM_RESIDUAL_JUMP || (late && found.of == SIM_RESIDUAL_FRICTION));
      assert_true(found.largest >= part / 2 && (found.largest <= 2 * part || !late));
      release(&p);
    }
}

/* Makes a block of 2 kg, 1 m above a stop. */
static void fall_on_stop_of(SimProblem *p, double lower, double restitution, double stiffness) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 1), SIM_OK);
  p->system.mass[0] = 2;
  p->x0[0] = 1;
  p->stops.present = true;
  p->stops.lower[0] = lower;
  p->stops.upper[0] = NAN;
  p->stops.stiffness[0] = stiffness;
  p->stops.restitution[0] = restitution;
  fixture_time(p, 1, 20);
  fixture_scheme(p, "event");
}

static void fall_on_stop(Paused *p, double lower, double restitution) {
  fall_on_stop_of(&p->problem, lower, restitution, NAN);
}

/* A block falls on a stop with e = 0.5; the segment after its first bounce is changed. */
static void bounces_that_are_wrong(void **state) {
  (void)state;
  Paused p;
  fall_on_stop(&p, 0, 0.5);
  pause_at(&p, weight, 10); /* the ball has reached the stop at t = sqrt(2/9.81) = 0.45 s */
  assert_int_equal(p.motion->at.struck, 1);
  assert_true(p.work->residual.largest < 1e-12);
  p.motion->segment.v[0] *= 0.999; /* the ball rebounds with less than half of its speed */
  residual_enter(p.system, p.motion);
  assert_found(p.motion->at.residual, 0.0005, 1e-6, SIM_RESIDUAL_JUMP);
  release(&p);
}

/* A block flies past its stop by a fraction of its distance: the residual must show it. */
static void stops_that_are_passed(void **state) {
  (void)state;
  for (double wrong = 1e-7; wrong < 0.1; wrong *= 100) {
    Paused p;
    fall_on_stop(&p, 0, 0.5);
    pause_at(&p, weight, 10);
    assert_true(examine(&p).largest < 1e-12);
    p.motion->segment.x[0] = -wrong;
    SimResidual found = examine(&p);
    assert_int_equal(found.of, SIM_RESIDUAL_PATH);
    assert_true(found.largest > wrong); /* after the bounce the ball rises to at most 0.25 m */
    release(&p);
  }
}

/* In m v' + f_d + k x = f with a cubic law, the series of the force, the speed or the position is wrong. */
static void dashpots_that_are_wrong(void **state) {
  (void)state;
  for (double wrong = 1e-7; wrong < 1; wrong *= 100)
    for (int which = 0; which < 3; which++) {
      Paused p;
      assert_int_equal(sim_problem_init(&p.problem, SIM_DASHPOT, 1, 1), SIM_OK);
      p.problem.dashpot.mass = 2;
      p.problem.dashpot.stiffness = 3;
      p.problem.dashpot.law = SIM_BINGHAM_CUBIC;
      p.problem.dashpot.g = 0.5;
      p.problem.friction[0] = 1;
      fixture_time(&p.problem, 1, 100);
      fixture_scheme(&p.problem, "event");
      p.model = fixture_model(&p.problem, load, &p.work);
      assert_int_equal(sim_workspace_examine(p.work, &polynomials), SIM_OK);
      assert_int_equal(sim_rollout_begin(p.model, p.work, NULL, NULL), SIM_OK);
      assert_int_equal(sim_rollout_run_to(p.model, p.work, NULL, 50), SIM_OK);
      DashpotMotion *m = p.work->own;
      assert_true(m->at.residual.largest < 1e-10);
      double *const series[] = {m->segment.w, m->segment.q, m->segment.x};
      for (int k = 0; k <= m->segment.order; k++) series[which][k] *= 1 + wrong;
      m->at.residual = (SimResidual){0};
      dashpot_residual_examine(p.model->plan, m);
      double found = m->at.residual.largest;
      if (!(found > wrong / 20 && found < 20 * wrong)) fail_msg("%g of %g", found, wrong);
      release(&p);
    }
}

/* Runs a problem with examination and an observer. The run must end with SIM_OK. */
static void assert_right(SimProblem *p, FixtureForce *force, const char *what) {
  SimWorkspace *work;
  double state[8];
  SimFinal final = {.x = state, .v = state + 4};
  SimModel *model = fixture_model(p, force, &work);
  assert_int_equal(sim_workspace_examine(work, &polynomials), SIM_OK);
  stiction_rollout(model, work, NULL, NULL, &final);
  if (final.status != SIM_OK)
    fail_msg("%s: %s, %g of %s at %g s", what, stiction_status_text(final.status), final.examined.largest,
             sim_residual_text(final.examined.of), final.examined.time);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

/* Two masses slow down at different rates, until one is e^750 times as fast as the other, and until the smallest number
 * is reached. */
static void what_fades_is_right(void **state) {
  (void)state;
  for (int n = 1; n <= 2; n++) {
    SimProblem p;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, n, 0), SIM_OK);
    for (int i = 0; i < n; i++) {
      p.system.mass[i * (n + 1)] = i + 1;
      p.system.damping[i * (n + 1)] = 1;
      p.v0[i] = i + 1;
    }
    fixture_time(&p, 1500, 100);
    fixture_scheme(&p, "event");
    assert_right(&p, fixture_no_force, "fading");
  }
}

static double gently(int i, double t) { return i + t > 1 ? i + t - 1 : 0; }
static double swings(int i, double t) { return -sin(t + i); }

/* A ball has a stop at 0, or nearly there. A mass rests on an elastic stop, is pressed on it, and is lifted off it. */
static void ends_at_zero_are_right(void **state) {
  (void)state;
  static const double lower[] = {0, 1e-12, -1e-12, 1e-7};
  for (int k = 0; k < 4; k++) {
    SimProblem p;
    fall_on_stop_of(&p, lower[k], 0.9, NAN);
    assert_right(&p, weight, "a ball");
  }
  FixtureForce *const forces[] = {fixture_no_force, gently, swings};
  for (int k = 0; k < 3; k++) {
    SimProblem p;
    fall_on_stop_of(&p, 0, 0, 10);
    p.x0[0] = 0;
    assert_right(&p, forces[k], "on an elastic end");
  }
}

/* Two masses coupled by M, each with a stop, hit their stops in turn. */
static void stops_struck_in_turn_are_right(void **state) {
  (void)state;
  for (int k = 0; k < 40; k++) {
    SimProblem p;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
    const double mass[] = {1 + 0.05 * k, 0.9 * sqrt(1 + 0.05 * k), 0.9 * sqrt(1 + 0.05 * k), 1};
    memcpy(p.system.mass, mass, sizeof mass);
    p.stops.present = true;
    for (int i = 0; i < 2; i++) {
      p.friction[i] = 0.3;
      p.v0[i] = -1 - i;
      p.stops.lower[i] = -0.1 - 0.05 * i;
      p.stops.upper[i] = p.stops.stiffness[i] = NAN;
      p.stops.restitution[i] = 0.02 * k;
    }
    fixture_time(&p, 3, 30);
    fixture_scheme(&p, "event");
    assert_right(&p, weight, "struck in turn");
  }
}

static double for_a_second(int i, double t) { return i + t < 1 ? 1 : 0; }

/* The mass of a dash-pot is nearly at rest when its force ends. */
static void dashpots_near_rest_are_right(void **state) {
  (void)state;
  SimProblem p;
  assert_int_equal(sim_problem_init(&p, SIM_DASHPOT, 1, 0), SIM_OK);
  p.dashpot.mass = 0.01;
  p.dashpot.law = SIM_VISCOUS;
  p.dashpot.g = 0.3;
  p.v0[0] = 1;
  fixture_time(&p, 20, 2000);
  fixture_scheme(&p, "event");
  assert_right(&p, for_a_second, "a dash-pot");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_at_the_wrong_time),
      cmocka_unit_test(bounces_that_are_wrong),
      cmocka_unit_test(stops_that_are_passed),
      cmocka_unit_test(dashpots_that_are_wrong),
      cmocka_unit_test(what_fades_is_right),
      cmocka_unit_test(ends_at_zero_are_right),
      cmocka_unit_test(stops_struck_in_turn_are_right),
      cmocka_unit_test(dashpots_near_rest_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
