/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes in one line the reason why a motion failed, or why its result is not trusted. */
#ifndef SRC_RESULTS_MOTION_FAILURE_H
#define SRC_RESULTS_MOTION_FAILURE_H

#include "sim/internal.h"
#include "src/base/labels.h"

enum { MOTION_FAILURE_SIZE = 240 };

/* Returns whether the result of a motion with this status is not trusted, whichever method was used. */
bool motion_failure_distrusts(SimStatus status);

/* Describes a rollout with a status other than SIM_OK. The text has the status and
 * - for a motion that is not finite: the time and the degree of freedom, by its name in `labels` if it has one;
 * - for an unclosed energy balance or a large residual: the time and the size of the error. */
void motion_failure_text(const Labels *labels, const SimFinal *final, char text[MOTION_FAILURE_SIZE]);

/* For a motion that has left the range of a law (SIM_OUT_OF_RANGE): returns the keys of the laws that hold only in a
 * range. */
const char *motion_failure_ranges(const SimProblem *sim);

#endif
