/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_BOUND_INVERSE_H
#define CONTROL_BOUND_INVERSE_H

#include "sim/internal.h"

/* Computes inverse = a^-1 [d][d] in long double, and off [d], the error bound of the entries of each row. The bound is
 * proven from the residual I - a inverse, however `inverse` was computed. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: a is
 * singular or too ill-conditioned for a bound. */
SimStatus bound_invert(int d, const double *a, long double *inverse, double *off);

#endif
