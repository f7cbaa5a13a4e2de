/* Where the motions of several problems under one control end: side by side in lanes where they can be. */
#ifndef SRC_STUDY_SCENARIO_MOTIONS_H
#define SRC_STUDY_SCENARIO_MOTIONS_H

#include "sim/internal.h"

enum { SCENARIO_MOTIONS_MOST = 32 }; /* at once: as many as lanes there are at most */

/* A model and its workspace, which take the numbers of one problem after another. */
typedef struct MotionSlot {
  SimModel *model; /* owned, as the next */
  SimWorkspace *work;
} MotionSlot;

typedef struct ScenarioMotions {
  const SimProblem *base; /* borrowed; the problems without a force have its; NULL: all have their own */
  MotionSlot slots[SCENARIO_MOTIONS_MOST];
} ScenarioMotions;

/* n <= SCENARIO_MOTIONS_MOST problems, `stride` apart, of the same d. control: [variables]; NULL: 0. states: [2 d] of each, as far apart:
 * x(T), v(T), NAN if its motion has failed. Without a zero below 0, which a sum over ranks would not keep. motions: has its base, or NULL,
 * and at first no slots; kept for the next problems, and closed in the end. SIM_OK or SIM_NO_MEMORY. */
SimStatus scenario_motions(ScenarioMotions *motions, const SimProblem *problems, int n, long stride,
                           const double *control, double *states);
void scenario_motions_close(ScenarioMotions *motions);

/* How many of such problems go side by side: 1, or SCENARIO_MOTIONS_MOST. base: as of ScenarioMotions. */
int scenario_motions_together(const SimProblem *problem, const SimProblem *base);

#endif
