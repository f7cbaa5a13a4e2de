/* SPDX-License-Identifier: BSD-2-Clause */
/* Lets an allocation fail at any point while a model is checked, created, prepared for derivatives, or a motion is
 * recorded. The failure is reported, and everything is freed. All kinds of models, schemes and storages are tested. */
#include "tests/fixture.h"
#include "tests/no_memory.h"

#include "src/file/sections/file.h"

#include <glob.h>

enum { VARIABLES = 256, STEPS_ON_RECORD = 60 };

static SimStatus record(const SimModel *model, SimWorkspace *work, SimAdjoint *adjoint, const SimProblem *p) {
  double u[VARIABLES] = {1, -2, 3};
  double *x = calloc(2 * (size_t)p->d, sizeof *x);
  if (!x) return SIM_NO_MEMORY;
  SimFinal final = {.x = x, .v = x + p->d};
  SimStatus status = sim_rollout_record(model, work, adjoint, u, &final);
  free(x);
  return status;
}

/* Calls everything that allocates, in the order in which a caller would, with derivatives if there are any. */
static SimStatus prepare(const SimProblem *p) {
  static const SimDependence on[] = {SIM_ON_POSITION, SIM_ON_CONTROL};
  const int n = p->n_control > 0 ? 2 : 1;
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  SimSensitivity *sensitivity = NULL;
  SimAdjoint *adjoint = NULL;
  SimStatus status = stiction_model_create(p, NULL, &model);
  if (status == SIM_OK) status = stiction_workspace_create(model, &work);
  if (status == SIM_OK && sim_scheme_differentiates(p->scheme, p)) {
    status = stiction_sensitivity_create(model, n, on, &sensitivity);
    if (status == SIM_OK) status = sim_adjoint_create(model, n, on, &adjoint);
    if (status == SIM_OK && p->steps <= STEPS_ON_RECORD) status = record(model, work, adjoint, p);
  }
  sim_adjoint_destroy(adjoint);
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return status;
}

typedef struct Trial {
  const SimProblem *problem;
  SimStatus status; /* status if memory suffices */
} Trial;

static void attempt(void *context, long k) {
  const Trial *trial = context;
  SimStatus status = prepare(trial->problem);
  if (status != (no_memory_failed() ? SIM_NO_MEMORY : trial->status))
    fail_msg("allocation %ld: %s", k, stiction_status_text(status));
}

static void attempt_check(void *context, long k) {
  SimBounds bounds;
  SimStatus status = sim_problem_check(((const Trial *)context)->problem, NULL, &bounds);
  if (status != (no_memory_failed() ? SIM_NO_MEMORY : SIM_OK))
    fail_msg("allocation %ld of the check: %s", k, stiction_status_text(status));
}

static void try_file(const char *path, char **settings, int n) {
  Problem problem;
  assert_int_equal(
      problem_file_read(path, settings, n, false, &(Diagnostics){.report = diagnostic_print, .to = stderr}, &problem),
      0);
  Trial trial = {&problem.sim, prepare(&problem.sim)};
  assert_true(trial.status == SIM_OK || trial.status == SIM_BAD_PROBLEM);
  assert_true(no_memory_each(attempt, &trial) > 2);
  no_memory_each(attempt_check, &trial);
  problem_clear(&problem);
}

static void models_of_files(void **state) {
  (void)state;
  glob_t files;
  assert_int_equal(glob(STICTION_ROOT "/jobs/problems/[!e]*.yaml", 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) try_file(files.gl_pathv[i], NULL, 0);
  globfree(&files);
}

static void motions_on_record(void **state) {
  (void)state;
  static const char *const schemes[] = {"scheme={name: event}", "scheme={name: moreau}",
                                        "scheme={name: centered, multiplier: regularized}"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    char scheme[64], time[] = "time={end: 1, steps: 40}";
    snprintf(scheme, sizeof scheme, "%s", schemes[i]);
    char *settings[] = {scheme, time, (char[]){"model.nodes=20"}};
    try_file(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, 2);
    try_file(STICTION_ROOT "/jobs/problems/tp2.yaml", settings, 2);
    if (i > 0) try_file(STICTION_ROOT "/jobs/problems/string-plucked.yaml", settings, 3);
  }
}

/* If memory is missing for the force, the rest of the problem does not change. */
static void load(void *context, long k) {
  SimProblem p;
  (void)context;
  SimStatus status = sim_problem_init(&p, SIM_FRICTION, 2, 1);
  if (status == SIM_OK) {
    fixture_time(&p, 1, 4);
    status = sim_problem_alloc_force(&p);
    if (!p.system.mass || !p.x0 || (p.force != NULL) != (status == SIM_OK)) fail_msg("allocation %ld", k);
    sim_problem_clear(&p);
  }
  assert_int_equal(status, no_memory_failed() ? SIM_NO_MEMORY : SIM_OK);
}

static void loads(void **state) {
  (void)state;
  assert_true(no_memory_each(load, NULL) > 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(models_of_files), cmocka_unit_test(motions_on_record),
                                     cmocka_unit_test(loads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
