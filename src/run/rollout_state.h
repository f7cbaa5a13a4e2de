/* SPDX-License-Identifier: BSD-2-Clause */
/* Saves the state of a rollout as bytes. They are gathered from the ranks that share its rows, so that the rollout can
 * be continued by any number of ranks. */
#ifndef SRC_ROLLOUT_STATE_H
#define SRC_ROLLOUT_STATE_H

#include "sim/group.h"

/* Returns the number of bytes of the state of all rows. */
size_t rollout_state_size(const SimModel *model, const SimRows *rows);

/* Saves the state. bytes: destination on the first rank; NULL on other ranks. Collective over rows->group, as is
 * rollout_state_load. Returns SIM_OK or SIM_NO_MEMORY on all ranks. */
SimStatus rollout_state_save(const SimModel *model, const SimWorkspace *work, const SimRows *rows, void *bytes);

/* Loads the state. bytes: the state on the first rank. size: number of bytes, on all ranks. Returns on all ranks
 * SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the bytes are invalid. */
SimStatus rollout_state_load(const SimModel *model, SimWorkspace *work, const SimRows *rows, const void *bytes,
                             size_t size);

#endif
