/* SPDX-License-Identifier: BSD-2-Clause */
/* Applies the linear maps of a step's parts (trace.h) to blocks of columns [d][width] (sim/operator/columns.h), forward
 * and adjoint. */
#ifndef SIM_SPLITTING_MAPS_H
#define SIM_SPLITTING_MAPS_H

#include "sim/splitting/splitting.h"
#include "sim/splitting/trace.h"
#include "sim/step/branches.h"

typedef struct SplittingMaps {
  const SimModel *model; /* borrowed */
  FrictionSolver mass;   /* solver of the friction substeps; borrowed */
  FrictionBranches branches;
  FrictionSolver balance; /* solver for dofs without mass (massless_step.h); borrowed */
  FrictionBranches balanced;
  double *room;              /* memory of all arrays below; owned */
  double *damping, *inverse; /* [d][d] matrices D and (K + tau/2 D)^-1 of an elastic substep (elastic_step.h);
                              * transposed for the adjoint */
  /* [d][d] for the choice `exact` of scheme.elastic, used instead of damping and inverse: derivatives of x and v after
   * the step by x and v before it; transposed for the adjoint */
  double *exact[2][2];
  double *right, *change, *spare; /* blocks, for intermediate results */
  /* block, used in rows of dofs without mass: mean of w over the substeps so far; in an adjoint sweep dJ/dv after the
   * step */
  double *mean;
} SplittingMaps;

/* Initialises the maps for blocks of this width. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus splitting_maps_init(SplittingMaps *maps, const SimModel *model, int width, bool backward);
void splitting_maps_clear(SplittingMaps *maps);

/* Applies the exact elastic step to columns of x and v; in an adjoint sweep to dJ/dx and dJ/dv. */
void splitting_move_exactly(const SplittingMaps *maps, int n, int width, double *x, double *v);
/* Multiplies row i of x by moved_i, the derivative of x_i after a contact by x_i before it, for all dofs. */
void splitting_move_struck(const ElasticTrace *at, int d, int n, int width, double *x);
/* Solves (M + diag(stiffness)) y = maps->right for n columns, with y = 0 in rows of sticking dofs. M is the mass
 * matrix, stiffness the slope of the smooth law's force (FrictionTrace). Returns SIM_OK or SIM_BAD_PROBLEM. */
SimStatus splitting_solve_friction(SplittingMaps *maps, const FrictionTrace *friction, int n, int width, double *y);
/* Solves (E + diag(stiffness)) y = maps->right for n columns, with y = 0 in rows of sticking dofs. E is the matrix of
 * the balance of forces of dofs without mass (massless_step.h), stiffness the slope of the smooth law's force. Returns
 * SIM_OK or SIM_BAD_PROBLEM. */
SimStatus splitting_solve_massless(SplittingMaps *maps, const FrictionTrace *friction, int n, int width, double *y);
/* Adds K x to y, for n columns. K is the derivative of the restoring forces by the positions: the stiffness matrix A
 * plus the slopes of springs with a law and of elastic stops. */
void splitting_add_force(const SplittingMaps *maps, const ElasticTrace *at, int n, int width, const double *x,
                         double *y);
/* Computes y = M_FF^-1 x for the dofs F that get no impulse in a contact, and 0 for the others. Returns SIM_OK or
 * SIM_BAD_PROBLEM. */
SimStatus splitting_solve_free(SplittingMaps *maps, const ElasticTrace *at, int n, int width, const double *x,
                               double *y);

#endif
