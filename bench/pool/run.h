/* The real pool, with evaluations that only take their time. */
#ifndef BENCH_POOL_RUN_H
#define BENCH_POOL_RUN_H

#include "control/evaluator.h"

#include <mpi.h>

enum { POOL_CONTROLS_MAX = 8, POOL_ROUNDS_MAX = 4096 };

/* A search over n controls, x(T) linear in u, whose points take `evaluation` seconds each: from 1 ms on most of that is
 * slept, so that ranks may outnumber cores; what is shorter waits on the clock and lets other ranks run meanwhile. */
typedef struct PoolTrial {
  int workers;       /* 0: no pool, all in this process */
  int batch;         /* CtlPoolOptions */
  int evaluates;     /* likewise */
  int n;             /* controls, and d */
  long scheme_size;  /* s */
  long simplexes;    /* at most */
  double evaluation; /* s a point */
} PoolTrial;

typedef struct PoolResult {
  CtlTimes times;
  CtlState state; /* but for its pointers */
  int rounds;
  long points[POOL_ROUNDS_MAX]; /* simulated in each round: the opening, then the simplexes */
} PoolResult;

/* What a trial is made of: its evaluator (trial: borrowed), its problem, a search for it. */
CtlEvaluator pool_evaluator(PoolTrial *trial);
void pool_problem(const PoolTrial *trial, CtlProblem *problem);
void pool_search(const CtlProblem *problem, CtlSearch **search);

/* Tells, and ends all ranks. */
void pool_out_of_memory(void);

/* Leads a trial as rank 0 of comm (NULL result elsewhere); ranks beyond the trial's workers are left alone. Collective
 * over comm, whose ranks 1.. are in pool_follow. Ends the program when memory runs out. */
void pool_lead(const PoolTrial *trial, MPI_Comm comm, PoolResult *result);

/* The other ranks: serve in trials until rank 0 calls pool_dismiss. Sleep when they have no part in one. */
void pool_follow(MPI_Comm comm);
void pool_dismiss(MPI_Comm comm);

#endif
