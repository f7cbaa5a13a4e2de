/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves the friction problem of a chain (its projection) by trying every sign of slip: 3^n dense eliminations, which
 * share no code with sim/. */
#ifndef TESTS_CHAIN_BRANCHES_H
#define TESTS_CHAIN_BRANCHES_H

#include "bench/accuracy/chain_exact.h"
#include "tests/fixture.h"

/* Computes d = argmin d'K d/2 + z'd + sum alpha |d|, the displacements by which the nodes slip. Returns the largest
 * violation by the best combination of signs; 0 if it is consistent. A violation is a d of the wrong sign, or |z + K d|
 * > alpha. */
static inline double branches_project(int n, const double *k, const double *alpha, const double *z, double *d) {
  double best = INFINITY;
  int count = 1;
  for (int i = 0; i < n; i++) count *= 3;
  for (int code = 0; code < count; code++) {
    int sign[EXACT_NODES];
    bool loose[EXACT_NODES];
    double b[EXACT_NODES], x[EXACT_NODES] = {0}, miss = 0;
    for (int i = 0, rest = code; i < n; i++, rest /= 3) {
      sign[i] = rest % 3 - 1;
      loose[i] = sign[i] != 0 || alpha[i] == 0;
      b[i] = -z[i] - alpha[i] * sign[i];
    }
    chain_exact_solve(n, k, loose, b, x);
    for (int i = 0; i < n; i++)
      miss = fixture_max(miss, sign[i] ? -x[i] * sign[i] : fabs(z[i] + chain_exact_pull(n, k, x, i)) - alpha[i]);
    if (!(miss < best)) continue;
    best = miss;
    memcpy(d, x, (size_t)n * sizeof *d);
  }
  return best;
}

#endif
