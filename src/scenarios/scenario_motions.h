/* Where the motions of several problems under one control end: side by side in lanes where they can be. */
#ifndef SRC_SCENARIOS_SCENARIO_MOTIONS_H
#define SRC_SCENARIOS_SCENARIO_MOTIONS_H

#include "sim/sim.h"

enum { SCENARIO_MOTIONS_MOST = 32 }; /* at once: as many as lanes there are at most */

/* n <= SCENARIO_MOTIONS_MOST problems, `stride` apart, of the same d. control: [variables]; NULL: 0. states: [2 d] of each, as far apart:
 * x(T), v(T), NAN if its motion has failed. Without a zero below 0, which a sum over ranks would not keep. SIM_OK or SIM_NO_MEMORY. */
SimStatus scenario_motions(const SimProblem *problems, int n, long stride, const double *control, double *states);

/* How many of such problems go side by side: 1, or SCENARIO_MOTIONS_MOST. */
int scenario_motions_together(const SimProblem *problem);

#endif
