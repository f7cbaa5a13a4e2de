/* The state of a rollout as bytes, brought together from the ranks that share its rows, so that other ranks may go on. */
#ifndef SRC_ROLLOUT_STATE_H
#define SRC_ROLLOUT_STATE_H

#include "sim/group.h"

/* How many bytes, of all rows. */
size_t rollout_state_size(const SimModel *model, const SimRows *rows);

/* bytes: the first rank's (NULL elsewhere). Collective over rows->group, as the next. SIM_OK or SIM_NO_MEMORY, on all. */
SimStatus rollout_state_save(const SimModel *model, const SimWorkspace *work, const SimRows *rows, void *bytes);

/* size: all know it. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM when the bytes cannot be such a state; on all. */
SimStatus rollout_state_load(const SimModel *model, SimWorkspace *work, const SimRows *rows, const void *bytes,
                             size_t size);

#endif
