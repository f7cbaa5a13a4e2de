#include "src/search/more_starts.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"

typedef struct More {
  SearchRun *run;
  long starts;
  double until;
  bool late;
} More;

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  More *more = context;
  CtlState state;
  (void)seconds;
  ctl_search_state(search, &state);
  progress_draw(&more->run->progress, "%ld starts  best %.8g  %d of %d busy", more->starts, state.best, busy,
                more->run->evaluators);
}

static bool on_question(void *context) {
  More *more = context;
  more->late = more->until > 0 && ctl_seconds() >= more->until;
  return search_run_stopped(more->run) || more->late;
}

int more_starts_run(SearchRun *run, long starts, double until, CtlSearch **search, CtlTimes *times) {
  More more = {.run = run, .starts = starts, .until = until};
  CtlProblem again = run->problem.control;
  again.local_starts = (int)starts;
  *search = NULL;
  if (ctl_search_create(&again, search) != SIM_OK) return diagnostics_no_memory(run->diagnostics);
  const CtlEvaluator evaluator = model_evaluator(&run->evaluator);
  const CtlListener listener = {
      .context = &more, .tick = on_tick, .stopped = on_question, .grace = run->problem.checkpoint_grace};
  const SearchDrive how = {.pool = run->pool,
                           .search = *search,
                           .evaluator = &evaluator,
                           .listener = &listener,
                           .timeout = again.evaluation_timeout,
                           .sent = run->options->elastic ? &run->evaluated : NULL,
                           .path = run->options->argument};
  int over = search_drive(&how, times);
  progress_clear(&run->progress);
  if (over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED) return more.late ? 0 : EXIT_STOPPED;
  return over ? diagnostics_no_memory(run->diagnostics) : 0;
}
