/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/filter.h"

int ctl_filter_extend(double (*filter)[2], int count, double misses, double J) {
  int left = 0;
  for (int k = 0; k < count; k++) {
    if (filter[k][0] >= misses && filter[k][1] >= J) continue;
    filter[left][0] = filter[k][0];
    filter[left++][1] = filter[k][1];
  }
  if (left == CTL_SQP_FILTER) left--;
  filter[left][0] = misses;
  filter[left++][1] = J;
  return left;
}
