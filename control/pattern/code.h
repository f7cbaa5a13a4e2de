/* SPDX-License-Identifier: BSD-2-Clause */
/* Encodes a pattern as the entries of a point (CTL_MOTION_WAYS). The first entry of each segment contains the
 * directions of all joints, as digits of a number in base 3. Direction -1 is digit 0. With up to 32 joints such a
 * number is exact in double. */
#ifndef CONTROL_PATTERN_CODE_H
#define CONTROL_PATTERN_CODE_H

#include "control/pattern/pattern.h"

/* Encodes ways [segments][d] in point [segments][p], with p >= 1 and d <= PATTERN_D. */
void pattern_encode(int d, int segments, const signed char *ways, int p, double *point);
/* Decodes the entries of a point. Returns false if an entry does not encode directions of all joints. */
bool pattern_decode(int d, int segments, const double *point, int p, signed char *ways);

#endif
