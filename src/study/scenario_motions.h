/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the final states of the motions of several problems with the same control. If possible, the motions are
 * simulated side by side in the lanes of a vector processor. */
#ifndef SRC_STUDY_SCENARIO_MOTIONS_H
#define SRC_STUDY_SCENARIO_MOTIONS_H

#include "sim/internal.h"

enum { SCENARIO_MOTIONS_MOST = 32 }; /* maximum number of problems per call, which is the maximum number of lanes */

/* A model and its workspace, into which the numbers of one problem after another are inserted. */
typedef struct MotionSlot {
  SimModel *model; /* owned, as is the workspace */
  SimWorkspace *work;
} MotionSlot;

typedef struct ScenarioMotions {
  const SimProblem *problems; /* the problems; borrowed, as are the next three members */
  const SimProblem *base;     /* its force is used for problems without one; NULL: all problems have a force */
  /* For each problem a store of thresholds (sim_thresholds_apart), with which it equals `like`; an entry NULL means
   * that the problem is in `problems`. NULL: all problems are in `problems`. */
  void *const *thresholds;
  const SimProblem *like;
  MotionSlot slots[SCENARIO_MOTIONS_MOST];
} ScenarioMotions;

/* Simulates n <= SCENARIO_MOTIONS_MOST problems with the same d: those with the numbers first, first + stride, ...
 * control: [variables]; NULL: 0. states: [2 d] for each problem, at the same numbers: x(T), v(T), or NAN if the motion
 * has failed. No entry is -0, since -0 would become 0 in a sum over ranks. Slots that are zero are opened, and used
 * again by later calls, until scenario_motions_close. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus scenario_motions(ScenarioMotions *motions, long first, int n, long stride, const double *control,
                           double *states);
void scenario_motions_close(ScenarioMotions *motions);

/* Returns how many problems like this one are simulated side by side: 1 or SCENARIO_MOTIONS_MOST. base: as in
 * ScenarioMotions. */
int scenario_motions_together(const SimProblem *problem, const SimProblem *base);

#endif
