/* SPDX-License-Identifier: BSD-2-Clause */
/* The misses of all scenarios in order. Each scenario has one miss >= 0; INFINITY: its motion has failed. */
#ifndef SRC_STUDY_SCENARIO_MISSES_H
#define SRC_STUDY_SCENARIO_MISSES_H

#include "src/study/scenario_set.h"

#include <jansson.h>

/* Sorts the scenarios by increasing misses, and scenarios with equal misses by number: order [count]. miss: [count].
 * Returns false without memory. */
bool scenario_misses_sort(long count, const double *miss, long *order);
/* Returns the smallest miss that the fraction `part` (0 < part <= 1) of the scenarios does not exceed. */
double scenario_misses_quantile(long count, const double *miss, const long *order, double part);
/* Computes for each scenario the fraction of all scenarios that miss by no more: shares [count]. */
void scenario_misses_shares(long count, const double *miss, const long *order, double *shares);
/* Returns the mean, quantiles and worst of the misses: a new reference; NULL: no memory. nominal: the miss with the
 * numbers of the file. errors: [count][2] E1, E2 of each scenario; NULL: misses do not consist of these. */
json_t *scenario_misses_json(const ScenarioSet *set, double nominal, const double *miss, const long *order,
                             const double *errors);

#endif
