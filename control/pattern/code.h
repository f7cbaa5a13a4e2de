/* SPDX-License-Identifier: BSD-2-Clause */
/* Encodes a pattern of stick and slip as the entries of a point (CTL_MOTION_WAYS). The first entry of each segment is a
 * number with the directions of all joints (-1, 0, 1) as digits in base 3; direction -1 is digit 0. With up to 32
 * joints such a number is exact in double precision. */
#ifndef CONTROL_PATTERN_CODE_H
#define CONTROL_PATTERN_CODE_H

#include "control/pattern/pattern.h"

/* Encodes the directions ways [segments][d] in point [segments][p], with p >= 1 and d <= PATTERN_D. */
void pattern_encode(int d, int segments, const signed char *ways, int p, double *point);
/* Decodes the entries of a point. Returns false if an entry does not encode directions of all joints. */
bool pattern_decode(int d, int segments, const double *point, int p, signed char *ways);

#endif
