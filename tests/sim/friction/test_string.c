/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests strings and other sparse models on one rank: equality with the dense models, energies, rest, refinement,
 * Newton's counts. */
#include "sim/step/friction_solver.h"
#include "tests/sim/friction/string.h"

enum { D_MAX = 1000 };

typedef struct Seen {
  long n;
  int d;
  double moved;      /* largest |x - previous x| after the time `quiet` */
  double quiet;      /* time from which the string must not move, s */
  double closure;    /* largest |work - stored - dissipated - numerical| */
  double scale;      /* largest of these energies */
  double least_loss; /* smallest increase of the dissipated energy in a step */
  double dissipated;
  double worst_lambda;
  double x[D_MAX];
} Seen;

static void see(void *context, const SimStep *step) {
  Seen *s = context;
  const SimEnergy *e = step->energy;
  s->n = step->n;
  s->closure = fmax(s->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
  s->scale = fmax(s->scale, fmax(fabs(e->work), fmax(fabs(e->stored), fabs(e->dissipated))));
  s->least_loss = fmin(s->least_loss, e->dissipated - s->dissipated);
  s->dissipated = e->dissipated;
  for (int i = 0; i < s->d; i++) {
    if (step->t > s->quiet) s->moved = fmax(s->moved, fabs(step->x[i] - s->x[i]));
    s->worst_lambda = fmax(s->worst_lambda, fabs(step->lambda[i]));
    s->x[i] = step->x[i];
  }
}

static SimFinal run(const StringCase *c, double u, Seen *seen, double *x, double *v) {
  SimProblem p;
  SimWorkspace *work;
  StringLoad load;
  SimFinal final = {.x = x, .v = v};
  string_problem(&p, c, NULL, 0, c->d, &load);
  SimModel *model = string_model(&p, &work);
  const SimObserver observer = {.context = seen, .step = see};
  if (seen) seen->d = c->d;
  assert_int_equal(stiction_rollout(model, work, &u, seen ? &observer : NULL, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return final;
}

enum { D_DENSE = 50 };

/* Runs a case with both storages to T. Returns the largest difference of x and v. */
static double difference_from_dense(const StringCase *c, const char *start, double theta) {
  double x[2][D_DENSE], v[2][D_DENSE], worst = 0;
  const double u = 0.7;
  SimFinal a = {.x = x[0], .v = v[0]}, b = {.x = x[1], .v = v[1]};
  SimProblem p, dense;
  StringLoad load;
  SimWorkspace *work, *dense_work;
  SimModel *model, *dense_model;
  string_problem(&p, c, NULL, 0, c->d, &load);
  sim_problem_choose(&p, "start", start);
  sim_problem_set(&p, "theta", theta);
  model = string_model(&p, &work);
  string_dense(&dense, &p);
  assert_int_equal(sim_problem_alloc_force(&dense), SIM_OK);
  for (long n = 0; n <= dense.steps; n++) string_force(&load, sim_force_time(&dense, n), dense.force + n * c->d);
  assert_int_equal(stiction_problem_finalize(&dense, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&dense, NULL, &dense_model), SIM_OK);
  assert_int_equal(stiction_workspace_create(dense_model, &dense_work), SIM_OK);
  assert_int_equal(stiction_rollout(model, work, &u, NULL, &a), SIM_OK);
  assert_int_equal(stiction_rollout(dense_model, dense_work, &u, NULL, &b), SIM_OK);
  assert_true(c->solver == SIM_EXACT || a.iterations == b.iterations);
  for (int i = 0; i < c->d; i++) worst = fmax(worst, fmax(fabs(x[0][i] - x[1][i]), fabs(v[0][i] - v[1][i])));
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  stiction_workspace_destroy(dense_work);
  stiction_model_destroy(dense_model);
  sim_problem_clear(&dense);
  return worst;
}

/* Compares moreau and centered with all multipliers, solvers and Stribeck's laws. Tension and density are not uniform,
 * and there are damping, a force and a control. */
static void equals_dense_model(void **state) {
  (void)state;
  static const struct {
    const char *scheme;
    SimMultiplier multiplier;
    SimSolver solver;
    const char *start;
    double theta, damping;
    SimStribeck stribeck;
  } all[] = {{"moreau", SIM_UNREGULARIZED, SIM_EXACT, "consistent", 0.5, 0, SIM_STRIBECK_NONE},
             {"moreau", SIM_UNREGULARIZED, SIM_EXACT, "consistent", 0.8, 0.1, SIM_STRIBECK_NONE},
             {"moreau", SIM_UNREGULARIZED, SIM_FIXED_POINT, "consistent", 0.5, 0, SIM_STRIBECK_NONE},
             {"centered", SIM_UNREGULARIZED, SIM_EXACT, "consistent", 0.5, 0, SIM_STRIBECK_NONE},
             {"centered", SIM_UNREGULARIZED, SIM_EXACT, "paper", 0.5, 0.1, SIM_STRIBECK_NONE},
             {"centered", SIM_UNREGULARIZED, SIM_FIXED_POINT, "consistent", 0.5, 0, SIM_STRIBECK_NONE},
             {"centered", SIM_REGULARIZED, SIM_EXACT, "consistent", 0.5, 0.1, SIM_STRIBECK_NONE},
             {"centered", SIM_REGULARIZED, SIM_FIXED_POINT, "consistent", 0.5, 0, SIM_STRIBECK_NONE},
             {"moreau", SIM_UNREGULARIZED, SIM_EXACT, "consistent", 0.5, 0, SIM_STRIBECK_SQRT},
             {"moreau", SIM_UNREGULARIZED, SIM_EXACT, "consistent", 0.8, 0.1, SIM_STRIBECK_RAMP},
             {"moreau", SIM_UNREGULARIZED, SIM_EXACT, "consistent", 0.5, 0, SIM_STRIBECK_EXPONENTIAL},
             {"centered", SIM_UNREGULARIZED, SIM_EXACT, "consistent", 0.5, 0.1, SIM_STRIBECK_SQRT},
             {"centered", SIM_REGULARIZED, SIM_EXACT, "consistent", 0.5, 0, SIM_STRIBECK_RAMP}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    StringCase c = {.d = D_DENSE,
                    .end = 1,
                    .steps = 200,
                    .scheme = all[k].scheme,
                    .multiplier = all[k].multiplier,
                    .solver = all[k].solver,
                    .friction = 0.3,
                    .pluck = 0.2,
                    .force = 0.5,
                    .uneven = true,
                    .damping = all[k].damping,
                    .stribeck = all[k].stribeck};
    assert_true(difference_from_dense(&c, all[k].start, all[k].theta) < (c.stribeck ? 1e-12 : 1e-11));
  }
}

static void energy_closes(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered"};
  static Seen seen;
  static double x[1000], v[1000];
  for (int k = 0; k < 4; k++) {
    StringCase c = {.d = 1000,
                    .end = 2,
                    .steps = 500,
                    .scheme = schemes[k % 2],
                    .friction = 0.3,
                    .pluck = 0.2,
                    .force = 0.5,
                    .uneven = true,
                    .damping = k >= 2 ? 0.05 : 0};
    seen = (Seen){.quiet = INFINITY};
    run(&c, 0.5, &seen, x, v);
    assert_true(seen.scale > 0.01);
    assert_true(seen.closure <= 1e-10 * seen.scale);
    assert_true(seen.least_loss >= 0);
    assert_true(seen.worst_lambda <= 1);
  }
}

/* Long after the string has stopped, which is not at its straight line, it does not move by one bit. */
static void plucked_string_comes_to_rest(void **state) {
  (void)state;
  static Seen seen;
  static double x[500], v[500];
  StringCase c = {.d = 500, .end = 10, .steps = 2000, .scheme = "moreau", .friction = 0.5, .pluck = 0.2};
  seen = (Seen){.quiet = 4};
  run(&c, 0, &seen, x, v);
  assert_true(seen.moved == 0);
  assert_true(fabs(x[150]) > 1e-3);
  for (int i = 0; i < c.d; i++) assert_true(v[i] == 0);
}

/* Returns the distance ||x - x'||_2 of two strings over the nodes of the coarser one, of d nodes. These are every
 * (d'+1)/(d+1)-th node of the finer one, of d' nodes. */
static double distance(int d, const double *x, int fine, const double *y) {
  int stride = (fine + 1) / (d + 1);
  double sum = 0;
  for (int i = 0; i < d; i++) sum += (x[i] - y[(i + 1) * stride - 1]) * (x[i] - y[(i + 1) * stride - 1]);
  return sqrt(sum / d);
}

/* Compares with a run that is 8 times finer: in d at one dt, in dt at one d, and in both. The motion of a front is at
 * most of first order. */
static void refinement_converges(void **state) {
  (void)state;
  static double x[4][1023], v[1023];
  static const int halving[3][2] = {{1, 0}, {0, 1}, {1, 1}}; /* whether h and dt are halved */
  for (int k = 0; k < 3; k++) {
    int d[4];
    for (int level = 0; level < 4; level++) {
      int nodes = 128 << (halving[k][0] * level);
      StringCase c = {.d = nodes - 1, .end = 0.8, .scheme = "moreau", .friction = 0.3, .force = 2};
      c.steps = 100L << (halving[k][1] * level);
      d[level] = c.d;
      run(&c, 0, NULL, x[level], v);
    }
    double coarse = distance(d[0], x[0], d[3], x[3]), middle = distance(d[1], x[1], d[3], x[3]);
    double fine = distance(d[2], x[2], d[3], x[3]);
    assert_true(coarse < 1e-2);
    assert_true(middle < 0.6 * coarse);
    assert_true(fine < 0.6 * middle);
  }
}

/* The fronts between parts that slip and stick move five nodes per step, however fine the string is. The number of
 * Newton steps does not grow. */
static void newton_steps_do_not_grow(void **state) {
  (void)state;
  static double x[16000], v[16000];
  double least = INFINITY, most = 0;
  for (int d = 1000; d <= 16000; d *= 4) {
    StringCase c = {.d = d - 1, .end = 0.25, .steps = d / 20, .scheme = "moreau", .friction = 0.3, .pluck = 0.2};
    double count = (double)run(&c, 0, NULL, x, v).iterations / (double)c.steps;
    least = fmin(least, count);
    most = fmax(most, count);
  }
  assert_true(most <= 3);
  assert_true(most <= 1.5 * least);
}

/* The number of Newton steps does not grow with the number of nodes that a wave passes in a step, either. */
static void newton_steps_do_not_grow_with_the_step(void **state) {
  (void)state;
  static const double thetas[] = {0.5, 0.6, 1};
  static double x[1000], v[1000];
  for (int nodes = 10; nodes <= 1000; nodes *= 10)
    for (int k = 0; k < 3; k++) {
      StringCase c = {.d = 1000, .end = 0.02 * nodes, .steps = 20, .scheme = "moreau", .friction = 0.3, .pluck = 0.2};
      const double u = 20;
      SimFinal final = {.x = x, .v = v};
      SimProblem p;
      SimWorkspace *work;
      StringLoad load;
      string_problem(&p, &c, NULL, 0, c.d, &load);
      sim_problem_set(&p, "theta", thetas[k]);
      SimModel *model = string_model(&p, &work);
      assert_int_equal(stiction_rollout(model, work, &u, NULL, &final), SIM_OK);
      assert_true(final.iterations <= 3 * c.steps);
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      sim_problem_clear(&p);
    }
}

enum { D_STEP = 300 };

/* Adds springs of all strengths between the nodes; some repel, some are missing. Some nodes have no friction. */
static void tie_at_random(SimProblem *p, uint64_t *seed) {
  SimMatrix *a = &p->system.sparse.stiffness;
  double before = 0;
  for (int i = 0; i < p->count; i++) {
    double kind = fixture_random(seed), next = pow(10, 4 * fixture_random(seed)) * (kind > 0 ? 1 : -1);
    if (i == p->count - 1 || fabs(kind) < 0.02) next = 0;
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      a->value[k] = a->column[k] == i ? fabs(before) + fabs(next) : a->column[k] < i ? before : next;
    before = next;
    if (fabs(fixture_random(seed)) < 0.1) p->friction[i] = 0;
  }
}

static void solve_both_ways(const SimProblem *p, const FrictionSolver *solver, FrictionWork *space, const double *b,
                            long most) {
  double w[2][D_STEP] = {{0}}, lambda[2][D_STEP] = {{0}};
  signed char slip[2][D_STEP] = {{0}};
  StepTally tally = {0};
  friction_forget(space);
  assert_int_equal(friction_solve(solver, space, b, NULL, w[0], lambda[0], slip[0], &tally), SIM_OK);
  assert_true(tally.iterations <= most);
  const SparseStep step = {.b = b, .w = w[1], .lambda = lambda[1], .slip = slip[1]};
  assert_int_equal(friction_descend(&solver->law, space, space->solver[0], &step, &tally), SIM_OK);
  int slipping = 0;
  for (int i = 0; i < p->d; i++) {
    assert_true(fabs(w[0][i] - w[1][i]) <= 1e-12);
    assert_true(fabs(lambda[0][i] - lambda[1][i]) <= 1e-9);
    assert_true(!(p->friction[i] > 0) || (slip[0][i] * w[0][i] >= 0 && (slip[0][i] || w[0][i] == 0)));
    assert_true(fabs(lambda[0][i]) <= 1);
    slipping += slip[0][i] != 0;
  }
  assert_true(slipping < p->d);
}

/* Without an initial guess, for loads of all sizes, a few Newton steps find the same solution as the descent alone,
 * which only decreases phi. */
static void descent_finds_the_same(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < 60; k++) {
    StringCase c = {.d = D_STEP, .end = 1, .steps = 20, .scheme = "moreau", .friction = 0.3, .uneven = true};
    SimProblem p;
    StringLoad load;
    Operator *matrix;
    FrictionWork space = {0};
    double b[D_STEP];
    string_problem(&p, &c, NULL, 0, c.d, &load);
    for (int i = 0; i < c.d; i++) b[i] = p.step * p.friction[i] * (3 * sin(0.01 * k * i) + fixture_random(&seed));
    if (k % 3) tie_at_random(&p, &seed);
    const OperatorSum sum = {.term = {{OPERATOR_MASS, 1}, {OPERATOR_STIFFNESS, p.step * p.step / 4}}};
    assert_int_equal(operator_create(&p, sum, &matrix), SIM_OK);
    FrictionSolver solver = {.law = {.friction = p.friction, .threshold = p.step, .fresh = 1}, .kind = SIM_EXACT};
    assert_int_equal(friction_solver_init(&solver, matrix), SIM_OK);
    assert_int_equal(friction_work_init(&space, 1, (const FrictionSolver *const[]){&solver}), SIM_OK);
    solve_both_ways(&p, &solver, &space, b, 4);
    friction_work_clear(&space);
    friction_solver_clear(&solver);
    operator_destroy(matrix);
    sim_problem_clear(&p);
  }
}

typedef struct Mistake {
  const char *key, *text; /* key of the expected error, and the beginning of its text */
  int what;
} Mistake;

static int mistakes;
static void count_mistake(void *context, const char *key, const char *text) {
  const Mistake *expected = context;
  mistakes++;
  assert_string_equal(key, expected->key);
  if (strncmp(text, expected->text, strlen(expected->text)) != 0) fail_msg("\"%s\"", text);
}

static void bad_matrices_are_reported(void **state) {
  (void)state;
  static Mistake bad[] = {{"model.mass", "row 4 is not diagonally dominant", 0},
                          {"model.stiffness", "not symmetric: entry (2,3) is -22, entry (3,2) is -11", 1},
                          {"model.stiffness", "row 2: column 11 out of range or order", 2},
                          {"model.stiffness", "entry (2,3) is not finite", 3},
                          {"model.friction", "entry 3 is -1 (expected ", 4},
                          {"model.stribeck.epsilon", "entry 4 is 0 (expected ", 5},
                          {"model.mass", "row 10 is not diagonally dominant", 6},
                          {"model.stiffness", "not positive semi-definite: entry (10,10) is -", 7},
                          {"model.friction", "entry 3 is not finite", 8}};
  StringCase c = {.d = 10, .end = 1, .steps = 10, .scheme = "moreau"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    SimProblem p;
    SimBounds bounds;
    StringLoad load;
    SimReport report = {&bad[k], count_mistake};
    string_problem(&p, &c, NULL, 0, c.d, &load);
    if (bad[k].what == 0) p.system.sparse.mass.value[3] = -1;
    if (bad[k].what == 1) p.system.sparse.stiffness.value[4] *= 2;
    if (bad[k].what == 2) p.system.sparse.stiffness.column[4] = 10;
    if (bad[k].what == 3) p.system.sparse.stiffness.value[4] = NAN;
    if (bad[k].what == 4) p.friction[2] = -1;
    if (bad[k].what == 5) p.system.stribeck = SIM_STRIBECK_SQRT, p.system.stribeck_epsilon[3] = 0;
    if (bad[k].what == 6) p.system.sparse.mass.value[9] = -1;
    if (bad[k].what == 7) p.system.sparse.stiffness.value[p.system.sparse.stiffness.start[10] - 1] *= -1;
    if (bad[k].what == 8) p.friction[2] = NAN;
    mistakes = 0;
    assert_int_equal(sim_problem_check(&p, &report, &bounds), SIM_BAD_PROBLEM);
    assert_int_equal(mistakes, 1);
    sim_problem_clear(&p);
  }
}

static void not_finite_is_reported(void **state) {
  (void)state;
  double x[10], v[10], u = INFINITY;
  SimFinal final = {.x = x, .v = v};
  for (int d = 1; d <= 10; d += 9) {
    StringCase c = {.d = d, .end = 1, .steps = 10, .scheme = "moreau", .friction = 1};
    SimProblem p;
    SimWorkspace *work;
    StringLoad load;
    string_problem(&p, &c, NULL, 0, c.d, &load);
    SimModel *model = string_model(&p, &work);
    assert_int_equal(stiction_rollout(model, work, &u, NULL, &final), SIM_NON_FINITE);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* A string of n nodes has at most 4 n entries, and takes at most 300 bytes per node and 4 MiB. */
static void memory_is_small(void **state) {
  (void)state;
  for (int d = 1000; d <= 10000000; d *= 100) assert_true(sim_sparse_memory(d, 4L * d, 0) <= 300.0 * d + (4 << 20));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_small),
                                     cmocka_unit_test(equals_dense_model),
                                     cmocka_unit_test(energy_closes),
                                     cmocka_unit_test(refinement_converges),
                                     cmocka_unit_test(plucked_string_comes_to_rest),
                                     cmocka_unit_test(newton_steps_do_not_grow),
                                     cmocka_unit_test(newton_steps_do_not_grow_with_the_step),
                                     cmocka_unit_test(bad_matrices_are_reported),
                                     cmocka_unit_test(not_finite_is_reported),
                                     cmocka_unit_test(descent_finds_the_same)};
  cmocka_set_skip_filter(getenv("STICTION_SKIP")); /* some tests take too long under valgrind */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
