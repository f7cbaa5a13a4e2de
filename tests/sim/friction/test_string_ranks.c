/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests sparse models with PETSc on any number of ranks: they equal those on one rank and the dense models. */
#include "sim/group.h"
#include "tests/sim/friction/string.h"

#include <petscsys.h>

typedef struct Run {
  SimStatus status;
  SimEnergy energy;
  long iterations;
  double *x, *v; /* [d], on every rank */
} Run;

static int n_ranks, rank;
static SimGroup *all; /* group of all ranks */

static void keep_energy(void *context, const SimStep *step) { ((Run *)context)->energy = *step->energy; }

static void gather(const double *part, int first, int count, int d, double *whole) {
  memset(whole, 0, (size_t)d * sizeof *whole);
  memcpy(whole + first, part, (size_t)count * sizeof *whole);
  if (count < d) MPI_Allreduce(MPI_IN_PLACE, whole, d, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static Run roll(SimProblem *p, const double *u) {
  SimWorkspace *work;
  int first = p->first, count = p->count, d = p->d;
  Run run = {.x = calloc((size_t)d, sizeof(double)), .v = calloc((size_t)d, sizeof(double))};
  double *x = calloc((size_t)count + 1, sizeof *x), *v = calloc((size_t)count + 1, sizeof *v);
  SimFinal final = {.x = x, .v = v};
  SimObserver observer = {.context = &run, .step = keep_energy};
  SimModel *model = string_model(p, &work);
  SimProfile profile = {0};
  sim_workspace_profile(work, &profile);
  run.status = stiction_rollout(model, work, u, &observer, &final);
  assert_true(profile.solves >= 0 && profile.friction >= 0 && profile.solves + profile.friction <= profile.steps);
  run.iterations = final.iterations;
  gather(x, first, count, d, run.x);
  gather(v, first, count, d, run.v);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
  free(x);
  free(v);
  return run;
}

static void forget(Run *run) {
  free(run->x);
  free(run->v);
}

static double difference(int d, const double *x, const double *y) {
  double worst = 0;
  for (int i = 0; i < d; i++) worst = fmax(worst, fabs(x[i] - y[i]));
  return worst;
}

/* Makes this rank's rows of a string. */
static void share_string(const StringCase *c, SimGroup *group, SimProblem *p, StringLoad *load) {
  int first, count;
  sim_share(c->d, stiction_group_size(group), stiction_group_rank(group), &first, &count);
  string_problem(p, c, group, first, count, load);
}

static Run roll_string(const StringCase *c, SimGroup *group, double u) {
  SimProblem p;
  StringLoad load;
  share_string(c, group, &p, &load);
  return roll(&p, &u);
}

static void assert_equal_runs(int d, const Run *a, const Run *b, double tolerance) {
  assert_int_equal(a->status, SIM_OK);
  assert_int_equal(b->status, SIM_OK);
  double scale = 0;
  for (int i = 0; i < d; i++) scale = fmax(scale, fabs(b->v[i]));
  assert_true(difference(d, a->x, b->x) <= tolerance);
  assert_true(difference(d, a->v, b->v) <= tolerance * fmax(1, scale));
  assert_true(fabs(a->energy.dissipated - b->energy.dissipated) <= tolerance);
  assert_true(fabs(a->energy.work - b->energy.work) <= tolerance);
}

/* Tridiagonal matrices are solved directly, alone and in a group. If options request PETSc, it solves by Cholesky on
 * one rank, by CG on several. */
static void string_equals_one_process(void **state) {
  (void)state;
#define STRING(n) .d = 400, .steps = n, .friction = 0.3, .pluck = 0.2
  static const StringCase cases[] = {
      {STRING(12), .end = 0.12, .scheme = "moreau", .force = 0.5, .uneven = true},
      {STRING(12), .end = 0.12, .scheme = "centered", .damping = 0.05},
      {STRING(1), .end = 0.01, .scheme = "centered"}, /* in this case the first step costs as much as any other */
      {STRING(12), .end = 0.06, .scheme = "centered", .multiplier = SIM_REGULARIZED, .uneven = true},
      {.d = 100,
       .end = 0.12,
       .steps = 12,
       .scheme = "moreau",
       .solver = SIM_FIXED_POINT,
       .friction = 0.1,
       .pluck = 0.2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Run alone = roll_string(&cases[k], NULL, 0.4), together = roll_string(&cases[k], all, 0.4);
    assert_int_equal(stiction_petsc_start(n_ranks == 1 ? "-step_pc_type cholesky" : "-step_pc_type bjacobi"), SIM_OK);
    Run by_petsc = roll_string(&cases[k], all, 0.4);
    PetscOptionsClearValue(NULL, "-step_pc_type");
    assert_equal_runs(cases[k].d, &together, &alone, 1e-9);
    assert_equal_runs(cases[k].d, &by_petsc, &alone, 1e-9);
    forget(&alone);
    forget(&together);
    forget(&by_petsc);
  }
}

/* A wave passes the whole string in a step, so the solution on a rank depends on the rows of all others. */
static void large_steps_take_few_newton_steps(void **state) {
  (void)state;
  static const StringCase c = {
      .d = 400, .end = 20, .steps = 20, .scheme = "moreau", .friction = 0.3, .pluck = 0.2, .uneven = true};
  Run alone = roll_string(&c, NULL, 20), together = roll_string(&c, all, 20);
  assert_equal_runs(c.d, &together, &alone, 1e-8);
  assert_true(alone.iterations <= 3 * c.steps);
  assert_true(together.iterations <= 6 * c.steps);
  forget(&alone);
  forget(&together);
}

/* Using the same group again, or another one of the same size, gives the same bits. */
static void groups_do_not_matter(void **state) {
  (void)state;
  static const StringCase c = {.d = 300, .end = 0.5, .steps = 50, .scheme = "moreau", .friction = 0.3, .pluck = 0.2};
  SimGroup *own;
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm);
  assert_int_equal(stiction_group_create(comm, &own), SIM_OK);
  Run alone = roll_string(&c, NULL, 0.4), grouped = roll_string(&c, own, 0.4);
  assert_memory_equal(alone.x, grouped.x, (size_t)c.d * sizeof(double));
  assert_memory_equal(alone.v, grouped.v, (size_t)c.d * sizeof(double));
  double *first = malloc((size_t)c.d * sizeof *first);
  memcpy(first, grouped.x, (size_t)c.d * sizeof *first);
  MPI_Bcast(first, c.d, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  assert_memory_equal(first, grouped.x, (size_t)c.d * sizeof(double));
  free(first);
  forget(&alone);
  forget(&grouped);
  stiction_group_destroy(own);
  MPI_Comm_free(&comm);
}

enum { SIDE = 9, GRID = SIDE * SIDE };

/* Makes a membrane of SIDE x SIDE nodes: five-point Laplacian, friction that is not uniform, an initial velocity. */
static void grid_problem(SimProblem *p, SimGroup *group) {
  int first, count, n = 0;
  sim_share(GRID, stiction_group_size(group), stiction_group_rank(group), &first, &count);
  assert_int_equal(sim_problem_init_sparse(p, group, GRID, first, count, 1), SIM_OK);
  assert_int_equal(sim_matrix_alloc(&p->system.sparse.mass, count, count), SIM_OK);
  assert_int_equal(sim_matrix_alloc(&p->system.sparse.stiffness, count, 5L * count), SIM_OK);
  SimMatrix *mass = &p->system.sparse.mass, *stiffness = &p->system.sparse.stiffness;
  for (int i = 0; i < count; i++) {
    int row = first + i, x = row % SIDE, y = row / SIDE;
    const int column[] = {y > 0 ? row - SIDE : -1, x > 0 ? row - 1 : -1, row, x < SIDE - 1 ? row + 1 : -1,
                          y < SIDE - 1 ? row + SIDE : -1};
    for (int k = 0; k < 5; k++) {
      if (column[k] < 0) continue;
      stiffness->column[n] = column[k];
      stiffness->value[n++] = column[k] == row ? 400 : -100;
    }
    stiffness->start[i + 1] = n;
    mass->start[i + 1] = i + 1;
    mass->column[i] = row;
    mass->value[i] = 1 + 0.1 * x;
    p->friction[i] = 1 + 0.2 * y;
    p->v0[i] = x > 5 ? 3 : 0;
    p->control_matrix[i] = 0.5 * (row % 2);
  }
  fixture_time(p, 1, 50);
  fixture_scheme(p, "moreau");
}

static void grid_equals_dense_model(void **state) {
  (void)state;
  SimProblem p, alone, dense;
  SimWorkspace *work;
  const double u = 0.3;
  grid_problem(&p, all);
  Run together = roll(&p, &u);
  grid_problem(&alone, NULL);
  sim_problem_set(&alone, "r", 1);
  string_dense(&dense, &alone);
  assert_int_equal(sim_problem_alloc_force(&dense), SIM_OK);
  sim_problem_clear(&alone);
  SimModel *model;
  double x[GRID], v[GRID];
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_problem_finalize(&dense, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&dense, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  assert_int_equal(stiction_rollout(model, work, &u, NULL, &final), SIM_OK);
  assert_int_equal(together.status, SIM_OK);
  assert_true(difference(GRID, together.x, x) <= 1e-9);
  assert_true(difference(GRID, together.v, v) <= 1e-9);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&dense);
  forget(&together);
}

enum { NODES = 24, PIECES = 4, SENSITIVITIES = PIECES + 2 * NODES };

/* Derivatives [3 NODES][SENSITIVITIES] of x(T), v(T) and of velocities before stops, and the times of stops [NODES], on
 * every rank. */
typedef struct Slopes {
  double *rows, *stop_time;
} Slopes;

static const SimDependence wanted[] = {SIM_ON_CONTROL, SIM_ON_POSITION, SIM_ON_FRICTION};
static const double pushes[PIECES] = {0.5, -1.5, 2, 0.3};

/* Checks that adjoint derivatives agree, for a weighted sum of this rank's rows [3 count][SENSITIVITIES] and those of
 * the other ranks. */
static void assert_equal_backward(const SimModel *model, SimWorkspace *work, const SimProblem *p, const double *rows) {
  double gradient[SENSITIVITIES], sums[SENSITIVITIES] = {0}, largest = 0;
  double *weights = calloc(5 * (size_t)p->count + 1, sizeof *weights), *v = weights + 3 * p->count;
  SimFinal final = {.x = v, .v = v + p->count};
  SimAdjoint *adjoint;
  for (int i = 0; i < 3 * p->count; i++) {
    weights[i] = sin(1 + p->first + i % p->count + NODES * (i / p->count));
    for (int k = 0; k < SENSITIVITIES; k++) sums[k] += weights[i] * rows[i * SENSITIVITIES + k];
  }
  sim_group_sum(p->group, sums, SENSITIVITIES);
  assert_int_equal(sim_adjoint_create(model, 3, wanted, &adjoint), SIM_OK);
  assert_int_equal(sim_rollout_record(model, work, adjoint, pushes, &final), SIM_OK);
  assert_int_equal(sim_adjoint_sweep(adjoint, 1, weights, gradient), SIM_OK);
  for (int k = 0; k < SENSITIVITIES; k++) largest = fmax(largest, fabs(sums[k]));
  assert_true(difference(SENSITIVITIES, gradient, sums) <= 1e-12 * largest);
  sim_adjoint_destroy(adjoint);
  free(weights);
}

static Slopes slopes_of(SimProblem *p) {
  size_t count = (size_t)p->count;
  SimWorkspace *work;
  SimSensitivity *sensitivity;
  double *state = calloc(3 * count * SENSITIVITIES + 1, sizeof *state), *v = calloc(4 * count + 1, sizeof *v);
  SimDerivative derivative = {.state = state,
                              .stop = state + 2 * count * SENSITIVITIES,
                              .stop_time = v + 2 * count,
                              .stop_acceleration = v + 3 * count};
  SimFinal final = {.x = v, .v = v + count};
  Slopes slopes = {.rows = calloc(3 * NODES * SENSITIVITIES, sizeof(double)),
                   .stop_time = calloc(NODES, sizeof(double))};
  p->signal = SIM_PIECEWISE_CONSTANT;
  p->segments = PIECES;
  SimModel *model = string_model(p, &work);
  assert_int_equal(stiction_sensitivity_create(model, 3, wanted, &sensitivity), SIM_OK);
  assert_int_equal(stiction_sensitivity_columns(sensitivity), SENSITIVITIES);
  assert_int_equal(stiction_rollout_sensitivity(model, work, sensitivity, pushes, &final, &derivative), SIM_OK);
  assert_equal_backward(model, work, p, state);
  for (int k = 0; k < 3; k++)
    gather(state + (size_t)k * count * SENSITIVITIES, p->first * SENSITIVITIES, p->count * SENSITIVITIES,
           NODES * SENSITIVITIES, slopes.rows + k * NODES * SENSITIVITIES);
  for (int i = 0; i < p->count; i++)
    derivative.stop_time[i] = isnan(derivative.stop_time[i]) ? -1 : derivative.stop_time[i];
  gather(derivative.stop_time, p->first, p->count, NODES, slopes.stop_time);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
  free(state);
  free(v);
  return slopes;
}

static Slopes slopes_of_string(const StringCase *c, SimGroup *group, bool dense) {
  SimProblem p, copy;
  StringLoad load;
  share_string(c, group, &p, &load);
  if (c->multiplier == SIM_REGULARIZED)
    sim_problem_set(&p, "r", 1e4); /* otherwise r follows from bounds, which differ */
  if (!dense) return slopes_of(&p);
  string_dense(&copy, &p);
  sim_problem_clear(&p);
  assert_int_equal(sim_problem_alloc_force(&copy), SIM_OK);
  for (long k = 0; k <= copy.steps; k++) string_force(&load, sim_force_time(&copy, k), copy.force + k * copy.d);
  return slopes_of(&copy);
}

/* Compares slopes and clears b. Returns whether any dof has stopped. */
static bool assert_equal_slopes(const Slopes *a, Slopes b) {
  double largest = 0;
  bool stopped = false;
  for (int i = 0; i < 3 * NODES * SENSITIVITIES; i++) largest = fmax(largest, fabs(a->rows[i]));
  assert_true(difference(3 * NODES * SENSITIVITIES, a->rows, b.rows) <= 1e-9 * largest);
  assert_true(difference(NODES, a->stop_time, b.stop_time) <= 1e-9);
  for (int i = 0; i < NODES; i++) stopped = stopped || a->stop_time[i] > 0;
  free(b.rows);
  free(b.stop_time);
  return stopped;
}

/* Derivatives of strings, forward and adjoint, on one rank, in a group and with PETSc, equal those of the dense
 * model. */
static void slopes_equal_dense_model(void **state) {
  (void)state;
  static const StringCase strings[] = {
      {.scheme = "moreau", .friction = 1, .uneven = true, .stribeck = SIM_STRIBECK_SQRT},
      {.scheme = "moreau", .friction = 0.3, .solver = SIM_FIXED_POINT},
      {.scheme = "centered", .friction = 0.5, .damping = 0.05},
      {.scheme = "centered", .friction = 0.5, .multiplier = SIM_REGULARIZED, .uneven = true}};
  for (size_t k = 0; k < sizeof strings / sizeof *strings; k++) {
    StringCase c = strings[k];
    c.d = NODES;
    c.end = 1.5;
    c.steps = 20;
    c.pluck = 0.2;
    c.force = 0.5;
    Slopes dense = slopes_of_string(&c, NULL, true);
    bool stopped = assert_equal_slopes(&dense, slopes_of_string(&c, NULL, false));
    assert_equal_slopes(&dense, slopes_of_string(&c, all, false));
    assert_int_equal(stiction_petsc_start(n_ranks == 1 ? "-step_pc_type cholesky" : "-step_pc_type bjacobi"), SIM_OK);
    assert_equal_slopes(&dense, slopes_of_string(&c, all, false));
    PetscOptionsClearValue(NULL, "-step_pc_type");
    assert_true(stopped);
    free(dense.rows);
    free(dense.stop_time);
  }
}

static void failed_solve_is_reported(void **state) {
  (void)state;
  SimProblem p;
  const double u = 0;
  assert_int_equal(stiction_petsc_start("-step_ksp_type cg -step_pc_type none -step_ksp_max_it 1"), SIM_OK);
  grid_problem(&p, all);
  Run run = roll(&p, &u);
  assert_int_equal(run.status, SIM_NOT_CONVERGED);
  PetscOptionsClearValue(NULL, "-step_ksp_max_it");
  grid_problem(&p, all);
  Run again = roll(&p, &u);
  assert_int_equal(again.status, SIM_OK);
  PetscOptionsClearValue(NULL, "-step_ksp_type");
  PetscOptionsClearValue(NULL, "-step_pc_type");
  forget(&run);
  forget(&again);
}

static void count_asymmetry(void *context, const char *key, const char *text) {
  *(long *)context += !strcmp(key, "model.stiffness") && strstr(text, "not symmetric") ? 1 : 1000;
}

/* An entry in a row of one rank and a column of another is not symmetric. The message names the matrix. */
static void asymmetry_across_ranks_is_reported(void **state) {
  (void)state;
  static const StringCase c = {.d = 40, .end = 1, .steps = 10, .scheme = "moreau", .friction = 0.3, .pluck = 0.2};
  SimProblem p;
  StringLoad load;
  SimBounds bounds;
  long seen = 0;
  share_string(&c, all, &p, &load);
  if (p.first > 0) p.system.sparse.stiffness.value[0] *= 0.5; /* the entry left of the rank's block */
  const SimReport report = {&seen, count_asymmetry};
  assert_int_equal(sim_problem_check(&p, &report, &bounds), n_ranks > 1 ? SIM_BAD_PROBLEM : SIM_OK);
  MPI_Allreduce(MPI_IN_PLACE, &seen, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  assert_int_equal(seen, n_ranks > 1);
  sim_problem_clear(&p);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (stiction_petsc_start(NULL) != SIM_OK || stiction_group_create(MPI_COMM_WORLD, &all) != SIM_OK) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(string_equals_one_process),         cmocka_unit_test(large_steps_take_few_newton_steps),
      cmocka_unit_test(slopes_equal_dense_model),          cmocka_unit_test(groups_do_not_matter),
      cmocka_unit_test(grid_equals_dense_model),           cmocka_unit_test(failed_solve_is_reported),
      cmocka_unit_test(asymmetry_across_ranks_is_reported)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  stiction_group_destroy(all);
  stiction_petsc_stop();
  MPI_Finalize();
  return failed;
}
