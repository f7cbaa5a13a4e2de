/* SPDX-License-Identifier: BSD-2-Clause */
/* Quantities that depend on the direction of a velocity q'_i: thresholds at rest, and kinks that change when the
 * coordinate reverses. */
#ifndef SIM_MECHANISM_SIDES_H
#define SIM_MECHANISM_SIDES_H

#include "sim/graph/series.h"

/* Creates the nodes sides [2][d] of the thresholds at rest: the limits of c_i for q'_i -> 0 from above (q'_i > 0), then
 * from below. If both are equal, c_i itself is used for both. thresholds: [d] nodes c_i; variable number d + i is q'_i.
 * Returns false without memory. */
bool mechanism_sides(Graph *graph, int d, const int *thresholds, int *sides);

/* Finds the rows of a tape that are multiples of a velocity q'_i: rides [rows] is set to i, or to -1 for other rows.
 * Such rows are 0 while coordinate i rests. */
void mechanism_sides_ride(const GraphTape *tape, int d, int *rides);
/* Returns the factor of q'_i in such a row, from the slopes of the steps (tape.h) at the last order 0. */
double mechanism_sides_factor(const GraphSeries *series, const int *rides, int row);

#endif
