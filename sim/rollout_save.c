/* A rollout's state as bytes: all that its workspace holds, but for what a step fills anew. */
#include "sim/model.h"

#include <string.h>

/* What a saved state has besides the workspace's doubles and slip. */
typedef struct Saved {
  long n;
  StepTally tally;
  SimEnergy energy;
  long contact, watched; /* no padding: its bytes are a checkpoint's */
} Saved;

size_t sim_workspace_saved_size(const SimModel *model) {
  size_t d = (size_t)model->problem.d;
  return sizeof(Saved) + sim_workspace_doubles(model) * sizeof(double) + d * sizeof(signed char);
}

void sim_workspace_save(const SimModel *model, const SimWorkspace *work, void *bytes) {
  const Saved saved = {
      .n = work->n, .tally = work->tally, .energy = work->energy, .contact = work->contact, .watched = work->watched};
  char *to = bytes;
  size_t doubles = sim_workspace_doubles(model) * sizeof(double);
  memcpy(to, &saved, sizeof saved);
  memcpy(to + sizeof saved, work->x, doubles);
  memcpy(to + sizeof saved + doubles, work->slip, (size_t)model->problem.d * sizeof *work->slip);
}

SimStatus sim_workspace_load(const SimModel *model, SimWorkspace *work, const void *bytes, size_t size) {
  Saved saved;
  const char *from = bytes;
  size_t doubles = sim_workspace_doubles(model) * sizeof(double);
  if (size != sim_workspace_saved_size(model)) return SIM_BAD_PROBLEM;
  memcpy(&saved, from, sizeof saved);
  if (saved.n < 0 || saved.n > model->problem.steps) return SIM_BAD_PROBLEM;
  work->n = saved.n;
  work->status = SIM_OK;
  work->tally = saved.tally;
  work->energy = saved.energy;
  work->contact = saved.contact != 0;
  work->watched = saved.watched != 0;
  memcpy(work->x, from + sizeof saved, doubles);
  memcpy(work->slip, from + sizeof saved + doubles, (size_t)model->problem.d * sizeof *work->slip);
  for (int i = 0; i < model->problem.d; i++)
    if (work->slip[i] < -1 || work->slip[i] > 1) return SIM_BAD_PROBLEM;
  return SIM_OK;
}
