/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests SimProblem: its checks, its bytes, and that stepping does not allocate memory. */
#include "tests/sim/chain/chain.h"

/* Counts allocations: the linker's option --wrap replaces malloc by a function that counts. */
static long allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size) { return allocations++, __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return allocations++, __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t size) { return allocations++, __real_realloc(old, size); }

static void stepping_allocates_nothing(void **state) {
  (void)state;
  static const struct {
    const char *scheme;
    SimMultiplier multiplier;
    SimSolver solver;
    bool elastic_exact;
  } cases[] = {
      {"centered", SIM_UNREGULARIZED, SIM_EXACT, false}, {"centered", SIM_REGULARIZED, SIM_EXACT, false},
      {"moreau", SIM_UNREGULARIZED, SIM_EXACT, false},   {"lie", SIM_UNREGULARIZED, SIM_EXACT, true},
      {"strang", SIM_SMOOTH, SIM_EXACT, false},          {"strang", SIM_UNREGULARIZED, SIM_FIXED_POINT, false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SimProblem p;
    SimWorkspace *work;
    double x[3], v[3], many_x[2][3], many_v[2][3], u[6] = {1, 2, 3, -9, 9, 0};
    SimFinal f = {.x = x, .v = v}, many[2] = {{.x = many_x[0], .v = many_v[0]}, {.x = many_x[1], .v = many_v[1]}};
    fixture_paper(&p, 1, cases[k].scheme, cases[k].multiplier, 1);
    sim_problem_set(&p, "solver", cases[k].solver);
    sim_problem_set(&p, "elastic", cases[k].elastic_exact);
    sim_problem_set(&p, "eta", 1e-6);
    p.system.mass[1] = p.system.mass[3] = 3.9; /* strong coupling, so that a semismooth Newton step is made, too */
    SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
    static const SimDependence on = SIM_ON_CONTROL;
    SimSensitivity *columns = NULL;
    double rows[4][3 * 3], stop_time[3], stop_acceleration[3];
    SimDerivative derivative = {
        .state = rows[0], .stop = rows[2], .stop_time = stop_time, .stop_acceleration = stop_acceleration};
    if (sim_scheme_differentiates(p.scheme, &p)) stiction_sensitivity_create(model, 1, &on, &columns);
    long before = allocations;
    assert_true(before > 0);
    stiction_rollout(model, work, NULL, NULL, &f);
    if (columns) stiction_rollout_sensitivity(model, work, columns, u, &f, &derivative);
    for (int kernel = 0; sim_kernel_name(kernel); kernel++) {
      if (!sim_kernel_runs(kernel)) continue;
      sim_workspace_set_kernel(work, kernel);
      stiction_batch(model, work, 2, u, many);
    }
    assert_int_equal(allocations, before);
    stiction_sensitivity_destroy(columns);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

static void chains_step_without_allocating(void **state) {
  (void)state;
  static const char *const schemes[CHAIN_CASES] = {"symplectic", "implicit_euler", "symplectic", "implicit_euler",
                                                   "increment",  "implicit_euler", "increment"};
  for (int c = 0; c < CHAIN_CASES; c++) {
    SimProblem p;
    SimModel *model;
    SimWorkspace *work;
    double x[2], v[2], u[2] = {1, -0.5};
    SimFinal f = {.x = x, .v = v};
    chain_reference_problem(&p, &chain_reference[c], schemes[c], 500);
    assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
    assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    long before = allocations;
    assert_int_equal(stiction_rollout(model, work, u, NULL, &f), SIM_OK);
    assert_int_equal(allocations, before);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

typedef struct Reported {
  char key[64];
  int count;
} Reported;

static void note(void *context, const char *key, const char *text) {
  Reported *reported = context;
  assert_true(*text != 0);
  strncpy(reported->key, key, sizeof reported->key - 1);
  reported->count++;
}

static void set_steps(SimProblem *p) { p->steps = 399; }
static void set_asymmetric(SimProblem *p) { p->system.mass[1] = 0.5; }
static void set_indefinite(SimProblem *p) { p->system.mass[1] = p->system.mass[3] = 10; }
static void set_singular(SimProblem *p) {
  p->system.mass[0] = p->system.mass[1] = p->system.mass[3] = p->system.mass[4] = 4;
}
static void set_stiffness(SimProblem *p) { p->system.stiffness[0] = -3; }
static void set_damping(SimProblem *p) { p->system.damping[4] = -1; }
static void set_driving(SimProblem *p) { p->system.damping[1] = 1, p->system.damping[3] = -0.9; }
static void set_friction(SimProblem *p) { p->friction[2] = -1; }
static void set_x0(SimProblem *p) { p->x0[1] = NAN; }
static void set_v0(SimProblem *p) { p->v0[1] = INFINITY; }
static void set_matrix(SimProblem *p) { p->control_matrix[1] = NAN; }
static void set_alpha(SimProblem *p) { sim_problem_set(p, "alpha", 0.6); }
static void set_multiplier(SimProblem *p) {
  fixture_scheme(p, "moreau");
  sim_problem_set(p, "multiplier", SIM_REGULARIZED);
}
static void set_theta(SimProblem *p) {
  fixture_scheme(p, "moreau");
  sim_problem_set(p, "theta", 0.4);
}
static void set_unstable(SimProblem *p) {
  sim_problem_set(p, "alpha", 0);
  for (int i = 0; i < 9; i++) p->system.stiffness[i] *= 1e6;
}
static void set_beta(SimProblem *p) {
  p->system.stribeck = SIM_STRIBECK_RAMP;
  for (int i = 0; i < 3; i++) p->system.stribeck_beta[i] = p->system.stribeck_epsilon[i] = 1;
}
static void set_epsilon(SimProblem *p) {
  p->system.stribeck = SIM_STRIBECK_SQRT;
  for (int i = 0; i < 3; i++) p->system.stribeck_beta[i] = 0.5;
}

static void set_lie(SimProblem *p) { fixture_scheme(p, "lie"); }
static void set_friction_substeps(SimProblem *p) {
  set_lie(p);
  sim_problem_set(p, "friction_substeps", 0);
}
static void set_elastic_substeps(SimProblem *p) {
  set_lie(p);
  sim_problem_set(p, "elastic_substeps", 0);
}
static void set_eta(SimProblem *p) {
  set_lie(p);
  sim_problem_set(p, "multiplier", SIM_SMOOTH);
  sim_problem_set(p, "eta", NAN);
}
static void set_damped_exact(SimProblem *p) {
  set_lie(p);
  sim_problem_set(p, "elastic", true);
  p->system.damping[0] = 1;
}
static void set_gearbox(SimProblem *p) {
  p->system.gearbox.present = true;
  p->system.gearbox.law = SIM_STRIBECK_RAMP;
  for (int i = 0; i < 3; i++) {
    p->system.gearbox.delta[i] = p->system.gearbox.k[i] = i - 1;
    p->system.gearbox.a[i] = 1;
    p->system.gearbox.b[i] = 2;
    p->system.gearbox.beta[i] = 0.5;
    p->system.gearbox.epsilon[i] = 0.1;
  }
}
static void set_gear_sign(SimProblem *p) {
  set_lie(p);
  set_gearbox(p);
  p->system.gearbox.k[2] = -1;
}
static void set_gear_b(SimProblem *p) {
  set_lie(p);
  set_gearbox(p);
  p->system.gearbox.b[1] = 1;
}

static void mistakes_are_found(void **state) {
  (void)state;
  static const struct {
    void (*spoil)(SimProblem *);
    const char *key;
  } cases[] = {{set_steps, "time.step"},
               {set_asymmetric, "model.mass"},
               {set_indefinite, "model.mass"},
               {set_singular, "model.mass"},
               {set_stiffness, "model.stiffness"},
               {set_damping, "model.damping"},
               {set_driving, "model.damping"},
               {set_friction, "model.friction"},
               {set_x0, "model.x0"},
               {set_v0, "model.v0"},
               {set_matrix, "control.matrix"},
               {set_alpha, "scheme.alpha"},
               {set_multiplier, "scheme.multiplier"},
               {set_theta, "scheme.theta"},
               {set_unstable, "time.step"},
               {set_beta, "model.stribeck.beta"},
               {set_epsilon, "model.stribeck.epsilon"},
               {set_friction_substeps, "scheme.friction_substeps"},
               {set_elastic_substeps, "scheme.elastic_substeps"},
               {set_eta, "scheme.eta"},
               {set_damped_exact, "scheme.elastic"},
               {set_gear_sign, "model.gearbox.k"},
               {set_gear_b, "model.gearbox.b"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SimProblem p;
    SimBounds bounds;
    Reported reported = {{0}, 0};
    fixture_paper(&p, 1, "centered", SIM_UNREGULARIZED, 1);
    cases[k].spoil(&p);
    assert_int_equal(sim_problem_check(&p, &(SimReport){&reported, note}, &bounds), SIM_BAD_PROBLEM);
    assert_int_equal(reported.count, 1);
    assert_string_equal(reported.key, cases[k].key);
    sim_problem_clear(&p);
  }
}

/* Compares delta and nu (bounds of eigenvalues) and the step limit with values computed by hand. */
static void bounds(void **state) {
  (void)state;
  SimProblem p;
  SimBounds b;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
  for (int i = 0; i < 2; i++) {
    p.system.mass[3 * i] = 2;
    p.system.stiffness[3 * i] = 8 + 10 * i;
    p.friction[i] = 3 - i;
  }
  fixture_time(&p, 1, 10);
  fixture_scheme(&p, "centered");
  sim_problem_set(&p, "alpha", 0.05);
  assert_int_equal(sim_problem_check(&p, NULL, &b), SIM_OK);
  assert_true(fabs(b.frequency_squared - 9) < 1e-12);
  assert_true(fabs(b.step_limit - 1 / sqrt(0.2 * 9)) < 1e-12);
  assert_true(fabs(b.delta - 9 / (2 + 0.01 * 0.05 * 8)) < 1e-12);
  fixture_scheme(&p, "moreau");
  assert_int_equal(sim_problem_check(&p, NULL, &b), SIM_OK);
  assert_true(fabs(b.delta - 2 * 9 / (2 + 0.01 * 0.25 * 8)) < 1e-12);
  assert_true(isinf(b.step_limit));
  fixture_scheme(&p, "strang"); /* for substeps of dt/6 the limit of r is 4/(delta dt) = 2/(tau beta_d),
                                 * Shiau-Glowinski (4.23) */
  sim_problem_set(&p, "alpha", 0.05);
  sim_problem_set(&p, "friction_substeps", 3);
  sim_problem_set(&p, "elastic_substeps", 5);
  assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
  b = p.bounds;
  assert_true(fabs(4 / (b.delta * p.step) - 2 / (p.step / 6 * 4.5)) < 1e-12);
  assert_true(fabs(sim_problem_get(&p, "r") - 0.75 * 2 / (p.step / 6 * 4.5)) < 1e-12);
  assert_true(fabs(b.step_limit - 5 / sqrt(0.2 * 9)) < 1e-12);
  sim_problem_set(&p, "solver", SIM_FIXED_POINT);
  sim_problem_set(&p, "r", 3.99 / (b.delta * p.step));
  assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
  sim_problem_set(&p, "r", 4.01 / (b.delta * p.step));
  assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_BAD_PROBLEM);
  sim_problem_clear(&p);
}

/* If the fixed point does not converge with the r of a problem, the problem is refused, and so is a model of it. */
static void fixed_point_r(void **state) {
  (void)state;
  SimProblem p;
  static const char *const schemes[] = {"moreau", "centered", "lie"};
  for (int k = 0; k < 6; k++) {
    SimModel *model = NULL;
    bool converges = k % 2;
    fixture_paper(&p, 1, schemes[k / 2], SIM_UNREGULARIZED, 1);
    assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
    sim_problem_set(&p, "r", (converges ? 3.99 : 4.01) / (p.bounds.delta * p.step));
    assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
    assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK); /* `exact` needs no r */
    stiction_model_destroy(model);
    sim_problem_set(&p, "solver", SIM_FIXED_POINT);
    assert_int_equal(stiction_problem_finalize(&p, NULL), converges ? SIM_OK : SIM_BAD_PROBLEM);
    assert_int_equal(stiction_model_create(&p, NULL, &model), converges ? SIM_OK : SIM_BAD_PROBLEM);
    assert_true(converges == (model != NULL));
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* A setter that returns an error changes nothing. */
static void setters(void **state) {
  (void)state;
  SimProblem p;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
  assert_int_equal(sim_problem_set_scheme(&p, "lie"), SIM_OK);
  assert_int_equal(sim_problem_set(&p, "friction_substeps", 7), SIM_OK);
  const double no_whole[] = {7.5, NAN, INFINITY, 1e20};
  for (int k = 0; k < 4; k++) assert_int_equal(sim_problem_set(&p, "friction_substeps", no_whole[k]), SIM_BAD_PROBLEM);
  assert_true(sim_problem_get(&p, "friction_substeps") == 7);
  assert_int_equal(sim_problem_choose(&p, "elastic", "EXACT"), SIM_OK);
  assert_int_equal(sim_problem_choose(&p, "elastic", "exactly"), SIM_BAD_PROBLEM);
  assert_int_equal(sim_problem_choose(&p, "alpha", "exact"), SIM_BAD_PROBLEM);
  assert_string_equal(sim_problem_word(&p, "elastic"), "exact");
  assert_int_equal(sim_problem_choose(&p, "multiplier", "regularized"), SIM_BAD_PROBLEM);
  assert_int_equal(sim_problem_set(&p, "theta", 0.5), SIM_BAD_PROBLEM);
  assert_true(isnan(sim_problem_get(&p, "theta")) && isnan(sim_problem_get(&p, "")));
  assert_null(sim_problem_word(&p, "alpha"));
  assert_null(sim_problem_word(&p, "start"));
  assert_int_equal(sim_problem_set_scheme(&p, "implicit_euler"), SIM_BAD_PROBLEM);
  assert_string_equal(sim_scheme_name(p.scheme), "lie");
  sim_problem_clear(&p);
  assert_int_equal(sim_problem_init(&p, SIM_CHAIN, 2, 0), SIM_OK);
  assert_int_equal(sim_problem_set(&p, "r", 1), SIM_BAD_PROBLEM);
  assert_true(isnan(sim_problem_get(&p, "r")));
  sim_problem_clear(&p);
}

static void bytes_and_back(void **state) {
  (void)state;
  SimProblem p, q;
  SimWorkspace *work;
  double x[2][3], v[2][3];
  fixture_paper(&p, 2, "centered", SIM_REGULARIZED, 1);
  p.system.stribeck = SIM_STRIBECK_RAMP;
  for (int i = 0; i < 3; i++) p.system.stribeck_beta[i] = 0.2, p.system.stribeck_epsilon[i] = 0.1;
  SimModel *model = fixture_model(&p, fixture_tp2_force, &work);
  SimFinal f = {.x = x[0], .v = v[0]};
  stiction_rollout(model, work, NULL, NULL, &f);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);

  size_t size = sim_problem_packed_size(&p);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  sim_problem_pack(&p, bytes);
  sim_problem_clear(&p);
  assert_int_equal(sim_problem_unpack(&q, bytes, size), SIM_OK);
  assert_int_equal(stiction_problem_finalize(&q, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&q, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  f = (SimFinal){.x = x[1], .v = v[1]};
  stiction_rollout(model, work, NULL, NULL, &f);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(v[0], v[1], sizeof v[0]);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&q);

  assert_int_equal(sim_problem_unpack(&q, bytes, size - 1), SIM_BAD_PROBLEM); /* one byte is missing */
  assert_int_equal(sim_problem_unpack(&q, bytes, 10), SIM_BAD_PROBLEM);
  free(bytes);
}

/* Packs and unpacks a chain with its arrays and tables. */
static void bytes_of_a_chain_and_back(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    SimProblem p, q;
    double x[2][2], v[2][2];
    chain_reference_problem(&p, &chain_reference[c], "implicit_euler", 500);
    size_t size = sim_problem_packed_size(&p);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    sim_problem_pack(&p, bytes);
    assert_int_equal(sim_problem_unpack(&q, bytes, size), SIM_OK);
    free(bytes);
    assert_true((q.chain.force_rate != NULL) == sim_force_rate_wanted(&q));
    chain_run(&p, NULL, NULL, x[0], v[0]);
    chain_run(&q, NULL, NULL, x[1], v[1]);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    assert_true(x[0][0] != 0);
  }
}

/* A load that overflows is reported and not passed on. */
static void chain_that_overflows(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    SimProblem p;
    double x[2], v[2], u[2] = {1e308, 1e308};
    chain_reference_problem(&p, &chain_reference[c], "implicit_euler", 500);
    for (int i = 0; i < 3; i++) p.chain.springs[i] *= 1e-3;
    assert_int_equal(chain_try(&p, u, NULL, x, v).status, SIM_NON_FINITE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stepping_allocates_nothing),
      cmocka_unit_test(mistakes_are_found),
      cmocka_unit_test(bounds),
      cmocka_unit_test(fixed_point_r),
      cmocka_unit_test(setters),
      cmocka_unit_test(bytes_and_back),
      cmocka_unit_test(chains_step_without_allocating),
      cmocka_unit_test(bytes_of_a_chain_and_back),
      cmocka_unit_test(chain_that_overflows),
  };
  /* Some tests do not work with shared libraries, which do not use the malloc of this program. */
  cmocka_set_skip_filter(getenv("STICTION_SKIP"));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
