/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of the centred scheme that its StepForm (form.h) does not have: energies, and the first step. */
#ifndef SIM_FRICTION_CENTERED_H
#define SIM_FRICTION_CENTERED_H

#include "sim/friction/form.h"

/* Implements StepForm.watch: energies of a step. It is also called for n = 0, where the vector y of FormLevels has
 * x^{-1}. Exactly,
 *
 *   E^{n+1/2} - E^{n-1/2} = dt v.(f + B u) - dt v.(D v + C (lambda - gamma)).
 *
 * The trapezoidal rule integrates this to whole steps, E^n = (E^{n-1/2} + E^{n+1/2})/2, so the balance closes to the
 * accuracy of the step's solution. Moving surfaces of speed w do the part -dt w.C (lambda - gamma) of the work of
 * friction. */
FormWatch centered_watch;

/* These functions implement SimScheme.start and StepForm.start_back. */
SimStatus centered_start(const SimModel *model, SimWorkspace *work);
SimStatus centered_start_back(SimAdjoint *adjoint);

#endif
