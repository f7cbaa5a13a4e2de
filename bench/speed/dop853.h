/* SPDX-License-Identifier: BSD-2-Clause */
/* DOP853 with dense output: the explicit Runge-Kutta method of order 8 of Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, for smooth equations. */
#ifndef BENCH_DOP853_H
#define BENCH_DOP853_H

#include "bench/speed/dop853_table.h"

#include <stdbool.h>

enum { DOP_N = 12 };

typedef struct Dop {
  int n;
  void (*rates)(void *context, double t, const double *y, double *rates);
  void *context;
  double tolerance;     /* relative and absolute */
  double t, y[DOP_N];   /* start of the last step */
  double h, end[DOP_N]; /* its length, and the state at its end */
  double next;          /* proposed length of the next step; 0: none */
  double slopes[DOP_ALL][DOP_N];
  double dense[DOP_DENSE][DOP_N];
} Dop;

/* Begins at a state that `rates` may have a jump before. Keeps `next`. */
void dop_begin(Dop *dop, double t, const double *y);
/* Makes a step that ends at `until` at the latest, and repeats it with shorter lengths until its error is small. The
 * last evaluation of a step is at its end. Returns false if it becomes too short. */
bool dop_step(Dop *dop, double until);
/* Makes the end of the step the start of the next one. */
void dop_accept(Dop *dop);
/* Prepares the dense output of the step, by three evaluations. */
void dop_prepare(Dop *dop);
/* Computes y [n] at a fraction of the step by the dense output. */
void dop_at(const Dop *dop, double part, double *y);

#endif
