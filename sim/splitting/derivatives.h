/* Derivatives along the steps of lie and strang, forward and back: of the maps that a step is made of (trace.h), in turn. */
#ifndef SIM_SPLITTING_DERIVATIVES_H
#define SIM_SPLITTING_DERIVATIVES_H

#include "sim/splitting/maps.h"

/* A sensitivity's own, or an adjoint's. */
typedef struct SplittingDerivatives {
  SplittingTrace trace; /* the first member: what keeps it (trace.c) takes it from here */
  SplittingMaps maps;
  StepStops stops;
  StepShares shares; /* of a sensitivity, else empty */
  double *before;    /* [d] v before the step; owned */
} SplittingDerivatives;

/* SimScheme.equip_sensitivity and equip_adjoint. */
SimStatus splitting_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus splitting_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* Where a rollout begins, once x, v, slip of t = 0 stand in the workspace; before step n; once it is done. Where the workspace has no derivatives
 * none is to be called. */
void splitting_derivatives_start(SimWorkspace *work);
void splitting_derivatives_begin(const SimWorkspace *work, long n);
SimStatus splitting_derivatives_step(const SimModel *model, SimWorkspace *work, long n);

/* tangent.c: columns behind the step that the trace has. */
SimStatus splitting_tangent(const SimModel *model, const SimSensitivity *sensitivity, long n);
/* adjoint.c: SimAdjoint.sweep. */
SimStatus splitting_sweep(SimAdjoint *adjoint);

#endif
