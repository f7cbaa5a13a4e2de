/* Discrete-event model of the pool (control/pool/coordinator.c): one coordinator that processes events in turn,
 * workers with two slots each, batches by the pool's own rule. All evaluations take the same time, and the
 * coordinator does not evaluate. */
#ifndef BENCH_POOL_MODEL_H
#define BENCH_POOL_MODEL_H

/* Costs of the coordinator's work and of a message, s. */
typedef struct PoolCosts {
  double batch;   /* coordinator: to send a batch and receive its answer, half each */
  double point;   /* coordinator: ask and tell of a point, half each */
  double move;    /* coordinator: per point of the scheme at the end of a simplex */
  double poll;    /* coordinator: per slot and poll */
  double latency; /* latency of a message, one way */
} PoolCosts;

typedef struct PoolJob {
  int workers, block; /* block: as in CtlEvaluator */
  double evaluation;  /* s per point in a full block */
  int rounds;         /* initial simplex and later simplexes */
  const long *points; /* [rounds] points to evaluate in each; borrowed */
  long scheme_size;   /* s */
  int most;           /* maximum number of points of a batch; 0: limited by the size of a message */
} PoolJob;

/* Wall clock of the search, s; -1 when out of memory. *batches: number of batches sent; may be NULL. */
double pool_model_wall(const PoolCosts *costs, const PoolJob *job, long *batches);

/* Lower bound of the wall clock of any pool that does not split points, s: sum of ceil(points / workers)
 * evaluations. */
double pool_model_bound(const PoolJob *job);

/* Evaluating time of all points / (workers * wall). */
double pool_model_efficiency(const PoolJob *job, double wall);

#endif
