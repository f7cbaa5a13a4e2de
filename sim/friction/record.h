/* SPDX-License-Identifier: BSD-2-Clause */
/* Record of steps of moreau and centered for adjoint sweeps, and the parts that both sweeps share. J is the number that
 * a sweep differentiates. As long as no dof changes its branch of the friction law, a step is a linear map (tangent.h).
 * The adjoint of a step is the same solve with the transpose of E. */
#ifndef SIM_FRICTION_RECORD_H
#define SIM_FRICTION_RECORD_H

#include "sim/friction/tangent.h"

#include <stdint.h>

/* Data of an adjoint (SimAdjoint.own) for the schemes moreau and centered. Row n of an array [N+1].. belongs to step n
 * of N. All arrays are owned and allocated at creation; rollouts allocate nothing. */
typedef struct FrictionRecord {
  uint64_t *slides; /* [N+1][words] bit i of a row: dof i does not stick in this step */
  size_t words;
  /* [N+1][count] derivative of a step's right side by v_i: force times c_i gamma'(v_i); NULL: gamma is 0 */
  double *slope;
  /* [N+1][count] derivative of a step's right side by e_i, the elongation on which threshold i depends (rise.h); NULL:
   * no threshold depends on position */
  double *rise;
  /* [N+1][wanted][count] derivatives of a step's right side by c_i, M_ii, D_ii or beta_i; NULL: not needed */
  double *terms;
  StepTable *table; /* [N+1][count] derivatives of a step's right side by the entries of a friction table; NULL: not
                     * needed */
  double *creep;    /* [N+1][count] regularized law: derivative of lambda_i by c_i for dofs that stick and creep; NULL:
                  * not needed */
  SimDependence on[DEPENDENCES]; /* [wanted] kinds of quantities by which to differentiate: threshold c, mass M_ii,
                                  * damping D_ii or drop of friction beta */
  int wanted;
  /* slopes [N+1][4][count] of spring laws in all steps, then for a sweep two scratch blocks and scratch slopes
   * [2][count]; NULL: no spring has a law */
  double *springs;
  /* regularized law with varying thresholds: thresholds in the sweep's current step; else NULL */
  struct Thresholds *thresholds;
  struct StopsRecord *stops; /* record of steps with stops, if the model has stops; else NULL */
  StepStops past;
  FrictionWork work;         /* solver's data of a sweep, like all below */
  FrictionBranches branches; /* factored matrices of the solvers for the branches of a step */
  const uint64_t *known;     /* row of `slides` for which the factors are valid; NULL: none */
  signed char *slip;         /* [count] branches for which the factors are valid; 0: sticks */
  /* [count][width] right side and solution of a solve of the sweep; in one block with after and lambda */
  double *right, *y;
  /* [count][width] if velocities are differences: dJ/dx^{n+1}; for the regularized law: dJ/dlambda^n; else NULL */
  double *after, *lambda;
} FrictionRecord;

/* Begins the record of a rollout. The workspace must contain x, v and slip at t = 0. */
void friction_record_start(SimWorkspace *work);
/* Records the solved step n; n = 0: the first step of centered. */
void friction_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *terms);
/* Sets record->slip to the branches of step n. */
void friction_record_branches(const SimModel *model, FrictionRecord *record, long n);
/* Returns the slopes S- and S+ of the spring forces by the ends of their path (form_springs.h) in step n:
 * [2][2][count]. */
static inline double *friction_record_springs(const SimAdjoint *adjoint, long n) {
  return ((FrictionRecord *)adjoint->own)->springs + 4 * (size_t)n * (size_t)adjoint->model->problem.count;
}
/* Adds the effect of step n, through its right side, to the derivatives of J by the control, thresholds c, masses M,
 * damping D and beta. The derivative of J by this right side is record->y. */
void friction_record_collect(SimAdjoint *adjoint, long n, double force);
/* Parts of friction_record_collect: _control for the control and a table's numbers; _numbers for c, M, D and beta, with
 * terms [wanted][count] and y [count][width]. */
void friction_record_control(SimAdjoint *adjoint, long n, double force);
void friction_record_numbers(SimAdjoint *adjoint, const double *terms, double *y);
/* Adds to adjoint->v, which is dJ/dv before step n, the term of record->slope times record->y, and the weights of the
 * stops in the step. */
void friction_record_speed(SimAdjoint *adjoint, long n);

/* Adds the effect of record->y through position-dependent thresholds to `place` [count][width], the derivative of J by
 * the position at which step n evaluates thresholds. */
void friction_record_place(const SimAdjoint *adjoint, long n, double *place);

/* Records the solved step n. A scheme with differences of positions (centered) calls it before x moves to t_n; one with
 * velocities (moreau) may call it before or after. SIM_OK; SIM_NO_MEMORY: in a step with stops. */
SimStatus form_record_step(const SimModel *model, SimWorkspace *work, long n);
SimStatus form_sweep(SimAdjoint *adjoint); /* implements SimAdjoint.sweep */
/* Returns solver k with the thresholds of the sweep's current step. If thresholds are constant, returns `fixed`, the
 * plan's solver k. */
const FrictionSolver *form_record_solver(const SimAdjoint *adjoint, int k, const FrictionSolver *fixed);
/* Adjoints of form_tangent_springs and of form_tangent_solve, for step n. form_record_springs: to -= factor
 * G'diag(mix)G y. */
void form_record_springs(const SimAdjoint *adjoint, long n, double factor, SpringMix mix, const double *y, double *to);
SimStatus form_record_solve(const SimAdjoint *adjoint, long n, const FrictionSolver *solver, double factor,
                            double minus);

#endif
