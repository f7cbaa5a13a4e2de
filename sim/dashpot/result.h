/* SPDX-License-Identifier: BSD-2-Clause */
/* Results that all schemes of a dash-pot compute. */
#ifndef SIM_DASHPOT_RESULT_H
#define SIM_DASHPOT_RESULT_H

#include "sim/core/model.h"

/* Returns the penetration of the mass into its support, in m. */
double dashpot_penetration(const SimProblem *problem, double x);

/* Returns the energy of springs, support and motion minus that at t = 0, in J. */
double dashpot_stored(const SimProblem *problem, double x, double v);

/* Stores x, v, f_d, slip and the results that follow from them in the workspace. */
void dashpot_publish(const SimProblem *problem, SimWorkspace *work, double x, double v, double f_d, int slip);

#endif
