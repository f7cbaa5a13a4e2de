/* Measures what the coordinator's own work costs. */
#ifndef BENCH_POOL_COSTS_H
#define BENCH_POOL_COSTS_H

#include "bench/pool/model.h"

#include <mpi.h>

/* What a search costs without messages, s: its creation; ask and tell, per point; and the end of a simplex (merits,
 * move, next points and their look-up), per point of the scheme. */
typedef struct SearchCosts {
  double create, ask, tell, move;
  double point; /* all costs but the creation, per evaluation */
} SearchCosts;

/* Measures the least costs of some runs with n controls and s points per simplex. */
SearchCosts search_costs(int n, long scheme_size);

/* Measures the costs of messages between rank 0 and rank 1 of comm, while the others are in pool_follow. The sizes are
 * those of TP1: 3 controls, 3 degrees of freedom. *round_trip: time from one batch to the next, s. */
PoolCosts pool_costs(MPI_Comm comm, double *round_trip);

#endif
