/* Thresholds that change in time, as by a normal force: C(t) in place of C of (1). A step takes those of its own instant t_n, where
 * friction's law holds; the scheme `event` has them as polynomials. */
#ifndef SIM_JOINT_THRESHOLD_H
#define SIM_JOINT_THRESHOLD_H

#include "sim/sim.h"

/* The row of SimProblem.thresholds that holds from t on; of each power the coefficients of forward thresholds, then of backward ones. */
const double *threshold_piece(const SimProblem *problem, double t);
/* Where its piece ends, s. */
double threshold_end(const SimProblem *problem, const double *row);
/* Half the sum and half the difference of both directions at t, N: [d] each. */
void threshold_at(const SimProblem *problem, double t, double *friction, double *bias);
/* The same of dof i alone, at the place x [count] of (1), whether thresholds change or not. */
void threshold_of(const SimProblem *problem, int i, double t, const double *x, double *friction, double *bias);

/* The least of dof i's thresholds in time, both ways, as far as samples show, N. */
double threshold_least(const SimProblem *problem, int i);

#endif
