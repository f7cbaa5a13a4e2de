/* SPDX-License-Identifier: BSD-2-Clause */
/* Tridiagonal matrices and their products. */
#include "sim/operator/tridiagonal.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <stdlib.h>

static bool narrow(const SimMatrix *m, int first, int count) {
  for (int i = 0; m->start && i < count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
      if (abs(m->column[k] - first - i) > 1) return false;
  return true;
}

bool sparse_is_tridiagonal(const SimProblem *p) {
  const SimSparse *s = &p->system.sparse;
  return narrow(&s->mass, p->first, p->count) && narrow(&s->stiffness, p->first, p->count) &&
         narrow(&s->damping, p->first, p->count);
}

static void add_diagonals(const Operator *matrix, OperatorTerm term, const double *light, double *diagonal,
                          double *off) {
  const SimProblem *s = matrix->problem;
  const SimMatrix *m = sparse_part(s, term.part);
  if (term.weight == 0 || !m->start) return;
  for (int i = 0; i < s->count; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
      double entry = massless_weight(&matrix->sum, term, light, s->first + i, m->column[k]) * m->value[k];
      if (m->column[k] == s->first + i) diagonal[i] += entry;
      if (m->column[k] == s->first + i + 1) off[i] += entry;
    }
}

SimStatus sparse_diagonals(const Operator *matrix, double *diagonal, double *off) {
  double *light;
  SimStatus status = massless_sum_flags(matrix->problem, &matrix->sum, &light);
  for (int k = 0; k < OPERATOR_PARTS && status == SIM_OK; k++)
    add_diagonals(matrix, matrix->sum.term[k], light, diagonal, off);
  free(light);
  return status;
}

/* Whether any row, on any rank, is coupled to another one. */
static bool coupled(const SimProblem *p, const double *off) {
  double any = 0;
  for (int i = 0; i < p->count; i++)
    if (off[i] != 0) any = 1;
  sim_group_max(p->group, &any, 1);
  return any > 0;
}

static void destroy(Operator *matrix) {
  Tridiagonal *t = (Tridiagonal *)matrix;
  if (!t->borrowed) {
    free(t->diagonal);
    free(t->off);
  }
  free(t);
}

static SimStatus create(const SimProblem *p, const OperatorSum *sum, Operator **out) {
  size_t count = (size_t)p->count;
  Tridiagonal *t = calloc(1, sizeof *t);
  if (t) {
    *out = &t->base;
    *t = (Tridiagonal){.base = {.ops = &operator_tridiagonal, .problem = p, .sum = *sum, .scale = 1},
                       .diagonal = calloc(count + 1, sizeof(double)),
                       .off = calloc(count + 1, sizeof(double))};
  }
  SimStatus status = sim_group_agree(p->group, t && t->diagonal && t->off ? SIM_OK : SIM_NO_MEMORY);
  if (status != SIM_OK) return status;
  status = sparse_diagonals(&t->base, t->diagonal, t->off);
  if (status != SIM_OK) return status;
  double beyond;
  sim_group_neighbours(p->group, 1, t->off, &t->off[p->count - 1], &t->before, &beyond);
  if (!coupled(p, t->off)) {
    free(t->off);
    t->off = NULL;
  }
  return SIM_OK;
}

static SimStatus scaled(const Operator *matrix, double scale, Operator **out) {
  Tridiagonal *t = malloc(sizeof *t);
  if (!t) return SIM_NO_MEMORY;
  *t = *(const Tridiagonal *)matrix;
  t->base.scale *= scale;
  t->borrowed = true;
  *out = &t->base;
  return SIM_OK;
}

static double lower(const SimMatrix *m, int first) {
  for (int k = m->start ? m->start[0] : 0; m->start && k < m->start[1]; k++)
    if (m->column[k] == first - 1) return m->value[k];
  return 0;
}

static SimStatus asymmetry(const Operator *matrix, double *norm) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  const SimProblem *p = matrix->problem;
  double entry = 0;
  for (int k = 0; k < OPERATOR_PARTS; k++)
    entry += matrix->sum.term[k].weight * lower(sparse_part(p, matrix->sum.term[k].part), p->first);
  *norm = fabs(entry - t->before);
  sim_group_max(p->group, norm, 1);
  return SIM_OK;
}

/* Returns (A x)_i for the first or last row of this rank. */
static double end_product(const Tridiagonal *t, double factor, const double *x, const double *beyond, int i) {
  int last = t->base.problem->count - 1;
  double left = i > 0 ? t->off[i - 1] * (factor * x[i - 1]) : t->before * (factor * beyond[0]);
  return left + t->diagonal[i] * (factor * x[i]) + t->off[i] * (factor * (i < last ? x[i + 1] : beyond[1]));
}

/* Returns (A x)_i for a row that is neither the first nor the last of this rank. */
static inline double product(const double *a, const double *o, double factor, const double *x, int i) {
  return o ? o[i - 1] * (factor * x[i - 1]) + a[i] * (factor * x[i]) + o[i] * (factor * x[i + 1])
           : a[i] * (factor * x[i]);
}

/* Computes rows first .. last - 1 of y = A (factor x), or adds them to y; the rank's first and last row are omitted. */
static inline void band(const Tridiagonal *t, double factor, bool add, const double *restrict x, int first, int last,
                        double *restrict y) {
  const double *restrict a = t->diagonal, *restrict o = t->off;
  int end = t->base.problem->count - 1;
  for (int i = o && first == 0 ? 1 : first; i < (o && last > end ? end : last); i++) {
    double sum = product(a, o, factor, x, i);
    y[i - first] = add ? y[i - first] + sum : sum;
  }
}

static void ends(const Tridiagonal *t, double factor, bool add, const double *x, const double *beyond, int first,
                 int last, double *y) {
  int end = t->base.problem->count - 1;
  if (!t->off) return;
  if (first == 0) y[0] = (add ? y[0] : 0) + end_product(t, factor, x, beyond, 0);
  if (last > end && end > 0) y[end - first] = (add ? y[end - first] : 0) + end_product(t, factor, x, beyond, end);
}

static inline void apply(const Tridiagonal *t, double factor, bool add, const double *x, const double *beyond,
                         int first, int last, double *y) {
  if (factor == 1)
    band(t, 1, add, x, first, last, y);
  else
    band(t, factor, add, x, first, last, y);
  ends(t, factor, add, x, beyond, first, last, y);
}

static void look_beyond(const Tridiagonal *t, const double *x, double beyond[2]) {
  const SimProblem *p = t->base.problem;
  if (t->off) sim_group_neighbours(p->group, 1, x, x + p->count - 1, &beyond[0], &beyond[1]);
}

static void multiply_rows(const Operator *matrix, const double *x, const double beyond[2], int first, int last,
                          double *y) {
  apply((const Tridiagonal *)matrix, matrix->scale, false, x, beyond, first, last, y);
}

static void multiply(const Operator *matrix, const double *x, double *y) {
  double beyond[2];
  look_beyond((const Tridiagonal *)matrix, x, beyond);
  multiply_rows(matrix, x, beyond, 0, matrix->problem->count, y);
}

static void add(const Operator *matrix, double factor, const double *x, double *y) {
  double beyond[2];
  look_beyond((const Tridiagonal *)matrix, x, beyond);
  apply((const Tridiagonal *)matrix, factor * matrix->scale, true, x, beyond, 0, matrix->problem->count, y);
}

/* Computes the inner rows of the combination. off: off-diagonal entries of the matrix `plus`, or NULL. The function is
 * inlined with calls in which off is known to be NULL or not, so that no row tests it. */
static inline __attribute__((always_inline)) void combine_inside(OperatorLoad load, const Tridiagonal *plus,
                                                                 const double *restrict off, const double *restrict x,
                                                                 const Tridiagonal *minus, const double *restrict z,
                                                                 double *restrict y) {
  const double *restrict a = plus->diagonal, *restrict b = minus->diagonal, *restrict q = minus->off;
  double with = plus->base.scale, less = -minus->base.scale;
  int last = plus->base.problem->count - 1;
  if (load.rows == y) {
    for (int i = 1; i < last; i++) y[i] = (y[i] + product(b, q, less, z, i)) + product(a, off, with, x, i);
  } else {
    for (int i = 1; i < last; i++)
      y[i] = (load.weight * load.rows[i] + product(b, q, less, z, i)) + product(a, off, with, x, i);
    y[0] = load.weight * load.rows[0];
    y[last] = load.weight * load.rows[last];
  }
}

/* Computes load + (plus) x - (minus) z in one pass over memory, because memory access determines the time of a step. */
static void combine(OperatorLoad load, const Operator *plus, const double *restrict x, const Operator *minus,
                    const double *restrict z, double *restrict y) {
  const Tridiagonal *p = (const Tridiagonal *)plus, *m = (const Tridiagonal *)minus;
  double with = plus->scale, less = -minus->scale, beyond[2];
  if (!m->off) {
    sparse_combine(load, plus, x, minus, z, y);
    return;
  }
  int last = plus->problem->count - 1;
  if (p->off)
    combine_inside(load, p, p->off, x, m, z, y);
  else
    combine_inside(load, p, NULL, x, m, z, y);
  look_beyond(m, z, beyond);
  ends(m, less, true, z, beyond, 0, last + 1, y);
  if (p->off) {
    look_beyond(p, x, beyond);
    ends(p, with, true, x, beyond, 0, last + 1, y);
    return;
  }
  y[0] += product(p->diagonal, NULL, with, x, 0);
  if (last > 0) y[last] += product(p->diagonal, NULL, with, x, last);
}

const OperatorOps operator_tridiagonal = {.create = create,
                                          .scaled = scaled,
                                          .destroy = destroy,
                                          .multiply = multiply,
                                          .multiply_rows = multiply_rows,
                                          .add = add,
                                          .combine = combine,
                                          .add_columns = tridiagonal_add_columns,
                                          .asymmetry = asymmetry,
                                          .solver_create = tridiagonal_solver_create,
                                          .solver_destroy = tridiagonal_solver_destroy,
                                          .forget = tridiagonal_forget,
                                          .solve = tridiagonal_solve,
                                          .newton = tridiagonal_newton,
                                          .solve_columns = tridiagonal_solve_columns};
