/* Measured costs of the coordinator's own work. */
#ifndef BENCH_POOL_COSTS_H
#define BENCH_POOL_COSTS_H

#include "bench/pool/model.h"

#include <mpi.h>

/* A search's own work without messages, s: creation, ask and tell per point, and, per point of the scheme, the end
 * of a simplex: merits, move, next points and their look-up. */
typedef struct SearchCosts {
  double create, ask, tell, move;
  double point; /* all but create, per evaluation */
} SearchCosts;

/* Minimum of some runs with n controls and s points per simplex. */
SearchCosts search_costs(int n, long scheme_size);

/* Costs of messages between rank 0 and rank 1 of comm (the others are in pool_follow), with TP1's sizes: 3 controls,
 * 3 degrees of freedom. *round_trip: time from one batch to the next, s. */
PoolCosts pool_costs(MPI_Comm comm, double *round_trip);

#endif
