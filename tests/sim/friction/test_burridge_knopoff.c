/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests a chain of blocks on a rough floor, pulled through leaf springs by a moving plate: sticking, slipping, and the
 * energy balance. */
#include "tests/fixture.h"

enum { BLOCKS = 60, STEPS = 3000 };
static const double LINK = 40, LEAF = 1, SPEED = 0.05;

typedef struct Seen {
  int most;                   /* largest number of blocks that slip at the same time */
  int stopped;                /* number of blocks that have slipped and stuck again */
  signed char before[BLOCKS]; /* slip of each block at the previous instant */
  double closure, scale, least_loss, dissipated, worst_lambda;
} Seen;

static void pull(void *context, double t, double *f) {
  (void)context;
  for (int i = 0; i < BLOCKS; i++) f[i] = LEAF * SPEED * t;
}

static void see(void *context, const SimStep *step) {
  Seen *s = context;
  const SimEnergy *e = step->energy;
  int together = 0;
  for (int i = 0; i < BLOCKS; i++) {
    together = step->slip[i] ? together + 1 : 0;
    s->most = together > s->most ? together : s->most;
    s->stopped += s->before[i] && !step->slip[i];
    s->before[i] = step->slip[i];
    assert_true(step->slip[i] || step->v[i] == 0);
    s->worst_lambda = fmax(s->worst_lambda, fabs(step->lambda[i]));
  }
  s->closure = fmax(s->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
  s->scale = fmax(s->scale, fabs(e->work));
  s->least_loss = fmin(s->least_loss, e->dissipated - s->dissipated);
  s->dissipated = e->dissipated;
}

static void chain(SimProblem *p, SimStribeck law) {
  assert_int_equal(sim_problem_init_sparse(p, NULL, BLOCKS, 0, BLOCKS, 0), SIM_OK);
  SimMatrix *m = &p->system.sparse.mass, *a = &p->system.sparse.stiffness;
  assert_int_equal(sim_matrix_alloc(m, BLOCKS, BLOCKS), SIM_OK);
  assert_int_equal(sim_matrix_alloc(a, BLOCKS, 3 * BLOCKS), SIM_OK);
  for (int i = 0, n = 0; i < BLOCKS; i++) {
    m->start[i + 1] = i + 1;
    m->column[i] = i;
    m->value[i] = 1;
    for (int j = i - 1; j <= i + 1; j++) {
      if (j < 0 || j == BLOCKS) continue;
      a->column[n] = j;
      a->value[n++] = j != i ? -LINK : LEAF + LINK * ((i > 0) + (i < BLOCKS - 1));
    }
    a->start[i + 1] = n;
    p->friction[i] = 1;
    p->system.stribeck_beta[i] = 0.6;
    p->system.stribeck_epsilon[i] = 0.1;
    p->x0[i] = 0.1 * sin(0.3 * i) * sin(0.117 * i);
  }
  p->system.stribeck = law;
  p->load = (SimLoad){.at = pull};
  fixture_time(p, 60, STEPS);
}

static void sticks_and_slips(void **state) {
  (void)state;
  static const SimReport report = {NULL, fixture_complain};
  static const char *const schemes[] = {"moreau", "centered"};
  for (int k = 0; k < 4; k++) {
    SimProblem p;
    SimModel *model;
    SimWorkspace *work;
    Seen seen = {0};
    const SimObserver observer = {.context = &seen, .step = see};
    double x[BLOCKS], v[BLOCKS];
    SimFinal final = {.x = x, .v = v};
    chain(&p, k < 2 ? SIM_STRIBECK_SQRT : SIM_STRIBECK_RAMP);
    fixture_scheme(&p, schemes[k % 2]);
    sim_problem_set(&p, "multiplier", SIM_UNREGULARIZED);
    sim_problem_set(&p, "r", 1);
    sim_problem_set(&p, "theta", 0.6);
    assert_int_equal(stiction_problem_finalize(&p, &report), SIM_OK);
    assert_int_equal(stiction_model_create(&p, &report, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, NULL, &observer, &final), SIM_OK);
    assert_true(seen.most >= 5);
    assert_true(seen.stopped >= BLOCKS / 2);
    assert_true(seen.worst_lambda <= 1);
    assert_true(seen.least_loss >= -1e-9 * seen.scale);
    assert_true(seen.closure <= 1e-9 * seen.scale);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sticks_and_slips)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
