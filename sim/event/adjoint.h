/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives dJ/dz of a weighted sum J of x(T) and v(T), by a sweep back along the record of a motion (record.h). The
 * sweep advances the adjoint (p, q) of the variational equation (variation.h), where S are the sliding dofs and K the
 * others. For a column X without forcing, p'X_x + q'X_v is constant:
 *
 *   p' = A r, q_S' = [-p + D r - C gamma'(v) r]_S, q_K = 0, r_S = M_SS^-1 q_S, r_K = 0
 *
 * With spring laws A is replaced by A + G'h'(e)G. The forcing dg/dz of a column adds the integral of r'dg/dz to dJ/dz.
 * When dof i comes to rest, with v' = a- before and a+ after,
 *
 *   q_i- = q_i+ - q+'(a- - a+)/a_i-
 *
 * The series are in powers of time before the end of each piece of a leg, with as many terms as exceed rounding
 * error. */
#ifndef SIM_EVENT_ADJOINT_H
#define SIM_EVENT_ADJOINT_H

#include "sim/core/adjoint.h"

/* Implements SimAdjoint.sweep for the scheme event. */
SimStatus event_sweep(SimAdjoint *adjoint);

#endif
