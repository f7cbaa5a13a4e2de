/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/clock.h"
#include "src/commands.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/spool/job_print.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* maximum number of jobs in a list, and in a list from which changes are printed */
enum { SHOWN = 20, FOLLOWED = 200 };
/* WATCH_SECONDS: time between two lists. LOOK_SECONDS: time between two checks for a signal. Both in s. */
static const double WATCH_SECONDS = 1, LOOK_SECONDS = 0.05;

/* The jobs to show, all or a single one, and the state of the service. */
typedef struct View {
  SpoolFolders spool;
  SpoolService service;
  JobList list;
  json_t *states; /* maps the name of each job to its state as last printed; owned */
} View;

static bool lines_of_changes(const Options *options) {
  return options->watch && !options->json && !isatty(STDOUT_FILENO);
}

/* Reads the state of the jobs to show. Returns 0, or an exit code after reporting an error. */
static int look(View *view, const Options *options, Diagnostics *diagnostics) {
  const char *name = options->n_others ? options->others[0] : NULL;
  if (!name) { /* if all jobs are shown, the files of jobs that had ended at the last call are not read again */
    long most = options->all ? LONG_MAX : lines_of_changes(options) ? FOLLOWED : SHOWN;
    return job_list_read(&view->spool, view->service.status, most, &view->list) ? 0
                                                                                : diagnostics_no_memory(diagnostics);
  }
  json_t *waits = job_list_waiting(&view->spool, view->service.status, name),
         /* the service may have appended -2 to the name when the job began */
      *begun = job_list_begun(&view->spool, view->service.status, name);
  if (!waits && !begun) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: there is no job of this name", name);
  job_list_clear(&view->list);
  view->list.jobs = json_pack("[o*, o*]", waits, begun);
  return view->list.jobs ? 0 : diagnostics_no_memory(diagnostics);
}

static json_t *counts(const JobList *list) {
  json_t *json = json_object();
  for (int f = 0; f < SPOOL_FOLDERS; f++)
    json_object_set_new(json, job_state_name((SpoolFolder)f), json_integer(list->counts[f]));
  return json;
}

/* Prints a JSON document; on one line if several documents are printed. */
static int print_document(const json_t *json, const Options *options, Diagnostics *diagnostics) {
  char *text = json ? json_dumps(json, options->watch ? JSON_COMPACT : JSON_INDENT(2)) : NULL;
  if (text) printf("%s\n", text);
  int code = text ? 0 : diagnostics_no_memory(diagnostics);
  free(text);
  return code;
}

/* Prints one document for all jobs or, if jobs are named, one for each. */
static int print_json(const View *view, const Options *options, Diagnostics *diagnostics) {
  const SpoolService *service = &view->service;
  int code = 0;
  size_t i;
  json_t *job;
  if (options->n_others) {
    json_array_foreach(view->list.jobs, i, job) if (!code) code = print_document(job, options, diagnostics);
    return code;
  }
  json_t *json = json_pack("{s:s, s:O?, s:o, s:O}", "phase", spool_phase_names[service->phase], "service",
                           service->status, "counts", counts(&view->list), "jobs", view->list.jobs);
  code = print_document(json, options, diagnostics);
  json_decref(json);
  return code;
}

static void print_text(const View *view, const Options *options) {
  long left_out = 0;
  size_t i;
  json_t *job;
  if (options->n_others) {
    json_array_foreach(view->list.jobs, i, job) {
      if (i > 0) printf("\n");
      job_print_one(job, stdout);
    }
    return;
  }
  job_print_service(&view->service, &view->list, stdout);
  printf("\n");
  if (json_array_size(view->list.jobs)) job_print_table(&view->list, stdout);
  for (int f = 0; f < SPOOL_FOLDERS; f++) left_out += view->list.counts[f];
  left_out -= (long)json_array_size(view->list.jobs);
  if (left_out > 0) printf("%ld more (--all)\n", left_out);
}

/* Prints changes for programs that read lines. The first call prints each waiting or running job, later calls each job
 * with a changed state. Changes of the service's phase are printed likewise. */
static void print_changes(View *view) {
  size_t i;
  json_t *job, *now = json_pack("{s:s}", "", spool_phase_names[view->service.phase]);
  const char *phase = json_string_value(json_object_get(view->states, ""));
  if (!phase || strcmp(phase, spool_phase_names[view->service.phase]) != 0)
    printf("service: %s\n", spool_phase_names[view->service.phase]);
  json_array_foreach(view->list.jobs, i, job) {
    const json_t *state = json_object_get(job, "state");
    const char *name = json_string_value(json_object_get(job, "name")), *word = json_string_value(state),
               *before = json_string_value(json_object_get(view->states, name));
    char outcome[JOB_OUTCOME_SIZE];
    json_object_set(now, name, (json_t *)state);
    /* whether the job ended before the first call */
    bool old = !phase && json_is_number(json_object_get(job, "ended"));
    if (old || (before && strcmp(before, word) == 0)) continue;
    printf("%s: %s", name, word);
    if (*job_outcome(job, outcome)) printf(", ");
    text_print(outcome, false, stdout);
    printf("\n");
  }
  json_decref(view->states);
  view->states = now;
}

/* Prints the jobs again and again until a signal arrives or the output is closed. */
static int watch(View *view, const Options *options, Diagnostics *diagnostics) {
  bool screen = isatty(STDOUT_FILENO) && !options->json;
  int code = 0;
  stop_signal_spare(); /* Ctrl-C then ends only this loop, so that the exit code is 0 */
  while (!code && !stop_signal_seen() && !ferror(stdout)) {
    spool_folders_again(&view->spool);
    spool_service_look(&view->spool, &view->service);
    code = look(view, options, diagnostics);
    if (code) break;
    if (screen) printf("\033[H\033[J");
    if (screen)
      print_text(view, options);
    else if (options->json)
      code = print_json(view, options, diagnostics);
    else
      print_changes(view);
    fflush(stdout);
    for (double start = ctl_seconds(); ctl_seconds() - start < WATCH_SECONDS && !stop_signal_seen();)
      nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
  }
  return code;
}

static int run(const Options *options, Diagnostics *diagnostics) {
  View view = {.states = NULL};
  if (process_rank() != 0) return EXIT_DONE;
  int code = spool_folders_open(&view.spool, options->argument, diagnostics);
  if (!code && options->watch)
    code = watch(&view, options, diagnostics);
  else if (!code) {
    spool_service_ask(&view.spool, &view.service);
    code = look(&view, options, diagnostics);
    if (!code && options->json) code = print_json(&view, options, diagnostics);
    if (!code && !options->json) print_text(&view, options);
  }
  json_decref(view.states);
  job_list_clear(&view.list);
  spool_service_clear(&view.service);
  spool_folders_close(&view.spool);
  return code;
}

const Command command_status = {
    .name = "status",
    .summary = "what a service and its jobs are doing",
    .argument = "SPOOL",
    .others = "[NAME]",
    .stops = true,
    .help =
        "usage: stiction status SPOOL [NAME] [options]\n\n"
        "Prints whether a service is running, and for each job its state, rounds, J, E1, simulations per second, time\n"
        "left and outcome: all running jobs, the oldest 20 waiting and the newest 20 ended ones. With NAME: all data\n"
        "of one job; if several have this name, first of the one that waits. The data of a running job are readable\n"
        "only by the service and the job's submitter.\n",
    .run = run,
};
