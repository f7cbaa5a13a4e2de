/* SPDX-License-Identifier: BSD-2-Clause */
/* The temporary folder of the page, TMPDIR/stiction-web-XXXXXX. It is locked (flock) as long as its process exists. A
 * folder without a lock has been left by a killed process. */
#ifndef SRC_WEB_SCRATCH_H
#define SRC_WEB_SCRATCH_H

#include "src/base/diagnostics.h"
#include "src/base/file_open.h"

typedef struct WebScratch {
  char path[FILE_PATH_SIZE]; /* path of the folder; "": there is none */
  int lock;                  /* descriptor of the folder */
} WebScratch;

/* Removes folders of this user that killed processes have left, and creates a new one. Returns 0, or EXIT_INTERNAL
 * after reporting an error. The caller calls web_scratch_remove in each case. */
int web_scratch_make(WebScratch *scratch, Diagnostics *diagnostics);
void web_scratch_remove(WebScratch *scratch);

#endif
