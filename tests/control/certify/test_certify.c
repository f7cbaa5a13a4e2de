/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests bounds on the distance between two motions, on which proofs of least effort are based. */
#include "control/certify/bound.h"
#include "sim/internal.h"
#include "tests/control/sqp/case.h"

enum { D = 3, N = 3 };

/* Random systems ----------------------------------------------------------------------------------------------- */

static double smooth_force(int i, double t) { return 3 * sin(2 * t + i) + exp(-t); }

/* Fills a symmetric positive definite matrix with smallest eigenvalue at least `least`. */
static void fill_matrix(uint64_t *seed, double size, double least, double *a) {
  double b[D * D];
  for (int i = 0; i < D * D; i++) b[i] = fixture_random(seed);
  for (int i = 0; i < D; i++)
    for (int j = 0; j < D; j++) {
      a[i * D + j] = i == j ? least : 0;
      for (int k = 0; k < D; k++) a[i * D + j] += size * b[i * D + k] * b[j * D + k];
    }
}

/* Computes the velocities w of oscillating surfaces. */
static void swung(void *context, double t, double *w) {
  (void)context;
  *w = sin(3 * t);
}

/* Computes thresholds of all rows in both directions of slip, which grow and shrink in time. */
static void pressed(void *context, double t, double *c) {
  (void)context;
  c[0] = 1 + 0.8 * sin(4 * t);
  c[1] = 2;
}

static void add_friction(SimProblem *p, int kind) {
  static const double speed[3] = {0, 0.5, 2}, friction[3] = {1, 1.2, 3};
  const SimLoad surface = {.at = swung}, thresholds = {.at = pressed};
  double where;
  long at;
  if (kind % 5 == 1) assert_int_equal(stiction_problem_set_surface(p, 1, &surface, 0, NULL, &where), SIM_OK);
  if (kind % 5 == 2) assert_int_equal(stiction_problem_set_friction_table(p, 3, 1, speed, friction, &at), SIM_OK);
  if (kind % 5 == 3) assert_int_equal(stiction_problem_set_thresholds(p, 1, &thresholds, 0, NULL, &where), SIM_OK);
}

/* Fills M, D, A, c, B, x0, v0 at random. Every third problem has no stiffness, and every other one has thresholds that
 * depend on the direction of slip. Some have moving surfaces, a table of friction over speed, or thresholds that vary
 * in time. */
static void fill_problem(SimProblem *p, uint64_t *seed, int kind, int entries, SimSignal signal, int segments) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, entries), SIM_OK);
  p->signal = signal;
  p->segments = segments;
  fill_matrix(seed, 1, 0.5, p->system.mass);
  if (kind % 3) fill_matrix(seed, 4, 0, p->system.stiffness);
  if (kind % 2) fill_matrix(seed, 0.3, 0, p->system.damping);
  for (int i = 0; i < D * D && kind % 4 == 3; i++) p->system.damping[i] += 0.8 * ((i / D < i % D) - (i / D > i % D));
  p->by_direction = kind % 2;
  for (int i = 0; i < D; i++) {
    p->friction[i] = kind % 4 ? 2 + 1.5 * fixture_random(seed) : 0;
    if (p->by_direction) p->friction_bias[i] = p->friction[i] * fixture_random(seed) / 2;
    p->x0[i] = fixture_random(seed);
    p->v0[i] = fixture_random(seed);
    for (int k = 0; k < entries; k++) p->control_matrix[i * entries + k] = fixture_random(seed);
  }
  fixture_time(p, 2 + fixture_random(seed), 100);
  fixture_scheme(p, "event");
  sim_problem_set(p, "tolerance", 1e-13);
  if (segments > 1 || entries > 1) add_friction(p, kind);
}

/* Sets random targets for some entries of x(T) and v(T). All of these must be met exactly. */
static void fill_control(CtlProblem *c, const SimProblem *p, uint64_t *seed) {
  assert_int_equal(ctl_problem_init_signal(c, p->n_control, p->signal, p->segments, D), SIM_OK);
  c->end = p->end;
  c->accept = 1e-13;
  for (int i = 0; i < D; i++) {
    if (i == 0 || fixture_random(seed) > 0) c->position[i] = 0;
    if (fixture_random(seed) > 0) c->velocity[i] = 0;
  }
  for (int i = 0; i < c->p; i++) c->weight[i * c->p + i] = 1 + 0.5 * fixture_random(seed);
  if (c->p > 1) c->weight[1] = c->weight[c->p] = 0.2;
}

/* Simulates two controls, the second near the first or far from it, and checks the quadratic forms (5) of
 * control/certify/README.md, which bound the distance of two motions. Returns whether they also hold with the final
 * states exchanged. */
static bool compare(const CtlBound *bound, const SimModel *model, SimWorkspace *work, int n, uint64_t *seed) {
  double u[2][4], x[2][D], v[2][D], apart = pow(10, fixture_random(seed));
  for (int k = 0; k < n; k++) {
    u[0][k] = 6 * fixture_random(seed);
    u[1][k] = u[0][k] + apart * fixture_random(seed);
  }
  for (int k = 0; k < 2; k++) {
    SimFinal final = {.x = x[k], .v = v[k]};
    assert_int_equal(stiction_rollout(model, work, u[k], NULL, &final), SIM_OK);
  }
  assert_true(ctl_bound_holds(bound, (const double *[]){u[0], u[1]}, (const double *[]){x[0], x[1]},
                              (const double *[]){v[0], v[1]}));
  return ctl_bound_holds(bound, (const double *[]){u[0], u[1]}, (const double *[]){x[1], x[0]},
                         (const double *[]){v[1], v[0]});
}

/* Any two motions satisfy all quadratic forms (5) of control/certify/README.md. With the final states exchanged they
 * are often violated, so they are not trivial. */
static void test_motions_stay_together(void **state) {
  static const struct {
    int entries;
    SimSignal signal;
    int segments;
  } of[] = {{1, SIM_CONSTANT, 1}, {3, SIM_CONSTANT, 1}, {2, SIM_PIECEWISE_CONSTANT, 2}, {1, SIM_PIECEWISE_LINEAR, 3}};
  enum { KINDS = sizeof of / sizeof *of, SYSTEMS = 24, PAIRS = 40 };
  int exchanged[KINDS] = {0};
  uint64_t seed = 1;
  (void)state;
  for (int s = 0; s < SYSTEMS * KINDS; s++) {
    int kind = s % KINDS;
    SimProblem p;
    CtlProblem c;
    CtlBound *bound;
    SimWorkspace *work;
    fill_problem(&p, &seed, s / KINDS, of[kind].entries, of[kind].signal, of[kind].segments);
    fill_control(&c, &p, &seed);
    SimModel *model = fixture_model(&p, smooth_force, &work);
    assert_int_equal(ctl_bound_create(&c, &p, 100, &bound), SIM_OK);
    for (int pair = 0; pair < PAIRS; pair++) exchanged[kind] += compare(bound, model, work, c.n, &seed);
    ctl_bound_destroy(bound);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    ctl_problem_clear(&c);
    sim_problem_clear(&p);
  }
  /* of twice this number of exchanged pairs, in the first two kinds, at most a half may satisfy the forms */
  assert_in_range(exchanged[0] + exchanged[1], 0, SYSTEMS * PAIRS);
}

/* Without stiffness, the possible final states of two motions lie between two cycloids, (4) of
 * control/certify/README.md. The fastest paths end on them. States on the cycloids are accepted, and states somewhat
 * outside are not. */
static void test_fastest_paths(void **state) {
  enum { ENDS = 100 };
  const double u[2] = {1, 3}, T = 2, R = T * T / 2 * (u[1] - u[0]), none[2] = {0, 0};
  SimProblem p;
  CtlProblem c;
  CtlBound *bound;
  (void)state;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 1), SIM_OK);
  p.system.mass[0] = p.system.mass[3] = 1;
  p.control_matrix[0] = 1;
  p.control_matrix[1] = 0;
  fixture_time(&p, T, 100);
  fixture_scheme(&p, "event");
  assert_int_equal(ctl_problem_init(&c, 1, 2), SIM_OK);
  c.end = T;
  c.accept = 1e-13;
  c.position[0] = c.position[1] = 0;
  assert_int_equal(ctl_bound_create(&c, &p, 100, &bound), SIM_OK);
  for (int k = 1; k <= ENDS; k++) {
    double angle = 2 * FIXTURE_PI * k / ENDS, half = angle * angle / 2;
    for (int further = 0; further < 2; further++) {
      double size = R / half * (further ? 1.15 : 1 - 1e-9);
      const double end[2] = {size * (1 - cos(angle)), size * (angle - sin(angle))};
      bool holds = ctl_bound_holds(bound, (const double *[]){u, u + 1}, (const double *[]){none, end},
                                   (const double *[]){none, none});
      assert_int_equal(holds, !further);
    }
  }
  ctl_bound_destroy(bound);
  ctl_problem_clear(&c);
  sim_problem_clear(&p);
}

/* Computes the velocity of a surface that becomes faster. */
static void drawn(void *context, double t, double *w) {
  (void)context;
  *w = 1e4 * t;
}

/* Computes friction that has a minimum between two points of its table, the speeds 0 and 0.1, and is larger at both. */
static double dips(void *context, int i, double speed, double *slope) {
  (void)context;
  (void)i;
  *slope = -16 + 400 * speed;
  return 1 - 16 * speed + 200 * speed * speed;
}

static double rises(void *context, int i, double speed, double *slope) {
  (void)context;
  (void)i;
  *slope = 2 * speed;
  return 1 + speed * speed;
}

static void test_laws_of_ones_own(void **state) {
  double (*const laws[])(void *, int, double, double *) = {rises, dips};
  (void)state;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    CtlProblem c;
    double where;
    const SimFrictionLaw law = {.force = laws[k]};
    fixture_paper(&p, 1, "event", SIM_UNREGULARIZED, 1);
    assert_int_equal(stiction_problem_set_friction_law(&p, 1, &law, 1.6, &where), SIM_OK);
    assert_int_equal(ctl_problem_init(&c, N, D), SIM_OK);
    c.end = p.end;
    c.position[0] = 2;
    assert_int_equal(ctl_certify_check(&c, &p, NULL), k);
    ctl_problem_clear(&c);
    sim_problem_clear(&p);
  }
}

/* Checks that motions with a coarse tolerance have at most the stated error. */
static void check_errors(bool surface) {
  static const double control[N] = {12, -7, -9.5};
  double x[2][D], v[2][D], errors[2 * D];
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    CtlProblem c;
    CtlBound *bound;
    SimWorkspace *work;
    fixture_paper(&p, 1, "event", SIM_UNREGULARIZED, 1);
    sim_problem_set(&p, "tolerance", k ? 1e-13 : 1e-7);
    const SimLoad velocity = {.at = drawn};
    double where;
    if (surface) assert_int_equal(stiction_problem_set_surface(&p, 1, &velocity, 0, NULL, &where), SIM_OK);
    SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
    assert_int_equal(ctl_problem_init(&c, N, D), SIM_OK);
    c.end = p.end;
    c.position[0] = 2;
    SimFinal final = {.x = x[k], .v = v[k]};
    assert_int_equal(stiction_rollout(model, work, control, NULL, &final), SIM_OK);
    assert_int_equal(ctl_bound_create(&c, &p, 2000, &bound), SIM_OK);
    if (k == 0) memcpy(errors, ctl_bound_errors(bound), sizeof errors);
    ctl_bound_destroy(bound);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    ctl_problem_clear(&c);
    sim_problem_clear(&p);
  }
  for (int i = 0; i < D; i++) {
    assert_true(fabs(x[0][i] - x[1][i]) <= errors[i]);
    assert_true(fabs(v[0][i] - v[1][i]) <= errors[D + i]);
  }
}

static void test_errors(void **state) {
  (void)state;
  check_errors(false);
  check_errors(true);
}

/* Returns twice bound_depth() for a miss of 1 with tolerance 0. The depth is the least effect of the first mass's
 * velocity, whatever the others do: half of m'S m, S = det M / det M_ff. M = R'R with a last pivot that makes S a small
 * difference of large terms. exact: S computed with more digits. */
static double depth_of_one(uint64_t *seed, double pivot, double *stored, double *exact) {
  double r[D][D] = {{0}}, slope[BOUND_N], miss[2 * D] = {0};
  SimProblem p;
  CtlProblem c;
  CtlBound *bound;
  for (int i = 0; i < D; i++)
    for (int j = i; j < D; j++) r[i][j] = i == j ? (i == D - 1 ? pivot : 1) : fixture_random(seed);
  fill_problem(&p, seed, 0, 1, SIM_CONSTANT, 1);
  for (int i = 0; i < D; i++)
    for (int j = 0; j < D; j++) {
      double sum = 0; /* the sum has the order in which the rows 1, 2 are free */
      for (int k = 0; k < D; k++) sum += r[k][(i + D - 1) % D] * r[k][(j + D - 1) % D];
      p.system.mass[i * D + j] = sum;
    }
  const double *M = p.system.mass;
  long double ff = (long double)M[4] * M[8] - (long double)M[5] * M[5];
  long double whole = M[0] * ff - M[1] * ((long double)M[1] * M[8] - (long double)M[5] * M[2]) +
                      M[2] * ((long double)M[1] * M[5] - (long double)M[4] * M[2]);
  assert_int_equal(ctl_problem_init(&c, 1, D), SIM_OK);
  c.end = p.end;
  c.velocity[0] = 0;
  assert_int_equal(ctl_bound_create(&c, &p, 100, &bound), SIM_OK);
  assert_int_equal(bound->m, 1);
  bound->off[0] = 0;
  miss[0] = 1;
  double depth = bound_depth(bound, &bound->forms[0], miss, slope);
  *stored = bound->forms[0].S[0];
  *exact = (double)(whole / ff);
  ctl_bound_destroy(bound);
  ctl_problem_clear(&c);
  sim_problem_clear(&p);
  return 2 * depth;
}

/* The bound subtracts the round-off error of a form, even if its terms cancel. If they do not, it subtracts no more
 * than round-off. */
static void test_round_off(void **state) {
  enum { TIMES = 300 };
  int above = 0;
  uint64_t seed = 3;
  (void)state;
  for (int k = 0; k < TIMES; k++) {
    double stored, exact, pivot = k % 3 ? 1e-6 : 1, depth = depth_of_one(&seed, pivot, &stored, &exact);
    above += stored > exact * (1 + 1e-9);
    assert_true(depth <= exact);
    if (pivot == 1) assert_true(depth >= exact * (1 - 1e-9));
  }
  assert_in_range(above, TIMES / 10, TIMES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_motions_stay_together), cmocka_unit_test(test_fastest_paths),
                                     cmocka_unit_test(test_errors), cmocka_unit_test(test_laws_of_ones_own),
                                     cmocka_unit_test(test_round_off)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
