/* A service of root's gives all that it has written for a job that has ended to its submitter: what is in the folder in pieces, since there may be a
 * million files in it, while it is running/NAME; then that is renamed; the folder itself at last. Until then it is root's, and nobody else can look
 * in. A service of another user cannot give anything away: it lets the submitter's group look in, if it may (spool_note_submitter). */
#ifndef SRC_SERVE_HAND_OVER_H
#define SRC_SERVE_HAND_OVER_H

#include "src/serve/spool_adopt.h"

#include <dirent.h>

enum { HAND_OVER_DEPTH = 8 }; /* what is deeper than any results are stays the service's */

typedef struct HandOver {
  Submitter to;
  DIR *folders[HAND_OVER_DEPTH]; /* [depth]: where it is, from running/NAME down */
  int depth;                     /* 0: nothing is left to be given */
} HandOver;

/* Begins with running/NAME: there is nothing to do where the service is not root's, or the submitter is root. */
void hand_over_begin(HandOver *hand, const Spool *spool, const char *name, const Submitter *to);
/* Goes on for so many seconds. Whether all has been given. */
bool hand_over_go_on(HandOver *hand, double seconds);
/* Whether or not it has. */
void hand_over_end(HandOver *hand);

/* The folder itself, once it is in done/, failed/ or cancelled/. */
void hand_over_folder(const Spool *spool, SpoolFolder folder, const char *name);
/* Those of a service that was killed before. */
void hand_over_rest(const Spool *spool, SpoolFolder folder);

#endif
