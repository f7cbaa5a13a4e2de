/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests lower bounds of J over all controls (control/bound/README.md). They are close to known least efforts, and never
 * exceed J of a control that meets the target by `event`. R1 to R5 are the relaxations of the README. In R1 the
 * function V is one polynomial. In R2 it depends on the pattern of signs of the velocities, in R3 on cells of the
 * positions, and in R5 on pairs of neighbouring joints. */
#include "control/bound.h"
#include "control/bound/cases.h"
#include "control/bound/forms.h"
#include "control/bound/newton.h"
#include "control/bound/verify.h"
#include "tests/control/bound/problems.h"

static void test_block(void **state) {
  SimProblem p;
  CtlProblem c;
  (void)state;
  open_block(&p, &c);
  for (int kind = 0; kind < 4; kind++) {
    double before = 0;
    for (int intervals = 1; intervals <= 9; intervals *= 3) {
      const CtlLowerBoundOptions options = {
          .effort = 4, .intervals = intervals, .patterns = kind % 2, .knots = kind / 2 * 2};
      CtlLowerBound bound = bound_of(&c, &p, &options);
      assert_true(bound.J > before && bound.J <= BLOCK);
      before = bound.J;
      if (intervals > 1) continue;
      CtlLowerBound again = bound_of(&c, &p, &options);
      assert_memory_equal(&bound.J, &again.J, sizeof bound.J);
    }
    assert_true(before > BLOCK * (1 - 3e-3));
  }
  close_problem(&p, &c);
}

/* If T is longer than the motion needs, cells improve the bound most: from 41 % to at least 80 % of the known J. */
static void test_slack(void **state) {
  SimProblem p;
  CtlProblem c;
  (void)state;
  open_block(&p, &c);
  p.end = c.end = 10;
  const CtlLowerBoundOptions coarse = {.effort = 3.2693, .intervals = 6},
                             cells = {.effort = 3.2693, .intervals = 6, .knots = 3};
  assert_in_range((long)(1000 * bound_of(&c, &p, &coarse).J), 1100, 1400);
  assert_in_range((long)(1000 * bound_of(&c, &p, &cells).J), 2600, 3269);
  close_problem(&p, &c);
}

static void test_arm(void **state) {
  static const struct {
    CtlLowerBoundOptions options;
    double least;
  } of[] = {{{.effort = 70, .intervals = 10}, 58.95},
            {{.effort = 70, .intervals = 3, .patterns = true}, 57.5},
            {{.effort = 70, .intervals = 3, .knots = 3}, 57},
            {{.effort = 70, .intervals = 3, .patterns = true, .knots = 2}, 58},
            {{.effort = ARM, .gap = 0.1}, ARM * 0.9}};
  SimProblem p;
  CtlProblem c;
  (void)state;
  open_arm(&p, &c);
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    double J = bound_of(&c, &p, &of[k].options).J;
    if (!(J >= of[k].least && J <= ARM)) fail_msg("case %zu: %.17g", k, J);
  }
  close_problem(&p, &c);
}

/* Branch and bound over cases reaches a gap that neither R1 alone nor cells with few intervals reach. The cases are
 * counted. */
static void test_cases(void **state) {
  SimProblem p;
  CtlProblem c;
  (void)state;
  open_arm(&p, &c);
  const CtlLowerBoundOptions whole = {.effort = ARM, .intervals = 16}, near = {.effort = ARM, .gap = 0.03};
  double without = bound_of(&c, &p, &whole).J;
  CtlLowerBound bound = bound_of(&c, &p, &near), again = bound_of(&c, &p, &near);
  assert_true(without < 0.96 * ARM);
  assert_true(bound.J >= 0.97 * ARM && bound.J <= ARM && bound.cases > 1);
  assert_string_equal(bound.relaxation, "R1");
  assert_memory_equal(&bound.J, &again.J, sizeof bound.J);
  assert_int_equal(bound.cases, again.cases);
  close_problem(&p, &c);
}

/* Four blocks in a row, with springs between them and a force on each, are too many for patterns. So only pairs can
 * improve the bound, which is tested here. */
static void test_pairs(void **state) {
  (void)state;
  static const double mass[4] = {0.8, 2.6, 2.4, 1.1}, friction[4] = {2.2, 2.1, 2.8, 3.3},
                      to[4] = {-0.8, -0.9, 1.1, 0.1}, stiffness = 4;
  SimProblem p;
  CtlProblem c;
  double J[3];
  open_problem(&p, &c, 4, 2);
  for (int i = 0; i < 4; i++) {
    p.system.mass[5 * i] = mass[i];
    p.friction[i] = friction[i], c.position[i] = to[i], c.velocity[i] = 0;
    p.system.stiffness[5 * i] = stiffness * (i % 3 ? 2 : 1);
    if (i) p.system.stiffness[5 * i - 1] = p.system.stiffness[5 * i - 4] = -stiffness;
  }
  for (int pairs = 0; pairs < 2; pairs++)
    J[pairs] = bound_of(&c, &p, &(CtlLowerBoundOptions){.effort = 1e3, .intervals = 2, .pairs = pairs}).J;
  close_problem(&p, &c);
  assert_true(J[1] > 1.005 * J[0]);
  open_arm(&p, &c);
  for (int kind = 0; kind < 3; kind++)
    J[kind] = bound_of(&c, &p,
                       &(CtlLowerBoundOptions){.effort = 70, .intervals = 5, .pairs = kind == 1, .patterns = kind == 2})
                  .J;
  assert_true(J[1] > 1.01 * J[0] && J[1] < J[2] && J[2] < ARM); /* bounds of R1, of R1 with pairs, and of R2 */
  close_problem(&p, &c);
}

/* Controls planted at random ------------------------------------------------------------------------------------ */

static void swung(void *context, double t, double *f) {
  const double *size = context;
  for (int i = 0; i < 3; i++) f[i] = size[0] * sin((2 + i) * t) + size[1];
}

/* Fills a symmetric positive definite matrix with smallest eigenvalue at least `least`. */
static void fill_matrix(uint64_t *seed, int d, double size, double least, double *a) {
  double b[9];
  for (int i = 0; i < d * d; i++) b[i] = fixture_random(seed);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      a[i * d + j] = i == j ? least : 0;
      for (int k = 0; k < d; k++) a[i * d + j] += size * b[i * d + k] * b[j * d + k];
    }
}

/* Makes a system of 1 to 3 dofs and a control of it, [d][pieces]. The target is the final state x, v [d] of its motion,
 * with some entries left free. Returns J of the control. */
static double plant(uint64_t *seed, int kind, SimProblem *p, CtlProblem *c, double x[3], double v[3]) {
  enum { PIECES = 3 };
  int d = 1 + kind % 3, pieces = 1 + kind % PIECES;
  double u[3 * PIECES], size[2] = {kind % 20 == 1 ? 0.5 : 0, kind % 5 == 2 ? 1.5 : 0};
  const SimLoad load = {.context = size, .at = swung};
  SimModel *model;
  SimWorkspace *work;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, d), SIM_OK);
  p->signal = pieces > 1 ? SIM_PIECEWISE_LINEAR : SIM_CONSTANT;
  p->segments = pieces;
  fixture_time(p, 1.5 + 0.5 * fixture_random(seed), 100);
  fixture_scheme(p, "event");
  sim_problem_set(p, "tolerance", 1e-13);
  fill_matrix(seed, d, 1, 0.5, p->system.mass);
  if (kind % 4 > 1) fill_matrix(seed, d, 2, 0, p->system.stiffness);
  if (kind % 7 > 4) fill_matrix(seed, d, 0.3, 0, p->system.damping);
  for (int i = 0; i < d * d && kind % 7 == 5; i++) p->system.damping[i] += 0.8 * ((i / d < i % d) - (i / d > i % d));
  if (kind % 9 == 2) p->system.stribeck = SIM_STRIBECK_SQRT + kind / 9 % 3;
  for (int i = 0; i < d; i++) {
    p->system.stribeck_beta[i] = 0.3 + 0.2 * fixture_random(seed);
    p->system.stribeck_epsilon[i] = 0.2;
    p->friction[i] = kind % 11 == 3 && i == 0 ? 0 : 1 + 0.9 * fixture_random(seed);
    if (kind % 2) p->x0[i] = fixture_random(seed);
    if (kind % 3 == 1) p->v0[i] = fixture_random(seed);
  }
  assert_int_equal(ctl_problem_init_signal(c, d, p->signal, pieces, d), SIM_OK);
  c->end = p->end;
  for (int i = 0; i < c->n; i++) {
    u[i] = 4 * fixture_random(seed);
    if (kind % 6 == 4) c->lower[i] = -(c->upper[i] = 4);
  }
  assert_int_equal(stiction_problem_finalize(p, NULL), SIM_OK);
  double where;
  assert_int_equal(stiction_problem_set_pieces(p, &load, 0, NULL, &where), SIM_OK);
  assert_int_equal(stiction_model_create(p, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_rollout(model, work, u, NULL, &final), SIM_OK);
  for (int i = 0; i < d; i++) {
    if (fixture_random(seed) > -0.7) c->position[i] = x[i];
    if (fixture_random(seed) > -0.2) c->velocity[i] = v[i];
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return ctl_cost(c, u);
}

/* No bound exceeds J of the planted control, also if the whole final state of its motion is given. Some bounds come
 * near it, so they are not trivial. */
static void test_planted(void **state) {
  enum { PROBLEMS = 88 };
  uint64_t seed = 5;
  int near[4] = {0}, tried[4] = {0};
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    CtlProblem c;
    double x[3], v[3], J = plant(&seed, k, &p, &c, x, v);
    int drops = p.system.stribeck != SIM_STRIBECK_NONE;
    int kind = p.d == 3 ? 0 : k % 8 == 5 ? 1 : k % 8 == 6 ? 2 : k % 16 == 7 ? 3 : 0;
    const CtlLowerBoundOptions options = {.effort = 1.5 * J,
                                          .x = x,
                                          .v = v,
                                          .intervals = 1 + k % 2 * (p.d < 3),
                                          .patterns = kind % 2 && !drops,
                                          .knots = kind / 2 * 2,
                                          .pairs = kind % 2 == 0 && k % 4 < 2};
    CtlLowerBound bound = bound_of(&c, &p, &options);
    if (!(bound.J <= J * (1 + 1e-9) && bound.known <= J * (1 + 1e-9) &&
          (bound.J == 0 || bound.known >= bound.J * (1 - 1e-9))))
      fail_msg("problem %d: %.17g, %.17g of %.17g by %s", k, bound.J, bound.known, J, bound.relaxation);
    tried[kind]++;
    near[kind] += bound.J > 0.8 * J;
    close_problem(&p, &c);
  }
  for (int kind = 0; kind < 4; kind++) assert_in_range(20 * near[kind], tried[kind], 20 * tried[kind]);
}

static bool affords(void *context, double operations) {
  double *left = context;
  if (operations > *left) return false;
  *left -= operations;
  return true;
}

/* The same holds with cases, which are halved until a limit of operations. For this, fewer dofs suffice. The gap cannot
 * be reached, as the true least J is below the planted one. */
static void test_planted_cases(void **state) {
  enum { PROBLEMS = 18 };
  uint64_t seed = 7;
  int split = 0, better = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    SimProblem p;
    CtlProblem c;
    double x[3], v[3], J = plant(&seed, k % 3 == 2 ? k + 1 : k, &p, &c, x, v), left = p.d == 1 ? 2e8 : 7e8;
    const CtlLowerBoundOptions options = {
        .effort = 1.5 * J, .x = x, .v = v, .gap = 0.02, .degree = 2, .tries = affords, .context = &left};
    const CtlLowerBoundOptions whole = {.effort = 1.5 * J, .intervals = 10, .degree = 2};
    CtlLowerBound bound = bound_of(&c, &p, &options);
    if (!(bound.J <= J * (1 + 1e-9) && bound.known <= J * (1 + 1e-9)))
      fail_msg("problem %d: %.17g, %.17g of %.17g in %d cases", k, bound.J, bound.known, J, bound.cases);
    assert_true(bound.left_out > 0);
    split += bound.cases > 1;
    better += bound.cases > 1 && bound.J > 1.02 * bound_of(&c, &p, &whole).J;
    close_problem(&p, &c);
  }
  assert_in_range(split, PROBLEMS / 6, PROBLEMS);
  assert_in_range(better, 1, PROBLEMS);
}

/* The bound holds for any values of the dual variables. Those of the block make the bound nearly tight; here they are
 * changed at random. */
static void test_any_multipliers(void **state) {
  enum { TRIES = 400 };
  SimProblem p;
  CtlProblem c;
  uint64_t seed = 1;
  (void)state;
  open_block(&p, &c);
  for (int kind = 0; kind < 4; kind++) {
    BoundMesh mesh;
    const BoundDrift drift = {0};
    BoundForce force;
    BoundMotion motion;
    BoundForm form;
    BoundProgram program;
    BoundValues values;
    double value, most = -INFINITY;
    assert_int_equal(bound_mesh_create(6, 3, &mesh), SIM_OK);
    assert_int_equal(bound_force_create(&c, &p, &mesh, &force), SIM_OK);
    assert_int_equal(bound_motion_create(&c, &p, &force, 4, bound_mesh_brief(&mesh), &motion), SIM_OK);
    assert_int_equal(bound_form_init(&motion, &mesh, &force, &drift, kind % 2, kind / 2 * 2, kind == 2, &form), SIM_OK);
    assert_int_equal(bound_form_program(&form, NULL, 0, &program), SIM_OK);
    assert_int_equal(bound_values_init(&program, &values), SIM_OK);
    assert_int_equal(bound_solve(&program, 1e-7, 2, NULL, &values, NULL, NULL), SIM_OK);
    long count = (long)program.nodes * program.node_size + bound_program_local(&program, program.places) +
                 bound_program_own(&program, program.places);
    double *solved = malloc((size_t)count * sizeof *solved);
    memcpy(solved, values.node, (size_t)count * sizeof *solved);
    for (int k = 0; k < TRIES; k++) {
      double size = pow(10, -12 + 13.0 * k / TRIES), whole = k % 3 == 0 ? 1 + size : 1;
      for (long i = 0; i < count; i++)
        values.node[i] = solved[i] * whole * (k % 3 == 1 ? 1 + size * fixture_random(&seed) : 1) +
                         (k % 3 == 2 ? size * fixture_random(&seed) : 0);
      assert_int_equal(bound_verify(&program, &values, &value, NULL), SIM_OK);
      assert_true(4 * value <= BLOCK);
      most = fmax(most, 4 * value);
    }
    assert_true(most > 0.99 * BLOCK);
    free(solved);
    bound_values_clear(&values);
    bound_program_clear(&program);
    bound_form_clear(&form);
    bound_motion_clear(&motion);
    bound_force_clear(&force);
    bound_mesh_clear(&mesh);
  }
  close_problem(&p, &c);
}

/* A motion within the limits of a case costs at least the bound of that case. The cheapest motion of the block is
 * known. A motion outside the limits may cost less. If no motion satisfies the limits, the bound may have any value. */
static void test_limits(void **state) {
  enum { INTERVALS = 5 };
  SimProblem p;
  CtlProblem c;
  (void)state;
  open_block(&p, &c);
  const CtlLowerBoundOptions options = {.effort = 4, .intervals = INTERVALS};
  for (int kind = 0; kind < 4; kind++) {
    CtlLowerBoundOptions with = options;
    with.patterns = kind % 2;
    with.knots = kind / 2 * 2;
    BoundSetting setting;
    assert_int_equal(bound_setting_create(&c, &p, &with, &setting), SIM_OK);
    double whole = 0;
    /* The cheapest motion from rest to rest is x = 3 s^2 - 2 s^3 with s = t/T. */
    for (int k = 0; k < INTERVALS; k++) {
      double s = setting.mesh.time[k], X = setting.motion.X[0], x = s * s * (3 - 2 * s) / X;
      BoundCase one = {.cuts = k > 0, .cut = {{k, 0, x - 0.02 / X, x + 0.02 / X}}};
      BoundCase other = {.cuts = k > 0, .cut = {{k, 0, fmin(0.9, x + 0.3 / X), 1}}};
      BoundSolved solved;
      assert_int_equal(bound_case_solve(&setting, 1, NULL, &one, &solved), SIM_OK);
      assert_true(one.J <= BLOCK);
      if (k == 0) whole = one.J;
      assert_true(one.J >= whole * (1 - 1e-3));
      assert_int_equal(bound_case_solve(&setting, 1, NULL, &other, &solved), SIM_OK);
      if (k == INTERVALS / 2) assert_true(other.J > BLOCK * 1.02);
    }
    bound_setting_clear(&setting);
  }
  close_problem(&p, &c);
}

static void count_complaint(void *context, const char *key, const char *text) {
  (void)key;
  (void)text;
  ++*(int *)context;
}

static void test_what_is_refused(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    SimProblem p;
    CtlProblem c;
    int mistakes_reported = 0;
    const SimReport report = {&mistakes_reported, count_complaint};
    const CtlLowerBoundOptions options = {.effort = 4, .intervals = 2};
    CtlLowerBound bound;
    open_block(&p, &c);
    if (k == 1) p.by_direction = true;
    if (k == 2) c.weight[0] = 0;
    if (k == 3) c.p = 2;
    if (k == 4) fixture_scheme(&p, "moreau");
    if (k == 4) fixture_fill_force(&p, fixture_tp1_force);
    int mistakes = ctl_lower_bound_check(&c, &p, &report);
    assert_int_equal(mistakes,
                     k > 0 && k < 4); /* the exact motion may have forces in pieces where a scheme has a table */
    assert_int_equal(mistakes_reported, mistakes);
    assert_int_equal(ctl_lower_bound(&c, &p, &options, &bound), k ? SIM_BAD_PROBLEM : SIM_OK);
    c.p = 1;
    close_problem(&p, &c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_planted_cases),   cmocka_unit_test(test_cases),           cmocka_unit_test(test_limits),
      cmocka_unit_test(test_block),           cmocka_unit_test(test_slack),           cmocka_unit_test(test_arm),
      cmocka_unit_test(test_planted),         cmocka_unit_test(test_any_multipliers), cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_what_is_refused),

  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
