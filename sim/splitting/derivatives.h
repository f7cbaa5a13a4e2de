/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along steps of lie and strang, forward and adjoint: the linear maps of the step's parts (trace.h),
 * applied one after another. */
#ifndef SIM_SPLITTING_DERIVATIVES_H
#define SIM_SPLITTING_DERIVATIVES_H

#include "sim/splitting/maps.h"

/* Data of a sensitivity and of an adjoint (members `own`) for the splitting schemes. */
typedef struct SplittingDerivatives {
  SplittingTrace trace; /* trace of the steps; it must be the first member, since trace.c converts a pointer to this
                         * struct to a pointer to the trace */
  SplittingMaps maps;
  StepStops stops;
  StepShares shares; /* used by a sensitivity; empty for an adjoint */
  double *before;    /* [d] velocities before the step; owned */
} SplittingDerivatives;

/* These functions implement SimScheme.equip_sensitivity and SimScheme.equip_adjoint. */
SimStatus splitting_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus splitting_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* For workspaces with derivatives. splitting_derivatives_start is called at the start of a rollout, when the workspace
 * has x, v, slip at t = 0; splitting_derivatives_begin before step n; and splitting_derivatives_step after step n. */
void splitting_derivatives_start(SimWorkspace *work);
void splitting_derivatives_begin(const SimWorkspace *work, long n);
SimStatus splitting_derivatives_step(const SimModel *model, SimWorkspace *work, long n);

/* Advances the columns of derivatives over the stored step n (tangent.c). */
SimStatus splitting_tangent(const SimModel *model, const SimSensitivity *sensitivity, long n);
/* Implements SimAdjoint.sweep (adjoint.c). */
SimStatus splitting_sweep(SimAdjoint *adjoint);

#endif
