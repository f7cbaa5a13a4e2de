/* Files that a killed `stiction submit` or page has left in incoming/: .NAME.PID-K, a file, or a folder with files of a
 * job. */
#ifndef SRC_SERVE_SPOOL_LEFTOVERS_H
#define SRC_SERVE_SPOOL_LEFTOVERS_H

#include "src/serve/spool.h"

/* Removes entries with such names that contain only files of a job and have not been written for a day, by the file
 * system's clock; reports their number. Keeps all others, and those that the service may not remove. */
void spool_leftovers_clear(const Spool *spool);

#endif
