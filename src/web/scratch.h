/* The page's temporary folder, TMPDIR/stiction-web-XXXXXX. It is locked (flock) while its process lives, which
 * distinguishes it from folders left by killed processes. */
#ifndef SRC_WEB_SCRATCH_H
#define SRC_WEB_SCRATCH_H

#include "src/base/diagnostics.h"
#include "src/base/file_open.h"

typedef struct WebScratch {
  char path[FILE_PATH_SIZE]; /* "": none */
  int lock;                  /* descriptor of the folder */
} WebScratch;

/* Removes this user's folders of ended processes, and creates one. Returns 0, or EXIT_INTERNAL after reporting an
 * error; remove it in each case. */
int web_scratch_make(WebScratch *scratch, Diagnostics *diagnostics);
void web_scratch_remove(WebScratch *scratch);

#endif
