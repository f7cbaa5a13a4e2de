/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the real pool with evaluations that only take time. */
#ifndef BENCH_POOL_RUN_H
#define BENCH_POOL_RUN_H

#include "control/evaluator.h"

#include <mpi.h>

enum { POOL_CONTROLS_MAX = 8, POOL_ROUNDS_MAX = 4096 };

/* A search with n controls, in which x(T) is linear in u and an evaluation takes `evaluation` seconds. Evaluations of 1
 * ms or more mostly sleep, so that there may be more ranks than cores. Shorter ones poll the clock, and let other ranks
 * run meanwhile. */
typedef struct PoolTrial {
  int workers;       /* number of workers; 0: there is no pool, and this process evaluates */
  int batch;         /* as in CtlPoolOptions */
  int evaluates;     /* as in CtlPoolOptions */
  int n;             /* number of controls, and of degrees of freedom */
  long scheme_size;  /* number of points s per simplex */
  long simplexes;    /* most simplexes */
  double evaluation; /* time of an evaluation, s */
} PoolTrial;

typedef struct PoolResult {
  CtlTimes times;
  CtlState state; /* final state, without its pointers */
  int rounds;
  long points[POOL_ROUNDS_MAX]; /* number of simulations in each round: the initial simplex, then the others */
} PoolResult;

/* Parts of a trial: its evaluator, which borrows the trial, its problem, and a search for it. */
CtlEvaluator pool_evaluator(PoolTrial *trial);
void pool_problem(const PoolTrial *trial, CtlProblem *problem);
void pool_search(const CtlProblem *problem, CtlSearch **search);

/* Reports that there is no memory, and ends all ranks. */
void pool_out_of_memory(void);

/* Runs a trial as rank 0 of comm; other ranks pass result NULL. Ranks beyond the trial's workers do nothing. Collective
 * over comm; its other ranks are in pool_follow. Ends the program without memory. */
void pool_lead(const PoolTrial *trial, MPI_Comm comm, PoolResult *result);

/* Takes part in trials on ranks other than 0, until rank 0 calls pool_dismiss. In trials without them these ranks
 * sleep. */
void pool_follow(MPI_Comm comm);
void pool_dismiss(MPI_Comm comm);

#endif
