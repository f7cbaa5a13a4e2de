/* SPDX-License-Identifier: BSD-2-Clause */
/* The problems of bench-methods: problem files from random starts, and random problems from u = 0. */
#ifndef BENCH_METHODS_CASES_H
#define BENCH_METHODS_CASES_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

enum { CASES = 21, CASE_STARTS = 20, CASE_PLATEAUS = 30, CASE_RUNS_MAX = CASE_PLATEAUS };

/* One problem, which every rank can evaluate. */
typedef struct CaseProblem {
  Problem problem;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator; /* evaluates with derivatives of the given entries of x_T, v_T */
  double dearer;          /* time of an evaluation with derivatives divided by that of one without */
} CaseProblem;

typedef struct Case {
  const char *name;
  const char *file;        /* file in jobs/problems, used with these settings; NULL: the case has random problems
                            * (plateau.h) */
  const char *settings[3]; /* NULL ends the list */
  long budget;             /* largest number of evaluations of each method */
  double stop_at;          /* E1, E2 at which a search stops; 0: it runs to its end and must reach E1, E2 <= 1e-7 */
  double least;            /* smallest known J, which a search must reach, too; 0: no condition */
  bool one_norm;           /* whether only the Euclidean norm of the penalty is used */
  bool from_zero;          /* the case has one run, from u = 0 */
  CaseProblem *problems;   /* [1], or [CASE_PLATEAUS] random ones; owned; NULL: the case is not used */
} Case;

extern Case cases[CASES];

/* Reads and prepares a case, and measures the cost of derivatives: the processor times of evaluations with and
 * without derivatives, each the smallest of several rounds that alternate. Returns 0, or an exit code after
 * reporting errors. */
int case_open(Case *one, Diagnostics *diagnostics);
void case_close(Case *one);

/* Returns the number of runs of a case. It is 20 with starts uniform in -20..20 N, which have the same first entries
 * for all cases; or one from u = 0; or 30 from u = 0, each with another problem. */
int case_runs(const Case *one);
/* Returns the problem of a run, with control.start set. */
CaseProblem *case_run(const Case *one, int run);

#endif
