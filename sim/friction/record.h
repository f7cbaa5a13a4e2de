/* Record of steps of moreau and centered for adjoint sweeps, and the parts that both sweeps share. Each step is a
 * linear map on its branches (tangent.h); the adjoint step is the same solve with the transpose of E. */
#ifndef SIM_FRICTION_RECORD_H
#define SIM_FRICTION_RECORD_H

#include "sim/friction/tangent.h"

#include <stdint.h>

/* SimAdjoint.own. Rows 0..N belong to steps. All arrays are owned and allocated at creation; rollouts allocate
 * nothing. */
typedef struct FrictionRecord {
  uint64_t *slides; /* [N+1][words] bit i: dof i does not stick */
  size_t words;
  double *slope;    /* [N+1][count] derivative of a step's right side by v, C gamma' times force; NULL: no law */
  double *rise;     /* [N+1][count] its derivative by e_i of thresholds that depend on position; NULL: none */
  double *terms;    /* [N+1][wanted][count] its derivatives by c, M_ii, D_ii, beta; NULL: not needed */
  StepTable *table; /* [N+1][count] likewise by a table's numbers; NULL: not needed */
  double *creep;    /* [N+1][count] regularized: derivative of lambda by c for dofs that stick; NULL: not needed */
  SimDependence on[DEPENDENCES]; /* quantities to differentiate by */
  int wanted;
  /* springs with a law: slopes [N+1][4][count]; for a sweep two blocks and scratch slopes [2][count]; else NULL */
  double *springs;
  struct Thresholds *thresholds; /* regularized with varying thresholds: those of the sweep's step; else NULL */
  struct StopsRecord *stops;     /* stops, if any, else NULL */
  StepStops past;
  FrictionWork work;         /* solvers of a sweep, like the rest */
  FrictionBranches branches; /* their factors */
  const uint64_t *known;     /* bits of the branches of these factors; NULL: none yet */
  signed char *slip;         /* [count] these branches; 0: sticks */
  /* [count][width] right side and solution of a solve, as columns of the sweep; in one block with the next ones */
  double *right, *y;
  double *after, *lambda; /* [count][width] differences: dJ/dx^{n+1}; regularized: dJ/dlambda^n; else NULL */
} FrictionRecord;

/* Starts the record when x, v, slip of t = 0 are in the workspace. */
void friction_record_start(SimWorkspace *work);
/* Records the solved step n (n = 0: the first, of centered). */
void friction_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *terms);
/* Sets record->slip to the branches of step n. */
void friction_record_branches(const SimModel *model, FrictionRecord *record, long n);
/* Slopes of springs in step n, before and after: [2][2][count]. */
static inline double *friction_record_springs(const SimAdjoint *adjoint, long n) {
  return ((FrictionRecord *)adjoint->own)->springs + 4 * (size_t)n * (size_t)adjoint->model->problem.count;
}
/* Adds the contributions of record->y, the derivative of J by the right side of step n, to the derivatives by control,
 * c, M, D and beta. */
void friction_record_collect(SimAdjoint *adjoint, long n, double force);
/* The same for the control and a table's numbers only; and for the others only, with terms [wanted][count] and y
 * [count][width]. */
void friction_record_control(SimAdjoint *adjoint, long n, double force);
void friction_record_numbers(SimAdjoint *adjoint, const double *terms, double *y);
/* Adds to adjoint->v, at the state before step n, its slopes times record->y, and the weights of the stops in the
 * step. */
void friction_record_speed(SimAdjoint *adjoint, long n);

/* Adds to place [count][width], the derivative of J by the position at which step n evaluates thresholds, the
 * contribution of record->y. */
void friction_record_place(const SimAdjoint *adjoint, long n, double *place);

/* Records the solved step n. With second differences, it is called
 * before x moves to t_n; with velocities, before or after. SIM_OK;
 * SIM_NO_MEMORY: in a step with stops. */
SimStatus form_record_step(const SimModel *model, SimWorkspace *work, long n);
SimStatus form_sweep(SimAdjoint *adjoint); /* SimAdjoint.sweep */
/* Solver k as in the sweep's current step; fixed: the plan's. */
const FrictionSolver *form_record_solver(const SimAdjoint *adjoint, int k, const FrictionSolver *fixed);
/* Adjoint of form_tangent_springs: to -= factor G'diag(mix)G y of step n; and of form_tangent_solve. */
void form_record_springs(const SimAdjoint *adjoint, long n, double factor, SpringMix mix, const double *y, double *to);
SimStatus form_record_solve(const SimAdjoint *adjoint, long n, const FrictionSolver *solver, double factor,
                            double minus);

#endif
