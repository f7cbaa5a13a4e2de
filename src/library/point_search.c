/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/library/point_search.h"

#include "control/evaluator.h"
#include "sim/base/argument.h"
#include "src/base/plain_locale.h"
#include "src/file/sections/external.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct StictionSearch {
  const CtlProblem *problem; /* the problem; owned, or borrowed from the file */
  CtlProblem own;
  CtlSearch *search;     /* the search; NULL before it begins */
  double *no_values;     /* [d] NaNs, used as the values of a point that could not be evaluated */
  double *rows;          /* [d][ctl_row_size] derivatives of the values at a point; NULL: the search does not use
                          * them */
  const SimProblem *sim; /* model of the motion of a problem file, which the search simulates; NULL: the caller supplies
                          * the values */
};

static StictionSearch *create(void) { return calloc(1, sizeof(StictionSearch)); }

StictionSearch *stiction_search_create(int n, int m) {
  StictionSearch *search = create();
  if (!search || ctl_problem_init_values(&search->own, n, m) != SIM_OK) {
    free(search);
    return NULL;
  }
  search->problem = &search->own;
  search->no_values = calloc((size_t)m, sizeof *search->no_values);
  if (search->no_values) return search;
  stiction_search_destroy(search);
  return NULL;
}

StictionSearch *stiction_search_of_file(const StictionFile *file) {
  StictionSearch *search = stiction_file_control(file) && !stiction_file_has_plan(file) ? create() : NULL;
  if (!search) return NULL;
  search->problem = stiction_file_control(file);
  search->sim = stiction_file_problem(file);
  return search;
}

void stiction_search_destroy(StictionSearch *search) {
  if (!search) return;
  stiction_asktell_destroy(search->search);
  if (!search->sim) ctl_problem_clear(&search->own);
  free(search->no_values);
  free(search->rows);
  free(search);
}

/* Returns whether the search can still be configured: its values come from the caller, and it has not begun. */
static bool is_open(const StictionSearch *search) { return search && !search->sim && !search->search; }

SimStatus stiction_search_variable(StictionSearch *search, int i, double lower, double upper, double start) {
  ARGUMENT_THERE(search);
  if (!is_open(search) || i < 0 || i >= search->own.n) return SIM_BAD_PROBLEM;
  search->own.lower[i] = lower;
  search->own.upper[i] = upper;
  search->own.start[i] = start;
  return SIM_OK;
}

SimStatus stiction_search_value(StictionSearch *search, int i, const char *role, double target, double tolerance) {
  ARGUMENT_THERE(search);
  ARGUMENT_THERE(role);
  const SimChoice *known = sim_parameter_find(evaluator_value_parameters, "role")->choices;
  if (!is_open(search)) return SIM_BAD_PROBLEM;
  for (; known->name; known++)
    if (strcmp(role, known->name) == 0)
      return (SimStatus)stiction_control_set_role(&search->own, i, (CtlRole)known->value, target, tolerance);
  return SIM_BAD_PROBLEM;
}

SimStatus stiction_search_size(StictionSearch *search, int i, double size) {
  ARGUMENT_THERE(search);
  if (!is_open(search) || i < 0 || i >= search->own.n) return SIM_BAD_PROBLEM;
  search->own.size[i] = size;
  return SIM_OK;
}

SimStatus stiction_search_derivatives(StictionSearch *search) {
  ARGUMENT_THERE(search);
  if (!is_open(search)) return SIM_BAD_PROBLEM;
  if (!search->rows) search->rows = calloc((size_t)search->own.d * ctl_row_size(search->own.n), sizeof *search->rows);
  search->own.derivatives = search->rows;
  return search->rows ? SIM_OK : SIM_NO_MEMORY;
}

static SimStatus refuse(const StictionListener *listener, const char *key, const char *wrong, const char *expected) {
  char path[96], text[SIM_EXPECTED_SIZE + 96];
  snprintf(path, sizeof path, "search.%.64s", key);
  snprintf(text, sizeof text, "%.64s (expected %s)", wrong, expected);
  const SimReport report = stiction_listener_report(listener);
  report.complain(report.context, path, text);
  return SIM_BAD_PROBLEM;
}

/* Reads a number as strtod does. Returns false unless the whole text is one number. */
static bool number_read(const char *text, double *value) {
  char *end;
  PlainLocale locale = plain_locale_enter();
  *value = strtod(text, &end);
  plain_locale_leave(locale);
  return end != text && !*end;
}

/* Reads the value of a key, a number or a word that its row allows. Returns false if the text is not valid. */
static bool number_of(const SimParameter *row, const char *text, double *value) {
  int word;
  if ((row->forms & SIM_FORM_CHOICE) && sim_parameter_choose(row, text, &word)) {
    *value = word;
    return true;
  }
  if (!(row->forms & (SIM_FORM_NUMBER | SIM_FORM_INTEGER))) return false;
  bool read = number_read(text, value), whole = !(row->forms & SIM_FORM_INTEGER) || *value == floor(*value);
  return read && whole && sim_parameter_allows(row, *value);
}

SimStatus stiction_search_key(StictionSearch *search, const char *key, const char *text,
                              const StictionListener *listener) {
  ARGUMENT_THERE(search);
  ARGUMENT_THERE(key);
  ARGUMENT_THERE(text);
  const SimParameter *row = is_open(search) ? sim_parameter_find(ctl_values_search_parameters, key) : NULL;
  char expected[SIM_EXPECTED_SIZE];
  double value;
  if (!row) {
    size_t length = 0;
    for (row = ctl_values_search_parameters; row->key && length < sizeof expected; row++)
      length += (size_t)snprintf(expected + length, sizeof expected - length, "%s%s", length ? ", " : "", row->key);
    return refuse(listener, key, "unknown key", expected);
  }
  if (!number_of(row, text, &value)) return refuse(listener, key, text, sim_parameter_expected(row, expected));
  sim_parameter_set(row, &search->own, value);
  return SIM_OK;
}

SimStatus stiction_search_begin(StictionSearch *search, const void *saved, size_t size,
                                const StictionListener *listener) {
  ARGUMENT_THERE(search);
  ARGUMENT(saved || !size, "saved", "is NULL");
  const CtlProblem *problem = search->problem;
  const SimReport report = stiction_listener_report(listener);
  if (search->search) return SIM_BAD_PROBLEM;
  SimStatus status = (SimStatus)stiction_control_check(problem, &report);
  int method = ctl_problem_method(problem);
  if (status == SIM_OK && ctl_method_wants_petsc(method) && !ctl_problem_wants_derivatives(problem))
    status = stiction_petsc_start(NULL);
  if (status != SIM_OK) return status;
  if (!size) return (SimStatus)stiction_asktell_create(problem, &search->search);
  status = (SimStatus)stiction_asktell_load(problem, saved, size, &report, &search->search);
  while (status == SIM_OK && stiction_asktell_advance(search->search)) continue;
  return status;
}

size_t stiction_search_saved_size(const StictionSearch *search) {
  return search && search->search ? stiction_asktell_saved_size(search->search) : 0;
}

void stiction_search_save(const StictionSearch *search, void *bytes) {
  if (search && search->search && bytes) stiction_asktell_save(search->search, bytes);
}

int stiction_search_ask(StictionSearch *search, int max, long *tickets, double *points) {
  CtlWant want; /* the function needs this argument, but points of such a search have no motions or segments that
                 * differ */
  return !search || search->sim || !search->search ? 0
                                                   : stiction_asktell_ask(search->search, max, tickets, points, &want);
}

bool stiction_search_tell(StictionSearch *search, long ticket, const double *values, double seconds) {
  if (!search) return false;
  return stiction_search_tell_rows(search, ticket, values, NULL, seconds);
}

bool stiction_search_tell_rows(StictionSearch *search, long ticket, const double *values, const double *rows,
                               double seconds) {
  if (!search) return false;
  const CtlOutcome outcome = {.x = values ? values : search->no_values,
                              .rows = rows ? search->rows : NULL,
                              .status = values ? SIM_OK : SIM_NOT_FINISHED};
  if (search->sim || !search->search || !stiction_asktell_wants(search->search, ticket)) return false;
  size_t n = (size_t)search->problem->n;
  for (int i = 0; rows && search->rows && i < search->problem->d; i++)
    memcpy(search->rows + (size_t)i * ctl_row_size(search->problem->n), rows + (size_t)i * n, n * sizeof *rows);
  if (stiction_asktell_tell(search->search, ticket, &outcome, seconds))
    while (stiction_asktell_advance(search->search)) continue;
  return true;
}

static int go_on(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

/* Runs the search to its end. Its points are evaluated by simulations with this model and its workspace. */
static SimStatus drive(StictionSearch *search, const SimModel *model, SimWorkspace *work, const CtlListener *listener) {
  const SimProblem *sim = search->sim;
  const CtlProblem *problem = search->problem;
  CtlSimulation simulation = {0};
  CtlTimes times;
  bool derivatives = ctl_problem_wants_derivatives(problem);
  bool *given = derivatives ? malloc(2 * (size_t)sim->count * sizeof *given) : NULL;
  if (derivatives && !given) return SIM_NO_MEMORY;
  if (derivatives) ctl_given_entries(sim, problem, given);
  SimStatus status = ctl_simulation_init(&simulation, sim, model, work, given);
  if (status == SIM_OK) {
    simulation.rest = ctl_given_rest(problem);
    if (derivatives && problem->patterns) status = ctl_simulation_set_patterns(&simulation, problem);
  }
  if (status == SIM_OK) {
    const CtlEvaluator evaluator = ctl_simulator(&simulation);
    int over = ctl_drive_serial(search->search, &evaluator, listener, &times);
    status = over == CTL_DRIVE_STOPPED        ? SIM_NOT_FINISHED
             : over == CTL_DRIVE_BAD_ARGUMENT ? SIM_BAD_ARGUMENT
             : over                           ? SIM_NO_MEMORY
                                              : SIM_OK;
  }
  ctl_simulation_clear(&simulation);
  free(given);
  return status;
}

SimStatus stiction_search_run(StictionSearch *search, bool (*stopped)(void *context), void *context,
                              const StictionListener *listener) {
  ARGUMENT_THERE(search);
  const SimReport report = stiction_listener_report(listener);
  const CtlListener to = {.context = context, .simplex = go_on, .stopped = stopped};
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  if (!search->search || !search->sim || search->problem->statistic != CTL_NOMINAL) return SIM_BAD_PROBLEM;
  SimStatus status = stiction_model_create(search->sim, &report, &model);
  if (status == SIM_OK) status = stiction_workspace_create(model, &work);
  if (status == SIM_OK) status = drive(search, model, work, &to);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return status;
}

double stiction_search_number(const StictionSearch *search, const char *name) {
  CtlState state = {0};
  if (!search || !name) return NAN;
  if (search->search) stiction_asktell_state(search->search, &state);
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"n", search->problem->n},
                 {"d", search->problem->d},
                 {"over", state.reason != CTL_RUNNING},
                 {"rounds", (double)state.rounds},
                 {"evaluations", (double)state.evaluations},
                 {"ivps", (double)state.ivps},
                 {"cache_hits", (double)state.cache_hits},
                 {"non_finite", (double)state.non_finite},
                 {"restarts", (double)state.restarts},
                 {"seconds", state.seconds},
                 {"best", state.best},
                 {"J", state.J},
                 {"E1", state.E1},
                 {"E2", state.E2},
                 {"edge", state.edge}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    if (strcmp(numbers[k].name, name) == 0) return numbers[k].value;
  return NAN;
}

const double *stiction_search_best(const StictionSearch *search, const char *name) {
  CtlState state;
  if (!search || !search->search || !name) return NULL;
  stiction_asktell_state(search->search, &state);
  return strcmp(name, "u") == 0   ? state.control
         : strcmp(name, "x") == 0 ? state.x
         : strcmp(name, "v") == 0 ? state.v
                                  : NULL;
}

const char *stiction_search_reason(const StictionSearch *search) {
  CtlState state = {.reason = CTL_RUNNING};
  if (search && search->search) stiction_asktell_state(search->search, &state);
  return stiction_reason_text(state.reason);
}

const char *stiction_search_method(const StictionSearch *search) {
  return search ? stiction_method_name(ctl_problem_method(search->problem)) : NULL;
}
