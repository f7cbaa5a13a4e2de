/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the distance between two recorded motions, for motions with a known difference. */
#include "src/run/motion_difference.h"
#include "tests/fixture.h"

enum { D = 2, STEPS = 4 };

static void assert_near(double a, double b) {
  if (!(fabs(a - b) <= 1e-14)) fail_msg("%.17g is not %.17g", a, b);
}

/* Makes a motion with T = 2 s in 4 steps. */
static void start(SimProblem *p, Motion *motion) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, 1), SIM_OK);
  p->friction[0] = p->friction[1] = 1;
  fixture_time(p, 2, STEPS);
  assert_int_equal(motion_init(motion, p), SIM_OK);
}

/* Fills a motion that differs from another one, at t_n, by off (1, 2) n in x, by -off in v, and by off/2 in lambda of
 * the first dof only. */
static void fill(Motion *motion, double off) {
  for (int n = 0; n <= STEPS; n++) {
    const double x[D] = {1 + n * off, 2 - 2 * n * off}, v[D] = {3 - off, 4 - off}, lambda[D] = {off / 2, 1};
    motion_add(motion, 0.5 * n, x, v, lambda);
  }
}

static void norms(void **state) {
  SimProblem p[2];
  Motion motion, exact;
  MotionDifference difference;
  (void)state;
  start(&p[0], &motion);
  start(&p[1], &exact);
  fill(&motion, 0.25);
  fill(&exact, 0);
  motion_difference(&motion, &exact, &difference);
  assert_near(difference.x_end, 2);
  assert_near(difference.x_most, 2);
  assert_near(difference.v_end, 0.25);
  assert_near(difference.x_l2, sqrt(0.5 * 5 * (1 + 4 + 9 + 16) / 16));
  assert_near(difference.v_l2, sqrt(2.0 * 2 / 16));
  assert_near(difference.lambda_l1, 2 * 0.125);
  assert_near(difference.lambda_l2, sqrt(2.0 / 64));
  assert_true(isnan(difference.event_time));
  assert_int_equal(difference.n_events + difference.n_exact, 0);
  motion_clear(&motion);
  motion_clear(&exact);
  for (int k = 0; k < 2; k++) sim_problem_clear(&p[k]);
}

static void give(Motion *motion, long n, const MotionEvent *events) {
  motion->events = malloc((size_t)n * sizeof *events);
  assert_non_null(motion->events);
  memcpy(motion->events, events, (size_t)n * sizeof *events);
  motion->n_events = n;
}

/* An event is compared with the nearest one of the same dof and kind, however many others there are. Without one the
 * result is NaN. */
static void events(void **state) {
  static const MotionEvent exact_events[] = {{0.5, 0, 0}, {0.6, 1, 1}, {1.5, 0, 1}, {2, 0, 0}},
                           ours[] = {{0.4, 0, 0}, {0.45, 0, 1}, {0.5, 1, 0}, {0.75, 1, 1}, {1.25, 0, 1}, {1.9, 1, -1}};
  (void)state;
  for (int missing = 0; missing < 2; missing++) {
    SimProblem p[2];
    Motion motion, exact;
    MotionDifference difference;
    start(&p[0], &motion);
    start(&p[1], &exact);
    fill(&motion, 0);
    fill(&exact, 0);
    give(&exact, 4, exact_events);
    give(&motion, missing ? 3 : 6, ours);
    motion_difference(&motion, &exact, &difference);
    if (missing)
      assert_true(isnan(difference.event_time));
    else
      assert_near(difference.event_time, 0.25);
    assert_int_equal(difference.n_exact, 3);
    assert_int_equal(difference.n_events, missing ? 3 : 6);
    motion_clear(&motion);
    motion_clear(&exact);
    for (int k = 0; k < 2; k++) sim_problem_clear(&p[k]);
  }
}

static double rising(int i, double t) { return i == 0 ? 3 * t : 0; }

/* Two masses of 1 kg start from rest with thresholds c = 1. The force f = 3t on the first one makes it slip from t =
 * 1/3 on. On the grid this is in the second step, the first with a mean force above c. */
static void recorded(void **state) {
  static const char *const schemes[] = {"event", "moreau"};
  static const double began[] = {1.0 / 3, 0.5};
  (void)state;
  for (int k = 0; k < 2; k++) {
    SimProblem p;
    SimWorkspace *work;
    Motion motion;
    start(&p, &motion);
    motion_clear(&motion);
    p.system.mass[0] = p.system.mass[3] = 1;
    fixture_scheme(&p, schemes[k]);
    SimModel *model = fixture_model(&p, rising, &work);
    assert_int_equal(motion_init(&motion, &p), SIM_OK);
    assert_int_equal(motion_record(&motion, model, work, NULL), SIM_OK);
    assert_int_equal(motion.rows, STEPS + 1);
    assert_near(motion.t[STEPS], 2);
    assert_int_equal(motion.n_events, 1);
    assert_int_equal(motion.events[0].dof, 0);
    assert_int_equal(motion.events[0].slip, 1);
    assert_true(fabs(motion.events[0].t - began[k]) < 1e-12);
    motion_clear(&motion);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(norms), cmocka_unit_test(events), cmocka_unit_test(recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
