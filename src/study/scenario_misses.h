/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorts the misses of all scenarios and computes their distribution. The miss of a scenario is the distance of its
 * final state from the target, a number >= 0; it is INFINITY if its motion has failed. */
#ifndef SRC_STUDY_SCENARIO_MISSES_H
#define SRC_STUDY_SCENARIO_MISSES_H

#include "src/study/scenario_set.h"

#include <jansson.h>

/* Sorts the scenarios by increasing misses, and by their numbers if misses are equal. order [count]: set to the sorted
 * numbers. miss: [count]. Returns false if there is no memory. */
bool scenario_misses_sort(long count, const double *miss, long *order);
/* Returns the smallest miss that is not exceeded in the fraction `part` (0 < part <= 1) of the scenarios. */
double scenario_misses_quantile(long count, const double *miss, const long *order, double part);
/* Computes for each scenario the fraction of all scenarios with at most the same miss: shares [count]. */
void scenario_misses_shares(long count, const double *miss, const long *order, double *shares);
/* Returns the mean, quantiles and maximum of the misses as JSON. The caller owns the reference; NULL: no memory.
 * nominal: the miss with the numbers of the file. errors: [count][2] distances E1 and E2 of the final position and
 * velocity from the target in each scenario; NULL: the misses are not sums of E1 and E2. */
json_t *scenario_misses_json(const ScenarioSet *set, double nominal, const double *miss, const long *order,
                             const double *errors);

#endif
