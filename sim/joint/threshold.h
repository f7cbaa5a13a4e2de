/* SPDX-License-Identifier: BSD-2-Clause */
/* Thresholds that vary in time, for example by a varying normal force: C(t) replaces C in equation (1) of sim/sim.h. A
 * step uses the thresholds at t_n, where its friction law holds. The scheme `event` uses polynomials. */
#ifndef SIM_JOINT_THRESHOLD_H
#define SIM_JOINT_THRESHOLD_H

#include "sim/internal.h"

/* Returns the row of SimProblem.thresholds that is valid from the time t on. For each power of time the row has the
 * coefficients of the thresholds for forward sliding, then for backward sliding. */
const double *threshold_piece(const SimProblem *problem, double t);
/* Computes the thresholds at the time t, in N, as half the sum (friction) and half the difference (bias) of both
 * directions: [d] each. */
void threshold_at(const SimProblem *problem, double t, double *friction, double *bias);
/* Computes the series of half the sum and half the difference of both directions' thresholds, without the part that
 * depends on position: [order + 1][count] each, in powers of the fraction of the piece that is valid from t on. Sets
 * *end to the piece's end, in s. Returns the order. Only for thresholds that vary with time or position. */
int threshold_series(const SimProblem *problem, double t, double *friction, double *bias, double *end);
/* Computes half the sum and half the difference of the thresholds of dof i only, at the time t and the position x
 * [count], in N; also for constant thresholds. */
void threshold_of(const SimProblem *problem, int i, double t, const double *x, double *friction, double *bias);

/* Returns the smallest threshold of dof i over time and both directions, from samples, in N. */
double threshold_least(const SimProblem *problem, int i);

#endif
