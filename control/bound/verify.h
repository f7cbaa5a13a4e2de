#ifndef CONTROL_BOUND_VERIFY_H
#define CONTROL_BOUND_VERIFY_H

#include "control/bound/program.h"

/* Computes a value of (2) of program.h that is certain in floating point, for any values. Negative own variables are
 * replaced by 0. Slacks are raised until a Cholesky factor proves every matrix positive semidefinite in spite of
 * round-off. -INFINITY: there is none. raised: number of slacks raised; may be NULL. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_verify(const BoundProgram *program, const BoundValues *values, double *value, long *raised);

#endif
