/* SPDX-License-Identifier: BSD-2-Clause */
/* The problems of bench-nlp and their starts. */
#ifndef BENCH_NLP_PROBLEM_H
#define BENCH_NLP_PROBLEM_H

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

/* NLP_JOINTS: index of the first random problem, the one with the fewest joints */
enum { NLP_PROBLEMS = 8, NLP_JOINTS = 4, NLP_STARTS = 20 };
#define NLP_SPREAD 20.0 /* starts are uniform in -NLP_SPREAD..NLP_SPREAD, in N */

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

/* Sets u [n], in N, to start k >= 0. */
void nlp_problem_start(const NlpProblem *problem, int k, double *u);

#endif
