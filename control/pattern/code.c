/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pattern/code.h"

#include <math.h>
#include <string.h>

enum { BASE = 3 };

void pattern_encode(int d, int segments, const signed char *ways, int p, double *point) {
  memset(point, 0, (size_t)(segments * p) * sizeof *point);
  for (int k = 0; k < segments; k++)
    for (int i = d - 1; i >= 0; i--) point[k * p] = BASE * point[k * p] + (ways[k * d + i] + 1);
}

bool pattern_decode(int d, int segments, const double *point, int p, signed char *ways) {
  double most = 1;
  for (int i = 0; i < d; i++) most *= BASE;
  for (int k = 0; k < segments; k++) {
    double code = point[k * p];
    if (!(code >= 0 && code < most && code == floor(code))) return false;
    for (int i = 0; i < d; i++) {
      double left = floor(code / BASE);
      ways[k * d + i] = (signed char)((int)(code - BASE * left) - 1);
      code = left;
    }
  }
  return true;
}
