/* A discrete-event model of the pool (control/pool/coordinator.c): one coordinator that serves events in turn, workers
 * with two slots each, batches by the pool's own rule. All evaluations take the same time and the coordinator does not
 * evaluate. */
#ifndef BENCH_POOL_MODEL_H
#define BENCH_POOL_MODEL_H

/* What the coordinator's work and a message cost, s. */
typedef struct PoolCosts {
  double batch;   /* coordinator: to send a batch and to take in its answer, half each */
  double point;   /* coordinator: to ask for a point and to tell its outcome, half each */
  double move;    /* coordinator: per point of the scheme at the end of a simplex */
  double poll;    /* coordinator: per slot, each time it looks for answers */
  double latency; /* of a message, one way */
} PoolCosts;

typedef struct PoolJob {
  int workers, block; /* block: as CtlEvaluator's */
  double evaluation;  /* s a point in a full block */
  int rounds;         /* the opening and the simplexes */
  const long *points; /* [rounds] to be evaluated in each; borrowed */
  long scheme_size;   /* s */
  int most;           /* points in a batch at most; 0: as many as a message takes */
} PoolJob;

/* Wall clock of the search, s; -1 when out of memory. *batches: how many went out; may be NULL. */
double pool_model_wall(const PoolCosts *costs, const PoolJob *job, long *batches);

/* Least wall clock of any pool whose points cannot be split, s: sum of ceil(points / workers) evaluations. */
double pool_model_bound(const PoolJob *job);

/* Evaluating time of all points / (workers wall). */
double pool_model_efficiency(const PoolJob *job, double wall);

#endif
