/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along steps of lie and strang, forward and adjoint: the linear maps of the step's parts (trace.h),
 * applied one after another. */
#ifndef SIM_SPLITTING_DERIVATIVES_H
#define SIM_SPLITTING_DERIVATIVES_H

#include "sim/splitting/maps.h"

/* Data of a sensitivity and of an adjoint (members `own`) for the splitting schemes. */
typedef struct SplittingDerivatives {
  SplittingTrace trace; /* trace of the steps; it must be the first member, since trace.c finds it through a pointer
                         * to the struct */
  SplittingMaps maps;
  StepStops stops;
  StepShares shares; /* used by a sensitivity; empty for an adjoint */
  double *before;    /* [d] v before the step; owned */
} SplittingDerivatives;

/* The functions SimScheme.equip_sensitivity and equip_adjoint of the schemes. */
SimStatus splitting_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus splitting_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* Call _start at the start of a rollout, when the workspace has x, v, slip at t = 0; _begin before step n; _step after
 * step n. Only for workspaces with derivatives. */
void splitting_derivatives_start(SimWorkspace *work);
void splitting_derivatives_begin(const SimWorkspace *work, long n);
SimStatus splitting_derivatives_step(const SimModel *model, SimWorkspace *work, long n);

/* Advances the columns over the traced step n (tangent.c). */
SimStatus splitting_tangent(const SimModel *model, const SimSensitivity *sensitivity, long n);
/* Implements SimAdjoint.sweep (adjoint.c). */
SimStatus splitting_sweep(SimAdjoint *adjoint);

#endif
