/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/dfo/search.h"

#include "control/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const DfoMethod dfo_methods[DFO_METHODS] = {
    {"pds", "pds", .several = true, .matched = true},     {"pds-64", "pds", .several = true},
    {"hybrid", "auto", .several = true, .matched = true}, {"cobyla", "nlopt:cobyla", .several = false},
    {"bobyqa", "nlopt:bobyqa", .several = false},         {"neldermead", "nlopt:neldermead", .several = false},
    {"pounders", "tao:pounders", .roots = true},
};

/* State of a search. */
typedef struct Run {
  const DfoProblem *problem;
  DfoForm form;
  const DfoMethod *method;
  int ranks;
  CtlProblem control;
  CtlSearch *search;
  double *points; /* [ranks][n] points of a round */
  long *tickets;  /* [ranks] tickets of these points */
  double best;
  int room; /* number of steps for which the history has room */
} Run;

long dfo_budget(const DfoProblem *problem) { return 100 * (problem->n + 1L); }

static void report_error(void *context, const char *key, const char *text) {
  const Run *run = context;
  fprintf(stderr, "bench-dfo: %s by %s: %s: %s\n", dfo_functions[run->problem->function].name, run->method->name, key,
          text);
}

static SimStatus define_problem(Run *run) {
  const int n = run->problem->n, m = run->problem->m;
  CtlProblem *control = &run->control;
  bool squares = run->form != DFO_NONDIFFERENTIABLE || run->method->roots;
  SimStatus status = ctl_problem_init_values(control, n, m);
  if (status != SIM_OK) return status;
  for (int i = 0; i < m; i++)
    stiction_control_set_role(control, i, squares ? CTL_ROLE_RESIDUAL : CTL_ROLE_OBJECTIVE, 0, 0);
  control->method = ctl_method_find(run->method->method);
  dfo_start(run->problem, control->start);
  control->step = 1;
  for (int j = 0; j < n; j++) control->step = fmax(control->step, fabs(control->start[j]));
  if (run->method->matched) control->scheme_size = run->ranks > 3 * n ? run->ranks : 3 * n;
  return (SimStatus)stiction_control_check(control, &(SimReport){run, report_error});
}

/* Computes the values of a point for the search. Returns f. */
static double evaluate_point(const Run *run, const double *point, double *values) {
  dfo_terms(run->problem, run->form, point, values);
  double f = dfo_sum(run->problem, run->form, values);
  bool roots = run->form == DFO_NONDIFFERENTIABLE && run->method->roots;
  for (int i = 0; i < run->problem->m && roots; i++) values[i] = sqrt(values[i]);
  return f;
}

/* Adds a step to the history. Returns false if there is no memory. */
static bool note_step(Run *run, DfoHistory *history) {
  if (history->count && history->steps[history->count - 1].f <= run->best) return true;
  if (history->count == run->room) {
    int room = 2 * run->room + 64;
    DfoStep *steps = realloc(history->steps, (size_t)room * sizeof *steps);
    if (!steps) return false;
    history->steps = steps;
    run->room = room;
  }
  history->steps[history->count++] = (DfoStep){run->best, history->rounds};
  return true;
}

static SimStatus run_rounds(Run *run, DfoHistory *history) {
  const int n = run->problem->n;
  double values[DFO_M_MAX], nothing[DFO_M_MAX] = {0};
  int count;
  while (history->rounds < dfo_budget(run->problem) &&
         (count = stiction_asktell_ask(run->search, run->ranks, run->tickets, run->points, NULL)) > 0) {
    history->rounds++;
    history->evaluations += count;
    for (int i = 0; i < count; i++) {
      run->best = fmin(run->best, evaluate_point(run, run->points + i * n, values));
      const CtlOutcome outcome = {.x = values, .v = nothing, .status = SIM_OK};
      bool ended = stiction_asktell_tell(run->search, run->tickets[i], &outcome, 0);
      while (ended) ended = stiction_asktell_advance(run->search);
    }
    if (!note_step(run, history)) return SIM_NO_MEMORY;
  }
  CtlState state;
  stiction_asktell_state(run->search, &state);
  history->failed = state.method_errors > 0;
  return state.no_memory ? SIM_NO_MEMORY : SIM_OK;
}

SimStatus dfo_search(const DfoProblem *problem, DfoForm form, const DfoMethod *method, int ranks, DfoHistory *history) {
  Run run = {.problem = problem, .form = form, .method = method, .ranks = ranks, .best = INFINITY};
  *history = (DfoHistory){0};
  run.points = malloc((size_t)ranks * (size_t)problem->n * sizeof *run.points);
  run.tickets = malloc((size_t)ranks * sizeof *run.tickets);
  SimStatus status = run.points && run.tickets ? define_problem(&run) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = (SimStatus)stiction_asktell_create(&run.control, &run.search);
  if (status == SIM_OK) status = run_rounds(&run, history);
  stiction_asktell_destroy(run.search);
  ctl_problem_clear(&run.control);
  free(run.points);
  free(run.tickets);
  return status;
}
