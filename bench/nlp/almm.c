/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves by TAO's augmented Lagrangian method, with TAO's defaults except for the tolerances. */
#include "bench/nlp/solvers.h"
#include "sim/base/library.h"
#include "sim/group.h"

#include <math.h>
#include <petsctao.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tolerances of c and of the gradient of the Lagrangian. */
static const double CONSTRAINT_TOLERANCE = 1e-8, GRADIENT_TOLERANCE = 1e-7;

/* clang-format off */
#define SYMBOLS(X)                                                                                                     \
  X(MatAssemblyBegin) X(MatAssemblyEnd) X(MatCreateSeqDense) X(MatDenseGetArrayWrite) X(MatDenseRestoreArrayWrite)     \
  X(MatDestroy) X(TaoCreate) X(TaoDestroy) X(TaoSetConstraintTolerances) X(TaoSetEqualityConstraintsRoutine)           \
  X(TaoSetJacobianEqualityRoutine) X(TaoSetObjectiveAndGradient) X(TaoSetSolution) X(TaoSetTolerances) X(TaoSetType)   \
  X(TaoSetVariableBounds) X(TaoSolve) X(VecCreateSeq) X(VecDestroy) X(VecGetArrayRead) X(VecGetArrayWrite)             \
  X(VecRestoreArrayRead) X(VecRestoreArrayWrite)
/* clang-format on */

typedef struct TaoTable {
  SYMBOLS(LIBRARY_MEMBER)
} TaoTable;
static TaoTable petsc;
#define LIBRARY_TABLE TaoTable
/* cppcheck-suppress syntaxError ; it expands names that are turned into strings */
static const LibrarySymbol symbols[] = {SYMBOLS(LIBRARY_SYMBOL)};

typedef struct Almm {
  NlpRun *run;
  Tao tao;
  Vec y, c, lower, upper;
  Mat jacobian;
} Almm;

bool nlp_prepare_almm(void) {
  static Library library = LIBRARY(BENCH_PETSC_LIBRARY, petsc, symbols); /* CMake sets the file name */
  const char *why = stiction_petsc_start(NULL) == SIM_OK ? library_load(&library, false) : "cannot be started";
  if (why) fprintf(stderr, "bench-nlp: PETSc %s\n", why);
  return !why;
}

/* Computes the cost and its gradient. A non-zero result ends the run. */
static PetscErrorCode cost(Tao tao, Vec at, PetscReal *value, Vec gradient, void *context) {
  const Almm *a = context;
  const double *y;
  double *g;
  (void)tao;
  if (petsc.at_VecGetArrayRead(at, &y) || petsc.at_VecGetArrayWrite(gradient, &g)) return PETSC_ERR_MEM;
  *value = nlp_run_cost(a->run, y, g);
  return petsc.at_VecRestoreArrayWrite(gradient, &g) || petsc.at_VecRestoreArrayRead(at, &y);
}

static bool evaluate_point(const Almm *a, Vec at) {
  const double *y;
  if (petsc.at_VecGetArrayRead(at, &y)) return false;
  bool good = nlp_run_evaluate(a->run, y);
  return !petsc.at_VecRestoreArrayRead(at, &y) && good;
}

static PetscErrorCode constraints(Tao tao, Vec at, Vec values, void *context) {
  const Almm *a = context;
  double *c;
  (void)tao;
  if (!evaluate_point(a, at)) return PETSC_ERR_USER;
  if (petsc.at_VecGetArrayWrite(values, &c)) return PETSC_ERR_MEM;
  memcpy(c, a->run->c, (size_t)a->run->m * sizeof *c);
  return petsc.at_VecRestoreArrayWrite(values, &c);
}

static PetscErrorCode jacobian(Tao tao, Vec at, Mat J, Mat same, void *context) {
  const Almm *a = context;
  const NlpRun *run = a->run;
  double *columns;
  (void)tao, (void)same;
  if (!evaluate_point(a, at)) return PETSC_ERR_USER;
  if (petsc.at_MatDenseGetArrayWrite(J, &columns)) return PETSC_ERR_MEM;
  for (int j = 0; j < run->m; j++)
    for (int i = 0; i < run->n; i++) columns[i * run->m + j] = run->jacobian[j * run->n + i];
  return petsc.at_MatDenseRestoreArrayWrite(J, &columns) || petsc.at_MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY) ||
         petsc.at_MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY);
}

/* Makes a vector of n numbers. values NULL: they are not set. */
static bool make_vector(int n, const double *values, Vec *vector) {
  double *to;
  if (petsc.at_VecCreateSeq(MPI_COMM_SELF, n, vector)) return false;
  if (!values) return true;
  if (petsc.at_VecGetArrayWrite(*vector, &to)) return false;
  for (int i = 0; i < n; i++) to[i] = fmin(fmax(values[i], (double)PETSC_NINFINITY), (double)PETSC_INFINITY);
  return !petsc.at_VecRestoreArrayWrite(*vector, &to);
}

static bool set_up(Almm *a, double *first) {
  const NlpRun *run = a->run;
  bool bounded = false;
  for (int i = 0; i < run->n; i++) bounded |= isfinite(run->lower[i]) || isfinite(run->upper[i]);
  nlp_run_first(run, first);
  return make_vector(run->n, first, &a->y) && make_vector(run->m, NULL, &a->c) &&
         make_vector(run->n, run->lower, &a->lower) && make_vector(run->n, run->upper, &a->upper) &&
         !petsc.at_MatCreateSeqDense(MPI_COMM_SELF, run->m, run->n, NULL, &a->jacobian) &&
         !petsc.at_TaoCreate(MPI_COMM_SELF, &a->tao) && !petsc.at_TaoSetType(a->tao, TAOALMM) &&
         !petsc.at_TaoSetSolution(a->tao, a->y) && !petsc.at_TaoSetObjectiveAndGradient(a->tao, NULL, cost, a) &&
         !petsc.at_TaoSetEqualityConstraintsRoutine(a->tao, a->c, constraints, a) &&
         !petsc.at_TaoSetJacobianEqualityRoutine(a->tao, a->jacobian, a->jacobian, jacobian, a) &&
         (!bounded || !petsc.at_TaoSetVariableBounds(a->tao, a->lower, a->upper)) &&
         !petsc.at_TaoSetTolerances(a->tao, GRADIENT_TOLERANCE, 0, 0) &&
         !petsc.at_TaoSetConstraintTolerances(a->tao, CONSTRAINT_TOLERANCE, 0);
}

bool nlp_solve_almm(const NlpSolver *solver, NlpRun *run) {
  Almm a = {.run = run};
  double *first = malloc((size_t)run->n * sizeof *first);
  (void)solver;
  bool good = first && set_up(&a, first);
  if (good) (void)petsc.at_TaoSolve(a.tao); /* an error ends the run, which is no failure here */
  petsc.at_TaoDestroy(&a.tao);
  petsc.at_MatDestroy(&a.jacobian);
  for (Vec *const *vector = (Vec *const[]){&a.y, &a.c, &a.lower, &a.upper, NULL}; *vector; vector++)
    petsc.at_VecDestroy(*vector);
  free(first);
  return good;
}

void nlp_almm_version(char *text, size_t size) {
  snprintf(text, size, "PETSc %d.%d.%d", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR);
}
