/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures what the coordinator's own work costs. */
#ifndef BENCH_POOL_COSTS_H
#define BENCH_POOL_COSTS_H

#include "bench/pool/model.h"

#include <mpi.h>

/* Costs of a search without messages, s. They are: its creation; to ask and to tell a point; and the end of a simplex
 * per point of the scheme (merits, move, next points and their look-up). */
typedef struct SearchCosts {
  double create, ask, tell, move;
  double point; /* all costs except the creation, per evaluation */
} SearchCosts;

/* Measures the least costs of some runs with n controls and s points per simplex. */
SearchCosts search_costs(int n, long scheme_size);

/* Measures the costs of messages between rank 0 and rank 1 of comm, while the others are in pool_follow. The sizes are
 * those of TP1: 3 controls, 3 degrees of freedom. *round_trip: time from one batch to the next, s. */
PoolCosts pool_costs(MPI_Comm comm, double *round_trip);

#endif
