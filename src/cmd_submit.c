#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/commands.h"
#include "src/problem/file.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/given_control.h"
#include "src/spool/job_print.h"
#include "src/spool/job_submit.h"
#include "src/sweep/check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double LOOK_SECONDS = 0.1;

/* What is wanted ----------------------------------------------------------------------------------------------- */

/* An option with its value, if it has one, as one word. False: too many, or no memory. */
static bool add_option(JobFile *job, const char *name, const char *value) {
  size_t size = strlen(name) + (value ? strlen(value) : 0) + 2;
  char *word = malloc(size);
  if (word) snprintf(word, size, "%s%s%s", name, value ? "=" : "", value ? value : "");
  bool added = word && job_file_add(job->options, &job->n_options, word);
  free(word);
  return added;
}

/* The command line's options of the job's command. */
static bool add_options(JobFile *job, const Options *options) {
  bool good = true, control = options->sweep == SWEEP_CONTROL || options->sweep == SWEEP_BOTH,
       simulate = options->sweep == SWEEP_SIMULATE || options->sweep == SWEEP_BOTH;
  for (int i = 0; i < options->n_varies && good; i++) good = add_option(job, "--vary", options->varies[i]);
  for (int i = 0; i < options->n_columns && good; i++) good = add_option(job, "--column", options->columns[i]);
  if (options->control || control) good = good && add_option(job, "--control", options->control);
  if (simulate) good = good && add_option(job, "--simulate", NULL);
  if (options->zip) good = good && add_option(job, "--zip", NULL);
  if (options->keep) good = good && add_option(job, "--keep", NULL);
  if (options->verify) good = good && add_option(job, "--verify", NULL);
  if (options->scenarios) good = good && add_option(job, "--scenarios", NULL);
  return good;
}

/* What is wanted of a file: by the command line, or its first line. */
static int read_wish(const char *path, const Options *options, Diagnostics *diagnostics, JobFile *job) {
  const JobText none = {.name = SPOOL_JOB};
  JobText first = {.name = path};
  char *text = file_read(path, &first.size, diagnostics);
  *job = (JobFile){.command = JOB_AS_FILE};
  if (!text) return diagnostics->no_memory ? diagnostics_no_memory(diagnostics) : EXIT_USAGE;
  first.text = options->command ? "" : text;
  int code = job_file_read(&none, &first, diagnostics, job);
  free(text);
  if (code) return code;
  if (options->command && !(job->command = job_command_find(options->command)))
    return diagnostics_error(diagnostics, EXIT_USAGE, "--command expects control, simulate, sweep or identify, not %s",
                             options->command);
  bool good = add_options(job, options) && (job->file = strdup(path));
  for (int i = 0; i < options->n_settings && good; i++)
    good = job_file_add(job->settings, &job->n_settings, options->settings[i]);
  job->priority = options->priority;
  return good ? job_file_check_options(job, path, diagnostics) : diagnostics_no_memory(diagnostics);
}

/* Checking ----------------------------------------------------------------------------------------------------- */

static const Command *command_of(const JobFile *job) {
  const Command *command;
  for (int k = 0; (command = command_at(k)) != NULL; k++)
    if (strcmp(command->name, job_command_names[job->command]) == 0) return command;
  return NULL;
}

static int check_sweep(const Options *options, Diagnostics *diagnostics) {
  SweepPlan plan;
  long base[SWEEP_AXES_MAX];
  Problem problem;
  int code = sweep_plan_make(options, &plan, diagnostics);
  if (!code) {
    code = sweep_check(&plan, base, &problem, diagnostics);
    problem_clear(&problem);
  }
  sweep_plan_clear(&plan);
  return code;
}

/* Numbers of --control, too, which must be as many as the problem has. */
static int check_control(const Options *options, const Problem *problem, Diagnostics *diagnostics) {
  double *control = calloc((size_t)sim_problem_variables(&problem->sim) + 1, sizeof *control);
  int code = control ? given_control(options, problem, NULL, control, diagnostics) : diagnostics_no_memory(diagnostics);
  free(control);
  return code;
}

static int check_problem(JobCommand command, const Options *options, Diagnostics *diagnostics) {
  Problem problem;
  int code = check_read(options, command == JOB_CONTROL, diagnostics, &problem);
  if (code) return code;
  if (problem.external)
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: has a program of its own, which a service does not run",
                             options->argument);
  else if (command == JOB_IDENTIFY && !problem.identification)
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: has no section identify", options->argument);
  else if (command == JOB_SIMULATE && options->scenarios && !problem.scenarios)
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: has no section scenarios", options->argument);
  else if (command == JOB_SIMULATE && options->control)
    code = check_control(options, &problem, diagnostics);
  problem_clear(&problem);
  return code;
}

/* Whether its command would take a job: as if that had been called with the job's words. */
static int check(const char *path, const JobFile *job, const Options *given, Diagnostics *diagnostics) {
  const Command *command = command_of(job);
  char *words[2 * SETTINGS_MAX + SETTINGS_MAX + 4] = {"stiction", (char *)command->name, (char *)path};
  int n = 3;
  for (int i = 0; i < job->n_settings; i++) {
    words[n++] = "--set";
    words[n++] = job->settings[i];
  }
  for (int i = 0; i < job->n_options; i++) words[n++] = job->options[i];
  Options options;
  int code = options_read(command, n, words, diagnostics, &options);
  options.limits = given->limits;
  options.progress_line = given->progress_line;
  if (code) return code;
  return job->command == JOB_SWEEP ? check_sweep(&options, diagnostics)
                                   : check_problem(job->command, &options, diagnostics);
}

/* Waiting ------------------------------------------------------------------------------------------------------ */

typedef struct Waiting {
  SpoolFolders *spool;
  const Options *options;
  Diagnostics *diagnostics;
  SpoolService service;
  bool served, told; /* a service has been seen; that there is none has been told */
} Waiting;

/* An ended job's exit code. */
static int exit_of(const json_t *job) {
  const json_t *code = json_object_get(job, "exit");
  const char *state = json_string_value(json_object_get(job, "state"));
  if (strcmp(state, "cancelled") == 0) return EXIT_STOPPED;
  if (json_is_integer(code)) return (int)json_integer_value(code);
  return strcmp(state, "done") == 0 ? EXIT_DONE : EXIT_USAGE;
}

/* Prints what has become of a job and takes its exit code, if it has ended. */
static bool take_end(const Waiting *waiting, const char *name, int *code) {
  SpoolFolder state;
  if (!spool_folders_find(waiting->spool, name, &state) || state < SPOOL_DONE) return false;
  json_t *job = job_list_one(waiting->spool, NULL, name);
  if (!job) return false;
  int one = exit_of(job);
  if (!waiting->options->quiet) job_print_outcome(job, waiting->spool->path, stdout);
  fflush(stdout);
  json_decref(job);
  if (one > *code) *code = one;
  return true;
}

/* Whether there is no use in waiting any more: a service was there and is no more. One that is not there yet is told of, once. */
static bool is_vain(Waiting *waiting) {
  spool_service_look(waiting->spool, &waiting->service);
  bool lives = spool_service_lives(&waiting->service);
  waiting->served |= lives;
  if (lives || waiting->served) return !lives;
  if (!waiting->told)
    diagnostics_warn(waiting->diagnostics, "no service is at work in %s: the jobs wait for one", waiting->spool->path);
  waiting->told = true;
  return false;
}

/* The largest of the jobs' exit codes. */
static int await(SpoolFolders *spool, const Options *options, char (*names)[SPOOL_NAME_MAX], int n,
                 Diagnostics *diagnostics) {
  Waiting waiting = {.spool = spool, .options = options, .diagnostics = diagnostics};
  bool *ended = calloc((size_t)n, sizeof *ended);
  int code = ended ? 0 : diagnostics_no_memory(diagnostics), left = ended ? n : 0;
  stop_signal_spare(); /* a signal ends the waiting, not the jobs */
  while (left) {
    spool_folders_again(spool);
    bool vain = is_vain(&waiting); /* before the jobs are looked at: what it has ended last counts */
    for (int k = 0; k < n; k++)
      if (!ended[k] && take_end(&waiting, names[k], &code)) ended[k] = true, left--;
    if (!left) break;
    if (vain || stop_signal_seen()) {
      int first = 0;
      while (ended[first]) first++;
      code = diagnostics_error(diagnostics, EXIT_STOPPED, "%s; %s stays in %s (stiction cancel %s %s takes it out)",
                               vain ? "the service is gone, and goes on when it is started again"
                                    : "not waited for any more",
                               names[first], spool->path, spool->path, names[first]);
      break;
    }
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
  }
  free(ended);
  spool_service_clear(&waiting.service);
  return code;
}

/* Submitting --------------------------------------------------------------------------------------------------- */

static int prepare(const SpoolFolders *spool, const Options *options, const char *path, Diagnostics *diagnostics,
                   JobPacked *packed) {
  JobFile job;
  int code = read_wish(path, options, diagnostics, &job);
  if (!code) code = check(path, &job, options, diagnostics);
  if (!code) code = job_submit_pack(spool, path, &job, options->name, diagnostics, packed);
  job_file_clear(&job);
  return code;
}

/* All of them, or none. */
static int submit(const SpoolFolders *spool, const Options *options, JobPacked *jobs, char (*names)[SPOOL_NAME_MAX],
                  Diagnostics *diagnostics) {
  int n = options->n_others, code = 0;
  for (int k = 0; k < n && !stop_signal_seen(); k++) {
    int one = prepare(spool, options, options->others[k], diagnostics, &jobs[k]);
    if (one && !code) code = one;
  }
  if (stop_signal_seen()) code = EXIT_STOPPED;
  for (int k = 0; k < n && !code; k++) {
    code = job_submit_put(spool, &jobs[k], names[k], diagnostics);
    if (!code && !options->quiet) printf("%s\n", names[k]);
  }
  fflush(stdout);
  for (int k = 0; k < n; k++) job_submit_drop(spool, &jobs[k]);
  return code;
}

static int run(const Options *options, Diagnostics *diagnostics) {
  SpoolFolders spool;
  if (process_rank() != 0) return EXIT_DONE;
  if (options->name && options->n_others > 1)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--name is for one file, not for %d", options->n_others);
  int n = options->n_others, code = spool_folders_open(&spool, options->argument, diagnostics);
  JobPacked *jobs = calloc((size_t)n, sizeof *jobs);
  char(*names)[SPOOL_NAME_MAX] = calloc((size_t)n, sizeof *names);
  if (!jobs || !names)
    code = diagnostics_no_memory(diagnostics);
  else if (!code)
    code = submit(&spool, options, jobs, names, diagnostics);
  if (!code && options->wait) code = await(&spool, options, names, n, diagnostics);
  free(jobs);
  free(names);
  spool_folders_close(&spool);
  return code;
}

const Command command_submit = {
    .name = "submit",
    .summary = "give problem files to a service",
    .argument = "SPOOL",
    .others = "FILE..",
    .letters = "narszVZCIKUvNxmq",
    .stops = true,
    .help =
        "usage: stiction submit SPOOL FILE.. [options]\n\n"
        "Checks problem files and puts them into SPOOL, each with the matrices and CSV files that it names; none if\n"
        "one has mistakes. Prints the name of each job. --wait: waits, tells what has become of them, and ends with\n"
        "the largest of their exit codes, 85 for what was cancelled or when the service is gone.\n"
        "Options of sweeps: --vary, --zip, --control, --simulate, --keep, --column. Of simulations: --control=U, \n"
        "--verify, --scenarios.\n",
    .run = run,
};
