/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates the problems of the splitting papers, as in their figures, by several schemes. */
#ifndef BENCH_PAPERS_CURVES_H
#define BENCH_PAPERS_CURVES_H

#include "bench/papers/papers.h"

enum { LIE, LIE_TWICE, STRANG, CENTERED, REGULARIZED, MOREAU_JEAN, CURVE_SCHEMES };
extern const char *const curve_schemes[CURVE_SCHEMES];

typedef struct CurveCase {
  const char *label, *file;
  int d;
  ExactSolution *exact;
  /* Settings of lie and strang with equal numbers of friction substeps per step. The file has those of the paper. */
  const char *lie, *strang;
} CurveCase;
enum { CURVE_CASES = 4 };
extern const CurveCase curve_cases[CURVE_CASES];

/* Simulates a case by a scheme, and computes the exact motion at CURVE_THIRDS times as many instants. Events of the
 * problems are at quarters of the papers' steps, so thirds coincide with them only at whole steps. */
enum { CURVE_THIRDS = 3 };
int curve_trace(const CurveCase *c, int scheme, long finer, Trace *trace);
int curve_exact(const CurveCase *c, long finer, Trace *trace);

/* Returns the L1 distance of a scheme's lambda from that of the exact motion, s. lambda^n of the centred scheme belongs
 * to t_n, that of other schemes to the step from t_{n-1} to t_n. Each is compared with the mean of the exact one over
 * the adjacent thirds: before and after t_n, or within the step. */
double curve_lambda_error(const Trace *t, const Trace *exact, int scheme);

/* Returns how often the increments of lambda change sign, over every `stride`-th instant from `from` on. Increments
 * below 0.01 do not count. If exact (from curve_exact, for the trace's step) is not NULL, increments within CURVE_NEAR
 * steps of a sign change of a velocity of the exact motion, from or to 0 too, do not count either. */
enum { CURVE_NEAR = 20 };
int curve_turns(const Trace *t, long from, long stride, const Trace *exact);

#endif
