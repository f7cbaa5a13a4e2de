/* The problems of bench-nlp and their starts. */
#ifndef BENCH_NLP_PROBLEM_H
#define BENCH_NLP_PROBLEM_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

enum { NLP_PROBLEMS = 8, NLP_JOINTS = 4 /* index of the first random problem */, NLP_STARTS = 20 };
#define NLP_SPREAD 20.0 /* N; starts are uniform in -20..20 */

typedef struct NlpProblem {
  Problem problem; /* problem.control is solved */
  RolloutContext rollout;
  CtlSimulation simulation;
  CtlEvaluator evaluator; /* evaluates with derivatives */
} NlpProblem;

const char *nlp_problem_name(int k);

/* Opens problem k < NLP_PROBLEMS. Returns 0, or an exit code after reporting errors. Close it in either case. */
int nlp_problem_open(int k, Diagnostics *diagnostics, NlpProblem *problem);
void nlp_problem_close(NlpProblem *problem);

/* Computes start k >= 0, u [n], N. */
void nlp_problem_start(const NlpProblem *problem, int k, double *u);

#endif
