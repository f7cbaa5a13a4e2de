/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes in one line why a motion failed or is not trusted. */
#ifndef SRC_RESULTS_MOTION_FAILURE_H
#define SRC_RESULTS_MOTION_FAILURE_H

#include "sim/internal.h"
#include "src/base/labels.h"

enum { MOTION_FAILURE_SIZE = 240 };

/* Returns whether a motion with this status is not trusted, whichever method found it. */
bool motion_failure_distrusts(SimStatus status);

/* Describes a rollout with a status other than SIM_OK. The text has the status. For a motion that is not finite it also
 * has the time and the degree of freedom, which has its name in `labels`; for an unclosed energy balance or a large
 * residual the time and the size. */
void motion_failure_text(const Labels *labels, const SimFinal *final, char text[MOTION_FAILURE_SIZE]);

/* Returns the keys of the laws that hold in a range, for a motion that has left a range (SIM_OUT_OF_RANGE). */
const char *motion_failure_ranges(const SimProblem *sim);

#endif
