/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests every scheme of the kinds chain, dashpot and mechanism with every pair of features, as test_features.c does for
 * friction: the scheme refuses the pair with a reason, or its motion is near that of small steps, its energies close,
 * its mirror image is alike, its derivatives equal differences, forward and adjoint, and batches have the bits of
 * rollouts.
 *
 * usage: test_features_kinds [SCHEME [FEATURE]]     only this scheme (-: all), and only pairs with this feature */
#include "tests/sim/core/kinds_mechanism.h"

static const double NEAR = 4e-3, APART = 1.2e-2, CLOSED = 1e-11, ALIKE = 1e-10;
enum { STEPS = 2000, SHORT = 260, BATCH = 64, NUMBERS = 2 * MODEL_D };

static const char *only_scheme = "-", *only_feature;
static int failures;

static void count(void *context, const char *key, const char *text) {
  (void)key;
  *(int *)context += *text != 0;
}

static void complain(const KindModel *k, const char *scheme, int a, int b, const char *what, double off) {
  fprintf(stderr, "%s with %s and %s: %s (%g)\n", scheme, k->names[a], k->names[b], what, off);
  failures++;
}

typedef struct Watch {
  int multipliers; /* number of multipliers lambda */
  double *open;    /* largest part of the energies that does not close; INFINITY if |lambda| > 1 */
} Watch;

static void look(void *context, const SimStep *step) {
  const SimEnergy *e = step->energy;
  const Watch *watch = context;
  double *most = watch->open, size = fabs(e->work) + fabs(e->stored) + fabs(e->dissipated) + fabs(e->impacts) + 1;
  double open = e->work + e->surface - e->stored - e->dissipated - e->impacts - e->numerical;
  *most = fixture_max(*most, fabs(open) / size);
  for (int i = 0; i < watch->multipliers; i++)
    if (!(fabs(step->lambda[i]) <= 1 + 1e-12)) *most = INFINITY;
}

/* Fills in the rate of a chain's force. */
static void fill_rate(const KindModel *k, SimProblem *p) {
  const double step = 1e-6;
  for (long n = 0; k->kind == SIM_CHAIN && p->chain.force_rate && n < sim_force_count(p); n++)
    for (int i = 0; i < p->d; i++) {
      double t = sim_force_time(p, n);
      p->chain.force_rate[n * p->d + i] = (k->force(i, t + step) - k->force(i, t - step)) / (2 * step);
    }
}

/* Creates a model for a scheme. Returns NULL if it is refused, with at least one error. The problem stays filled in. */
static SimModel *make(const KindModel *k, SimProblem *p, const char *scheme, long steps, const Motion *m,
                      SimWorkspace **work) {
  int errors = 0;
  const SimReport report = {&errors, count};
  SimModel *model = NULL;
  posed = *m;
  k->fill(p, scheme, m);
  fixture_time(p, MODEL_END, steps);
  SimStatus status = stiction_problem_finalize(p, &report);
  assert_true(status == SIM_OK || (status == SIM_BAD_PROBLEM && errors > 0));
  if (status != SIM_OK) return NULL;
  fixture_fill_force(p, k->force);
  fill_rate(k, p);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, work), SIM_OK);
  return model;
}

static void drop(SimProblem *p, SimModel *model, SimWorkspace *work) {
  if (model) stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

static void control_of(const KindModel *k, const Motion *m, double *u) {
  const double *of = k->kind == SIM_CHAIN ? CHAIN_U : k->kind == SIM_DASHPOT ? DASHPOT_U : ARM_U;
  for (int j = 0; j < 2; j++) u[j] = m->sign * of[j];
  u[0] += m->u;
}

/* Computes x(T), then v(T) [d] each. Returns whether the scheme takes the model. *open: as in Watch; NULL: the
 * motion is not observed. */
static bool run(const KindModel *k, const char *scheme, long steps, const Motion *m, double *state, double *open) {
  SimProblem p;
  SimWorkspace *work = NULL;
  double u[2];
  SimFinal final = {.x = state, .v = state + k->d};
  Watch watch = {.multipliers = k->kind == SIM_DASHPOT ? 0 : k->d, .open = open};
  const SimObserver observer = {&watch, look, NULL};
  SimModel *model = make(k, &p, scheme, steps, m, &work);
  control_of(k, m, u);
  SimStatus status = model ? stiction_rollout(model, work, u, open ? &observer : NULL, &final) : SIM_OK;
  if (status != SIM_OK) state[0] = NAN;
  drop(&p, model, work);
  return model;
}

/* Returns the largest difference of two states, the second with this sign, of those entries that exist in it. */
static double difference(const KindModel *k, const double *one, const double *other, double sign) {
  double off = 0;
  for (int i = 0; i < 2 * k->d; i++)
    if (!isnan(other[i])) off = fixture_max(off, fabs(one[i] - sign * other[i]) / (i < k->d ? 1 : 8));
  return off;
}

/* Computes the motion of small steps, or, without a reference, that of many steps of the kind's first scheme. */
static void find_motion(const KindModel *k, unsigned with, double *motion) {
  const Motion m = {.with = with, .sign = 1};
  k->reference(&m, motion, motion + k->d);
  if (isnan(motion[0])) assert_true(run(k, sim_scheme_of_kind(k->kind, 0)->name, REFERENCE_STEPS, &m, motion, NULL));
}

static bool refuses(const KindModel *k, const char *scheme, int a, int b, const double *motion) {
  const Motion m = {.with = 1u << a | 1u << b, .sign = 1};
  Motion mirrored = m;
  double own[NUMBERS], image[NUMBERS], open = 0;
  if (!run(k, scheme, STEPS, &m, own, &open)) return true;
  double off = difference(k, own, motion, 1);
  if (!(off < NEAR)) complain(k, scheme, a, b, "off", off);
  if (!(open < CLOSED)) complain(k, scheme, a, b, "energies that do not close, or a multiplier beyond 1", open);
  mirrored.sign = -1;
  if (!k->symmetric(m.with)) return false;
  assert_true(run(k, scheme, STEPS, &mirrored, image, NULL));
  off = difference(k, own, image, -1);
  if (!(off < ALIKE)) complain(k, scheme, a, b, "another mirror image", off);
  return false;
}

/* Returns how far a column of derivatives of the state, [2 d][n], is off the difference of two states. small: by how
 * much the quantity differs between them. */
static double off_difference(const KindModel *k, int n, const double *column, const double *up, const double *down,
                             double small) {
  double off = 0;
  for (int i = 0; i < 2 * k->d; i++) off = fixture_max(off, fabs(column[i * n] - (up[i] - down[i]) / small));
  return off;
}

/* Returns how far a column of derivatives, by u_1 or by v0_1, is off the differences. A dof that slides from rest at
 * once has derivatives by its v0 of one side only. */
static double off_differences(const KindModel *k, const char *scheme, unsigned with, bool of_v, int n,
                              const double *column) {
  const double small = 3e-7;
  const Motion m = {.with = with, .sign = 1};
  Motion more = m, less = m;
  double up[NUMBERS], down[NUMBERS], here[NUMBERS];
  *(of_v ? &more.v0 : &more.u) = small;
  *(of_v ? &less.v0 : &less.u) = -small;
  assert_true(run(k, scheme, SHORT, &more, up, NULL) && run(k, scheme, SHORT, &less, down, NULL) &&
              run(k, scheme, SHORT, &m, here, NULL));
  double off = off_difference(k, n, column, up, down, 2 * small);
  if (!of_v) return off;
  off = fmin(off, off_difference(k, n, column, up, here, small));
  return fmin(off, off_difference(k, n, column, here, down, small));
}

static void compare_derivatives(const KindModel *k, const char *scheme, int a, int b, const SimModel *model,
                                SimWorkspace *work, SimSensitivity *columns, SimAdjoint *record) {
  enum { COLUMNS = 2 + MODEL_D };
  const Motion m = {.with = 1u << a | 1u << b, .sign = 1};
  int n = stiction_sensitivity_columns(columns), rows = 2 * k->d, of_v = n - k->d;
  double state[NUMBERS * COLUMNS], stop[MODEL_D * COLUMNS], when[MODEL_D], how[MODEL_D], x[MODEL_D], v[MODEL_D], u[2];
  double worst, back = 0;
  SimFinal final = {.x = x, .v = v};
  SimDerivative forward = {.state = state, .stop = stop, .stop_time = when, .stop_acceleration = how};
  control_of(k, &m, u);
  assert_int_equal(stiction_rollout_sensitivity(model, work, columns, u, &final, &forward), SIM_OK);
  assert_int_equal(sim_rollout_record(model, work, record, u, &final), SIM_OK);
  worst = fixture_max(off_differences(k, scheme, m.with, false, n, state),
                      off_differences(k, scheme, m.with, true, n, state + of_v));
  for (int i = 0; i < rows; i++) {
    double weights[NUMBERS] = {0}, gradient[COLUMNS];
    weights[i] = 1;
    assert_int_equal(sim_adjoint_sweep(record, 1, weights, gradient), SIM_OK);
    for (int c = 0; c < n; c++) back = fixture_max(back, fabs(gradient[c] - state[i * n + c]));
  }
  if (forward.smooth && !(worst < 2e-3)) complain(k, scheme, a, b, "derivatives off", worst);
  if (forward.smooth && !(back < 1e-7)) complain(k, scheme, a, b, "derivatives backward off", back);
}

/* Checks the derivatives if the scheme has them. Returns true if it reports that it has none. */
static bool has_no_derivatives(const KindModel *k, const char *scheme, int a, int b) {
  static const SimDependence on[2] = {SIM_ON_CONTROL, SIM_ON_VELOCITY};
  const Motion m = {.with = 1u << a | 1u << b, .sign = 1};
  SimProblem p;
  SimWorkspace *work;
  SimSensitivity *columns;
  SimAdjoint *record;
  SimModel *model = make(k, &p, scheme, SHORT, &m, &work);
  assert_non_null(model);
  SimStatus created = stiction_sensitivity_create(model, 2, on, &columns);
  assert_int_equal(created == SIM_OK, sim_scheme_differentiates(p.scheme, &p));
  assert_int_equal(sim_adjoint_create(model, 2, on, &record), created);
  if (created == SIM_OK) {
    compare_derivatives(k, scheme, a, b, model, work, columns, record);
    sim_adjoint_destroy(record);
    stiction_sensitivity_destroy(columns);
  }
  drop(&p, model, work);
  return created != SIM_OK;
}

static void batches_are_alike(const KindModel *k, const char *scheme, int a, int b) {
  enum { RUNS = 5 };
  const Motion m = {.with = 1u << a | 1u << b, .sign = 1};
  SimProblem p;
  SimWorkspace *work;
  double u[2 * RUNS], x[MODEL_D * RUNS], v[MODEL_D * RUNS], one_x[MODEL_D], one_v[MODEL_D];
  SimFinal final[RUNS], one = {.x = one_x, .v = one_v};
  SimModel *model = make(k, &p, scheme, BATCH, &m, &work);
  if (!model) { /* the force is not resolved by so few steps */
    drop(&p, NULL, NULL);
    return;
  }
  int n = stiction_model_controls(model);
  size_t size = (size_t)k->d * sizeof *x;
  for (int r = 0; r < RUNS; r++) {
    for (int i = 0; i < n; i++) u[r * n + i] = 0.3 * (r - 1) * (1 - i);
    final[r] = (SimFinal){.x = x + k->d * r, .v = v + k->d * r};
  }
  stiction_batch(model, work, RUNS, u, final);
  for (int r = 0; r < RUNS; r++) {
    stiction_rollout(model, work, u + r * n, NULL, &one);
    if (memcmp(one_x, x + k->d * r, size) || memcmp(one_v, v + k->d * r, size))
      complain(k, scheme, a, b, "a batch is another motion", r);
  }
  drop(&p, model, work);
}

/* Checks that neither feature hides the other, since an ignored feature would then not be found. */
static void must_show(const KindModel *k, int a, int b, const double *both) {
  for (int side = 0; side < 2; side++) {
    int shown = side ? b : a, rest = side ? a : b;
    double alone[NUMBERS];
    if (shown == 0 || a == b) continue;
    find_motion(k, 1u << rest, alone);
    double off = 0;
    for (int i = 0; i < 2 * k->d; i++) off = fmax(off, fabs(both[i] - alone[i]) / (i < k->d ? 1 : 8));
    if (!(off > APART)) complain(k, "the reference", shown, rest, "the first does not show", off);
  }
}

static bool is_wanted(const KindModel *k, int a, int b) {
  return !only_feature || strcmp(k->names[a], only_feature) == 0 || strcmp(k->names[b], only_feature) == 0;
}

static void every_pair_of(const KindModel *k) {
  enum { SCHEMES = 8 };
  long refused[SCHEMES] = {0}, right[SCHEMES] = {0}, without[SCHEMES] = {0};
  const SimScheme *scheme;
  for (int a = 0; a < k->features; a++)
    for (int b = a; b < k->features; b++) {
      double motion[NUMBERS];
      if (k->exclude(a, b) || !is_wanted(k, a, b)) continue;
      find_motion(k, 1u << a | 1u << b, motion);
      must_show(k, a, b, motion);
      for (int s = 0; (scheme = sim_scheme_of_kind(k->kind, s)) != NULL; s++) {
        const char *name = sim_scheme_name(scheme);
        assert_true(s < SCHEMES);
        if (*only_scheme != '-' && strcmp(name, only_scheme) != 0) continue;
        bool refuse = refuses(k, name, a, b, motion);
        refused[s] += refuse;
        right[s] += !refuse;
        if (refuse) continue;
        without[s] += has_no_derivatives(k, name, a, b);
        batches_are_alike(k, name, a, b);
      }
    }
  for (int s = 0; (scheme = sim_scheme_of_kind(k->kind, s)) != NULL; s++)
    print_message("%s: %ld refused, %ld right, %ld of these without derivatives\n", sim_scheme_name(scheme), refused[s],
                  right[s], without[s]);
  assert_int_equal(failures, 0);
}

static void chains(void **state) { (void)state, every_pair_of(&chain_model); }
static void dashpots(void **state) { (void)state, every_pair_of(&dashpot_model); }
static void mechanisms(void **state) { (void)state, every_pair_of(&arm_model); }

/* Every feature that a scheme of a kind supports is one of the pairs above, but for more than 64 nodes. */
static void every_feature_is_in_a_pair(void **state) {
  static const KindModel *const models[] = {&chain_model, &dashpot_model, &arm_model};
  const SimScheme *scheme;
  (void)state;
  for (int k = 0; k < 3; k++) {
    SimFeatures compared = SIM_HAS(MANY);
    for (int s = 0; (scheme = sim_scheme_of_kind(models[k]->kind, s)) != NULL; s++)
      for (int a = 0; a < models[k]->features; a++) {
        SimProblem p;
        models[k]->fill(&p, sim_scheme_name(scheme), &(Motion){.with = 1u << a, .sign = 1});
        compared |= sim_problem_features(&p);
        sim_problem_clear(&p);
      }
    for (int s = 0; (scheme = sim_scheme_of_kind(models[k]->kind, s)) != NULL; s++)
      assert_true(!(scheme->takes & ~compared));
  }
}

int main(int n, char **arguments) {
  if (n > 1) only_scheme = arguments[1];
  if (n > 2) only_feature = arguments[2];
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_feature_is_in_a_pair), cmocka_unit_test(chains),
                                     cmocka_unit_test(dashpots), cmocka_unit_test(mechanisms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
