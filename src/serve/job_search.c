/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/job_search.h"

#include "control/base/clock.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/search/messages.h"
#include "src/serve/job_messages.h"
#include "src/serve/status_file.h"

#include <math.h>
#include <stdlib.h>

/* Largest estimated time, in s, of a step that rank 0 does itself, since other jobs wait in the meantime. Rank 0 reads
 * problems that can be read in this time. It also does the steps after a search with few variables and degrees of
 * freedom, and stops them after this time. */
static const double QUICK = 0.5;
static const double SIMPLEX_SECONDS = 1; /* time that a job which is to pause may take to finish its simplex, in s */
/* time that a job which is to stop may wait until its running evaluations end, in s; other jobs need the ranks */
static const double GRACE = 0.5;
/* FEW_VARIABLES, FEW_FREEDOMS: largest numbers of variables and of degrees of freedom of jobs for which rank 0 does the
 * last steps. COPIES: largest number of copies of a model in memory while it is built. */
enum { FEW_VARIABLES = 16, FEW_FREEDOMS = 64, COPIES = 3 };

/* The listener of a job's search ----------------------------------------------------------------------------------- */

/* Returns the number of simulations of a job so far, including those of its proofs. */
static long simulated(const JobSearch *search) {
  CtlState state;
  stiction_asktell_state(search->run.search, &state);
  const ProofLog *log = &search->run.proof_log;
  return state.ivps + (search->proof ? (long)(log->simulations + log->motions) : 0);
}

/* Listener of the job: called after each simplex of the search, and each round of the proof. */
static int on_simplex(void *context, const CtlState *state, double seconds) {
  ServeJob *job = context;
  JobSearch *search = &job->search;
  int code = search->own.simplex(search->own.context, state, seconds);
  long ivps = simulated(search);
  job->service->simulated += ivps - search->ivps;
  search->ivps = ivps;
  bool stops = job->service->stopping || job->stop != SERVE_GOES_ON;
  bool goes_on = search->proof || state->reason == CTL_RUNNING;
  return !code && stops && goes_on ? EXIT_STOPPED : code;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  ServeJob *job = context;
  job->service->busy = busy;
  job->search.own.tick(job->search.own.context, search, seconds, busy);
}

/* Listener of the job: returns whether it must stop now. A job that is to pause may first finish its simplex, within
 * SIMPLEX_SECONDS; a cancelled job may not. */
static bool on_question(void *context) {
  ServeJob *job = context;
  JobSearch *search = &job->search;
  bool unwanted = job->stop == SERVE_CANCELS || job->stop == SERVE_LATE,
       pauses = job->service->stopping || job->stop == SERVE_PAUSES;
  if (unwanted) search->listener.grace = 0;
  if (pauses && !(search->asked > 0)) search->asked = ctl_seconds();
  bool overdue = pauses && ctl_seconds() - search->asked > SIMPLEX_SECONDS;
  return search->own.stopped(search->own.context) || unwanted || overdue;
}

/* Beginning the search of a job ------------------------------------------------------------------------------------ */

static void begin_run(ServeJob *job, const char *path) {
  const Options *given = job->service->options;
  JobSearch *search = &job->search;
  double seconds = given->limits.seconds;
  search->options = (Options){.argument = path,
                              .output = job->directory,
                              .kernel = given->kernel,
                              .limits = given->limits,
                              .only_asked = true,
                              .n_settings = job->wanted.n_settings,
                              .force = true,
                              .quiet = true};
  for (int i = 0; i < job->wanted.n_settings; i++) search->options.settings[i] = job->wanted.settings[i];
  search->options.limits.seconds = seconds > 0 ? fmin(seconds, QUICK) : QUICK;
  search->run = (SearchRun){.options = &search->options,
                            .diagnostics = &job->diagnostics,
                            .ranks = job->service->ranks,
                            .start = ctl_seconds(),
                            .results = {.diagnostics = &job->diagnostics, .lock = -1}};
}

/* Returns whether rank 0 needs little time to compute the next points to evaluate and to save a checkpoint. This time
 * depends on the number of points of a simplex, or on the size of the quadratic program. */
static bool steps_quickly(const CtlProblem *control) {
  enum {
    TABLE_MOST = 1000000,
    PROGRAM_MOST = 320
  }; /* TABLE_MOST: largest number of coordinates of all points of a simplex. PROGRAM_MOST: largest sum of variables and
      * targets of a quadratic program */
  return ctl_method_has_simplexes(ctl_problem_method(control))
             ? ctl_problem_scheme_size(control) * control->n <= TABLE_MOST
             : control->n + control->d <= PROGRAM_MOST;
}

/* Returns whether the job can run on the pool: its steps do not delay other jobs, and each rank has memory for a copy
 * of its model. */
static bool suits_pool(const ServeJob *job) {
  const Problem *problem = &job->search.run.problem;
  double need = (double)sim_problem_packed_size(&problem->sim) * COPIES * job->service->ranks;
  bool bounds = problem->control.bound == CTL_BOUND_GIVEN || problem->control.bound == CTL_BOUND_YES;
  return !bounds && !problem->plan && !ctl_problem_calls_library(&problem->control) &&
         steps_quickly(&problem->control) && need <= memory_available();
}

static int check_ranks(ServeJob *job) {
  const Problem *problem = &job->search.run.problem;
  if (problem->ranks_per_evaluation == 1) return 0;
  diagnostics_add(&job->diagnostics, &(Place){.name = job->path}, "search.ranks_per_evaluation",
                  "%ld (expected 1: the service's ranks evaluate alone)", problem->ranks_per_evaluation);
  return EXIT_USAGE;
}

/* Prepares the search. The job is left to a separate process if its problem has errors, which that process then
 * reports, cannot be read quickly, or does not suit the pool. */
static int prepare(ServeJob *job) {
  SearchRun *run = &job->search.run;
  long mark = job_messages_mark(job);
  int code = search_run_read(run);
  if (!code) code = search_run_prepare(run);
  if (code == EXIT_USAGE || (!code && !suits_pool(job))) {
    job_messages_cut(job, mark);
    return SEARCH_FOR_PROCESS;
  }
  if (!code) code = check_ranks(job);
  return code ? code : search_run_open(run, 0);
}

/* Adds a search or a proof to the pool as a job. Its listener is that of this job, which calls `own`. Frees `model`.
 * Returns false if there was no memory. */
static bool add_to_pool(ServeJob *job, CtlJob *given, const CtlListener *own, void *model) {
  JobSearch *search = &job->search;
  search->own = *own;
  search->listener = (CtlListener){
      .context = job, .simplex = on_simplex, .tick = on_tick, .stopped = on_question, fmin(own->grace, GRACE)};
  given->listener = &search->listener;
  given->owner = (long)job->submitter.user;
  bool added = model && ctl_pool_add(job->service->pool, given, &search->pooled) == SIM_OK;
  free(model);
  return added;
}

static int add_search(ServeJob *job) {
  JobSearch *search = &job->search;
  SearchRun *run = &search->run;
  CtlJob given = {
      .search = run->search, .evaluator = &search->evaluator, .timeout = run->problem.control.evaluation_timeout};
  const CtlListener own = search_run_listener(run);
  void *model = search_run_message(run, &given.model_size);
  search->evaluator = search_run_evaluator(run);
  given.model = model;
  return add_to_pool(job, &given, &own, model) ? 0 : diagnostics_no_memory(&job->diagnostics);
}

/* Adds the proof after a search to the pool. Returns 0; CTL_DRIVE_NO_MEMORY; or, if the proof ended before it began,
 * the result with which it ended. */
static int add_proof(ServeJob *job) {
  CtlJob given;
  void *model = NULL;
  Certification *proof = job->search.proof;
  int over = certification_over(proof);
  if (over) return over;
  bool made = certification_job(proof, &given, &model);
  return made && add_to_pool(job, &given, given.listener, model) ? 0 : CTL_DRIVE_NO_MEMORY;
}

/* Adds proofs to the pool until one of them runs. Returns 0, or the result of the last proof if all ended before they
 * began. */
static int prove(ServeJob *job) {
  int over;
  do over = add_proof(job);
  while (certification_goes_on(job->search.proof, over));
  return over;
}

int job_search_begin(ServeJob *job, bool resumes) {
  JobSearch *search = &job->search;
  SearchRun *run = &search->run;
  char path[FILE_PATH_SIZE];
  int code = 0;
  begin_run(job, job->path);
  if (resumes) {
    search->options.n_settings = 0; /* the problem in the checkpoint already includes the settings */
    code = run_record_open(&run->record, job->directory, &job->diagnostics);
    if (!code) code = run_record_options(&run->record, path, &search->options);
    search->options.argument = path;
    run->resumed = !code;
    if (code) run_record_close(&run->record);
  }
  if (!code) code = prepare(job);
  if (!code) code = add_search(job);
  search->options.argument = job->path; /* options.argument must be valid as long as the job, which the local variable
                                         * `path` is not */
  if (code) {
    search_run_release(run);
    return code;
  }
  search->ivps = search->ivps_rated = simulated(search);
  search->rated = ctl_seconds();
  return SEARCH_RUNS;
}

/* Ending the search of a job --------------------------------------------------------------------------------------- */

static bool follows_quickly(const SearchRun *run) {
  const Problem *problem = &run->problem;
  return problem->control.n <= FEW_VARIABLES && problem->sim.d <= FEW_FREEDOMS && problem->storage == MODEL_DENSE &&
         !problem->scenarios && problem->refine_to <= problem->sim.segments;
}

/* Does the steps after a search in this process, if they are short. Otherwise a separate process does them, which
 * resumes the run from its checkpoint. */
static int answer(ServeJob *job, int stop) {
  JobSearch *search = &job->search;
  SearchRun *run = &search->run;
  bool leaves = stop == 0 && !follows_quickly(run);
  int drive = stop == EXIT_STOPPED || leaves ? CTL_DRIVE_STOPPED : stop;
  stop_signal_hurry(true);
  int code = search_run_answer(run, drive, &search->proof);
  stop_signal_hurry(false);
  return code == EXIT_STOPPED && stop == 0 && !stop_signal_seen() ? SEARCH_FOR_PROCESS : code;
}

static int released(ServeJob *job, int code) {
  search_run_release(&job->search.run);
  return code;
}

int job_search_look(ServeJob *job) {
  JobSearch *search = &job->search;
  SearchRun *run = &search->run;
  int stop;
  if (job->service->concluded || !ctl_pool_over(search->pooled, &stop)) return SEARCH_RUNS;
  job->service->concluded = true;
  if (!search->proof) ctl_pool_times(job->service->pool, search->pooled, &run->times);
  ctl_pool_remove(job->service->pool, search->pooled);
  if (stop == CTL_POOL_REFUSED && !search->proof)
    return released(job, diagnostics_error(&job->diagnostics, EXIT_INTERNAL,
                                           "a worker could not build the model (out of memory?)"));
  if (search->proof && !certification_goes_on(search->proof, stop))
    return released(job, search_run_conclude(run, search->proof, stop));
  if (!search->proof) {
    int code = answer(job, stop);
    if (!search->proof) return released(job, code);
  }
  int over = prove(job);
  if (over) return released(job, search_run_conclude(run, search->proof, over));
  search->ivps = simulated(search);
  return SEARCH_RUNS;
}

json_t *job_search_status(ServeJob *job, double seconds) {
  JobSearch *search = &job->search;
  CtlState state;
  stiction_asktell_state(search->run.search, &state);
  double now = ctl_seconds(), since = now - search->rated;
  long ivps = simulated(search);
  double rate = since > 0 ? (double)(ivps - search->ivps_rated) / since : 0;
  search->rated = now;
  search->ivps_rated = ivps;
  const CtlProblem *problem = ctl_search_problem(search->run.search);
  const StatusShare shares[] = {{.used = state.seconds, .most = problem->max_seconds},
                                {.used = (double)state.rounds, .most = (double)problem->max_simplexes},
                                {.used = (double)state.evaluations, .most = (double)problem->max_evaluations}};
  double left = search->proof ? INFINITY : status_time_left(shares, 3, state.seconds);
  return status_problem(job->name, &state, seconds, rate, left);
}
