/* Sweep back along the record of a motion, with the adjoint (p, q) of its variational equation (variation.h). For a
 * column without forcing, p'X_x + q'X_v is constant:
 *
 *     p' = A r,    q_S' = [-p + D r - C gamma'(v) r]_S,    q_K = 0,    r_S = M_SS^-1 q_S,  r_K = 0
 *
 * With spring laws A + G'h'(e)G replaces A. The forcing of a column adds the integral of r'dg/dz to J. Where dof i
 * comes to rest, with v' = a- before and a+ after,
 *
 *     q_i- = q_i+ - q+'(a- - a+)/a_i-
 *
 * The series are in powers of time from the end of each leg, with as many terms as exceed rounding error. */
#ifndef SIM_EVENT_ADJOINT_H
#define SIM_EVENT_ADJOINT_H

#include "sim/core/adjoint.h"

/* SimAdjoint.sweep. */
SimStatus event_sweep(SimAdjoint *adjoint);

#endif
