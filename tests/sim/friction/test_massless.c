/* Degrees of freedom without mass beside friction: a Jenkins element in closed form; Masing's rules and return-point memory of a Maxwell-slip model;
 * springs with a law beside them; what is refused. */
#include "tests/sim/friction/massless.h"

enum { SLIDERS = 4, MAXWELL = SLIDERS + 1 };

static const double SPRING[SLIDERS] = {400, 300, 200, 100},
                    LIMIT[SLIDERS] = {0.3, 1.5, 2, 3}; /* N/m, N: in the order in which they slip */

/* A mass, dof `at`, and sliders on springs to it that rub on the ground; the others keep their order. */
static void maxwell(SimProblem *p, const char *scheme, int at, double end, long steps) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, MAXWELL, 0), SIM_OK);
  p->system.mass[at * (MAXWELL + 1)] = 0.5;
  p->system.damping[at * (MAXWELL + 1)] = 12;
  for (int k = 0; k < SLIDERS; k++) {
    int i = k + (k >= at);
    p->system.stiffness[i * (MAXWELL + 1)] = SPRING[k];
    p->system.stiffness[at * (MAXWELL + 1)] += SPRING[k];
    p->system.stiffness[i * MAXWELL + at] = p->system.stiffness[at * MAXWELL + i] = -SPRING[k];
    p->friction[i] = LIMIT[k];
  }
  fixture_time(p, end, steps);
  fixture_scheme(p, scheme);
}

static int mass_at; /* of the model under way */
static double cyclic(int i, double t) { return i == mass_at ? (4 + 2.5 * cos(0.45 * t)) * sin(2 * t) : 0; }

/* The force of the sliders on a mass that has come from 0 to x. */
static double virgin(double x) {
  double sum = 0;
  for (int k = 0; k < SLIDERS; k++) sum += fmin(SPRING[k] * fabs(x), LIMIT[k]);
  return copysign(sum, x);
}

/* Where the motion has turned, as far as it is remembered. */
typedef struct Memory {
  double x[64], force[64], worst, energy;
  int points, turns, closed;
  int way;           /* of the mass */
  signed char slips; /* the weakest slider, one row back */
  bool by_place;     /* the mass turns where x does; else where v does */
  bool late;         /* the sliders are where the mass was */
  double last;       /* x one row back */
} Memory;

/* Masing: from a turning point on the virgin curve twice as large; what goes beyond the turning point before goes on where that branch was left. */
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
  if (m->way && way && way != m->way) { /* the weakest one slipped, and has stopped where the mass has turned */
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

/* By the centred scheme the force is theirs within O(dt). */
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
      fixture_run(&p, cyclic, NULL, &observer, x, v);
      assert_true(memory.worst < 1e-10);
      assert_true(memory.energy < 1e-12);
      assert_true(memory.turns > 8 && memory.closed > 2);
    }
  mass_at = 0;
}

/* The steps go to the motion, of first order. */
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
    assert_true(off[0] < 4e-4 && off[1] < 0.6 * off[0] && off[1] > 0.4 * off[0]);
  }
}

/* A mass thrown at a speed on a Jenkins element: the spring, then the slider with c against it, then swings about where that stays, which its
 * threshold just allows. Off by how much at t, of an end x [2]; v of the slider in *speed. */
static double jenkins_off(const char *scheme, double t, long steps, double *speed) {
  const double m = 2, k = 50, c = 3, thrown = 1.2, omega = sqrt(k / m);
  double slips = asin(c * omega / (k * thrown)) / omega, left = thrown * cos(omega * slips),
         turns = slips + left * m / c;
  double since = fmin(t, turns) - slips, x[2], v[2];
  SimProblem p;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
  p.system.mass[0] = m;
  p.system.stiffness[0] = p.system.stiffness[3] = k;
  p.system.stiffness[1] = p.system.stiffness[2] = -k;
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
  static const double at[3] = {0.08, 0.5, 4}; /* while it sticks, slips, swings */
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

/* Springs with a law of slope 0 at x = 0, beside stiffness that holds what has no mass: it goes to where both balance the load. A range in which the law's
 * slopes differ by more than the stiffness is refused. */
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
  assert_int_equal(sim_problem_set_springs(&p, SIM_ANCHORS, 1, &load, -range, range, 0, NULL, &where), SIM_OK);
  fixture_time(&p, 1, 100);
  fixture_scheme(&p, "moreau");
  if (sim_problem_finalize(&p, NULL) != SIM_OK) {
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

/* What is refused ------------------------------------------------------------------------------------------------------- */

typedef struct Reported {
  int many;
  char key[64];
} Reported;

static void listen(void *context, const char *key, const char *text) {
  Reported *reported = context;
  (void)text;
  if (!reported->many++) snprintf(reported->key, sizeof reported->key, "%s", key);
}

static void refused(SimProblem *p, const char *key) {
  Reported reported = {0};
  const SimReport report = {&reported, listen};
  assert_int_equal(sim_problem_finalize(p, &report), SIM_BAD_PROBLEM);
  assert_string_equal(reported.key, key);
  sim_problem_clear(p);
}

static void what_has_no_motion_is_refused(void **state) {
  SimProblem p;
  (void)state;
  maxwell(&p, "moreau", 0, 1, 100);
  sim_problem_set(&p, "theta", 0.5);
  refused(&p, "scheme.theta");
  maxwell(&p, "moreau", 0, 1, 100);
  p.v0[1] = 1;
  refused(&p, "model.v0");
  maxwell(&p, "event", 0, 1, 100);
  p.system.mass[1] = p.system.mass[MAXWELL] = 0.1; /* beside a zero on the diagonal */
  refused(&p, "model.mass");
  maxwell(&p, "moreau", 0, 1, 100);
  p.system.mass[0] = 0;
  refused(&p, "model.mass");
  maxwell(&p, "event", 0, 1, 100); /* two sliders that a spring holds together, and nothing else */
  double *a = p.system.stiffness;
  a[MAXWELL] = a[1] = a[2 * MAXWELL] = a[2] = 0;
  a[0] = SPRING[2] + SPRING[3];
  a[MAXWELL + 1] = a[2 * MAXWELL + 2] = 5;
  a[MAXWELL + 2] = a[2 * MAXWELL + 1] = -5;
  refused(&p, "model.stiffness");
  maxwell(&p, "event", 0, 1, 100);
  p.system.damping[MAXWELL + 1] = 1;
  refused(&p, "model.damping");
  maxwell(&p, "moreau", 0, 1, 100);
  p.system.stribeck = SIM_STRIBECK_SQRT;
  for (int i = 0; i < MAXWELL; i++) {
    p.system.stribeck_beta[i] = 0.5;
    p.system.stribeck_epsilon[i] = 0.1;
  }
  refused(&p, "model.stribeck.beta");
  maxwell(&p, "moreau", 0, 1, 100);
  p.stops.present = true;
  for (int i = 0; i < MAXWELL; i++) {
    p.stops.lower[i] = p.stops.upper[i] = p.stops.stiffness[i] = NAN;
    p.stops.restitution[i] = i == 2 ? 0.5 : 0;
  }
  p.stops.upper[2] = 1;
  refused(&p, "model.stops.restitution");
  static const char *const others[] = {"centered", "lie", "strang"};
  for (int k = 0; k < 3; k++) {
    maxwell(&p, others[k], 0, 1, 100);
    p.stops.present = true;
    for (int i = 0; i < MAXWELL; i++) {
      p.stops.lower[i] = p.stops.upper[i] = p.stops.stiffness[i] = NAN;
      p.stops.restitution[i] = 0;
    }
    p.stops.upper[2] = 1;
    p.stops.stiffness[2] = 100;
    refused(&p, "model.stops");
  }
  for (int k = 1; k < 3; k++) {
    maxwell(&p, others[k], 0, 1, 100);
    p.system.damping[0] = 12;
    p.system.damping[MAXWELL + 1] = 1;
    p.system.damping[1] = p.system.damping[MAXWELL] = -1;
    refused(&p, "model.damping");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masings_rules), cmocka_unit_test(steps_follow_the_motion), cmocka_unit_test(jenkins_element),
      cmocka_unit_test(springs_with_slope_0_somewhere), cmocka_unit_test(what_has_no_motion_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
