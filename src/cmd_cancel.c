#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/commands.h"
#include "src/process/process.h"
#include "src/spool/job_list.h"
#include "src/spool/job_request.h"
#include "src/spool/spool_service.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE = 5, LOOK_SECONDS = 0.1; /* s, until the service has looked, and is at its next point */

typedef struct Cancel {
  const Options *options;
  Diagnostics *diagnostics;
  SpoolFolders spool;
  SpoolService service;
} Cancel;

static int tell(const Cancel *cancel, const char *name, const char *what) {
  if (!cancel->options->quiet) printf("%s: %s\n", name, what);
  return EXIT_DONE;
}

/* "waiting", ..; "": there is none of that name. */
static const char *state_of(const Cancel *cancel, const char *name) {
  SpoolFolder folder;
  if (spool_folders_find(&cancel->spool, name, &folder)) return job_state_name(folder);
  json_t *job = job_list_one(&cancel->spool, NULL, name);
  const char *state = job ? job_state_name(SPOOL_INCOMING) : "";
  json_decref(job);
  return state;
}

static bool has_ended(const char *state) {
  return *state && strcmp(state, "waiting") != 0 && strcmp(state, "running") != 0;
}

/* Whether a service cancels a job that it runs: by its answer a moment ago, in status.json. */
static bool may_stop(Cancel *cancel, const char *name) {
  spool_service_look(&cancel->spool, &cancel->service);
  return job_request_right(&cancel->spool, cancel->service.status, name) == JOB_RIGHT_YES;
}

static int refused(const Cancel *cancel, const char *name) {
  return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: refused by the service, whose log tells why", name);
}

/* Looks what comes of a wish that a service has been left. */
static int await(Cancel *cancel, const char *name) {
  double start = ctl_seconds();
  const char *state = state_of(cancel, name);
  while (ctl_seconds() - start < PATIENCE && !has_ended(state)) {
    bool waits = job_request_waits(&cancel->spool, name);
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
    state = state_of(cancel, name);
    if (!waits && strcmp(state, "waiting") == 0) return refused(cancel, name);
  }
  if (strcmp(state, "cancelled") == 0) return tell(cancel, name, "cancelled");
  if (has_ended(state)) {
    job_request_drop(&cancel->spool, name);
    return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: has ended before: %s", name, state);
  }
  if (job_request_waits(&cancel->spool, name)) return tell(cancel, name, "asked for; the service has not seen it yet");
  if (!may_stop(cancel, name)) return refused(cancel, name);
  return tell(cancel, name, "asked for; the service stops it at its next point");
}

/* Where no service is at work. */
static int take_back(Cancel *cancel, const char *name) {
  int failed = job_request_take_back(&cancel->spool, name);
  if (!failed) return tell(cancel, name, "cancelled");
  if (failed == EACCES || failed == EPERM || failed == ENOENT) { /* not ours to move, or begun */
    int code = job_request_cancel(&cancel->spool, name, cancel->diagnostics);
    return code ? code : tell(cancel, name, "asked for; no service is at work: the next one stops it");
  }
  return diagnostics_error(cancel->diagnostics, EXIT_INTERNAL, "%s: %s", name, strerror(failed));
}

static int cancel_one(Cancel *cancel, const char *name) {
  const char *state = spool_is_name(name) ? state_of(cancel, name) : "";
  if (!*state) return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: there is no job of this name", name);
  if (has_ended(state))
    return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: has ended already: %s", name, state);
  if (!spool_service_lives(&cancel->service)) return take_back(cancel, name);
  int code = job_request_cancel(&cancel->spool, name, cancel->diagnostics);
  return code ? code : await(cancel, name);
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
    .summary = "end jobs of a service, or take them back",
    .argument = "SPOOL",
    .others = "NAME..",
    .letters = "q",
    .help =
        "usage: stiction cancel SPOOL NAME.. [options]\n\n"
        "A job that waits goes to SPOOL/cancelled. One that runs is stopped at its next point, with its results so\n"
        "far. Who has submitted a job may cancel it, and whoever the service is, and root. Where no service is at\n"
        "work jobs that wait are taken back at once, others when it is started again.\n",
    .run = run,
};
