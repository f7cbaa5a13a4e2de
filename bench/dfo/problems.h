/* SPDX-License-Identifier: BSD-2-Clause */
/* The 53 problems of More and Wild's test set, each in four forms: J. J. More, S. M. Wild, Benchmarking
 * derivative-free optimization algorithms, SIAM J. Optim. 20 (2009), section 4. F are a function's residuals, sigma
 * = 1e-3:
 *
 *     smooth               f(x) = sum F_i(x)^2
 *     nondifferentiable    f(x) = sum |F_i(x)|
 *     deterministic noise  f(x) = (1 + sigma phi(x)) sum F_i(x)^2
 *     stochastic noise     f(x) = sum (F_i(x) (1 + sigma u_i))^2, u_i uniform in (-1, 1)
 *
 * phi is the noise of (4.2): with z = 0.9 sin(100 |x|_1) cos(100 |x|_inf) + 0.1 cos |x|_2 it is z (4 z^2 - 3), in
 * -1..1. u is generated from a seed made of the bits of x, so it is a function of the point. */
#ifndef BENCH_DFO_PROBLEMS_H
#define BENCH_DFO_PROBLEMS_H

#include "bench/dfo/functions.h"

enum { DFO_PROBLEMS = 53 };

typedef struct DfoProblem {
  int function; /* index in dfo_functions */
  int n, m;     /* number of variables and of residuals */
  bool far;     /* the start is ten times the standard start */
} DfoProblem;

extern const DfoProblem dfo_problems[DFO_PROBLEMS];

typedef enum DfoForm {
  DFO_SMOOTH,
  DFO_NONDIFFERENTIABLE,
  DFO_DETERMINISTIC_NOISE,
  DFO_STOCHASTIC_NOISE,
  DFO_FORMS
} DfoForm;
extern const char *const dfo_form_names[DFO_FORMS];

/* Sets x [n] to the start. */
void dfo_start(const DfoProblem *problem, double *x);

/* Computes the terms [m] of f at x [n]. f is the sum of their squares, or for the nondifferentiable form the sum of the
 * terms. */
void dfo_terms(const DfoProblem *problem, DfoForm form, const double *x, double *terms);

/* dfo_sum returns f from its terms, and dfo_value f at a point x [n]. */
double dfo_sum(const DfoProblem *problem, DfoForm form, const double *terms);
double dfo_value(const DfoProblem *problem, DfoForm form, const double *x);

#endif
