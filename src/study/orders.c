/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/orders.h"

#include <math.h>

double log_slope(int n, const double *x, const double *y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    if (!(x[i] > 0 && y[i] > 0)) return NAN;
    double a = log(x[i]), b = log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

int order_measure(const OrderStudy *study, OrderResult *result) {
  double step[ORDER_LEVELS_MAX] = {0}, mean[ORDER_QUANTITIES_MAX][ORDER_LEVELS_MAX] = {{0}};
  for (int level = 0; level < study->levels; level++) {
    for (int k = 0; k < study->grids; k++) {
      long steps = (study->steps << level) + k * study->stride;
      double error[ORDER_QUANTITIES_MAX];
      int code = study->errors(study->context, steps, error);
      if (code) return code;
      step[level] += 1. / (double)steps / study->grids;
      for (int q = 0; q < study->quantities; q++) {
        mean[q][level] += error[q] / study->grids;
        if (level == 0 && k == 0) result->coarsest[q] = error[q];
      }
    }
  }
  for (int q = 0; q < study->quantities; q++) {
    result->finest[q] = mean[q][study->levels - 1];
    result->order[q] = log_slope(study->levels, step, mean[q]);
  }
  return 0;
}
