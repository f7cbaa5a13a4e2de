/* The energies of the centred scheme's steps. */
#ifndef SIM_FRICTION_CENTERED_H
#define SIM_FRICTION_CENTERED_H

#include "sim/friction/form.h"

/* E^{n+1/2} - E^{n-1/2} = dt v.(f + B u) - dt v.(D v + C (lambda - gamma)) exactly; integrated by the
 * trapezoidal rule to whole steps, E^n = (E^{n-1/2} + E^{n+1/2})/2, so the balance closes to the accuracy of
 * the step's solution; of friction's work the surfaces do -dt w.C (lambda - gamma). before: [count] x^{-1}, of n = 0;
 * friction: [count] C (lambda - gamma) at n; overwritten. */
void centered_watch(const SimModel *model, SimWorkspace *work, long n, const StepForce *f, const double *before,
                    double *friction);

#endif
