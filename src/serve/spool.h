/* SPDX-License-Identifier: BSD-2-Clause */
/* The folder of a service, the spool. The service writes nothing outside of it.
 *
 *   SPOOL/incoming/FILE         a waiting job: a problem file, or a folder (packed job); users write it elsewhere and
 *                               rename it to here
 *   SPOOL/incoming/NAME.cancel  a request to cancel the job NAME
 *   SPOOL/running/NAME/         a running job: problem.yaml, made from FILE, and the results so far
 *   SPOOL/done/NAME/            the same with all results
 *   SPOOL/failed/NAME/          the same with error.txt
 *   SPOOL/cancelled/NAME/       the same with the results up to the cancellation
 *   SPOOL/status.json           state of the service (status_file.h)
 *   SPOOL/stop                  created by a user to stop the service
 *   SPOOL/lock                  locked by the service, so that there is only one at a time
 *
 * A job is in exactly one of these places at any time, and is moved by a single rename. Thus, if the service is killed,
 * no job is lost, and none has two results. Valid names are described in spool_folders.h.
 *
 * Only the service can read running/NAME. The results of a job that has ended are given to its submitter (hand_over.h);
 * if the service is killed before, the next service does this. Links are never followed. An entry of incoming/ that is
 * neither a file nor a folder, or is too large, is moved to running/ like a job, but not read. */
#ifndef SRC_SPOOL_H
#define SRC_SPOOL_H

#include "src/results/results.h"
#include "src/serve/spool_list.h"
#include "src/spool/spool_folders.h"

typedef struct Spool {
  Results top;        /* the folder SPOOL itself; its lock keeps other services away */
  SpoolFolders at;    /* the folders in SPOOL */
  SpoolList waiting;  /* jobs that the last complete scan has found in incoming/ */
  SpoolLook look;     /* the scan in progress */
  SpoolQueues queues; /* queues of waiting jobs */
  SpoolList begun;    /* jobs in running/ that an earlier service has begun, or that were paused for others */
  SpoolList stuck;    /* jobs that cannot be moved to running/; each is reported once, and ignored until its permissions
                       * change */
  double cleared;     /* time (ctl_seconds) at which leftovers in incoming/ were last removed; 0: not yet */
} Spool;

/* Creates missing folders. The umask decides which users may submit, i.e. write to incoming/. No user can remove files
 * of other users there. Returns 0, or EXIT_USAGE after reporting an error. */
int spool_make(const char *path, Diagnostics *diagnostics);

/* Calls spool_make, locks the spool, lists the jobs in running/, and repairs what a killed service has left in
 * cancelled/, done/ and failed/. Returns the same codes as spool_make. The caller closes the spool in each case. */
int spool_open(Spool *spool, const char *path, Diagnostics *diagnostics);
void spool_close(Spool *spool);

/* Creates folders again that have been removed, and reports this. Returns 0, or -1 after reporting a failure. */
int spool_mend(Spool *spool);

/* Scans incoming/. Hidden files (.NAME) are not jobs yet. Once an hour, old ones are removed (spool_leftovers.h). */
void spool_look(Spool *spool);
/* Continues a scan for at most this number of seconds. Returns whether the scan is complete; until then the list of
 * waiting jobs is unchanged. */
bool spool_look_on(Spool *spool, double seconds);
/* Returns the jobs that cannot be moved to running/, at most a hundred, with reasons: {"FILE": "why", ..}. The caller
 * owns the reference; NULL: no memory. */
json_t *spool_stuck(const Spool *spool);
/* Returns the number of jobs that wait: those in incoming/, and those in running/ that have to be resumed. */
size_t spool_waiting(const Spool *spool);

/* Returns the number of jobs that have ended in this folder and are still there. */
size_t spool_count_ended(const Spool *spool, SpoolFolder folder);
/* Claims a waiting job, i.e. moves it to running/NAME/, and sets name. Returns 1; 0 if this job cannot be claimed; or
 * -1, after reporting it, if running/ cannot be written. */
int spool_claim(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]);
/* Moves a waiting job from incoming/ to cancelled/NAME/. Returns the same values as spool_claim. */
int spool_withdraw(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]);
/* Adds the paused job running/NAME to the list of jobs that wait to be resumed. entry: name, user and priority of the
 * job, and the time since which it waits. */
void spool_set_aside(Spool *spool, const SpoolEntry *entry);
/* Removes a request to cancel. If it cannot be removed, reports this and returns false; the request is then ignored. A
 * request with content is also kept and ignored. */
bool spool_drop_request(Spool *spool, SpoolEntry *request);

/* Sets path to the path of the folder running/NAME, or of a file in it. file NULL: the folder itself. Returns 0, or an
 * exit code. */
int spool_path(const Spool *spool, const char *name, const char *file, char path[FILE_PATH_SIZE]);
/* Returns the inode number of the folder running/NAME; 0: there is no such folder. */
ino_t spool_inode(const Spool *spool, const char *name);

/* Moves running/NAME to done/, failed/ or cancelled/. Returns 0, or -1 after reporting an error. */
int spool_finish(Spool *spool, const char *name, SpoolFolder to);

/* Returns whether the disk has space for messages and small files. If not, reports it. */
bool spool_has_room(const Spool *spool);

/* spool_stop_wanted returns whether SPOOL/stop exists. spool_stop_done removes it. */
bool spool_stop_wanted(const Spool *spool);
void spool_stop_done(const Spool *spool);

#endif
