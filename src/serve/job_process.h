/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs `stiction COMMAND` for a job in a process of its own. This process uses one processor core and has the limits of
 * the service. It may only read files of the job, and its messages are written to messages.txt. */
#ifndef SRC_SERVE_JOB_PROCESS_H
#define SRC_SERVE_JOB_PROCESS_H

#include "src/process/program.h"
#include "src/serve/status_file.h"

typedef struct ServeJob ServeJob; /* defined in serve_job.h */

typedef enum ProcessTask {
  PROCESS_CHECK,   /* the command `stiction check` */
  PROCESS_COMMAND, /* the job's own command */
  PROCESS_RESUME   /* the command `stiction resume`, which continues what an earlier process or the service itself has
                    * begun */
} ProcessTask;

typedef struct JobProcess {
  Program program;
  ProcessTask task;
  double began, asked; /* began: time at which the process was started; asked: time at which it was requested to stop, 0
                        * if it was not; both from ctl_seconds */
  StatusStart start;   /* progress of the job at the start of this process; all zero if the job begins anew */
} JobProcess;

/* Starts the process. Returns false after adding an error to the job's messages. */
bool job_process_start(ServeJob *job, ProcessTask task);

/* Returns whether the process has ended; if so, sets *end and *code as program_over does. */
bool job_process_over(ServeJob *job, ProgramEnd *end, int *code);

/* Reports the memory limit of the process after a failure, if the messages of the process mention a lack of memory, or
 * if `died`: it was killed by a signal for an unknown reason. */
void job_process_report_memory(ServeJob *job, bool died);

/* Requests the process to stop with a checkpoint and its results so far. Must be called repeatedly, as the process is
 * killed if it does not stop in time. */
void job_process_stop(ServeJob *job);

#endif
