/* SPDX-License-Identifier: BSD-2-Clause */
/* Records the signals TERM, INT and USR1, which request this process to stop soon. The computation polls them. Before
 * stop_signal_spare is called, the first INT ends the process at once; afterwards only a second INT does. */
#ifndef SRC_STOP_SIGNAL_H
#define SRC_STOP_SIGNAL_H

#include <stdbool.h>

void stop_signal_watch(void);

/* Declares that there are results to save: from now on the first INT does not end the process at once. */
void stop_signal_spare(void);

/* After stop_signal_hurry(true) all functions here behave as if a signal had arrived, so that a computation stops at
 * its next checkpoint. stop_signal_hurries returns whether this is the case although no real signal has arrived. */
void stop_signal_hurry(bool on);
bool stop_signal_hurries(void);

/* Returns whether a signal has arrived. */
bool stop_signal_seen(void);

/* Returns whether a signal arrived at least half a second ago. Before that time a short computation may still
 * finish. */
bool stop_signal_presses(void);

#endif
