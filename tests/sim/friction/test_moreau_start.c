/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the state of the scheme moreau at t = 0: friction and stops hold or release dofs at rest as `event` does, where
 * dofs act on each other by M, by D or by a jump of dofs without mass, with stops, moving surfaces, and any storage. */
#include "tests/fixture.h"

enum { D = 4, STEPS = 20 };
static const double STEP = 1e-6;
static const double APART = 1e-2; /* dofs with |lambda| so near 1 are not compared */

/* Parts of a problem, one bit each. */
enum { DAMPED = 1, ENDS = 2, MOVED = 4, SPARSE = 8, MASSLESS = 16, CASES = 32 };

typedef struct Start {
  double x[D], v[D], lambda[D], reaction[D];
  int slip[D];
} Start;

static void see(void *context, const SimStep *step) {
  Start *start = context;
  if (step->n > 0) return;
  for (int i = 0; i < D; i++) {
    start->x[i] = step->x[i];
    start->v[i] = step->v[i];
    start->lambda[i] = step->lambda[i];
    start->reaction[i] = step->reaction ? step->reaction[i] : 0;
    start->slip[i] = step->slip[i];
  }
}

/* Makes a tridiagonal positive definite matrix; its last row and column are 0 without mass. */
static void make_matrix(double size, double coupling, bool massless, uint64_t *seed, double *matrix) {
  memset(matrix, 0, D * D * sizeof *matrix);
  for (int i = 0; i < D; i++) {
    if (massless && i == D - 1) continue;
    matrix[i * D + i] += size * (1 + 0.5 * fixture_random(seed));
    if (i == 0) continue;
    double between = size * coupling * fixture_random(seed);
    matrix[i * D + i] += fabs(between);
    matrix[(i - 1) * D + i - 1] += fabs(between);
    matrix[i * D + i - 1] = matrix[(i - 1) * D + i] = between;
  }
}

static void sparse_of(const double *entries, SimMatrix *matrix) {
  assert_int_equal(sim_matrix_alloc(matrix, D, D * D), SIM_OK);
  int n = 0;
  for (int i = 0; i < D; i++) {
    for (int j = 0; j < D; j++) {
      if (entries[i * D + j] == 0) continue;
      matrix->column[n] = j;
      matrix->value[n++] = entries[i * D + j];
    }
    matrix->start[i + 1] = n;
  }
}

static double surface(int i, double t) {
  (void)i;
  return 0.3 + 0 * t;
}

static void fill_surface(SimProblem *p, bool light) {
  FixtureSource source = {surface, 1};
  const SimLoad load = {.at = fixture_force_at, .context = &source};
  double where;
  assert_int_equal(stiction_problem_set_surface(p, 1, &load, 0, NULL, &where), SIM_OK);
  for (int i = 0; i < D; i++)
    if (p->v0[i] == 0 && !(light && i == D - 1)) p->v0[i] = surface(i, 0);
}

static void fill_stops(SimProblem *p) {
  p->stops.present = true;
  for (int i = 0; i < D; i++) {
    p->stops.lower[i] = p->stops.upper[i] = p->stops.stiffness[i] = NAN;
    p->stops.restitution[i] = 0;
  }
  p->stops.upper[1] = p->x0[1];
  p->stops.lower[2] = p->x0[2];
}

static void fill(SimProblem *p, int parts, uint64_t seed, double *u) {
  double mass[D * D], stiffness[D * D], damping[D * D];
  bool light = parts & MASSLESS;
  make_matrix(1, 0.9, light, &seed, mass);
  if (light) mass[(D - 1) * D + D - 2] = mass[(D - 2) * D + D - 1] = 0;
  make_matrix(20, 0.5, false, &seed, stiffness);
  make_matrix(3, 1, light, &seed, damping);
  if (light) damping[(D - 1) * D + D - 2] = damping[(D - 2) * D + D - 1] = 0;
  if (parts & SPARSE) {
    assert_int_equal(sim_problem_init_sparse(p, NULL, D, 0, D, D), SIM_OK);
    sparse_of(mass, &p->system.sparse.mass);
    sparse_of(stiffness, &p->system.sparse.stiffness);
    if (parts & DAMPED) sparse_of(damping, &p->system.sparse.damping);
  } else {
    assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, D), SIM_OK);
    memcpy(p->system.mass, mass, sizeof mass);
    memcpy(p->system.stiffness, stiffness, sizeof stiffness);
    if (parts & DAMPED) memcpy(p->system.damping, damping, sizeof damping);
  }
  for (int i = 0; i < D; i++) {
    p->friction[i] = 1 + 0.5 * fixture_random(&seed);
    p->x0[i] = 0.02 * fixture_random(&seed);
    double speed = fixture_random(&seed);
    p->v0[i] = speed > 0.3 && i != 1 && i != 2 && !(light && i == D - 1) ? speed : 0;
    u[i] = 3 * fixture_random(&seed);
  }
}

static Start start_of(const char *scheme, int parts, uint64_t seed) {
  SimProblem p;
  SimWorkspace *work;
  Start start;
  double x[D], v[D], u[D];
  fill(&p, parts, seed, u);
  fixture_time(&p, STEP * STEPS, STEPS);
  fixture_scheme(&p, scheme);
  if (parts & MOVED) fill_surface(&p, parts & MASSLESS);
  if (parts & ENDS) fill_stops(&p);
  const SimReport report = {NULL, fixture_complain};
  SimModel *model;
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_OK);
  if (!(parts & SPARSE)) {
    fixture_fill_force(&p, fixture_no_force);
  } else {
    static FixtureSource source = {fixture_no_force, D};
    assert_int_equal(stiction_problem_set_force(&p, fixture_force_at, &source), SIM_OK);
  }
  assert_int_equal(stiction_model_create(&p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  const SimObserver observer = {.context = &start, .step = see};
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_rollout(model, work, u, &observer, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return start;
}

static void moreau_starts_like_event(void **state) {
  (void)state;
  int stuck = 0, released = 0, pressed = 0;
  for (int trial = 0; trial < 20 * CASES; trial++) {
    int parts = trial % CASES;
    if (parts & MOVED && parts & ENDS) continue; /* refused */
    Start own = start_of("moreau", parts, 17u * (unsigned)trial),
          motion = start_of("event", parts, 17u * (unsigned)trial);
    double allowed = parts & MASSLESS ? 1e-4 : 1e-9;
    for (int i = 0; i < D; i++) {
      bool jumps = parts & MASSLESS && i == D - 1;
      if (!(fabs(own.lambda[i] - motion.lambda[i]) < allowed))
        fail_msg("trial %d, dof %d: lambda %g, not %g", trial, i, own.lambda[i], motion.lambda[i]);
      if (!(fabs(own.reaction[i] - motion.reaction[i]) < 10 * allowed))
        fail_msg("trial %d, dof %d: reaction %g, not %g", trial, i, own.reaction[i], motion.reaction[i]);
      pressed += own.reaction[i] != 0;
      if (jumps) continue;
      assert_true(own.x[i] == motion.x[i] && fabs(own.v[i] - motion.v[i]) < 1e-12);
      if (motion.slip[i] == 0 && fabs(motion.lambda[i]) > 1 - APART) continue;
      if (own.slip[i] != motion.slip[i])
        fail_msg("trial %d, dof %d: slip %d, not %d", trial, i, own.slip[i], motion.slip[i]);
      stuck += own.slip[i] == 0;
      released += own.slip[i] != 0 && own.v[i] == 0;
    }
  }
  print_message("%d stuck, %d released, %d pressed to a stop\n", stuck, released, pressed);
  assert_true(stuck > 100 && released > 100 && pressed > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moreau_starts_like_event)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
