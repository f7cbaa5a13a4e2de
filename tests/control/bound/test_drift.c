/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests bounds with a force that varies in time and that no control can compensate: its polynomials and their errors,
 * and that no bound exceeds J of a planted control. */
#include "control/bound.h"
#include "control/bound/cases.h"
#include "tests/fixture.h"

/* The force f on each degree of freedom: an oscillation, to which something is added from some time on. */
typedef struct Push {
  double size, pace, jump, from;
} Push;

static void push(void *context, double t, double *f) {
  const Push *is = context;
  for (int i = 0; i < 3; i++) f[i] = is->size * sin((1 + 0.3 * i) * is->pace * t) + (t >= is->from ? is->jump : 0);
}

/* Makes 2 or 3 blocks with springs between them, of which u pushes only the first, and a control. The final state of
 * its motion is the target. Returns J of the control. */
static double plant(uint64_t *seed, int kind, Push *load, SimProblem *p, CtlProblem *c, double x[3], double v[3]) {
  enum { SEGMENTS = 4 };
  int d = 2 + kind % 2;
  double u[SEGMENTS], where;
  SimModel *model;
  SimWorkspace *work;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  p->signal = SIM_PIECEWISE_LINEAR;
  p->segments = SEGMENTS;
  fixture_time(p, 2 + 0.5 * fixture_random(seed), 100);
  fixture_scheme(p, "event");
  for (int i = 0; i < d; i++) {
    p->system.mass[i * d + i] = 1.5 + fixture_random(seed);
    p->friction[i] = 1 + 0.9 * fixture_random(seed);
    if (kind % 3 == 0) p->v0[i] = fixture_random(seed);
    p->system.stiffness[i * d + i] = i % (d - 1) ? 6 : 3;
    if (i) p->system.stiffness[i * d + i - 1] = p->system.stiffness[(i - 1) * d + i] = -3;
    p->control_matrix[i] = i == 0;
  }
  *load = (Push){.size = 2 * fixture_random(seed), .pace = 2 + fixture_random(seed), .from = p->end * 0.37};
  if (kind % 4 == 2) load->jump = 2;
  assert_int_equal(ctl_problem_init_signal(c, 1, p->signal, SEGMENTS, d), SIM_OK);
  c->end = p->end;
  for (int k = 0; k < SEGMENTS; k++) u[k] = 6 * fixture_random(seed);
  assert_int_equal(stiction_problem_finalize(p, NULL), SIM_OK);
  const SimLoad force = {.context = load, .at = push};
  const double times[] = {load->from};
  assert_int_equal(stiction_problem_set_pieces(p, &force, load->jump > 0, times, &where), SIM_OK);
  assert_int_equal(stiction_model_create(p, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_rollout(model, work, u, NULL, &final), SIM_OK);
  for (int i = 0; i < d; i++) {
    c->position[i] = x[i];
    c->velocity[i] = v[i];
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return ctl_cost(c, u);
}

static void clear(SimProblem *p, CtlProblem *c) {
  sim_problem_clear(p);
  ctl_problem_clear(c);
}

static void test_planted(void **state) {
  enum { PROBLEMS = 6 };
  uint64_t seed = 3;
  int near = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    Push load;
    SimProblem p;
    CtlProblem c;
    CtlLowerBound bound;
    double x[3], v[3], J = plant(&seed, k, &load, &p, &c, x, v);
    const CtlLowerBoundOptions options = {.effort = 1.5 * J, .x = x, .v = v, .intervals = 4};
    assert_int_equal(ctl_lower_bound(&c, &p, &options, &bound), SIM_OK);
    if (!(bound.J <= J * (1 + 1e-9) && bound.known <= J * (1 + 1e-9)))
      fail_msg("problem %d: %.17g, %.17g of %.17g", k, bound.J, bound.known, J);
    near += bound.J > 0.5 * J;
    clear(&p, &c);
  }
  assert_in_range(near, PROBLEMS / 4, PROBLEMS);
}

/* A bound by branch and bound does not exceed the planted J: each motion belongs to one of the halves of a case, so the
 * planted motion does, too. */
static void test_cases(void **state) {
  uint64_t seed = 11;
  Push load;
  SimProblem p;
  CtlProblem c;
  BoundSetting setting;
  BoundSolved solved;
  double x[3], v[3], J = plant(&seed, 0, &load, &p, &c, x, v), least = INFINITY, most = 0;
  const CtlLowerBoundOptions options = {.effort = 1.5 * J, .intervals = 4};
  BoundCase whole = {.cuts = 0};
  (void)state;
  assert_int_equal(bound_setting_create(&c, &p, &options, &setting), SIM_OK);
  assert_int_equal(bound_case_solve(&setting, 2, NULL, &whole, &solved), SIM_OK);
  assert_true(whole.next.interval > 0);
  for (int upper = 0; upper < 2; upper++) {
    BoundCase half = {.cuts = 1, .cut = {whole.next}};
    *(upper ? &half.cut[0].upper : &half.cut[0].lower) = upper ? 1 : -1;
    assert_int_equal(bound_case_solve(&setting, 2, NULL, &half, &solved), SIM_OK);
    assert_true(half.J >= whole.J * (1 - 1e-3));
    least = fmin(least, half.J);
    most = fmax(most, half.J);
  }
  assert_true(least <= J && most > 1.002 * whole.J);
  bound_setting_clear(&setting);
  clear(&p, &c);
}

/* Cells, patterns and pairs (forms of V, control/bound/README.md) are refused with such a force. So is a mass matrix
 * that cannot be inverted accurately enough. */
static void test_refused(void **state) {
  uint64_t seed = 1;
  Push load;
  SimProblem p;
  CtlProblem c;
  CtlLowerBound bound;
  double x[3], v[3], J = plant(&seed, 1, &load, &p, &c, x, v);
  (void)state;
  const CtlLowerBoundOptions with[] = {{.effort = J, .intervals = 3, .knots = 2},
                                       {.effort = J, .intervals = 3, .patterns = true},
                                       {.effort = J, .intervals = 3, .pairs = true}};
  for (size_t k = 0; k < sizeof with / sizeof *with; k++)
    assert_int_equal(ctl_lower_bound(&c, &p, &with[k], &bound), SIM_BAD_PROBLEM);
  clear(&p, &c);
}

/* At random times the force a(t) differs by at most `rest`, the stated error, from its polynomial. `rest` is small
 * except where f jumps. */
static void test_polynomials(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int kind = 0; kind < 8; kind++) {
    Push load;
    SimProblem p;
    CtlProblem c;
    BoundSetting setting;
    double x[3], v[3], J = plant(&seed, kind, &load, &p, &c, x, v), f[3];
    const CtlLowerBoundOptions options = {.effort = J, .intervals = 3};
    assert_int_equal(bound_setting_create(&c, &p, &options, &setting), SIM_OK);
    const BoundDrift *drift = &setting.drift;
    const BoundMesh *mesh = &setting.mesh;
    const int Q = mesh->forced;
    assert_int_equal(drift->parts, p.d);
    assert_true(drift->left <= 1e-6 * drift->whole && mesh->intervals < 30);
    for (int tries = 0; tries < 500; tries++) {
      double part = (1 + fixture_random(&seed)) / 2;
      int k = tries % mesh->intervals, i = tries % p.d;
      double t = mesh->time[k] + part * (mesh->time[k + 1] - mesh->time[k]), sum = 0;
      for (int l = 0; l <= Q; l++)
        sum +=
            drift->a[(k * drift->parts + i) * (Q + 1) + l] * bound_binomial(Q, l) * pow(part, l) * pow(1 - part, Q - l);
      push(&load, t * p.end, f);
      assert_true(fabs(sum - f[i] / p.system.mass[i * p.d + i]) <= drift->rest[k * drift->parts + i] + 1e-9);
    }
    bound_setting_clear(&setting);
    clear(&p, &c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_planted),
                                     cmocka_unit_test(test_refused), cmocka_unit_test(test_polynomials)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
