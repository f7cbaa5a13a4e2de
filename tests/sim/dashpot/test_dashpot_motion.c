/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests properties of every motion of a dash-pot's mass: momentum balance and law at every step, dissipation, energy
 * balance, sticking, mirror symmetry. Also compares with the friction model. */
#include "sim/core/model.h"
#include "sim/setup/tables.h"
#include "tests/sim/dashpot/dashpot.h"

typedef struct Motion {
  SimDashpotLaw law;
  SimSelection selection;
  FixtureForce *force;
  double x0, v0, stiffness, end;
} Motion;

static void motion_problem(SimProblem *p, const Motion *m) {
  dashpot_problem(p, m->law, m->end, lround(m->end * 1000));
  p->dashpot.selection = m->selection;
  p->x0[0] = m->x0;
  p->v0[0] = m->v0;
  if (m->stiffness > 0) dashpot_support(p, 0.05, m->stiffness);
}

static double speed_by_law(SimDashpotLaw law, double f) { /* returns the speed by the law, for a force |f_d| > f_crit */
  double s = f * f;
  switch (law) {
  case SIM_VISCOUS: return f;
  case SIM_BINGHAM: return f - 1;
  case SIM_BINGHAM_CUBIC: return s * (f - 1);
  case SIM_BINGHAM_NONMONOTONE: return (1 + 0.1 * (s - 4) * (s - 9)) * (f - 1);
  case SIM_COULOMB: break;
  }
  return NAN;
}

/* Checks m (v+ - v)/dt = f + u - k x+ - f_d + lambda at every step, with lambda of the support and f_d of the law. */
static void check_step(const Motion *m, double push, const DashpotRow *before, const DashpotRow *row) {
  double dt = 1e-3, depth = m->stiffness > 0 ? fmax(0, row->x - 0.05) : 0;
  double force = m->force(0, row->t) + push, inertia = (row->v - before->v) / dt;
  double scale = fabs(row->v / dt) + fabs(before->v / dt) + fabs(force) + fabs(row->f_d) + m->stiffness + 100;
  assert_true(fabs(inertia - force + row->f_s + row->f_d - row->lambda) < 1e-14 * scale);
  assert_true(row->f_s == 100 * row->x && row->lambda == -m->stiffness * depth && row->contact == (depth > 0));
  assert_true(fabs(row->x - before->x - dt * row->v) < 1e-15);
  assert_true(row->f_d * row->v >= 0);
  double f_crit = m->law == SIM_VISCOUS ? 0 : 1;
  if (row->slip == 0)
    assert_true(row->v == 0 && row->x == before->x && fabs(row->f_d) <= f_crit);
  else if (m->law == SIM_COULOMB)
    assert_true(row->f_d == row->slip);
  else
    assert_true(fabs(row->slip * row->v - speed_by_law(m->law, row->slip * row->f_d)) < 1e-13 * (1 + fabs(row->v)));
}

/* Checks work = stored + dissipated + numerical at every step, and that the last two never decrease. */
static void check_energy(const DashpotRow *before, const DashpotRow *row, double scale) {
  const SimEnergy *e = &row->energy;
  assert_true(fabs(e->work - e->stored - e->dissipated - e->numerical) < 3e-14 * scale);
  assert_true(e->dissipated >= before->energy.dissipated && e->numerical >= before->energy.numerical);
}

static void check_motion(const Motion *m, double push) {
  SimProblem p;
  motion_problem(&p, m);
  long steps = p.steps;
  DashpotRow *rows = dashpot_run(&p, m->force, push);
  double scale = 1, dissipated = 0;
  for (long n = 1; n <= steps; n++) {
    check_step(m, push, &rows[n - 1], &rows[n]);
    scale = fixture_max(scale, fabs(rows[n].energy.work) + fabs(rows[n].energy.stored) + rows[n].energy.dissipated);
    dissipated += 1e-3 * rows[n].v * rows[n].f_d;
    check_energy(&rows[n - 1], &rows[n], scale);
  }
  assert_true(fabs(dissipated - rows[steps].energy.dissipated) < 1e-12 * scale);
  free(rows);
}

/* Computes motions for all laws, selections, forces and starts of the thesis, with the supports, and with pushes by the
 * control. */
static void every_run(void **state) {
  (void)state;
  for (int law = 0; law <= SIM_COULOMB; law++)
    for (int selection = 0; selection < (law == SIM_BINGHAM_NONMONOTONE ? 2 : 1); selection++)
      for (int k = 0; k < 12; k++) {
        Motion m = {.law = (SimDashpotLaw)law, .selection = (SimSelection)selection, .end = 3};
        m.force = k < 8 ? (k % 2 ? dashpot_f2 : dashpot_f1) : fixture_no_force;
        m.stiffness = k < 2 ? 0 : k < 8 ? pow(10, 1 + k / 2) : 0;
        m.x0 = k == 8 || k == 10 ? 0.5 : k == 9 ? 0.005 : 0;
        m.v0 = k == 10 ? -3 : k == 11 ? 2 : 0;
        if (k >= 8) m.end = 10;
        check_motion(&m, 0);
        if (k % 3 == 0) check_motion(&m, 7.3);
      }
}

/* If the non-monotone law allows several motions, 1e-6 m apart, on both sides of the support, the support does not act
 * on the chosen one before it is reached. */
static void support_never_pulls(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int k = 0; k < 20000; k++) {
    Motion m = {.law = SIM_BINGHAM_NONMONOTONE, .force = fixture_no_force, .end = 0.002};
    m.selection = k % 2 ? SIM_NEAREST_VELOCITY : SIM_MAX_DISSIPATION;
    m.v0 = 0.9 + 0.4 * fixture_random(&seed);
    m.x0 = 0.05 - 1e-3 * m.v0 + 3e-6 * fixture_random(&seed);
    m.stiffness = pow(10, 4 + 2 * fixture_random(&seed));
    check_motion(&m, 7 + 2 * fixture_random(&seed));
  }
}

/* Below the threshold no bit changes (Figures 19b, 20a, 22b, 23a, ..). */
static void stuck_is_stuck(void **state) {
  (void)state;
  for (int k = 0; k < 10; k++) {
    Motion m = {
        (SimDashpotLaw)(1 + k / 2 % 4), (SimSelection)(k / 8), k % 2 ? fixture_no_force : dashpot_f2, 0, 0, 0, 10};
    if (k >= 8) m.law = SIM_BINGHAM_NONMONOTONE;
    m.x0 = k % 2 ? 0.005 : 0;
    SimProblem p;
    motion_problem(&p, &m);
    long steps = p.steps;
    DashpotRow *rows = dashpot_run(&p, m.force, 0);
    for (long n = 0; n <= steps; n++) {
      assert_true(rows[n].x == m.x0 && rows[n].v == 0 && rows[n].slip == 0);
      assert_true(rows[n].f_d == m.force(0, rows[n].t) - 100 * m.x0);
      assert_true(rows[n].energy.work == 0 && rows[n].energy.dissipated == 0);
    }
    free(rows);
  }
  /* A mass is pressed against its support. */
  Motion m = {SIM_BINGHAM, 0, fixture_no_force, 0.06, 0, 40, 1};
  SimProblem p;
  motion_problem(&p, &m);
  DashpotRow *rows = dashpot_run(&p, m.force, 6);
  for (int n = 0; n <= 1000; n++) assert_true(rows[n].x == 0.06 && rows[n].contact && fabs(rows[n].f_d + 0.4) < 1e-14);
  free(rows);
}

/* Returns the largest distance of two motions, where the grid of b is `finer` times as fine. */
static double distance(const DashpotRow *a, long steps, const DashpotRow *b, long finer) {
  double most = 0;
  for (long n = 0; n <= steps; n++) most = fixture_max(most, fabs(a[n].x - b[n * finer].x));
  return most;
}

/* The two selections have different limits as the step goes to zero. */
static void selections_differ_in_the_limit(void **state) {
  (void)state;
  DashpotRow *runs[2][2];
  for (int selection = 0; selection < 2; selection++)
    for (int fine = 0; fine < 2; fine++) {
      SimProblem p;
      dashpot_problem(&p, SIM_BINGHAM_NONMONOTONE, 1, fine ? 64000 : 16000);
      p.dashpot.selection = (SimSelection)selection;
      runs[selection][fine] = dashpot_run(&p, dashpot_f1, 0);
    }
  double coarse = distance(runs[0][0], 16000, runs[1][0], 1), fine = distance(runs[0][1], 64000, runs[1][1], 1);
  assert_true(fine > 5e-3 && fabs(fine - coarse) < 1e-4);
  for (int selection = 0; selection < 2; selection++) {
    assert_true(distance(runs[selection][0], 16000, runs[selection][1], 4) < fine / 10);
    free(runs[selection][0]);
    free(runs[selection][1]);
  }
  /* Below the speed of the lower fold there is nothing to select. */
  DashpotRow *rows[2];
  for (int selection = 0; selection < 2; selection++) {
    Motion m = {SIM_BINGHAM_NONMONOTONE, (SimSelection)selection, fixture_no_force, 0.05, 0, 0, 3};
    SimProblem p;
    motion_problem(&p, &m);
    rows[selection] = dashpot_run(&p, m.force, 0);
  }
  for (int n = 0; n <= 3000; n++) assert_true(rows[0][n].x == rows[1][n].x && fabs(rows[0][n].v) < 0.57);
  free(rows[0]);
  free(rows[1]);
}

static double minus_f1(int i, double t) { return -dashpot_f1(i, t); }

/* Negated data give the negated motion, bit for bit. */
static void mirror_symmetry(void **state) {
  (void)state;
  for (int law = 0; law <= SIM_COULOMB; law++)
    for (int selection = 0; selection < 2; selection++) {
      DashpotRow *rows[2];
      for (int k = 0; k < 2; k++) {
        int sign = k ? -1 : 1;
        Motion m = {
            (SimDashpotLaw)law, (SimSelection)selection, k ? minus_f1 : dashpot_f1, sign * 0.02, sign * -1.5, 0, 3};
        SimProblem p;
        motion_problem(&p, &m);
        rows[k] = dashpot_run(&p, m.force, sign * 1.7);
      }
      for (int n = 0; n <= 3000; n++) {
        assert_true(rows[0][n].x == -rows[1][n].x && rows[0][n].v == -rows[1][n].v);
        assert_true(rows[0][n].f_d == -rows[1][n].f_d && rows[0][n].slip == -rows[1][n].slip);
        assert_true(rows[0][n].energy.work == rows[1][n].energy.work);
      }
      free(rows[0]);
      free(rows[1]);
    }
}

/* The friction model with c = f_crit and, for the linear laws, D = 1/gamma is equivalent: `moreau` with theta = 1 gives
 * the same steps, with theta = 1/2 the same limit. */
static void friction_model_agrees(void **state) {
  (void)state;
  static const SimDashpotLaw laws[] = {SIM_VISCOUS, SIM_BINGHAM, SIM_COULOMB};
  for (int k = 0; k < 3; k++) {
    double gap[2];
    for (int level = 0; level < 2; level++)
      for (int half = 0; half < 2; half++) {
        SimProblem p;
        long steps = 1000L << (4 * level);
        dashpot_problem(&p, laws[k], 1, steps);
        p.dashpot.g = 0.8;
        double friction = p.friction[0];
        DashpotRow *rows = dashpot_run(&p, dashpot_f1, 0.3);
        double x, v, push = 0.3;
        assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
        p.system.mass[0] = 1;
        p.system.stiffness[0] = 100;
        p.friction[0] = friction;
        p.system.damping[0] = laws[k] == SIM_COULOMB ? 0 : 1 / 0.8;
        sim_problem_set(&p, "theta", half ? 0.5 : 1);
        fixture_time(&p, 1, steps);
        fixture_run(&p, dashpot_f1, &push, NULL, &x, &v);
        if (!half) {
          assert_true(fabs(x - rows[steps].x) < 1e-12);
          assert_true(fabs(v - rows[steps].v) < 1e-11);
        }
        gap[level] = fabs(x - rows[steps].x);
        free(rows);
      }
    assert_true(gap[0] > 1e-4 && gap[1] < gap[0] / 12);
  }
}

/* Checks f_d(0). At rest it is the force that holds the mass, at most f_crit; in motion it is the value of the law at
 * v0. */
static void consistent_start(void **state) {
  (void)state;
  static const struct {
    Motion motion;
    double f_d;
    int slip;
  } cases[] = {{{SIM_BINGHAM, 0, fixture_no_force, 0.005, 0, 0, 1}, -0.5, 0},
               {{SIM_BINGHAM, 0, fixture_no_force, 0.5, 0, 0, 1}, -1, -1},
               {{SIM_COULOMB, 0, fixture_no_force, -0.5, 0, 0, 1}, 1, 1},
               {{SIM_VISCOUS, 0, fixture_no_force, 0.5, 0, 0, 1}, 0, -1},
               {{SIM_VISCOUS, 0, fixture_no_force, 0, 3, 0, 1}, 3, 1},
               {{SIM_BINGHAM, 0, fixture_no_force, 0.5, 2, 0, 1}, 3, 1},
               {{SIM_BINGHAM_CUBIC, 0, fixture_no_force, 0.5, -4, 0, 1}, -2, -1},
               {{SIM_COULOMB, 0, fixture_no_force, 0.5, -4, 0, 1}, -1, -1},
               {{SIM_BINGHAM_NONMONOTONE, SIM_MAX_DISSIPATION, fixture_no_force, 0, 1, 0, 1}, 2.800549660466179, 1},
               {{SIM_BINGHAM_NONMONOTONE, SIM_NEAREST_VELOCITY, fixture_no_force, 0, 2, 0, 1}, 3, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SimProblem p;
    motion_problem(&p, &cases[k].motion);
    DashpotRow *rows = dashpot_run(&p, cases[k].motion.force, 0);
    assert_true(fabs(rows[0].f_d - cases[k].f_d) <= 1e-14);
    assert_int_equal(rows[0].slip, cases[k].slip);
    assert_true(rows[0].x == cases[k].motion.x0 && rows[0].v == cases[k].motion.v0);
    free(rows);
  }
}

/* A motion that overflows is reported; a problem can be copied; a batch equals its rollouts. */
static void library_manners(void **state) {
  (void)state;
  Motion m = {SIM_BINGHAM_NONMONOTONE, SIM_MAX_DISSIPATION, dashpot_f1, 0.01, 0.5, 500, 1};
  SimProblem p, q;
  SimWorkspace *work;
  SimModel *copy;
  double u[4] = {1, -2, 1e308, 30}, x[4], v[4], x_one, v_one;
  SimFinal final[4];
  motion_problem(&p, &m);
  SimModel *model = fixture_model(&p, m.force, &work);
  for (int i = 0; i < 4; i++) final[i] = (SimFinal){.x = &x[i], .v = &v[i]};
  stiction_batch(model, work, 4, u, final);
  stiction_workspace_destroy(work);
  assert_int_equal(sim_problem_copy(&p, &q), SIM_OK);
  assert_int_equal(stiction_problem_finalize(&q, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&q, NULL, &copy), SIM_OK);
  assert_int_equal(stiction_workspace_create(copy, &work), SIM_OK);
  for (int i = 3; i >= 0; i--) {
    SimFinal one = {.x = &x_one, .v = &v_one};
    stiction_rollout(copy, work, &u[i], NULL, &one);
    assert_int_equal(one.status, final[i].status);
    assert_true((one.status == SIM_OK) == (i != 2));
    if (i != 2) assert_true(x_one == x[i] && v_one == v[i] && one.iterations == final[i].iterations);
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(copy);
  stiction_model_destroy(model);
  sim_problem_clear(&q);
  sim_problem_clear(&p);
}

/* Terms that cancel to a few bits, and speeds that decay below the smallest normal number, are not mistaken for a law
 * that drives the mass: every step ends. */
static void badly_scaled(void **state) {
  (void)state;
  static const struct {
    SimDashpotLaw law;
    double mass, stiffness, g, f_crit, x0, v0, position, support, dt, force;
  } cases[] = {
      {SIM_BINGHAM, 12.93, 3150.8, 1.03566, 1.67e-6, 4.67e-5, 0, -29737, 145105, 0.0268, 0},
      {SIM_BINGHAM, 12.93, 3150.8, 1.03566, 1.67e-6, 4.67e-5, 0, -29737, 145105, 0.0268, 29737 * 145105.},
      {SIM_BINGHAM_CUBIC, 12.93, 3150.8, 1.03566, 1.67e-6, 4.67e-5, 0, -29737, 145105, 0.0268, 0},
      {SIM_COULOMB, 12.93, 3150.8, 1, 1.67e-6, 4.67e-5, 0, -29737, 145105, 0.0268, 0},
      {SIM_VISCOUS, 0.264418, 0, 0.00667513, 0, 4.50523e-5, -8.24929e-4, -111.819, 0, 0.0424821, 0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SimProblem p;
    dashpot_problem(&p, cases[k].law, 2000 * cases[k].dt, 2000);
    p.dashpot.mass = cases[k].mass;
    p.dashpot.stiffness = cases[k].stiffness;
    p.friction[0] = cases[k].f_crit;
    p.dashpot.g = cases[k].g;
    p.x0[0] = cases[k].x0;
    p.v0[0] = cases[k].v0;
    if (cases[k].support > 0) dashpot_support(&p, cases[k].position, cases[k].support);
    free(dashpot_run(&p, fixture_no_force, cases[k].force));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_run),        cmocka_unit_test(support_never_pulls),
      cmocka_unit_test(stuck_is_stuck),   cmocka_unit_test(selections_differ_in_the_limit),
      cmocka_unit_test(mirror_symmetry),  cmocka_unit_test(friction_model_agrees),
      cmocka_unit_test(consistent_start), cmocka_unit_test(library_manners),
      cmocka_unit_test(badly_scaled),
  };
  cmocka_set_skip_filter(getenv("STICTION_SKIP"));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
