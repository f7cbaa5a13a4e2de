/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests every scheme with every pair of features and every storage: the scheme refuses the pair, or its motion is
 * right. It is right if it is near the motion by the small steps of features_reference.h, which treat all features.
 * Each feature changes the motion by far more than the allowed error, so that a feature that is accepted but ignored
 * is found. Energies must close, or not be computed. Derivatives must be refused, or equal differences, forward and
 * adjoint. Batches must have the bits of rollouts.
 *
 * usage: test_features [SCHEME [FEATURE]]     only this scheme (-: all), and only pairs with this feature */
#include "tests/sim/core/features_reference.h"

static const double NEAR = 4e-3, APART = 1.2e-2;
enum { STEPS = 2000, SHORT = 260, BATCH = 64 };

static char reason[512]; /* the first error of the last problem that was refused */

static void count(void *context, const char *key, const char *text) {
  int *errors = context;
  if (++*errors == 1) snprintf(reason, sizeof reason, "%s: %s", key, text);
}

static const char *only_scheme = "-", *only_feature;
static int failures;
static unsigned held; /* features in addition to the pair: the storage of matrices */

static bool is_wanted(int a, int b) {
  return !only_feature || strcmp(feature_names[a], only_feature) == 0 || strcmp(feature_names[b], only_feature) == 0;
}

static void complain(const char *scheme, int a, int b, const char *what, double off) {
  fprintf(stderr, "%s with %s and %s: %s (%g)\n", scheme, feature_names[a], feature_names[b], what, off);
  failures++;
}

/* Returns the features that affect the motion. Storage and solver do not affect the reference. */
static unsigned moving(unsigned with) {
  return with & ~(1u << WITH_NOTHING | 1u << WITH_SPARSE | 1u << WITH_MANY | 1u << WITH_REGULARIZED |
                  1u << WITH_FIXED_POINT | 1u << WITH_MODES);
}

static void look(void *context, const SimStep *step) {
  const SimEnergy *e = step->energy;
  double *sum = context;
  *sum = e->work + e->stored + e->dissipated + e->numerical + e->surface + e->impacts;
}

/* Creates a model for a scheme. Returns NULL if it is refused; then at least one error must be reported. The problem
 * stays filled in. */
static SimModel *make(SimProblem *p, const char *scheme, long steps, unsigned with, Shift shift, SimWorkspace **work) {
  int errors = 0;
  const SimReport report = {&errors, count};
  SimModel *model = NULL;
  bool offered = model_fill(p, scheme, steps, with, shift);
  snprintf(reason, sizeof reason, "the scheme lacks the choice");
  SimStatus status = offered ? stiction_problem_finalize(p, &report) : SIM_BAD_PROBLEM;
  assert_true(status == SIM_OK || !offered || (status == SIM_BAD_PROBLEM && errors > 0));
  if (status != SIM_OK) return NULL;
  if (p->system.storage == SIM_DENSE) {
    fixture_fill_force(p, model_force);
  } else {
    static FixtureSource source = {model_force, 2};
    assert_int_equal(stiction_problem_set_force(p, fixture_force_at, &source), SIM_OK);
  }
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, work), SIM_OK);
  return model;
}

static void drop(SimProblem *p, SimModel *model, SimWorkspace *work) {
  if (model) stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

static void control_of(Shift shift, double *u) {
  memcpy(u, CONTROL, sizeof CONTROL);
  u[0] += shift.u;
}

/* Returns whether a scheme refuses a model. If it does not, its motion must be near x, v. */
static bool refuses(const char *scheme, int a, int b, const double *x, const double *v) {
  SimProblem p;
  SimWorkspace *work;
  unsigned with = 1u << a | 1u << b | held;
  double own_x[SIM_MANY + 1], own_v[SIM_MANY + 1], u[4], energy = 0;
  SimFinal final = {.x = own_x, .v = own_v};
  const SimObserver observer = {&energy, look, NULL};
  SimModel *model = make(&p, scheme, with >> WITH_MANY & 1 ? STEPS / 4 : STEPS, with, (Shift){0}, &work);
  if (!model) {
    drop(&p, NULL, NULL);
    return true;
  }
  control_of((Shift){0}, u);
  SimStatus status = stiction_rollout(model, work, u, &observer, &final);
  double off = 0;
  for (int i = 0; i < 2; i++) off = fixture_max(off, fixture_max(fabs(own_x[i] - x[i]), fabs(own_v[i] - v[i]) / 8));
  bool coarse = with & ((1u << WITH_MANY) | (1u << WITH_REGULARIZED)), one_sided = with >> WITH_MASSLESS & 1;
  double allowed = (coarse ? 3 : one_sided ? 2 : 1) * NEAR;
  bool computes = p.scheme->energies;
  if (status != SIM_OK) complain(scheme, a, b, stiction_status_text(status), status);
  if (status == SIM_OK && !(off < allowed)) complain(scheme, a, b, "off", off);
  if (computes != isfinite(energy)) complain(scheme, a, b, "an energy that is not computed, or not finite", energy);
  drop(&p, model, work);
  return false;
}

/* Computes x(T), v(T) [2], [2] after a small change of the start. */
static void run_short(const char *scheme, unsigned with, Shift shift, double *state) {
  SimProblem p;
  SimWorkspace *work;
  double x[SIM_MANY + 1], v[SIM_MANY + 1], u[4];
  SimFinal final = {.x = x, .v = v};
  SimModel *model = make(&p, scheme, SHORT, with, shift, &work);
  assert_non_null(model);
  control_of(shift, u);
  assert_int_equal(stiction_rollout(model, work, u, NULL, &final), SIM_OK);
  for (int i = 0; i < 2; i++) {
    state[i] = x[i];
    state[2 + i] = v[i];
  }
  drop(&p, model, work);
}

/* Computes the derivatives of x(T), v(T) by u_1 and by v0_1, [4] each, by differences. */
static void differ(const char *scheme, unsigned with, double *by_u, double *by_v) {
  const double small = 3e-7;
  double up[4], down[4];
  run_short(scheme, with, (Shift){.u = small}, up);
  run_short(scheme, with, (Shift){.u = -small}, down);
  for (int i = 0; i < 4; i++) by_u[i] = (up[i] - down[i]) / (2 * small);
  run_short(scheme, with, (Shift){.v0 = small}, up);
  run_short(scheme, with, (Shift){.v0 = -small}, down);
  for (int i = 0; i < 4; i++) by_v[i] = (up[i] - down[i]) / (2 * small);
}

/* Checks the derivatives if the scheme has them. Returns true if it reports that it has none. */
static bool has_no_derivatives(const char *scheme, int a, int b) {
  static const SimDependence on[2] = {SIM_ON_CONTROL, SIM_ON_VELOCITY};
  unsigned with = 1u << a | 1u << b | held;
  SimProblem p;
  SimWorkspace *work;
  SimSensitivity *columns;
  SimAdjoint *record;
  double state[4 * 6], stop[2 * 6], when[2], how[2], x[2], v[2], u[4], by_u[4], by_v[4], worst = 0, back = 0;
  SimFinal final = {.x = x, .v = v};
  SimDerivative forward = {.state = state, .stop = stop, .stop_time = when, .stop_acceleration = how};
  SimModel *model = make(&p, scheme, SHORT, with, (Shift){0}, &work);
  assert_non_null(model);
  SimStatus created = stiction_sensitivity_create(model, 2, on, &columns);
  assert_int_equal(created == SIM_OK, sim_scheme_differentiates(p.scheme, &p));
  assert_int_equal(sim_adjoint_create(model, 2, on, &record), created);
  if (created == SIM_OK) {
    int n = stiction_sensitivity_columns(columns), of_v = n - 2;
    control_of((Shift){0}, u);
    assert_int_equal(stiction_rollout_sensitivity(model, work, columns, u, &final, &forward), SIM_OK);
    assert_int_equal(sim_rollout_record(model, work, record, u, &final), SIM_OK);
    differ(scheme, with, by_u, by_v);
    for (int i = 0; i < 4; i++) {
      double weights[6] = {0}, gradient[6];
      weights[i] = 1;
      assert_int_equal(sim_adjoint_sweep(record, 1, weights, gradient), SIM_OK);
      for (int k = 0; k < n; k++) back = fixture_max(back, fabs(gradient[k] - state[i * n + k]));
      worst = fixture_max(worst, fixture_max(fabs(state[i * n] - by_u[i]), fabs(state[i * n + of_v] - by_v[i])));
    }
    if (forward.smooth && !(worst < 2e-3)) complain(scheme, a, b, "derivatives off", worst);
    if (forward.smooth && !(back < 1e-7)) complain(scheme, a, b, "derivatives backward off", back);
    sim_adjoint_destroy(record);
    stiction_sensitivity_destroy(columns);
  }
  drop(&p, model, work);
  return created != SIM_OK;
}

/* Checks batches. */
static void batches_are_alike(const char *scheme, int a, int b) {
  enum { RUNS = 5 };
  SimProblem p;
  SimWorkspace *work;
  double u[4 * RUNS], x[2 * RUNS], v[2 * RUNS], one_x[2], one_v[2];
  SimFinal final[RUNS], one = {.x = one_x, .v = one_v};
  SimModel *model = make(&p, scheme, BATCH, 1u << a | 1u << b, (Shift){0}, &work);
  assert_non_null(model);
  int n = stiction_model_controls(model);
  for (int k = 0; k < RUNS; k++) {
    for (int i = 0; i < n; i++) u[k * n + i] = CONTROL[i] * (k - 1);
    final[k] = (SimFinal){.x = x + 2 * k, .v = v + 2 * k};
  }
  stiction_batch(model, work, RUNS, u, final);
  for (int k = 0; k < RUNS; k++) {
    stiction_rollout(model, work, u + k * n, NULL, &one);
    if (memcmp(one_x, x + 2 * k, sizeof one_x) || memcmp(one_v, v + 2 * k, sizeof one_v))
      complain(scheme, a, b, "a batch is another motion", k);
  }
  drop(&p, model, work);
}

static bool differs(const double *one, const double *other) {
  double off = 0;
  for (int i = 0; i < 4; i++) off = fmax(off, fabs(one[i] - other[i]) / (i < 2 ? 1 : 8));
  return off > APART;
}

static double alone[FEATURES][4]; /* final states of the reference with one feature */

/* Checks that neither feature hides the other, since an ignored feature would then not be found. */
static void must_show(int a, int b, const double *both) {
  for (int k = 0; k < 2; k++) {
    int rest = k ? a : b;
    if (moving(1u << a | 1u << b) == moving(1u << rest)) continue;
    if (!differs(both, alone[rest])) complain("the reference", k ? b : a, k ? a : b, "the first does not show", 0);
  }
}

/* Checks the same pair with sparse matrices, for a scheme that does not support all features with them. If only a pair
 * of features is affected by the storage, that must be stated in the table. */
static void look_at_sparse(const SimScheme *scheme, int a, int b, bool refused, const double *motion) {
  unsigned with = 1u << a | 1u << b;
  if (scheme->entries || with >> WITH_SPARSE & 1 || with >> WITH_MANY & 1 || with >> WITH_SKEW & 1 ||
      (with >> WITH_MASSLESS & with >> WITH_TABLE & 1) || !(scheme->takes & SIM_HAS(SPARSE)))
    return;
  held = 1u << WITH_SPARSE;
  if (refuses(scheme->name, a, b, motion, motion + 2) != refused)
    complain(scheme->name, a, b, "sparse matrices are taken, or dense ones, not both", 0);
  if (!refused) has_no_derivatives(scheme->name, a, b);
  held = 0;
}

static void every_pair_is_refused_or_right(void **state) {
  (void)state;
  enum { SCHEMES = 16 };
  long refused[SCHEMES] = {0}, right[SCHEMES] = {0}, without[SCHEMES] = {0};
  for (int a = 0; a < FEATURES; a++) reference_run(moving(1u << a), alone[a], alone[a] + 2);
  for (int a = 0; a < FEATURES; a++)
    for (int b = a; b < FEATURES; b++) {
      unsigned with = 1u << a | 1u << b;
      double motion[4];
      const SimScheme *scheme;
      if (exclude(a, b) || !is_wanted(a, b)) continue;
      reference_run(moving(with), motion, motion + 2);
      must_show(a, b, motion);
      for (int k = 0; (scheme = sim_scheme_of_kind(SIM_FRICTION, k)) != NULL; k++) {
        const char *name = sim_scheme_name(scheme);
        assert_true(k < SCHEMES);
        if (*only_scheme != '-' && strcmp(name, only_scheme) != 0) continue;
        bool refuse = refuses(name, a, b, motion, motion + 2);
        refused[k] += refuse;
        right[k] += !refuse;
        if (refuse && a == WITH_NOTHING) print_message("%s with %s is refused: %s\n", name, feature_names[b], reason);
        look_at_sparse(scheme, a, b, refuse, motion);
        if (refuse || with >> WITH_MANY & 1) continue;
        without[k] += has_no_derivatives(name, a, b);
        batches_are_alike(name, a, b);
      }
    }
  for (int k = 0; sim_scheme_of_kind(SIM_FRICTION, k); k++)
    print_message("%s: %ld refused, %ld right, %ld of these without derivatives\n",
                  sim_scheme_name(sim_scheme_of_kind(SIM_FRICTION, k)), refused[k], right[k], without[k]);
  assert_int_equal(failures, 0);
}

/* Every feature that a scheme supports is one of the pairs above, but for a model on several ranks, and a law of
 * friction without a power series, of which sim/laws.h has none. */
static void every_feature_is_in_a_pair(void **state) {
  SimFeatures compared = SIM_HAS(RANKS) | SIM_HAS(LAW);
  const SimScheme *scheme;
  (void)state;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; (scheme = sim_scheme_of_kind(SIM_FRICTION, k)) != NULL; k++) {
      for (int a = 0; a < FEATURES && pass == 0; a++) {
        SimProblem p;
        model_fill(&p, scheme->name, STEPS, 1u << a, (Shift){0});
        compared |= sim_problem_features(&p);
        sim_problem_clear(&p);
      }
      if (pass == 1) assert_true(!(scheme->takes & ~compared));
    }
}

int main(int n, char **arguments) {
  if (n > 1) only_scheme = arguments[1];
  if (n > 2) only_feature = arguments[2];
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_feature_is_in_a_pair),
                                     cmocka_unit_test(every_pair_is_refused_or_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
