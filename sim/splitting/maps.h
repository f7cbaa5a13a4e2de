/* The maps of a step's parts (trace.h), of blocks of columns [d][width] (sim/operator/columns.h), forward and backward. */
#ifndef SIM_SPLITTING_MAPS_H
#define SIM_SPLITTING_MAPS_H

#include "sim/splitting/splitting.h"
#include "sim/splitting/trace.h"
#include "sim/step/branches.h"

typedef struct SplittingMaps {
  const SimModel *model; /* borrowed */
  FrictionSolver mass;   /* of the friction substeps; borrowed */
  FrictionBranches branches;
  FrictionSolver balance; /* of massless_step.h, likewise */
  FrictionBranches balanced;
  double *room;              /* of all that follows; owned */
  double *damping, *inverse; /* [d][d] D and (K + tau/2 D)^-1, backward their transposes */
  double *exact
      [2]
      [2]; /* [d][d] in place of these, by eigenvectors: x and v behind the step by x and v before it, backward transposed */
  double *right, *change, *spare; /* blocks */
  double *mean; /* block; of v of what has no mass, in its rows: of a step's w so far; backward dJ/dv behind the step */
} SplittingMaps;

/* For blocks of this width. SIM_OK, SIM_NO_MEMORY. */
SimStatus splitting_maps_init(SplittingMaps *maps, const SimModel *model, int width, bool backward);
void splitting_maps_clear(SplittingMaps *maps);

/* x and v behind the elastic step by eigenvectors; backward likewise dJ/dx and dJ/dv before it. */
void splitting_move_exactly(const SplittingMaps *maps, int n, int width, double *x, double *v);
/* x_i moved_i of all dofs */
void splitting_move_struck(const ElasticTrace *at, int d, int n, int width, double *x);
/* y of (M + diag(stiffness)) y = maps->right, 0 where a dof sticks; of n columns. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus splitting_solve_friction(SplittingMaps *maps, const FrictionTrace *friction, int n, int width, double *y);
/* y of the balance without mass, (E + diag(stiffness)) y = maps->right, likewise. */
SimStatus splitting_solve_massless(SplittingMaps *maps, const FrictionTrace *friction, int n, int width, double *y);
/* y += (A + slopes) x */
void splitting_add_force(const SplittingMaps *maps, const ElasticTrace *at, int n, int width, const double *x,
                         double *y);
/* y = M^-1 x of the dofs that get no impulse, 0 of the others. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus splitting_solve_free(SplittingMaps *maps, const ElasticTrace *at, int n, int width, const double *x,
                               double *y);

#endif
