/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/cancel_requests.h"

#include "control/base/clock.h"
#include "src/serve/service_log.h"
#include "src/spool/spool_read.h"

#include <string.h>
#include <unistd.h>

/* Limits for one call, since any user may create 100,000 requests: at most REFUSALS_MOST refusals are logged, and
 * requests are handled for at most LOOK_MOST seconds. */
enum { REFUSALS_MOST = 20 };
static const double LOOK_MOST = 0.2;

/* A request to cancel a job, and the user it comes from. */
typedef struct Request {
  ServeContext *service;
  char name[SPOOL_NAME_MAX], user[SPOOL_USER_SIZE];
  uid_t by;
  long *refused; /* counts the refusals in this scan */
} Request;

static void log_request(const Request *request, const char *what) {
  if (!request->service->options->quiet) service_log(request->name, "%s %s", what, request->user);
}

static void refuse(const Request *request, const char *what) {
  if (++*request->refused <= REFUSALS_MOST) log_request(request, what);
}

/* Returns whether the user of the request may cancel a job of `owner`; logs a refusal. */
static bool may(const Request *request, uid_t owner) {
  bool allowed = request->by == owner || request->by == geteuid() || request->by == 0;
  if (!allowed) refuse(request, "is not cancelled: the job belongs to another user, not to");
  return allowed;
}

static void stop_running(const Request *request, ServeJob *job) {
  if (!may(request, job->submitter.user)) return;
  serve_job_stop(job, SERVE_CANCELS);
  log_request(request, "is to be cancelled, by");
}

/* Cancels a job that has begun and waits in running/ to be resumed. Returns the number of cancelled jobs. */
static long take_begun(const Request *request, SpoolEntry *entry) {
  if (!may(request, entry->user)) return 0;
  entry->taken = true;
  if (serve_job_cancel(request->service, request->name) != SERVE_CANCELLED) return 0;
  log_request(request, "cancelled while it waited to be gone on with, by");
  return 1;
}

static long take_waiting(const Request *request, SpoolEntry *entry) {
  char name[SPOOL_NAME_MAX];
  if (!may(request, entry->user) || spool_withdraw(request->service->spool, entry, name) != 1) return 0;
  log_request(request, "cancelled while it waited, by");
  return 1;
}

/* Finds the waiting job of this name. If there are several, it prefers the user's own, then the first by file name. */
static SpoolEntry *find_waiting(const Request *request, const SpoolList *list) {
  SpoolEntry *found = NULL;
  for (size_t i = 0; i < list->n; i++) {
    SpoolEntry *entry = &list->entries[i];
    char name[SPOOL_NAME_MAX];
    if (entry->taken || entry->cancelled) continue;
    if (!entry->begun)
      spool_job_name(entry->name, name);
    else
      snprintf(name, sizeof name, "%s", entry->name);
    if (strcmp(name, request->name) == 0 && (!found || (entry->user == request->by && found->user != request->by)))
      found = entry;
  }
  return found;
}

static ServeJob *find_running(const Request *request, ServeJob *jobs) {
  while (jobs && strcmp(jobs->name, request->name) != 0) jobs = jobs->next;
  return jobs;
}

/* Returns whether a request for a job that was not found is kept for one more scan. The job may just have been
 * submitted, so that the list does not have it yet. */
static bool is_missed(const Request *request, SpoolEntry *entry, ServeJob *jobs) {
  const Spool *spool = request->service->spool;
  SpoolFolder folder;
  bool before = entry->missed;
  entry->missed = !find_running(request, jobs) && !find_waiting(request, &spool->begun) &&
                  !find_waiting(request, &spool->waiting) && !find_waiting(request, &spool->stuck) &&
                  !spool_folders_find(&spool->at, request->name, &folder);
  return entry->missed && !before;
}

/* Handles a request. A running job comes before a waiting one of the same name, unless the running one is another
 * user's and the waiting one is the user's own. Returns the number of waiting jobs that were cancelled. */
static long take(const Request *request, ServeJob *jobs) {
  Spool *spool = request->service->spool;
  SpoolFolder folder;
  ServeJob *running = find_running(request, jobs);
  SpoolEntry *begun = find_waiting(request, &spool->begun), *waiting = find_waiting(request, &spool->waiting);
  bool own = waiting && waiting->user == request->by;
  if (running && !(own && running->submitter.user != request->by)) return stop_running(request, running), 0;
  if (begun && !(own && begun->user != request->by)) return take_begun(request, begun);
  if (waiting) return take_waiting(request, waiting);
  bool ended = spool_folders_find(&spool->at, request->name, &folder);
  refuse(request, find_waiting(request, &spool->stuck)
                      ? "is not cancelled: it cannot be moved, and waits until its submitter takes it away: asked by"
                  : ended ? "is not cancelled, it has ended: asked by"
                          : "is no job, which could be cancelled: asked by");
  return 0;
}

long cancel_requests_take(ServeContext *service, ServeJob *jobs) {
  SpoolList *list = &service->spool->waiting;
  double start = ctl_seconds();
  long cancelled = 0, refused = 0;
  for (size_t i = 0; i < list->n && ctl_seconds() - start < LOOK_MOST; i++) {
    SpoolEntry *entry = &list->entries[i];
    Request request = {.service = service, .by = entry->user, .refused = &refused};
    size_t length = strlen(entry->name) - strlen(SPOOL_CANCEL);
    if (!entry->cancelled || entry->taken) continue;
    if (length < sizeof request.name) memcpy(request.name, entry->name, length);
    bool named = spool_is_name(request.name);
    if (named && !entry->filled && is_missed(&request, entry, jobs)) continue;
    if (!spool_drop_request(service->spool, entry) || !named) continue;
    spool_user(entry->user, request.user);
    cancelled += take(&request, jobs);
  }
  if (refused > REFUSALS_MOST && !service->options->quiet)
    service_log("incoming", "%ld more requests to cancel were rejected", refused - REFUSALS_MOST);
  return cancelled;
}
