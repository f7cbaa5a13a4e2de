/* How large the events of events.h5 are. */
#ifndef SRC_RESULTS_EVENT_SIZES_H
#define SRC_RESULTS_EVENT_SIZES_H

#include "src/results/table.h"

#include <stdbool.h>

/* Fills sizes with a row for each size that an event has, the smallest first: `size`, the sum of abs(slip) of the event's slips, and
 * `count`, how many events are at least that large. slips: of events.h5, as table_read has it; without events each slip is one. Events without size
 * are left out. False: no memory; sizes is then empty. */
bool event_sizes(const Table *slips, Table *sizes);

#endif
