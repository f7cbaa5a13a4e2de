/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_BOUND_INVERSE_H
#define CONTROL_BOUND_INVERSE_H

#include "sim/internal.h"

/* Computes inverse = a^-1 [d][d] in long double, and off [d], an error bound of the entries of each row. The bound is
 * proven from the residual I - a inverse, however `inverse` was computed. Returns SIM_OK, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM if a is singular or too ill-conditioned for a bound. */
SimStatus bound_invert(int d, const double *a, long double *inverse, double *off);

#endif
