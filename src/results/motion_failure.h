/* One-line reasons why a motion failed or is not trusted. */
#ifndef SRC_RESULTS_MOTION_FAILURE_H
#define SRC_RESULTS_MOTION_FAILURE_H

#include "sim/internal.h"

enum { MOTION_FAILURE_SIZE = 200 };

/* Whether a motion with this status is not trusted, whichever method found it. */
bool motion_failure_distrusts(SimStatus status);

/* Describes a rollout with a status other than SIM_OK: the status and, for an energy balance that does not close or a
 * residual, also the time and the size. */
void motion_failure_text(const SimFinal *final, char text[MOTION_FAILURE_SIZE]);

/* Names the keys of laws with a range that a motion left: SIM_OUT_OF_RANGE. */
const char *motion_failure_ranges(const SimProblem *sim);

#endif
