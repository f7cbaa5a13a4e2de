/* Signals TERM, INT and USR1: a request to stop soon, recorded here and polled by the computation. The first INT ends
 * the process at once unless there is something to save; a second one always does. */
#ifndef SRC_STOP_SIGNAL_H
#define SRC_STOP_SIGNAL_H

#include <stdbool.h>

void stop_signal_watch(void);

/* From now on there is something to save, so the first INT no longer ends the process at once. */
void stop_signal_spare(void);

/* stop_signal_hurry(true) makes all functions here behave as if a signal had arrived, so that a computation stops at
 * its next checkpoint. stop_signal_hurries returns whether this is on and no real signal has arrived. */
void stop_signal_hurry(bool on);
bool stop_signal_hurries(void);

/* Whether a signal has arrived. */
bool stop_signal_seen(void);

/* Whether a signal is half a second old. Until then a short computation may still finish. */
bool stop_signal_presses(void);

#endif
