/* A run of a solver from a start: what it evaluates is counted, and its answer is the point of least J among all evaluated
 * that meet the target, E1, E2 <= 1e-6; whatever the solver itself returns.
 *
 * General codes have the problem in scaled variables, in which J has the identity for its Hessian:
 *
 *     minimise |y|^2 / 2   so that   c(y) = 0,  lower <= y <= upper,    y_i = sqrt(H_ii / J0) u_i,  J = J0 |y|^2 / 2
 *
 * H: of J, diagonal; J0: the mean J of the starts; c: misses of x(T), v(T) in the units of E1, E2. */
#ifndef BENCH_NLP_RUN_H
#define BENCH_NLP_RUN_H

#include "bench/nlp/problem.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

enum { NLP_BUDGET = 2000 }; /* evaluations */

/* What c is of a joint that has stopped before T. */
typedef enum NlpStopped {
  NLP_STOPPED_RESTS, /* its velocity at T, 0, and the derivative of that, 0 */
  NLP_STOPPED_SLIDES /* what its velocity would be, had it gone on, and the derivatives of that */
} NlpStopped;

typedef struct NlpResult {
  double J;         /* INFINITY: no point met the target */
  long evaluations; /* to the solver's end */
  long near;        /* to the first point that met the target with J within 0.1 % of this */
  double seconds;
} NlpResult;

typedef struct NlpRun {
  const NlpProblem *from;    /* borrowed */
  const CtlProblem *problem; /* likewise */
  int n, m;
  NlpStopped stopped;
  CtlEvaluator counted;  /* the problem's, whose points are noted here; its context is the run */
  CtlSqpShared shared;   /* units, and H */
  CtlPoint point;        /* the last one of a general code */
  double *u;             /* [n] its control; owned, in one block with all below */
  double *start;         /* [n] where the run begins, N */
  double *scale;         /* [n] y = scale u */
  double *lower, *upper; /* [n] of y; infinite: none */
  double *c, *jacobian;  /* [m], [m][n] row by row, of the last point */
  bool known;            /* the last point is that of u */
  long improved;         /* entries of history */
  struct {
    double J;
    long evaluations;
  } history[NLP_BUDGET]; /* of points that met the target, each less than all before */
  NlpResult result;
} NlpRun;

/* The struct stays where it is. Returns false when out of memory; to be cleared, too. */
bool nlp_run_init(NlpRun *run, const NlpProblem *problem, NlpStopped stopped);
void nlp_run_clear(NlpRun *run);

/* Begins at start number k. */
void nlp_run_begin(NlpRun *run, int k);
/* The result is whole after this. */
void nlp_run_end(NlpRun *run);

bool nlp_run_is_over(const NlpRun *run); /* its budget is used up */

/* y [n] of the start. */
void nlp_run_first(const NlpRun *run, double *y);
/* |y|^2/2, and, gradient [n] unless NULL, y. No evaluation. */
double nlp_run_cost(const NlpRun *run, const double *y, double *gradient);
/* run->c and run->jacobian of y [n]: an evaluation, unless it is the last point. False: the motion failed, or the budget is used up. */
bool nlp_run_evaluate(NlpRun *run, const double *y);

#endif
