/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a rollout that is repeatedly saved and loaded into a new workspace has the bits of one that is not. It
 * uses every problem in jobs/problems, and so all kinds of models and all schemes. */
#include "tests/fixture.h"

#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

#include <glob.h>

/* A hash of everything that an observer sees. */
typedef struct Digest {
  uint64_t hash;
  int d, extras;
  bool multiplier;
} Digest;

static void add(Digest *digest, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) digest->hash = (digest->hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void see(void *context, const SimStep *step) {
  Digest *digest = context;
  size_t size = (size_t)digest->d * sizeof(double);
  add(digest, step->x, size);
  add(digest, step->v, size);
  if (digest->multiplier) add(digest, step->lambda, size);
  add(digest, step->slip, (size_t)digest->d);
  add(digest, step->extra, (size_t)digest->extras * sizeof(double));
  add(digest, step->energy, sizeof *step->energy);
}

/* Runs a rollout. piece: number of steps between two interruptions; 0: no interruption. */
static Digest roll(SimProblem *p, long piece, SimFinal *final) {
  const char *const *names;
  Digest digest = {
      .d = p->d, .extras = stiction_kind_extras(p->kind, &names), .multiplier = sim_kind_has_multiplier(p->kind)};
  const SimObserver observer = {.context = &digest, .step = see};
  const SimReport report = {NULL, fixture_complain};
  SimModel *model;
  SimWorkspace *work;
  enum { VARIABLES = 256 /* most variables in the files */ };
  double u[VARIABLES];
  for (int i = 0; i < VARIABLES; i++) u[i] = 0.3 * (i % 64) - 1;
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  if (!piece) {
    stiction_rollout(model, work, u, &observer, final);
  } else {
    size_t size = sim_workspace_saved_size(model);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    sim_rollout_begin(model, work, u, &observer);
    for (long n = piece; n < p->steps; n += piece) {
      assert_int_equal(sim_rollout_run_to(model, work, &observer, n), SIM_OK);
      assert_int_equal(sim_rollout_position(work), n);
      sim_workspace_save(model, work, bytes);
      stiction_workspace_destroy(work);
      assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
      assert_int_equal(sim_workspace_load(model, work, bytes, size - 1), SIM_BAD_PROBLEM);
      assert_int_equal(sim_workspace_load(model, work, bytes, size), SIM_OK);
    }
    sim_rollout_run_to(model, work, &observer, p->steps);
    sim_rollout_end(model, work, final);
    free(bytes);
  }
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return digest;
}

static bool has_settled; /* set if bouncing ended in some problem */

static void compare(const char *path, char **settings, int n) {
  Problem problem;
  SimFinal final[2];
  assert_int_equal(
      problem_file_read(path, settings, n, false, &(Diagnostics){.report = diagnostic_print, .to = stderr}, &problem),
      0);
  size_t d = (size_t)problem.sim.d;
  double *states = calloc(4 * d, sizeof *states);
  assert_non_null(states);
  for (size_t k = 0; k < 2; k++) final[k] = (SimFinal){.x = states + 2 * k * d, .v = states + (2 * k + 1) * d};
  Digest whole = roll(&problem.sim, 0, &final[0]);
  for (long piece = 1; piece < problem.sim.steps; piece = 7 * piece + 5) {
    Digest broken = roll(&problem.sim, piece, &final[1]);
    if (broken.hash != whole.hash) fail_msg("%s: pieces of %ld steps show something else", path, piece);
    assert_memory_equal(states, states + 2 * d, 2 * d * sizeof *states);
    assert_int_equal(final[0].iterations, final[1].iterations);
    assert_true(final[0].residual == final[1].residual && final[0].status == final[1].status);
    assert_true(final[0].grazes == final[1].grazes && final[0].impacts == final[1].impacts);
    assert_int_equal(final[0].settled, final[1].settled);
    has_settled = has_settled || final[0].settled > 0;
  }
  free(states);
  problem_clear(&problem);
}

/* Compares a string under a varying force, by the given scheme. */
static void compare_string(const char *scheme) {
  char name[48], nodes[] = "model.nodes=20", force[] = "model.force=\"20*sin(6*t)*(1+s)\"";
  snprintf(name, sizeof name, "scheme={name: %s}", scheme);
  char *settings[] = {name, nodes, force};
  compare(STICTION_ROOT "/jobs/problems/string-plucked.yaml", settings, 3);
}

static void breaks_change_nothing(void **state) {
  (void)state;
  glob_t files;
  assert_int_equal(glob(STICTION_ROOT "/jobs/problems/[!e]*.yaml", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) compare(files.gl_pathv[i], NULL, 0);
  globfree(&files);
  assert_true(has_settled);
  compare_string("moreau");
  compare_string("centered");
  static const char *const schemes[] = {"scheme.name=moreau", "scheme.name=lie", "scheme.name=strang"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s", schemes[i]);
    char *settings[] = {name, (char[]){"scheme.multiplier=unregularized"}, (char[]){"scheme.solver=fixed_point"}};
    compare(STICTION_ROOT "/jobs/problems/tp2.yaml", settings, 2);
    compare(STICTION_ROOT "/jobs/problems/tp2.yaml", settings, 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(breaks_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
