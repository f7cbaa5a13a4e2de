/* SPDX-License-Identifier: BSD-2-Clause */
/* Layout of the bytes of sim_workspace_save, for callers that combine the bytes of a group's ranks. */
#ifndef SIM_ROLLOUT_SAVE_H
#define SIM_ROLLOUT_SAVE_H

#include "sim/internal.h"

/* Layout of the saved state: first `head` bytes, which are equal on all ranks; then `vectors` vectors of doubles with
 * `rows` entries on this rank; then one byte for each row. */
typedef struct SimSavedLayout {
  size_t head;
  int vectors, rows;
} SimSavedLayout;
SimSavedLayout sim_workspace_saved_layout(const SimModel *model);

#endif
