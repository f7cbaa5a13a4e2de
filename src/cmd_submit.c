/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/clock.h"
#include "src/base/progress.h"
#include "src/commands.h"
#include "src/file/sections/file.h"
#include "src/file/sections/identification.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/given_control.h"
#include "src/spool/job_print.h"
#include "src/spool/job_submit.h"
#include "src/spool/spool_read.h"
#include "src/study/sweep_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* LOOK_SECONDS: time between two looks at the job while waiting for it. PATIENCE: least time for which an answer of the
 * service is awaited. Both in s. */
static const double LOOK_SECONDS = 0.1, PATIENCE = 5;

/* Reading a request ------------------------------------------------------------------------------------------------ */

/* Adds an option, together with its value if it has one, as one word. Returns false if there are too many options or no
 * memory. */
static bool add_option(JobFile *job, const char *name, const char *value) {
  size_t size = strlen(name) + (value ? strlen(value) : 0) + 2;
  char *word = malloc(size);
  if (word) snprintf(word, size, "%s%s%s", name, value ? "=" : "", value ? value : "");
  bool added = word && job_file_add(job->options, &job->n_options, word);
  free(word);
  return added;
}

/* Adds the options of the command line that belong to the job's command. */
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

/* Reads what is requested for a problem file (command, name, options) from the command line or from the file's first
 * line. */
static int read_request(const char *path, const Options *options, Diagnostics *diagnostics, JobFile *job) {
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

/* Checking the problem before it is sent --------------------------------------------------------------------------- */

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

/* Checks --control, and that it has as many numbers as the problem has controls. */
static int check_control(const Options *options, const Problem *problem, Diagnostics *diagnostics) {
  double *control = calloc((size_t)stiction_problem_variables(&problem->sim) + 1, sizeof *control);
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
  else if (command == JOB_IDENTIFY)
    code = identification_check(problem.identification, diagnostics);
  else if (command == JOB_SIMULATE && options->scenarios && !problem.scenarios)
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: has no section scenarios", options->argument);
  else if (command == JOB_SIMULATE && options->control)
    code = check_control(options, &problem, diagnostics);
  problem_clear(&problem);
  return code;
}

/* Checks that the job's command would accept the job's options. */
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

/* A file that is being submitted. */
typedef struct Submission {
  JobFile request;
  JobPacked packed;
  char name[SPOOL_NAME_MAX]; /* name of the job */
  bool ended;                /* whether the result of the job was printed */
  /* Time (ctl_seconds) since which the job has been missing, or has ended but has not been readable; 0: neither. */
  double lost;
} Submission;

/* Waiting for the end of submitted jobs ---------------------------------------------------------------------------- */

typedef struct Waiting {
  SpoolFolders *spool;
  const Options *options;
  Diagnostics *diagnostics;
  double patience; /* how long to wait for a job that is missing, in s */
  SpoolService service;
  Progress progress;     /* progress line on the terminal */
  bool served, reported; /* served: whether a running service has been found; reported: whether the user has been
                          * warned that there is none */
} Waiting;

/* Returns the exit code of a job that has ended. */
static int exit_of(const Waiting *waiting, const json_t *job) {
  const json_t *code = json_object_get(job, "exit"), *reason = json_object_get(job, "reason");
  const char *name = json_string_value(json_object_get(job, "name")),
             *state = json_string_value(json_object_get(job, "state"));
  if (strcmp(state, "cancelled") == 0) return EXIT_STOPPED;
  if (json_is_integer(code)) return (int)json_integer_value(code);
  if (strcmp(state, "done") == 0)
    return diagnostics_error(waiting->diagnostics, EXIT_USAGE, "%s: its results may not be looked into by you", name);
  /* The exit code is not known. If a reason is recorded, the job has run and failed; otherwise its file could not be
   * read. */
  return json_is_string(reason) ? EXIT_UNSOLVED : EXIT_USAGE;
}

/* Returns whether the job's folder is readable. A service that runs as root moves an ended job first, and gives it to
 * its submitter afterwards. */
static bool may_be_read(const Waiting *waiting, const Submission *job, SpoolFolder state) {
  int folder = spool_open_job(waiting->spool, state, job->name);
  if (folder >= 0) close(folder);
  return folder >= 0;
}

/* Prints the outcome of an ended job. Returns its exit code. */
static int print_end(Waiting *waiting, const Submission *job) {
  json_t *ended = job_list_begun(waiting->spool, NULL, job->name);
  progress_clear(&waiting->progress);
  int code = ended ? exit_of(waiting, ended) : EXIT_STOPPED;
  if (ended && !waiting->options->quiet) job_print_outcome(ended, waiting->spool->path, stdout);
  fflush(stdout);
  json_decref(ended);
  return code;
}

/* Checks the state of a job. Once it has ended, prints its outcome and raises *code to its exit code. */
static void look(Waiting *waiting, Submission *job, int *code) {
  SpoolFolder state;
  char file[SPOOL_WAITING_MAX];
  double now = ctl_seconds();
  /* incoming/ is searched first, as jobs move from there to the other folders */
  bool waits = spool_find_waiting(waiting->spool, job->name, file, NULL),
       begun = spool_folders_find(waiting->spool, job->name, &state), ended = begun && state >= SPOOL_DONE;
  int one = EXIT_DONE;
  bool found = ended ? may_be_read(waiting, job, state) : waits || begun;
  job->lost = found ? 0 : job->lost > 0 ? job->lost : now;
  bool given_up = job->lost > 0 && now - job->lost > waiting->patience;
  job->ended = (ended && found) || given_up;
  if (!job->ended) return;
  if (ended) {
    one = print_end(waiting, job);
  } else { /* the job is nowhere: a user has removed it */
    progress_clear(&waiting->progress);
    one = diagnostics_error(waiting->diagnostics, EXIT_STOPPED, "%s: is not in %s any more", job->name,
                            waiting->spool->path);
  }
  if (one > *code) *code = one;
}

/* Draws the progress of the first unfinished job and the number of jobs that have ended. */
static void draw_progress(Waiting *waiting, const Submission *list, const Submission *left) {
  char text[JOB_OUTCOME_SIZE];
  int n = waiting->options->n_others, ended = 0;
  if (!waiting->progress.stream) return;
  json_t *job = job_list_one(waiting->spool, waiting->service.status, left->name);
  for (int k = 0; k < n; k++) ended += list[k].ended;
  if (job && n > 1)
    progress_draw(&waiting->progress, "%d of %d ended  %s", ended, n, job_progress_text(job, text));
  else if (job)
    progress_draw(&waiting->progress, "%s", job_progress_text(job, text));
  json_decref(job);
}

/* Returns whether waiting is useless, because the service has stopped. As long as no running service has been found,
 * returns false; the first time it also warns the user. */
static bool is_vain(Waiting *waiting) {
  spool_service_look(waiting->spool, &waiting->service);
  bool lives = spool_service_lives(&waiting->service);
  waiting->served |= lives;
  if (lives || waiting->served) return !lives;
  if (!waiting->reported)
    diagnostics_warn(waiting->diagnostics, "no service is at work in %s: the jobs wait for one", waiting->spool->path);
  waiting->reported = true;
  return false;
}

/* Returns the first job that has not ended; NULL if all have ended. */
static const Submission *first_left(const Options *options, const Submission *list) {
  for (int k = 0; k < options->n_others; k++)
    if (!list[k].ended) return &list[k];
  return NULL;
}

/* Waits for all jobs; returns the largest of their exit codes. */
static int await(SpoolFolders *spool, const Options *options, Submission *list, Diagnostics *diagnostics) {
  Waiting waiting = {.spool = spool,
                     .options = options,
                     .diagnostics = diagnostics,
                     .patience = fmax(spool_folders_delay(spool), PATIENCE),
                     .progress.stream = options->progress_line};
  const Submission *left;
  int code = EXIT_DONE;
  while ((left = first_left(options, list)) != NULL) {
    spool_folders_again(spool);
    bool vain = is_vain(&waiting); /* checked before the states of the jobs, so that a job that ends between both checks
                                    * is still reported */
    for (int k = 0; k < options->n_others; k++)
      if (!list[k].ended) look(&waiting, &list[k], &code);
    if ((left = first_left(options, list)) == NULL) break;
    if (vain || stop_signal_seen()) progress_clear(&waiting.progress);
    if (vain || stop_signal_seen()) { /* waiting ends here; the jobs themselves continue */
      code = diagnostics_error(diagnostics, EXIT_STOPPED, "%s; %s stays in %s (stiction cancel %s %s takes it out)",
                               vain ? "the service is gone, and goes on when it is started again"
                                    : "not waited for any more",
                               left->name, spool->path, spool->path, left->name);
      break;
    }
    draw_progress(&waiting, list, left);
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * LOOK_SECONDS)}, NULL);
  }
  spool_service_clear(&waiting.service);
  return code;
}

/* Submitting problem files as jobs --------------------------------------------------------------------------------- */

/* Checks all files before any is submitted. */
static int check_all(const Options *options, Submission *list, Diagnostics *diagnostics) {
  int code = 0;
  for (int k = 0; k < options->n_others; k++) {
    const char *path = options->others[k];
    int one = read_request(path, options, diagnostics, &list[k].request);
    if (!one) one = check(path, &list[k].request, options, diagnostics);
    if (one && !code) code = one;
  }
  return code;
}

/* Submits all files, or none. */
static int submit(const SpoolFolders *spool, const Options *options, Submission *list, Diagnostics *diagnostics) {
  int n = options->n_others, code = check_all(options, list, diagnostics);
  stop_signal_spare(); /* from here on a signal must not end the process before the packed files are submitted or
                        * removed */
  for (int k = 0; k < n && !code; k++)
    code = job_submit_pack(spool, options->others[k], &list[k].request, options->name, diagnostics, &list[k].packed);
  if (!code && stop_signal_seen()) code = EXIT_STOPPED;
  for (int k = 0; k < n && !code; k++) {
    code = job_submit_put(spool, &list[k].packed, list[k].name, diagnostics);
    if (!code && !options->quiet && !options->json) printf("%s\n", list[k].name);
  }
  fflush(stdout);
  for (int k = 0; k < n; k++) {
    job_submit_drop(spool, &list[k].packed);
    job_file_clear(&list[k].request);
  }
  return code;
}

/* Prints a JSON document for --json: the names of the submitted jobs, none if there are errors, and all messages. */
static int print_json(const Submission *jobs, int n, Diagnostics *found, Diagnostics *diagnostics) {
  json_t *list = json_array(), *root = json_object();
  bool good = list && root;
  for (int k = 0; k < n && good && *jobs[k].name; k++)
    good = json_array_append_new(list, json_string(jobs[k].name)) == 0;
  good = good && json_object_set(root, "names", list) == 0 &&
         json_object_set_new(root, "mistakes", diagnostics_json(found, false)) == 0 &&
         json_object_set_new(root, "warnings", diagnostics_json(found, true)) == 0 &&
         json_dumpf(root, stdout, JSON_INDENT(2)) == 0;
  if (good) printf("\n");
  json_decref(list);
  json_decref(root);
  return good ? 0 : diagnostics_no_memory(diagnostics);
}

static int run(const Options *options, Diagnostics *diagnostics) {
  Diagnostics found = {.origin = diagnostics->origin}, *messages = options->json ? &found : diagnostics;
  SpoolFolders spool;
  if (process_rank() != 0) return EXIT_DONE;
  if (options->name && options->n_others > 1)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--name is for one file, not for %d", options->n_others);
  int code = spool_folders_open(&spool, options->argument, diagnostics);
  Submission *list = calloc((size_t)options->n_others, sizeof *list);
  if (!list)
    code = diagnostics_no_memory(diagnostics);
  else if (!code)
    code = submit(&spool, options, list, messages);
  if (options->json && list && print_json(list, options->n_others, &found, diagnostics)) code = EXIT_INTERNAL;
  diagnostics_clear(&found);
  if (!code && options->wait) code = await(&spool, options, list, diagnostics);
  free(list);
  spool_folders_close(&spool);
  return code;
}

const Command command_submit = {
    .name = "submit",
    .summary = "submit problem files to a service",
    .argument = "SPOOL",
    .others = "FILE..",
    .stops = true,
    .help =
        "usage: stiction submit SPOOL FILE.. [options]\n\n"
        "Checks problem files and submits them to SPOOL, each with the matrices and CSV files that it names. If one\n"
        "has errors, none is submitted. Prints the name of each job. --wait: waits for the jobs, prints their\n"
        "outcomes, and returns the largest of their exit codes; 85 if one was cancelled or the service has stopped.\n"
        "Options of sweeps: --vary, --zip, --control, --simulate, --keep, --column. Of simulations: --control=U, \n"
        "--verify, --scenarios.\n",
    .run = run,
};
