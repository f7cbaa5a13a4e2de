/* SPDX-License-Identifier: BSD-2-Clause */
/* Inverse dynamics of a mechanism: the forces that a given motion needs. */
#ifndef SIM_INVERSE_H
#define SIM_INVERSE_H

#include "sim/internal.h"

/* Computes forces [n][d], N or N m: r(q, q', q'', t) - Q + c sgn(q') (SimEquations) for n states [n][3 d + 1], each
 * with q, q', q'' and t. With B u equal to these forces the mechanism moves along the states. Friction is omitted for
 * q'_i = 0, and stops are ignored. problem: of kind SIM_MECHANISM, with equations. Returns SIM_OK, SIM_NO_MEMORY or
 * SIM_BAD_PROBLEM; SIM_NON_FINITE if a force is not finite. */
SimStatus sim_inverse_dynamics(const SimProblem *problem, int n, const double *states, double *forces);

#endif
