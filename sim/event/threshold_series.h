/* Thresholds that change along a motion, in time or with place, as series of a segment. */
#ifndef SIM_EVENT_THRESHOLD_SERIES_H
#define SIM_EVENT_THRESHOLD_SERIES_H

#include "sim/event/event.h"

/* Where a segment begins: the courses of thresholds over their whole piece; returns where that ends, s. */
double threshold_series_begin(const EventSystem *system, EventMotion *motion);
/* Once the segment's width is known: the same over it, and the bias taken from the force. end: as returned. What thresholds rise by is added order by
 * order, with the series of x (spring_series.h). */
void threshold_series_complete(const EventSystem *system, EventMotion *motion, double end);
/* lambda [d] of c lambda, where `part` of the segment has passed. */
void threshold_series_divide(const EventSystem *system, const EventMotion *motion, double part, double *lambda);

#endif
