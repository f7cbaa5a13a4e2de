/* What bench-methods searches: problems from random starts, or random problems from u = 0. */
#ifndef BENCH_METHODS_CASES_H
#define BENCH_METHODS_CASES_H

#include "control/evaluator.h"
#include "src/problem/file.h"
#include "src/run/rollout_context.h"

enum { CASES = 21, CASE_STARTS = 20, CASE_PLATEAUS = 30, CASE_RUNS_MAX = CASE_PLATEAUS };

/* One problem, which every rank can evaluate. */
typedef struct CaseProblem {
  Problem problem;
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator; /* with derivatives of the entries of x_T, v_T that are given */
  double dearer;          /* time of an evaluation with derivatives, over that of one without */
} CaseProblem;

typedef struct Case {
  const char *name;
  const char *file;        /* of jobs/problems, with these settings; NULL: random problems (plateau.h) */
  const char *settings[3]; /* NULL: no more */
  long budget;             /* evaluations, of every method */
  double stop_at;        /* E1, E2, where a search stops; 0: it goes to its own end, and is to come to E1, E2 <= 1e-7 */
  double least;          /* J, the least that is known, which is to be met, too; 0: any will do */
  bool one_norm;         /* of the penalty: the Euclidean alone */
  bool from_zero;        /* one run, from u = 0 */
  CaseProblem *problems; /* [1], or [CASE_PLATEAUS] of random ones; owned; NULL: not wanted */
} Case;

extern Case cases[CASES];

/* Reads and prepares a case, and measures what derivatives cost: processor time, the least of some rounds in turn. Returns 0 or
 * an exit code, told. */
int case_open(Case *one, Diagnostics *diagnostics);
void case_close(Case *one);

/* Its runs are 20 starts of one problem, evenly spread in -20..20 N, of which the first entries are the same for every
 * case, or u = 0 alone; or 30 problems, each from u = 0. */
int case_runs(const Case *one);
/* The problem of a run, whose control.start is set to its start. */
CaseProblem *case_run(const Case *one, int run);

#endif
