/* What a job has to say: messages.txt while it runs, error.txt of what has failed. */
#ifndef SRC_SERVE_JOB_MESSAGES_H
#define SRC_SERVE_JOB_MESSAGES_H

#include "src/serve/serve_job.h"

#define JOB_MESSAGES "messages.txt"

/* Leads the job's diagnostics to messages.txt, behind what is in it. It is made as soon as there is something to tell. -1, after telling that it
 * cannot be written. */
int job_messages_open(ServeJob *job);

/* Makes it, for a process to write to, too. Likewise. */
int job_messages_begin(ServeJob *job);

/* How long it is; and cuts it to what it was: what was said since is settled. */
long job_messages_mark(const ServeJob *job);
void job_messages_cut(const ServeJob *job, long mark);

/* Whether messages of this attempt, as far as they are in the file, have one of these texts in them; the list ends with NULL. */
bool job_messages_mention(const ServeJob *job, const char *const *texts);

/* All of a file of a process or of ours in running/NAME has been written: it becomes error.txt of what has failed, and stays, if there is
 * anything in it, of what has not. Once more, without messages since: it stays as it is. Returns 0, or -1 after telling. */
int job_messages_close(ServeJob *job, bool failed);

#endif
