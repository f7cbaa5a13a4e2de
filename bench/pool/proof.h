/* Costs of a proof (search.certify) and of the cases of a bound (search.bound), for the ranks that carry out tasks
 * and for the coordinator. */
#ifndef BENCH_POOL_PROOF_H
#define BENCH_POOL_PROOF_H

#include "bench/pool/run.h"

/* Processor time, without messages. */
typedef struct ProofCosts {
  const char *name;
  long motions, tasks;
  int rounds;
  long points[POOL_ROUNDS_MAX]; /* tasks of each round */
  double motion;                /* s per motion of carrying out tasks */
  double own;                   /* s of the coordinator per task: set-up and processing of the answer */
  int words[2];                 /* sizes of a task and of an answer in messages, numbers */
} ProofCosts;

enum { PROOFS = 2 };

/* Processor time of this thread, since other programs use this machine, too. */
double proof_seconds(void);

/* Runs all rounds of tasks in this process and adds to costs. */
void proof_run(CtlTasks *tasks, const CtlEvaluator *evaluator, ProofCosts *costs);

/* Measures one of some proofs, the first one the shortest. Ends the program if it cannot be made. */
void proof_costs(int which, ProofCosts *costs);

/* Measures the cases of a bound of the arm down to a relative gap; a case counts as a motion. alone: s of the
 * relaxations that rank 0 solves by itself. */
void bound_costs(double gap, ProofCosts *costs, double *alone);

#endif
