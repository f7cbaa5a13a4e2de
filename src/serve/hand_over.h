/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the submitter the owner of the files of an ended job, if the service runs as root. The files in running/NAME
 * are given in several calls, since there may be a million of them. Then the folder is renamed. The owner of the folder
 * itself is changed last; until then it belongs to root, and other users cannot read it.
 *
 * A service that does not run as root cannot change owners. If permitted, it makes the results readable for the
 * submitter's group (spool_note_submitter). */
#ifndef SRC_SERVE_HAND_OVER_H
#define SRC_SERVE_HAND_OVER_H

#include "src/serve/spool_adopt.h"

#include <dirent.h>

enum {
  HAND_OVER_DEPTH = 8
}; /* maximum depth of folders with files that are given to the submitter. The results of a run have no deeper folders;
    * files in folders that are deeper keep the service's user as owner */

typedef struct HandOver {
  Submitter to;
  DIR *folders[HAND_OVER_DEPTH]; /* [depth] open folders on the path from running/NAME to the current folder */
  int depth;                     /* number of open folders; 0: all files now belong to the submitter */
} HandOver;

/* Starts giving the files of running/NAME to the submitter. Does nothing if the service does not run as root, or the
 * submitter is root. */
void hand_over_begin(HandOver *hand, const Spool *spool, const char *name, const Submitter *to);
/* Continues for at most this number of seconds. Returns whether all files have been given. */
bool hand_over_go_on(HandOver *hand, double seconds);
/* Frees the state, whether or not all files have been given. */
void hand_over_end(HandOver *hand);

/* Makes the submitter the owner of the folder of a job, after it was moved to done/, failed/ or cancelled/. */
void hand_over_folder(const Spool *spool, SpoolFolder folder, const char *name);
/* Makes submitters the owners of those folders of ended jobs that an earlier service did not give because it was
 * killed. */
void hand_over_rest(const Spool *spool, SpoolFolder folder);

#endif
