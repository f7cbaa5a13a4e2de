/* SPDX-License-Identifier: BSD-2-Clause */
/* Linearises the final state of a motion at a point u, and sets up the quadratic problem of an SQP step ("the linear
 * problem"). */
#ifndef CONTROL_LINEAR_H
#define CONTROL_LINEAR_H

#include "control/sqp/sqp.h"

/* ctl_linear_band returns the bandwidth of H, the Hessian of J = z'H z/2, where z has the forces of one segment after
 * another. ctl_linear_cost fills H. */
int ctl_linear_band(const CtlProblem *problem);
void ctl_linear_cost(const CtlProblem *problem, CtlQp *qp);

/* Computes out = H z, [n] each, without the proximal term (proximal.h). For a control z this is the gradient of J. */
void ctl_linear_multiply(const CtlSqpShared *shared, const double *z, double *out);

/* Computes the misses [m], the differences between a final state and the targets. Returns their sum in units of E1 and
 * E2, which is not finite if any miss is not finite. */
double ctl_linear_miss(const CtlSqpShared *shared, const double *x, const double *v, double *miss);

/* Whether each of the misses [m] is at most `error` times its unit. */
bool ctl_linear_meets(const CtlSqpShared *shared, const double *miss, double error);

/* Sets up the quadratic problem of a step from s->at in shared->qp. bend: [m] nonlinear parts of the differences from
 * the targets, which are added to the linearised ones; NULL: none. */
void ctl_linear_problem(const CtlSqp *s, const double *bend);

/* Returns the velocity that the dof of target j would have at T if it had not stopped, extrapolated from before its
 * stop; 0 if the dof moves at T or has never moved. */
double ctl_linear_ahead(const CtlSqp *s, int j);
/* Returns the acceleration v' of the dof of target j just before it stopped. */
double ctl_linear_deceleration(const CtlSqp *s, int j);

/* nearest true: changes the linear problem so that its solution is the point that meets the targets and is nearest to
 * s->at in the norm of J. Targets that would take more effort than an answer are not met. nearest false: undoes this
 * change. */
void ctl_linear_set_nearest(const CtlSqp *s, bool nearest);

/* Sets s->price from the multipliers at the solution of the linear problem: the increase of J per unit of distance from
 * each target. */
void ctl_linear_set_price(CtlSqp *s);
/* Returns the cost of the misses [m] (differences from the targets) at the prices in s->price. */
double ctl_linear_price(const CtlSqp *s, const double *miss);

/* Returns the sum of the differences from the targets, each divided by its unit, that remain at the solution of the
 * linear problem. Stores the single differences in shared->bend. */
double ctl_linear_misses(const CtlSqp *s);

/* Computes bend [m], the nonlinear part of the differences from the targets at the trial: the actual differences minus
 * those that the linear problem predicts. */
void ctl_linear_bend(const CtlSqp *s, const double *miss, double *bend);

#endif
