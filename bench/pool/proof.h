/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the costs of a proof (search.certify) and of the cases of a bound (search.bound): those of the ranks that
 * carry out tasks, and those of the coordinator. */
#ifndef BENCH_POOL_PROOF_H
#define BENCH_POOL_PROOF_H

#include "bench/pool/run.h"

/* Processor times, without messages. */
typedef struct ProofCosts {
  const char *name;
  long motions, tasks;
  int rounds;
  long points[POOL_ROUNDS_MAX]; /* number of tasks in each round */
  double motion;                /* time to carry out tasks, per motion, s */
  double own;                   /* time of the coordinator per task, to set it up and to process its answer, s */
  int words[2];                 /* sizes of a task and of an answer in a message, as counts of numbers */
} ProofCosts;

enum { PROOFS = 2 };

/* Returns the processor time of this thread, s. Other programs that use this machine do not increase it. */
double proof_seconds(void);

/* Runs all rounds of tasks in this process, and adds their costs. */
void proof_run(CtlTasks *tasks, const CtlEvaluator *evaluator, ProofCosts *costs);

/* Measures a proof; proof 0 is the shortest. Ends the program if the proof cannot be made. */
void proof_costs(int which, ProofCosts *costs);

/* Measures the cases of a bound for the arm, until its relative gap is at most `gap`. A case counts as a motion. alone:
 * time of the relaxations that rank 0 solves by itself, s. */
void bound_costs(double gap, ProofCosts *costs, double *alone);

#endif
