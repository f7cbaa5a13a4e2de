/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests controls that vary in time, for every scheme of every kind of model. */
#include "tests/sim/chain/chain.h"
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/friction/string.h"

enum { D = 3, P = 2, SEGMENTS_MAX = 8, VARIABLES_MAX = P * SEGMENTS_MAX, STEPS = 96 };

typedef struct Case {
  SimKind kind;
  const char *scheme;
  SimMultiplier multiplier;
  SimSolver solver;
  SimStorage storage;
} Case;

static const Case cases[] = {{SIM_FRICTION, "moreau", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_FRICTION, "moreau", SIM_UNREGULARIZED, SIM_FIXED_POINT, SIM_DENSE},
                             {SIM_FRICTION, "centered", SIM_REGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_FRICTION, "centered", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_FRICTION, "lie", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_FRICTION, "strang", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_FRICTION, "moreau", SIM_UNREGULARIZED, SIM_EXACT, SIM_SPARSE},
                             {SIM_FRICTION, "centered", SIM_REGULARIZED, SIM_EXACT, SIM_SPARSE},
                             {SIM_CHAIN, "implicit_euler", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_CHAIN, "symplectic", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_CHAIN, "increment", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE},
                             {SIM_DASHPOT, "backward_euler", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE}};
enum { CASES = sizeof cases / sizeof *cases, DENSE = 6 };

static void steady_load(void *context, double t, double *f) {
  (void)context, (void)t;
  for (int i = 0; i < D; i++) f[i] = 0.3;
}

/* Makes three masses of 1, 2 and 3 kg: free, or with stiffness and friction. A dash-pot has one mass and one
 * control. */
static void make(SimProblem *p, const Case *c, bool free_masses, SimSignal signal, int segments) {
  static const double b[D][P] = {{1, 0}, {0.25, -0.5}, {0, 2}};
  double rough = free_masses ? 0 : 1;
  if (c->kind == SIM_CHAIN) {
    bool massless = strcmp(c->scheme, "increment") == 0;
    chain_init(p, D, massless ? SIM_CHAIN_QUASISTATIC : SIM_CHAIN_DYNAMICAL, SIM_END_CLAMPED, c->scheme);
    p->n_control = P;
    for (int i = 0; i <= D; i++) p->chain.springs[i] = rough;
    for (int i = 0; i < D; i++) p->chain.node_mass[i] = massless ? 0 : 1 + i;
    for (int i = 0; i < D; i++) p->friction[i] = 0.4 * rough;
  } else if (c->kind == SIM_DASHPOT) {
    dashpot_problem(p, SIM_BINGHAM, 2, STEPS);
  } else if (c->storage == SIM_SPARSE) {
    static const double density[D] = {4, 8, 12}, tension[D + 1] = {0.25, 0.25, 0.25, 0.25}, friction[D] = {1, 2, 3};
    static const double none[D];
    assert_int_equal(sim_problem_init_sparse(p, NULL, D, 0, D, P), SIM_OK);
    assert_int_equal(sim_string_fill(p, 1, density, tension, rough > 0 ? friction : none), SIM_OK);
    p->load = (SimLoad){.constant = true, .at = free_masses ? NULL : steady_load};
    for (int i = 0; free_masses && i < p->system.sparse.stiffness.start[D]; i++)
      p->system.sparse.stiffness.value[i] = 0;
  } else {
    assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, P), SIM_OK);
    for (int i = 0; i < D; i++) {
      p->system.mass[i * D + i] = 1 + i;
      p->system.stiffness[i * D + i] = 2 * rough;
      p->friction[i] = 0.5 * rough;
    }
  }
  for (int i = 0; c->kind != SIM_DASHPOT && i < D; i++)
    for (int k = 0; k < P; k++) p->control_matrix[i * P + k] = b[i][k];
  fixture_time(p, 2, STEPS);
  fixture_scheme(p, c->scheme);
  sim_problem_set(p, "multiplier", c->multiplier);
  sim_problem_set(p, "solver", c->solver);
  sim_problem_set(p, "tolerance", 1e-10);
  p->signal = signal;
  p->segments = segments;
}

static void draw(double *u, uint64_t seed) {
  for (int i = 0; i < VARIABLES_MAX; i++) u[i] = 4 * fixture_random(&seed);
}

/* x, v, lambda and u at all times of a rollout. */
typedef struct Rows {
  int d, p;
  double row[STEPS + 1][3 * D + P];
} Rows;

static void see(void *context, const SimStep *step) {
  Rows *rows = context;
  double *row = rows->row[step->n];
  size_t size = (size_t)rows->d * sizeof *row;
  memcpy(row, step->x, size);
  memcpy(row + D, step->v, size);
  memcpy(row + 2 * D, step->lambda, size);
  memcpy(row + 3 * D, step->u, (size_t)rows->p * sizeof *row);
}

static SimModel *model_of(SimProblem *p, SimWorkspace **work) {
  static FixtureForce *const none = fixture_no_force;
  if (p->system.storage == SIM_DENSE) return fixture_model(p, none, work);
  const SimReport report = {NULL, fixture_complain};
  SimBounds bounds;
  SimModel *model;
  assert_int_equal(sim_problem_check(p, &report, &bounds), SIM_OK);
  sim_problem_set(p, "r", 1);
  sim_problem_set(p, "epsilon", 0.01);
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, work), SIM_OK);
  return model;
}

/* Runs a control and records its trajectory; clears the problem. */
static void roll(SimProblem *p, const double *u, Rows *rows, double v[D]) {
  SimWorkspace *work;
  SimModel *model = model_of(p, &work);
  const SimObserver observer = {.context = rows, .step = see};
  double x[D];
  SimFinal final = {.x = x, .v = v};
  *rows = (Rows){.d = p->d, .p = p->n_control};
  assert_int_equal(stiction_rollout(model, work, u, &observer, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

static void one_piece_is_a_constant(void **state) {
  (void)state;
  static Rows constant, piece;
  double u[VARIABLES_MAX], v[D];
  draw(u, 3);
  for (int c = 0; c < CASES; c++) {
    SimProblem p;
    make(&p, &cases[c], false, SIM_CONSTANT, 1);
    roll(&p, u, &constant, v);
    make(&p, &cases[c], false, SIM_PIECEWISE_CONSTANT, 1);
    roll(&p, u, &piece, v);
    assert_memory_equal(&constant, &piece, sizeof piece);
  }
}

/* A coarse signal, written with two and four times as many segments, gives the same motion. The bits are the same if no
 * step lies in several segments; otherwise it is the same up to round-off. */
static void a_refined_signal_moves_the_same_way(void **state) {
  (void)state;
  static Rows coarse, fine;
  double u[VARIABLES_MAX], refined[VARIABLES_MAX], v[D];
  draw(u, 5);
  for (int c = 0; c < CASES; c++)
    for (int kind = SIM_PIECEWISE_CONSTANT; kind <= SIM_PIECEWISE_LINEAR; kind++)
      for (int times = 2; times <= 4; times++) {
        SimProblem p;
        make(&p, &cases[c], false, (SimSignal)kind, 2);
        int controls = p.n_control;
        roll(&p, u, &coarse, v);
        assert_true(coarse.row[STEPS / 4][0] != coarse.row[STEPS][0]); /* the mass moves */
        make(&p, &cases[c], false, (SimSignal)kind, 2 * times);
        assert_int_equal(stiction_problem_variables(&p), 2 * times * controls);
        sim_signal_refine((SimSignal)kind, controls, 2, times, u, refined);
        roll(&p, refined, &fine, v);
        bool straddles = cases[c].scheme[0] == 'c'; /* whether a time step can lie in two segments: steps of the
                                                     * centred scheme begin in the middle of grid steps */
        if (kind == SIM_PIECEWISE_CONSTANT && !straddles) assert_memory_equal(&coarse, &fine, sizeof fine);
        double tolerance = cases[c].solver == SIM_EXACT ? 1e-13 : 1e-8;
        for (int n = 0; n <= STEPS; n++)
          for (int i = 0; i < 3 * D + P; i++)
            assert_true(fabs(coarse.row[n][i] - fine.row[n][i]) <= tolerance * (1 + fabs(coarse.row[n][i])));
      }
}

/* Without other forces M (v(T) - v(0)) = B int u dt, wherever segments begin: there are 5 and 7 segments in 96
 * steps. */
static void free_masses_take_the_whole_impulse(void **state) {
  (void)state;
  static Rows rows;
  double u[VARIABLES_MAX], v[D];
  draw(u, 7);
  for (int c = 0; c < CASES; c++)
    for (int kind = SIM_PIECEWISE_CONSTANT; kind <= SIM_PIECEWISE_LINEAR; kind++)
      for (int segments = 5; segments <= 8; segments++) {
        if (cases[c].kind == SIM_DASHPOT || cases[c].kind == SIM_CHAIN) continue;
        SimProblem p;
        double impulse[P] = {0}, b[D * P];
        make(&p, &cases[c], true, (SimSignal)kind, segments);
        memcpy(b, p.control_matrix, sizeof b);
        double h = p.end / segments;
        for (int k = 0; k < segments; k++)
          for (int i = 0; i < P; i++) {
            double last = k == segments - 1 && kind == SIM_PIECEWISE_LINEAR ? 0.5 : 1;
            impulse[i] += h * last * u[k * P + i];
          }
        roll(&p, u, &rows, v);
        for (int i = 0; i < D; i++)
          assert_true(fabs((1 + i) * v[i] - b[i * P] * impulse[0] - b[i * P + 1] * impulse[1]) <= 1e-11);
      }
}

/* A chain evaluates u as it evaluates f: at the times of its grid. */
static void a_chain_s_signal_is_a_force(void **state) {
  (void)state;
  static Rows rows;
  double u[VARIABLES_MAX], v[D], x_force[D], v_force[D];
  draw(u, 8);
  for (int c = 0; c < CASES; c++) {
    if (cases[c].kind != SIM_CHAIN) continue;
    SimProblem p;
    make(&p, &cases[c], false, SIM_PIECEWISE_LINEAR, 3);
    roll(&p, u, &rows, v);
    make(&p, &cases[c], false, SIM_CONSTANT, 1);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    for (int n = 0; n <= STEPS; n++)
      for (int i = 0; i < D; i++)
        for (int k = 0; k < P; k++) p.force[n * D + i] += p.control_matrix[i * P + k] * rows.row[n][3 * D + k];
    chain_run(&p, NULL, NULL, x_force, v_force);
    for (int i = 0; i < D; i++) assert_true(fabs(v[i] - v_force[i]) + fabs(rows.row[STEPS][i] - x_force[i]) <= 1e-12);
  }
}

static void observers_see_u(void **state) {
  (void)state;
  static Rows rows;
  double u[VARIABLES_MAX], v[D];
  draw(u, 9);
  for (int c = 0; c < 2; c++) {
    SimProblem p;
    make(&p, &cases[0], false, c ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT, 4);
    roll(&p, u, &rows, v);
    for (int n = 0; n <= STEPS; n++) {
      int k = n == STEPS ? 3 : 4 * n / STEPS;
      for (int i = 0; i < P; i++) {
        double start = k ? u[(k - 1) * P + i] : 0, end = u[k * P + i], part = 4.0 * n / STEPS - k;
        double expected = c ? start + part * (end - start) : end;
        assert_true(fabs(rows.row[n][3 * D + i] - expected) <= 1e-14);
      }
    }
  }
}

static void kernels_give_the_same_bits(void **state) {
  (void)state;
  enum { N = 45 };
  static double u[N][VARIABLES_MAX], x[2][N][D], v[2][N][D];
  SimFinal final[2][N];
  for (int i = 0; i < N; i++) draw(u[i], 100 + (uint64_t)i);
  for (int c = 0; c < DENSE; c++)
    for (int kind = SIM_PIECEWISE_CONSTANT; kind <= SIM_PIECEWISE_LINEAR; kind++) {
      SimProblem p;
      SimWorkspace *work;
      make(&p, &cases[c], false, (SimSignal)kind, SEGMENTS_MAX - (c & 1));
      double packed[N * VARIABLES_MAX];
      int variables = stiction_problem_variables(&p);
      for (int i = 0; i < N; i++) memcpy(packed + i * variables, u[i], (size_t)variables * sizeof(double));
      SimModel *model = model_of(&p, &work);
      for (int kernel = 0; sim_kernel_name(kernel); kernel++) {
        if (!sim_kernel_runs(kernel)) continue;
        int to = kernel > 0;
        for (int i = 0; i < N; i++) final[to][i] = (SimFinal){.x = x[to][i], .v = v[to][i]};
        sim_workspace_set_kernel(work, kernel);
        stiction_batch(model, work, N, packed, final[to]);
        bool wide = cases[c].solver == SIM_EXACT; /* by fixed-point iteration the lanes would be in different steps */
        assert_string_equal(sim_batch_kernel(model, work), sim_kernel_name(wide ? kernel : 0));
        if (!to) continue;
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_memory_equal(v[0], v[1], sizeof v[0]);
        for (int i = 0; i < N; i++) assert_int_equal(final[0][i].iterations, final[1][i].iterations);
      }
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      sim_problem_clear(&p);
    }
}

static void a_saved_rollout_and_a_packed_problem_go_on(void **state) {
  (void)state;
  double u[VARIABLES_MAX], x[2][D], v[2][D];
  draw(u, 11);
  for (int c = 0; c < CASES; c++) {
    SimProblem p, copy;
    SimWorkspace *work;
    SimModel *model, *other;
    const SimReport report = {NULL, fixture_complain};
    if (cases[c].storage == SIM_SPARSE) continue;
    make(&p, &cases[c], false, SIM_PIECEWISE_LINEAR, 5);
    model = model_of(&p, &work);
    SimFinal whole = {.x = x[0], .v = v[0]}, parts = {.x = x[1], .v = v[1]};
    assert_int_equal(stiction_rollout(model, work, u, NULL, &whole), SIM_OK);
    assert_int_equal(sim_rollout_begin(model, work, u, NULL), SIM_OK);
    assert_int_equal(sim_rollout_run_to(model, work, NULL, 37), SIM_OK);
    size_t size = sim_workspace_saved_size(model), packed = sim_problem_packed_size(&p);
    void *bytes = malloc(size + packed);
    assert_non_null(bytes);
    sim_workspace_save(model, work, bytes);
    sim_problem_pack(&p, (char *)bytes + size);
    assert_int_equal(sim_problem_unpack(&copy, (char *)bytes + size, packed), SIM_OK);
    assert_int_equal(copy.signal, SIM_PIECEWISE_LINEAR);
    assert_int_equal(copy.segments, 5);
    stiction_workspace_destroy(work);
    assert_int_equal(stiction_problem_finalize(&copy, &report), SIM_OK);
    assert_int_equal(stiction_model_create(&copy, &report, &other), SIM_OK);
    assert_int_equal(stiction_workspace_create(other, &work), SIM_OK);
    assert_int_equal(sim_workspace_load(other, work, bytes, size), SIM_OK);
    assert_int_equal(sim_rollout_run_to(other, work, NULL, STEPS), SIM_OK);
    assert_int_equal(sim_rollout_end(other, work, &parts), SIM_OK);
    assert_memory_equal(x[0], x[1], (size_t)p.d * sizeof(double));
    assert_memory_equal(v[0], v[1], (size_t)p.d * sizeof(double));
    free(bytes);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    stiction_model_destroy(other);
    sim_problem_clear(&p);
    sim_problem_clear(&copy);
  }
}

/* A sparse rollout with a constant force in addition to the control is saved and continues with the same bits. */
static void a_saved_sparse_rollout_goes_on(void **state) {
  (void)state;
  double u[VARIABLES_MAX], x[2][D], v[2][D];
  draw(u, 13);
  for (int c = DENSE; c < DENSE + 2; c++) {
    SimProblem p;
    SimWorkspace *work, *other;
    SimFinal whole = {.x = x[0], .v = v[0]}, parts = {.x = x[1], .v = v[1]};
    make(&p, &cases[c], false, SIM_PIECEWISE_LINEAR, 5);
    SimModel *model = model_of(&p, &work);
    assert_int_equal(stiction_rollout(model, work, u, NULL, &whole), SIM_OK);
    assert_int_equal(sim_rollout_begin(model, work, u, NULL), SIM_OK);
    assert_int_equal(sim_rollout_run_to(model, work, NULL, 37), SIM_OK);
    size_t size = sim_workspace_saved_size(model);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    sim_workspace_save(model, work, bytes);
    assert_int_equal(stiction_workspace_create(model, &other), SIM_OK);
    assert_int_equal(sim_workspace_load(model, other, bytes, size), SIM_OK);
    assert_int_equal(sim_rollout_run_to(model, other, NULL, STEPS), SIM_OK);
    assert_int_equal(sim_rollout_end(model, other, &parts), SIM_OK);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    free(bytes);
    stiction_workspace_destroy(work);
    stiction_workspace_destroy(other);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

static void count_complaint(void *context, const char *key, const char *text) {
  if (strncmp(key, "control.signal", 14) == 0 && *text) ++*(int *)context;
}

static void signals_that_cannot_be_are_refused(void **state) {
  (void)state;
  static const Case chain = {SIM_CHAIN, "implicit_euler", SIM_UNREGULARIZED, SIM_EXACT, SIM_DENSE};
  static const int segments[] = {0, STEPS + 1};
  SimProblem p;
  SimBounds bounds;
  int complaints = 0;
  const SimReport report = {&complaints, count_complaint};
  for (int k = 0; k < 2; k++) {
    make(&p, &cases[0], false, SIM_PIECEWISE_CONSTANT, segments[k]);
    assert_int_equal(sim_problem_check(&p, &report, &bounds), SIM_BAD_PROBLEM);
    assert_int_equal(complaints, k + 1);
    sim_problem_clear(&p);
  }
  make(&p, &chain, false, SIM_PIECEWISE_CONSTANT, 4);
  p.chain.chain_case = SIM_CHAIN_QUASISTATIC; /* only this case of a chain needs the rate of the forces */
  for (int i = 0; i < D; i++) p.chain.node_mass[i] = 0;
  assert_int_equal(sim_problem_check(&p, &report, &bounds), SIM_BAD_PROBLEM);
  assert_int_equal(complaints, 3);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_piece_is_a_constant),
      cmocka_unit_test(a_refined_signal_moves_the_same_way),
      cmocka_unit_test(free_masses_take_the_whole_impulse),
      cmocka_unit_test(a_chain_s_signal_is_a_force),
      cmocka_unit_test(observers_see_u),
      cmocka_unit_test(kernels_give_the_same_bits),
      cmocka_unit_test(a_saved_rollout_and_a_packed_problem_go_on),
      cmocka_unit_test(a_saved_sparse_rollout_goes_on),
      cmocka_unit_test(signals_that_cannot_be_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
