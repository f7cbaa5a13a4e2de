/* SPDX-License-Identifier: BSD-2-Clause */
/* Springs with a force law g(e) of their elongation. Springs to the ground (anchors) have e = x_i, springs between
 * neighbours (links) have e = x_{i+1} - x_i. Ground and neighbours are called the two places of springs. The matrix G
 * computes the elongations G x:
 *
 *   M x'' + D x' + A x + G'g(G x) + C (lambda - gamma(x')) = f + B u
 *
 * Schemes with steps use the mean of g along the path of a step, since its work is exactly the change of potential.
 * They solve the step repeatedly, each time with the previous solution w in that mean. To make this iteration contract,
 * the mean stiffness k >= 0 of each law is added to A: E contains A + G'k G, and h(e) = g(e) - k (e - e_0) remains on
 * the right side, with |h'| <= r. e_0 is the elongation at the position at which A acts:
 *
 *   E w + Q lambda = b - G'h_mean(w), b with A alone.
 *
 * (k e is never computed by itself, since its rounding error may exceed g where a spring rests.) The iteration
 * contracts, and the solution is unique, if rest_weight G'r G < E; with moreau, if theta^2 dt^2 G'g'G > -M. Schemes
 * without steps use k = 0. */
#ifndef SIM_JOINT_SPRINGS_H
#define SIM_JOINT_SPRINGS_H

#include "sim/base/curve.h"
#include "sim/operator/check.h"
#include "sim/operator/operator.h"

/* Nonlinear springs of a model. They do not change after creation. */
typedef struct Springs {
  const SimProblem *problem; /* the problem of the model, in which A contains the mean stiffnesses k of the springs */
  /* the problem with its original A, without mean stiffnesses; the model owns its data */
  SimProblem alone;
  Curve law[SIM_SPRING_PLACES]; /* law g (force over elongation) of the springs at each place, and its potential; the
                                 * problem owns the data */
  /* [columns] for each law: mean stiffness k, and bound r of the slope |h'| of the remaining force h; owned */
  double *stiffness[SIM_SPRING_PLACES], *spread[SIM_SPRING_PLACES];
  double *within[SIM_SPRING_PLACES]; /* [pieces][columns] for each polynomial piece of a law: largest force |g| between
                                      * the piece and its centre (pieces.h), an elongation near which the force is
                                      * small; owned */
  double *joined;                    /* the matrix A with the mean stiffnesses k added, in dense storage; owned */
  SimMatrix joined_rows;             /* the matrix A with the mean stiffnesses k added, in sparse storage; owned */
} Springs;

/* Indices of the vectors of work->springs, [count] each, that all solves of a step use. */
enum { SPRING_FROM, SPRING_TO, SPRING_RIGHT, SPRING_LAMBDA, SPRING_BASE, SPRING_OTHER, SPRING_ABOUT, SPRING_VECTORS };

static inline bool springs_present(const SimProblem *p) {
  return p->springs[SIM_ANCHORS].pieces > 0 || p->springs[SIM_LINKS].pieces > 0;
}
/* Returns the number of springs of a place on this rank. */
static inline int springs_of(const SimProblem *p, SimSpringPlace place) {
  if (p->springs[place].pieces == 0) return 0;
  return place == SIM_ANCHORS ? p->count : p->count - 1;
}
/* Returns the elongation, in m, of spring k of a place at the position x: entry k of G x. */
static inline double springs_elongation(SimSpringPlace place, const double *x, int k) {
  return place == SIM_ANCHORS ? x[k] : x[k + 1] - x[k];
}
/* Adds the force of spring k of a place, in N, to the forces [count] on the dofs at both ends of the spring. */
static inline void springs_add_force(SimSpringPlace place, int k, double h, double *force) {
  if (place == SIM_LINKS) force[k] -= h;
  force[place == SIM_LINKS ? k + 1 : k] += h;
}
/* springs_column returns the column of a law for spring i of a place (springs may share one law). springs_stiffness
 * returns the mean stiffness k of that spring, in N/m. */
static inline int springs_column(Curve law, int i) { return law.columns == 1 ? 0 : i; }
static inline double springs_stiffness(const Springs *springs, SimSpringPlace place, int i) {
  return springs->stiffness[place][springs_column(springs->law[place], i)];
}
/* springs_join replaces the matrix A of a problem by A + G'k G; springs_part restores A, and accepts NULL. steps:
 * whether the scheme has steps. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus springs_join(SimProblem *problem, bool steps, Springs **springs);
void springs_part(SimProblem *problem, Springs *springs);
/* Returns the problem without the mean stiffnesses in A; the problem itself if springs is NULL. */
static inline const SimProblem *springs_alone(const Springs *springs, const SimProblem *problem) {
  return springs ? &springs->alone : problem;
}
/* Returns the largest step, in s, for which rest_weight G'r G < E is proven, so that the iteration of a step converges;
 * INFINITY: any step. step: SimScheme.step_operator, from which the matrix E of the step is made. */
double springs_limit(const Springs *springs, OperatorSum step, double rest_weight, double mass_min);
/* Sets *contracts to whether rest_weight G'r G < 0.9 E is proven at the problem's step, from the entries of the step's
 * matrix E. This test is for problems in which the smallest mass gives no bound, so that springs_limit is unknown.
 * Collective. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus springs_contract(const Springs *springs, OperatorSum step, double rest_weight, bool *contracts);

/* Returns the potential energy of the springs at the position x, in J; the part of this rank's rows. */
double springs_stored(const Springs *springs, const double *x);
/* Returns the size of the terms of the springs' energies, in J, relative to which rounding errors are measured; this
 * rank's rows only. For each spring it is the sum of three numbers: the largest terms of the potential's polynomial;
 * the force times |x| of the spring's ends, since x is rounded; and |x|^2 |g'|, since with a natural length other than
 * 0 the force is 0 only for the exact x. */
double springs_size(const Springs *springs, const double *x);
/* Whether all springs are within the ranges of their laws; the same on all ranks. */
bool springs_inside(const Springs *springs, const double *x);
/* Adds the springs' forces h in a step from x to next: force [count] += factor G'(h_mean + (theta - 1/2) (h(next) -
 * h(x))), with h_mean the mean over the path. about: position at which A acts, with the elongations e_0. Beyond its
 * range a law continues along its tangent. For springs with an end without mass h_mean is (h(x) + h(next))/2. */
void springs_add_mean(const Springs *springs, double theta, double factor, const double *x, const double *next,
                      const double *about, double *force);
/* springs_law_mean returns the mean of a law g from e to next, in N, and springs_law_rise g(next) - g(e) in N. */
double springs_law_mean(Curve law, int column, double e, double next);
double springs_law_rise(Curve law, int column, double e, double next);
/* Computes the derivatives of the force of springs_add_mean by the elongations e (before) and e_next (after) of each
 * spring, in N/m: anchors [count], then links [count]. */
void springs_slopes(const Springs *springs, double theta, const double *x, const double *next, double *before,
                    double *after);
/* Adds factor G' diag(slopes) G x to y, with the slopes of springs_slopes, for the first n columns of blocks
 * [count][width] (sim/operator/columns.h). */
void springs_add_columns(const Springs *springs, const double *slopes, double factor, int n, int width, const double *x,
                         double *y);
/* springs_rise returns the sum over the springs of (e_next - e) (g(next) - g(x)). For theta = 1 this sum is twice the
 * amount by which the work of the force of springs_add_mean exceeds the change of potential. springs_mean_form returns
 * the sum of k (e_next - e)^2. Both functions return the part of this rank's rows. */
double springs_rise(const Springs *springs, const double *x, const double *next);
double springs_mean_form(const Springs *springs, const double *x, const double *next);

#endif
