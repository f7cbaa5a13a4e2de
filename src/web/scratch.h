/* The page's folder for temporary files, TMPDIR/stiction-web-XXXXXX. It is locked (flock) while its process lives: so what a killed one has
 * left is known from what another page works in. */
#ifndef SRC_WEB_SCRATCH_H
#define SRC_WEB_SCRATCH_H

#include "src/base/diagnostics.h"
#include "src/base/file_open.h"

typedef struct WebScratch {
  char path[FILE_PATH_SIZE]; /* "": there is none */
  int lock;                  /* the folder, open */
} WebScratch;

/* Removes those of this user whose process is gone, and makes one. Returns 0, or EXIT_INTERNAL after telling; to be removed either way. */
int web_scratch_make(WebScratch *scratch, Diagnostics *diagnostics);
void web_scratch_remove(WebScratch *scratch);

#endif
