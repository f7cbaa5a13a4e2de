/* How a step's solution moves with its right side: with every dof on its branch (sim/law/branch_law.h),
 *
 *     (E + diag(stiffness)) dw = db,    dw_i = 0 of dofs that are held
 *
 * for many right sides side by side. Backwards it is the same with the transpose of E. */
#ifndef SIM_BRANCHES_H
#define SIM_BRANCHES_H

#include "sim/step/friction_solver.h"

/* What one evaluator has for a solver. Of a dense E the inverse on the last branches; any other is solved with by the
 * workspace's own solver, whose factors are those of the last step. */
typedef struct FrictionBranches {
  double *matrix;  /* [d][d] E with the stiffness; owned, as the next two in one block */
  double *inverse; /* [d][d] of dofs that are not held, else 0 */
  double *part;    /* [d][d] */
  int *members;    /* [2 d] dofs that are not held, and room; owned */
  bool *stuck;     /* [d] of the branches that inverse is of; owned */
  bool known;      /* there are such */
  bool transposed; /* of E': to be set by who goes backwards */
  const double *
      smooth; /* [d] the stiffness of a smooth law where it is now, to be set by the caller: nothing is held; NULL: no such law */
} FrictionBranches;

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus friction_branches_init(const FrictionSolver *solver, FrictionBranches *branches);
void friction_branches_clear(FrictionBranches *branches);

/* dw of the first n columns db, blocks as of OperatorOps.add_columns, on the branches slip that friction_solve has just left. SIM_OK,
 * SIM_NOT_CONVERGED, SIM_BAD_PROBLEM. Collective over the problem's group; allocates nothing. */
SimStatus friction_branches_solve(const FrictionSolver *solver, FrictionWork *work, FrictionBranches *branches,
                                  const signed char *slip, int n, int width, const double *db, double *dw);

#endif
