/* A service that runs as root gives all files of an ended job to its submitter. The content of the folder is given in
 * parts, since it may have a million files, while it is still running/NAME; then the folder is renamed, and given last.
 * Until then it is root's and not readable by others. A service of another user cannot give files away; it lets the
 * submitter's group read, if it may (spool_note_submitter). */
#ifndef SRC_SERVE_HAND_OVER_H
#define SRC_SERVE_HAND_OVER_H

#include "src/serve/spool_adopt.h"

#include <dirent.h>

enum { HAND_OVER_DEPTH = 8 }; /* deeper folders do not belong to results, and remain the service's */

typedef struct HandOver {
  Submitter to;
  DIR *folders[HAND_OVER_DEPTH]; /* [depth]: the open folders from running/NAME down */
  int depth;                     /* 0: all is given */
} HandOver;

/* Starts with running/NAME. There is nothing to do if the service is not root's, or the submitter is root. */
void hand_over_begin(HandOver *hand, const Spool *spool, const char *name, const Submitter *to);
/* Continues for this number of seconds. Returns whether all is given. */
bool hand_over_go_on(HandOver *hand, double seconds);
/* Ends it, finished or not. */
void hand_over_end(HandOver *hand);

/* Gives the folder itself, after its move to done/, failed/ or cancelled/. */
void hand_over_folder(const Spool *spool, SpoolFolder folder, const char *name);
/* Gives the folders that a killed service has left. */
void hand_over_rest(const Spool *spool, SpoolFolder folder);

#endif
