/* SPDX-License-Identifier: BSD-2-Clause */
/* The folder of a service. The service writes nothing outside of it:
 *
 *     SPOOL/incoming/FILE         a problem file, or a packed job, a folder; written elsewhere and renamed to here
 *     SPOOL/incoming/NAME.cancel  a request to cancel NAME
 *     SPOOL/running/NAME/         problem.yaml, made from that file, and the results so far
 *     SPOOL/done/NAME/            the same with all results
 *     SPOOL/failed/NAME/          the same with error.txt
 *     SPOOL/cancelled/NAME/       the same with the results up to the cancellation
 *     SPOOL/status.json           status_file.h
 *     SPOOL/stop                  created by a user to stop the service
 *     SPOOL/lock                  held by the service: only one at a time
 *
 * A job is in one of these places at any time, and moves by a single rename. So if the service is killed, no job is
 * lost and none has two results. NAME: spool_folders.h.
 *
 * Only the service can look into running/NAME. The results of a job that has ended are given to its submitter
 * (hand_over.h); if a service is killed before it does this, the next one does. Links are never followed: an entry that
 * is neither a file nor a folder, or is too large, is claimed, too, but not read. */
#ifndef SRC_SPOOL_H
#define SRC_SPOOL_H

#include "src/results/results.h"
#include "src/serve/spool_list.h"
#include "src/spool/spool_folders.h"

typedef struct Spool {
  Results top;        /* the folder SPOOL itself, with its lock */
  SpoolFolders at;    /* its folders */
  SpoolList waiting;  /* jobs in incoming/ by the last complete scan */
  SpoolLook look;     /* the current scan */
  SpoolQueues queues; /* queues of waiting jobs */
  SpoolList begun;    /* jobs in running/ of an earlier service, or set aside for others */
  SpoolList stuck;    /* jobs that cannot be claimed: reported once, and ignored until their permissions change */
  double cleared;     /* time at which incoming/ was last cleared of leftovers, ctl_seconds; 0: not yet */
} Spool;

/* Creates missing folders. The umask decides which users may submit, that is write to incoming/; there no user can
 * remove the files of another. Returns 0, or reports an error and returns EXIT_USAGE. */
int spool_make(const char *path, Diagnostics *diagnostics);

/* Calls spool_make, takes the lock, lists the jobs in running/, and repairs what a killed service has left in
 * cancelled/, done/ and failed/. Returns as spool_make. Close the spool in each case. */
int spool_open(Spool *spool, const char *path, Diagnostics *diagnostics);
void spool_close(Spool *spool);

/* Creates folders again that have been removed, and reports this. Returns 0, or reports a failure and returns -1. */
int spool_mend(Spool *spool);

/* Scans incoming/. Hidden files (.NAME) are not yet jobs; each hour old ones are removed (spool_leftovers.h). */
void spool_look(Spool *spool);
/* Continues a scan for at most this number of seconds. Returns whether the scan is complete; until then the list of
 * waiting jobs is unchanged. */
bool spool_look_on(Spool *spool, double seconds);
/* Returns the jobs that cannot be claimed, with reasons, {"FILE": "why", ..}, at most a hundred. A new reference; NULL:
 * no memory. */
json_t *spool_stuck(const Spool *spool);
/* Returns the number of jobs in incoming/ that are not claimed yet, plus those in running/ that are not resumed yet. */
size_t spool_waiting(const Spool *spool);

/* Returns the number of jobs that have ended in this folder and are still there. */
size_t spool_count_ended(const Spool *spool, SpoolFolder folder);
/* Claims a waiting job: moves it to running/NAME/. Returns 1; 0 if this job cannot be claimed; or -1, after reporting
 * it, if running/ cannot be written. */
int spool_claim(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]);
/* Moves a waiting job from incoming/ to cancelled/NAME/. Returns as spool_claim. */
int spool_withdraw(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]);
/* Puts running/NAME, which has paused, into the list of jobs that wait to be resumed. entry: name, user, priority and
 * position of the job. */
void spool_set_aside(Spool *spool, const SpoolEntry *entry);
/* Removes a request to cancel. Returns false, after reporting it, if it cannot be removed; it is then ignored. A
 * request file with content is also kept and ignored. */
bool spool_drop_request(Spool *spool, SpoolEntry *request);

/* Writes the path of a job's folder in running/, or of a file in it (NULL: of the folder itself). */
int spool_path(const Spool *spool, const char *name, const char *file, char path[FILE_PATH_SIZE]);
/* Returns the inode number of the folder running/NAME; 0: there is no such folder. */
ino_t spool_inode(const Spool *spool, const char *name);

/* Moves running/NAME to done/, failed/ or cancelled/. Returns 0, or reports an error and returns -1. */
int spool_finish(Spool *spool, const char *name, SpoolFolder to);

/* Returns whether the disk has space for messages and small files. If not, reports it. */
bool spool_has_room(const Spool *spool);

/* Returns whether SPOOL/stop exists, and removes it. */
bool spool_stop_wanted(const Spool *spool);
void spool_stop_done(const Spool *spool);

#endif
