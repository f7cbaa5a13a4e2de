/* Degrees of freedom without mass beside friction: a Jenkins element in closed form; Masing's rules and return-point memory of a Maxwell-slip model;
 * random models by event and by moreau's steps; derivatives of the steps; sparse matrices; what is refused. */
#include "tests/fixture.h"

static const char *const stepping[] = {"moreau", "centered", "lie", "strang"};
enum { STEPPING = sizeof stepping / sizeof *stepping, SLIDERS = 4, MAXWELL = SLIDERS + 1, D_MAX = 6 };

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

/* Random models --------------------------------------------------------------------------------------------------------- */

static double swinging(int i, double t) { return 6 * sin((1 + 0.4 * i) * t + i); }

/* Of two dofs at least, some without mass; where `jumps`, off its balance at the start. */
static void random_model(uint64_t seed, const char *scheme, double end, long steps, bool jumps, SimProblem *p) {
  int d = 2 + (int)(seed % (D_MAX - 1));
  double root[D_MAX * D_MAX];
  fixture_random(&seed);
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  for (int k = 0; k < d * d; k++) root[k] = fixture_random(&seed);
  for (int i = 0; i < d; i++) {
    bool light = i == (int)(seed >> 40) % d || (i && fixture_random(&seed) > 0);
    for (int j = 0; j < d; j++) {
      double sum = 0;
      for (int q = 0; q < d; q++) sum += root[i * d + q] * root[j * d + q];
      p->system.stiffness[i * d + j] = 20 * sum + (i == j ? 6 : 0);
    }
    p->system.mass[i * (d + 1)] = light ? 0 : 1 + fixture_random(&seed) / 2;
    p->system.damping[i * (d + 1)] = light ? 0 : 1;
    p->friction[i] = fmax(jumps ? 0 : 0.1, 1.5 + 2 * fixture_random(&seed));
    p->x0[i] = jumps || !light ? fixture_random(&seed) / 4 : 0;
    p->v0[i] = light ? 0 : fixture_random(&seed);
    p->control_matrix[i] = 1;
  }
  bool any = false;
  for (int i = 0; i < d; i++) any = any || p->system.mass[i * (d + 1)] > 0;
  if (!any) p->system.mass[0] = 1;
  fixture_time(p, end, steps);
  fixture_scheme(p, scheme);
}

typedef struct Balance {
  double open, size;
  const SimProblem *problem;
  double x[2][D_MAX], v[D_MAX]; /* of the last two steps */
  bool looks, centred;          /* at what sticks; v is that of from the step before to the step behind */
  long stuck;
} Balance;

/* What has no mass and sticks does not move by one bit. */
static void look_at_stuck(const SimStep *step, Balance *b) {
  const SimProblem *p = b->problem;
  for (int i = 0; i < p->d; i++) {
    double speed = b->centred ? b->v[i] : step->v[i];
    bool sticks = p->system.mass[i * (p->d + 1)] == 0 && p->friction[i] > 0 && speed == 0 && step->n > 2;
    b->stuck += sticks;
    assert_true(!sticks || step->x[i] == b->x[b->centred][i]);
    b->x[1][i] = b->x[0][i];
    b->x[0][i] = step->x[i];
    b->v[i] = step->v[i];
  }
}

static void close_energy(void *context, const SimStep *step) {
  const SimEnergy *e = step->energy;
  Balance *b = context;
  if (b->looks) look_at_stuck(step, b);
  b->size = fmax(b->size, fabs(e->work) + fabs(e->stored) + fabs(e->dissipated));
  b->open = fixture_max(b->open, fabs(e->work - e->stored - e->dissipated - e->numerical));
}

/* By its steps, whose energy closes, against the motion. */
static double steps_off(uint64_t seed, const char *scheme, int d, const double *motion) {
  enum { STEPS = 8000 };
  SimProblem p;
  Balance balance = {.problem = &p, .looks = true, .centred = strcmp(scheme, "centered") == 0};
  const SimObserver observer = {&balance, close_energy, NULL};
  double x[D_MAX], v[D_MAX], off = 0, control = 0.5;
  random_model(seed * 7919, scheme, 4, STEPS, seed % 2, &p);
  fixture_run(&p, swinging, &control, &observer, x, v);
  assert_true(balance.open <= 1e-12 * balance.size);
  for (int i = 0; i < d; i++) off = fixture_max(off, fabs(x[i] - motion[i]));
  return off;
}

static void random_models_agree(void **state) {
  enum { MODELS = 60 };
  int off_by_much[STEPPING] = {0};
  (void)state;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    double x[D_MAX], v[D_MAX], control = 0.5;
    SimProblem p;
    Balance balance = {0};
    const SimObserver observer = {&balance, close_energy, NULL};
    random_model(seed * 7919, "event", 4, 16, seed % 2, &p);
    int d = p.d;
    fixture_run(&p, swinging, &control, &observer, x, v);
    assert_true(balance.open <= 1e-9 * balance.size);
    for (int k = 0; k < STEPPING; k++) {
      double off = steps_off(seed, stepping[k], d, x);
      if (!(off < 2e-2)) print_message("%s, seed %d: %g\n", stepping[k], (int)seed, off);
      assert_true(off < 2e-2);
      off_by_much[k] += off > 2e-3;
    }
  }
  for (int k = 0; k < STEPPING; k++) assert_true(off_by_much[k] <= MODELS / 10);
}

/* Where an end comes to, of a shift of the number of a column. */
static const char *differentiated; /* the scheme of these */

static void end_of(uint64_t seed, SimDependence on, int entry, double shift, double *end) {
  SimProblem p;
  double u = 0.5 + (on == SIM_ON_CONTROL ? shift : 0);
  random_model(seed, differentiated, 2, 400, false, &p);
  if (on == SIM_ON_FRICTION) p.friction[entry] += shift;
  if (on == SIM_ON_POSITION) p.x0[entry] += shift;
  if (on == SIM_ON_MASS) p.system.mass[entry * (p.d + 1)] += shift;
  int d = p.d;
  fixture_run(&p, swinging, &u, NULL, end, end + d);
}

/* One column by differences; a mass or a threshold of 0 stays so. */
static double column_off(uint64_t seed, int d, SimDependence on, int entry, int n, int column, const double *by) {
  const double small = 1e-7;
  double up[2 * D_MAX], down[2 * D_MAX], worst = 0;
  end_of(seed, on, entry, small, up);
  end_of(seed, on, entry, -small, down);
  for (int r = 0; r < 2 * d; r++) {
    double difference = (up[r] - down[r]) / (2 * small), size = r < d ? 1 : 20;
    worst = fixture_max(worst, fabs(difference - by[r * n + column]) / (size + fabs(difference)));
  }
  return worst;
}

static void derivatives_by(const char *scheme) {
  static const SimDependence on[3] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_FRICTION};
  int compared = 0, off = 0;
  differentiated = scheme;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *columns;
    SimAdjoint *record;
    double u = 0.5, x[D_MAX], v[D_MAX], by[2 * D_MAX * 20], stop[20 * D_MAX], when[D_MAX], how[D_MAX], gradient[20];
    random_model(seed * 104729, scheme, 2, 400, false, &p);
    SimModel *model = fixture_model(&p, swinging, &work);
    SimFinal final = {.x = x, .v = v};
    SimDerivative derivative = {.state = by, .stop = stop, .stop_time = when, .stop_acceleration = how};
    assert_int_equal(sim_sensitivity_create(model, 3, on, &columns), SIM_OK);
    assert_int_equal(sim_adjoint_create(model, 3, on, &record), SIM_OK);
    assert_int_equal(sim_rollout_sensitivity(model, work, columns, &u, &final, &derivative), SIM_OK);
    assert_int_equal(sim_rollout_record(model, work, record, &u, &final), SIM_OK);
    int d = p.d, n = sim_sensitivity_columns(columns);
    for (int r = 0; r < 2 * d; r++) {
      double weights[3 * D_MAX] = {0};
      weights[r] = 1;
      assert_int_equal(sim_adjoint_sweep(record, 1, weights, gradient), SIM_OK);
      for (int k = 0; k < n; k++) assert_true(fabs(gradient[k] - by[r * n + k]) <= 1e-9 * (1 + fabs(gradient[k])));
    }
    for (int k = 0; k < n; k++) {
      SimDependence of = k == 0 ? SIM_ON_CONTROL : k <= d ? SIM_ON_POSITION : SIM_ON_FRICTION;
      int entry = k == 0 ? 0 : (k - 1) % d;
      if (of == SIM_ON_FRICTION && p.friction[entry] == 0) continue;
      compared++;
      off += !(column_off(seed * 104729, d, of, entry, n, k, by) < 1e-4);
    }
    sim_adjoint_destroy(record);
    sim_sensitivity_destroy(columns);
    sim_workspace_destroy(work);
    sim_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_true(compared > 150 && off <= compared / 50); /* a branch may change within the difference */
}

static void derivatives_of_steps(void **state) {
  (void)state;
  for (int k = 0; k < STEPPING; k++) derivatives_by(stepping[k]);
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

static void springs_whose_slope_is_0_somewhere(void **state) {
  double off = INFINITY;
  (void)state;
  assert_true(spring_of_slope_0(0.5, &off) && off < 1e-9);
  assert_false(spring_of_slope_0(3, &off));
}

/* What is refused ------------------------------------------------------------------------------------------------------- */

typedef struct Told {
  int many;
  char key[64];
} Told;

static void listen(void *context, const char *key, const char *text) {
  Told *told = context;
  (void)text;
  if (!told->many++) snprintf(told->key, sizeof told->key, "%s", key);
}

static void refused(SimProblem *p, const char *key) {
  Told told = {0};
  const SimReport report = {&told, listen};
  assert_int_equal(sim_problem_finalize(p, &report), SIM_BAD_PROBLEM);
  assert_string_equal(told.key, key);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(masings_rules),
                                     cmocka_unit_test(steps_follow_the_motion),
                                     cmocka_unit_test(jenkins_element),
                                     cmocka_unit_test(random_models_agree),
                                     cmocka_unit_test(derivatives_of_steps),
                                     cmocka_unit_test(springs_whose_slope_is_0_somewhere),
                                     cmocka_unit_test(what_has_no_motion_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
