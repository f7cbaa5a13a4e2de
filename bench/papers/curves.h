/* The splitting papers' problems as their figures have them, by several schemes. */
#ifndef BENCH_PAPERS_CURVES_H
#define BENCH_PAPERS_CURVES_H

#include "bench/papers/papers.h"

enum { LIE, LIE_TWICE, STRANG, CENTERED, REGULARIZED, MOREAU_JEAN, CURVE_SCHEMES };
extern const char *const curve_schemes[CURVE_SCHEMES];

typedef struct CurveCase {
  const char *label, *file;
  int d;
  ExactSolution *exact;
  const char *lie, *strang; /* with as many friction substeps a step as each other; the file has the paper's */
} CurveCase;
enum { CURVE_CASES = 4 };
extern const CurveCase curve_cases[CURVE_CASES];

/* A case by a scheme, and the motion itself at CURVE_THIRDS as many instants: the problems' events are at
 * quarters of the papers' steps, which no third is but a whole step. */
enum { CURVE_THIRDS = 3 };
int curve_trace(const CurveCase *c, int scheme, long finer, Trace *trace);
int curve_exact(const CurveCase *c, long finer, Trace *trace);

/* lambda of a scheme against the event-exact one in L1, s. The centred scheme's lambda^n is at t_n; the others' are of the
 * step from t_{n-1} to t_n. Both are compared with the mean of the event-exact one at thirds, before and after, or within. */
double curve_lambda_error(const Trace *t, const Trace *exact, int scheme);

/* How often the increments of lambda, over every `stride`-th instant from `from` on, change their sign; increments below 0.01 do
 * not count, nor, unless exact is NULL, what comes within CURVE_NEAR steps of where a velocity of the motion itself changes its
 * sign, from or to 0 too. exact: as curve_exact makes it for the trace's step. */
enum { CURVE_NEAR = 20 };
int curve_turns(const Trace *t, long from, long stride, const Trace *exact);

#endif
