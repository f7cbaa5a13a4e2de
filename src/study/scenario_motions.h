/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the final states of the motions of several problems under one control. If possible, they are simulated side
 * by side in the lanes of a vector processor. */
#ifndef SRC_STUDY_SCENARIO_MOTIONS_H
#define SRC_STUDY_SCENARIO_MOTIONS_H

#include "sim/internal.h"

enum { SCENARIO_MOTIONS_MOST = 32 }; /* largest number of problems at a time, which is the largest number of lanes */

/* A model and its workspace, which are given the numbers of one problem after another. */
typedef struct MotionSlot {
  SimModel *model; /* owned, like the workspace */
  SimWorkspace *work;
} MotionSlot;

typedef struct ScenarioMotions {
  const SimProblem *problems; /* borrowed, like the next three */
  const SimProblem *base;     /* its force is used by problems that have none; NULL: all have their own */
  /* For each problem a store of thresholds (sim_thresholds_apart), with which the problem equals `like`; or NULL: it is
   * in `problems`. NULL: all are. */
  void *const *thresholds;
  const SimProblem *like;
  MotionSlot slots[SCENARIO_MOTIONS_MOST];
} ScenarioMotions;

/* Simulates n <= SCENARIO_MOTIONS_MOST problems of the same d, which are `stride` apart in the array, from number
 * `first` on. control: [variables]; NULL: 0. states: [2 d] for each problem, also `stride` apart: x(T), v(T); NAN if
 * the motion has failed. No entry is -0, which would be lost in a sum over ranks. Slots that are zero are opened;
 * later calls use them again, until scenario_motions_close. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus scenario_motions(ScenarioMotions *motions, long first, int n, long stride, const double *control,
                           double *states);
void scenario_motions_close(ScenarioMotions *motions);

/* Returns how many such problems are simulated side by side: 1 or SCENARIO_MOTIONS_MOST. base: as in
 * ScenarioMotions. */
int scenario_motions_together(const SimProblem *problem, const SimProblem *base);

#endif
