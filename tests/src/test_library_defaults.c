/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a problem made with sim.h and control.h from only the data in a file equals the problem in that file: the
 * same defaults, and the same bits of J. */
#include "tests/fixture.h"

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/library/message_list.h"
#include "src/library/point_search.h"
#include "src/library/problem_file.h"
#include "src/library/recorded_motion.h"

#include <locale.h>
#include <pthread.h>

static int no_listener(void *context, const CtlState *state, double seconds) {
  (void)context;
  (void)state;
  (void)seconds;
  return 0;
}

static double least_cost(SimProblem *sim, const CtlProblem *control) {
  const SimReport report = {NULL, fixture_complain};
  const CtlListener listener = {.simplex = no_listener};
  SimModel *model;
  SimWorkspace *work;
  CtlSearch *search;
  CtlTimes times;
  CtlState state;
  assert_int_equal(stiction_problem_finalize(sim, &report), SIM_OK);
  assert_int_equal(stiction_model_create(sim, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  assert_int_equal(stiction_control_check(control, &report), CTL_OK);
  assert_int_equal(stiction_asktell_create(control, &search), CTL_OK);
  CtlSimulation simulation = {.model = model, .work = work};
  CtlEvaluator evaluator = ctl_simulator(&simulation);
  assert_int_equal(ctl_drive_serial(search, &evaluator, &listener, &times), 0);
  stiction_asktell_state(search, &state);
  double J = state.J;
  stiction_asktell_destroy(search);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return J;
}

static void push(void *context, double t, double *f) {
  (void)context;
  for (int i = 0; i < 3; i++) f[i] = -100 * exp(-10 * t);
}

/* Makes test problem 1, as in jobs/problems/tp1.yaml, with each scheme and its defaults. */
static void make_tp1(SimProblem *sim, CtlProblem *control, const char *scheme) {
  static const double target[3] = {2, 0, -2};
  assert_int_equal(sim_problem_init(sim, SIM_FRICTION, 3, 3), SIM_OK);
  assert_int_equal(sim_problem_set_scheme(sim, scheme), SIM_OK);
  for (int i = 0; i < 3; i++) {
    sim->system.mass[4 * i] = 4 + i;
    sim->friction[i] = 10;
    sim->x0[i] = 1 + i;
    sim->v0[i] = 1;
    for (int j = 0; j < 3; j++) sim->system.stiffness[3 * i + j] = 1. / (i + j + 1);
  }
  sim->end = 5;
  sim->step = 0.0125;
  sim->steps = 400;
  assert_int_equal(stiction_problem_set_force(sim, push, NULL), SIM_OK);
  assert_int_equal(ctl_problem_init(control, 3, 3), SIM_OK);
  control->end = 5;
  control->method = ctl_method_find("pds");
  control->penalty = CTL_PENALTY_PI;
  for (int i = 0; i < 3; i++) {
    control->weight[4 * i] = 1. / 3;
    control->position[i] = target[i];
  }
}

static void same_answer(void **unused) {
  (void)unused;
  static const char *const schemes[] = {"centered", "moreau", "lie", "strang"};
  for (int k = 0; k < 4; k++) {
    char setting[64];
    char *settings[] = {setting, "search={method: pds, penalty: Pi, rho_update: dynamic}"};
    Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
    Problem file;
    SimProblem sim;
    CtlProblem control;
    snprintf(setting, sizeof setting, "scheme={name: %s}", schemes[k]);
    assert_int_equal(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, 2, true, &diagnostics, &file),
                     0);
    make_tp1(&sim, &control, schemes[k]);
    control.rho_update = CTL_RHO_DYNAMIC;
    double J = least_cost(&sim, &control), expected = least_cost(&file.sim, &file.control);
    assert_memory_equal(&J, &expected, sizeof J);
    if (k == 0) assert_true(fabs(J - 468.0669) < 1e-3);
    sim_problem_clear(&sim);
    ctl_problem_clear(&control);
    problem_clear(&file);
  }
}

/* Each scheme has defaults of its own. An unknown scheme leaves everything unchanged. */
static void unknown_scheme(void **unused) {
  (void)unused;
  SimProblem sim;
  assert_int_equal(sim_problem_init(&sim, SIM_FRICTION, 1, 1), SIM_OK);
  assert_int_equal(sim_problem_set_scheme(&sim, "centred"), SIM_BAD_PROBLEM);
  assert_string_equal(sim_scheme_name(sim.scheme), "moreau");
  assert_true(sim_problem_get(&sim, "multiplier") == SIM_UNREGULARIZED && sim_problem_get(&sim, "theta") == 0 &&
              sim_problem_get(&sim, "tolerance") == 1.5e-8);
  assert_int_equal(sim_problem_set_scheme(&sim, "centered"), SIM_OK);
  assert_true(sim_problem_get(&sim, "multiplier") == SIM_REGULARIZED && sim_problem_get(&sim, "alpha") == 0.25 &&
              sim_problem_get(&sim, "r") == 0 && sim_problem_get(&sim, "epsilon") == 0);
  sim_problem_clear(&sim);
}

/* All keys with expressions have the same variables. */
static void same_variables(void **unused) {
  (void)unused;
  char *smooth[] = {"scheme={name: lie, multiplier: smooth, eta: step/T}"};
  char *regularized[] = {"scheme={name: centered, epsilon: step*T/4, r: T/(delta*step)}"};
  Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
  Problem file;
  const char *path = STICTION_ROOT "/jobs/problems/tp1.yaml";
  assert_int_equal(problem_file_read(path, smooth, 1, true, &diagnostics, &file), 0);
  assert_true(sim_problem_get(&file.sim, "eta") == file.sim.step / file.sim.end);
  problem_clear(&file);
  char *by_delta[] = {"scheme={name: lie, multiplier: smooth, eta: step/delta}"};
  assert_int_equal(problem_file_read(path, by_delta, 1, true, &diagnostics, &file), 0);
  assert_true(sim_problem_get(&file.sim, "eta") == file.sim.step / file.sim.bounds.delta);
  problem_clear(&file);
  assert_int_equal(problem_file_read(path, regularized, 1, true, &diagnostics, &file), 0);
  assert_true(sim_problem_get(&file.sim, "epsilon") == file.sim.step * file.sim.end / 4);
  assert_true(sim_problem_get(&file.sim, "r") == file.sim.end / (file.sim.bounds.delta * file.sim.step));
  problem_clear(&file);
}

typedef struct Heard {
  int count;
  char file[64], key[64], text[256];
  long line, column;
} Heard;

static void hear(void *context, const StictionMessage *message) {
  Heard *heard = context;
  heard->count++;
  heard->line = message->line;
  heard->column = message->column;
  snprintf(heard->file, sizeof heard->file, "%s", message->file ? message->file : "nowhere");
  snprintf(heard->key, sizeof heard->key, "%s", message->key ? message->key : "none");
  snprintf(heard->text, sizeof heard->text, "%s", message->text);
}

/* Tests the reader of the public library: a text, settings, reported errors, and its echo, which is read again. */
static void texts(void **unused) {
  (void)unused;
  static const char text[] = "title: a block\nmodel: {kind: friction, mass: 1, friction: 1, x0: [0]}\n"
                             "time: {end: 1, step: 0.1}\n";
  static const char wrong[] = "model: {kind: friction, mass: 1, friction: -2, x0: [0]}\ntime: {end: 1, step: 0.1}\n";
  char *settings[] = {(char[]){"time.step=0.05"}};
  Heard heard = {0};
  const StictionListener listener = {&heard, hear};
  StictionFile *file, *again;
  SimModel *model;
  assert_int_equal(stiction_text_read("text", text, sizeof text - 1, 1, settings, &listener, &file), SIM_OK);
  assert_int_equal(heard.count, 0);
  assert_string_equal(stiction_file_title(file), "a block");
  assert_int_equal(stiction_file_problem(file)->steps, 20);
  assert_null(stiction_file_control(file));
  char *echo = stiction_file_echo(file);
  assert_non_null(echo);
  assert_int_equal(stiction_text_read("echo", echo, strlen(echo), 0, NULL, &listener, &again), SIM_OK);
  assert_int_equal(stiction_file_problem(again)->steps, 20);
  assert_int_equal(stiction_model_create(stiction_file_problem(again), NULL, &model), SIM_OK);
  stiction_model_destroy(model);
  free(echo);
  stiction_file_destroy(file);
  stiction_file_destroy(again);
  assert_int_equal(stiction_text_read("wrong", wrong, sizeof wrong - 1, 0, NULL, &listener, &file), SIM_BAD_PROBLEM);
  assert_null(file);
  assert_int_equal(heard.count, 1);
  assert_string_equal(stiction_status_text(SIM_BAD_PROBLEM),
                      "the problem is not valid: wrong:1:44: model.friction: entry 1 is -2 (expected >= 0)");
  assert_string_equal(heard.file, "wrong");
  assert_string_equal(heard.key, "model.friction");
  assert_int_equal(heard.line, 1);
  assert_int_equal(heard.column, 44);
  assert_int_equal(stiction_file_read("no/such/file", 0, NULL, NULL, &listener, &file), SIM_BAD_PROBLEM);
  assert_int_equal(stiction_file_read(NULL, 0, NULL, NULL, &listener, &file), SIM_BAD_PROBLEM);
  assert_string_equal(heard.text, "path: NULL");
  assert_int_equal(stiction_text_read("text", text, sizeof text - 1, 1, NULL, NULL, &file), SIM_BAD_PROBLEM);
  assert_string_equal(stiction_status_text(SIM_BAD_PROBLEM), "the problem is not valid: problem file: settings: NULL");
  assert_int_equal(stiction_text_read("text", text, sizeof text - 1, 1, (char *[]){NULL}, &listener, &file),
                   SIM_BAD_PROBLEM);
  assert_string_equal(heard.text, "settings: NULL");
  assert_int_equal(stiction_file_read("no/such/file", 1, (char *[]){NULL}, NULL, NULL, &file), SIM_BAD_PROBLEM);
  assert_string_equal(stiction_version(), STICTION_VERSION);
  stiction_file_destroy(NULL);
}

typedef struct Threaded {
  const SimModel *model;
  const CtlProblem *control;
  double J;
  char refused[64];
} Threaded;

/* Runs a search in its own thread, on a model that all threads share. */
static void *search_alone(void *context) {
  Threaded *own = context;
  SimWorkspace *work = NULL;
  CtlSearch *search = NULL;
  CtlState state = {.J = NAN};
  CtlSimulation simulation = {.model = own->model};
  if (stiction_workspace_create(own->model, &work) == SIM_OK &&
      stiction_asktell_create(own->control, &search) == CTL_OK) {
    simulation.work = work;
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    if (ctl_drive_serial(search, &evaluator, NULL, NULL) == 0) stiction_asktell_state(search, &state);
  }
  own->J = state.J;
  stiction_workspace_create(own->model, NULL);
  snprintf(own->refused, sizeof own->refused, "%s", stiction_status_text(SIM_BAD_ARGUMENT));
  stiction_asktell_destroy(search);
  stiction_workspace_destroy(work);
  return NULL;
}

/* Concurrent threads that search by two methods find the same answers as one thread alone; each receives its own
 * errors. */
static void threads(void **unused) {
  (void)unused;
  enum { THREADS = 4 };
  static const char *const methods[] = {"pds", "nlopt:cobyla"};
  SimProblem sim;
  CtlProblem control[2];
  SimModel *model;
  Threaded alone[2], each[THREADS];
  pthread_t thread[THREADS];
  make_tp1(&sim, &control[0], "centered");
  assert_int_equal(stiction_problem_finalize(&sim, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&sim, NULL, &model), SIM_OK);
  sim_problem_clear(&sim);
  make_tp1(&sim, &control[1], "centered");
  for (int k = 0; k < 2; k++) {
    control[k].method = ctl_method_find(methods[k]);
    control[k].max_evaluations = 400;
    assert_int_equal(stiction_control_check(&control[k], NULL), CTL_OK);
    alone[k] = (Threaded){.model = model, .control = &control[k]};
    search_alone(&alone[k]);
    assert_true(isfinite(alone[k].J));
  }
  for (int i = 0; i < THREADS; i++) {
    each[i] = (Threaded){.model = model, .control = &control[i % 2]};
    assert_int_equal(pthread_create(&thread[i], NULL, search_alone, &each[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_memory_equal(&each[i].J, &alone[i % 2].J, sizeof each[i].J);
    assert_string_equal(each[i].refused, "stiction_workspace_create: work is NULL");
  }
  for (int k = 0; k < 2; k++) ctl_problem_clear(&control[k]);
  stiction_model_destroy(model);
  sim_problem_clear(&sim);
}

/* The host's locale, for example Python's, may have a decimal comma: files and keys still use a point. */
static void comma(void **state) {
  static const char text[] =
      "model: {kind: friction, mass: 2.5, friction: 1.5, x0: [0]}\ntime: {end: 0.5, step: 0.125}\n";
  (void)state;
  StictionFile *file;
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip(); /* the locale is not installed everywhere */
  assert_int_equal(stiction_text_read("text", text, sizeof text - 1, 0, NULL, NULL, &file), SIM_OK);
  assert_true(stiction_file_problem(file)->system.mass[0] == 2.5);
  stiction_file_destroy(file);
  StictionSearch *search = stiction_search_create(1, 1);
  assert_int_equal(stiction_search_key(search, "step", "0.5", NULL), SIM_OK);
  stiction_search_destroy(search);
  assert_string_equal(localeconv()->decimal_point, ","); /* unchanged */
  setlocale(LC_ALL, "C");
}

/* NULL arguments, and indices beyond the last, are refused or ignored, without a crash. */
static void no_arguments(void **state) {
  (void)state;
  StictionMessages *messages = stiction_messages_create();
  StictionSearch *search = stiction_search_create(1, 1);
  StictionMotion *motion = NULL;
  for (int k = -1; k < 2; k++) {
    assert_null(stiction_message_text(messages, k));
    assert_int_equal(stiction_message_line(NULL, k), 0);
    assert_null(stiction_motion_array(NULL, k));
    assert_int_equal(stiction_motion_columns(NULL, k), 0);
  }
  assert_int_equal(stiction_messages_count(NULL), 0);
  assert_int_equal(stiction_motion_run(NULL, NULL, NULL, NULL, NULL, &motion), SIM_BAD_ARGUMENT);
  assert_int_equal(stiction_search_value(search, 0, NULL, 0, 0), SIM_BAD_ARGUMENT);
  assert_int_equal(stiction_search_key(search, NULL, "3", NULL), SIM_BAD_ARGUMENT);
  assert_int_equal(stiction_search_key(search, "step", NULL, NULL), SIM_BAD_ARGUMENT);
  assert_string_equal(stiction_status_text(SIM_BAD_ARGUMENT), "stiction_search_key: text is NULL");
  assert_int_equal(stiction_search_variable(NULL, 0, 0, 1, 0), SIM_BAD_ARGUMENT);
  assert_int_equal(stiction_search_begin(NULL, NULL, 0, NULL), SIM_BAD_ARGUMENT);
  assert_int_equal(stiction_search_begin(search, NULL, 8, NULL), SIM_BAD_ARGUMENT);
  assert_int_equal(stiction_search_run(NULL, NULL, NULL, NULL), SIM_BAD_ARGUMENT);
  assert_true(isnan(stiction_search_number(search, NULL)) && isnan(stiction_search_number(NULL, "J")));
  assert_null(stiction_search_best(search, NULL));
  assert_null(stiction_search_method(NULL));
  assert_null(stiction_file_problem(NULL));
  assert_null(stiction_file_echo(NULL));
  assert_null(stiction_search_of_file(NULL));
  assert_int_equal(stiction_file_variables(NULL), 0);
  stiction_search_destroy(search);
  stiction_messages_destroy(messages);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_answer),    cmocka_unit_test(unknown_scheme),
                                     cmocka_unit_test(same_variables), cmocka_unit_test(texts),
                                     cmocka_unit_test(comma),          cmocka_unit_test(no_arguments),
                                     cmocka_unit_test(threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
