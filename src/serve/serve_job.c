/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/serve_job.h"

#include "control/base/clock.h"
#include "src/base/json_values.h"
#include "src/serve/job_messages.h"
#include "src/serve/status_file.h"
#include "src/serve/untrusted_input.h"
#include "src/spool/job_list.h"
#include "src/spool/spool_read.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* LARGE: if the files of a job have more bytes, another process first measures how long it takes to read them. */
enum { LARGE = 1 << 20 };
/* Times in s. QUICK_CHECK: rank 0 reads files that another process has read in this time. CHECK_MOST: limit of that
 * process. GIVE_SECONDS: time for giving results to submitters, per iteration of the service's loop. */
static const double QUICK_CHECK = 0.4, CHECK_MOST = 2, GIVE_SECONDS = 0.01;

/* Resuming a job --------------------------------------------------------------------------------------------------- */

/* Traces of an earlier run in the job's folder: none, a checkpoint, or the end of the run. */
typedef enum Before { BEFORE_NOTHING, BEFORE_CHECKPOINT, BEFORE_END } Before;

/* Finds the traces of an earlier run. *code: exit code of a run that has ended. */
static Before look_back(ServeJob *job, int *code) {
  char path[FILE_PATH_SIZE];
  RunRecord record;
  if (spool_path(job->service->spool, job->name, "checkpoint/run.json", path) || access(path, F_OK))
    return BEFORE_NOTHING;
  Before before = run_record_open(&record, job->directory, &job->diagnostics)                   ? BEFORE_NOTHING
                  : run_record_ended(&record, code)                                             ? BEFORE_END
                  : strcmp(run_record_command(&record), job_command_names[job->wanted.command]) ? BEFORE_NOTHING
                                                                                                : BEFORE_CHECKPOINT;
  run_record_close(&record);
  return before;
}

/* Ending a job ----------------------------------------------------------------------------------------------------- */

/* Returns the run time of a job in s, without its time in queues, in pauses and after its end. */
static double seconds_of(const ServeJob *job) {
  bool runs = job->stage != STAGE_QUEUE && job->stage != STAGE_GIVING;
  return job->attempts.seconds + (runs ? ctl_seconds() - job->began : 0);
}

static bool is_late(const ServeJob *job) {
  double most = job->service->options->job_seconds;
  return most > 0 && seconds_of(job) > most;
}

/* Pauses a job: it stays in running/, and this run does not count as an attempt. */
static ServeEnd set_aside(ServeJob *job) {
  job->attempts.number--;
  job->attempts.seconds = seconds_of(job);
  return job_attempts_write(job) ? SERVE_STUCK : SERVE_PAUSED;
}

bool serve_job_has_vanished(const ServeJob *job) { return spool_inode(job->service->spool, job->name) != job->folder; }

/* Records in summary.json that the job was cancelled. Returns 0, or -1 after reporting an error. */
static int note_cancel(const ServeJob *job) {
  Results there = {.diagnostics = job->service->spool->top.diagnostics, .lock = -1};
  char path[FILE_PATH_SIZE];
  json_error_t ignored;
  snprintf(there.directory, sizeof there.directory, "%s", job->directory);
  if (results_path(&there, "summary.json", path)) return -1;
  json_t *summary = access(path, F_OK) ? NULL : file_json(path, &ignored),
         *outcome = json_object_get(summary, "outcome");
  int failed = 0;
  if (json_is_object(outcome) && json_object_set_new(outcome, "reason", json_string("cancelled")) == 0)
    failed = results_write_json(&there, "summary.json", summary, 17);
  json_decref(summary);
  return failed ? -1 : 0;
}

/* Returns whether a job failed because the disk was full, even if removing its files has freed space since. */
static bool lacks_room(const ServeJob *job, int code) {
  static const char *const of_disk[] = {"No space left on device", "Disk quota exceeded", "File too large",
                                        "is the disk full?", NULL};
  return !spool_has_room(job->service->spool) || (code == EXIT_INTERNAL && job_messages_mention(job, of_disk));
}

/* Writes error.txt or messages.txt. Returns how the job ended. */
static ServeEnd conclude(ServeJob *job, int code) {
  bool cancelled = code == EXIT_STOPPED && job->stop == SERVE_CANCELS;
  bool failed = code != EXIT_DONE && code != EXIT_NOT_MET && !cancelled;
  Spool *spool = job->service->spool;
  if (failed && lacks_room(job, code)) return SERVE_STUCK;
  if (job_messages_close(job, failed) || (cancelled && note_cancel(job))) return SERVE_STUCK;
  if (failed) spool_note_exit(spool, job->name, code);
  return cancelled ? SERVE_CANCELLED : failed ? SERVE_FAILED : code == EXIT_DONE ? SERVE_DONE : SERVE_NOT_MET;
}

/* Frees a job and returns how it ended. SERVE_STUCK remains only if the disk is full, which affects all jobs. */
static ServeEnd clear(ServeJob *job, ServeEnd end) {
  if (end == SERVE_STUCK)
    end = serve_job_has_vanished(job) ? SERVE_VANISHED : spool_has_room(job->service->spool) ? SERVE_LEFT : SERVE_STUCK;
  hand_over_end(&job->gift);
  job_file_clear(&job->wanted);
  free(job);
  return end;
}

/* Gives results to the submitter for this number of seconds; after the last one, moves the job. If the service is
 * killed before, the next service continues. */
static ServeEnd give_results(ServeJob *job, double seconds) {
  SpoolFolder to = job->end == SERVE_CANCELLED ? SPOOL_CANCELLED : job->end == SERVE_FAILED ? SPOOL_FAILED : SPOOL_DONE;
  if (serve_job_has_vanished(job)) return clear(job, SERVE_VANISHED);
  if (!hand_over_go_on(&job->gift, seconds)) return SERVE_RUNS;
  job_attempts_forget(job);
  return clear(job, spool_finish(job->service->spool, job->name, to) ? SERVE_STUCK : job->end);
}

static ServeEnd finish(ServeJob *job, int code, double seconds) {
  if (code == EXIT_STOPPED && job->stop == SERVE_LATE) {
    snprintf(job->late, sizeof job->late, "stiction serve: ended after %.3g s (expected at most %g s, --job-seconds)",
             seconds_of(job), job->service->options->job_seconds);
    code = EXIT_UNSOLVED;
  }
  bool pauses = code == EXIT_STOPPED && job->stop != SERVE_CANCELS;
  if (job->messages) { /* there are no messages that must be closed */
    diagnostics_print(&job->diagnostics, job->messages);
    fclose(job->messages);
  }
  if (serve_job_has_vanished(job)) return clear(job, SERVE_VANISHED);
  job->end = pauses ? set_aside(job) : conclude(job, code);
  if (pauses || job->end == SERVE_STUCK) return clear(job, job->end);
  job->attempts.seconds = seconds_of(job);
  job->stage = STAGE_GIVING;
  job->stop = SERVE_GOES_ON;
  hand_over_begin(&job->gift, job->service->spool, job->name, &job->submitter);
  ServeEnd end = give_results(job, seconds);
  if (end != SERVE_RUNS) return end;
  job->attempts.cancelled = job->end == SERVE_CANCELLED;
  return job_attempts_write(job) ? clear(job, SERVE_STUCK) : SERVE_RUNS;
}

/* Jobs in their own processes -------------------------------------------------------------------------------------- */

/* Puts the job into the queue for processes. */
static void queue(ServeJob *job) {
  job->attempts.by_process = true;
  job->attempts.seconds = seconds_of(job);
  job->stage = STAGE_QUEUE;
}

/* Uses one of the limited number of processes for this job. */
static void take_place(ServeJob *job) {
  ServeContext *service = job->service;
  job->extra = job->ends && !service->extra;
  service->extra |= job->extra;
  service->processes += !job->extra;
}

static void leave_place(ServeJob *job) {
  ServeContext *service = job->service;
  service->extra &= !job->extra;
  service->processes -= !job->extra;
  job->extra = false;
}

/* Starts the process, if it is this job's turn. Returns 0, or an exit code if the job has ended. */
static int start_process(ServeJob *job) {
  ServeContext *service = job->service;
  int code;
  if (service->next != job) return 0;
  if (job_attempts_write(job)) return EXIT_INTERNAL;
  Before before = look_back(job, &code);
  if (before == BEFORE_END) return code;
  /* if a process could not resume the job, the next one begins it anew */
  bool resumes = before == BEFORE_CHECKPOINT && job->process.task != PROCESS_RESUME;
  if (resumes) job_messages_cut(job, 0); /* the new process will repeat these messages */
  if (!job_process_start(job, resumes ? PROCESS_RESUME : PROCESS_COMMAND)) return EXIT_INTERNAL;
  job->stage = STAGE_PROCESS;
  job->began = job->placed = ctl_seconds();
  take_place(job);
  return 0;
}

/* Handles a process that died although the service did not kill it. Returns 0 if the job is tried again. */
static int bury(ServeJob *job, ProgramEnd end, int number) {
  if (end == PROGRAM_EXITED) return diagnostics_error(&job->diagnostics, EXIT_INTERNAL, "no process could be begun");
  if (job->attempts.number >= ATTEMPTS_MOST && end != PROGRAM_SIGNALLED)
    return diagnostics_error(&job->diagnostics, EXIT_INTERNAL,
                             "its process was lost for an unknown reason (its guard was killed, too), in attempt %ld",
                             job->attempts.number);
  if (job->attempts.number >= ATTEMPTS_MOST) {
    diagnostics_error(&job->diagnostics, EXIT_INTERNAL, "its process died on signal %d (%s), in attempt %ld", number,
                      strsignal(number), job->attempts.number);
    job_process_report_memory(job, true);
    return EXIT_INTERNAL;
  }
  job->attempts.number++;
  job->process = (JobProcess){0};
  queue(job);
  return 0;
}

/* Advances a job in its own process. Returns -1 while the process runs. */
static int look_at_process(ServeJob *job) {
  enum { NOT_STARTED = 127 };
  ProgramEnd end;
  int code;
  bool stops = job->service->stopping || job->stop != SERVE_GOES_ON;
  if (!job_process_over(job, &end, &code)) {
    if (stops) job_process_stop(job);
    return -1;
  }
  leave_place(job);
  if (stops && (end != PROGRAM_EXITED || code == EXIT_STOPPED)) return EXIT_STOPPED;
  if (end != PROGRAM_EXITED || code == NOT_STARTED) {
    int buried = bury(job, end, code);
    return buried ? buried : -1;
  }
  if (code == EXIT_INTERNAL) job_process_report_memory(job, false);
  bool refused = job->process.task == PROCESS_RESUME && code == EXIT_USAGE;
  if (!refused && code != EXIT_STOPPED) return code;
  if (!refused) job->process = (JobProcess){0}; /* the process was stopped to make room for another job */
  queue(job);
  return -1;
}

/* Beginning a job -------------------------------------------------------------------------------------------------- */

/* Starts the job on the pool, or queues it for a process. Returns -1, or an exit code if it has ended. */
static int begin_search(ServeJob *job, bool resumes) {
  const JobFile *wanted = &job->wanted;
  int code = resumes ? job_search_begin(job, true) : EXIT_USAGE;
  if (code == EXIT_USAGE) { /* there is no usable checkpoint */
    code = untrusted_input_check(job->path, wanted->settings, wanted->n_settings, &job->diagnostics);
    if (!code) code = job_search_begin(job, false);
  }
  job->stage = STAGE_SEARCH;
  if (code == SEARCH_FOR_PROCESS) queue(job);
  return code < 0 ? -1 : code;
}

/* Evaluates the check of large files by a process. Returns -1, or an exit code if the job has ended. */
static int look_at_check(ServeJob *job) {
  ProgramEnd end;
  int code;
  double seconds = ctl_seconds() - job->process.began;
  if (!job_process_over(job, &end, &code)) {
    if (seconds > CHECK_MOST) program_cancel(&job->process.program);
    return -1;
  }
  if (end == PROGRAM_EXITED && code == EXIT_USAGE) return code;
  job_messages_cut(job, 0);
  job->process = (JobProcess){0};
  if (end == PROGRAM_EXITED && !code && seconds < QUICK_CHECK) return begin_search(job, false);
  queue(job);
  return -1;
}

/* Returns whether reading the job's files may take long: its problem file, matrices and tables. */
static bool is_large(const ServeJob *job) {
  DIR *handle = opendir(job->directory);
  struct stat info;
  off_t size = 0;
  for (const struct dirent *entry; handle && (entry = readdir(handle)) != NULL;)
    if (fstatat(dirfd(handle), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode))
      size += info.st_size;
  if (handle) closedir(handle);
  return size > LARGE;
}

/* Starts the first stage of a job. Returns -1, or an exit code if it has ended. */
static int begin(ServeJob *job) {
  int code = spool_adopt(job->service->spool, job->name, &job->diagnostics);
  if (!code) code = job_file_load(job->directory, &job->diagnostics, &job->wanted);
  if (code) return code;
  Before before = look_back(job, &code);
  if (before == BEFORE_END) return code;
  if (before == BEFORE_CHECKPOINT) job_messages_cut(job, 0);
  if (job->wanted.command != JOB_CONTROL || job->attempts.number > ATTEMPTS_MOST) job->attempts.by_process = true;
  if (job->attempts.by_process) {
    queue(job);
    return -1;
  }
  if (before == BEFORE_CHECKPOINT || !is_large(job)) return begin_search(job, before == BEFORE_CHECKPOINT);
  job->stage = STAGE_CHECK;
  return job_process_start(job, PROCESS_CHECK) ? -1 : EXIT_INTERNAL;
}

/* Opens a job. Returns NULL if this fails, and sets *end to the reason. */
static ServeJob *open_job(ServeContext *service, const char *name, bool begun, ServeEnd *end) {
  ServeJob *job = calloc(1, sizeof *job);
  *end = SERVE_STUCK;
  if (!job) {
    diagnostics_no_memory(service->spool->top.diagnostics);
    return NULL;
  }
  snprintf(job->name, sizeof job->name, "%s", name);
  job->service = service;
  job->began = job->placed = ctl_seconds();
  job->folder = spool_inode(service->spool, name);
  bool good = job->folder && !spool_path(service->spool, name, NULL, job->directory) &&
              !spool_path(service->spool, name, SPOOL_PROBLEM, job->path) && !job_messages_open(job);
  if (good) {
    job->attempts = job_attempts_read(service->spool, name, begun);
    spool_submitter(service->spool, SPOOL_RUNNING, name, &job->submitter);
    return job;
  }
  *end = clear(job, job->folder ? SERVE_STUCK : SERVE_VANISHED);
  return NULL;
}

ServeEnd serve_job_begin(ServeContext *service, const char *name, bool begun, bool in_process, ServeJob **result) {
  ServeEnd end;
  ServeJob *job = open_job(service, name, begun, &end);
  *result = NULL;
  if (!job) return end;
  job->attempts.number++;
  job->attempts.by_process |= in_process;
  if (job->attempts.cancelled) job->stop = SERVE_CANCELS;
  int code = job->attempts.cancelled || (begun && job_attempts_write(job)) ? EXIT_STOPPED : begin(job);
  end = code < 0 ? SERVE_RUNS : finish(job, code, GIVE_SECONDS);
  if (end == SERVE_RUNS) *result = job;
  return end;
}

ServeEnd serve_job_cancel(ServeContext *service, const char *name) {
  ServeEnd end;
  ServeJob *job = open_job(service, name, true, &end);
  if (!job) return end;
  job->stop = SERVE_CANCELS;
  return finish(job, EXIT_STOPPED, INFINITY);
}

/* Polling a job ---------------------------------------------------------------------------------------------------- */

void serve_job_stop(ServeJob *job, ServeStop why) {
  if (job->stop == SERVE_GOES_ON || (job->stop == SERVE_PAUSES && why == SERVE_CANCELS)) job->stop = why;
}

/* Advances a job in its present stage. Returns -1 while it runs. */
static int look(ServeJob *job) {
  bool stops = job->service->stopping || job->stop != SERVE_GOES_ON;
  int code;
  switch (job->stage) {
  case STAGE_CHECK: return look_at_check(job);
  case STAGE_PROCESS: return look_at_process(job);
  case STAGE_QUEUE: code = stops ? EXIT_STOPPED : start_process(job); return code ? code : -1;
  default:
    code = job_search_look(job);
    job->ends = code == SEARCH_FOR_PROCESS;
    if (job->ends) queue(job);
    return code < 0 ? -1 : code;
  }
}

ServeEnd serve_job_look(ServeJob *job) {
  if (job->stage == STAGE_GIVING) {
    bool waits = job->service->gave;
    job->service->gave = true;
    return waits ? SERVE_RUNS : give_results(job, GIVE_SECONDS);
  }
  if (is_late(job)) serve_job_stop(job, SERVE_LATE);
  int code = look(job);
  return code < 0 ? SERVE_RUNS : finish(job, code, GIVE_SECONDS);
}

/* Returns evaluations per second since the last call, read from search.csv, and adds them to those of the service. NAN:
 * unknown. */
static double rate_of(ServeJob *job, const JobProgress *progress) {
  double now = ctl_seconds(), since = now - job->rated, more = progress->evaluations - job->evaluations;
  bool known = job->rated > job->began && more >= 0 && since > 0;
  job->rated = now;
  job->evaluations = progress->evaluations;
  if (!known) return NAN;
  job->service->simulated += (long)more;
  return more / since;
}

json_t *serve_job_status(ServeJob *job) {
  bool on_pool = job->stage == STAGE_SEARCH;
  json_t *search = on_pool ? NULL : job_search(&job->service->spool->at, SPOOL_RUNNING, job->name, 2);
  int folder = on_pool ? -1 : spool_open_job(&job->service->spool->at, SPOOL_RUNNING, job->name);
  const JobProgress progress = job_progress_read(folder);
  json_t *json = on_pool ? job_search_status(job, seconds_of(job))
                         : status_process(job->name, seconds_of(job), search ? rate_of(job, &progress) : NAN, search,
                                          &progress, &job->process.start);
  if (folder >= 0) close(folder);
  char user[SPOOL_USER_SIZE];
  const Submitter *by = &job->submitter;
  json_t *more = json_pack("{s:s, s:i, s:s, s:o, s:I}", "command", job_command_names[job->wanted.command], "priority",
                           job->wanted.priority, "place", on_pool ? "ranks" : "process", "submitter",
                           json_text(spool_user(by->user, user)), "submitted", (json_int_t)by->at);
  json_object_update_missing(json, more);
  json_decref(more);
  json_decref(search);
  return json;
}
