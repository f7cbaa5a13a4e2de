#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/commands.h"
#include "src/process/process.h"
#include "src/process/settings.h"
#include "src/process/stop_signal.h"
#include "src/search/model_message.h"
#include "src/search/spawned_workers.h"
#include "src/serve/serve_job.h"
#include "src/serve/status_file.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { AT_ONCE_LEAST = 16, AT_ONCE_MOST = 128 };
static const double LOOK_SECONDS = 0.2, STATUS_SECONDS = 1, IDLE_SECONDS = 0.02;

/* Rank 0. */
typedef struct Service {
  ServeHouse house;
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
  service->house.stopping = true;
  if (!service->code) service->code = code;
}

/* What a job has come to. */
static void take_end(Service *service, const char *name, ServeEnd end) {
  static const char *const words[] = {
      [SERVE_DONE] = "done", [SERVE_NOT_MET] = "done, target not met", [SERVE_FAILED] = "failed"};
  service->done += end == SERVE_DONE || end == SERVE_NOT_MET;
  service->failed += end == SERVE_FAILED;
  if (end == SERVE_PAUSED && !service->house.stopping) stop(service, EXIT_STOPPED); /* a signal, to whichever rank */
  if (end == SERVE_STUCK) stop(service, EXIT_INTERNAL);
  if (service->house.options->quiet || end == SERVE_PAUSED || end == SERVE_STUCK) return;
  printf("%s: %s\n", name, words[end]);
  fflush(stdout);
}

/* Begins a problem, if there is one. Whether there was. */
static bool begin_one(Service *service) {
  char name[SPOOL_NAME_MAX];
  ServeJob *job;
  if (service->house.stopping || service->running >= service->at_once) return false;
  if (!spool_next_interrupted(&service->spool, name)) {
    int claimed = spool_claim(&service->spool, name);
    if (claimed < 0) stop(service, EXIT_INTERNAL);
    if (claimed <= 0) return false;
  }
  ServeEnd end = serve_job_begin(&service->house, name, &job);
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
  int busy = 0;
  for (ServeJob *job = service->jobs; job; job = job->next) {
    json_array_append_new(list, serve_job_status(job));
    busy = job->run.busy; /* the pool's: all jobs hear the same */
  }
  Status status = {.phase = phase,
                   .ranks = service->house.ranks,
                   .busy = busy,
                   .at_once = service->at_once,
                   .waiting = spool_waiting(&service->spool),
                   .done = service->done,
                   .failed = service->failed,
                   .began = service->began,
                   .seconds = now - service->start,
                   .ivps_rate = (double)(service->house.simulated - service->simulated) / since,
                   .running = list};
  if (list && status_write(&service->spool.top, &status)) stop(service, EXIT_INTERNAL);
  json_decref(list);
  service->told = now;
  service->simulated = service->house.simulated;
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
  if (now - service->told >= STATUS_SECONDS) write_status(service, service->house.stopping ? "stopping" : "serving");
}

/* Whether there is nothing left to do. */
static bool is_over(Service *service) {
  if (service->jobs) return false;
  if (service->house.stopping) return true;
  if (!service->house.options->drain || spool_waiting(&service->spool)) return false;
  spool_look(&service->spool);
  return spool_waiting(&service->spool) == 0;
}

static void serve(Service *service) {
  for (;;) {
    look(service);
    begin_one(service);
    if (is_over(service)) return;
    ctl_pool_turn(service->house.pool);
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

/* The service, once there is a pool. */
static int serve_pool(const Options *options, CtlPool *pool, int ranks, Diagnostics *diagnostics) {
  Service service = {.house = {.options = options, .pool = pool, .ranks = ranks},
                     .at_once = at_once(options, ranks - 1),
                     .told = -INFINITY,
                     .looked = -INFINITY,
                     .start = ctl_seconds(),
                     .began = (double)time(NULL)};
  service.house.spool = &service.spool;
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

static int run_lead(const Options *options, int ranks, Diagnostics *diagnostics) {
  /* rank 0 looks after all problems: an evaluation of one, which may take long, must not keep it from the others */
  const CtlPoolOptions pool_options = {.evaluates = false};
  CtlPool *pool = NULL;
  int code = 0;
  if (options->elastic) {
    ranks = 1 + options->elastic;
    code = spawned_workers_start(options, &pool_options, &pool, diagnostics);
  } else if (ctl_pool_create(MPI_COMM_WORLD, &pool_options, &pool) != SIM_OK) {
    diagnostics_no_memory(diagnostics);
    MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  }
  if (code) return code;
  code = serve_pool(options, pool, ranks, diagnostics);
  if (ctl_pool_close(pool)) return code;
  diagnostics_error(diagnostics, code, "a rank does not answer: all are ended by MPI_Abort");
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

static int run_worker(const Options *options, Diagnostics *diagnostics) {
  const CtlBuilder builder = model_message_builder(options);
  if (ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK) return 0;
  diagnostics_error(diagnostics, EXIT_INTERNAL, "rank %d is out of memory", process_rank());
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  return EXIT_INTERNAL;
}

/* Whether there are the ranks that it takes. All ranks. */
static int check_ranks(const Options *options, Diagnostics *diagnostics) {
  if (options->elastic) return spawned_workers_check(options, MODEL_DENSE, diagnostics);
  if (process_with_mpi()) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE, "expected mpirun -n P stiction serve SPOOL");
}

static int run(const Options *options, Diagnostics *diagnostics) {
  int rank = process_rank(), ranks = process_ranks(),
      code = spawned_workers_is_one() ? 0 : check_ranks(options, diagnostics);
  if (code) return code;
  if (process_petsc_start(NULL) != SIM_OK)
    return EXIT_INTERNAL; /* some problem may need it, and all ranks must start it */
  if (spawned_workers_is_one()) spawned_workers_serve(options);
  code = rank == 0 ? run_lead(options, ranks, diagnostics) : run_worker(options, diagnostics);
  sim_group_share(process_group(), &code, sizeof code);
  return code;
}

const Command command_serve = {
    .name = "serve",
    .summary = "find the controls of all problems that are put into a folder",
    .argument = "SPOOL",
    .letters = "kEADq",
    .stops = true,
    .help = "usage: mpirun -n P stiction serve SPOOL [options]\n\n"
            "Takes problem files from SPOOL/incoming (written elsewhere, then renamed to there), searches their "
            "controls, several\n"
            "at a time on ranks 1.., and leaves results like those of `control` in SPOOL/done/NAME, or "
            "SPOOL/failed/NAME with\n"
            "error.txt. SPOOL/status.json tells what runs. Ends, after the simplexes under way, when there is a file "
            "SPOOL/stop;\n"
            "on TERM, INT or USR1, with 85. Started again, it goes on with what it had begun.\n",
    .run = run,
};
