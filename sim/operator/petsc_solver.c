/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves the systems of a step by PETSc. The rows and columns of held dofs (w = 0) are emptied but stay in the pattern,
 * so that on one rank the symbolic factorisation remains valid. On one rank the systems are factored (KSPPREONLY,
 * PCCHOLESKY). On several ranks they are solved by conjugate gradients with block Jacobi and ICC(0). Options with the
 * prefix -step_ select other solvers. */
#include "sim/operator/petsc.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct PetscSolver {
  OperatorSolver base;
  Mat held; /* copy of the matrix E of a step in which rows of held dofs are emptied and the law's stiffness is added */
  Vec diagonal, mask, extra, rhs, solution;
  KSP ksp;
  double *entries;       /* [2][count] entries E_ii and E_{i,i+1} of the matrix if it is tridiagonal on all ranks;
                          * otherwise NULL */
  ChainBranches *chain;  /* search for branches, if the matrix is tridiagonal on all ranks; otherwise NULL */
  signed char *branches; /* [count] branches (slip or stick) for which `held` was computed; NO_BRANCH: not computed
                          * yet */
} PetscSolver;

/* CG stops at this residual relative to |b|. It is also the accuracy of the reactions of held dofs. */
static const double LINEAR_TOLERANCE = 1e-13;
/* rounding error of a row of the equations, relative to its terms */
static const double ROUND_OFF = 64 * DBL_EPSILON;
enum { MAX_LINEAR_ITERATIONS = 20000, NO_BRANCH = 2 };

/* Selects ICC(0) in the blocks of block Jacobi, unless options name another method. It is exact for a tridiagonal
 * block. */
static PetscErrorCode prefer_icc(PC pc) {
  PetscBool blocks, named;
  PetscInt n;
  KSP *sub;
  PC inner;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCBJACOBI, &blocks));
  if (!blocks) return 0;
  PetscCall(PetscOptionsHasName(NULL, "step_", "-sub_pc_type", &named));
  if (named) return 0;
  PetscCall(PCSetUp(pc));
  PetscCall(PCBJacobiGetSubKSP(pc, &n, NULL, &sub));
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(KSPGetPC(sub[k], &inner));
    PetscCall(PCSetType(inner, PCICC));
  }
  return 0;
}

static PetscErrorCode build_solver(PetscSolver *s) {
  const PetscOperator *o = (const PetscOperator *)s->base.matrix;
  const SimProblem *sparse = o->base.problem;
  PC pc;
  PetscCall(MatDuplicate(o->matrix, MAT_COPY_VALUES, &s->held));
  PetscCall(MatSetOption(s->held, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatSetOption(s->held, MAT_SPD, PETSC_TRUE));
  PetscCall(MatCreateVecs(o->matrix, &s->diagonal, &s->mask));
  PetscCall(VecDuplicate(s->mask, &s->extra));
  PetscCall(VecDuplicate(s->mask, &s->rhs));
  PetscCall(VecDuplicate(s->mask, &s->solution));
  PetscCall(MatGetDiagonal(o->matrix, s->diagonal));
  PetscCall(KSPCreate(sim_group_comm(sparse->group), &s->ksp));
  PetscCall(KSPSetOptionsPrefix(s->ksp, "step_"));
  PetscCall(KSPGetPC(s->ksp, &pc));
  if (stiction_group_size(sparse->group) == 1) {
    PetscCall(KSPSetType(s->ksp, KSPPREONLY));
    PetscCall(PCSetType(pc, PCCHOLESKY));
  } else {
    PetscCall(KSPSetType(s->ksp, KSPCG));
    PetscCall(PCSetType(pc, PCBJACOBI));
  }
  PetscCall(KSPSetTolerances(s->ksp, LINEAR_TOLERANCE, PETSC_DEFAULT, PETSC_DEFAULT, MAX_LINEAR_ITERATIONS));
  PetscCall(KSPSetOperators(s->ksp, s->held, s->held));
  PetscCall(KSPSetFromOptions(s->ksp));
  PetscCall(prefer_icc(pc));
  if (sparse_petsc_chosen()) PetscCall(KSPSetUp(s->ksp)); /* this call reads the options of inner solvers */
  PetscBool direct;
  PetscCall(PetscObjectTypeCompare((PetscObject)s->ksp, KSPPREONLY, &direct));
  PetscCall(KSPSetInitialGuessNonzero(s->ksp, !direct));
  return 0;
}

static SimStatus find_neighbours(PetscSolver *s) {
  const SimProblem *p = s->base.matrix->problem;
  double wide = !sparse_is_tridiagonal(p);
  sim_group_max(p->group, &wide, 1);
  if (wide > 0) return SIM_OK;
  s->entries = calloc(2 * (size_t)p->count + 2, sizeof *s->entries);
  SimStatus status = sim_group_agree(p->group, s->entries ? SIM_OK : SIM_NO_MEMORY);
  if (status != SIM_OK) return status;
  status = sparse_diagonals(s->base.matrix, s->entries, s->entries + p->count);
  return status != SIM_OK ? status : chain_branches_create(p, s->entries, s->entries + p->count, &s->chain);
}

SimStatus petsc_solver_create(const Operator *matrix, OperatorSolver **out) {
  const SimProblem *sparse = matrix->problem;
  PetscSolver *s = calloc(1, sizeof *s);
  signed char *branches = malloc((size_t)sparse->count + 1);
  double missing = !s || !branches;
  sim_group_max(sparse->group, &missing, 1);
  if (missing > 0) {
    free(s);
    free(branches);
    return SIM_NO_MEMORY;
  }
  memset(branches, NO_BRANCH, (size_t)sparse->count);
  s->base.matrix = matrix;
  s->branches = branches;
  *out = &s->base;
  SimStatus status = find_neighbours(s);
  return status == SIM_OK ? sim_petsc_status(build_solver(s)) : status;
}

void petsc_solver_destroy(OperatorSolver *solver) {
  PetscSolver *s = (PetscSolver *)solver;
  if (!s) return;
  KSPDestroy(&s->ksp);
  MatDestroy(&s->held);
  VecDestroy(&s->diagonal);
  VecDestroy(&s->mask);
  VecDestroy(&s->extra);
  VecDestroy(&s->rhs);
  VecDestroy(&s->solution);
  free(s->branches);
  chain_branches_destroy(s->chain);
  free(s->entries);
  free(s);
}

void petsc_forget(OperatorSolver *solver) {
  PetscSolver *s = (PetscSolver *)solver;
  memset(s->branches, NO_BRANCH, (size_t)solver->matrix->problem->count);
}

/* Sets *s->held to the matrix for these branches; it is computed again only if they have changed. law NULL: no dof is
 * held. */
static PetscErrorCode hold(PetscSolver *s, const StepLaw *law, const signed char *slip) {
  const PetscOperator *o = (const PetscOperator *)s->base.matrix;
  const SimProblem *sparse = o->base.problem;
  PetscScalar *mask, *extra;
  const PetscScalar *diagonal;
  double moved = 0;
  PetscCall(VecGetArray(s->mask, &mask));
  PetscCall(VecGetArray(s->extra, &extra));
  PetscCall(VecGetArrayRead(s->diagonal, &diagonal));
  for (int i = 0; i < sparse->count; i++) {
    FrictionBranch branch = {0};
    if (law) branch = friction_branch(step_law_of(law, i), slip[i], 0);
    signed char kind = branch.held || branch.stiffness > 0;
    if (s->branches[i] != kind) moved = 1;
    s->branches[i] = kind;
    mask[i] = branch.held ? 0 : 1;
    extra[i] = branch.held ? diagonal[i] : branch.stiffness;
  }
  PetscCall(VecRestoreArrayRead(s->diagonal, &diagonal));
  PetscCall(VecRestoreArray(s->extra, &extra));
  PetscCall(VecRestoreArray(s->mask, &mask));
  sim_group_max(sparse->group, &moved, 1);
  if (!(moved > 0)) return 0;
  PetscCall(MatCopy(o->matrix, s->held, SAME_NONZERO_PATTERN));
  PetscCall(MatDiagonalScale(s->held, s->mask, s->mask));
  PetscCall(MatDiagonalSet(s->held, s->extra, ADD_VALUES));
  return 0;
}

static PetscErrorCode run(PetscSolver *s, bool *converged) {
  KSPConvergedReason reason;
  PetscInt iterations;
  PetscCall(KSPSolve(s->ksp, s->rhs, s->solution));
  PetscCall(KSPGetConvergedReason(s->ksp, &reason));
  PetscCall(KSPGetIterationNumber(s->ksp, &iterations));
  s->base.linear_iterations += iterations;
  *converged = reason > 0;
  return 0;
}

static PetscErrorCode solve_free(PetscSolver *s, const double *b, double *w, bool *converged) {
  PetscScalar *values;
  size_t size = (size_t)s->base.matrix->problem->count * sizeof(double);
  PetscCall(hold(s, NULL, NULL));
  PetscCall(VecGetArray(s->rhs, &values));
  memcpy(values, b, size);
  PetscCall(VecRestoreArray(s->rhs, &values));
  PetscCall(VecGetArray(s->solution, &values));
  memcpy(values, w, size);
  PetscCall(VecRestoreArray(s->solution, &values));
  PetscCall(run(s, converged));
  PetscCall(VecGetArray(s->solution, &values));
  memcpy(w, values, size);
  PetscCall(VecRestoreArray(s->solution, &values));
  return 0;
}

SimStatus petsc_solve(OperatorSolver *solver, const double *b, double *w) {
  bool converged = false;
  SimStatus status = sim_petsc_status(solve_free((PetscSolver *)solver, b, w, &converged));
  return status != SIM_OK || converged ? status : SIM_NOT_CONVERGED;
}

static PetscErrorCode solve_on_branches(PetscSolver *s, const StepLaw *law, const SparseStep *step, bool *converged) {
  int count = s->base.matrix->problem->count;
  PetscScalar *rhs, *solution;
  PetscCall(hold(s, law, step->slip));
  PetscCall(VecGetArray(s->rhs, &rhs));
  PetscCall(VecGetArray(s->solution, &solution));
  for (int i = 0; i < count; i++) {
    double old = step->lambda_old ? step->lambda_old[i] : 0;
    FrictionBranch branch = friction_branch(step_law_of(law, i), step->slip[i], old);
    rhs[i] = branch.held ? 0 : step->b[i] - branch.share;
    solution[i] = branch.held ? 0 : step->w[i];
  }
  PetscCall(VecRestoreArray(s->solution, &solution));
  PetscCall(VecRestoreArray(s->rhs, &rhs));
  return run(s, converged);
}

/* Sets the next branch of each dof, from its reaction or its velocity. The error of a reaction is at least that of the
 * equations of free dofs. */
static PetscErrorCode move_on(PetscSolver *s, const StepLaw *law, const SparseStep *step, long *changed) {
  const PetscOperator *o = (const PetscOperator *)s->base.matrix;
  const SimProblem *sparse = o->base.problem;
  const PetscScalar *solution, *diagonal, *product;
  double worst = 0;
  PetscCall(VecPointwiseMult(s->solution, s->solution, s->mask)); /* makes w exactly 0 for held dofs */
  PetscCall(MatMult(o->matrix, s->solution, s->rhs));
  PetscCall(VecGetArrayRead(s->solution, &solution));
  PetscCall(VecGetArrayRead(s->rhs, &product));
  PetscCall(VecGetArrayRead(s->diagonal, &diagonal));
  for (int i = 0; i < sparse->count; i++) {
    FrictionBranch branch =
        friction_branch(step_law_of(law, i), step->slip[i], step->lambda_old ? step->lambda_old[i] : 0);
    double left = fabs(step->b[i] - product[i] - branch.share - branch.stiffness * solution[i]);
    if (!branch.held && left > worst) worst = left;
  }
  sim_group_max(sparse->group, &worst, 1);
  *changed = 0;
  for (int i = 0; i < sparse->count; i++) {
    double c = law->friction[i], w = step->w[i] = solution[i], t = step->b[i] - product[i];
    double old = step->lambda_old ? step->lambda_old[i] : 0;
    double round_off = worst + ROUND_OFF * (fabs(step->b[i]) + fabs(product[i]) + 2 * fabs(diagonal[i] * w));
    if (law->kept > 0) round_off = ROUND_OFF + law->projection_weight * c / law->kept * round_off / diagonal[i];
    int slip = friction_next_branch(step_law_of(law, i), step->slip[i], old, w, t, round_off, &step->lambda[i]);
    *changed += slip != step->slip[i] && c > 0;
    step->slip[i] = (signed char)slip;
  }
  PetscCall(VecRestoreArrayRead(s->diagonal, &diagonal));
  PetscCall(VecRestoreArrayRead(s->rhs, &product));
  PetscCall(VecRestoreArrayRead(s->solution, &solution));
  return 0;
}

SimStatus petsc_newton(OperatorSolver *solver, const StepLaw *law, const SparseStep *step, int round, long *changed) {
  PetscSolver *s = (PetscSolver *)solver;
  bool converged = false;
  if (s->chain && !(law->kept > 0) && round > 0 && round <= CHAIN_ROUNDS)
    chain_branches_find(s->chain, law, step, NULL, round);
  SimStatus status = sim_petsc_status(solve_on_branches(s, law, step, &converged));
  if (status == SIM_OK && !converged) status = SIM_NOT_CONVERGED;
  return status == SIM_OK ? sim_petsc_status(move_on(s, law, step, changed)) : status;
}

/* Solves column k of the blocks for the velocities w, which are 0 for held dofs. b: right side. */
static PetscErrorCode solve_column(PetscSolver *s, int k, int width, const double *b, double *w, bool *converged) {
  size_t count = (size_t)s->base.matrix->problem->count, row = (size_t)width, at = (size_t)k;
  PetscScalar *rhs;
  const PetscScalar *solution;
  PetscCall(VecGetArray(s->rhs, &rhs));
  for (size_t i = 0; i < count; i++) rhs[i] = b[i * row + at];
  PetscCall(VecRestoreArray(s->rhs, &rhs));
  PetscCall(VecPointwiseMult(s->rhs, s->rhs, s->mask));
  PetscCall(VecSet(s->solution, 0));
  PetscCall(run(s, converged));
  PetscCall(VecPointwiseMult(s->solution, s->solution, s->mask));
  PetscCall(VecGetArrayRead(s->solution, &solution));
  for (size_t i = 0; i < count; i++) w[i * row + at] = solution[i];
  return VecRestoreArrayRead(s->solution, &solution);
}

SimStatus petsc_solve_columns(OperatorSolver *solver, const StepLaw *law, const signed char *slip, int n, int width,
                              const double *b, double *w) {
  PetscSolver *s = (PetscSolver *)solver;
  SimStatus status = sim_petsc_status(hold(s, law, slip));
  for (int k = 0; k < n && status == SIM_OK; k++) {
    bool converged = false;
    status = sim_petsc_status(solve_column(s, k, width, b, w, &converged));
    if (status == SIM_OK && !converged) status = SIM_NOT_CONVERGED;
  }
  return status;
}
