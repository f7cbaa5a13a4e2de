/* What a way back along the steps of moreau and centered needs to know of them, and what both ways back share. Each step's map is
 * linear on its branches (tangent.h): backwards it is the same solve with the transpose of E. */
#ifndef SIM_FRICTION_RECORD_H
#define SIM_FRICTION_RECORD_H

#include "sim/friction/tangent.h"

#include <stdint.h>

/* An adjoint's own. Rows 0..N are of steps; all is owned, and taken at once: no rollout allocates. */
typedef struct FrictionRecord {
  uint64_t *slides; /* [N+1][words] bit i: dof i does not stick */
  size_t words;
  double *slope;    /* [N+1][count] of a step's right side by v, C gamma' times force; NULL: there is no law */
  double *rise;     /* [N+1][count] of a step's right side by e_i of thresholds that depend on place; NULL: none does */
  double *terms;    /* [N+1][wanted][count] of a step's right side by c, M_ii, D_ii, beta; NULL: none is wanted */
  StepTable *table; /* [N+1][count] likewise of a table's numbers; NULL: not wanted */
  double *creep;    /* [N+1][count] regularized: what lambda of what sticks has of c; NULL: not wanted */
  SimDependence on[DEPENDENCES]; /* which are wanted */
  int wanted;
  double *
      springs; /* with a law: slopes [N+1][4][count], and of a sweep two blocks and room for slopes [2][count]; else NULL */
  struct Thresholds *thresholds; /* regularized, of thresholds that change: those of a sweep's step, else NULL */
  struct StopsRecord *stops;     /* where there are any, else NULL */
  StepStops past;
  FrictionWork work;         /* of a sweep, as the rest: its solvers */
  FrictionBranches branches; /* their factors */
  const uint64_t *known;     /* bits of the branches that these are of; NULL: of none */
  signed char *slip;         /* [count] those branches: 0 sticks */
  double *right, *y;         /* [count][width] of a solve, as columns of the sweep; in one block with the next ones */
  double *after, *lambda;    /* [count][width] differences: dJ/dx^{n+1}; regularized: dJ/dlambda^n; else NULL */
} FrictionRecord;

/* Where a rollout begins, once x, v, slip of t = 0 stand in the workspace. */
void friction_record_start(SimWorkspace *work);
/* Once step n is solved (n = 0: the first, of centered). */
void friction_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *terms);
/* record->slip of step n. */
void friction_record_branches(const SimModel *model, FrictionRecord *record, long n);
/* The slopes of springs in step n, before and after [2][2][count]. */
static inline double *friction_record_springs(const SimAdjoint *adjoint, long n) {
  return ((FrictionRecord *)adjoint->own)->springs + 4 * (size_t)n * (size_t)adjoint->model->problem.count;
}
/* What record->y, the derivative of J with regard to the right side of step n, makes of control, c, M, D and beta. */
void friction_record_collect(SimAdjoint *adjoint, long n, double force);
/* Of the control and a table's numbers alone; of the others alone, with terms [wanted][count] and y [count][width]. */
void friction_record_control(SimAdjoint *adjoint, long n, double force);
void friction_record_numbers(SimAdjoint *adjoint, const double *terms, double *y);
/* adjoint->v, of before step n, += its slopes times record->y, and the weights of the stops in the step. */
void friction_record_speed(SimAdjoint *adjoint, long n);

/* place [count][width], the derivative of J with regard to the place at which thresholds of step n are taken, += what their rise makes of
 * record->y. */
void friction_record_place(const SimAdjoint *adjoint, long n, double *place);

/* Puts step n on record, once it is solved; the levels of differences have not moved yet, the others' x may have. SIM_OK;
 * SIM_NO_MEMORY: of a step with stops. */
SimStatus form_record_step(const SimModel *model, SimWorkspace *work, long n);
SimStatus form_sweep(SimAdjoint *adjoint); /* SimAdjoint.sweep */
/* The k-th solver as it was at the step under way; fixed: the plan's. */
const FrictionSolver *form_record_solver(const SimAdjoint *adjoint, int k, const FrictionSolver *fixed);
/* As form_tangent_springs: to -= factor G'diag(mix)G y of step n; and form_tangent_solve. */
void form_record_springs(const SimAdjoint *adjoint, long n, double factor, SpringMix mix, const double *y, double *to);
SimStatus form_record_solve(const SimAdjoint *adjoint, long n, const FrictionSolver *solver, double factor,
                            double minus);

#endif
