/* How the bytes of sim_workspace_save are laid out, for who brings together those of the ranks of a group. */
#ifndef SIM_ROLLOUT_SAVE_H
#define SIM_ROLLOUT_SAVE_H

#include "sim/sim.h"

/* `head` bytes, alike on all ranks; `vectors` vectors of this rank's rows, doubles; a byte for each row. */
typedef struct SimSavedLayout {
  size_t head;
  int vectors, rows;
} SimSavedLayout;
SimSavedLayout sim_workspace_saved_layout(const SimModel *model);

#endif
