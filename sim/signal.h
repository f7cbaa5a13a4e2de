/* Controls that vary in time: a part of sim/sim.h. */
#ifndef SIM_SIGNAL_H
#define SIM_SIGNAL_H

#include "sim/api.h"

SIM_API_BEGIN

/* How u goes in time, in S = SimProblem.segments pieces of h = T/S. The p S variables of a control are u_1, .., u_S, p
 * entries each, one after another: u_k is u in segment k, or at its end. A step takes the mean of u over it; the centred
 * scheme's, which takes f(t_n), that over half a step to both sides; a chain's, which follows f(t_n), u(t_n). */
typedef enum SimSignal {
  SIM_CONSTANT,           /* S = 1 */
  SIM_PIECEWISE_CONSTANT, /* u(t) = u_k for (k-1) h <= t < k h */
  SIM_PIECEWISE_LINEAR    /* continuous: u(k h) = u_k, u(0) = 0 */
} SimSignal;

struct SimProblem;

/* Variables of a control, p S. */
int sim_problem_variables(const struct SimProblem *problem);

/* The same u(t) in `times` as many segments (of linear pieces: to round-off): fine [p segments times] from coarse
 * [p segments]. A constant is one segment of SIM_PIECEWISE_CONSTANT. */
void sim_signal_refine(SimSignal signal, int p, int segments, int times, const double *coarse, double *fine);

SIM_API_END

#endif
