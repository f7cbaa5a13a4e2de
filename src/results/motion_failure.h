/* Why a motion has failed, or is not to be trusted, in a line. */
#ifndef SRC_RESULTS_MOTION_FAILURE_H
#define SRC_RESULTS_MOTION_FAILURE_H

#include "sim/internal.h"

enum { MOTION_FAILURE_SIZE = 200 };

/* Whether a motion ended so is not to be trusted, by whatever it was found. */
bool motion_failure_distrusts(SimStatus status);

/* Of a rollout whose status is not SIM_OK: the status; of an energy that does not close or of a residual also when, and by how much. */
void motion_failure_text(const SimFinal *final, char text[MOTION_FAILURE_SIZE]);

/* The keys of the laws with ranges, which a motion may leave: SIM_OUT_OF_RANGE. */
const char *motion_failure_ranges(const SimProblem *sim);

#endif
