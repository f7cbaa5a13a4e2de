/* TERM, INT, USR1: a request to stop soon, noted here and looked at by those who work. A second INT ends the process at
 * once. */
#ifndef SRC_STOP_SIGNAL_H
#define SRC_STOP_SIGNAL_H

#include <stdbool.h>

void stop_signal_watch(void);

/* Whether one has come to this process. */
bool stop_signal_seen(void);

#endif
