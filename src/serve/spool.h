/* The folder that a service lives in, and nothing outside of it:
 *
 *     SPOOL/incoming/FILE   a problem file, written elsewhere and renamed to here
 *     SPOOL/running/NAME/   problem.yaml, which that file has become, and the results so far
 *     SPOOL/done/NAME/      the same with all results
 *     SPOOL/failed/NAME/    the same with error.txt
 *     SPOOL/status.json     status_file.h
 *     SPOOL/stop            put there by who wants the service to end
 *     SPOOL/lock            held by the service: one at a time
 *
 * A problem is in one of these places at any instant, and goes from one to the next by a single rename: whenever the
 * service is killed, no problem is lost and none has two results. NAME: spool_folders.h.
 * Nobody else can look into running/NAME. What ends is given to whoever has submitted it, by the next service where one was
 * killed before it had.
 * Nothing here follows a link: what is not a file, or too large, is claimed, too, but not read. */
#ifndef SRC_SPOOL_H
#define SRC_SPOOL_H

#include "src/results/results.h"
#include "src/spool/spool_folders.h"

#include <stddef.h>

/* Names in a folder, oldest file first. */
typedef struct SpoolList {
  struct SpoolEntry *entries; /* [n] owned */
  size_t n, next;             /* the first that has not been given yet */
} SpoolList;

typedef struct Spool {
  Results top;                      /* SPOOL itself; its lock */
  int self, folders[SPOOL_FOLDERS]; /* descriptors */
  SpoolList waiting, interrupted;
  SpoolList stuck; /* cannot be claimed: told, and left where they are */
} Spool;

/* Makes the folders that are not there, takes the lock, and notes what is in running/. Returns 0, or EXIT_USAGE after
 * telling; close it either way. */
int spool_open(Spool *spool, const char *path, Diagnostics *diagnostics);
void spool_close(Spool *spool);

/* The next problem that was in running/ when the spool was opened. False: no more. */
bool spool_next_interrupted(Spool *spool, char name[SPOOL_NAME_MAX]);

/* Looks what is in incoming/ now. Hidden files (.NAME) are not problems yet. */
void spool_look(Spool *spool);
/* How many of these have not been claimed yet, and of the interrupted ones not been given. */
size_t spool_waiting(const Spool *spool);
/* Claims the next of these: it is in running/NAME/ from now on. Returns 1; 0: no more; -1, after telling: running/ cannot
 * be written. */
int spool_claim(Spool *spool, char name[SPOOL_NAME_MAX]);

/* Makes running/NAME/problem.yaml a copy of the service's own: whoever has put it in may still write into his. Returns 0, or
 * an exit code after telling why it is not read. */
int spool_adopt(const Spool *spool, const char *name, Diagnostics *diagnostics);

/* The path of a problem's folder in running/, or of a file in it (NULL: the folder). */
int spool_path(const Spool *spool, const char *name, const char *file, char path[FILE_PATH_SIZE]);

/* Moves running/NAME to done/ or failed/. Returns 0, or -1 after telling. */
int spool_finish(Spool *spool, const char *name, SpoolFolder to);

/* Whether there is room on the disk for messages and more; tells if not. */
bool spool_has_room(const Spool *spool);

/* Whether SPOOL/stop is there; and takes it away. */
bool spool_stop_wanted(const Spool *spool);
void spool_stop_done(const Spool *spool);

#endif
