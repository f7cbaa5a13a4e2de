/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares lanes of models with nonlinear springs and stops with single rollouts, bit for bit. */
#include "tests/sim/core/batch.h"
#include "tests/sim/friction/springs.h"

/* Parts that a random model has. */
typedef struct Joints {
  bool anchors, links, rigid, elastic, surface, thresholds;
  double reach; /* range of laws, m; some motions leave small ones */
  double gap;   /* distance of stops, m */
} Joints;

static double slow_wave(int i, double t) { return 0.6 + 0.4 * sin(3 * t + i); }

static void add_stops(SimProblem *p, const Joints *joints, uint64_t *seed) {
  p->stops.present = true;
  for (int i = 0; i < p->d; i++) {
    bool rigid = joints->rigid && (!joints->elastic || i % 2);
    p->stops.lower[i] = i % 3 == 2 ? NAN : -joints->gap;
    p->stops.upper[i] = i % 4 == 3 ? NAN : joints->gap * (1.5 + fixture_random(seed));
    p->stops.stiffness[i] = rigid ? NAN : 300;
    p->stops.restitution[i] = rigid && i % 2 ? 0.5 : 0;
    p->x0[i] = fmax(-joints->gap, fmin(p->x0[i], 0.5 * joints->gap));
  }
}

/* Makes the problem. Returns whether the scheme supports it; otherwise clears it. */
static bool joint_problem(SimProblem *p, int d, const Trial *trial, const Joints *joints, uint64_t *seed) {
  const SimReport silent = {NULL, refuse};
  FixtureSource source = {slow_wave, 2 * d}, moving = {slow_wave, d};
  const SimLoad course = {.context = &source, .at = fixture_force_at},
                belt = {.context = &moving, .at = fixture_force_at};
  SimBounds bounds;
  double where;
  random_problem(p, d, trial, seed);
  p->signal = d <= 2 ? (SimSignal)(d % 3) : SIM_CONSTANT;
  p->segments = p->signal == SIM_CONSTANT ? 1 : 3;
  if (d % 2) sim_problem_set(p, "theta", 0.7);
  if (joints->rigid || joints->elastic) add_stops(p, joints, seed);
  for (int i = 0; i < d && joints->anchors; i++) p->x0[i] = fmax(-joints->reach, fmin(p->x0[i], joints->reach));
  if (joints->anchors) assert_int_equal(springs_set(p, SIM_ANCHORS, true, springs_wavy, joints->reach, &where), SIM_OK);
  if (joints->links && d > 1) assert_int_equal(springs_set(p, SIM_LINKS, false, springs_kinked, 8, &where), SIM_OK);
  if (joints->thresholds) assert_int_equal(stiction_problem_set_thresholds(p, 2 * d, &course, 0, NULL, &where), SIM_OK);
  if (joints->surface) assert_int_equal(stiction_problem_set_surface(p, d, &belt, 0, NULL, &where), SIM_OK);
  if (sim_problem_check(p, &silent, &bounds) == SIM_OK) return true;
  sim_problem_clear(p);
  return false;
}

/* Counts over all models: how many of them the lanes support, and what happened in their rollouts. */
typedef struct Seen {
  int models, failed, out_of_range;
  long impacts;
} Seen;

static void try_joints(int c, const Trial *trial, const Joints *joints, uint64_t *seed, Seen *seen) {
  static Batch batch;
  SimProblem p;
  SimWorkspace *work;
  if (!joint_problem(&p, 1 + c % 8, trial, joints, seed)) return;
  SimModel *model = fixture_model(&p, fixture_tp2_force, &work);
  randomise(&batch, 12, seed);
  compare(model, work, 3 + c % 35, true, &batch);
  for (int i = 0; i < 3 + c % 35; i++) {
    seen->failed += batch.final[i].status != SIM_OK;
    seen->out_of_range += batch.final[i].status == SIM_OUT_OF_RANGE;
    seen->impacts += batch.final[i].impacts;
  }
  seen->models++;
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

/* Tests each kind of joint alone and all combinations that the schemes support. */
static void any_joints(void **state) {
  (void)state;
  static const struct {
    const char *scheme;
    SimMultiplier multiplier;
    int models;
  } schemes[] = {
      {"moreau", SIM_UNREGULARIZED, 45}, {"centered", SIM_UNREGULARIZED, 25}, {"centered", SIM_REGULARIZED, 25}};
  for (int k = 0; k < 3; k++) {
    Seen seen = {0};
    uint64_t seed = 61;
    for (int c = 0; c < 512; c += 3) {
      const Trial trial = {.scheme = schemes[k].scheme,
                           .multiplier = schemes[k].multiplier,
                           .full_mass = c % 3 == 0,
                           .damped = c % 2,
                           .stribeck = c % 5 ? SIM_STRIBECK_NONE : SIM_STRIBECK_RAMP};
      const Joints joints = {.anchors = c & 1,
                             .links = c & 2,
                             .rigid = c & 4,
                             .elastic = c & 8,
                             .surface = c & 16,
                             .thresholds = c & 32,
                             .reach = c & 64 ? 4 : 1.2,
                             .gap = c & 128 ? 0.4 : 1.5};
      try_joints(c, &trial, &joints, &seed, &seen);
    }
    assert_in_range(seen.models, schemes[k].models, 171);
    assert_true(seen.out_of_range > 0 && (k > 0 || seen.impacts > 0));
  }
}

/* A batch has NaN controls among good ones. */
static void joints_fail_alone(void **state) {
  (void)state;
  static Batch batch;
  const Trial trial = {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED};
  const Joints joints = {.anchors = true, .rigid = true, .reach = 12, .gap = 0.5};
  uint64_t seed = 5;
  SimProblem p;
  SimWorkspace *work;
  assert_true(joint_problem(&p, 2, &trial, &joints, &seed));
  p.signal = SIM_CONSTANT;
  p.segments = 1;
  SimModel *model = fixture_model(&p, fixture_tp2_force, &work);
  randomise(&batch, 12, &seed);
  batch.u[2][0] = NAN;
  batch.u[5][1] = 1e308;
  batch.u[9][0] = -INFINITY;
  compare(model, work, 20, true, &batch);
  assert_int_equal(batch.final[3].status, SIM_OK);
  assert_int_not_equal(batch.final[2].status, SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_joints), cmocka_unit_test(joints_fail_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
