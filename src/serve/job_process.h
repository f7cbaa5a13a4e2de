/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs `stiction COMMAND` for a job in its own process. It is a single process with the service's limits, may only read
 * the job's files, and writes its messages to messages.txt. */
#ifndef SRC_SERVE_JOB_PROCESS_H
#define SRC_SERVE_JOB_PROCESS_H

#include "src/process/program.h"
#include "src/serve/status_file.h"

typedef struct ServeJob ServeJob; /* serve_job.h */

typedef enum ProcessTask {
  PROCESS_CHECK,   /* the command `stiction check` */
  PROCESS_COMMAND, /* the job's own command */
  PROCESS_RESUME   /* the command `stiction resume`: continues what an earlier process, or the service itself, has
                    * begun */
} ProcessTask;

typedef struct JobProcess {
  Program program;
  ProcessTask task;
  double began, asked; /* began: time at which the process started; asked: time at which it was asked to stop, 0 if
                        * it was not; both by ctl_seconds */
  StatusStart start;   /* progress of the job at the start of this process; zero if the job begins anew */
} JobProcess;

/* Starts the process. Returns false after adding an error to the job's messages. */
bool job_process_start(ServeJob *job, ProcessTask task);

/* Returns whether the process has ended, and sets its results, as program_over does. */
bool job_process_over(ServeJob *job, ProgramEnd *end, int *code);

/* Reports the memory limit after a failure, if the process reported lack of memory or if it died by a signal for an
 * unknown reason (`died`). */
void job_process_report_memory(ServeJob *job, bool died);

/* Asks the process to stop with a checkpoint and its results so far. Must be called again and again: if the process
 * does not stop in time, it is killed. */
void job_process_stop(ServeJob *job);

#endif
