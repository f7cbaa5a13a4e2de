/* What the coordinator's own work costs, measured. */
#ifndef BENCH_POOL_COSTS_H
#define BENCH_POOL_COSTS_H

#include "bench/pool/model.h"

#include <mpi.h>

/* A search's own work without anyone to talk to, s: a search made, a point asked, a point told, and, per point of the
 * scheme, the end of a simplex: merits, the move, the next points and their look-up. */
typedef struct SearchCosts {
  double create, ask, tell, move;
  double point; /* all but create, per evaluation */
} SearchCosts;

/* The least of some runs with n controls and s points a simplex. */
SearchCosts search_costs(int n, long scheme_size);

/* What messages cost between rank 0 and rank 1 of comm, whose other ranks are in pool_follow, with TP1's sizes: 3
 * controls, 3 degrees of freedom. *round_trip: from one batch to the next, s. */
PoolCosts pool_costs(MPI_Comm comm, double *round_trip);

#endif
