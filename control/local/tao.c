/* SPDX-License-Identifier: BSD-2-Clause */
/* TAO's method POUNDERS. It minimises the sum of squares of x(T) - x_T, x'(T) - v_T and w sqrt(J), w = 1e-5. For
 * user-defined values it minimises the squares of the constraint violations and of w times the residuals or, without
 * constraints, of the residuals alone. In PETSc 3.18 the method reads memory that it has not written. For reproducible
 * bits PETSc's allocator must therefore return zeroed memory. */
#include "control/local/local.h"
#include "control/outcome/values.h"
#include "sim/group.h"
#include "sim/operator/petsc_library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* maximum number of targets. The memory and the initial time of POUNDERS grow with the square of their number */
enum { TARGETS_MAX = 4096 };

/* Weight w of the effort. It is so small that the effort changes no reachable x(T) by more than about w^2
 * ||dJ/dx(T)||/2. */
static const double EFFORT_WEIGHT = 1e-5;

/* POUNDERS varies y_k = u_i / scale_k for the free entries u_i of u. Its first step increases all y_k by the same
 * amount. So |scale_k| < 1 if the bounds are narrow, and scale_k < 0 if u_i can only be decreased from its start. */
typedef struct Run {
  CtlLocal *local;
  Tao tao;
  Vec y, residuals, lower, upper; /* vectors of PETSc; lower and upper are NULL without bounds */
  PetscOptions options;
  double *last, moved; /* [controls] last point evaluated; its distance, in the solver's variables y, from the point
                        * before */
  int controls;        /* number of entries of u */
  int n, *place;       /* number of entries of y, the variables of the solver; [n] their indices in the control u;
                        * owned */
  double *scale;       /* [n] scales of the variables of the solver */
  double *control;     /* [controls] control u that corresponds to y */
  double tolerance;
  Vec *copies; /* [n_copies] copies that PETSc has made of our vectors, with capacity `room`; owned */
  size_t n_copies, room;
} Run;

/* Chooses the free variables and their scales. Returns false when out of memory. */
static bool choose_variables(Run *run) {
  const CtlProblem *problem = run->local->problem;
  run->last = run->local->scratch;
  run->scale = run->last + problem->n;
  run->control = run->scale + problem->n;
  run->place = malloc((size_t)problem->n * sizeof *run->place);
  if (!run->place) return false;
  const double *control = run->local->start;
  for (int i = 0; i < problem->n; i++) {
    double half = (problem->upper[i] - problem->lower[i]) / 2, step = fmin(run->local->step, half);
    run->last[i] = INFINITY;
    if (half <= 0) continue;
    run->scale[run->n] = step / run->local->step * (control[i] + step <= problem->upper[i] ? 1 : -1);
    run->place[run->n++] = i;
  }
  return true;
}

/* Returns the number of squares in the sum. */
static int count_squares(const CtlProblem *problem) {
  return ctl_target_count(problem) + (problem->roles ? ctl_values_count(problem, CTL_ROLE_RESIDUAL) : 1);
}

/* Multiplies the constraint violations and residuals of a point by their weights, so that the sum of their squares is
 * the function to be minimised. r: [count_squares] */
static void weigh_squares(const CtlProblem *problem, double J, double *r) {
  int targets = ctl_target_count(problem), count = count_squares(problem);
  if (!problem->roles) r[targets] = EFFORT_WEIGHT * sqrt(fmax(0, J));
  for (int i = 0; i < targets; i++)
    if (!ctl_target_is_equation(problem, i)) r[i] = fmax(r[i], 0);
  for (int i = targets; i < count && problem->roles && targets; i++) r[i] *= EFFORT_WEIGHT;
}

static PetscErrorCode residuals(Tao tao, Vec at, Vec values, void *context) {
  Run *run = context;
  CtlLocal *local = run->local;
  const double *y;
  double *control = run->control, *r, J;
  int targets = ctl_target_count(local->problem);
  (void)tao;
  memcpy(control, local->start, (size_t)run->controls * sizeof *control);
  if (VecGetArrayRead(at, &y)) return PETSC_ERR_MEM;
  run->moved = 0;
  for (int k = 0; k < run->n; k++) {
    int i = run->place[k];
    control[i] = run->scale[k] * y[k];
    run->moved = fmax(run->moved, fabs((control[i] - run->last[i]) / run->scale[k]));
  }
  VecRestoreArrayRead(at, &y);
  memcpy(run->last, control, (size_t)run->controls * sizeof *control);
  if (VecGetArray(values, &r)) return PETSC_ERR_MEM;
  bool known = ctl_local_value(local, control, &J, r, local->problem->roles ? r + targets : NULL);
  if (known) weigh_squares(local->problem, J, r);
  VecRestoreArray(values, &r);
  return known ? 0 : VecSet(values, 0); /* after is_over has ended the run the values are not used, but they must be
                                         * finite */
}

/* Copies of vectors ------------------------------------------------------------------------------------------- */

/* When POUNDERS fails, it leaks vectors, which are all copies of our vectors or copies of copies. So the struct Run
 * also holds a reference to each copy, to destroy it. The variable is thread-local because each run has its own
 * thread. */
static _Thread_local Run *running;

/* Releases copies to which only the struct Run refers. */
static PetscErrorCode drop_copies(Run *run) {
  size_t kept = 0;
  for (size_t k = 0; k < run->n_copies; k++) {
    PetscInt holders;
    PetscCall(PetscObjectGetReference((PetscObject)run->copies[k], &holders));
    if (holders > 1)
      run->copies[kept++] = run->copies[k];
    else
      PetscCall(VecDestroy(&run->copies[k]));
  }
  run->n_copies = kept;
  return 0;
}

/* Enlarges the array of copies to twice the number of remaining copies, so that copies are rarely dropped. */
static PetscErrorCode make_room(Run *run) {
  size_t room = 2 * run->n_copies + 64;
  if (room <= run->room) return 0;
  Vec *copies = realloc(run->copies, room * sizeof *copies);
  if (!copies) return PETSC_ERR_MEM;
  run->copies = copies;
  run->room = room;
  return 0;
}

/* Replaces VecDuplicate for our vectors and their copies; stores a reference to each copy. */
static PetscErrorCode duplicate_vector(Vec from, Vec *copy) {
  Run *run = running;
  PetscInt size;
  if (run->n_copies == run->room) {
    PetscCall(drop_copies(run));
    PetscCall(make_room(run));
  }
  PetscCall(VecGetLocalSize(from, &size));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, size, copy));
  PetscCall(PetscObjectReference((PetscObject)*copy));
  run->copies[run->n_copies++] = *copy;
  return VecSetOperation(*copy, VECOP_DUPLICATE, (void (*)(void))duplicate_vector);
}

/* Destroys the remaining copies after TAO has released its references. */
static void destroy_copies(Run *run) {
  for (size_t k = 0; k < run->n_copies; k++) {
    PetscInt holders = 0;
    PetscObjectGetReference((PetscObject)run->copies[k], &holders);
    for (Vec copy = run->copies[k]; holders > 0; holders--, copy = run->copies[k]) VecDestroy(&copy);
  }
  free(run->copies);
}

/* Convergence test. PETSc does not expose the radius of the trust region. Two different points that are closer than
 * `tolerance` show that the radius is as small. The same point twice does not show it, since it may be an interpolation
 * point that is evaluated again. */
static PetscErrorCode is_over(Tao tao, void *context) {
  const Run *run = context;
  if (run->local->over) return TaoSetConvergedReason(tao, TAO_DIVERGED_USER);
  if (run->moved > 0 && run->moved < run->tolerance) return TaoSetConvergedReason(tao, TAO_CONVERGED_STEPTOL);
  return TaoDefaultConvergenceTest(tao, NULL);
}

/* Sets the bounds of the solver's variables y, if the problem has bounds. */
static PetscErrorCode set_bounds(Run *run) {
  const CtlProblem *problem = run->local->problem;
  bool bounded = false;
  for (int k = 0; k < run->n; k++)
    bounded |= isfinite(problem->lower[run->place[k]]) || isfinite(problem->upper[run->place[k]]);
  if (!bounded) return 0;
  PetscCall(VecDuplicate(run->y, &run->lower));
  PetscCall(VecDuplicate(run->y, &run->upper));
  for (int k = 0; k < run->n; k++) {
    double lower = problem->lower[run->place[k]], upper = problem->upper[run->place[k]];
    double a = lower / run->scale[k], b = upper / run->scale[k];
    PetscCall(VecSetValue(run->lower, k, fmax(fmin(a, b), PETSC_NINFINITY), INSERT_VALUES));
    PetscCall(VecSetValue(run->upper, k, fmin(fmax(a, b), PETSC_INFINITY), INSERT_VALUES));
  }
  return TaoSetVariableBounds(run->tao, run->lower, run->upper);
}

/* Runs TAO's solver. An error of PETSc ends it. */
static PetscErrorCode solve_tao(Run *run) {
  const CtlLocal *local = run->local;
  char step[40];
  snprintf(step, sizeof step, "%.17g", local->step);
  PetscCall(PetscOptionsCreate(&run->options));
  PetscCall(PetscOptionsSetValue(run->options, "-tao_pounders_delta", step));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, run->n, &run->y));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, count_squares(local->problem), &run->residuals));
  for (int k = 0; k < run->n; k++)
    PetscCall(VecSetValue(run->y, k, local->start[run->place[k]] / run->scale[k], INSERT_VALUES));
  PetscCall(TaoCreate(PETSC_COMM_SELF, &run->tao));
  PetscCall(PetscObjectSetOptions((PetscObject)run->tao, run->options));
  PetscCall(TaoSetType(run->tao, TAOPOUNDERS));
  PetscCall(TaoSetSolution(run->tao, run->y));
  PetscCall(TaoSetResidualRoutine(run->tao, run->residuals, residuals, run));
  PetscCall(set_bounds(run));
  PetscCall(VecSetOperation(run->y, VECOP_DUPLICATE, (void (*)(void))duplicate_vector));
  PetscCall(VecSetOperation(run->residuals, VECOP_DUPLICATE, (void (*)(void))duplicate_vector));
  PetscCall(TaoSetConvergenceTest(run->tao, is_over, run));
  PetscCall(TaoSetTolerances(run->tao, 1e-12, 0, 0));
  PetscCall(TaoSetMaximumFunctionEvaluations(run->tao, CTL_LOCAL_MOST));
  PetscCall(TaoSetMaximumIterations(run->tao, CTL_LOCAL_MOST));
  PetscCall(TaoSetFromOptions(run->tao));
  ctl_local_pass(run->local);
  PetscCall(TaoSolve(run->tao));
  TaoConvergedReason reason;
  PetscCall(TaoGetConvergedReason(run->tao, &reason));
  ctl_local_pass(run->local);
  run->local->cut = reason == TAO_DIVERGED_MAXFCN || reason == TAO_DIVERGED_MAXITS;
  return 0;
}

static void minimise(CtlLocal *local) {
  Run run = {.local = local, .controls = local->problem->n, .tolerance = local->problem->tolerance};
  running = &run;
  PetscErrorCode error = choose_variables(&run) ? solve_tao(&run) : PETSC_ERR_MEM;
  ctl_local_pass(local);
  local->no_memory = sim_petsc_status(error) == SIM_NO_MEMORY;
  local->failed = error && !local->no_memory;
  /* TAO is not destroyed after a lack of memory: PETSc 3.18 crashes when it destroys an incomplete one */
  if (!local->no_memory) TaoDestroy(&run.tao);
  destroy_copies(&run);
  VecDestroy(&run.y);
  VecDestroy(&run.residuals);
  VecDestroy(&run.lower);
  VecDestroy(&run.upper);
  PetscOptionsDestroy(&run.options);
  free(run.place);
}

const CtlMethod ctl_tao_methods[] = {
    {"tao:pounders",
     "least squares of the target's residuals and 1e-5 sqrt(J): not minimising J if the target leaves freedom",
     &ctl_local_ops, .own = &(const CtlLocalSolver){minimise, 0, 0}, .petsc = true, .library = true,
     .constrained = true, .targets = TARGETS_MAX, .residuals = true},
    {0},
};
