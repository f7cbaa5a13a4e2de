/* `stiction COMMAND` for a job in its own process: a single process, with the service's limits, that may only read the
 * job's files. Its messages are written to messages.txt. */
#ifndef SRC_SERVE_JOB_PROCESS_H
#define SRC_SERVE_JOB_PROCESS_H

#include "src/process/program.h"
#include "src/serve/status_file.h"

typedef struct ServeJob ServeJob; /* serve_job.h */

typedef enum ProcessTask {
  PROCESS_CHECK,   /* stiction check */
  PROCESS_COMMAND, /* the job's own command */
  PROCESS_RESUME   /* stiction resume: continues what that, or the service itself, has begun */
} ProcessTask;

typedef struct JobProcess {
  Program program;
  ProcessTask task;
  double began, asked; /* ctl_seconds; asked: time of the request to stop, 0: none */
  StatusStart start;   /* progress at its start; zero if it begins anew */
} JobProcess;

/* Starts it. Returns false after adding an error to the job's messages. */
bool job_process_start(ServeJob *job, ProcessTask task);

/* Like program_over. */
bool job_process_over(ServeJob *job, ProgramEnd *end, int *code);

/* After a failure: reports the memory limit if the process reported lack of memory, or if it died (by a signal) for an
 * unknown reason. */
void job_process_report_memory(ServeJob *job, bool died);

/* Asks it to stop with a checkpoint and its results so far. To be called repeatedly: if it takes long, the process is
 * killed. */
void job_process_stop(ServeJob *job);

#endif
