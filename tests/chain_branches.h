/* The projection of a chain by trying out every sign of slip: 3^n dense eliminations, which share nothing with sim/. */
#ifndef TESTS_CHAIN_BRANCHES_H
#define TESTS_CHAIN_BRANCHES_H

#include "tests/fixture.h"

enum { BRANCHES_NODES = 6 };

/* (K x)_i, k: the n+1 springs. */
static inline double branches_pull(int n, const double *k, const double *x, int i) {
  return (k[i] + k[i + 1]) * x[i] - (i ? k[i] * x[i - 1] : 0) - (i + 1 < n ? k[i + 1] * x[i + 1] : 0);
}

/* (K x)_i = b_i where loose_i, x_i as it is elsewhere: Gauss elimination of a dense matrix. */
static inline void branches_solve(int n, const double *k, const bool *loose, const double *b, double *x) {
  double a[BRANCHES_NODES][BRANCHES_NODES + 1] = {{0}};
  for (int i = 0; i < n; i++) {
    a[i][i] = loose[i] ? k[i] + k[i + 1] : 1;
    if (loose[i] && i) a[i][i - 1] = -k[i];
    if (loose[i] && i + 1 < n) a[i][i + 1] = -k[i + 1];
    a[i][n] = loose[i] ? b[i] : x[i];
  }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      double factor = a[j][i] / a[i][i];
      for (int m = i; m <= n; m++) a[j][m] -= factor * a[i][m];
    }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = a[i][n];
    for (int j = i + 1; j < n; j++) x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}

/* d = argmin d'K d/2 + z'd + sum alpha |d|: the largest miss of the branch found, which is the best one of all; 0 when
 * it is consistent. A miss is a d of the wrong sign, or a |z + K d| beyond alpha. */
static inline double branches_project(int n, const double *k, const double *alpha, const double *z, double *d) {
  double best = INFINITY;
  int count = 1;
  for (int i = 0; i < n; i++) count *= 3;
  for (int code = 0; code < count; code++) {
    int sign[BRANCHES_NODES];
    bool loose[BRANCHES_NODES];
    double b[BRANCHES_NODES], x[BRANCHES_NODES] = {0}, miss = 0;
    for (int i = 0, rest = code; i < n; i++, rest /= 3) {
      sign[i] = rest % 3 - 1;
      loose[i] = sign[i] != 0 || alpha[i] == 0;
      b[i] = -z[i] - alpha[i] * sign[i];
    }
    branches_solve(n, k, loose, b, x);
    for (int i = 0; i < n; i++)
      miss = fixture_max(miss, sign[i] ? -x[i] * sign[i] : fabs(z[i] + branches_pull(n, k, x, i)) - alpha[i]);
    if (!(miss < best)) continue;
    best = miss;
    memcpy(d, x, (size_t)n * sizeof *d);
  }
  return best;
}

#endif
