#ifndef CONTROL_BOUND_VERIFY_H
#define CONTROL_BOUND_VERIFY_H

#include "control/bound/program.h"

/* A number that (2) of program.h certainly reaches, whatever the values are: negative own ones are taken for 0, and slacks are raised until every
 * matrix is proven positive semidefinite by a Cholesky factor in spite of all round-off. -INFINITY: there is none. raised: how many slacks were;
 * may be NULL. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_verify(const BoundProgram *program, const BoundValues *values, double *value, long *raised);

#endif
