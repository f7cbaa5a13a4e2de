/* The splitting papers' problems, as in their figures, by several schemes. */
#ifndef BENCH_PAPERS_CURVES_H
#define BENCH_PAPERS_CURVES_H

#include "bench/papers/papers.h"

enum { LIE, LIE_TWICE, STRANG, CENTERED, REGULARIZED, MOREAU_JEAN, CURVE_SCHEMES };
extern const char *const curve_schemes[CURVE_SCHEMES];

typedef struct CurveCase {
  const char *label, *file;
  int d;
  ExactSolution *exact;
  /* lie, strang: settings with equal numbers of friction substeps per step; the file has the paper's */
  const char *lie, *strang;
} CurveCase;
enum { CURVE_CASES = 4 };
extern const CurveCase curve_cases[CURVE_CASES];

/* Computes a case by a scheme, and the exact motion at CURVE_THIRDS times as many instants. The problems' events are
 * at quarters of the papers' steps, so thirds coincide with them only at whole steps. */
enum { CURVE_THIRDS = 3 };
int curve_trace(const CurveCase *c, int scheme, long finer, Trace *trace);
int curve_exact(const CurveCase *c, long finer, Trace *trace);

/* L1 distance of a scheme's lambda from the event-exact one, s. The centred scheme's lambda^n is at t_n; the others'
 * are of the step from t_{n-1} to t_n. Both are compared with the mean of the exact one over the adjacent thirds,
 * before and after, or within. */
double curve_lambda_error(const Trace *t, const Trace *exact, int scheme);

/* Number of sign changes of the increments of lambda, over every `stride`-th instant from `from` on. Increments
 * below 0.01 do not count, nor, unless exact is NULL, those within CURVE_NEAR steps of a sign change of a velocity
 * of the exact motion, including changes from or to 0. exact: from curve_exact for the trace's step. */
enum { CURVE_NEAR = 20 };
int curve_turns(const Trace *t, long from, long stride, const Trace *exact);

#endif
