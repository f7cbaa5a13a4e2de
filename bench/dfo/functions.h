/* SPDX-License-Identifier: BSD-2-Clause */
/* The 22 systems of residuals of More and Wild's test set: numbers 1 to 22 of their list, here from 0.
 *
 * 0 to 17: J. J. More, B. S. Garbow, K. E. Hillstrom, Testing unconstrained optimization software, ACM Trans. Math.
 * Softw. 7 (1981); 18 to 21 (Bdqrtic, Cube, Mancino, Heart8) are CUTEr's. */
#ifndef BENCH_DFO_FUNCTIONS_H
#define BENCH_DFO_FUNCTIONS_H

#include <stdbool.h>

enum { DFO_FUNCTIONS = 22, DFO_N_MAX = 12, DFO_M_MAX = 65 };

typedef struct DfoFunction {
  const char *name;
  void (*residuals)(int n, int m, const double *x, double *r); /* x: [n], r: [m] */
  void (*start)(int n,
                /* Sets x [n] to the start of the set. It is that of the papers except for Watson (all 1/2) and Osborne
                 * 1 (x_3 = 1, not -1). */
                double *x);
  bool positive; /* whether the nondifferentiable form uses max(x, 0) */
} DfoFunction;

extern const DfoFunction dfo_functions[DFO_FUNCTIONS];

#endif
