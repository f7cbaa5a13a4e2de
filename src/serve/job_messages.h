/* Messages of a job: messages.txt while it runs, error.txt if it fails. */
#ifndef SRC_SERVE_JOB_MESSAGES_H
#define SRC_SERVE_JOB_MESSAGES_H

#include "src/serve/serve_job.h"

#define JOB_MESSAGES "messages.txt"

/* Appends the job's diagnostics to messages.txt, which is created with the first message. Returns -1 after reporting
 * that it cannot be written. */
int job_messages_open(ServeJob *job);

/* Creates it now, so that a process can write to it. Returns as above. */
int job_messages_begin(ServeJob *job);

/* job_messages_mark returns its length; job_messages_cut cuts it to that length, which drops messages about problems
 * that are resolved. */
long job_messages_mark(const ServeJob *job);
void job_messages_cut(const ServeJob *job, long mark);

/* Whether messages of this attempt contain one of these texts; the list ends with NULL. */
bool job_messages_mention(const ServeJob *job, const char *const *texts);

/* Finishes the messages in running/NAME. They become error.txt of a failed job; otherwise messages.txt stays if it is
 * not empty. Repeated without new messages it does nothing. Returns 0, or -1 after reporting an error. */
int job_messages_close(ServeJob *job, bool failed);

#endif
