#include "src/serve/service.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/process/stop_signal.h"
#include "src/serve/serve_job.h"
#include "src/serve/status_file.h"

#include <math.h>
#include <time.h>

enum { AT_ONCE_LEAST = 16, AT_ONCE_MOST = 128 };
static const double LOOK_SECONDS = 0.2, STATUS_SECONDS = 1, IDLE_SECONDS = 0.02;

/* Rank 0. */
typedef struct Service {
  ServeContext context;
  Spool spool;
  ServeJob *jobs;
  long running, at_once, done, failed;
  int code;                   /* to end with */
  double looked, told, start; /* ctl_seconds */
  double began;               /* s since 1970 */
  long simulated;             /* when it was told last */
} Service;

/* Nothing begins any more. */
static void stop(Service *service, int code) {
  service->context.stopping = true;
  if (!service->code) service->code = code;
}

/* What a job has come to. */
static void take_end(Service *service, const char *name, ServeEnd end) {
  static const char *const words[] = {[SERVE_DONE] = "done",
                                      [SERVE_NOT_MET] = "done, target not met",
                                      [SERVE_FAILED] = "failed",
                                      [SERVE_CANCELLED] = "cancelled"};
  service->done += end == SERVE_DONE || end == SERVE_NOT_MET;
  service->failed += end == SERVE_FAILED;
  if (end == SERVE_PAUSED && !service->context.stopping) stop(service, EXIT_STOPPED); /* a signal, to whichever rank */
  if (end == SERVE_STUCK) stop(service, EXIT_INTERNAL);
  if (service->context.options->quiet || end == SERVE_PAUSED || end == SERVE_STUCK) return;
  printf("%s: %s\n", name, words[end]);
  fflush(stdout);
}

/* Begins a problem, if there is one. Whether there was. */
static bool begin_one(Service *service) {
  char name[SPOOL_NAME_MAX];
  ServeJob *job;
  if (service->context.stopping || service->running >= service->at_once) return false;
  if (!spool_next_interrupted(&service->spool, name)) {
    int claimed = spool_claim(&service->spool, name);
    if (claimed < 0) stop(service, EXIT_INTERNAL);
    if (claimed <= 0) return false;
  }
  ServeEnd end = serve_job_begin(&service->context, name, &job);
  if (end != SERVE_RUNS) {
    take_end(service, name, end);
    return true;
  }
  job->next = service->jobs;
  service->jobs = job;
  service->running++;
  return true;
}

static void end_those_over(Service *service) {
  for (ServeJob **at = &service->jobs; *at;) {
    ServeJob *job = *at, *next = job->next;
    char name[SPOOL_NAME_MAX];
    snprintf(name, sizeof name, "%s", job->name);
    ServeEnd end = serve_job_look(job);
    if (end == SERVE_RUNS) {
      at = &job->next;
      continue;
    }
    *at = next;
    service->running--;
    take_end(service, name, end);
  }
}

static void write_status(Service *service, const char *phase) {
  double now = ctl_seconds(), since = now - service->told;
  json_t *list = json_array();
  for (ServeJob *job = service->jobs; job; job = job->next) json_array_append_new(list, serve_job_status(job));
  Status status = {.phase = phase,
                   .ranks = service->context.ranks,
                   .busy = service->jobs ? service->context.busy : 0,
                   .at_once = service->at_once,
                   .waiting = spool_waiting(&service->spool),
                   .done = service->done,
                   .failed = service->failed,
                   .began = service->began,
                   .seconds = now - service->start,
                   .ivps_rate = (double)(service->context.simulated - service->simulated) / since,
                   .running = list};
  if (list && status_write(&service->spool.top, &status)) stop(service, EXIT_INTERNAL);
  json_decref(list);
  service->told = now;
  service->simulated = service->context.simulated;
}

/* Looks into the spool, and tells how things are, when it is time. */
static void look(Service *service) {
  double now = ctl_seconds();
  if (stop_signal_seen()) stop(service, EXIT_STOPPED);
  if (now - service->looked >= LOOK_SECONDS) {
    service->looked = now;
    if (spool_stop_wanted(&service->spool)) stop(service, EXIT_DONE);
    spool_look(&service->spool);
  }
  if (now - service->told >= STATUS_SECONDS) write_status(service, service->context.stopping ? "stopping" : "serving");
}

/* Whether there is nothing left to do. */
static bool is_over(Service *service) {
  if (service->jobs) return false;
  if (service->context.stopping) return true;
  if (!service->context.options->drain || spool_waiting(&service->spool)) return false;
  spool_look(&service->spool);
  return spool_waiting(&service->spool) == 0;
}

static void serve(Service *service) {
  for (;;) {
    look(service);
    begin_one(service);
    if (is_over(service)) return;
    ctl_pool_turn(service->context.pool);
    end_those_over(service);
    if (!service->jobs && !spool_waiting(&service->spool))
      nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * IDLE_SECONDS)}, NULL);
  }
}

static long at_once(const Options *options, int workers) {
  long twice = 2 * workers; /* so that workers find work while other problems wait for their last points */
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
                     .told = -INFINITY,
                     .looked = -INFINITY,
                     .start = ctl_seconds(),
                     .began = (double)time(NULL)};
  service.context.spool = &service.spool;
  int code = spool_open(&service.spool, options->argument, diagnostics);
  if (!code) {
    serve(&service);
    write_status(&service, "ended");
    spool_stop_done(&service.spool);
    code = service.code;
  }
  spool_close(&service.spool);
  return code;
}
