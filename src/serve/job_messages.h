/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of a job for its submitter. While the job runs they are in messages.txt; if it fails, in error.txt. */
#ifndef SRC_SERVE_JOB_MESSAGES_H
#define SRC_SERVE_JOB_MESSAGES_H

#include "src/serve/serve_job.h"

#define JOB_MESSAGES "messages.txt"

/* Makes the diagnostics of the job be appended to messages.txt. The file is created with the first message. Returns 0,
 * or -1 after reporting that it cannot be written. */
int job_messages_open(ServeJob *job);

/* Creates messages.txt at once, so that a process can write to it. Returns 0, or -1 after reporting an error. */
int job_messages_begin(ServeJob *job);

/* job_messages_mark returns the present length of messages.txt. job_messages_cut cuts the file to that length later,
 * and thus removes messages about problems that have since been solved. */
long job_messages_mark(const ServeJob *job);
void job_messages_cut(const ServeJob *job, long mark);

/* Returns whether the messages of the present attempt contain at least one of these texts. The list ends with NULL. */
bool job_messages_mention(const ServeJob *job, const char *const *texts);

/* Completes the messages in running/NAME. If the job failed, they are written to error.txt; otherwise messages.txt is
 * kept, unless it is empty. A second call without new messages does nothing. Returns 0, or -1 after reporting an
 * error. */
int job_messages_close(ServeJob *job, bool failed);

#endif
