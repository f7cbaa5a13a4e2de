/* Distribution of the sizes of events in events.h5. */
#ifndef SRC_RESULTS_EVENT_SIZES_H
#define SRC_RESULTS_EVENT_SIZES_H

#include "src/results/table.h"

#include <stdbool.h>

/* Fills sizes with a row for each size that occurs, in increasing order: `size`, the sum of abs(slip) over an event's
 * slips, and `count`, the number of events at least that large. slips: from events.h5, as read by table_read; without
 * events each slip counts as one. Omits events of size 0. Returns false if there is no memory; sizes is then empty. */
bool event_sizes(const Table *slips, Table *sizes);

#endif
