/* SPDX-License-Identifier: BSD-2-Clause */
/* Discrete-event model of the pool (control/pool/coordinator.c). One coordinator processes events in turn. Each worker
 * has two slots. The sizes of batches follow the pool's own rule. All evaluations take the same time, and the
 * coordinator does not evaluate. */
#ifndef BENCH_POOL_MODEL_H
#define BENCH_POOL_MODEL_H

/* Costs of the coordinator's work, and of a message, s. */
typedef struct PoolCosts {
  double batch;   /* time of the coordinator to send a batch and receive its answer, half each */
  double point;   /* time of the coordinator to ask and tell a point, half each */
  double move;    /* time of the coordinator per point of the scheme at the end of a simplex */
  double poll;    /* time of the coordinator per slot to poll for an answer */
  double latency; /* time of a message on its way, in one direction */
} PoolCosts;

typedef struct PoolJob {
  int workers, block; /* block: as in CtlEvaluator */
  double evaluation;  /* time per point in a full block, s */
  int rounds;         /* number of rounds: the initial simplex and the later ones */
  const long *points; /* [rounds] number of points to evaluate in each round; borrowed */
  long scheme_size;   /* number of points s per simplex */
  int most;           /* most points of a batch; 0: only the size of a message limits it */
} PoolJob;

/* Returns the elapsed time of the search, s; -1 without memory. *batches: number of batches sent; may be NULL. */
double pool_model_wall(const PoolCosts *costs, const PoolJob *job, long *batches);

/* Returns a lower bound of the elapsed time of any pool that does not divide points, s: the sum of ceil(points /
 * workers) evaluations. */
double pool_model_bound(const PoolJob *job);

/* Returns the time to evaluate all points, divided by workers * wall. */
double pool_model_efficiency(const PoolJob *job, double wall);

#endif
