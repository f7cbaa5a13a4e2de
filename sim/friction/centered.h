/* Parts of the centred scheme that are not in its StepForm. */
#ifndef SIM_FRICTION_CENTERED_H
#define SIM_FRICTION_CENTERED_H

#include "sim/friction/form.h"

/* StepForm.watch, of n = 0, too, where y is x^{-1}:
 *   E^{n+1/2} - E^{n-1/2} = dt v.(f + B u) - dt v.(D v + C (lambda - gamma)) exactly; integrated by the
 * trapezoidal rule to whole steps, E^n = (E^{n-1/2} + E^{n+1/2})/2, so the balance closes to the accuracy of
 * the step's solution; of friction's work the surfaces do -dt w.C (lambda - gamma). */
FormWatch centered_watch;

/* SimScheme.start; StepForm.start_back. */
SimStatus centered_start(const SimModel *model, SimWorkspace *work);
SimStatus centered_start_back(SimAdjoint *adjoint);

#endif
