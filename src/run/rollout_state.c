/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/rollout_state.h"

#include "sim/core/rollout_save.h"

#include <stdlib.h>
#include <string.h>

/* The saved state has the layout of sim_workspace_save, with its head at the beginning, but with the rows of all
 * ranks. */
size_t rollout_state_size(const SimModel *model, const SimRows *rows) {
  SimSavedLayout mine = sim_workspace_saved_layout(model);
  return mine.head + (size_t)rows->d * ((size_t)mine.vectors * sizeof(double) + 1);
}

/* Returns the offset of vector k in a state with this number of rows. If k equals the number of vectors, returns the
 * offset of the bytes that follow them. */
static size_t place(const SimSavedLayout *layout, int rows, int k) {
  return layout->head + (size_t)k * (size_t)rows * sizeof(double);
}

static size_t entry_size(const SimSavedLayout *layout, int k) { return k < layout->vectors ? sizeof(double) : 1; }

/* Allocates memory for the state of this rank's rows, which the caller frees. Returns NULL on all ranks if any of them
 * has no memory. */
static char *reserve(const SimModel *model, const SimRows *rows) {
  char *bytes = malloc(sim_workspace_saved_size(model));
  if (!sim_group_agree(rows->group, !bytes)) return bytes;
  free(bytes);
  return NULL;
}

SimStatus rollout_state_save(const SimModel *model, const SimWorkspace *work, const SimRows *rows, void *bytes) {
  SimSavedLayout layout = sim_workspace_saved_layout(model);
  char *mine = reserve(model, rows), *all = bytes;
  if (!mine) return SIM_NO_MEMORY;
  sim_workspace_save(model, work, mine);
  if (stiction_group_rank(rows->group) == 0) memcpy(all, mine, layout.head);
  for (int k = 0; k <= layout.vectors; k++)
    sim_group_gather(rows->group, entry_size(&layout, k), rows->count, mine + place(&layout, layout.rows, k),
                     all ? all + place(&layout, rows->d, k) : NULL);
  free(mine);
  return SIM_OK;
}

SimStatus rollout_state_load(const SimModel *model, SimWorkspace *work, const SimRows *rows, const void *bytes,
                             size_t size) {
  SimSavedLayout layout = sim_workspace_saved_layout(model);
  if (size != rollout_state_size(model, rows)) return SIM_BAD_PROBLEM;
  char *mine = reserve(model, rows);
  const char *all = bytes;
  if (!mine) return SIM_NO_MEMORY;
  if (stiction_group_rank(rows->group) == 0) memcpy(mine, all, layout.head);
  sim_group_share(rows->group, mine, layout.head);
  for (int k = 0; k <= layout.vectors; k++)
    sim_group_scatter(rows->group, entry_size(&layout, k), rows->count, all ? all + place(&layout, rows->d, k) : NULL,
                      mine + place(&layout, layout.rows, k));
  bool refused = sim_workspace_load(model, work, mine, sim_workspace_saved_size(model)) != SIM_OK;
  free(mine);
  return sim_group_agree(rows->group, refused) ? SIM_BAD_PROBLEM : SIM_OK;
}
