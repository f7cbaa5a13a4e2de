/* SPDX-License-Identifier: BSD-2-Clause */
/* Viscous friction b_i (x_i' - w_i), with the speed w of a moving surface. b is a part of the diagonal of D. It is also
 * stored separately, since D x' must be corrected if surfaces move. */
#ifndef SIM_JOINT_VISCOUS_H
#define SIM_JOINT_VISCOUS_H

#include "sim/problem.h"

/* Returns the viscous force b_i v, in N, at the speed v; 0 without viscous friction. */
static inline double viscous_force(const SimProblem *p, int i, double v) { return p->drags ? p->viscous[i] * v : 0; }

/* Returns b_i w_i, which is subtracted from D x' because the friction acts on x' - w. speed: w [count]; NULL: 0. */
static inline double viscous_drag(const SimProblem *p, const double *speed, int i) {
  return speed ? viscous_force(p, i, speed[i]) : 0;
}

#endif
