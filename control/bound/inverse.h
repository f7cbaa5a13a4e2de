#ifndef CONTROL_BOUND_INVERSE_H
#define CONTROL_BOUND_INVERSE_H

#include "sim/sim.h"

/* inverse = a^-1 [d][d], in long double, and off [d]: by how much each entry of its rows may be off; proven by I - a inverse, whatever the inverse is. SIM_OK,
 * SIM_NO_MEMORY, SIM_BAD_PROBLEM: a is singular, or so ill-conditioned that nothing can be said. */
SimStatus bound_invert(int d, const double *a, long double *inverse, double *off);

#endif
