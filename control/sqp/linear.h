/* The end of a motion, linear in u about a point, and the quadratic problem that a step of SQP makes of it. */
#ifndef CONTROL_LINEAR_H
#define CONTROL_LINEAR_H

#include "control/sqp/sqp.h"

/* H of J = z'H z/2, of the signal's pieces side by side, and its band: of the first variables of a quadratic problem that begins with
 * 0. */
int ctl_linear_band(const CtlProblem *problem);
void ctl_linear_cost(const CtlProblem *problem, CtlQp *qp);

/* out = H z, [n] each, without what steps cost besides: of a control the gradient of J. */
void ctl_linear_multiply(const CtlSqpShared *shared, const double *z, double *out);

/* The misses [m] of a motion's end; returns their sum in units of E1 and E2; not finite: one is not a number. */
double ctl_linear_miss(const CtlSqpShared *shared, const double *x, const double *v, double *miss);

/* Whether each miss is at most so many of its units. */
bool ctl_linear_meets(const CtlSqpShared *shared, const double *miss, double error);

/* Lays out the problem of a step from s->at in shared->qp; bend: [m] what the misses are besides, NULL: nothing. */
void ctl_linear_problem(const CtlSqp *s, const double *bend);

/* The extrapolated velocity of a dof that has stopped, whose target j is; 0 of what moves, or has never moved. */
double ctl_linear_ahead(const CtlSqp *s, int j);
/* Its v' before. */
double ctl_linear_deceleration(const CtlSqp *s, int j);

/* Makes of the problem laid out that of the point nearest s->at, by the norm of J, that meets the targets: what would take more
 * effort than an answer is left unmet. nearest false: takes that back. */
void ctl_linear_set_nearest(const CtlSqp *s, bool nearest);

/* s->price by the multipliers of the linear problem's answer. */
void ctl_linear_set_price(CtlSqp *s);
/* What misses [m] cost by these. */
double ctl_linear_price(const CtlSqp *s, const double *miss);

/* What is left of the misses by the linear problem at its answer, in units, summed; one by one in shared->bend. */
double ctl_linear_misses(const CtlSqp *s);

/* bend = miss at the trial, less what is linear. */
void ctl_linear_bend(const CtlSqp *s, const double *miss, double *bend);

#endif
