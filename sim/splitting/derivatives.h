/* Derivatives along steps of lie and strang, forward and adjoint: the linear maps of the step's parts (trace.h),
 * applied one after another. */
#ifndef SIM_SPLITTING_DERIVATIVES_H
#define SIM_SPLITTING_DERIVATIVES_H

#include "sim/splitting/maps.h"

/* Data of a sensitivity or an adjoint. */
typedef struct SplittingDerivatives {
  SplittingTrace trace; /* must be the first member, as trace.c finds it here */
  SplittingMaps maps;
  StepStops stops;
  StepShares shares; /* for a sensitivity; otherwise empty */
  double *before;    /* [d] v before the step; owned */
} SplittingDerivatives;

/* SimScheme.equip_sensitivity and equip_adjoint. */
SimStatus splitting_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus splitting_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* Call these at the start of a rollout, when the workspace has x, v, slip at t = 0; before step n; and after step n.
 * Only for workspaces with derivatives. */
void splitting_derivatives_start(SimWorkspace *work);
void splitting_derivatives_begin(const SimWorkspace *work, long n);
SimStatus splitting_derivatives_step(const SimModel *model, SimWorkspace *work, long n);

/* tangent.c: updates the columns after the traced step. */
SimStatus splitting_tangent(const SimModel *model, const SimSensitivity *sensitivity, long n);
/* adjoint.c: SimAdjoint.sweep. */
SimStatus splitting_sweep(SimAdjoint *adjoint);

#endif
