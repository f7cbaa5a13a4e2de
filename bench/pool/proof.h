/* What a proof (search.certify), and the cases of a bound (search.bound), cost those who carry them out, and the one who coordinates them. */
#ifndef BENCH_POOL_PROOF_H
#define BENCH_POOL_PROOF_H

#include "bench/pool/run.h"

/* Processor time, without messages. */
typedef struct ProofCosts {
  const char *name;
  long motions, tasks;
  int rounds;
  long points[POOL_ROUNDS_MAX]; /* tasks of each */
  double motion;                /* s of whoever carries tasks out, a motion */
  double own;                   /* s of the coordinator, a task: to lay it out, to take its answer in */
  int words[2];                 /* numbers of a task and of an answer, as they are sent */
} ProofCosts;

enum { PROOFS = 2 };

/* This thread's processor time: others use this machine, too. */
double proof_seconds(void);

/* All rounds of tasks, in this process, added to costs. */
void proof_run(CtlTasks *tasks, const CtlEvaluator *evaluator, ProofCosts *costs);

/* Of one of some proofs, the first the shortest. Ends the program where one cannot be made. */
void proof_costs(int which, ProofCosts *costs);

/* Of the cases of a bound of the arm, until this part of J is left: a case counts as a motion. alone: s of the relaxations that rank 0 solves by itself. */
void bound_costs(double gap, ProofCosts *costs, double *alone);

#endif
