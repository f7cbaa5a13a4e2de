/* A pattern as the entries of a point, for questions about it (CTL_MOTION_WAYS): the first entry of each segment has the ways of all joints
 * as the digits of a number to base 3, -1 as 0. Up to 32 joints: each such number is a double without rounding. */
#ifndef CONTROL_PATTERN_CODE_H
#define CONTROL_PATTERN_CODE_H

#include "control/pattern/pattern.h"

/* ways [segments][d] -> point [segments][p]; p >= 1, d <= PATTERN_D. */
void pattern_encode(int d, int segments, const signed char *ways, int p, double *point);
/* The reverse. Returns false where an entry is no such number. */
bool pattern_decode(int d, int segments, const double *point, int p, signed char *ways);

#endif
