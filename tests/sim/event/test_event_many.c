/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the scheme `event` with many degrees of freedom: rows of up to 1000 masses on springs, with sparse matrices. */
#include "sim/core/model.h"
#include "sim/event/event.h"
#include "tests/sim/adjoint.h"
#include "tests/sim/event/watch.h"

enum { D_MAX = 1000, SMALL = 64 };

/* Masses in copies of a row of length `row`, with springs between neighbours of a copy. coupled: their momenta are
 * coupled in the same way. */
typedef struct Masses {
  int d, row;
  bool coupled, mirrored;
  double end;
  const char *scheme;
  long steps;
} Masses;

static int copy_of; /* length of a row, for the force */
static double sign_of = 1;

static double push(int i, double t) {
  int k = i % copy_of;
  return sign_of * (3.5 + 0.5 * sin(7.0 * k)) * sin((4 + cos(3.0 * k)) * t + 2 * sin(5.0 * k));
}

static void fill_rows(const Masses *m, double diagonal, double off, SimMatrix *matrix) {
  int n = 0;
  assert_int_equal(sim_matrix_alloc(matrix, m->d, 3L * m->d), SIM_OK);
  for (int i = 0; i < m->d; i++) {
    for (int j = i - 1; j <= i + 1; j++) {
      bool inside = j >= 0 && j < m->d && j / m->row == i / m->row && (j == i || off != 0);
      if (!inside) continue;
      matrix->column[n] = j;
      matrix->value[n++] = i == j ? diagonal : off;
    }
    matrix->start[i + 1] = n;
  }
}

static void fill(const Masses *m, SimProblem *p) {
  copy_of = m->row;
  sign_of = m->mirrored ? -1 : 1;
  assert_int_equal(sim_problem_init_sparse(p, NULL, m->d, 0, m->d, 1), SIM_OK);
  fill_rows(m, 1.5, m->coupled ? 0.3 : 0, &p->system.sparse.mass);
  fill_rows(m, 2.2, -1, &p->system.sparse.stiffness);
  fill_rows(m, 0.1, 0, &p->system.sparse.damping);
  for (int i = 0; i < m->d; i++) {
    int k = i % m->row;
    p->friction[i] = 2 + cos(11.0 * k);
    p->x0[i] = sign_of * sin(13.0 * k);
    p->v0[i] = k % 3 == 0 ? 0 : sign_of * cos(17.0 * k);
  }
  fixture_time(p, m->end, m->steps);
  fixture_scheme(p, m->scheme);
}

/* Runs the masses. x, v: [d] final state. Returns the number of events. */
static long run(const Masses *m, double *x, double *v) {
  SimProblem p;
  SimWorkspace *work;
  SimFinal final = {.x = x, .v = v};
  fill(m, &p);
  SimModel *model = fixture_model(&p, push, &work);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return final.iterations;
}

/* Each of three copies of a row moves like a single row: its segments do not depend on events elsewhere. */
static void copies_move_as_one(void **state) {
  enum { COPIES = 3 };
  static double x[COPIES * SMALL], v[COPIES * SMALL], alone_x[SMALL], alone_v[SMALL];
  (void)state;
  for (int coupled = 0; coupled < 2; coupled++) {
    Masses m = {.d = SMALL, .row = SMALL, .coupled = coupled, .end = 2, .scheme = "event", .steps = 1};
    long events = run(&m, alone_x, alone_v);
    m.d = COPIES * SMALL;
    assert_in_range(run(&m, x, v), events, COPIES * events); /* simultaneous events count once */
    assert_true(events > 100);
    for (int i = 0; i < m.d; i++) {
      assert_near(x[i], alone_x[i % SMALL], 1e-10);
      assert_near(v[i], alone_v[i % SMALL], 1e-10);
    }
  }
}

/* Stores all entries of a matrix explicitly, so that products use all of them. */
static void make_dense(int d, EventRows *rows) {
  double *all = calloc((size_t)d * (size_t)d, sizeof *all);
  assert_non_null(all);
  for (int i = 0; i < d; i++) ROWS_EACH(rows, i, k, j) all[i * d + j] = rows->entries.value[k];
  free(rows->dense);
  rows->dense = all;
}

/* Products by all entries, by diagonals and by nonzero entries agree. So do solutions with M by the inverses of its
 * blocks and by its band. */
static void storages_agree(void **state) {
  enum { BY_DIAGONALS, BY_ALL, BY_ENTRIES, BY_BAND, STORAGES };
  static double x[STORAGES][SMALL], v[STORAGES][SMALL];
  Masses m = {.d = SMALL, .row = SMALL, .coupled = true, .end = 2, .scheme = "event", .steps = 1};
  (void)state;
  for (int k = 0; k < STORAGES; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimFinal final = {.x = x[k], .v = v[k]};
    fill(&m, &p);
    SimModel *model = fixture_model(&p, push, &work);
    EventSystem *system = model->plan;
    stiction_workspace_destroy(work);
    assert_int_equal(system->stiffness.diagonals, 3);
    assert_null(system->stiffness.dense);
    if (k == BY_ALL) make_dense(SMALL, &system->stiffness);
    if (k == BY_ALL) make_dense(SMALL, &system->damping);
    if (k == BY_ENTRIES) system->stiffness.diagonals = system->damping.diagonals = 0;
    if (k == BY_BAND) system->mass_width = 1;
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
    if (k == BY_ALL || k == BY_ENTRIES) {
      assert_memory_equal(x[k], x[0], sizeof x[0]);
      assert_memory_equal(v[k], v[0], sizeof v[0]);
    }
    for (int i = 0; i < SMALL; i++) {
      assert_near(x[k][i], x[0][i], 1e-10);
      assert_near(v[k][i], v[0][i], 1e-10);
    }
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Steps of `moreau` converge to the motion by `event`. */
static void steps_approach(void **state) {
  static double x[D_MAX], v[D_MAX], exact_x[D_MAX], exact_v[D_MAX];
  (void)state;
  for (int coupled = 0; coupled < 2; coupled++) {
    Masses m = {.d = 150, .row = 150, .coupled = coupled, .end = 2, .scheme = "event", .steps = 1};
    double error[2] = {0};
    run(&m, exact_x, exact_v);
    m.scheme = "moreau";
    for (int k = 0; k < 2; k++) {
      m.steps = k ? 8000 : 1000;
      run(&m, x, v);
      for (int i = 0; i < m.d; i++) error[k] = fmax(error[k], fabs(x[i] - exact_x[i]));
    }
    if (!(error[1] <= error[0] / 6 && error[1] < 1e-3)) fail_msg("%g, then %g", error[0], error[1]);
  }
}

static void force_of(void *context, double t, double *f) {
  for (int i = 0; i < *(const int *)context; i++) f[i] = push(i, t);
}

/* Energies close, |lambda| <= 1, dofs that stick do not move, residuals vanish, and the mirror image has the same
 * bits. */
static void laws_hold(void **state) {
  static double x[2][D_MAX], v[2][D_MAX];
  (void)state;
  for (int coupled = 0; coupled < 2; coupled++) {
    Masses m = {.d = 200, .row = 200, .coupled = coupled, .end = 1, .scheme = "event", .steps = 50};
    SimProblem p;
    SimWorkspace *work;
    SimFinal final = {.x = x[0], .v = v[0]};
    fill(&m, &p);
    SimModel *model = fixture_model(&p, push, &work);
    Watch watch = {.d = m.d, .friction = p.friction};
    const SimObserver observer = {&watch, check_step, NULL};
    const SimOriginals originals = {.context = &m.d, .force = force_of};
    assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, NULL, &observer, &final), SIM_OK);
    assert_true(watch.closing <= 1e-10 * watch.scale);
    assert_true(final.examined.largest > 0 && final.examined.largest < 1e-10);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
    m.mirrored = true;
    run(&m, x[1], v[1]);
    for (int i = 0; i < m.d; i++) assert_true(x[1][i] == -x[0][i] && v[1][i] == -v[0][i]);
  }
}

/* A motion that is saved at each of some times continues in another workspace bit for bit. */
static void pauses_do_not_matter(void **state) {
  static double x[2][D_MAX], v[2][D_MAX];
  const Masses m = {.d = 100, .row = 100, .end = 2, .scheme = "event", .steps = 37};
  SimProblem p;
  SimWorkspace *work;
  SimFinal final = {.x = x[0], .v = v[0]}, in_pauses = {.x = x[1], .v = v[1]};
  (void)state;
  fill(&m, &p);
  SimModel *model = fixture_model(&p, push, &work);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
  size_t size = sim_workspace_saved_size(model);
  void *bytes = malloc(size);
  assert_int_equal(sim_rollout_begin(model, work, NULL, NULL), SIM_OK);
  for (long n = 0; n <= m.steps; n++) {
    assert_int_equal(sim_rollout_run_to(model, work, NULL, n), SIM_OK);
    sim_workspace_save(model, work, bytes);
    stiction_workspace_destroy(work);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(sim_workspace_load(model, work, bytes, size), SIM_OK);
  }
  assert_int_equal(sim_rollout_end(model, work, &in_pauses), SIM_OK);
  assert_memory_equal(x[0], x[1], (size_t)m.d * sizeof **x);
  assert_memory_equal(v[0], v[1], (size_t)m.d * sizeof **v);
  assert_int_equal(final.iterations, in_pauses.iterations);
  free(bytes);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* `moreau` converges to the motion with a full M, of which blocks are inverted. */
static void full_mass(void **state) {
  enum { WIDE = 80 };
  static double x[2][D_MAX], v[2][D_MAX];
  (void)state;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimFinal final = {.x = x[k], .v = v[k]};
    copy_of = WIDE;
    sign_of = 1;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, WIDE, 0), SIM_OK);
    for (int i = 0; i < WIDE; i++) {
      for (int j = 0; j < WIDE; j++) p.system.mass[i * WIDE + j] = (i == j) + 0.5 * exp(-0.05 * abs(i - j));
      p.system.stiffness[i * (WIDE + 1)] = 1;
      p.friction[i] = 2 + cos(11.0 * i);
    }
    fixture_time(&p, 1, k ? 4000 : 1);
    fixture_scheme(&p, k ? "moreau" : "event");
    SimModel *model = fixture_model(&p, push, &work);
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  for (int i = 0; i < WIDE; i++) assert_near(x[1][i], x[0][i], 1e-3);
}

/* A chain with masses is equivalent to a friction model. For a chain without, the steps of `increment` converge. */
static void chains(void **state) {
  enum { NODES = 100 };
  static double x[3][D_MAX], v[3][D_MAX];
  (void)state;
  copy_of = NODES;
  sign_of = 1;
  for (int massive = 0; massive < 2; massive++) {
    double error[2] = {0};
    for (int k = 0; k < 3; k++) {
      SimProblem p;
      SimWorkspace *work;
      SimFinal final = {.x = x[k], .v = v[k]};
      assert_int_equal(sim_problem_init(&p, SIM_CHAIN, NODES, 0), SIM_OK);
      p.chain.chain_case = massive ? SIM_CHAIN_DYNAMICAL : SIM_CHAIN_QUASISTATIC;
      for (int i = 0; i <= NODES; i++) p.chain.springs[i] = 2 + cos(3.0 * i);
      for (int i = 0; i < NODES; i++) {
        p.chain.node_mass[i] = massive ? 1 + 0.5 * sin(5.0 * i) : 0;
        p.friction[i] = 2 + cos(11.0 * i);
      }
      fixture_time(&p, 2, k == 0 ? 1 : k == 1 ? 500 : 4000);
      fixture_scheme(&p, k == 0 ? "event" : massive ? "symplectic" : "increment");
      SimModel *model = fixture_model(&p, push, &work);
      assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
      for (int i = 0; i < NODES && k > 0; i++) error[k - 1] = fmax(error[k - 1], fabs(x[k][i] - x[0][i]));
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      sim_problem_clear(&p);
    }
    if (!(error[1] < error[0] / 5 && error[1] < 1e-3)) fail_msg("%g, then %g", error[0], error[1]);
  }
}

static void thousand(void **state) {
  static double x[D_MAX], v[D_MAX];
  const Masses m = {.d = D_MAX, .row = D_MAX, .end = 0.5, .scheme = "event", .steps = 1};
  (void)state;
  assert_true(run(&m, x, v) > 500);
}

/* Forward and adjoint derivatives agree with each other and with differences. */
static void derivatives_agree(void **state) {
  static double x[2][D_MAX], v[2][D_MAX], weights[3 * 100];
  const SimDependence on[] = {SIM_ON_CONTROL, SIM_ON_VELOCITY};
  const double shift = 1e-6;
  uint64_t seed = 3;
  (void)state;
  for (int coupled = 0; coupled < 2; coupled++) {
    const Masses m = {.d = 100, .row = 100, .coupled = coupled, .end = 0.6, .scheme = "event", .steps = 1};
    SimProblem p;
    Both b;
    double control = 0.3;
    fill(&m, &p);
    sim_problem_set(&p, "tolerance", 1e-13);
    adjoint_begin(&p, push, &control, 2, on, &b);
    adjoint_record(&b, &control);
    for (int i = 0; i < 3 * m.d; i++) weights[i] = fixture_random(&seed);
    assert_true(adjoint_sweep_error(&b, weights) <= 1e-11);
    for (int k = 0; k < 2; k++) {
      double moved = control + (k ? shift : -shift);
      SimFinal final = {.x = x[k], .v = v[k]};
      assert_int_equal(stiction_rollout(b.model, b.work, &moved, NULL, &final), SIM_OK);
    }
    for (int i = 0; i < m.d; i++)
      assert_near((x[1][i] - x[0][i]) / (2 * shift), b.rows[(size_t)i * (size_t)b.columns], 1e-7);
    adjoint_end(&b);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_move_as_one),
      cmocka_unit_test(storages_agree),
      cmocka_unit_test(steps_approach),
      cmocka_unit_test(laws_hold),
      cmocka_unit_test(thousand),
      cmocka_unit_test(derivatives_agree),
      cmocka_unit_test(pauses_do_not_matter),
      cmocka_unit_test(full_mass),
      cmocka_unit_test(chains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
