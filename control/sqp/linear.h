/* Linearisation of a motion's end in u about a point, and the quadratic problem of an SQP step. */
#ifndef CONTROL_LINEAR_H
#define CONTROL_LINEAR_H

#include "control/sqp/sqp.h"

/* Bandwidth of H, the Hessian of J = z'H z/2 with the signal's pieces in sequence. */
int ctl_linear_band(const CtlProblem *problem);
void ctl_linear_cost(const CtlProblem *problem, CtlQp *qp);

/* out = H z, [n] each, without the proximal term. For a control it is the gradient of J. */
void ctl_linear_multiply(const CtlSqpShared *shared, const double *z, double *out);

/* Computes the misses [m] of a final state. Returns their sum in units of E1 and E2, which is not finite if any miss
 * is not. */
double ctl_linear_miss(const CtlSqpShared *shared, const double *x, const double *v, double *miss);

/* Whether each miss is at most `error` times its unit. */
bool ctl_linear_meets(const CtlSqpShared *shared, const double *miss, double error);

/* Sets up the problem of a step from s->at in shared->qp. bend: [m] nonlinear parts of the misses, added; NULL:
 * none. */
void ctl_linear_problem(const CtlSqp *s, const double *bend);

/* Velocity at T extrapolated from before a dof stopped, for target j; 0 if the dof moves or has never moved. */
double ctl_linear_ahead(const CtlSqp *s, int j);
/* Acceleration v' of that dof before the stop. */
double ctl_linear_deceleration(const CtlSqp *s, int j);

/* Changes the current problem to that of the point nearest s->at, in the norm of J, that meets the targets. Targets
 * that would take more effort than an answer stay unmet. nearest false: reverts the change. */
void ctl_linear_set_nearest(const CtlSqp *s, bool nearest);

/* Sets s->price from the multipliers of the linear problem's answer. */
void ctl_linear_set_price(CtlSqp *s);
/* Cost of misses [m] at these prices. */
double ctl_linear_price(const CtlSqp *s, const double *miss);

/* Sum in units of the misses that the linear problem's answer leaves; shared->bend gets each. */
double ctl_linear_misses(const CtlSqp *s);

/* bend = nonlinear part of the misses at the trial. */
void ctl_linear_bend(const CtlSqp *s, const double *miss, double *bend);

#endif
