/* Thresholds that vary in time, for example by a varying normal force: C(t) instead of C in (1). A step uses those at
 * t_n, where its friction law holds. The scheme `event` uses polynomials. */
#ifndef SIM_JOINT_THRESHOLD_H
#define SIM_JOINT_THRESHOLD_H

#include "sim/internal.h"

/* The row of SimProblem.thresholds that holds from t on. For each power it has the coefficients of forward thresholds,
 * then of backward ones. */
const double *threshold_piece(const SimProblem *problem, double t);
/* End of this row's piece, s. */
double threshold_end(const SimProblem *problem, const double *row);
/* Half the sum and half the difference of both directions' thresholds at t, N: [d] each. */
void threshold_at(const SimProblem *problem, double t, double *friction, double *bias);
/* Series of these over the piece that holds from t on, by powers of the fraction of the piece, without what depends on
 * position: [order + 1][count] each. Sets *end to the piece's end, s; returns the order. For thresholds that vary with
 * time or position. */
int threshold_series(const SimProblem *problem, double t, double *friction, double *bias, double *end);
/* Threshold of dof i only, at the position x [count]; also for constant thresholds. */
void threshold_of(const SimProblem *problem, int i, double t, const double *x, double *friction, double *bias);

/* Smallest threshold of dof i over time and both directions, from samples, N. */
double threshold_least(const SimProblem *problem, int i);

#endif
