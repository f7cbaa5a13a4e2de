/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/cancel_requests.h"

#include "control/base/clock.h"
#include "src/serve/service_log.h"
#include "src/spool/spool_read.h"

#include <string.h>
#include <unistd.h>

/* Limits of one call, since any user may create 100,000 requests. REFUSALS_MOST: number of refusals that are written to
 * the log. LOOK_MOST: time for which requests are handled, in s. */
enum { REFUSALS_MOST = 20 };
static const double LOOK_MOST = 0.2;

/* A request to cancel a job, and the user that made it. */
typedef struct Request {
  ServeContext *service;
  char name[SPOOL_NAME_MAX], user[SPOOL_USER_SIZE];
  uid_t by;
  long *refused; /* number of refusals in this call so far; owned by the caller */
} Request;

static void log_request(const Request *request, const char *what) {
  if (!request->service->options->quiet) service_log(request->name, "%s %s", what, request->user);
}

static void refuse(const Request *request, const char *what) {
  if (++*request->refused <= REFUSALS_MOST) log_request(request, what);
}

/* Returns whether the user of the request may cancel a job that belongs to `owner`. If not, writes this to the log. */
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

/* Cancels a job that has begun but is not running, i.e. waits in running/ to be resumed. Returns the number of jobs
 * cancelled, 0 or 1. */
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

/* Finds the waiting job with this name. If there are several, prefers the one that belongs to the user of the request,
 * then the first by file name. */
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

/* Returns whether a request for a job that was not found is kept until the next call. The job may have been submitted
 * so recently that the list does not have it yet. */
static bool is_missed(const Request *request, SpoolEntry *entry, ServeJob *jobs) {
  const Spool *spool = request->service->spool;
  SpoolFolder folder;
  bool before = entry->missed;
  entry->missed = !find_running(request, jobs) && !find_waiting(request, &spool->begun) &&
                  !find_waiting(request, &spool->waiting) && !find_waiting(request, &spool->stuck) &&
                  !spool_folders_find(&spool->at, request->name, &folder);
  return entry->missed && !before;
}

/* Handles a request. If a running and a waiting job have the same name, the running one is cancelled, unless it belongs
 * to another user and the waiting one to the user of the request. Returns the number of waiting jobs that were
 * cancelled. */
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
