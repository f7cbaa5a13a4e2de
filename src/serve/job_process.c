/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/job_process.h"

#include "control/base/clock.h"
#include "src/serve/job_messages.h"
#include "src/spool/spool_read.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* time that a process has to stop after a request, in s; afterwards it is killed */
static const double GRACE = 10;
/* bytes that are allowed for threads and buffers of libraries, in addition to the memory for the problem */
static const double LIBRARIES = 1024.0 * 1024 * 1024;

/* The words of a command line. */
typedef struct Words {
  char *list[3 * SETTINGS_MAX + 32];
  char numbers[4][32];
  int n, n_numbers;
} Words;

/* the cast is safe, since the word is only read */
static void add(Words *words, const char *word) { words->list[words->n++] = (char *)word; }

static void add_limit(Words *words, const char *name, double value) {
  if (!(value > 0) || !isfinite(value)) return;
  char *number = words->numbers[words->n_numbers++];
  snprintf(number, sizeof words->numbers[0], "%.17g", value);
  add(words, name);
  add(words, number);
}

static void write_words(const ServeJob *job, ProcessTask task, Words *words) {
  const WorkLimits *limits = &job->service->options->limits;
  const JobFile *wanted = &job->wanted;
  bool checks = task == PROCESS_CHECK, resumes = task == PROCESS_RESUME;
  add(words, "stiction");
  add(words, checks ? "check" : resumes ? "resume" : job_command_names[wanted->command]);
  add(words, "--quiet");
  add_limit(words, "--max-seconds", limits->seconds);
  add_limit(words, "--max-memory", limits->bytes);
  add_limit(words, "--max-variables", limits->variables);
  bool evaluates = resumes || (!checks && wanted->command != JOB_SIMULATE);
  if (evaluates) add_limit(words, "--max-segments", limits->segments);
  if (!resumes) add(words, "--confined");
  for (int i = 0; i < wanted->n_settings && !resumes; i++) {
    add(words, "--set");
    add(words, wanted->settings[i]);
  }
  for (int i = 0; i < wanted->n_options && !resumes && !checks; i++) add(words, wanted->options[i]);
  if (!resumes && !checks) {
    add(words, "--force");
    add(words, "--output");
    add(words, job->directory);
  }
  add(words, resumes ? job->directory : job->path);
}

/* Returns the memory limit of a process, in bytes. Builds with sanitizers need far more memory than the program itself,
 * so they get another limit. */
static double most_bytes(const ServeJob *job) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  (void)job;
  return 0;
#else
  double limit = job->service->options->limits.bytes;
  return isfinite(limit) && limit > 0 ? limit + LIBRARIES : 0;
#endif
}

/* Returns the progress of the job at the start of this process. Work of an earlier process, which may have been killed,
 * thus does not count as progress of this one. */
static StatusStart find_start(const ServeJob *job, ProcessTask task) {
  StatusStart start = {.used = job->attempts.seconds};
  if (task != PROCESS_RESUME) return start;
  int folder = spool_open_job(&job->service->spool->at, SPOOL_RUNNING, job->name);
  start.progress = job_progress_read(folder);
  if (folder >= 0) close(folder);
  return start;
}

bool job_process_start(ServeJob *job, ProcessTask task) {
  char messages[FILE_PATH_SIZE];
  Words words = {0};
  if (spool_path(job->service->spool, job->name, JOB_MESSAGES, messages) || job_messages_begin(job)) return false;
  write_words(job, task, &words);
  fflush(job->messages);
  const ProgramCall call = {.program = "/proc/self/exe",
                            .words = words.list,
                            .directory = ".",
                            .input = "/dev/null",
                            .output = "/dev/null",
                            .errors = messages,
                            .appends = true,
                            .any_core = true,
                            .bytes = most_bytes(job)};
  job->process = (JobProcess){.task = task, .began = ctl_seconds(), .start = find_start(job, task)};
  if (program_start(&call, &job->process.program)) return true;
  diagnostics_error(&job->diagnostics, 0, "no process could be started for it");
  return false;
}

bool job_process_over(ServeJob *job, ProgramEnd *end, int *code) {
  return program_over(&job->process.program, end, code);
}

void job_process_report_memory(ServeJob *job, bool died) {
  static const char *const of_memory[] = {"memory", "bad_alloc",
                                          NULL}; /* messages by which this program, the system and the C++ library
                                                  * report a lack of memory */
  double most = most_bytes(job);
  if (job->messages) fflush(job->messages);
  if (most > 0 && (died || job_messages_mention(job, of_memory)))
    diagnostics_error(&job->diagnostics, 0,
                      "its process could have %.4g MiB of memory (--max-memory, and %.4g MiB for libraries)",
                      most / (1 << 20), LIBRARIES / (1 << 20));
}

void job_process_stop(ServeJob *job) {
  JobProcess *process = &job->process;
  double now = ctl_seconds();
  if (process->asked == 0) {
    process->asked = now;
    program_signal(&process->program, SIGTERM);
  } else if (now - process->asked > GRACE) {
    program_cancel(&process->program);
  }
}
