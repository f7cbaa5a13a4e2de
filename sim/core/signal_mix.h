/* How steps take a control that varies in time (sim/signal.h). Its nodes are u_1..u_S, of linear pieces 0, u_1..u_S, and zeros behind them: the
 * mean of u over any part of T no longer than a segment is a mean of three nodes in a row. The weights are formed from
 * integers, so that a step that lies in one segment takes its u_k itself. */
#ifndef SIM_SIGNAL_MIX_H
#define SIM_SIGNAL_MIX_H

#include "sim/core/model.h"

typedef struct SignalMix {
  int node; /* the first of the three */
  double weight[3];
} SignalMix;

int signal_nodes(const SimProblem *problem); /* 0 of a constant */

/* Whether B u is formed at the nodes once a rollout: where f is a table, too, and memory is for it. */
bool signal_tabulated(const SimProblem *problem);

/* The u of step n, n = 0: of the start; by the scheme's SignalSpan. */
SignalMix signal_step(const SimProblem *problem, long n);

/* By how much the u of a step has this entry of a control [p segments] in it. */
double signal_share(const SimProblem *problem, const SignalMix *step, int entry);

/* Takes a control (NULL: 0) into the workspace, and sets work->control_force for the start. */
void signal_start(const SimModel *model, SimWorkspace *work, const double *control);
/* work->control_force for step n; nothing to do for a constant. */
void signal_force(const SimModel *model, SimWorkspace *work, long n);
/* work->u = u(t_n) */
void signal_show(const SimProblem *problem, const SimWorkspace *work, long n);
/* force [count] = B u(t_n), where B u is tabulated, or u constant. */
void signal_instant(const SimProblem *problem, const SimWorkspace *work, long n, double *force);

#endif
