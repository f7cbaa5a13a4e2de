/* SPDX-License-Identifier: BSD-2-Clause */
/* The friction problem of a step with spring laws (sim/joint/springs.h), or with elastic stops, which are treated in
 * the same way:
 *
 *   E w + Q lambda = b - weight G'h,
 *
 * where h is the mean force of the laws over the path between the positions `from` and `to`, G the matrix of
 * elongations, and Q the factor of lambda. The ends of this path depend on w. */
#ifndef SIM_FRICTION_SPRING_STEP_H
#define SIM_FRICTION_SPRING_STEP_H

#include "sim/core/model.h"
#include "sim/joint/springs.h"
#include "sim/law/lane_vector.h"
#include "sim/step/branches.h"

#include <float.h>

/* Path of a step from one position to another, over which spring forces are averaged. Each end of the path is a + rate
 * w, with w the unknown of the step. Arrays are [count], borrowed. */
typedef struct SpringStep {
  const double *from, *to;   /* [count] the constant a of each end, in m */
  const double *about;       /* position x at which the stiffness force A x in the right side b was computed, in m */
  double from_rate, to_rate; /* rates of the start and of the end of the path */
  double theta;          /* weight of the path's end in the mean spring force (springs_add_mean); 1/2: both ends count
                          * equally */
  double weight;         /* factor of forces in the right side b */
  const SimStops *stops; /* stops with elastic forces, which are also averaged over the path; NULL: none */
} SpringStep;

/* Maximum number of solves of a step, each with spring forces for the previous w. */
enum { SPRING_ROUNDS = 1000 };

/* Returns the end a + rate w of a path of positions. */
LANE_INLINE Simd spring_end(Simd a, double rate, Simd w) { return a + rate * w; }

/* Raises *change to the change of the end `to` of a dof's path by the new w, and *size to the magnitude of that end.
 * Both keep the largest value of all dofs so far. */
LANE_INLINE void spring_measure(Simd a, double rate, Simd w, Simd to, Simd *change, Simd *size) {
  const Simd next = spring_end(a, rate, w);
  *change = simd_larger(simd_abs(next - to), *change);
  *size = simd_larger(simd_abs(next), simd_larger(simd_abs(a), *size));
}

/* Returns the lanes in which the iteration for w has converged: the change of positions is rounding error, or it no
 * longer decreases and is small enough to be the rounding error of a step's solution. last: change in the previous
 * iteration. */
LANE_INLINE SimdMask spring_stays(Simd change, Simd last, Simd size) {
  const double round_off = 8 * DBL_EPSILON, ceased = 1e-11;
  return simd_either(simd_at_most(change, round_off * size),
                     simd_both(simd_at_most(last, change), simd_at_most(change, ceased * size)));
}

/* Solves a step for w with given spring forces h, like friction_solve. A NULL pointer of this type stands for
 * friction_solve. */
typedef SimStatus SpringSolve(const SimModel *model, SimWorkspace *work, const double *right, double *w,
                              StepTally *tally);

/* Solves a step by friction_solve, or by `solve`, repeatedly until w converges, each time with spring forces h for the
 * previous w. Returns the status of the solver, SIM_NOT_CONVERGED if w does not converge, or SIM_OUT_OF_RANGE if a
 * spring ends outside its law's range. */
SimStatus spring_step_solve(const SimModel *model, const FrictionSolver *solver, SpringSolve *solve, SimWorkspace *work,
                            const SpringStep *step, const double *b, double *w, StepTally *tally);

/* Adds the change of the springs' energy in a step to work->energy. The springs act at x before the step and at `goes`
 * after it; then a stop may move the dofs from `goes` to work->x. x is shifted by the same displacement. All arrays are
 * [count]. */
void spring_step_watch(const SimModel *model, SimWorkspace *work, double theta, const double *x, const double *goes);

/* Computes derivatives of a step's solution: the first n columns of y [count][width], with
 *
 *     (E + factor G'diag(slopes)G) y = right,    0 where slip sticks,
 *
 * by iteration with E's factors, like friction_branches_solve. room: two scratch blocks. */
SimStatus spring_step_columns(const Springs *springs, const double *slopes, double factor, const FrictionSolver *solver,
                              FrictionWork *work, FrictionBranches *branches, const signed char *slip, int n, int width,
                              const double *right, double *y, double *room);

#endif
