/* Back along a motion's record, the adjoint (p, q) of its variational equation (variation.h), so that p'X_x + q'X_v of a column without
 * forcing does not change:
 *
 *     p' = A r,    q_S' = [-p + D r - C gamma'(v) r]_S,    q_K = 0,    r_S = M_SS^-1 q_S,  r_K = 0
 *
 * with A + G'h'(e)G for A where springs have a law, and what a column's forcing adds to J is the integral of r'dg/dz. Where dof i comes
 * to rest, a- and a+ being v' before and after:
 *
 *     q_i- = q_i+ - q+'(a- - a+)/a_i-
 *
 * By the powers of time from each leg's end, as many as round-off can tell. */
#ifndef SIM_EVENT_ADJOINT_H
#define SIM_EVENT_ADJOINT_H

#include "sim/core/adjoint.h"

/* SimAdjoint.sweep. */
SimStatus event_sweep(SimAdjoint *adjoint);

#endif
