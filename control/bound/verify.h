/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_BOUND_VERIFY_H
#define CONTROL_BOUND_VERIFY_H

#include "control/bound/program.h"

/* Computes a value of the program, (2) of program.h, that is certain in floating-point arithmetic, for any values of
 * the variables. Negative own variables are replaced by 0. Slacks are raised until a Cholesky factor proves that every
 * matrix is positive semidefinite in spite of round-off. The value is -INFINITY if no slack suffices. raised: set to
 * the number of slacks raised; may be NULL. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_verify(const BoundProgram *program, const BoundValues *values, double *value, long *raised);

#endif
