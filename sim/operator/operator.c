/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/operator/operator.h"

#include "sim/operator/dense.h"
#include "sim/operator/sparse.h"

#include <math.h>

/* Whether the problem's matrices are dense arrays, as for few dofs in one process. */
static bool is_dense(const SimProblem *p) { return p->system.storage == SIM_DENSE; }

size_t operator_array_size(const SimProblem *p) { return is_dense(p) ? (size_t)p->d * (size_t)p->d : 0; }

const OperatorOps *operator_ops(const SimProblem *p) {
  if (is_dense(p)) return &operator_dense;
  double wide = p->count < 1 || !sparse_is_tridiagonal(p) || sparse_petsc_chosen();
  sim_group_max(p->group, &wide, 1);
  return wide > 0 ? &operator_petsc : &operator_tridiagonal;
}

SimStatus operator_create(const SimProblem *p, OperatorSum sum, Operator **matrix) {
  *matrix = NULL;
  SimStatus status = sim_group_agree(p->group, operator_ops(p)->create(p, &sum, matrix));
  if (status == SIM_OK && !is_dense(p)) (*matrix)->norm = sparse_norm(*matrix);
  return status;
}

SimStatus operator_scaled(const Operator *matrix, double scale, Operator **product) {
  *product = NULL;
  return sim_group_agree(matrix->problem->group, matrix->ops->scaled(matrix, scale, product));
}

SimStatus operator_transposed(const Operator *matrix, Operator **product) {
  SimStatus status = operator_scaled(matrix, 1, product);
  if (status == SIM_OK && is_dense(matrix->problem)) operator_transpose_entries(*product);
  return status;
}

void operator_destroy(Operator *matrix) {
  if (matrix) matrix->ops->destroy(matrix);
}

bool operator_damped(const SimProblem *p) {
  double damped = 0;
  if (is_dense(p))
    for (long i = 0; i < (long)p->d * p->d; i++) damped = damped != 0 || p->system.damping[i] != 0;
  else
    damped = p->system.sparse.damping.start != NULL;
  sim_group_max(p->group, &damped, 1);
  return damped > 0;
}

bool operator_is_diagonal(const SimProblem *p, OperatorPart part) {
  double coupled = 0;
  if (is_dense(p)) {
    coupled = !dense_is_diagonal(p->d, dense_part(p, part));
  } else {
    const SimMatrix *m = sparse_part(p, part);
    for (int i = 0; m->start && i < p->count; i++)
      for (int k = m->start[i]; k < m->start[i + 1]; k++)
        if (m->column[k] != p->first + i && m->value[k] != 0) coupled = 1;
  }
  sim_group_max(p->group, &coupled, 1);
  return coupled == 0;
}

double operator_dot(const SimProblem *p, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < p->count; i++) sum += x[i] * y[i];
  sim_group_sum(p->group, &sum, 1);
  return sum;
}

double operator_form(const Operator *matrix, const double *x, double *product) {
  operator_multiply(matrix, x, product);
  return operator_dot(matrix->problem, x, product);
}

double operator_diagonal(const SimProblem *p, OperatorPart part, int i) {
  if (is_dense(p)) return dense_part(p, part)[(long)i * p->d + i];
  const SimMatrix *m = sparse_part(p, part);
  for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1]; k++)
    if (m->column[k] == p->first + i) return m->value[k];
  return 0;
}

double operator_size(const SimProblem *p, OperatorPart part, const double *x) {
  double sum = 0;
  for (int i = 0; i < p->count; i++) sum += fabs(operator_diagonal(p, part, i)) * x[i] * x[i];
  return sum;
}

double operator_check_seconds(const SimProblem *p) { return is_dense(p) ? dense_check_seconds(p) : 0; }

void operator_check(Check *check, SimBounds *bounds) {
  (is_dense(check->problem) ? dense_check : sparse_check)(check, bounds);
}

SimStatus operator_bounds(Check *check, OperatorSum step, SimBounds *bounds) {
  return (is_dense(check->problem) ? dense_bounds : sparse_bounds)(check, step, bounds);
}
