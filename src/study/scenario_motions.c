/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/scenario_motions.h"

#include "src/process/interruption.h"

#include <math.h>

static void close_slot(MotionSlot *slot) {
  stiction_workspace_destroy(slot->work);
  stiction_model_destroy(slot->model);
  *slot = (MotionSlot){0};
}

static SimStatus open_slot(MotionSlot *slot, const SimProblem *problem, const SimProblem *base) {
  SimProblem whole = *problem;
  if (base && !whole.force) whole.force = base->force;
  SimStatus status = stiction_model_create(&whole, NULL, &slot->model);
  if (status == SIM_OK) status = stiction_workspace_create(slot->model, &slot->work);
  if (status == SIM_OK) interruption_watch_evaluation(slot->work);
  return status;
}

/* Prepares a slot for problem k: inserts its numbers into the model of the slot, or makes a new model. */
static SimStatus fill_slot(const ScenarioMotions *motions, MotionSlot *slot, long k) {
  const void *thresholds = motions->thresholds ? motions->thresholds[k] : NULL;
  const SimProblem *problem = thresholds ? motions->like : &motions->problems[k];
  bool shares = slot->work && motions->base && !problem->force;
  SimStatus status = SIM_BAD_ARGUMENT;
  if (shares && thresholds) status = sim_model_set_thresholds(slot->model, slot->work, thresholds);
  if (shares && !thresholds) status = sim_model_set_numbers(slot->model, slot->work, problem);
  if (status == SIM_BAD_ARGUMENT) {
    close_slot(slot);
    status = open_slot(slot, problem, motions->base);
    if (status == SIM_OK && thresholds) status = sim_model_set_thresholds(slot->model, slot->work, thresholds);
  }
  if (status != SIM_OK) close_slot(slot);
  return status;
}

int scenario_motions_together(const SimProblem *problem, const SimProblem *base) {
  MotionSlot slot = {0};
  bool lanes = open_slot(&slot, problem, base) == SIM_OK && sim_batch_lanes(slot.model, slot.work) > 1;
  close_slot(&slot);
  return lanes ? SCENARIO_MOTIONS_MOST : 1;
}

SimStatus scenario_motions(ScenarioMotions *motions, long first, int n, long stride, const double *control,
                           double *states) {
  SimRun runs[SCENARIO_MOTIONS_MOST] = {{0}};
  SimFinal finals[SCENARIO_MOTIONS_MOST];
  int d = (motions->like ? motions->like : &motions->problems[first])->d, good = 0;
  SimStatus status = SIM_OK;
  for (int k = 0; k < n; k++) {
    MotionSlot *slot = &motions->slots[k];
    double *state = states + k * stride * 2 * d;
    SimStatus filled = fill_slot(motions, slot, first + k * stride);
    for (int i = 0; i < 2 * d; i++) state[i] = NAN;
    if (filled == SIM_NO_MEMORY) status = filled;
    if (filled != SIM_OK) continue;
    runs[good] = (SimRun){slot->model, slot->work, control};
    finals[good++] = (SimFinal){.x = state, .v = state + d};
  }
  sim_batch_models(good, runs, finals);
  for (int k = 0; k < good; k++)
    for (int i = 0; i < 2 * d; i++) {
      double *number = &finals[k].x[i]; /* the entries of v directly follow those of x in memory */
      *number = finals[k].status == SIM_OK && isfinite(*number) ? *number + 0.0 : (double)NAN;
    }
  return status;
}

void scenario_motions_close(ScenarioMotions *motions) {
  for (int k = 0; k < SCENARIO_MOTIONS_MOST; k++) close_slot(&motions->slots[k]);
}
