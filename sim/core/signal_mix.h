/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples time-varying controls (sim/signal.h) in steps. The nodes of a piecewise constant control are u_1..u_S, those
 * of a piecewise linear control are 0, u_1..u_S; zero nodes follow them. A mix is a weighted mean of three successive
 * nodes. The mean of u over an interval no longer than a segment is such a mix. Its weights are computed from integers,
 * so a step inside one segment gets exactly its u_k. */
#ifndef SIM_SIGNAL_MIX_H
#define SIM_SIGNAL_MIX_H

#include "sim/core/model.h"

typedef struct SignalMix {
  int node; /* index of the first of the three successive nodes of the weighted mean */
  double weight[3];
} SignalMix;

int signal_nodes(const SimProblem *problem); /* returns the number of nodes; 0 for a constant control */

/* Whether B u is computed at the nodes once for each rollout. This is so if the force f is tabulated and there is
 * enough memory. */
bool signal_tabulated(const SimProblem *problem);

/* Returns the weights of the control's nodes for step n. They depend on the interval (SignalSpan) over which the scheme
 * averages the control. n = 0: weights for t = 0. */
SignalMix signal_step(const SimProblem *problem, long n);

/* Returns the weights of the nodes for the mean of u from t_{n-1} to t_n, for any scheme. For a piecewise constant
 * control they are the fractions of step n that belong to successive segments. */
SignalMix signal_within(const SimProblem *problem, long n);

/* Returns the derivative of the mean u of a step, given by the weights `step`, by one entry of the control [p
 * segments]. */
double signal_share(const SimProblem *problem, const SignalMix *step, int entry);

/* Copies a control (NULL: 0) to the workspace, and sets work->control_force for t = 0. */
void signal_start(const SimModel *model, SimWorkspace *work, const double *control);
/* Sets work->control_force for step n; does nothing for a constant control. */
void signal_force(const SimModel *model, SimWorkspace *work, long n);
/* Sets work->u = u(t_n), for an observer. */
void signal_show(const SimProblem *problem, const SimWorkspace *work, long n);
/* Sets force [count] = B u(t_n), if B u is tabulated or u is constant. */
void signal_instant(const SimProblem *problem, const SimWorkspace *work, long n, double *force);

#endif
