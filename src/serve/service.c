/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/service.h"

#include "control/base/clock.h"
#include "src/process/stop_signal.h"
#include "src/serve/cancel_requests.h"
#include "src/serve/service_log.h"
#include "src/serve/status_file.h"
#include "src/serve/turns.h"
#include "src/spool/spool_read.h"

#include <math.h>
#include <time.h>

/* AT_ONCE_LEAST and AT_ONCE_MOST limit the number of jobs on the pool. QUEUE_MOST and QUEUE_ALL limit the length of the
 * queue for processes, as each queued job has an open file; QUEUE_ALL applies if jobs from the pool are included. */
enum { AT_ONCE_LEAST = 16, AT_ONCE_MOST = 128, QUEUE_MOST = 64, QUEUE_ALL = 128 };
/* LOOK_SECONDS: time between two scans of incoming/, in s. LOOK_PIECE: maximum time of a part of a scan, in s, as the
 * folder may have 100,000 entries. LOOK_SHARE: maximum fraction of the time that scans may take. */
static const double LOOK_SECONDS = 0.2, LOOK_PIECE = 0.01, LOOK_SHARE = 0.2;
/* STATUS_SECONDS: time between two updates of status.json. IDLE_SECONDS: pause if there is nothing to do. TURN_SECONDS:
 * default time of a turn of a job. All in s. */
static const double STATUS_SECONDS = 1, IDLE_SECONDS = 0.02, TURN_SECONDS = 20;

/* State of the service on rank 0. */
typedef struct Service {
  ServeContext context;
  Spool spool;
  ServeJob *jobs; /* list of the jobs that have begun, in the order of their beginning */
  Turns turns;
  long at_once;                   /* maximum number of jobs on the pool, including those that are about to start
                                   * there */
  StatusCounts ended, before;     /* numbers of jobs that have ended under this service, and under earlier services */
  bool left;                      /* whether an ended job remains in running/, or a job remains in incoming/, since it
                                   * cannot be moved */
  bool mute;                      /* whether it has been reported that status.json cannot be written */
  int code;                       /* exit code of the service */
  double looked, reported, start; /* times (ctl_seconds) of the last scan, of the last status.json, and of the start */
  double look_on;                 /* time (ctl_seconds) at which the next part of the scan of incoming/ is due */
  double began;                   /* time at which the service began, s since 1970 */
  double held_up;                 /* longest time in which rank 0 handled all jobs once, in s (status_file.h) */
  long simulated;                 /* number of simulations at the last status.json */
} Service;

/* Makes the service stop: no further job begins. code: exit code, unless there is an earlier one. */
static void stop(Service *service, int code) {
  service->context.stopping = true;
  if (!service->code) service->code = code;
}

/* Handles the end of a job. asked: whether the job was requested to make room for another one. */
static void take_end(Service *service, const char *name, ServeEnd end, bool asked) {
  static const char *const words[] = {
      [SERVE_DONE] = "done",
      [SERVE_NOT_MET] = "done",
      [SERVE_FAILED] = "failed",
      [SERVE_CANCELLED] = "cancelled",
      [SERVE_PAUSED] = "pauses, to be gone on with",
      [SERVE_VANISHED] = "cancelled: its folder has been taken away from running/",
      [SERVE_LEFT] = "stays in running/, where it cannot be written or moved, until the service is started again",
      [SERVE_STUCK] = "stays in running/, since nothing can be written"};
  service->ended.done += end == SERVE_DONE || end == SERVE_NOT_MET;
  service->ended.failed += end == SERVE_FAILED;
  service->ended.cancelled += end == SERVE_CANCELLED || end == SERVE_VANISHED;
  if (end == SERVE_PAUSED && !asked && !service->context.stopping)
    stop(service, EXIT_STOPPED); /* some rank has received a signal to stop */
  if (end == SERVE_STUCK) stop(service, EXIT_INTERNAL);
  service->left |= end == SERVE_LEFT;
  if (service->context.options->quiet) return;
  if (end <= SERVE_CANCELLED)
    service_log_end(&service->spool, name, words[end]);
  else
    service_log(name, "%s", words[end]);
}

/* Beginning jobs --------------------------------------------------------------------------------------------------- */

static void add_job(Service *service, ServeJob *job) {
  ServeJob **last = &service->jobs;
  while (*last) last = &(*last)->next;
  *last = job;
}

static void log_begin(const Service *service, const ServeJob *job, bool before) {
  char user[SPOOL_USER_SIZE];
  if (service->context.options->quiet) return;
  bool waits = job->stage == STAGE_QUEUE && service->context.processes >= service->context.processes_most;
  service_log(job->name, "%s, %s of %s%s", before ? "goes on" : "begins", job_command_names[job->wanted.command],
              spool_user(job->submitter.user, user), waits ? ": waits for a process" : "");
}

/* Returns the number of jobs that have this kind of place: on the pool, in a process, or in the queue for processes
 * (turns_place). */
static long count(const Service *service, ServeStage place) {
  long n = 0;
  for (const ServeJob *job = service->jobs; job; job = job->next) n += turns_place(job) == place;
  return n;
}

static bool is_full(const Service *service) { return count(service, STAGE_SEARCH) >= service->at_once; }

/* Returns the kinds of jobs that can begin now, i.e. those for which there is a place on the pool or in the queue for
 * processes. A search on the pool may need a process later, so both kinds of places are considered. */
static TurnsRoom room(const Service *service) {
  long queued = count(service, STAGE_QUEUE);
  return (TurnsRoom){.on_ranks = !is_full(service) && queued < QUEUE_ALL,
                     .jobs = queued < QUEUE_ALL ? service->jobs : NULL,
                     .in_process = queued < QUEUE_MOST};
}

/* Begins a waiting job, if there is one for which the pool or the queue for processes has a place. Returns whether a
 * job has begun. */
static bool begin_one(Service *service) {
  char name[SPOOL_NAME_MAX];
  ServeJob *job;
  if (service->context.stopping) return false;
  SpoolEntry *next = turns_next(&service->turns, &service->spool, room(service));
  bool before = next && next->begun, in_process = next && next->in_process;
  int claimed = next ? spool_claim(&service->spool, next, name) : 0;
  if (claimed < 0 && spool_mend(&service->spool)) stop(service, EXIT_INTERNAL);
  if (claimed <= 0) return false;
  ServeEnd end = serve_job_begin(&service->context, name, before, in_process, &job);
  if (end == SERVE_RUNS) {
    log_begin(service, job, before);
    add_job(service, job);
  } else {
    take_end(service, name, end, false);
  }
  return true;
}

/* Returns the job that may start a process now; NULL: there is none. */
static const ServeJob *next_for_process(const Service *service) {
  const ServeContext *context = &service->context;
  return turns_for_process(&service->turns, service->jobs, context->processes, context->processes_most, context->extra);
}

static void end_those_over(Service *service) {
  ServeContext *context = &service->context;
  context->concluded = context->gave = false;
  context->next = next_for_process(service);
  for (ServeJob **at = &service->jobs; *at;) {
    ServeJob *job = *at, *next = job->next;
    char name[SPOOL_NAME_MAX];
    snprintf(name, sizeof name, "%s", job->name);
    const SpoolEntry entry = {.name = name,
                              .user = job->submitter.user,
                              .priority = job->wanted.priority,
                              .in_process = job->attempts.by_process};
    bool asked = job->stop == SERVE_PAUSES;
    ServeEnd end = serve_job_look(job);
    if (end == SERVE_RUNS) {
      at = &job->next;
      continue;
    }
    *at = next;
    take_end(service, name, end, asked);
    if (end == SERVE_PAUSED && asked) spool_set_aside(&service->spool, &entry);
  }
}

/* Pausing jobs to make room for others ----------------------------------------------------------------------------- */

static bool makes_room(const Service *service) {
  for (const ServeJob *job = service->jobs; job; job = job->next)
    if (job->stop == SERVE_PAUSES) return true;
  return false;
}

/* Returns the job that must make room for the next waiting job of a kind. Returns NULL if there is no waiting job, if
 * the pool or the processes have a free place for it, or if no job must make room. */
static ServeJob *yielding_to_next(Service *service, TurnsRoom wanted, ServeStage place, double turn) {
  const SpoolEntry *next = turns_next(&service->turns, &service->spool, wanted);
  if (!next) return NULL;
  const TurnsClaim claim = {.user = next->user, .priority = next->priority, .fresh = !next->begun};
  return turns_yielding(&service->turns, service->jobs, place, claim, turn);
}

/* Requests at most one job to make room for a waiting job. */
static void make_room(Service *service) {
  const TurnsRoom free = room(service), on_ranks = {.on_ranks = true}, in_process = {.in_process = true};
  const ServeJob *queued = next_for_process(service) ? NULL : turns_queued(&service->turns, service->jobs, false);
  double turn = service->context.options->turn > 0 ? service->context.options->turn : TURN_SECONDS;
  ServeJob *yields = NULL;
  if (service->context.stopping || makes_room(service)) return;
  if (!free.on_ranks) yields = yielding_to_next(service, on_ranks, is_full(service) ? STAGE_SEARCH : STAGE_QUEUE, turn);
  if (!free.in_process && !yields) yields = yielding_to_next(service, in_process, STAGE_QUEUE, turn);
  if (queued && !yields) {
    const TurnsClaim claim = {
        .user = queued->submitter.user, .priority = queued->wanted.priority, .fresh = queued->attempts.seconds < turn};
    yields = turns_yielding(&service->turns, service->jobs, STAGE_PROCESS, claim, turn);
  }
  if (yields) serve_job_stop(yields, SERVE_PAUSES);
}

/* Scanning the folder incoming/ ------------------------------------------------------------------------------------ */

static void write_status(Service *service, const char *phase) {
  double now = ctl_seconds(), since = now - service->reported;
  json_t *list = json_array(), *used = turns_json(&service->turns), *stuck = spool_stuck(&service->spool);
  for (ServeJob *job = service->jobs; job; job = job->next) json_array_append_new(list, serve_job_status(job));
  Status status = {.phase = phase,
                   .ranks = service->context.ranks,
                   .busy = service->jobs ? service->context.busy : 0,
                   .at_once = service->at_once,
                   .waiting = spool_waiting(&service->spool),
                   .ended = service->ended,
                   .all = {service->before.done + service->ended.done, service->before.failed + service->ended.failed,
                           service->before.cancelled + service->ended.cancelled},
                   .began = service->began,
                   .seconds = now - service->start,
                   .held_up = service->held_up,
                   .used = used,
                   .ivps_rate = (double)(service->context.simulated - service->simulated) / since,
                   .running = list,
                   .stuck = stuck};
  Results top = service->spool.top;
  if (service->mute) top.diagnostics = NULL; /* the failure has already been reported */
  service->mute = list && used && status_write(&top, &status);
  if (service->mute && !spool_has_room(&service->spool)) stop(service, EXIT_INTERNAL);
  json_decref(list);
  json_decref(used);
  json_decref(stuck);
  service->reported = now;
  service->simulated = service->context.simulated;
}

/* Cancels each job of which a user has removed the folder running/NAME. */
static void find_vanished(Service *service) {
  const SpoolList *begun = &service->spool.begun;
  for (ServeJob *job = service->jobs; job; job = job->next)
    if (serve_job_has_vanished(job)) serve_job_stop(job, SERVE_CANCELS);
  for (size_t i = 0; i < begun->n; i++) {
    SpoolEntry *entry = &begun->entries[i];
    if (entry->taken || spool_inode(&service->spool, entry->name)) continue;
    entry->taken = true;
    take_end(service, entry->name, SERVE_VANISHED, false);
  }
}

/* Continues the scan of incoming/ for waiting jobs. Each call does only a part of it. */
static void look_at_waiting(Service *service) {
  double start = ctl_seconds();
  bool whole = spool_look_on(&service->spool, LOOK_PIECE);
  if (whole) service->ended.cancelled += cancel_requests_take(&service->context, service->jobs);
  double now = ctl_seconds(), pause = service->jobs ? (now - start) / LOOK_SHARE : 0;
  service->look_on = now + (whole ? fmax(pause, LOOK_SECONDS) : pause);
}

/* Does all regular work that is due: stops the service if this is requested, scans and mends the spool, makes room for
 * waiting jobs, and writes status.json. */
static void look(Service *service) {
  double now = ctl_seconds();
  if (stop_signal_seen() || ctl_pool_stop_requested(service->context.pool)) stop(service, EXIT_STOPPED);
  if (now >= service->look_on) look_at_waiting(service);
  if (now - service->looked >= LOOK_SECONDS) {
    service->looked = now;
    if (spool_stop_wanted(&service->spool)) stop(service, EXIT_DONE);
    if (spool_mend(&service->spool)) stop(service, EXIT_INTERNAL);
    find_vanished(service);
    turns_charge(&service->turns, service->jobs);
    make_room(service);
  }
  if (now - service->reported >= STATUS_SECONDS)
    write_status(service, service->context.stopping ? "stopping" : "serving");
}

/* Returns whether there are waiting jobs that can begin. */
static bool waits(Service *service) {
  const TurnsRoom anywhere = {.on_ranks = true, .in_process = true};
  return turns_next(&service->turns, &service->spool, anywhere) != NULL;
}

/* Handles the remaining requests when the service ends, as they would otherwise apply to later jobs with the same
 * names. Handles them twice, since a job that was missing may have been submitted in the meantime. */
static void take_last_requests(Service *service) {
  for (int k = 0; k < 2; k++) {
    service->ended.cancelled += cancel_requests_take(&service->context, service->jobs);
    spool_look(&service->spool);
  }
}

/* Returns whether the service has nothing left to do. */
static bool is_over(Service *service) {
  if (service->jobs) return false;
  if (service->context.stopping) return true;
  if (!service->context.options->drain || waits(service)) return false;
  spool_look(&service->spool);
  if (spool_list_has_requests(&service->spool.waiting)) take_last_requests(service);
  return !waits(service);
}

/* Finds which of the jobs that an earlier service has begun must run in processes. */
static void find_places(Service *service) {
  SpoolList *begun = &service->spool.begun;
  for (size_t i = 0; i < begun->n; i++)
    begun->entries[i].in_process |= job_attempts_read(&service->spool, begun->entries[i].name, true).by_process;
}

static void serve(Service *service) {
  for (;;) {
    double start = ctl_seconds();
    look(service);
    begin_one(service);
    if (is_over(service)) return;
    ctl_pool_turn(service->context.pool);
    end_those_over(service);
    service->held_up = fmax(service->held_up, ctl_seconds() - start);
    if (!service->jobs && !service->spool.look.folder && !waits(service))
      nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * IDLE_SECONDS)}, NULL);
  }
}

/* Returns the numbers of jobs that ended under earlier services. They are read from status.json. If a service was
 * killed, the file lacks the jobs of its last second, so the ended jobs in the folders are counted, too. */
static StatusCounts count_before(const Spool *spool, const json_t *status) {
  StatusCounts counts = status_counts(status);
  long *of[] = {[SPOOL_DONE] = &counts.done, [SPOOL_FAILED] = &counts.failed, [SPOOL_CANCELLED] = &counts.cancelled};
  for (int f = SPOOL_DONE; f < SPOOL_FOLDERS; f++) {
    long there = (long)spool_count_ended(spool, (SpoolFolder)f);
    if (there > *of[f]) *of[f] = there;
  }
  return counts;
}

static long at_once(const Options *options, int workers) {
  long twice = 2 * workers; /* Two problems per worker; thus workers have points of another problem while one problem
                             * waits for its last points. */
  if (options->at_once) return options->at_once;
  return twice < AT_ONCE_LEAST ? AT_ONCE_LEAST : twice > AT_ONCE_MOST ? AT_ONCE_MOST : twice;
}

int service_run(const Options *options, CtlPool *pool, int ranks, Diagnostics *diagnostics) {
  int workers = ranks > 1 ? ranks - 1 : 1;
  Service service = {.context = {.options = options,
                                 .pool = pool,
                                 .ranks = ranks,
                                 .processes_most = options->processes ? options->processes : workers},
                     .at_once = at_once(options, ranks - 1),
                     .reported = -INFINITY,
                     .looked = -INFINITY,
                     .start = ctl_seconds(),
                     .began = (double)time(NULL)};
  service.context.spool = &service.spool;
  int code = spool_open(&service.spool, options->argument, diagnostics);
  if (!code) {
    json_t *status = status_read(service.spool.at.self);
    service.before = count_before(&service.spool, status);
    turns_begin(&service.turns, json_object_get(status, "used"), service.began - status_updated(status));
    json_decref(status);
    find_places(&service);
    serve(&service);
    write_status(&service, "ended");
    spool_stop_done(&service.spool);
    service.left |= spool_list_left(&service.spool.stuck) > 0;
    code = !service.code && options->drain && service.left ? EXIT_INTERNAL : service.code;
  }
  turns_clear(&service.turns);
  spool_close(&service.spool);
  return code;
}
