/* SPDX-License-Identifier: BSD-2-Clause */
/* The transposed product with the linear map of a step or of a piece of a motion, for adjoint sweeps. */
#ifndef SIM_MECHANISM_TRANSPOSE_H
#define SIM_MECHANISM_TRANSPOSE_H

#include "sim/core/adjoint.h"

/* A map [2 d][n]: derivatives of q and v after a piece by q and v before it, by forces, by rates of forces, by
 * parameters, and by further numbers, which linear_map_back ignores. */
typedef struct LinearMap {
  int d, n, n_forces, n_slopes, n_parameters; /* n_slopes: 0 or n_forces */
  const int *force;                           /* [n_forces] coordinate on which each of the forces acts */
  const double *state;                        /* [2 d][n] the map */
} LinearMap;

/* Multiplies dJ/dq and dJ/dv of an adjoint sweep by the transposed map, and adds the derivatives of J by the
 * parameters to the adjoint's sums. by_force, by_slope [d][width]: set to the derivatives of J by the forces and by
 * their rates, or to 0 for coordinates without a force in the map. scratch: two such blocks. */
void linear_map_back(const LinearMap *map, SimAdjoint *adjoint, double *by_force, double *by_slope, double *scratch);

#endif
