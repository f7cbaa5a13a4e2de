/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the limit cycle of a block on a belt, with friction that decreases with speed, with its closed form. */
#include "tests/sim/event/event.h"

#include <float.h>

static const double LOSS = 0.5, SPEED = 0.5, EPSILON = 0.001;

static double belt_speed(int i, double t) {
  (void)i;
  (void)t;
  return SPEED;
}

static void make_belt(SimProblem *p, const char *scheme, double end, long steps) {
  FixtureSource source = {belt_speed, 1};
  const SimLoad load = {.context = &source, .constant = true, .at = fixture_force_at};
  double where;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(p, end, steps);
  fixture_scheme(p, scheme);
  p->system.mass[0] = p->system.stiffness[0] = p->friction[0] = 1;
  p->system.stribeck = SIM_STRIBECK_RAMP;
  p->system.stribeck_beta[0] = LOSS;
  p->system.stribeck_epsilon[0] = EPSILON;
  p->v0[0] = SPEED;
  assert_int_equal(stiction_problem_set_surface(p, 1, &load, 0, NULL, &where), SIM_OK);
}

/* Computes position x and velocity x' a time t after the state (x, v) on the decreasing part (ramp) of the friction
 * law, 1 - LOSS (SPEED - v)/EPSILON: x'' - b x' + x = r. */
static void on_ramp(double t, double x, double v, double *at_x, double *at_v) {
  double b = LOSS / EPSILON, r = 1 - b * SPEED, root = sqrt(b * b / 4 - 1), fast = b / 2 + root, slow = 1 / fast;
  double q = x - r, a = (v - slow * q) / (fast - slow), c = q - a;
  *at_x = r + a * exp(fast * t) + c * exp(slow * t);
  *at_v = a * fast * exp(fast * t) + c * slow * exp(slow * t);
}

/* Computes the motion above the speed of the ramp, where friction is 1 - LOSS. */
static void beyond_ramp(double t, double x, double v, double *at_x, double *at_v) {
  double q = x - (1 - LOSS);
  *at_x = 1 - LOSS + q * cos(t) + v * sin(t);
  *at_v = v * cos(t) - q * sin(t);
}

typedef void Path(double t, double x, double v, double *at_x, double *at_v);

/* Returns the time in (low, high) at which v passes the speed, where v - speed has the signs `sign` and -sign; sets x
 * and v to the state then. */
static double passes(Path *path, double speed, double low, double high, double sign, double *x, double *v) {
  double from_x = *x, from_v = *v;
  for (int k = 0; k < 200; k++) {
    double middle = (low + high) / 2;
    path(middle, from_x, from_v, x, v);
    if (sign * (*v - speed) > 0)
      low = middle;
    else
      high = middle;
  }
  path(low, from_x, from_v, x, v);
  return low;
}

/* Returns the period of the cycle; sets the extreme positions of the block. */
static double belt_period(double *far, double *near) {
  double x = 1, v = SPEED, slipped = passes(on_ramp, SPEED - EPSILON, 0, 0.1, 1, &x, &v), t, from_x = x, from_v = v;
  passes(beyond_ramp, 0, 0, 2, 1, &x, &v);
  *far = x;
  x = from_x;
  v = from_v;
  passes(beyond_ramp, 0, 2, 5, -1, &x, &v);
  *near = x;
  x = from_x;
  v = from_v;
  slipped += passes(beyond_ramp, SPEED - EPSILON, 3, 5, -1, &x, &v);
  /* from here on the relative speed decreases to 0 within the ramp */
  t = passes(on_ramp, SPEED, 0, 0.01, -1, &x, &v);
  return slipped + t + (1 - x) / SPEED;
}

/* The events of a cycle, and observations at the times of the grid. */
typedef struct Cycle {
  double slips[8], sticks[8], far, near;
  double way; /* x - W during the current interval of sticking */
  int slip_count, stick_count;
  bool stuck, still, rests; /* stuck: the block sticks; still: it must not move relative to the surface; rests: it
                             * must have the surface's speed */
} Cycle;

static void see_cycle(void *context, const SimStep *step) {
  Cycle *c = context;
  double way = step->x[0] - SPEED * step->t;
  if (step->slip[0] == 0) {
    if (c->rests) assert_true(step->slide[0] == 0 && step->v[0] == SPEED);
    if (c->stuck && c->still) assert_near(way, c->way, 2 * DBL_EPSILON * (1 + SPEED * step->t));
    if (!c->stuck) c->way = way;
  }
  c->stuck = step->slip[0] == 0;
  c->far = fmax(c->far, step->x[0]);
  c->near = fmin(c->near, step->x[0]);
}

static void see_belt_event(void *context, double t, int dof, int slip) {
  Cycle *c = context;
  (void)dof;
  if (slip) assert_true(c->slip_count < 8);
  if (slip)
    c->slips[c->slip_count++] = t;
  else if (t > 0)
    c->sticks[c->stick_count++] = t;
}

static Cycle run_belt(const char *scheme, double end, long steps, double *x) {
  SimProblem p;
  Cycle cycle = {.still = strcmp(scheme, "moreau") == 0 || strcmp(scheme, "event") == 0,
                 .rests = strcmp(scheme, "lie") != 0};
  double v;
  const SimObserver observer = {.context = &cycle, .step = see_cycle, .event = see_belt_event};
  make_belt(&p, scheme, end, steps);
  fixture_run(&p, fixture_no_force, NULL, &observer, x, &v);
  return cycle;
}

static void test_belt(void **state) {
  (void)state;
  double far, near, x, period = belt_period(&far, &near);
  Cycle c = run_belt("event", 30, 30000, &x);
  assert_near(period, 1.5 * FIXTURE_PI + 2, 0.05);
  assert_near(far - near, sqrt(2), 0.01);
  assert_int_equal(c.slip_count, 5);
  for (int k = 0; k < 5; k++) assert_near(c.slips[k], 2 + k * period, 1e-8);
  assert_near(c.far, far, 1e-6); /* at the times of the grid */
  assert_near(c.near, near, 1e-6);
}

/* Tests the limit and the order of convergence of a scheme's steps. */
static void test_belt_orders(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang"};
  double exact;
  run_belt("event", 9, 10, &exact);
  for (int k = 0; k < 4; k++) {
    double error[2], x;
    for (int fine = 0; fine < 2; fine++) {
      run_belt(schemes[k], 9, fine ? 36000 : 4500, &x);
      error[fine] = fabs(x - exact);
    }
    assert_true(error[0] < 0.15 && error[1] < error[0] / 4);
  }
}

static double creeping(int i, double t) {
  (void)i;
  (void)t;
  return -0.02;
}
static double pull_of_damper(int i, double t) { return 0.0005 * creeping(i, t); }

/* The force equals that of the damper at the belt's speed, so that only the small force of a weak spring is left. */
static void test_force_that_all_but_cancels(void **state) {
  (void)state;
  SimProblem p;
  FixtureSource source = {creeping, 1};
  const SimLoad load = {.context = &source, .at = fixture_force_at};
  double where, x, v;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(&p, 2, 1);
  fixture_scheme(&p, "event");
  p.system.mass[0] = 0.002;
  p.system.damping[0] = 0.0005;
  p.system.stiffness[0] = 2e-8;
  p.friction[0] = 3e-5;
  p.v0[0] = -0.02;
  assert_int_equal(stiction_problem_set_surface(&p, 1, &load, 0, NULL, &where), SIM_OK);
  fixture_run(&p, pull_of_damper, NULL, NULL, &x, &v);
  assert_near(x, -0.04, 1e-15);
  assert_near(v, -0.02, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_belt), cmocka_unit_test(test_belt_orders),
                                     cmocka_unit_test(test_force_that_all_but_cancels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
