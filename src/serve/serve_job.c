#include "src/serve/serve_job.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/document/document.h"
#include "src/process/memory.h"
#include "src/process/stop_signal.h"
#include "src/search/model_message.h"
#include "src/serve/status_file.h"
#include "src/serve/untrusted_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char MESSAGES[] = "messages.txt", ERROR[] = "error.txt", RUN[] = "checkpoint/run.json";

/* Messages ----------------------------------------------------------------------------------------------------- */

/* Opens messages.txt, to go on behind what is in it. -1, after telling why not. */
static int open_messages(ServeJob *job) {
  char path[FILE_PATH_SIZE];
  const Spool *spool = job->service->spool;
  if (spool_path(spool, job->name, MESSAGES, path)) return -1;
  char fault[FILE_FAULT_SIZE];
  int file = file_open_to_write(path, O_CREAT | O_APPEND, 0666, fault);
  job->diagnostics = (Diagnostics){.origin = "stiction serve", .tell = diagnostic_print};
  job->diagnostics.to = job->messages = file < 0 ? NULL : fdopen(file, "a");
  if (job->messages) return 0;
  if (file >= 0) {
    snprintf(fault, sizeof fault, "%s", strerror(errno));
    close(file);
  }
  return diagnostics_error(spool->top.diagnostics, -1, "%s: %s", path, fault);
}

/* What they said is settled. */
static void forget_messages(const ServeJob *job) {
  if (ftruncate(fileno(job->messages), 0)) fprintf(job->messages, "%s\n", strerror(errno)); /* among what stays */
}

/* Listener ----------------------------------------------------------------------------------------------------- */

/* Simulations of a job so far, those of its proof with them. */
static long simulated(const ServeJob *job) {
  CtlState state;
  ctl_search_state(job->run.search, &state);
  return state.ivps + (job->proof ? (long)job->run.proof_log.motions : 0);
}

/* After a simplex, or a round of the proof. */
static int on_simplex(void *context, const CtlState *state, double seconds) {
  ServeJob *job = context;
  int code = job->own.simplex(job->own.context, state, seconds);
  long ivps = simulated(job);
  job->service->simulated += ivps - job->ivps;
  job->ivps = ivps;
  bool goes_on = job->proof || state->reason == CTL_RUNNING;
  return !code && job->service->stopping && goes_on ? EXIT_STOPPED : code;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  ServeJob *job = context;
  job->own.tick(job->own.context, search, seconds, busy);
}

static bool on_question(void *context) {
  ServeJob *job = context;
  return job->own.stopped(job->own.context);
}

/* Beginning ---------------------------------------------------------------------------------------------------- */

/* What `control` takes and a service does not. */
static int check_limits(ServeJob *job) {
  enum { COPIES = 3 }; /* of a model, while it is built */
  const Problem *problem = &job->run.problem;
  const Place place = {.name = job->path};
  if (problem->ranks_per_evaluation > 1) {
    diagnostics_add(&job->diagnostics, &place, "search.ranks_per_evaluation",
                    "%ld (expected 1: the service's ranks evaluate alone)", problem->ranks_per_evaluation);
    return EXIT_USAGE;
  }
  double need = (double)sim_problem_packed_size(&problem->sim) * COPIES * job->service->ranks,
         there = memory_available();
  if (need <= there) return 0;
  diagnostics_add(&job->diagnostics, &place, "time.step",
                  "tables that take %.3g GiB on %d ranks (expected at most %.3g GiB, which are left)", need / (1 << 30),
                  job->service->ranks, there / (1 << 30));
  return EXIT_USAGE;
}

static int prepare(ServeJob *job) {
  int code = search_run_prepare(&job->run);
  if (!code) code = check_limits(job);
  return code ? code : search_run_open(&job->run, 0);
}

static void begin_run(ServeJob *job) {
  job->options = (Options){.argument = job->path,
                           .output = job->directory,
                           .kernel = job->service->options->kernel,
                           .limits = job->service->options->limits,
                           .force = true,
                           .quiet = true};
  job->run = (SearchRun){.options = &job->options,
                         .diagnostics = &job->diagnostics,
                         .ranks = job->service->ranks,
                         .start = ctl_seconds(),
                         .results = {.diagnostics = &job->diagnostics, .lock = -1}};
}

/* Goes on from the job's checkpoint, if there is one that will do. Whether it does, or has ended already: *code. */
static bool resume(ServeJob *job, bool *ended, int *code) {
  char path[FILE_PATH_SIZE];
  RunRecord record;
  if (spool_path(job->service->spool, job->name, RUN, path)) return false;
  if (access(path, F_OK)) {
    forget_messages(job);
    return false;
  }
  bool opened = run_record_open(&record, job->directory, &job->diagnostics) == 0;
  *ended = opened && run_record_ended(&record, code);
  bool good = opened && !*ended && run_record_options(&record, job->path, &job->options) == 0;
  if (!good) {
    run_record_close(&record);
    return *ended;
  }
  forget_messages(job);
  job->run.record = record;
  job->run.resumed = true;
  *code = prepare(job);
  if (!*code) return true;
  search_run_release(&job->run);
  return false;
}

static int begin(ServeJob *job, bool *ended) {
  int code = spool_adopt(job->service->spool, job->name, &job->diagnostics);
  *ended = false;
  if (code) return code;
  begin_run(job);
  if (resume(job, ended, &code)) return code;
  if (spool_path(job->service->spool, job->name, "problem.yaml", job->path)) return EXIT_INTERNAL;
  begin_run(job);
  code = untrusted_input_check(job->path, &job->diagnostics);
  return code ? code : prepare(job);
}

/* With this in front of its listener, which model has been made for; that is freed here. Returns whether there was memory. */
static bool add_to_pool(ServeJob *job, CtlJob *given, const CtlListener *own, void *model) {
  job->own = *own;
  job->listener =
      (CtlListener){.context = job, .simplex = on_simplex, .tick = on_tick, .stopped = on_question, own->grace};
  given->listener = &job->listener;
  bool added = model && ctl_pool_add(job->service->pool, given, &job->pooled) == SIM_OK;
  free(model);
  return added;
}

static int add_search(ServeJob *job) {
  CtlJob given = {
      .search = job->run.search, .evaluator = &job->evaluator, .timeout = job->run.problem.control.evaluation_timeout};
  const CtlListener own = search_run_listener(&job->run);
  void *model = model_message_pack(&job->run.evaluated, job->options.argument, &given.model_size);
  job->evaluator = model_evaluator(&job->run.evaluator);
  given.model = model;
  return add_to_pool(job, &given, &own, model) ? 0 : diagnostics_no_memory(&job->diagnostics);
}

/* The second part of a job. What has ended it if it has not begun; else 0. */
static int add_proof(ServeJob *job) {
  CtlJob given;
  void *model = NULL;
  int over = certification_over(job->proof);
  if (over) return over;
  bool made = certification_job(job->proof, &given, &model);
  return made && add_to_pool(job, &given, given.listener, model) ? 0 : CTL_DRIVE_NO_MEMORY;
}

/* Ending ------------------------------------------------------------------------------------------------------- */

/* All of a file, without the name of a folder that it is about to leave; NULL: no memory, or it cannot be read. */
static char *read_messages(const ServeJob *job) {
  char path[FILE_PATH_SIZE];
  size_t size, folder = strlen(job->directory);
  Diagnostics ignored = {0};
  if (snprintf(path, sizeof path, "%s/%s", job->directory, MESSAGES) >= FILE_PATH_SIZE) return NULL;
  char *text = file_read(path, &size, &ignored), *to = text;
  diagnostics_clear(&ignored);
  if (!text) return NULL;
  for (const char *from = text; *from;) {
    bool named = strncmp(from, job->directory, folder) == 0 && from[folder] == '/';
    if (named) from += folder + 1;
    *to++ = *from++;
  }
  *to = 0;
  return text;
}

/* messages.txt becomes error.txt of what has failed, and stays, if there is anything in it, of what has not. */
static int write_messages(const ServeJob *job, bool failed) {
  Results there = {.diagnostics = job->service->spool->top.diagnostics, .lock = -1};
  char path[FILE_PATH_SIZE], *text = read_messages(job);
  snprintf(there.directory, sizeof there.directory, "%s", job->directory);
  int bad = !text;
  if (text && (failed || *text)) bad = results_write(&there, failed ? ERROR : MESSAGES, text);
  if (text && !bad && (failed || !*text) && results_path(&there, MESSAGES, path) == 0) unlink(path);
  free(text);
  return bad;
}

static ServeEnd finish(ServeJob *job, int code) {
  bool failed = code != EXIT_DONE && code != EXIT_NOT_MET, paused = code == EXIT_STOPPED;
  ServeEnd end = failed ? SERVE_FAILED : code == EXIT_DONE ? SERVE_DONE : SERVE_NOT_MET;
  search_run_release(&job->run);
  diagnostics_print(&job->diagnostics, job->messages);
  fclose(job->messages);
  if (paused)
    end = SERVE_PAUSED;
  else if (failed && !spool_has_room(job->service->spool)) /* perhaps that is why, and nobody could be told */
    end = SERVE_STUCK;
  else if (write_messages(job, failed) ||
           spool_finish(job->service->spool, job->name, failed ? SPOOL_FAILED : SPOOL_DONE))
    end = SERVE_STUCK;
  free(job);
  return end;
}

ServeEnd serve_job_begin(ServeContext *service, const char *name, ServeJob **result) {
  ServeJob *job = calloc(1, sizeof *job);
  *result = NULL;
  if (!job) {
    diagnostics_no_memory(service->spool->top.diagnostics);
    return SERVE_STUCK;
  }
  snprintf(job->name, sizeof job->name, "%s", name);
  job->service = service;
  if (spool_path(service->spool, name, NULL, job->directory) || open_messages(job)) {
    free(job);
    return SERVE_STUCK;
  }
  bool ended;
  int code = begin(job, &ended);
  if (!code && !ended) code = add_search(job);
  if (code || ended) return finish(job, code);
  job->ivps = job->ivps_rated = simulated(job);
  job->rated = ctl_seconds();
  *result = job;
  return SERVE_RUNS;
}

ServeEnd serve_job_look(ServeJob *job) {
  int stop;
  if (!ctl_pool_over(job->pooled, &stop)) return SERVE_RUNS;
  ctl_pool_times(job->service->pool, job->pooled, &job->run.times);
  ctl_pool_remove(job->service->pool, job->pooled);
  if (stop == CTL_POOL_REFUSED && !job->proof)
    return finish(job, diagnostics_error(&job->diagnostics, EXIT_INTERNAL,
                                         "a worker could not build the model (out of memory?)"));
  if (job->proof) return finish(job, search_run_conclude(&job->run, job->proof, stop));
  int code = search_run_answer(&job->run, stop == EXIT_STOPPED ? CTL_DRIVE_STOPPED : stop, &job->proof);
  if (!job->proof) return finish(job, code);
  int over = add_proof(job);
  if (over) return finish(job, search_run_conclude(&job->run, job->proof, over));
  job->ivps = simulated(job);
  return SERVE_RUNS;
}

json_t *serve_job_status(ServeJob *job) {
  CtlState state;
  ctl_search_state(job->run.search, &state);
  double now = ctl_seconds(), since = now - job->rated;
  long ivps = simulated(job);
  double rate = since > 0 ? (double)(ivps - job->ivps_rated) / since : 0;
  job->rated = now;
  job->ivps_rated = ivps;
  return status_problem(job->name, &state, now - job->run.start, rate);
}
