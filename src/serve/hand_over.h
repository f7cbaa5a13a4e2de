/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives the files of an ended job to its submitter, if the service runs as root. The owner of the files in running/NAME
 * is changed in parts, since there may be a million files. Then the folder is renamed. Its own owner is changed last.
 * Until then the folder belongs to root and others cannot read it.
 *
 * A service of another user cannot change owners. It makes the results readable for the submitter's group, if it may
 * (spool_note_submitter). */
#ifndef SRC_SERVE_HAND_OVER_H
#define SRC_SERVE_HAND_OVER_H

#include "src/serve/spool_adopt.h"

#include <dirent.h>

enum {
  HAND_OVER_DEPTH = 8
}; /* maximum depth of folders that are given to the submitter. Results have no deeper ones; other deeper folders
    * stay with the service's user */

typedef struct HandOver {
  Submitter to;
  DIR *folders[HAND_OVER_DEPTH]; /* [depth] open folders on the path from running/NAME to the current folder */
  int depth;                     /* number of open folders; 0: all files now belong to the submitter */
} HandOver;

/* Starts giving running/NAME away. Does nothing if the service does not run as root, or the submitter is root. */
void hand_over_begin(HandOver *hand, const Spool *spool, const char *name, const Submitter *to);
/* Continues for at most this number of seconds. Returns whether everything was given. */
bool hand_over_go_on(HandOver *hand, double seconds);
/* Frees the state, whether or not everything was given. */
void hand_over_end(HandOver *hand);

/* Gives the folder of a job itself, after it was moved to done/, failed/ or cancelled/. */
void hand_over_folder(const Spool *spool, SpoolFolder folder, const char *name);
/* Gives those folders of ended jobs to their submitters that a service did not give before it was killed. */
void hand_over_rest(const Spool *spool, SpoolFolder folder);

#endif
