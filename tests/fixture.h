/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that several tests share. Includes cmocka's headers in the order that it requires. Also: the control
 * paper's two problems, pseudo-random numbers, and a folder for files. */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FIXTURE_PI = 3.14159265358979323846;

/* Returns a number uniform in (-1, 1). The sequence is the same on all machines. */
static inline double fixture_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Returns the larger of two numbers, or NaN if one is NaN, which fmax would ignore. */
static inline double fixture_max(double a, double b) { return isnan(a) || b <= a ? a : b; }

enum { FIXTURE_DIRECTORY_SIZE = 400, FIXTURE_PATH_SIZE = 512 };

/* Creates a folder for the test's temporary files. Returns 0 or -1. */
static inline int fixture_directory(char directory[FIXTURE_DIRECTORY_SIZE]) {
  const char *parent = getenv("TMPDIR");
  int length =
      snprintf(directory, FIXTURE_DIRECTORY_SIZE, "%s/stiction-test-XXXXXX", parent && *parent ? parent : P_tmpdir);
  return length < FIXTURE_DIRECTORY_SIZE && mkdtemp(directory) ? 0 : -1;
}

/* Sets path to the path of a file in the folder. */
static inline void fixture_path(const char *directory, const char *name, char path[FIXTURE_PATH_SIZE]) {
  assert_in_range(snprintf(path, FIXTURE_PATH_SIZE, "%s/%s", directory, name), 1, FIXTURE_PATH_SIZE - 1);
}

/* Function `complain` of a SimReport that fails the test, for problems that must be valid. */
static inline void fixture_complain(void *context, const char *key, const char *text) {
  (void)context;
  fail_msg("%s: %s", key, text);
}

/* Force f(t) on degree of freedom i. */
typedef double FixtureForce(int i, double t);

static inline double fixture_no_force(int i, double t) {
  (void)i;
  (void)t;
  return 0;
}
static inline double fixture_tp1_force(int i, double t) {
  (void)i;
  return -100 * exp(-10 * t);
}
static inline double fixture_tp2_force(int i, double t) {
  (void)i;
  return -10 * sin(3 * FIXTURE_PI * t / 5) * exp(-t * t);
}

static inline void fixture_time(SimProblem *p, double end, long steps) {
  p->end = end;
  p->steps = steps;
  p->step = end / (double)steps;
}

/* Sets a scheme, with an unregularized multiplier if it has the choice, and defaults for its other keys. */
static inline void fixture_scheme(SimProblem *p, const char *name) {
  assert_int_equal(sim_problem_set_scheme(p, name), SIM_OK);
  sim_problem_set(p, "multiplier", SIM_UNREGULARIZED);
}

/* Makes test problem 1 or 2 of Glowinski-Kearsley, with `refine` times the number of steps in the paper. */
static inline void fixture_paper(SimProblem *p, int which, const char *scheme, SimMultiplier multiplier, long refine) {
  static const double tp2_stiffness[9] = {3, -2, 0, -2, 4, -3, 0, -3, 5};
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 3, 3), SIM_OK);
  for (int i = 0; i < 3; i++) {
    p->system.mass[4 * i] = which == 1 ? 4 + i : 1 + i;
    p->friction[i] = which == 1 ? 10 : 6 - i;
    p->x0[i] = which == 1 ? 1 + i : 1 + 2 * i;
    p->v0[i] = which == 1 ? 1 : 2;
    for (int j = 0; j < 3; j++)
      p->system.stiffness[3 * i + j] = which == 1 ? 1.0 / (i + j + 1) : tp2_stiffness[3 * i + j];
  }
  fixture_time(p, which == 1 ? 5 : 10, (which == 1 ? 400 : 1000) * refine);
  fixture_scheme(p, scheme);
  sim_problem_set(p, "multiplier", multiplier);
}

/* Gives each degree of freedom its own friction table, which decreases, is constant and increases. */
static inline void fixture_table(SimProblem *p) {
  enum { POINTS = 6 };
  static const double speed[POINTS] = {0.02, 0.2, 0.6, 0.9, 1.5, 4}, shape[POINTS] = {1, 0.9, 0.7, 0.7, 0.75, 1.2};
  double *friction = calloc((size_t)p->d * POINTS, sizeof *friction);
  long where;
  assert_non_null(friction);
  for (int k = 0; k < p->d * POINTS; k++) friction[k] = (2 + k / POINTS) * pow(shape[k % POINTS], 1 + k / POINTS % 3);
  assert_int_equal(stiction_problem_set_friction_table(p, POINTS, p->d, speed, friction, &where), SIM_OK);
  free(friction);
}

typedef struct FixtureSource {
  FixtureForce *force;
  int d;
} FixtureSource;

static inline void fixture_force_at(void *context, double t, double *f) {
  const FixtureSource *source = context;
  for (int i = 0; i < source->d; i++) f[i] = source->force(i, t);
}

/* Sets the force of a problem in the form that its scheme needs. */
static inline void fixture_fill_force(SimProblem *p, FixtureForce *force) {
  FixtureSource source = {force, p->d};
  const SimLoad load = {.context = &source, .at = fixture_force_at};
  double where;
  if (sim_force_in_pieces(p)) {
    assert_int_equal(stiction_problem_set_pieces(p, &load, 0, NULL, &where), SIM_OK);
    return;
  }
  assert_int_equal(sim_problem_alloc_force(p), SIM_OK);
  for (long k = 0; k < sim_force_count(p); k++) load.at(&source, sim_force_time(p, k), p->force + k * p->d);
}

/* Checks the problem, sets r and epsilon to their defaults, tabulates the force, and creates model and workspace. */
static inline SimModel *fixture_model(SimProblem *p, FixtureForce *force, SimWorkspace **work) {
  const SimReport report = {NULL, fixture_complain};
  SimModel *model;
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  fixture_fill_force(p, force);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, work), SIM_OK);
  return model;
}

/* Simulates the problem, which must succeed, and clears it. x, v: [d] final state. observer: may be NULL. */
static inline SimFinal fixture_run(SimProblem *p, FixtureForce *force, const double *control,
                                   const SimObserver *observer, double *x, double *v) {
  SimWorkspace *work;
  SimModel *model = fixture_model(p, force, &work);
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(stiction_rollout(model, work, control, observer, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
  return final;
}

/* Makes a block with this mass and threshold that slides on a floor with this initial speed. */
static inline void fixture_throw(SimProblem *p, const char *scheme, double end, long steps, double mass,
                                 double threshold, double speed) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(p, end, steps);
  fixture_scheme(p, scheme);
  p->system.mass[0] = mass;
  p->friction[0] = threshold;
  p->v0[0] = speed;
}

/* Checks that a call with a bad argument returns this status, and that it reports the error. */
#define EXPECT_REFUSED(call, expected)                                                                                 \
  do {                                                                                                                 \
    assert_int_equal(call, SIM_BAD_ARGUMENT);                                                                          \
    assert_string_equal(stiction_status_text(SIM_BAD_ARGUMENT), expected);                                             \
  } while (0)

#endif
