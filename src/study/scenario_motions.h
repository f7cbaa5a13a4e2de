/* Final states of the motions of several problems under one control, side by side in lanes where possible. */
#ifndef SRC_STUDY_SCENARIO_MOTIONS_H
#define SRC_STUDY_SCENARIO_MOTIONS_H

#include "sim/internal.h"

enum { SCENARIO_MOTIONS_MOST = 32 }; /* at once: the largest number of lanes */

/* A model and its workspace, which take the numbers of one problem after another. */
typedef struct MotionSlot {
  SimModel *model; /* owned, like the workspace */
  SimWorkspace *work;
} MotionSlot;

typedef struct ScenarioMotions {
  const SimProblem *base; /* its force is that of problems without one; borrowed; NULL: all have their own */
  MotionSlot slots[SCENARIO_MOTIONS_MOST];
} ScenarioMotions;

/* Simulates n <= SCENARIO_MOTIONS_MOST problems of the same d, `stride` apart. control: [variables]; NULL: 0. states: [2 d] of each, as far apart: x(T),
 * v(T), NAN if the motion has failed; never -0, which a sum over ranks would not keep. motions: zero but for its base at first; its slots are reused by
 * later calls, until scenario_motions_close. SIM_OK or SIM_NO_MEMORY. */
SimStatus scenario_motions(ScenarioMotions *motions, const SimProblem *problems, int n, long stride,
                           const double *control, double *states);
void scenario_motions_close(ScenarioMotions *motions);

/* Number of such problems that go side by side: 1 or SCENARIO_MOTIONS_MOST. base: as of ScenarioMotions. */
int scenario_motions_together(const SimProblem *problem, const SimProblem *base);

#endif
