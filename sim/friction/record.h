/* SPDX-License-Identifier: BSD-2-Clause */
/* Record of steps of moreau and centered for adjoint sweeps, and functions that both schemes' sweeps share. J is the
 * number that a sweep differentiates. As long as no dof changes between sticking and sliding, a step is a linear map
 * (tangent.h). The adjoint of a step is a solve with the transpose of its matrix E. */
#ifndef SIM_FRICTION_RECORD_H
#define SIM_FRICTION_RECORD_H

#include "sim/friction/tangent.h"

#include <stdint.h>

/* Data of an adjoint (SimAdjoint.own) for the schemes moreau and centered. Row n of an array that begins with [N+1]
 * belongs to step n of N. All arrays are owned and allocated at creation; rollouts allocate nothing. */
typedef struct FrictionRecord {
  uint64_t *slides; /* [N+1][words] bit i of a row: dof i slides in this step */
  size_t words;
  /* [N+1][count] derivative of a step's right side by v_i: force times c_i gamma'(v_i); NULL: gamma is 0 */
  double *slope;
  /* [N+1][count] derivative of a step's right side by e_i, the position or elongation on which threshold i depends
   * (rise.h); NULL: no threshold depends on position */
  double *rise;
  /* [N+1][wanted][count] derivatives of a step's right side by c_i, M_ii, D_ii or beta_i; NULL: not needed */
  double *terms;
  StepTable *table; /* [N+1][count] data for the derivatives of a step's right side by the entries of a friction table;
                     * NULL: not needed */
  double *creep;    /* [N+1][count] for the regularized law: derivative of lambda_i by c_i for dofs that stick and
                     * creep; NULL: not needed */
  SimDependence on[DEPENDENCES]; /* [wanted] kinds of quantities by which to differentiate: threshold c, mass M_ii,
                                  * damping D_ii or drop of friction beta */
  int wanted;
  /* [N+1][4][count] slopes of spring laws in all steps; behind them, for a sweep, two scratch blocks and scratch slopes
   * [2][count]; NULL: no spring has a law */
  double *springs;
  /* for the regularized law with varying thresholds: thresholds in the sweep's current step; otherwise NULL */
  struct Thresholds *thresholds;
  struct StopsRecord *stops; /* record of steps with stops; NULL: the model has no stops */
  StepStops past;
  FrictionWork work;         /* data of the solvers for a sweep, like all members below */
  FrictionBranches branches; /* factored matrices of the dofs that slide in a step */
  const uint64_t *known;     /* row of `slides` for which `branches` is valid; NULL: none */
  signed char *slip;         /* [count] directions of slip for which `branches` is valid; 0: sticks */
  /* [count][width] right side and solution of a solve of the sweep; in one block with after and lambda */
  double *right, *y;
  /* [count][width] for differences of positions: dJ/dx^{n+1}, otherwise NULL; for the regularized law: dJ/dlambda^n,
   * otherwise NULL */
  double *after, *lambda;
} FrictionRecord;

/* Begins the record of a rollout. The workspace must contain x, v and slip at t = 0. */
void friction_record_start(SimWorkspace *work);
/* Records the solved step n; n = 0: the first step of centered. */
void friction_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *terms);
/* Sets record->slip to the dofs that stick or slide in step n. */
void friction_record_branches(const SimModel *model, FrictionRecord *record, long n);
/* Returns the slopes S- and S+ of the spring forces by the ends of their path (form_springs.h) in step n:
 * [2][2][count]. */
static inline double *friction_record_springs(const SimAdjoint *adjoint, long n) {
  return ((FrictionRecord *)adjoint->own)->springs + 4 * (size_t)n * (size_t)adjoint->model->problem.count;
}
/* Adds the effect of step n, through its right side, to the derivatives of J by the control, thresholds c, masses M,
 * damping D and beta. The derivative of J by this right side is record->y. */
void friction_record_collect(SimAdjoint *adjoint, long n, double force);
/* Parts of friction_record_collect: friction_record_control for the control and the entries of a table,
 * friction_record_numbers for c, M, D and beta, with terms [wanted][count] and y [count][width]. */
void friction_record_control(SimAdjoint *adjoint, long n, double force);
void friction_record_numbers(SimAdjoint *adjoint, const double *terms, double *y);
/* Adds to adjoint->v, which is dJ/dv before step n, record->slope times record->y, and the weights of the dofs that
 * came to rest in the step. */
void friction_record_speed(SimAdjoint *adjoint, long n);

/* Adds to `place` [count][width], the derivative of J by the position at which step n evaluates thresholds, the effect
 * of record->y through position-dependent thresholds. */
void friction_record_place(const SimAdjoint *adjoint, long n, double *place);

/* Records the solved step n. A scheme with differences of positions (centered) must call this function before x is
 * advanced to t_n; a scheme with velocities (moreau) may call it before or after. Returns SIM_OK, or SIM_NO_MEMORY in a
 * step with stops. */
SimStatus form_record_step(const SimModel *model, SimWorkspace *work, long n);
SimStatus form_sweep(SimAdjoint *adjoint); /* implements SimAdjoint.sweep */
/* Returns solver k with the thresholds of the sweep's current step. If thresholds are constant, returns `fixed`, the
 * plan's solver k. */
const FrictionSolver *form_record_solver(const SimAdjoint *adjoint, int k, const FrictionSolver *fixed);
/* Adjoints of form_tangent_springs and of form_tangent_solve, for step n. form_record_springs subtracts factor
 * G'diag(mix)G y from `to`. */
void form_record_springs(const SimAdjoint *adjoint, long n, double factor, SpringMix mix, const double *y, double *to);
SimStatus form_record_solve(const SimAdjoint *adjoint, long n, const FrictionSolver *solver, double factor,
                            double minus);

#endif
