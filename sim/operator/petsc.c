/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse matrices of any shape on any number of ranks, with PETSc. This file has the matrix and its products. */
#include "sim/operator/petsc.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <stdlib.h>

static void count_entries(const SimProblem *s, const SimMatrix *m, PetscInt *here, PetscInt *away) {
  for (int i = 0; m->start && i < s->count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      bool mine = m->column[k] >= s->first && m->column[k] < s->first + s->count;
      ++*(mine ? &here[i] : &away[i]);
    }
}

static PetscErrorCode add_rows(const PetscOperator *o, OperatorTerm term, const double *light) {
  const SimProblem *s = o->base.problem;
  const SimMatrix *m = sparse_part(s, term.part);
  for (int i = 0; m->start && i < s->count; i++) {
    PetscInt row = s->first + i;
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
      PetscCall(MatSetValue(o->matrix, row, m->column[k],
                            massless_weight(&o->base.sum, term, light, s->first + i, m->column[k]) * m->value[k],
                            ADD_VALUES));
  }
  return 0;
}

/* Fills the matrix. light: flags from massless_sum_flags. */
static PetscErrorCode fill(PetscOperator *o, const double *light, PetscInt *here, PetscInt *away) {
  const SimProblem *p = o->base.problem;
  const OperatorTerm *term = o->base.sum.term;
  MPI_Comm comm = sim_group_comm(p->group);
  for (int i = 0; i < p->count; i++)
    here[i] = 1; /* every row needs a diagonal entry, since MatDiagonalSet sets these
                                                   * entries later */
  for (int k = 0; k < OPERATOR_PARTS; k++)
    if (term[k].weight != 0) count_entries(p, sparse_part(p, term[k].part), here, away);
  for (int i = 0; i < p->count; i++) {
    here[i] = PetscMin(here[i], p->count);
    away[i] = PetscMin(away[i], p->d - p->count);
  }
  PetscCall(MatCreateAIJ(comm, p->count, p->count, p->d, p->d, 0, here, 0, away, &o->matrix));
  PetscCall(MatSetOption(o->matrix, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  for (int i = 0; i < p->count; i++) PetscCall(MatSetValue(o->matrix, p->first + i, p->first + i, 0, ADD_VALUES));
  for (int k = 0; k < OPERATOR_PARTS; k++)
    if (term[k].weight != 0) PetscCall(add_rows(o, term[k], light));
  PetscCall(MatAssemblyBegin(o->matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(o->matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(o->matrix, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(VecCreateMPIWithArray(comm, 1, p->count, p->d, NULL, &o->in));
  PetscCall(VecCreateMPIWithArray(comm, 1, p->count, p->d, NULL, &o->out));
  PetscCall(VecCreateMPI(comm, p->count, p->d, &o->multiple));
  return VecDuplicate(o->multiple, &o->column);
}

static void destroy(Operator *matrix) {
  PetscOperator *o = (PetscOperator *)matrix;
  MatDestroy(&o->matrix); /* this releases one reference, as other operators may share the matrix */
  VecDestroy(&o->in);
  VecDestroy(&o->out);
  VecDestroy(&o->multiple);
  VecDestroy(&o->column);
  free(o);
}

static SimStatus create(const SimProblem *p, const OperatorSum *sum, Operator **out) {
  size_t count = (size_t)p->count + 1;
  PetscOperator *o = calloc(1, sizeof *o);
  PetscInt *entries = calloc(2 * count, sizeof *entries);
  double missing = !o || !entries;
  sim_group_max(p->group, &missing, 1);
  if (missing > 0) {
    free(o);
    free(entries);
    return SIM_NO_MEMORY;
  }
  *out = &o->base;
  o->base = (Operator){.ops = &operator_petsc, .problem = p, .sum = *sum, .scale = 1};
  double *light;
  SimStatus status = massless_sum_flags(p, sum, &light);
  if (status == SIM_OK) status = sim_petsc_status(fill(o, light, entries, entries + count));
  free(light);
  free(entries);
  return status;
}

static SimStatus scaled(const Operator *matrix, double scale, Operator **out) {
  PetscOperator *o = malloc(sizeof *o);
  if (!o) return SIM_NO_MEMORY;
  *o = *(const PetscOperator *)matrix;
  o->base.scale *= scale;
  PetscObject const shared[] = {(PetscObject)o->matrix, (PetscObject)o->in, (PetscObject)o->out,
                                (PetscObject)o->multiple, (PetscObject)o->column};
  for (int k = 0; k < 5; k++) PetscObjectReference(shared[k]);
  *out = &o->base;
  return SIM_OK;
}

static PetscErrorCode product(const PetscOperator *o, double factor, bool add) {
  Vec x = o->in;
  if (factor != 1) {
    PetscCall(VecAXPBY(o->multiple, factor, 0, o->in));
    x = o->multiple;
  }
  return add ? MatMultAdd(o->matrix, x, o->out, o->out) : MatMult(o->matrix, x, o->out);
}

/* Computes a product. If PETSc fails the result is NaN, so that no solve that uses it counts as successful. */
static void multiply_by(const PetscOperator *o, double factor, bool add, const double *x, double *y) {
  PetscErrorCode error = VecPlaceArray(o->in, x);
  if (!error) error = VecPlaceArray(o->out, y);
  if (!error) error = product(o, factor, add);
  if (VecResetArray(o->in) || VecResetArray(o->out) || error)
    for (int i = 0; i < o->base.problem->count; i++) y[i] = NAN;
}

static void multiply(const Operator *matrix, const double *x, double *y) {
  multiply_by((const PetscOperator *)matrix, matrix->scale, false, x, y);
}

static void add(const Operator *matrix, double factor, const double *x, double *y) {
  multiply_by((const PetscOperator *)matrix, factor * matrix->scale, true, x, y);
}

/* Adds factor A x to y for column k of the blocks x and y. */
static PetscErrorCode add_column(const PetscOperator *o, double factor, int k, int width, const double *x, double *y) {
  size_t count = (size_t)o->base.problem->count, row = (size_t)width, at = (size_t)k;
  PetscScalar *in;
  const PetscScalar *out;
  PetscCall(VecGetArray(o->multiple, &in));
  for (size_t i = 0; i < count; i++) in[i] = factor * x[i * row + at];
  PetscCall(VecRestoreArray(o->multiple, &in));
  PetscCall(MatMult(o->matrix, o->multiple, o->column));
  PetscCall(VecGetArrayRead(o->column, &out));
  for (size_t i = 0; i < count; i++) y[i * row + at] += out[i];
  return VecRestoreArrayRead(o->column, &out);
}

static void add_columns(const Operator *matrix, double factor, int n, int width, const double *x, double *y) {
  for (int k = 0; k < n; k++)
    if (add_column((const PetscOperator *)matrix, factor * matrix->scale, k, width, x, y))
      for (int i = 0; i < matrix->problem->count; i++) y[(size_t)i * (size_t)width + (size_t)k] = NAN;
}

static PetscErrorCode subtract_transpose(Mat matrix, PetscReal *norm) {
  Mat difference;
  PetscCall(MatSetOption(matrix, MAT_SYMMETRIC, PETSC_FALSE)); /* the matrix is no longer assumed to be symmetric */
  PetscCall(MatTranspose(matrix, MAT_INITIAL_MATRIX, &difference));
  PetscCall(MatAXPY(difference, -1, matrix, DIFFERENT_NONZERO_PATTERN));
  PetscCall(MatNorm(difference, NORM_INFINITY, norm));
  return MatDestroy(&difference);
}

static SimStatus asymmetry(const Operator *matrix, double *norm) {
  return sim_petsc_status(subtract_transpose(((const PetscOperator *)matrix)->matrix, norm));
}

const OperatorOps operator_petsc = {.create = create,
                                    .scaled = scaled,
                                    .destroy = destroy,
                                    .multiply = multiply,
                                    .add = add,
                                    .combine = sparse_combine,
                                    .add_columns = add_columns,
                                    .asymmetry = asymmetry,
                                    .solver_create = petsc_solver_create,
                                    .solver_destroy = petsc_solver_destroy,
                                    .forget = petsc_forget,
                                    .solve = petsc_solve,
                                    .newton = petsc_newton,
                                    .solve_columns = petsc_solve_columns};
