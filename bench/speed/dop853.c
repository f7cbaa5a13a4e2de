/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/speed/dop853.h"

#include <math.h>
#include <string.h>

/* Computes slopes[s] from those before it. */
static void stage(Dop *dop, int s) {
  double sum[DOP_N] = {0}, y[DOP_N];
  for (int j = 0; j < s; j++)
    for (int i = 0; i < dop->n && dop_a[s][j] != 0; i++) sum[i] += dop_a[s][j] * dop->slopes[j][i];
  for (int i = 0; i < dop->n; i++) y[i] = dop->y[i] + dop->h * sum[i];
  dop->rates(dop->context, dop->t + dop_c[s] * dop->h, y, dop->slopes[s]);
  if (s == DOP_STAGES) memcpy(dop->end, y, sizeof y);
}

/* Returns the error of the step, as a part of the tolerance. */
static double error_of(const Dop *dop) {
  double five = 0, three = 0;
  for (int i = 0; i < dop->n; i++) {
    double a = 0, b = 0, scale = dop->tolerance * (1 + fmax(fabs(dop->y[i]), fabs(dop->end[i])));
    for (int j = 0; j < DOP_STAGES; j++) {
      a += dop_error_5[j] * dop->slopes[j][i];
      b += (dop_a[DOP_STAGES][j] - dop_weights_3[j]) * dop->slopes[j][i];
    }
    five += a * a / (scale * scale);
    three += b * b / (scale * scale);
  }
  return five > 0 ? dop->h * five / sqrt((five + 0.01 * three) * dop->n) : 0;
}

/* Returns a length for the first step: there the second derivative, by one Euler step, has little effect. */
static double first_length(Dop *dop) {
  double size = 0, slope = 0, curve = 0, y[DOP_N], rates[DOP_N];
  for (int i = 0; i < dop->n; i++) {
    size = fmax(size, fabs(dop->y[i]));
    slope = fmax(slope, fabs(dop->slopes[0][i]));
  }
  double h = slope > 0 && size > 0 ? 0.01 * size / slope : 1e-6;
  for (int i = 0; i < dop->n; i++) y[i] = dop->y[i] + h * dop->slopes[0][i];
  dop->rates(dop->context, dop->t + h, y, rates);
  for (int i = 0; i < dop->n; i++) curve = fmax(curve, fabs(rates[i] - dop->slopes[0][i]) / h);
  double most = fmax(slope, curve);
  return most > 0 ? fmin(100 * h, pow(0.01 / most, 1.0 / 8)) : h;
}

void dop_begin(Dop *dop, double t, const double *y) {
  dop->t = t;
  memcpy(dop->y, y, (size_t)dop->n * sizeof *y);
  dop->rates(dop->context, t, dop->y, dop->slopes[0]);
  if (!(dop->next > 0)) dop->next = first_length(dop);
}

bool dop_step(Dop *dop, double until) {
  static const double SAFETY = 0.9, LEAST = 0.2, MOST = 10, TOO_SHORT = 1e-14;
  for (;;) {
    double left = until - dop->t;
    bool last = dop->next >= left * (1 - 1e-12);
    dop->h = last ? left : dop->next;
    if (!(dop->h > TOO_SHORT * until)) return false;
    for (int s = 1; s <= DOP_STAGES; s++) stage(dop, s);
    double error = error_of(dop), grow = error > 0 ? fmin(MOST, fmax(LEAST, SAFETY * pow(error, -1.0 / 8))) : MOST;
    if (!last || error > 1 || dop->h * grow > dop->next) dop->next = dop->h * grow;
    if (error <= 1) return true;
  }
}

void dop_accept(Dop *dop) {
  dop->t += dop->h;
  memcpy(dop->y, dop->end, sizeof dop->y);
  memcpy(dop->slopes[0], dop->slopes[DOP_STAGES], sizeof dop->slopes[0]);
}

void dop_prepare(Dop *dop) {
  for (int s = DOP_STAGES + 1; s < DOP_ALL; s++) stage(dop, s);
  memset(dop->dense, 0, sizeof dop->dense);
  for (int i = 0; i < dop->n; i++) {
    double change = dop->end[i] - dop->y[i], first = dop->h * dop->slopes[0][i];
    dop->dense[0][i] = change;
    dop->dense[1][i] = first - change;
    dop->dense[2][i] = 2 * change - dop->h * dop->slopes[DOP_STAGES][i] - first;
    for (int k = 3; k < DOP_DENSE; k++)
      for (int j = 0; j < DOP_ALL; j++) dop->dense[k][i] += dop->h * dop_d[k - 3][j] * dop->slopes[j][i];
  }
}

void dop_at(const Dop *dop, double part, double *y) {
  for (int i = 0; i < dop->n; i++) {
    double sum = 0;
    for (int k = DOP_DENSE - 1; k >= 0; k--) sum = (sum + dop->dense[k][i]) * (k % 2 ? 1 - part : part);
    y[i] = dop->y[i] + sum;
  }
}
