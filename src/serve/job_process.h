/* `stiction COMMAND` with a job's problem, as a process of its own: alone, not a rank, with the service's limits, and with no file to read but those
 * of the job. What it says goes to messages.txt. */
#ifndef SRC_SERVE_JOB_PROCESS_H
#define SRC_SERVE_JOB_PROCESS_H

#include "src/process/program.h"
#include "src/serve/status_file.h"

typedef struct ServeJob ServeJob; /* serve_job.h */

typedef enum ProcessTask {
  PROCESS_CHECK,   /* stiction check */
  PROCESS_COMMAND, /* the job's own command */
  PROCESS_RESUME   /* stiction resume: goes on with what that, or this service itself, has begun */
} ProcessTask;

typedef struct JobProcess {
  Program program;
  ProcessTask task;
  double began, asked; /* ctl_seconds; when it was asked to stop: 0: not yet */
  StatusStart start;   /* zero of what begins from nothing */
} JobProcess;

/* False: there is no process to be had; told to the job. */
bool job_process_start(ServeJob *job, ProcessTask task);

/* As program_over. */
bool job_process_over(ServeJob *job, ProgramEnd *end, int *code);

/* After one that has failed: tells how much memory it might have, if it has said that this did not suffice, or died (on a signal), and nobody knows. */
void job_process_tell_memory(ServeJob *job, bool died);

/* Asks it to stop, with its checkpoint and results so far; to be called again and again: if that takes long, it is killed. */
void job_process_stop(ServeJob *job);

#endif
