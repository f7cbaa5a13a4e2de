/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the scheme `event` with many degrees of freedom. There, after an event, Taylor series are computed anew only
 * for the dofs near it (local updates). Compares with motions with derivatives, in which all dofs get new series. */
#include "sim/core/model.h"
#include "sim/event/local.h"
#include "tests/sim/event/watch.h"

enum { D_MAX = 120, D = 90, ACROSS = 10 };

/* What a model has in addition to masses on springs in a row. */
typedef enum Feature {
  PLAIN,
  GRID,     /* each mass has four neighbours */
  APART,    /* no springs between masses */
  ALIKE,    /* all masses move alike, so there are simultaneous events everywhere */
  DAMPED,   /* dampers between neighbours that are not symmetric */
  COUPLED,  /* coupled momenta of neighbours */
  BIAS,     /* thresholds that depend on the direction */
  FREE,     /* some dofs without friction */
  CONSTANT, /* a control with constant segments */
  LINEAR,   /* a continuous, piecewise linear control */
  SQRT,     /* a friction law */
  RAMP,
  EXPONENTIAL,
  BELL,
  FEATURES
} Feature;

static int alike, mirrored; /* choices for the force: alike, all dofs have the same force; mirrored, it has the
                             * opposite sign */

static double push(int i, double t) {
  int sign = mirrored ? -1 : 1;
  if (alike) return sign * 4 * sin(5 * t);
  return sign * (3.5 + 0.5 * sin(7.0 * i)) * sin((4 + cos(3.0 * i)) * t + 2 * sin(5.0 * i));
}

static void force_of(void *context, double t, double *f) {
  for (int i = 0; i < *(const int *)context; i++) f[i] = push(i, t);
}

static void join(SimProblem *p, int i, int j, Feature feature) {
  double *a = p->system.stiffness, *b = p->system.damping, *m = p->system.mass;
  int d = p->d;
  a[i * d + j] = a[j * d + i] = -1;
  if (feature == COUPLED) m[i * d + j] = m[j * d + i] = 0.2;
  if (feature != DAMPED) return;
  b[i * d + j] = -0.1;
  b[j * d + i] = 0.05;
}

static void add_law(SimProblem *p, SimStribeck law, double exponent) {
  p->system.stribeck = law;
  p->system.stribeck_exponent = exponent;
  for (int i = 0; i < p->d; i++) {
    p->system.stribeck_beta[i] = 0.3 + 0.1 * sin(19.0 * i);
    p->system.stribeck_epsilon[i] = 0.2 + 0.1 * cos(23.0 * i);
  }
}

static void add_feature(Feature feature, SimProblem *p) {
  static const SimStribeck laws[] = {SIM_STRIBECK_SQRT, SIM_STRIBECK_RAMP, SIM_STRIBECK_EXPONENTIAL,
                                     SIM_STRIBECK_EXPONENTIAL};
  if (feature >= SQRT) add_law(p, laws[feature - SQRT], feature == EXPONENTIAL ? 1 : feature == BELL ? 2 : 0);
  if (feature == CONSTANT || feature == LINEAR) {
    p->signal = feature == LINEAR ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT;
    p->segments = 7;
  }
  p->by_direction = feature == BIAS;
  for (int i = 0; i < p->d && feature == BIAS; i++) p->friction_bias[i] = (mirrored ? -0.3 : 0.3) * sin(29.0 * i);
  for (int i = 0; i < p->d && feature == FREE; i += 5) p->friction[i] = 0;
}

static void fill(Feature feature, int d, SimProblem *p) {
  alike = feature == ALIKE;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  for (int i = 0; i < d; i++) {
    int k = alike ? 0 : i;
    p->system.mass[i * (d + 1)] = 1 + 0.3 * sin(31.0 * k);
    p->system.stiffness[i * (d + 1)] = 4.2;
    p->system.damping[i * (d + 1)] = 0.2;
    p->control_matrix[i] = sin(37.0 * k);
    p->friction[i] = 2 + cos(11.0 * k);
    p->x0[i] = (mirrored ? -1 : 1) * sin(13.0 * k);
    p->v0[i] = k % 3 == 0 ? 0 : (mirrored ? -1 : 1) * cos(17.0 * k);
    if (i > 0 && feature != APART && feature != ALIKE) join(p, i, i - 1, feature);
    if (i >= ACROSS && feature == GRID) join(p, i, i - ACROSS, GRID);
  }
  add_feature(feature, p);
  fixture_time(p, 2, 40);
  fixture_scheme(p, "event");
}

static void control_of(const SimProblem *p, double *u) {
  for (int k = 0; k < p->segments || k == 0; k++) u[k] = (mirrored ? -1.5 : 1.5) * sin(3 + 5.0 * k);
}

/* Reports of one motion. */
typedef struct Reports {
  long count;
  double sum; /* sum over all reports of an event */
  Watch watch;
} Reports;

static void hear(void *context, double t, int dof, int what) {
  Reports *reports = context;
  reports->count++;
  reports->sum += t * (dof + 1) * (what + 3);
}

static void see(void *context, const SimStep *step) { check_step(&((Reports *)context)->watch, step); }

/* Local and complete updates give the same motion up to the tolerance. Energies close, residuals vanish, and local
 * updates do change only few dofs. */
static void whole_motions_agree(void **state) {
  static double x[2][D_MAX], v[2][D_MAX];
  (void)state;
  for (Feature feature = PLAIN; feature < FEATURES; feature++) {
    SimProblem p;
    SimWorkspace *work;
    SimAdjoint *adjoint;
    const SimDependence on = SIM_ON_VELOCITY;
    double u[8];
    fill(feature, 120, &p);
    SimModel *model = fixture_model(&p, push, &work);
    control_of(&p, u);
    SimFinal local = {.x = x[0], .v = v[0]}, whole = {.x = x[1], .v = v[1]};
    assert_int_equal(sim_adjoint_create(model, 1, &on, &adjoint), SIM_OK);
    assert_int_equal(sim_rollout_record(model, work, adjoint, u, &whole), SIM_OK);
    Reports reports = {.watch = {.d = p.d, .friction = p.friction}};
    const SimObserver observer = {&reports, see, hear};
    const SimOriginals originals = {.context = &p.d, .force = force_of};
    assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, u, &observer, &local), SIM_OK);
    const EventMotion *motion = work->own;
    assert_non_null(motion->local);
    if (feature != ALIKE) assert_true(motion->local->anchor.events < motion->at.events - 1);
    double error = 0;
    for (int i = 0; i < p.d; i++) error = fmax(error, fmax(fabs(x[0][i] - x[1][i]), fabs(v[0][i] - v[1][i])));
    assert_true(error <= 1e-9);
    assert_true(reports.watch.closing <= 1e-9 * reports.watch.scale);
    assert_true(local.examined.largest > 0 && local.examined.largest < 1e-9);
    assert_true(local.iterations >= 5);
    sim_adjoint_destroy(adjoint);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* A motion that is saved at some times continues in another workspace. It has the same bits of x, v, energies and
 * residual, and each event is reported once. */
static void pauses_do_not_matter(void **state) {
  static double x[2][D_MAX], v[2][D_MAX];
  (void)state;
  for (Feature feature = PLAIN; feature < FEATURES; feature++) {
    SimProblem p;
    SimWorkspace *work;
    double u[8];
    fill(feature, 70, &p);
    SimModel *model = fixture_model(&p, push, &work);
    control_of(&p, u);
    SimFinal final = {.x = x[0], .v = v[0]}, in_pauses = {.x = x[1], .v = v[1]};
    Reports once = {.watch = {.d = p.d, .friction = p.friction}}, again = once;
    const SimObserver observers[] = {{&once, see, hear}, {&again, see, hear}};
    const SimOriginals originals = {.context = &p.d, .force = force_of};
    assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, u, &observers[0], &final), SIM_OK);
    size_t size = sim_workspace_saved_size(model);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(sim_rollout_begin(model, work, u, &observers[1]), SIM_OK);
    for (long n = 0; n <= p.steps; n++) {
      assert_int_equal(sim_rollout_run_to(model, work, &observers[1], n), SIM_OK);
      sim_workspace_save(model, work, bytes);
      stiction_workspace_destroy(work);
      assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
      assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
      assert_int_equal(sim_workspace_load(model, work, bytes, size), SIM_OK);
    }
    assert_int_equal(sim_rollout_end(model, work, &in_pauses), SIM_OK);
    assert_memory_equal(x[0], x[1], (size_t)p.d * sizeof **x);
    assert_memory_equal(v[0], v[1], (size_t)p.d * sizeof **v);
    assert_true(once.watch.dissipated == again.watch.dissipated && once.watch.closing == again.watch.closing);
    assert_true(final.examined.largest == in_pauses.examined.largest);
    assert_int_equal(final.iterations, in_pauses.iterations);
    assert_int_equal(once.count, again.count);
    assert_true(once.sum == again.sum);
    free(bytes);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Neither observing nor energies change a bit. The mirror image has the same bits. */
static void rows_do_not_matter(void **state) {
  static double x[3][D_MAX], v[3][D_MAX];
  (void)state;
  for (Feature feature = PLAIN; feature < FEATURES; feature++) {
    for (int k = 0; k < 3; k++) {
      SimProblem p;
      double u[8];
      Reports reports = {.watch = {.d = D}};
      const SimObserver observer = {&reports, see, hear};
      mirrored = k == 2;
      fill(feature, D, &p);
      if (k == 1) fixture_time(&p, 2, 1);
      control_of(&p, u);
      reports.watch.friction = p.friction;
      fixture_run(&p, push, u, k == 0 ? &observer : NULL, x[k], v[k]);
    }
    mirrored = 0;
    assert_memory_equal(x[0], x[1], D * sizeof **x);
    assert_memory_equal(v[0], v[1], D * sizeof **v);
    for (int i = 0; i < D; i++) assert_true(x[2][i] == -x[0][i] && v[2][i] == -v[0][i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_motions_agree),
      cmocka_unit_test(pauses_do_not_matter),
      cmocka_unit_test(rows_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
