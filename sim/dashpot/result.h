/* What every scheme of a dash-pot tells of its mass. */
#ifndef SIM_DASHPOT_RESULT_H
#define SIM_DASHPOT_RESULT_H

#include "sim/core/model.h"

/* How far the mass is in its support, m. */
double dashpot_penetration(const SimProblem *problem, double x);

/* What stands in springs, support and motion, less what stood there at t = 0, J. */
double dashpot_stored(const SimProblem *problem, double x, double v);

/* Leaves x, v, f_d, slip in the workspace, with what follows from them. */
void dashpot_publish(const SimProblem *problem, SimWorkspace *work, double x, double v, double f_d, int slip);

#endif
