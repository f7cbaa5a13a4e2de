/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of a job, for its submitter. They are in messages.txt while the job runs, and in error.txt if it failed. */
#ifndef SRC_SERVE_JOB_MESSAGES_H
#define SRC_SERVE_JOB_MESSAGES_H

#include "src/serve/serve_job.h"

#define JOB_MESSAGES "messages.txt"

/* Appends the job's diagnostics to messages.txt. The file is created with the first message. Returns 0, or -1 after
 * reporting that it cannot be written. */
int job_messages_open(ServeJob *job);

/* Creates messages.txt now, so that a process can write to it. Returns 0, or -1 after reporting an error. */
int job_messages_begin(ServeJob *job);

/* job_messages_mark returns the length of messages.txt. job_messages_cut cuts it to that length; this drops messages
 * about problems that have since been solved. */
long job_messages_mark(const ServeJob *job);
void job_messages_cut(const ServeJob *job, long mark);

/* Returns whether messages of this attempt contain one of these texts; the list ends with NULL. */
bool job_messages_mention(const ServeJob *job, const char *const *texts);

/* Finishes the messages in running/NAME. If the job failed, they become error.txt; otherwise messages.txt is kept
 * unless it is empty. A second call without new messages does nothing. Returns 0, or -1 after reporting an error. */
int job_messages_close(ServeJob *job, bool failed);

#endif
