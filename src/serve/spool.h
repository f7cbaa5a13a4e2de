/* The folder that a service lives in, and nothing outside of it:
 *
 *     SPOOL/incoming/FILE         a problem file, or a packed job, a folder; written elsewhere and renamed to here
 *     SPOOL/incoming/NAME.cancel  a wish to cancel NAME
 *     SPOOL/running/NAME/         problem.yaml, which that file has become, and the results so far
 *     SPOOL/done/NAME/            the same with all results
 *     SPOOL/failed/NAME/          the same with error.txt
 *     SPOOL/cancelled/NAME/       the same as far as it came
 *     SPOOL/status.json           status_file.h
 *     SPOOL/stop                  put there by who wants the service to end
 *     SPOOL/lock                  held by the service: one at a time
 *
 * A job is in one of these places at any instant, and goes from one to the next by a single rename: whenever the service is killed, no job
 * is lost and none has two results. NAME: spool_folders.h.
 * Nobody else can look into running/NAME. What ends is given to whoever has submitted it (hand_over.h), by the next service where one was
 * killed before it had.
 * Nothing here follows a link: what is neither a file nor a folder, or too large, is claimed, too, but not read. */
#ifndef SRC_SPOOL_H
#define SRC_SPOOL_H

#include "src/results/results.h"
#include "src/serve/spool_list.h"
#include "src/spool/spool_folders.h"

typedef struct Spool {
  Results top;        /* SPOOL itself; its lock */
  SpoolFolders at;    /* its folders */
  SpoolList waiting;  /* in incoming/, as the last look that has come to its end found it */
  SpoolLook look;     /* the next one */
  SpoolQueues queues; /* of those that wait */
  SpoolList begun;    /* in running/, of an earlier service, or set aside for others */
  SpoolList stuck;    /* cannot be claimed: told, and left where they are until their rights change */
  double cleared;     /* when incoming/ was last cleared of leftovers, ctl_seconds; 0: not yet */
} Spool;

/* Makes the folders that are not there. Who may submit is who may write to incoming/ by the umask; there nobody can take away what is
 * another's. Returns 0, or EXIT_USAGE after telling. */
int spool_make(const char *path, Diagnostics *diagnostics);

/* spool_make; takes the lock, notes what is in running/, and mends what a kill has left in cancelled/, done/ and failed/. Returns likewise; close it either way. */
int spool_open(Spool *spool, const char *path, Diagnostics *diagnostics);
void spool_close(Spool *spool);

/* Makes those of its folders anew that somebody has taken away, and tells. Returns 0, or -1 after telling that it cannot. */
int spool_mend(Spool *spool);

/* Looks what is in incoming/ now. Hidden files (.NAME) are not jobs yet; each hour old ones are cleared away (spool_leftovers.h). */
void spool_look(Spool *spool);
/* Likewise for so many seconds, to go on another time. Whether it has come to its end: until then what waits is as it was. */
bool spool_look_on(Spool *spool, double seconds);
/* Which of them cannot be taken, and why, {"FILE": "why", ..}, a hundred at most. A new reference; NULL: no memory. */
json_t *spool_stuck(const Spool *spool);
/* How many jobs have not been claimed yet, and of those in running/ not been given. */
size_t spool_waiting(const Spool *spool);

/* How many jobs have ended so, as far as nobody has taken their folders away. */
size_t spool_count_ended(const Spool *spool, SpoolFolder folder);
/* Takes one of these: it is in running/NAME/ from now on. Returns 1; 0: it cannot be claimed; -1, after telling: running/ cannot be
 * written. */
int spool_claim(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]);
/* Puts one that waits in incoming/ into `cancelled` likewise. */
int spool_withdraw(Spool *spool, SpoolEntry *entry, char name[SPOOL_NAME_MAX]);
/* running/NAME waits, since now, to be gone on with: its name, user, priority and place are told. */
void spool_set_aside(Spool *spool, const SpoolEntry *entry);
/* Takes a wish away. False, after telling: it stays, and is not looked at any more; that of a file which is not empty, too. */
bool spool_drop_request(Spool *spool, SpoolEntry *request);

/* The path of a job's folder in running/, or of a file in it (NULL: the folder). */
int spool_path(const Spool *spool, const char *name, const char *file, char path[FILE_PATH_SIZE]);
/* Which folder running/NAME is; 0: there is none. */
ino_t spool_inode(const Spool *spool, const char *name);

/* Moves running/NAME to done/, failed/ or cancelled/. Returns 0, or -1 after telling. */
int spool_finish(Spool *spool, const char *name, SpoolFolder to);

/* Whether there is room on the disk for messages and more; tells if not. */
bool spool_has_room(const Spool *spool);

/* Whether SPOOL/stop is there; and takes it away. */
bool spool_stop_wanted(const Spool *spool);
void spool_stop_done(const Spool *spool);

#endif
