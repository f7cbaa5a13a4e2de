/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of a solver from a start. It counts evaluations. Its answer is the point of least J among all evaluated
 * points that meet the target, E1, E2 <= 1e-6, whatever result the solver returns.
 *
 * General codes get the problem in scaled variables, in which the Hessian of J is the identity:
 *
 *     minimise |y|^2 / 2   so that   c(y) = 0,  lower <= y <= upper,    y_i = sqrt(H_ii / J0) u_i,  J = J0 |y|^2 / 2
 *
 * H is the Hessian of J, which is diagonal; J0 the mean J of the starts; c the misses of x(T), v(T) in the units of
 * E1, E2. */
#ifndef BENCH_NLP_RUN_H
#define BENCH_NLP_RUN_H

#include "bench/nlp/problem.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

enum { NLP_BUDGET = 2000 }; /* most evaluations of a run */

/* What c contains for a joint that has stopped before T. */
typedef enum NlpStopped {
  NLP_STOPPED_RESTS, /* the joint's velocity at T, and the derivative of this velocity, both 0 */
  NLP_STOPPED_SLIDES /* the joint's velocity extrapolated to T as if it had not stopped, and the derivatives of this
                      * velocity */
} NlpStopped;

typedef struct NlpResult {
  double J;         /* J of the answer; INFINITY: no point met the target */
  long evaluations; /* number of evaluations of the whole run */
  long near;        /* number of evaluations until the first point that met the target with J within 0.1 % of the
                     * answer's */
  double seconds;
} NlpResult;

typedef struct NlpRun {
  const NlpProblem *from;    /* problem and starts; borrowed */
  const CtlProblem *problem; /* problem of the search; borrowed */
  int n, m;
  NlpStopped stopped;
  CtlEvaluator counted;  /* evaluator of the problem that records its points here; its context is this run */
  CtlSqpShared shared;   /* units of the misses, and the Hessian H */
  CtlPoint point;        /* last point that a general code evaluated */
  double *u;             /* [n] control of the last point; owned, in one block with all below */
  double *start;         /* [n] start of the run, N */
  double *scale;         /* [n] factors in y = scale u */
  double *lower, *upper; /* [n] bounds of y; infinite: none */
  double *c, *jacobian;  /* [m] c and [m][n] Jacobian, row by row, of the last point */
  bool known;            /* whether the last point is that of u */
  long improved;         /* number of entries in history */
  struct {
    double J;
    long evaluations;
  } history[NLP_BUDGET]; /* points that met the target, each with a lower J than all points before it */
  NlpResult result;
} NlpRun;

/* Initialises a run, which must not be moved afterwards. Returns false if there is no memory; clear it then, too. */
bool nlp_run_init(NlpRun *run, const NlpProblem *problem, NlpStopped stopped);
void nlp_run_clear(NlpRun *run);

/* Begins a run at start k. */
void nlp_run_begin(NlpRun *run, int k);
/* Completes the result of the run. */
void nlp_run_end(NlpRun *run);

bool nlp_run_is_over(const NlpRun *run); /* whether the budget is used up */

/* Computes y [n] of the start. */
void nlp_run_first(const NlpRun *run, double *y);
/* Returns |y|^2/2 and, unless gradient is NULL, sets gradient [n] to y. This is no evaluation. */
double nlp_run_cost(const NlpRun *run, const double *y, double *gradient);
/* Computes run->c and run->jacobian at y [n]. This is one evaluation, unless y is the last point. Returns false if the
 * motion failed or the budget is used up. */
bool nlp_run_evaluate(NlpRun *run, const double *y);

#endif
