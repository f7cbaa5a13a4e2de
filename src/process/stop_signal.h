/* TERM, INT, USR1: a request to stop soon, noted here and looked at by those who work. The first INT ends the process at once
 * while there is nothing to be saved, and a second one always. */
#ifndef SRC_STOP_SIGNAL_H
#define SRC_STOP_SIGNAL_H

#include <stdbool.h>

void stop_signal_watch(void);

/* From now on there is something to be saved, which the first INT leaves time for. */
void stop_signal_spare(void);

/* For who has little time: while this is on, all is as if a signal had been seen, so that what lasts leaves off with its checkpoint. Whether that is
 * so, and there was none. */
void stop_signal_hurry(bool on);
bool stop_signal_hurries(void);

/* Whether one has come to this process. */
bool stop_signal_seen(void);

/* Whether that was half a second ago: what is under way, and would end by itself soon, has had the time to. */
bool stop_signal_presses(void);

#endif
