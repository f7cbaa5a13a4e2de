/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/law/monotone.h"

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

/* The two chords nearest to sample i, which are straight lines between neighbouring samples: those before and behind
 * the sample or, at an end, the first or the last two, nearest first. rise: their slopes; h: their widths. */
typedef struct Rises {
  long from[2];
  double h[2], rise[2];
  bool end;
} Rises;

static Rises rises_at(long n, int stride, const double *t, const double *y, long i) {
  bool first = i == 0, last = i == n - 1;
  Rises at = {{first ? 0 : i - 1, n == 2 ? 0 : first ? 1 : last ? i - 2 : i}, {0}, {0}, first || last};
  for (int k = 0; k < 2; k++) {
    long from = at.from[k] * stride, to = from + stride;
    at.h[k] = t[to] - t[from];
    at.rise[k] = (y[to] - y[from]) / at.h[k];
  }
  return at;
}

void sim_monotone_slopes(long n, int stride, const double *t, const double *y, int apart, double *slope) {
  for (long i = 0; i < n; i++) {
    const Rises at = rises_at(n, stride, t, y, i);
    slope[i * apart] = at.end ? end_slope(at.h, at.rise) : inner_slope(at.h, at.rise);
  }
}

/* These functions compute the derivatives by [2] of inner_slope and end_slope by the slopes of both chords. by is 0 on
 * entry. */
static void inner_partials(const double h[2], const double rise[2], double by[2]) {
  if (!(rise[0] * rise[1] > 0)) return;
  double w0 = 2 * h[1] + h[0], w1 = h[1] + 2 * h[0], sum = w0 / rise[0] + w1 / rise[1];
  by[0] = (w0 + w1) * w0 / (sum * rise[0] * (sum * rise[0]));
  by[1] = (w0 + w1) * w1 / (sum * rise[1] * (sum * rise[1]));
}

static void end_partials(const double h[2], const double rise[2], double by[2]) {
  double slope = ((2 * h[0] + h[1]) * rise[0] - h[0] * rise[1]) / (h[0] + h[1]);
  if (!(slope * rise[0] > 0)) return;
  bool bounded = rise[0] * rise[1] <= 0 && fabs(slope) > 3 * fabs(rise[0]);
  by[0] = bounded ? 3 : (2 * h[0] + h[1]) / (h[0] + h[1]);
  by[1] = bounded ? 0 : -h[0] / (h[0] + h[1]);
}

long monotone_slope_partials(long n, int stride, const double *t, const double *y, long i, double by[3]) {
  const Rises at = rises_at(n, stride, t, y, i);
  double of[2] = {0};
  long first = at.from[0] < at.from[1] ? at.from[0] : at.from[1];
  (at.end ? end_partials : inner_partials)(at.h, at.rise, of);
  by[0] = by[1] = by[2] = 0;
  for (int k = 0; k < 2; k++) {
    by[at.from[k] - first] -= of[k] / at.h[k];
    by[at.from[k] - first + 1] += of[k] / at.h[k];
  }
  return first;
}
