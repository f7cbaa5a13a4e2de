/* What a `stiction submit` or a page that was killed has left in incoming/: .NAME.PID-K, a file, or a folder with files of a job. */
#ifndef SRC_SERVE_SPOOL_LEFTOVERS_H
#define SRC_SERVE_SPOOL_LEFTOVERS_H

#include "src/serve/spool.h"

/* Takes away what has such a name, has no other entries than files of a job, and has not been written to for a day, by the file system's
 * clock; tells how much. All else stays, and what the service may not take away. */
void spool_leftovers_clear(const Spool *spool);

#endif
