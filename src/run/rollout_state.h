/* The state of a rollout as bytes, gathered from the ranks that share its rows, so that any number of ranks can
 * continue it. */
#ifndef SRC_ROLLOUT_STATE_H
#define SRC_ROLLOUT_STATE_H

#include "sim/group.h"

/* Number of bytes for all rows. */
size_t rollout_state_size(const SimModel *model, const SimRows *rows);

/* Saves the state. bytes: on the first rank (NULL elsewhere). Collective over rows->group, like the next. Returns
 * SIM_OK or SIM_NO_MEMORY on all ranks. */
SimStatus rollout_state_save(const SimModel *model, const SimWorkspace *work, const SimRows *rows, void *bytes);

/* Loads the state. size: known to all ranks. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the bytes are
 * invalid; on all ranks. */
SimStatus rollout_state_load(const SimModel *model, SimWorkspace *work, const SimRows *rows, const void *bytes,
                             size_t size);

#endif
