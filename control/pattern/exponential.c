/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pattern/exponential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void multiply(int n, const double *a, const double *b, double *out) {
  memset(out, 0, (size_t)(n * n) * sizeof *out);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (a[i * n + k] != 0)
        for (int j = 0; j < n; j++) out[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* Computes the matrix exponential by its power series, with scaling and squaring. */
bool exponential(int n, double time, const double *a, double *out) {
  enum { ORDER = 14, SQUARES = 60 };
  size_t size = (size_t)n * (size_t)n;
  double *power = malloc(2 * size * sizeof *power), *next = power ? power + size : NULL, norm = 0;
  if (!power) return false;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(time * a[i * n + j]);
    norm = fmax(norm, sum);
  }
  int squares = norm > 0.25 ? (int)ceil(log2(norm / 0.25)) : 0;
  squares = squares < SQUARES ? squares : SQUARES;
  double part = ldexp(time, -squares);
  memset(out, 0, size * sizeof *out);
  memset(power, 0, size * sizeof *power);
  for (int i = 0; i < n; i++) out[i * n + i] = power[i * n + i] = 1;
  for (int k = 1; k <= ORDER; k++) {
    multiply(n, a, power, next);
    for (size_t i = 0; i < size; i++) {
      power[i] = part / k * next[i];
      out[i] += power[i];
    }
  }
  for (int k = 0; k < squares; k++) {
    multiply(n, out, out, next);
    memcpy(out, next, size * sizeof *out);
  }
  free(power);
  return true;
}
