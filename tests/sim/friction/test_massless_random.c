/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests random models with dofs without mass, by `event` and by the steps of every scheme: energy balance, sticking,
 * derivatives of the steps. */
#include "tests/sim/friction/massless.h"

enum { D_MAX = 6 };

static double swinging(int i, double t) { return 6 * sin((1 + 0.4 * i) * t + i); }

static bool damps_all; /* whether dofs without mass have damping, too */

/* Makes a model with at least two dofs, some without mass. jumps: the start is not in balance. One model in three has
 * no damping. */
static void random_model(uint64_t seed, const char *scheme, double end, long steps, bool jumps, SimProblem *p) {
  int d = 2 + (int)(seed % (D_MAX - 1));
  double root[D_MAX * D_MAX];
  bool undamped = seed % 3 == 0 && !damps_all;
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
    p->system.damping[i * (d + 1)] = undamped || (light && !damps_all) ? 0 : 1;
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
  if (sim_problem_word(p, "elastic")) sim_problem_set(p, "elastic_substeps", 1 + (int)(seed >> 20 & 1));
}

typedef struct Balance {
  double open, size;
  const SimProblem *problem;
  double x[2][D_MAX], v[D_MAX]; /* positions x and velocities v at the last two steps */
  bool looks, centred;          /* looks: whether dofs that stick are checked; centred: whether v is the mean over
                                 * two steps */
  long stuck;
} Balance;

/* Checks that dofs without mass that stick do not move by one bit. */
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

/* Compares the steps with the exact motion, and checks that their energy closes. */
static double steps_off(uint64_t seed, const char *scheme, int d, const double *motion) {
  enum { STEPS = 8000 };
  SimProblem p;
  Balance balance = {.problem = &p, .centred = strcmp(scheme, "centered") == 0};
  const SimObserver observer = {&balance, close_energy, NULL};
  double x[D_MAX], v[D_MAX], off = 0, control = 0.5;
  random_model(seed * 7919, scheme, 4, STEPS, seed % 2, &p);
  balance.looks = !sim_problem_word(&p, "elastic") || sim_problem_get(&p, "elastic_substeps") == 1;
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
  /* With theta = 1 the scheme damps undamped oscillations, so the difference is large. */
  for (int k = 0; k < STEPPING; k++) assert_true(off_by_much[k] <= MODELS / 4);
}

/* Scheme of the derivatives that are checked. */
static const char *differentiated; /* scheme of which derivatives are compared */

static void end_of(uint64_t seed, SimDependence on, int entry, double shift, double *end) {
  SimProblem p;
  double u = 0.5 + (on == SIM_ON_CONTROL ? shift : 0);
  random_model(seed, differentiated, 2, 400, false, &p);
  if (on == SIM_ON_FRICTION) p.friction[entry] += shift;
  if (on == SIM_ON_POSITION) p.x0[entry] += shift;
  if (on == SIM_ON_MASS) p.system.mass[entry * (p.d + 1)] += shift;
  if (on == SIM_ON_DAMPING) p.system.damping[entry * (p.d + 1)] += shift;
  int d = p.d;
  fixture_run(&p, swinging, &u, NULL, end, end + d);
}

/* Compares one column with differences. A mass or threshold of 0 stays 0. */
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
  enum { KINDS = 5 };
  static const SimDependence on[KINDS] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_FRICTION, SIM_ON_MASS,
                                          SIM_ON_DAMPING};
  int compared = 0, off = 0;
  differentiated = scheme;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    SimProblem p;
    SimWorkspace *work;
    SimSensitivity *columns;
    SimAdjoint *record;
    double u = 0.5, x[D_MAX], v[D_MAX], by[2 * D_MAX * 32], stop[32 * D_MAX], when[D_MAX], how[D_MAX], gradient[32];
    random_model(seed * 104729, scheme, 2, 400, false, &p);
    SimModel *model = fixture_model(&p, swinging, &work);
    SimFinal final = {.x = x, .v = v};
    SimDerivative derivative = {.state = by, .stop = stop, .stop_time = when, .stop_acceleration = how};
    assert_int_equal(stiction_sensitivity_create(model, KINDS, on, &columns), SIM_OK);
    assert_int_equal(sim_adjoint_create(model, KINDS, on, &record), SIM_OK);
    assert_int_equal(stiction_rollout_sensitivity(model, work, columns, &u, &final, &derivative), SIM_OK);
    assert_int_equal(sim_rollout_record(model, work, record, &u, &final), SIM_OK);
    int d = p.d, n = stiction_sensitivity_columns(columns);
    for (int r = 0; r < 2 * d; r++) {
      double weights[3 * D_MAX] = {0};
      weights[r] = 1;
      assert_int_equal(sim_adjoint_sweep(record, 1, weights, gradient), SIM_OK);
      for (int k = 0; k < n; k++) assert_true(fabs(gradient[k] - by[r * n + k]) <= 1e-9 * (1 + fabs(gradient[k])));
    }
    for (int k = 0; k < n; k++) {
      SimDependence of = k == 0 ? SIM_ON_CONTROL : on[1 + (k - 1) / d];
      int entry = k == 0 ? 0 : (k - 1) % d;
      if (of == SIM_ON_FRICTION && p.friction[entry] == 0) continue;
      if (of == SIM_ON_MASS && p.system.mass[entry * (d + 1)] == 0) continue;
      compared++;
      off += !(column_off(seed * 104729, d, of, entry, n, k, by) < 1e-4);
    }
    sim_adjoint_destroy(record);
    stiction_sensitivity_destroy(columns);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  assert_true(compared > 150 && off <= compared / 50); /* a difference is wrong if a branch changes in it */
}

static void derivatives_of_steps(void **state) {
  (void)state;
  damps_all = true;
  for (int k = 0; k < STEPPING; k++) derivatives_by(stepping[k]);
  damps_all = false;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models_agree), cmocka_unit_test(derivatives_of_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
