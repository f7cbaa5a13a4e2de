/* A step's friction problem where springs have a law (sim/joint/springs.h), or elastic stops are like such:
 *
 *     E w + Q lambda = b - weight G'h,    h the law's mean over the way from `from` to `to`, which go with w. */
#ifndef SIM_FRICTION_SPRING_STEP_H
#define SIM_FRICTION_SPRING_STEP_H

#include "sim/core/model.h"
#include "sim/joint/springs.h"
#include "sim/law/lane_vector.h"
#include "sim/step/branches.h"

#include <float.h>

/* The way that a step goes, whose ends are a + rate w. All [count], borrowed. */
typedef struct SpringStep {
  const double *from, *to; /* a of each end, m */
  const double *about;     /* x of b's A x, m */
  double from_rate, to_rate;
  double theta;          /* 1/2: the mean alone, springs_add_mean */
  double weight;         /* of forces in b */
  const SimStops *stops; /* whose elastic ends push with their mean over the way, too; NULL: none do */
} SpringStep;

/* Rounds of a step at most. */
enum { SPRING_ROUNDS = 1000 };

/* The end of a way for w. */
LANE_INLINE Simd spring_end(Simd a, double rate, Simd w) { return a + rate * w; }

/* By how much w moves the end `to` of dof i's way, and how far that is from 0: to the largest of the dofs before. */
LANE_INLINE void spring_measure(Simd a, double rate, Simd w, Simd to, Simd *change, Simd *size) {
  const Simd next = spring_end(a, rate, w);
  *change = simd_larger(simd_abs(next - to), *change);
  *size = simd_larger(simd_abs(next), simd_larger(simd_abs(a), *size));
}

/* Whether w has stayed. Of positions: changes that are round-off; and what round-off in a step's solution may leave where changes have
 * ceased to shrink. last: the change before. */
LANE_INLINE SimdMask spring_stays(Simd change, Simd last, Simd size) {
  const double round_off = 8 * DBL_EPSILON, ceased = 1e-11;
  return simd_either(simd_at_most(change, round_off * size),
                     simd_both(simd_at_most(last, change), simd_at_most(change, ceased * size)));
}

/* Solves for w with h as it is; as friction_solve, which it is where this is NULL. */
typedef SimStatus SpringSolve(const SimModel *model, SimWorkspace *work, const double *right, double *w,
                              StepTally *tally);

/* As friction_solve, with the last w in h again and again, until w stays. Besides SIM_NOT_CONVERGED, too, where it does not;
 * SIM_OUT_OF_RANGE: a spring ends longer or shorter than its law's range. */
SimStatus spring_step_solve(const SimModel *model, const FrictionSolver *solver, SpringSolve *solve, SimWorkspace *work,
                            const SpringStep *step, const double *b, double *w, StepTally *tally);

/* The energy of a step that has gone to `goes` by the springs' laws, and from there to work->x at once, as a stop moves it; x: work->x less the way to
 * `goes`, which the scheme takes for the place before the step. [count] each. */
void spring_step_watch(const SimModel *model, SimWorkspace *work, double theta, const double *x, const double *goes);

/* Derivatives of a step's solution: y [count][width], its first n columns, of
 *
 *     (E + factor G'diag(slopes)G) y = right,    0 where slip sticks,
 *
 * by E's factors again and again, as friction_branches_solve has it. room: two blocks. */
SimStatus spring_step_columns(const Springs *springs, const double *slopes, double factor, const FrictionSolver *solver,
                              FrictionWork *work, FrictionBranches *branches, const signed char *slip, int n, int width,
                              const double *right, double *y, double *room);

#endif
