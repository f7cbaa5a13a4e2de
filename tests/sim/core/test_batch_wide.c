/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares lanes with single rollouts, bit for bit: every kernel that this processor supports, for any model, scheme,
 * number of controls and order. */
#include "tests/sim/core/batch.h"

/* Returns whether the kernels other than `ref` must evaluate a trial in lanes. */
static bool has_lanes(const Trial *trial) {
  return trial->multiplier != SIM_SMOOTH && strcmp(trial->scheme, "event") != 0;
}

/* Tries a model, if its scheme supports it. Returns whether it does. */
static bool try_kernels(const Trial *trial, int d, uint64_t *seed) {
  static Batch batch;
  const SimReport silent = {NULL, refuse};
  SimProblem p;
  SimBounds bounds;
  SimWorkspace *work;
  random_problem(&p, d, trial, seed);
  bool taken = sim_problem_check(&p, &silent, &bounds) == SIM_OK;
  if (taken) {
    SimModel *model = fixture_model(&p, fixture_tp2_force, &work);
    randomise(&batch, 5, seed);
    bool serve = has_lanes(trial);
    compare(model, work, serve ? 21 : 2, serve,
            &batch); /* this comparison takes longest, and two controls are enough to check that `ref` is used */
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
  }
  sim_problem_clear(&p);
  return taken;
}

/* Tries every scheme with every law of the multiplier, solver and friction law that it supports. They are taken from
 * the tables, so that additions are tested, too. */
static void random_models(void **state) {
  (void)state;
  static const SimStribeck laws[] = {SIM_STRIBECK_NONE, SIM_STRIBECK_LAWS(SIM_LAW_ENUMERATOR) SIM_STRIBECK_TABLE};
  enum { N_LAWS = sizeof laws / sizeof *laws, N_FLAGS = 8 };
  uint64_t seed = 17;
  const SimScheme *scheme;
  for (int k = 0; (scheme = sim_scheme_of_kind(SIM_FRICTION, k)) != NULL; k++) {
    int taken = 0;
    for (int c = 0; c < 3 * 2 * N_LAWS * N_FLAGS; c++) {
      int flags = c % N_FLAGS, law = c / N_FLAGS % N_LAWS, rest = c / N_FLAGS / N_LAWS;
      Trial trial = {sim_scheme_name(scheme),
                     (SimMultiplier)(rest / 2),
                     rest % 2 ? SIM_FIXED_POINT : SIM_EXACT,
                     flags & 1,
                     flags & 2,
                     flags & 4 && !(flags & 2),
                     laws[law],
                     strcmp(sim_scheme_name(scheme), "event") == 0};
      taken += try_kernels(&trial, 1 + (7 * c + 3 * k) % D_MAX, &seed);
    }
    assert_in_range(taken, 2 * N_LAWS * N_FLAGS, 3 * 2 * N_LAWS * N_FLAGS);
  }
}

enum { RUNS_MAX = 45 };

/* Models that differ in all of their numbers. */
typedef struct Fleet {
  SimProblem problem[RUNS_MAX];
  SimModel *model[RUNS_MAX];
  SimWorkspace *work[RUNS_MAX];
  SimRun run[RUNS_MAX];
  int n;
} Fleet;

/* Opens n models. odd: one in this many has another number of steps. If d is even, all have the same force; otherwise
 * two forces alternate. */
static void fleet_open(Fleet *fleet, int n, int d, const Trial *trial, SimSignal signal, int odd, uint64_t *seed) {
  static double u[RUNS_MAX][3 * D_MAX];
  fleet->n = n;
  for (int i = 0; i < n; i++) {
    SimProblem *p = &fleet->problem[i];
    random_problem(p, d, trial, seed);
    if (i % odd == odd - 1) fixture_time(p, 1, 70);
    p->signal = signal;
    p->segments = signal == SIM_CONSTANT ? 1 : 3;
    fleet->model[i] = fixture_model(p, i % 2 && d % 2 ? fixture_tp1_force : fixture_tp2_force, &fleet->work[i]);
    for (int j = 0; j < 3 * d; j++) u[i][j] = 5 * fixture_random(seed);
    fleet->run[i] = (SimRun){fleet->model[i], fleet->work[i], i % 7 == 3 ? NULL : u[i]};
  }
}

static void fleet_close(Fleet *fleet) {
  for (int i = 0; i < fleet->n; i++) {
    stiction_workspace_destroy(fleet->work[i]);
    stiction_model_destroy(fleet->model[i]);
    sim_problem_clear(&fleet->problem[i]);
  }
}

/* Runs all models together by each kernel, and each model by a single rollout. */
static void fleet_compare(Fleet *fleet) {
  static Batch alone, together;
  for (int i = 0; i < fleet->n; i++) {
    alone.final[i] = (SimFinal){.x = alone.x[i], .v = alone.v[i]};
    stiction_rollout(fleet->model[i], fleet->work[i], fleet->run[i].control, NULL, &alone.final[i]);
  }
  for (int k = 0; sim_kernel_name(k); k++) {
    if (!sim_kernel_runs(k)) continue;
    for (int i = 0; i < fleet->n; i++) {
      sim_workspace_set_kernel(fleet->work[i], k);
      together.final[i] = (SimFinal){.x = together.x[i], .v = together.v[i]};
    }
    sim_batch_models(fleet->n, fleet->run, together.final);
    for (int i = 0; i < fleet->n; i++) assert_same(fleet->model[i], &together, i, &alone, i);
  }
}

/* Lanes with different models: every law and signal, numbers of models that do not fill vectors, and models that cannot
 * be combined with others. */
static void each_lane_has_its_model(void **state) {
  (void)state;
  static const struct {
    const char *scheme;
    SimMultiplier multiplier;
  } schemes[] = {{"moreau", SIM_UNREGULARIZED}, {"centered", SIM_UNREGULARIZED}, {"centered", SIM_REGULARIZED}};
  static const SimStribeck laws[] = {SIM_STRIBECK_NONE, SIM_STRIBECK_LAWS(SIM_LAW_ENUMERATOR) SIM_STRIBECK_TABLE};
  enum { N_LAWS = sizeof laws / sizeof *laws };
  static Fleet fleet;
  uint64_t seed = 41;
  for (int c = 0; c < 3 * 4 * N_LAWS; c++) {
    const Trial trial = {.scheme = schemes[c % 3].scheme,
                         .multiplier = schemes[c % 3].multiplier,
                         .full_mass = c & 4,
                         .damped = c & 8,
                         .stribeck = laws[c / 12]};
    fleet_open(&fleet, c % 5 ? 9 + c % 31 : RUNS_MAX, 1 + c % 8, &trial, (SimSignal)(c % 3), c % 2 ? RUNS_MAX + 1 : 8,
               &seed);
    fleet_compare(&fleet);
    fleet_close(&fleet);
  }
}

/* A motion that overflows, or becomes NaN, does not change the other motions of the batch. */
static void lanes_fail_alone(void **state) {
  (void)state;
  static const double no_number[3] = {NAN, 1, 1}, huge[3] = {1, 1e308, -1e308};
  static Fleet fleet;
  uint64_t seed = 43;
  for (int k = 0; k < 2; k++) {
    const Trial trial = {.scheme = k ? "centered" : "moreau", .multiplier = SIM_UNREGULARIZED};
    SimFinal final = {0};
    double x[3], v[3];
    fleet_open(&fleet, 20, 3, &trial, SIM_CONSTANT, RUNS_MAX + 1, &seed);
    fleet.run[2].control = no_number;
    fleet.run[11].control = huge;
    final.x = x;
    final.v = v;
    assert_int_equal(stiction_rollout(fleet.model[2], fleet.work[2], no_number, NULL, &final), SIM_NON_FINITE);
    fleet_compare(&fleet);
    fleet_close(&fleet);
  }
}

/* Tests any number of controls in any order. Some of them diverge or are NaN. */
static void lanes_are_alone(void **state) {
  (void)state;
  static const char *const schemes[] = {"centered", "moreau", "lie"};
  static Batch ref, wide;
  for (int k = 0; k < 5; k++) {
    uint64_t seed = 5;
    SimProblem p;
    fixture_paper(&p, 2, schemes[k % 3], SIM_UNREGULARIZED, 1);
    if (k >= 3) sim_problem_set(&p, "solver", SIM_FIXED_POINT);
    fixture_time(&p, 1, 50);
    sim_problem_set(&p, "friction_substeps", 2);
    sim_problem_set(&p, "elastic_substeps", 2);
    SimWorkspace *work;
    SimModel *model = fixture_model(&p, fixture_tp2_force, &work);
    randomise(&ref, 20, &seed);
    ref.u[3][1] = NAN;
    ref.u[4][0] = 1e308;
    ref.u[9][2] = -INFINITY;
    ref.u[12][2] = -1e300;
    batch_run(model, work, 0, N_MAX, &ref);
    assert_int_equal(ref.final[3].status, SIM_NON_FINITE);
    assert_int_equal(ref.final[2].status, SIM_OK);
    for (int kernel = 1; sim_kernel_name(kernel); kernel++)
      for (int n = 1; sim_kernel_runs(kernel) && n <= N_MAX; n++) {
        int turn = 7 * n;
        for (int i = 0; i < n; i++) memcpy(wide.u[i], ref.u[(i + turn) % N_MAX], sizeof wide.u[i]);
        batch_run(model, work, kernel, n, &wide);
        for (int i = 0; i < n; i++) assert_same(model, &wide, i, &ref, (i + turn) % N_MAX);
      }
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

static void paper_problems(void **state) {
  (void)state;
  static Batch batch;
  uint64_t seed = 29;
  for (int flags = 0; flags < 8; flags++) {
    SimProblem p;
    int which = flags & 1 ? 2 : 1;
    fixture_paper(&p, which, "centered", flags & 2 ? SIM_REGULARIZED : SIM_UNREGULARIZED, 1);
    sim_problem_set(&p, "solver", flags & 4 ? SIM_FIXED_POINT : SIM_EXACT);
    sim_problem_set(&p, "tolerance", 1e-8);
    SimWorkspace *work;
    SimModel *model = fixture_model(&p, which == 1 ? fixture_tp1_force : fixture_tp2_force, &work);
    randomise(&batch, 25, &seed);
    compare(model, work, 40, true, &batch);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Some solves need more iterations than allowed. */
static void slow_solves(void **state) {
  (void)state;
  static const char *const schemes[] = {"centered", "moreau", "lie"};
  static Batch batch;
  uint64_t seed = 31;
  for (int k = 0; k < 3; k++) {
    int failed = 0;
    SimProblem p;
    fixture_paper(&p, 2, schemes[k], SIM_UNREGULARIZED, 1);
    fixture_time(&p, 1, 20);
    sim_problem_set(&p, "friction_substeps", 1);
    sim_problem_set(&p, "elastic_substeps", 1);
    sim_problem_set(&p, "solver", SIM_FIXED_POINT);
    sim_problem_set(&p, "tolerance", 1e-30);
    sim_problem_set(&p, "r", 1e-9);
    SimWorkspace *work;
    SimModel *model = fixture_model(&p, fixture_tp2_force, &work);
    randomise(&batch, 20, &seed);
    compare(model, work, 5, true, &batch);
    for (int i = 0; i < 5; i++) failed += batch.final[i].status == SIM_NOT_CONVERGED;
    assert_true(failed > 0);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Models that lanes do not support are run by `ref`, whatever kernel is set. */
static void others_are_served(void **state) {
  (void)state;
  SimProblem p;
  fixture_paper(&p, 1, "lie", SIM_SMOOTH, 1);
  fixture_time(&p, 1, 20);
  sim_problem_set(&p, "eta", 1e-5);
  sim_problem_set(&p, "elastic_substeps", 2);
  SimWorkspace *work;
  SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
  static Batch ref, wide;
  uint64_t seed = 3;
  randomise(&ref, 20, &seed);
  memcpy(wide.u, ref.u, sizeof wide.u);
  batch_run(model, work, 0, 9, &ref);
  batch_run(model, work, 1, 9, &wide);
  assert_string_equal(sim_batch_kernel(model, work), "ref");
  for (int i = 0; i < 9; i++) assert_same(model, &ref, i, &wide, i);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* A kernel that does not exist, or that this processor does not support, is refused, and `ref` is used. */
static void kernels_are_checked(void **state) {
  (void)state;
  int beyond = 0;
  while (sim_kernel_name(beyond)) beyond++;
  SimProblem p;
  fixture_paper(&p, 1, "moreau", SIM_UNREGULARIZED, 1);
  fixture_time(&p, 1, 20);
  SimWorkspace *work;
  SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
  assert_true(sim_kernel_runs(0));
  for (int k = -1; k <= beyond; k++) {
    bool runs = k >= 0 && k < beyond && sim_kernel_runs(k);
    if (k < 0 || k == beyond) assert_false(sim_kernel_runs(k));
    sim_workspace_set_kernel(work, k);
    assert_string_equal(sim_batch_kernel(model, work), sim_kernel_name(runs ? k : 0));
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_models),     cmocka_unit_test(each_lane_has_its_model),
      cmocka_unit_test(lanes_fail_alone),  cmocka_unit_test(lanes_are_alone),
      cmocka_unit_test(paper_problems),    cmocka_unit_test(slow_solves),
      cmocka_unit_test(others_are_served), cmocka_unit_test(kernels_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
