/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/clock.h"
#include "src/search/messages.h"
#include "src/search/search_end.h"

#include <stdlib.h>

typedef struct SweptSearch {
  SearchRun run;
  CtlEvaluator evaluator; /* evaluator of the job, if a pool runs it; like the next member, not used otherwise */
  CtlListener listener;
} SweptSearch;

static void *begin(const Options *options, Problem *problem, Diagnostics *diagnostics, int *code) {
  SweptSearch *search = calloc(1, sizeof *search);
  *code = EXIT_INTERNAL;
  if (!search) {
    problem_clear(problem);
    return NULL;
  }
  SearchRun *run = &search->run;
  *run = (SearchRun){.options = options,
                     .diagnostics = diagnostics,
                     .ranks = 1,
                     .start = ctl_seconds(),
                     .problem = *problem,
                     .results = {.diagnostics = diagnostics, .lock = -1},
                     .evaluators = 1,
                     .summary_wanted = true};
  *code = search_run_prepare(run);
  if (!*code && run->problem.ranks_per_evaluation > 1)
    *code = diagnostics_error(diagnostics, EXIT_USAGE,
                              "search.ranks_per_evaluation: %ld (expected 1: a sweep's ranks evaluate alone)",
                              run->problem.ranks_per_evaluation);
  if (*code) return search;
  *code = search_run_open(run, 0);
  if (*code == EXIT_USAGE)
    *code = EXIT_INTERNAL; /* the problem has been read before, so this is an error of the results directory */
  return search;
}

static int drive(void *context, double *simulating) {
  SweptSearch *search = context;
  const CtlEvaluator evaluator = search_run_evaluator(&search->run);
  const CtlListener listener = search_run_listener(&search->run);
  CtlTimes times;
  int stop = ctl_drive_serial(search->run.search, &evaluator, &listener, &times);
  *simulating = times.ivps;
  return stop;
}

static SimStatus add(void *context, CtlPool *pool, CtlPoolJob **job) {
  SweptSearch *search = context;
  SearchRun *run = &search->run;
  if (!search_run_is_sent(run)) return SIM_BAD_PROBLEM;
  search->evaluator = search_run_evaluator(run);
  search->listener = search_run_listener(run);
  CtlJob added = {.search = run->search,
                  .evaluator = &search->evaluator,
                  .listener = &search->listener,
                  .timeout = run->problem.control.evaluation_timeout};
  void *model = search_run_message(run, &added.model_size);
  added.model = model;
  SimStatus status = model ? ctl_pool_add(pool, &added, job) : SIM_NO_MEMORY;
  free(model);
  return status;
}

static int end(void *context, int begun, int drive_result, json_t **summary, bool *robust) {
  SweptSearch *search = context;
  SearchRun *run = &search->run;
  int code = begun ? begun : search_run_finish(run, drive_result);
  *summary = json_incref(run->summary);
  *robust = search_run_is_robust(run);
  search_run_release(run);
  free(search);
  return code;
}

const SweepSearches swept_searches = {.begin = begin, .drive = drive, .add = add, .end = end};

SimStatus swept_search_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                             void **owner, CtlEvaluator *evaluator) {
  (void)form, (void)size;
  return sweep_message_build(&swept_searches, reader->options->kernel, bytes, owner, evaluator);
}
