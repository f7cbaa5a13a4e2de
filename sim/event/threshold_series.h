/* SPDX-License-Identifier: BSD-2-Clause */
/* Thresholds that vary with time or position, as series over a segment. */
#ifndef SIM_EVENT_THRESHOLD_SERIES_H
#define SIM_EVENT_THRESHOLD_SERIES_H

#include "sim/event/event.h"

/* Computes the series of that part of thresholds which depends on time. They cover the whole polynomial piece of the
 * thresholds that contains the start of the segment. Returns the end of that piece, in s. */
double threshold_series_begin(const EventSystem *system, EventMotion *motion);
/* Restricts the series of threshold_series_begin to the segment, once its width is known, and subtracts the bias from
 * the segment's force. end: result of threshold_series_begin. The part of thresholds that depends on position is added
 * order by order with the series of x (spring_series.h). */
void threshold_series_complete(const EventSystem *system, EventMotion *motion, double end);
/* Divides lambda [d], which holds the force c lambda, by the thresholds at the fraction `part` of the segment. */
void threshold_series_divide(const EventSystem *system, const EventMotion *motion, double part, double *lambda);

#endif
