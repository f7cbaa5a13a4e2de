/* A run of a solver from a start. It counts evaluations. Its answer is the point of least J among all evaluated
 * points that meet the target, E1, E2 <= 1e-6, regardless of the solver's result.
 *
 * General codes get the problem in scaled variables, in which the Hessian of J is the identity:
 *
 *     minimise |y|^2 / 2   so that   c(y) = 0,  lower <= y <= upper,    y_i = sqrt(H_ii / J0) u_i,  J = J0 |y|^2 / 2
 *
 * H: Hessian of J, diagonal; J0: mean J of the starts; c: misses of x(T), v(T) in the units of E1, E2. */
#ifndef BENCH_NLP_RUN_H
#define BENCH_NLP_RUN_H

#include "bench/nlp/problem.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

enum { NLP_BUDGET = 2000 }; /* maximum number of evaluations */

/* Meaning of c for a joint that has stopped before T. */
typedef enum NlpStopped {
  NLP_STOPPED_RESTS, /* the velocity at T and its derivative, both 0 */
  NLP_STOPPED_SLIDES /* the velocity extrapolated to T, and its derivatives */
} NlpStopped;

typedef struct NlpResult {
  double J;         /* INFINITY: no point met the target */
  long evaluations; /* evaluations of the whole run */
  long near;        /* until the first point that met the target with J within 0.1 % of the answer */
  double seconds;
} NlpResult;

typedef struct NlpRun {
  const NlpProblem *from;    /* borrowed */
  const CtlProblem *problem; /* borrowed */
  int n, m;
  NlpStopped stopped;
  CtlEvaluator counted;  /* the problem's evaluator; records its points here, its context is the run */
  CtlSqpShared shared;   /* units of the misses, and H */
  CtlPoint point;        /* last point of a general code */
  double *u;             /* [n] control of the last point; owned, in one block with all below */
  double *start;         /* [n] start of the run, N */
  double *scale;         /* [n] y = scale u */
  double *lower, *upper; /* [n] bounds of y; infinite: none */
  double *c, *jacobian;  /* [m], [m][n] row by row, of the last point */
  bool known;            /* the last point is that of u */
  long improved;         /* number of entries of history */
  struct {
    double J;
    long evaluations;
  } history[NLP_BUDGET]; /* points that met the target, each with lower J than all before */
  NlpResult result;
} NlpRun;

/* The struct must not move. Returns false when out of memory; clear it then, too. */
bool nlp_run_init(NlpRun *run, const NlpProblem *problem, NlpStopped stopped);
void nlp_run_clear(NlpRun *run);

/* Begins a run at start k. */
void nlp_run_begin(NlpRun *run, int k);
/* Completes the result. */
void nlp_run_end(NlpRun *run);

bool nlp_run_is_over(const NlpRun *run); /* the budget is used up */

/* Computes y [n] of the start. */
void nlp_run_first(const NlpRun *run, double *y);
/* |y|^2/2, and, unless NULL, gradient [n] = y. No evaluation. */
double nlp_run_cost(const NlpRun *run, const double *y, double *gradient);
/* Computes run->c and run->jacobian at y [n]: one evaluation, unless it is the last point. Returns false if the
 * motion failed or the budget is used up. */
bool nlp_run_evaluate(NlpRun *run, const double *y);

#endif
