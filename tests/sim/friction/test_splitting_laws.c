/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests properties of the splitting schemes for any problem: energy balance, |lambda| <= 1, dissipation, mirror
 * symmetry, rest, and smoothness of the multipliers. */
#include "sim/step/dense_solver.h"
#include "tests/sim/friction/splitting.h"

enum { FULL_MASS = 1, STRANG = 2, SMOOTH = 4, GEAR = 8, DAMPED = 16, EIGEN = 32, UZAWA = 64, ALL = 128 };

/* Makes three masses that slide, stick and slide again, with the features in flags. sign: -1 for the mirror image.
 * Returns false if the scheme does not support them. */
static bool pose(SimProblem *p, int flags, double sign) {
  if ((flags & EIGEN && flags & DAMPED) || (flags & UZAWA && flags & SMOOTH)) return false;
  fixture_paper(p, 2, flags & STRANG ? "strang" : "lie", flags & SMOOTH ? SIM_SMOOTH : SIM_UNREGULARIZED, 1);
  sim_problem_set(p, "friction_substeps", 3);
  sim_problem_set(p, "elastic_substeps", 4);
  sim_problem_set(p, "alpha", 0.1);
  sim_problem_set(p, "eta", 1e-5);
  sim_problem_set(p, "elastic", flags & EIGEN);
  sim_problem_set(p, "solver", flags & UZAWA ? SIM_FIXED_POINT : SIM_EXACT);
  sim_problem_set(p, "tolerance", 1e-13);
  if (flags & FULL_MASS) p->system.mass[1] = p->system.mass[3] = 0.9, p->system.mass[5] = p->system.mass[7] = -1.5;
  if (flags & DAMPED)
    p->system.damping[0] = p->system.damping[4] = 0.3, p->system.damping[1] = p->system.damping[3] = -0.1,
    p->system.damping[8] = 5;
  p->system.stribeck = SIM_STRIBECK_SQRT;
  p->system.gearbox.present = flags & GEAR;
  p->system.gearbox.law = SIM_STRIBECK_RAMP;
  for (int i = 0; i < 3; i++) {
    p->system.stribeck_beta[i] = 0.3;
    p->system.stribeck_epsilon[i] = 0.1;
    p->x0[i] *= sign;
    p->v0[i] *= sign;
    p->system.gearbox.delta[i] = sign * (0.8 - i);
    p->system.gearbox.k[i] = 0.5 * p->system.gearbox.delta[i];
    p->system.gearbox.a[i] = 0.5;
    p->system.gearbox.b[i] = 1.2 + i;
    p->system.gearbox.beta[i] = 0.4;
    p->system.gearbox.epsilon[i] = 0.2;
  }
  return true;
}

static double mirrored_force(int i, double t) { return -fixture_tp2_force(i, t); }

typedef struct Watch {
  int stuck, slid;
  bool lambda_out, strang;
  double most_undone, dissipated, closure, scale;
} Watch;

static void see(void *context, const SimStep *step) {
  Watch *watch = context;
  for (int i = 0; i < 3; i++) {
    if (!(fabs(step->lambda[i]) <= 1)) watch->lambda_out = true;
    if (step->slip[i] == 0 && watch->strang && step->n > 0) assert_true(step->v[i] == 0);
    watch->stuck += step->slip[i] == 0;
    watch->slid += step->slip[i] != 0;
  }
  const SimEnergy *e = step->energy;
  if (step->n > 0) watch->most_undone = fixture_max(watch->most_undone, watch->dissipated - e->dissipated);
  watch->dissipated = e->dissipated;
  watch->closure = fixture_max(watch->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
  watch->scale = fixture_max(watch->scale, fabs(e->work) + fabs(e->stored) + e->dissipated + fabs(e->numerical));
}

static void laws_and_balance(void **state) {
  (void)state;
  const double u[3] = {3, -8, 20};
  for (int flags = 0; flags < ALL; flags++) {
    SimProblem p;
    double x[3], v[3];
    Watch watch = {.strang = (flags & STRANG) && !(flags & UZAWA)};
    if (!pose(&p, flags, 1)) continue;
    fixture_run(&p, fixture_tp2_force, u, &(SimObserver){.context = &watch, .step = see}, x, v);
    assert_false(watch.lambda_out);
    assert_true(watch.slid > 0 && (watch.stuck > 0 || flags & SMOOTH));
    assert_true(watch.closure < 1e-12 * watch.scale);
    double allowed = flags & UZAWA ? 1e-12 : 0; /* a fixed point is accurate up to its tolerance */
    assert_true(watch.dissipated > 0 && watch.most_undone <= allowed * watch.scale);
  }
}

static void mirror_symmetry(void **state) {
  (void)state;
  for (int flags = 0; flags < ALL; flags++) {
    double x[2][3], v[2][3];
    for (int mirrored = 0; mirrored < 2; mirrored++) {
      SimProblem p;
      double sign = mirrored ? -1 : 1, u[3] = {4 * sign, -sign, 9 * sign};
      if (!pose(&p, flags, sign)) goto next;
      fixture_run(&p, mirrored ? mirrored_force : fixture_tp2_force, u, NULL, x[mirrored], v[mirrored]);
    }
    for (int i = 0; i < 3; i++) assert_true(x[0][i] == -x[1][i] && v[0][i] == -v[1][i]);
  next:;
  }
}

/* A gear box without load changes no bit. The closed form and the paper's iteration give the same motion. */
static void same_motion(void **state) {
  (void)state;
  double x[2][3], v[2][3];
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    pose(&p, k ? FULL_MASS | GEAR : FULL_MASS, 1);
    for (int i = 0; i < 3; i++) p.system.gearbox.delta[i] = p.system.gearbox.k[i] = 0;
    fixture_run(&p, fixture_tp2_force, NULL, NULL, x[k], v[k]);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(v[0], v[1], sizeof v[0]);
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    pose(&p, k ? UZAWA : 0, 1); /* M is diagonal: the closed form, or the paper's iteration, solves it */
    fixture_run(&p, fixture_tp2_force, NULL, NULL, x[k], v[k]);
  }
  for (int i = 0; i < 3; i++) assert_true(fabs(x[0][i] - x[1][i]) < 1e-10 && fabs(v[0][i] - v[1][i]) < 1e-10);
}

/* Without a spring a loaded joint does not move by one bit in 1e5 steps. On a spring it creeps by O(dt) with `lie`. */
static void loaded_joint(void **state) {
  (void)state;
  for (int flags = 0; flags < ALL; flags++) {
    SimProblem p;
    double x[3], v[3], u[3] = {5, -4, 3};
    if (flags & ~(FULL_MASS | STRANG | EIGEN)) continue;
    pose(&p, flags, 1);
    memset(p.system.stiffness, 0, 9 * sizeof(double));
    memset(p.v0, 0, 3 * sizeof(double));
    fixture_time(&p, 1000, 100000);
    fixture_run(&p, fixture_no_force, u, NULL, x, v);
    assert_true(x[0] == 1 && x[1] == 3 && x[2] == 5);
    assert_true(v[0] == 0 && v[1] == 0 && v[2] == 0);
  }
  double creep[2];
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    double v;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
    fixture_scheme(&p, "lie");
    p.system.mass[0] = p.system.stiffness[0] = p.x0[0] = 1;
    p.friction[0] = 2;
    fixture_time(&p, 1, k ? 1000 : 100);
    fixture_run(&p, fixture_no_force, NULL, NULL, &creep[k], &v);
    creep[k] = fabs(creep[k] - 1);
  }
  assert_true(creep[0] > 9 * creep[1] && creep[0] < 11 * creep[1] && creep[0] < 0.01);
}

/* With the smooth law and full matrices of any condition number, the equation and the law hold. */
static void smooth_solver(void **state) {
  (void)state;
  enum { D = 6 };
  uint64_t seed = 11;
  DenseSolver s;
  StepScratch scratch;
  assert_int_equal(dense_solver_init(&s, D), SIM_OK);
  assert_int_equal(step_scratch_init(&scratch, D), SIM_OK);
  for (int trial = 0; trial < 2000; trial++) {
    double root[D][D], b[D], w[D] = {0}, lambda[D], residual = 0, scale = 0;
    signed char slip[D];
    StepTally tally = {0};
    s.eta = pow(10, -1 - trial % 10);
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < D; j++) root[i][j] = fixture_random(&seed);
      b[i] = 2 * fixture_random(&seed);
      s.threshold[i] = (1 + i % 3) * fabs(fixture_random(&seed));
    }
    for (int i = 0; i < D; i++)
      for (int j = 0; j < D; j++) {
        s.matrix[i * D + j] = i == j ? 1e-3 : 0;
        for (int k = 0; k < D; k++) s.matrix[i * D + j] += root[i][k] * root[j][k];
      }
    assert_int_equal(step_solve(&s, &scratch, b, NULL, w, lambda, slip, &tally), SIM_OK);
    for (int i = 0; i < D; i++) {
      double sum = s.threshold[i] * w[i] / hypot(s.eta, w[i]) - b[i], terms = fabs(b[i]);
      for (int j = 0; j < D; j++) {
        sum += s.matrix[i * D + j] * w[j];
        terms += fabs(s.matrix[i * D + j] * w[j]);
      }
      residual = fixture_max(residual, fabs(sum));
      scale = fixture_max(scale, terms);
      assert_true(fabs(lambda[i]) <= 1);
    }
    assert_true(residual < 1e-13 * scale);
    assert_true(tally.iterations <= 60);
  }
  step_scratch_clear(&scratch);
  dense_solver_clear(&s);
}

/* Results for lambda of 6.2 at dt = 1e-3: its variation beyond a monotone change within smooth intervals, and the
 * number of steps near a transition with an error above 0.05. */
typedef struct Variation {
  double before[2], total[4][2], first[4][2], excess;
  int transient[3][2];
} Variation;

static void see_variation(void *context, const SimStep *step) {
  Variation *at = context;
  long piece = (step->n - 1) / 1000, within = (step->n - 1) % 1000;
  if (step->n == 0) return;
  Exact exact = exact_62(step->t);
  for (int i = 0; i < 2; i++) {
    bool off = fabs(step->lambda[i] - exact.lambda[i]) > 0.05;
    for (int k = 0; k < 3; k++)
      if (labs(step->n - 1000 * (k + 1)) < 100 && off) at->transient[k][i]++;
    if (within == 5) at->first[piece][i] = step->lambda[i];
    if (within > 5 && within < 998) at->total[piece][i] += fabs(step->lambda[i] - at->before[i]);
    if (within == 997)
      at->excess = fixture_max(at->excess, at->total[piece][i] - fabs(step->lambda[i] - at->first[piece][i]));
    at->before[i] = step->lambda[i];
  }
}

static void multiplier_is_free_of_oscillation(void **state) {
  (void)state;
  static char *const schemes[] = {"scheme={name: lie, friction_substeps: 1, elastic_substeps: 1, alpha: 0}",
                                  "scheme={name: moreau}", "scheme={name: centered, multiplier: unregularized}"};
  for (int k = 0; k < 3; k++) {
    Problem problem;
    double x[2], v[2];
    Variation seen = {.excess = 0};
    char *settings[] = {schemes[k], "time={end: 4, step: 1e-3}", NULL};
    int longest = 0;
    splitting_read("shiau-6.2", settings, &problem);
    splitting_roll(&problem, &(SimObserver){.context = &seen, .step = see_variation}, x, v);
    for (int i = 0; i < 6; i++)
      longest = seen.transient[i / 2][i % 2] > longest ? seen.transient[i / 2][i % 2] : longest;
    print_message("lambda of 6.2 by %s: excess variation %.2e, longest transient %d steps\n",
                  sim_scheme_name(problem.sim.scheme), seen.excess, longest);
    problem_clear(&problem);
    if (k < 2)
      assert_true(seen.excess <= 1e-2 && longest <= 5);
    else
      assert_true(seen.excess > 100);
  }
}

static void see_start(void *context, const SimStep *step) {
  if (step->n == 0) memcpy(context, step->lambda, 3 * sizeof(double));
}

/* Force that holds joints at rest at t = 0: it balances force, control, springs, and damping by moving joints. */
static void lambda_at_the_start(void **state) {
  (void)state;
  for (int strang = 0; strang < 2; strang++) {
    SimProblem p;
    SimModel *model;
    SimWorkspace *work;
    double x[3], v[3], lambda[3], u[3] = {0.25, 0, 0};
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 3, 3), SIM_OK);
    fixture_scheme(&p, strang ? "strang" : "lie");
    sim_problem_set(&p, "multiplier", SIM_UNREGULARIZED);
    sim_problem_set(&p, "friction_substeps", 1);
    sim_problem_set(&p, "elastic_substeps", 1);
    for (int i = 0; i < 3; i++) {
      p.system.mass[4 * i] = p.system.stiffness[4 * i] = p.system.damping[4 * i] = 1;
      p.friction[i] = 2;
    }
    p.system.damping[1] = p.system.damping[3] = -0.5;
    p.v0[1] = 1;
    p.x0[0] = 0.5;
    p.x0[2] = 7;
    sim_problem_set(&p, "r", 1);
    fixture_time(&p, 1, 100);
    assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
    p.force[0] = 0.125;
    assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
    assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, u, &(SimObserver){.context = lambda, .step = see_start},
                                      &(SimFinal){.x = x, .v = v}),
                     SIM_OK);
    assert_true(lambda[0] == (0.125 + 0.25 - 0.5 + 0.5) / 2 && lambda[1] == 1 && lambda[2] == -1);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_and_balance),
      cmocka_unit_test(mirror_symmetry),
      cmocka_unit_test(same_motion),
      cmocka_unit_test(loaded_joint),
      cmocka_unit_test(lambda_at_the_start),
      cmocka_unit_test(smooth_solver),
      cmocka_unit_test(multiplier_is_free_of_oscillation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
