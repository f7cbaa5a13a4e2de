/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/clock.h"
#include "src/commands.h"
#include "src/process/process.h"
#include "src/spool/job_list.h"
#include "src/spool/job_request.h"
#include "src/spool/spool_service.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* PATIENCE: time to wait until the service handles the request, in s. LOOK_SECONDS: time between two checks, in s. */
static const double PATIENCE = 5, LOOK_SECONDS = 0.1;

typedef struct Cancel {
  const Options *options;
  Diagnostics *diagnostics;
  SpoolFolders spool;
  SpoolService service;
} Cancel;

static int print_result(const Cancel *cancel, const char *name, const char *what) {
  if (!cancel->options->quiet) printf("%s: %s\n", name, what);
  return EXIT_DONE;
}

/* The job to cancel. A waiting job may have the same name as one that runs or has ended. */
typedef struct Target {
  const char *name;
  char as[SPOOL_NAME_MAX]; /* name of the job once it runs; the service may have appended a number, as in NAME-2 */
  bool waits;
} Target;

/* Returns the state of the job: the name of the folder in which it is ("running", "done", ..), "waiting" if it is in
 * incoming/, or "" if it is not found. incoming/ is searched first, since a job moves from there to the other
 * folders. */
static const char *state_of(const Cancel *cancel, const Target *target) {
  char file[SPOOL_WAITING_MAX];
  SpoolFolder folder;
  bool waits = target->waits && spool_find_waiting(&cancel->spool, target->name, file, NULL);
  bool begun = spool_folders_find(&cancel->spool, target->as, &folder);
  return begun ? job_state_name(folder) : waits ? job_state_name(SPOOL_INCOMING) : "";
}

static bool has_ended(const char *state) {
  return *state && strcmp(state, "waiting") != 0 && strcmp(state, "running") != 0;
}

/* Returns whether the service would accept this user's request to cancel a running job. The answer is read from
 * status.json, if that file is up to date. */
static bool may_stop(Cancel *cancel, const char *name) {
  spool_service_look(&cancel->spool, &cancel->service);
  return job_request_right(&cancel->spool, cancel->service.status, name) == JOB_RIGHT_YES;
}

/* Finds the job by its name; ignores jobs that have ended. */
static Target find_target(Cancel *cancel, const char *name) {
  Target target = {.name = name};
  spool_service_look(&cancel->spool, &cancel->service);
  target.waits = job_request_takes_waiting(&cancel->spool, cancel->service.status, name);
  if (target.waits)
    spool_free_name(&cancel->spool, name, target.as);
  else if (spool_is_name(name))
    snprintf(target.as, sizeof target.as, "%s", name);
  return target;
}

static int refused(const Cancel *cancel, const char *name) {
  return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: refused by the service (see its log)", name);
}

/* Waits until the service has handled the request, and prints the result. The service removes the file of the request
 * before it moves a waiting job. */
static int await(Cancel *cancel, const Target *target) {
  const char *name = target->name, *state = state_of(cancel, target);
  double start = ctl_seconds(), gone = 0, delay = spool_folders_delay(&cancel->spool);
  while (!has_ended(state)) {
    double now = ctl_seconds();
    bool left = job_request_waits(&cancel->spool, name), runs = strcmp(state, "running") == 0;
    gone = left ? 0 : gone > 0 ? gone : now;
    if (!left && !runs && now - gone > delay) return refused(cancel, name);
    if ((left || runs) && now - start > PATIENCE) break;
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
    spool_folders_again(&cancel->spool);
    state = state_of(cancel, target);
  }
  if (strcmp(state, "cancelled") == 0) return print_result(cancel, name, "cancelled");
  if (has_ended(state)) {
    job_request_drop(&cancel->spool, name);
    return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: has ended before: %s", name, state);
  }
  if (job_request_waits(&cancel->spool, name))
    return print_result(cancel, name, "asked for; the service has not seen it yet");
  if (!may_stop(cancel, target->as)) return refused(cancel, name);
  return print_result(cancel, name, "asked for; the service stops it at its next point");
}

/* Cancels a job when no service is running: takes a waiting job out of the folder, or leaves a request for the next
 * service. */
static int take_back(Cancel *cancel, const Target *target) {
  const char *name = target->name;
  int failed = target->waits ? job_request_take_back(&cancel->spool, name) : ENOENT;
  if (!failed) return print_result(cancel, name, "cancelled");
  if (job_request_right(&cancel->spool, cancel->service.status, name) == JOB_RIGHT_NO)
    return diagnostics_error(cancel->diagnostics, EXIT_USAGE,
                             "%s: belongs to another user, and only that user can cancel it", name);
  /* the file cannot be moved, because permissions forbid it or because the job has begun */
  if (failed == EACCES || failed == EPERM || failed == ENOENT) {
    int code = job_request_cancel(&cancel->spool, name, cancel->diagnostics);
    return code ? code : print_result(cancel, name, "asked for; no service is at work: the next one cancels it");
  }
  return diagnostics_error(cancel->diagnostics, EXIT_INTERNAL, "%s: %s", name, strerror(failed));
}

static int cancel_one(Cancel *cancel, const char *name) {
  const Target target = find_target(cancel, name);
  const char *state = state_of(cancel, &target);
  if (!*state) return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: there is no job of this name", name);
  if (has_ended(state))
    return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: has ended already: %s", name, state);
  if (!spool_service_lives(&cancel->service)) return take_back(cancel, &target);
  int code = job_request_cancel(&cancel->spool, name, cancel->diagnostics);
  return code ? code : await(cancel, &target);
}

static int run(const Options *options, Diagnostics *diagnostics) {
  Cancel cancel = {.options = options, .diagnostics = diagnostics};
  if (process_rank() != 0) return EXIT_DONE;
  int code = spool_folders_open(&cancel.spool, options->argument, diagnostics);
  if (!code) spool_service_ask(&cancel.spool, &cancel.service);
  for (int k = 0, opened = !code; k < options->n_others && opened; k++) {
    int one = cancel_one(&cancel, options->others[k]);
    if (one && !code) code = one;
  }
  spool_service_clear(&cancel.service);
  spool_folders_close(&cancel.spool);
  return code;
}

const Command command_cancel = {
    .name = "cancel",
    .summary = "cancel jobs of a service",
    .argument = "SPOOL",
    .others = "NAME..",
    .help =
        "usage: stiction cancel SPOOL NAME.. [options]\n\n"
        "Moves a waiting job to SPOOL/cancelled. Stops a running job at its next point and keeps its results so far.\n"
        "A job can be cancelled by its submitter, by the user that runs the service, and by root. If no service is\n"
        "running, waiting jobs are cancelled at once, others when it is started again.\n",
    .run = run,
};
