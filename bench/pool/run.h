/* The real pool with evaluations that only take time. */
#ifndef BENCH_POOL_RUN_H
#define BENCH_POOL_RUN_H

#include "control/evaluator.h"

#include <mpi.h>

enum { POOL_CONTROLS_MAX = 8, POOL_ROUNDS_MAX = 4096 };

/* A search with n controls and x(T) linear in u whose points take `evaluation` seconds each. From 1 ms on most of
 * that is slept, so that ranks may outnumber cores. Shorter evaluations poll the clock and let other ranks run
 * meanwhile. */
typedef struct PoolTrial {
  int workers;       /* number of workers; 0: no pool, all in this process */
  int batch;         /* CtlPoolOptions */
  int evaluates;     /* CtlPoolOptions */
  int n;             /* number of controls, and d */
  long scheme_size;  /* s */
  long simplexes;    /* maximum */
  double evaluation; /* duration of a point, s */
} PoolTrial;

typedef struct PoolResult {
  CtlTimes times;
  CtlState state; /* final state without its pointers */
  int rounds;
  long points[POOL_ROUNDS_MAX]; /* simulations of each round: the initial simplex, then the others */
} PoolResult;

/* Parts of a trial: its evaluator (trial: borrowed), its problem, a search for it. */
CtlEvaluator pool_evaluator(PoolTrial *trial);
void pool_problem(const PoolTrial *trial, CtlProblem *problem);
void pool_search(const CtlProblem *problem, CtlSearch **search);

/* Reports a lack of memory and ends all ranks. */
void pool_out_of_memory(void);

/* Runs a trial as rank 0 of comm (other ranks pass result NULL). Ranks beyond the trial's workers do nothing.
 * Collective over comm, whose ranks 1.. are in pool_follow. Ends the program when out of memory. */
void pool_lead(const PoolTrial *trial, MPI_Comm comm, PoolResult *result);

/* The other ranks: take part in trials until rank 0 calls pool_dismiss. They sleep in trials without them. */
void pool_follow(MPI_Comm comm);
void pool_dismiss(MPI_Comm comm);

#endif
