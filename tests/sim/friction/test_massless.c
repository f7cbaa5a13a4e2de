/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests dofs without mass that have friction: a Jenkins element in closed form, Masing's rules and return-point memory
 * of a Maxwell-slip model, and models with nonlinear springs. */
#include "tests/sim/friction/massless.h"

static int mass_at; /* number of the dof with mass in the current model */
static double cyclic(int i, double t) { return i == mass_at ? (4 + 2.5 * cos(0.45 * t)) * sin(2 * t) : 0; }

/* Returns the force of the sliders on a mass that has moved monotonically from 0 to x. */
static double virgin(double x) {
  double sum = 0;
  for (int k = 0; k < SLIDERS; k++) sum += fmin(SPRING[k] * fabs(x), LIMIT[k]);
  return copysign(sum, x);
}

/* The turning points of the motion that still affect the force. */
typedef struct Memory {
  double x[64], force[64], worst, energy;
  int points, turns, closed;
  int way;           /* direction in which the mass moves */
  signed char slips; /* slip of the weakest slider in the previous row */
  bool by_place;     /* true: the mass counts as turned when x turns back; false: when v changes its sign */
  bool late;         /* true: the sliders' positions belong to the previous position of the mass */
  double last;       /* position x of the mass in the previous row */
} Memory;

/* Returns the force by Masing's rule: from a turning point the virgin curve continues, scaled by two. Beyond the
 * previous turning point, the branch before that point continues. */
static double masing(Memory *m, double x) {
  while (m->points > 1 && fabs(x - m->x[m->points - 1]) > fabs(m->x[m->points - 2] - m->x[m->points - 1])) {
    m->points -= 2;
    m->closed++;
  }
  if (m->points == 1 && fabs(x) > fabs(m->x[0])) m->points = 0;
  if (m->points == 0) return virgin(x);
  return m->force[m->points - 1] + 2 * virgin((x - m->x[m->points - 1]) / 2);
}

static void follow(void *context, const SimStep *step) {
  Memory *m = context;
  int at = mass_at, weakest = at == 0;
  double x = step->x[at], force = 0;
  double moves = m->by_place ? x - m->last : step->v[at];
  double before = m->last;
  int way = (moves > 0) - (moves < 0);
  m->last = x;
  for (int k = 0; k < SLIDERS; k++) force += SPRING[k] * (x - step->x[k + (k >= at)]);
  if (m->way && way && way != m->way) { /* the weakest slider slipped, and stopped when the mass turned */
    assert_true(m->late || (m->slips == m->way && step->v[weakest] == 0));
    double turn = m->late ? before : step->x[weakest] + m->way * LIMIT[0] / SPRING[0], there = masing(m, turn);
    assert_true(m->points < 64);
    m->force[m->points] = there;
    m->x[m->points++] = turn;
    m->turns++;
  }
  if (way) m->way = way;
  m->slips = (signed char)((step->v[weakest] > 0) - (step->v[weakest] < 0));
  m->worst = fixture_max(m->worst, fabs(force - masing(m, x)));
  const SimEnergy *e = step->energy;
  m->energy = fabs(e->work - e->stored - e->dissipated - e->numerical);
}

/* Returns the largest difference of the force for the centred scheme, which is O(dt). */
static double off_by_lag(long steps) {
  SimProblem p;
  Memory memory = {.by_place = true, .late = true};
  double x[MAXWELL], v[MAXWELL];
  const SimObserver observer = {&memory, follow, NULL};
  maxwell(&p, "centered", mass_at, 20, steps);
  fixture_run(&p, cyclic, NULL, &observer, x, v);
  assert_true(memory.energy < 1e-12);
  assert_true(memory.turns > 8 && memory.closed > 2);
  return memory.worst;
}

static void masings_rules(void **state) {
  static const char *const schemes[] = {"event", "moreau", "lie", "strang"};
  (void)state;
  mass_at = 0;
  double off = off_by_lag(8000), half = off_by_lag(16000);
  assert_true(off < 0.25 && half < 0.6 * off);
  for (int k = 0; k < 4; k++)
    for (mass_at = 0; mass_at < MAXWELL; mass_at += 2) {
      SimProblem p;
      Memory memory = {.by_place = k > 1};
      double x[MAXWELL], v[MAXWELL];
      const SimObserver observer = {&memory, follow, NULL};
      maxwell(&p, schemes[k], mass_at, 20, 4000);
      if (k > 1) sim_problem_set(&p, "elastic_substeps", 1); /* with substeps the mass would turn between two rows */
      fixture_run(&p, cyclic, NULL, &observer, x, v);
      assert_true(memory.worst < 1e-10);
      assert_true(memory.energy < 1e-12);
      assert_true(memory.turns > 8 && memory.closed > 2);
    }
  mass_at = 0;
}

/* Steps converge to the motion with first order. */
static void steps_follow_the_motion(void **state) {
  double x[2][MAXWELL], exact[MAXWELL], v[MAXWELL];
  SimProblem p;
  (void)state;
  maxwell(&p, "event", 0, 7, 10);
  fixture_run(&p, cyclic, NULL, NULL, exact, v);
  for (int s = 0; s < STEPPING; s++) {
    double off[2] = {0};
    for (int k = 0; k < 2; k++) {
      maxwell(&p, stepping[s], 0, 7, 7000 << k);
      fixture_run(&p, cyclic, NULL, NULL, x[k], v);
      for (int i = 0; i < MAXWELL; i++) off[k] = fixture_max(off[k], fabs(x[k][i] - exact[i]));
    }
    assert_true(off[0] < 2e-4 && off[1] < 0.6 * off[0]);
  }
}

/* A mass with a Jenkins element has an initial speed. First the spring acts, then the slider with c, then the mass
 * oscillates about the position of the slider at its threshold. Returns the error of the final state x [2] at t.
 * *speed: v of the slider. */
static double jenkins_off(const char *scheme, double t, long steps, double *speed) {
  const double m = 2, k = 50, c = 3, thrown = 1.2, omega = sqrt(k / m);
  double slips = asin(c * omega / (k * thrown)) / omega, left = thrown * cos(omega * slips),
         turns = slips + left * m / c;
  double since = fmin(t, turns) - slips, x[2], v[2];
  SimProblem p;
  jenkins(&p, k);
  p.system.mass[0] = m;
  p.friction[1] = c;
  p.v0[0] = thrown;
  fixture_time(&p, t, steps);
  fixture_scheme(&p, scheme);
  fixture_run(&p, fixture_no_force, NULL, NULL, x, v);
  double slider = t < slips ? 0 : left * since - c / (2 * m) * since * since;
  double mass = t < slips   ? thrown / omega * sin(omega * t)
                : t < turns ? c / k + slider
                            : slider + c / k * cos(omega * (t - turns));
  *speed = v[1] - (t < slips || t > turns ? 0 : left - c / m * since);
  return fixture_max(fabs(x[0] - mass), fabs(x[1] - slider));
}

static void jenkins_element(void **state) {
  static const double at[3] = {0.08, 0.5, 4}; /* times at which the slider sticks, slips, and at which the mass
                                               * oscillates */
  double speed;
  (void)state;
  for (int k = 0; k < 3; k++) {
    assert_true(jenkins_off("event", at[k], 8, &speed) < 1e-10 && fabs(speed) < 1e-9);
    for (int s = 0; s < STEPPING; s++) {
      long steps = (long)(at[k] / 2e-4);
      double off = jenkins_off(stepping[s], at[k], steps, &speed),
             half = jenkins_off(stepping[s], at[k], 2 * steps, &speed);
      assert_true(fabs(speed) < 5e-3 && half < 0.6 * off + 1e-12);
    }
  }
}

/* A cart of 1 kg and a shoe on a spring of 500 N/m both rub on the ground with c. The cart has an initial speed v0, or
 * is pulled from rest. Once the shoe slips this is a rigid body, and the steps must not turn the spring into a damper.
 * Returns the error at t = 2. *taken: the numerical loss. */
static double pulled;
static double pull_cart(int i, double t) {
  (void)t;
  return i == 0 ? pulled : 0;
}

static void keep_numerical(void *context, const SimStep *step) { *(double *)context = step->energy->numerical; }

static double cart_off(const char *scheme, double c, double v0, double force, double *taken) {
  const double k = 500, t = 2;
  double x[2], v[2];
  const SimObserver observer = {taken, keep_numerical, NULL};
  SimProblem p;
  pulled = force;
  jenkins(&p, k);
  p.friction[0] = p.friction[1] = c;
  p.v0[0] = v0;
  fixture_time(&p, t, 2000);
  fixture_scheme(&p, scheme);
  fixture_run(&p, pull_cart, NULL, &observer, x, v);
  double speed = v0 + (force - 2 * c) * t, way = v0 * t + (force - 2 * c) * t * t / 2;
  return fixture_max(fixture_max(fabs(x[0] - way), fabs(x[1] - way)), fabs(v[0] - speed));
}

/* Returns the speed of a belt on which the cart starts from rest, with little friction. The shoe has no friction. */
static double belt(int i, double t) {
  (void)t;
  return i == 0;
}

static double belt_off(const char *scheme, double *taken) {
  const double c = 0.01, t = 2;
  double x[2], v[2], where;
  const SimObserver observer = {taken, keep_numerical, NULL};
  FixtureSource speed = {belt, 2};
  SimLoad load = {.at = fixture_force_at, .context = &speed};
  SimProblem p;
  jenkins(&p, 500);
  p.friction[0] = c;
  fixture_time(&p, t, 2000);
  fixture_scheme(&p, scheme);
  assert_int_equal(stiction_problem_set_surface(&p, 2, &load, 0, NULL, &where), SIM_OK);
  fixture_run(&p, fixture_no_force, NULL, &observer, x, v);
  return fixture_max(fixture_max(fabs(x[0] - c * t * t / 2), fabs(x[1] - c * t * t / 2)), fabs(v[0] - c * t));
}

static void what_follows_does_not_brake(void **state) {
  (void)state;
  for (int s = 0; s < STEPPING; s++) {
    double taken;
    assert_true(cart_off(stepping[s], 0, 1, 0, &taken) < 1e-6 && fabs(taken) < 3e-4);
    assert_true(cart_off(stepping[s], 0.3, 0, 2, &taken) < 2e-2 && fabs(taken) < 3e-3);
    assert_true(belt_off(stepping[s], &taken) < 2e-5 && fabs(taken) < 1e-6);
  }
}

/* Springs have a law of slope 0 at x = 0, and a stiffness holds the dofs without mass, which move to the balance of
 * forces. A range in which the slopes of the law differ by more than the stiffness is refused. */
static double cubic(int i, double e) {
  (void)i;
  return 200 * e * e * e;
}
static double pull(int i, double t) {
  (void)t;
  return i == 1 ? 12 : 0;
}

static bool spring_of_slope_0(double range, double *off) {
  SimProblem p;
  double where, x[2], v[2];
  FixtureSource law = {cubic, 1};
  SimLoad load = {.at = fixture_force_at, .context = &law};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
  p.system.mass[0] = 1;
  p.system.damping[0] = 8;
  p.system.stiffness[0] = p.system.stiffness[3] = 30;
  assert_int_equal(stiction_problem_set_springs(&p, SIM_ANCHORS, 1, &load, -range, range, 0, NULL, &where), SIM_OK);
  fixture_time(&p, 1, 100);
  fixture_scheme(&p, "moreau");
  if (stiction_problem_finalize(&p, NULL) != SIM_OK) {
    sim_problem_clear(&p);
    return false;
  }
  fixture_run(&p, pull, NULL, NULL, x, v);
  *off = fabs(30 * x[1] + cubic(1, x[1]) - 12);
  return true;
}

static void springs_with_slope_0_somewhere(void **state) {
  double off = INFINITY;
  (void)state;
  assert_true(spring_of_slope_0(0.5, &off) && off < 1e-9);
  assert_false(spring_of_slope_0(3, &off));
}

/* A table is pushed and held, with two sliders in a row behind it. At their thresholds under a constant load they do
 * not move by one bit. */
static double push_and_hold(int i, double t) { return i ? 0 : fmin(4 * t, 8); }

typedef struct Rest {
  long moved; /* number of rows in which a slider has a velocity although the load is constant */
  double last[2];
} Rest;

static void look_at_rest(void *context, const SimStep *step) {
  Rest *r = context;
  for (int k = 0; k < 2; k++) {
    r->moved += step->t > 4 && (step->v[1 + k] != 0 || step->slip[1 + k] != 0);
    r->last[k] = step->x[1 + k];
  }
}

static void what_round_off_moves_sticks(void **state) {
  static const double stiffness[9] = {35, -30, 0, -30, 50, -20, 0, -20, 20}, friction[3] = {0.3, 1, 0.7};
  (void)state;
  for (int s = 0; s < STEPPING; s++) {
    SimProblem p;
    Rest rest = {0};
    double x[3], v[3];
    const SimObserver observer = {&rest, look_at_rest, NULL};
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 3, 0), SIM_OK);
    p.system.mass[0] = 1;
    p.system.damping[0] = 2;
    memcpy(p.system.stiffness, stiffness, sizeof stiffness);
    memcpy(p.friction, friction, sizeof friction);
    fixture_time(&p, 5, 5000);
    fixture_scheme(&p, stepping[s]);
    if (strcmp(stepping[s], "centered") == 0) sim_problem_choose(&p, "multiplier", "unregularized");
    fixture_run(&p, push_and_hold, NULL, &observer, x, v);
    assert_true(rest.last[1] > 0.1 && rest.moved == 0);
  }
}

static void keep_energy(void *context, const SimStep *step) { *(SimEnergy *)context = *step->energy; }

/* Makes a slider on a spring of 10 N/m that rubs with 2 N. It goes at once to where spring and friction bear the load,
 * and stops there. */
static void slider(SimProblem *p, const char *scheme, bool on_belt) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 2, 0), SIM_OK);
  p->system.mass[0] = p->system.stiffness[0] = 1;
  p->system.stiffness[3] = 10;
  p->friction[1] = 2;
  fixture_time(p, 1, 8);
  fixture_scheme(p, scheme);
  if (strcmp(scheme, "centered") == 0) sim_problem_choose(p, "multiplier", "unregularized");
  if (on_belt) {
    static FixtureSource still = {fixture_no_force, 2};
    const SimLoad load = {.context = &still, .constant = true, .at = fixture_force_at};
    double where;
    assert_int_equal(stiction_problem_set_surface(p, 2, &load, 0, NULL, &where), SIM_OK);
  }
}

static double sudden(int i, double t) { return i && t > 0.4 ? 8 : 0; }
static double rise_of_slider(int i, double e) { return i ? 3 * fabs(e) : 0; }

/* The balance is 10 x + 2 + 3 x = 8 for any step, whether the load is there from the start or comes later. */
static void a_jump_ends_at_the_risen_threshold(void **state) {
  static FixtureSource law = {rise_of_slider, 2};
  const SimLoad load = {.context = &law, .at = fixture_force_at};
  const double kink = 0;
  (void)state;
  for (int s = 0; s < STEPPING; s++)
    for (int k = 0; k < 4; k++) {
      SimProblem p;
      SimEnergy energy = {0};
      double x[2], v[2], where;
      slider(&p, stepping[s], k > 1);
      assert_int_equal(stiction_problem_set_rise(&p, SIM_OWN_PLACE, 2, &load, -2, 2, 1, &kink, &where), SIM_OK);
      if (k % 2) p.x0[1] = -0.9; /* the slider springs back at once, and rests until the load comes */
      assert_false(sim_scheme_differentiates(p.scheme, &p));
      const SimObserver observer = {&energy, keep_energy, NULL};
      fixture_run(&p, sudden, NULL, &observer, x, v);
      assert_true(fabs(x[1] - 6.0 / 13) < 1e-9);
      assert_true(fabs(energy.work - (energy.stored + energy.dissipated + energy.numerical)) < 1e-11);
    }
}

static double law_of_slider(int i, double e) { return i ? 20 * e * e * e : 0; }

/* Returns 2 + 10 x + 20 x^3 at x = 3/4. The mean of the law over the jump is another force. */
static double cubic_load(int i, double t) {
  (void)t;
  return i ? 2 + 7.5 + 20 * 0.421875 : 0;
}

static void a_jump_ends_where_the_law_of_its_spring_has_it(void **state) {
  static FixtureSource law = {law_of_slider, 2};
  const SimLoad load = {.context = &law, .at = fixture_force_at};
  SimProblem p;
  SimEnergy energy = {0};
  double x[2], v[2], where;
  const SimObserver observer = {&energy, keep_energy, NULL};
  (void)state;
  slider(&p, "moreau", false);
  assert_int_equal(stiction_problem_set_springs(&p, SIM_ANCHORS, 2, &load, -1, 1, 0, NULL, &where), SIM_OK);
  fixture_run(&p, cubic_load, NULL, &observer, x, v);
  assert_true(fabs(x[1] - 0.75) < 1e-12);
  assert_true(fabs(energy.work - (energy.stored + energy.dissipated + energy.numerical)) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(masings_rules),
                                     cmocka_unit_test(steps_follow_the_motion),
                                     cmocka_unit_test(jenkins_element),
                                     cmocka_unit_test(what_follows_does_not_brake),
                                     cmocka_unit_test(what_round_off_moves_sticks),
                                     cmocka_unit_test(springs_with_slope_0_somewhere),
                                     cmocka_unit_test(a_jump_ends_at_the_risen_threshold),
                                     cmocka_unit_test(a_jump_ends_where_the_law_of_its_spring_has_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
