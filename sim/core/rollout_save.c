/* SPDX-License-Identifier: BSD-2-Clause */
/* Saves the state of a rollout as bytes: its workspace, except data that each step recomputes. */
#include "sim/core/rollout_save.h"
#include "sim/base/argument.h"

#include "sim/core/model.h"
#include "sim/core/scheme.h"

#include <string.h>

/* Header of a saved state. It is followed by the workspace's doubles that are equal on all ranks, then by the vectors,
 * then by slip. */
typedef struct Saved {
  long n;
  StepTally tally;
  SimEnergy energy;
  EnergyBalance balance;
  long contact, watched; /* long avoids padding, since the bytes of the struct are part of a checkpoint */
} Saved;

enum { STATE_VECTORS = 4 }; /* number of the state's vectors x, v, lambda, control_force */

/* Returns the number of doubles in the vectors of the state and of the scheme's scratch memory, which are the first
 * ones in the workspace's block. Additional results of a kind precede the scheme's vectors; such a kind never
 * distributes its rows over ranks. */
static size_t vector_doubles(const SimModel *model) {
  return (size_t)(STATE_VECTORS + model->problem.scheme->scratch_vectors) * (size_t)model->problem.count;
}

SimSavedLayout sim_workspace_saved_layout(const SimModel *model) {
  size_t alike = model->doubles - vector_doubles(model);
  return (SimSavedLayout){.head = sizeof(Saved) + alike * sizeof(double),
                          .vectors = STATE_VECTORS + model->problem.scheme->scratch_vectors,
                          .rows = model->problem.count};
}

size_t sim_workspace_saved_size(const SimModel *model) {
  if (!model) return 0;
  size_t rows = (size_t)model->problem.count;
  return sizeof(Saved) + model->doubles * sizeof(double) + rows * sizeof(signed char);
}

void sim_workspace_save(const SimModel *model, const SimWorkspace *work, void *bytes) {
  if (!model || !work || !bytes) return;
  const Saved saved = {.n = work->n,
                       .tally = work->tally,
                       .energy = work->energy,
                       .balance = work->balance,
                       .contact = work->contact,
                       .watched = work->watched};
  size_t vectors = vector_doubles(model), alike = model->doubles - vectors;
  char *to = bytes;
  memcpy(to, &saved, sizeof saved);
  to += sizeof saved;
  memcpy(to, work->x + vectors, alike * sizeof(double));
  to += alike * sizeof(double);
  memcpy(to, work->x, vectors * sizeof(double));
  memcpy(to + vectors * sizeof(double), work->slip, (size_t)model->problem.count * sizeof *work->slip);
}

SimStatus sim_workspace_load(const SimModel *model, SimWorkspace *work, const void *bytes, size_t size) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT_THERE(bytes);
  Saved saved;
  const char *from = bytes;
  int rows = model->problem.count;
  size_t vectors = vector_doubles(model), alike = model->doubles - vectors;
  if (size != sim_workspace_saved_size(model)) return SIM_BAD_PROBLEM;
  memcpy(&saved, from, sizeof saved);
  from += sizeof saved;
  if (saved.n < 0 || saved.n > model->problem.steps) return SIM_BAD_PROBLEM;
  work->n = saved.n;
  work->status = SIM_OK;
  work->tally = saved.tally;
  work->energy = saved.energy;
  work->balance = saved.balance;
  work->contact = saved.contact != 0;
  work->watched = saved.watched != 0;
  interrupt_start(model, work);
  memcpy(work->x + vectors, from, alike * sizeof(double));
  from += alike * sizeof(double);
  memcpy(work->x, from, vectors * sizeof(double));
  memcpy(work->slip, from + vectors * sizeof(double), (size_t)rows * sizeof *work->slip);
  for (int i = 0; i < rows; i++)
    if (work->slip[i] < -1 || work->slip[i] > 1) return SIM_BAD_PROBLEM;
  if (model->problem.scheme->resume) model->problem.scheme->resume(model, work, work->n);
  return SIM_OK;
}
