#include "sim/monotone.h"

#include <math.h>
#include <stdbool.h>

static double inner_slope(const double h[2], const double rise[2]) {
  if (!(rise[0] * rise[1] > 0)) return 0;
  double w0 = 2 * h[1] + h[0], w1 = h[1] + 2 * h[0];
  return (w0 + w1) / (w0 / rise[0] + w1 / rise[1]);
}

static double end_slope(const double h[2], const double rise[2]) {
  double slope = ((2 * h[0] + h[1]) * rise[0] - h[0] * rise[1]) / (h[0] + h[1]);
  if (!(slope * rise[0] > 0)) return 0;
  return rise[0] * rise[1] <= 0 && fabs(slope) > 3 * fabs(rise[0]) ? 3 * rise[0] : slope;
}

void sim_monotone_slopes(long n, int stride, const double *t, const double *y, int apart, double *slope) {
  for (long i = 0; i < n; i++) {
    bool first = i == 0, last = i == n - 1;
    const long beside[2] = {first ? 0 : i - 1, n == 2 ? 0 : first ? 1 : last ? i - 2 : i};
    double h[2], rise[2];
    for (int k = 0; k < 2; k++) { /* from a sample to the next */
      long from = beside[k] * stride, to = from + stride;
      h[k] = t[to] - t[from];
      rise[k] = (y[to] - y[from]) / h[k];
    }
    slope[i * apart] = first || last ? end_slope(h, rise) : inner_slope(h, rise);
  }
}
