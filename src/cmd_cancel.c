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

/* A job that a wish is for: of a name there may be one that waits beside one that runs, or has ended. */
typedef struct Target {
  const char *name;
  char as[SPOOL_NAME_MAX]; /* that it has from its beginning on, which may be NAME-2 */
  bool waits;
} Target;

/* "running", "done", ..; "waiting"; "": it is nowhere. It goes from incoming/ to the others. */
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

/* Whether a service cancels a job that it runs: by its answer a moment ago, in status.json. */
static bool may_stop(Cancel *cancel, const char *name) {
  spool_service_look(&cancel->spool, &cancel->service);
  return job_request_right(&cancel->spool, cancel->service.status, name) == JOB_RIGHT_YES;
}

/* What has ended does not count. */
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
  return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: refused by the service, whose log tells why", name);
}

/* Looks what comes of a wish that a service has been left. That takes the wish away before it moves a job that waits. */
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
  if (strcmp(state, "cancelled") == 0) return tell(cancel, name, "cancelled");
  if (has_ended(state)) {
    job_request_drop(&cancel->spool, name);
    return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: has ended before: %s", name, state);
  }
  if (job_request_waits(&cancel->spool, name)) return tell(cancel, name, "asked for; the service has not seen it yet");
  if (!may_stop(cancel, target->as)) return refused(cancel, name);
  return tell(cancel, name, "asked for; the service stops it at its next point");
}

/* Where no service is at work. */
static int take_back(Cancel *cancel, const Target *target) {
  const char *name = target->name;
  int failed = target->waits ? job_request_take_back(&cancel->spool, name) : ENOENT;
  if (!failed) return tell(cancel, name, "cancelled");
  if (job_request_right(&cancel->spool, cancel->service.status, name) == JOB_RIGHT_NO)
    return diagnostics_error(cancel->diagnostics, EXIT_USAGE, "%s: is the job of another, whose wish alone counts",
                             name);
  if (failed == EACCES || failed == EPERM || failed == ENOENT) { /* not ours to move, or begun */
    int code = job_request_cancel(&cancel->spool, name, cancel->diagnostics);
    return code ? code : tell(cancel, name, "asked for; no service is at work: the next one cancels it");
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
    .summary = "end jobs of a service, or take them back",
    .argument = "SPOOL",
    .others = "NAME..",
    .help =
        "usage: stiction cancel SPOOL NAME.. [options]\n\n"
        "A job that waits goes to SPOOL/cancelled. One that runs is stopped at its next point, with its results so\n"
        "far. Who has submitted a job may cancel it, and whoever the service is, and root. Where no service is at\n"
        "work jobs that wait are taken back at once, others when it is started again.\n",
    .run = run,
};
