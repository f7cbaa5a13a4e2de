/* SPDX-License-Identifier: BSD-2-Clause */
/* Allocates and copies the arrays of sparse storage. */
#include "sim/base/argument.h"
#include "sim/operator/chain_branches.h"

#include <math.h>
#include <stdlib.h>

SimStatus sim_matrix_alloc(SimMatrix *m, int rows, long entries) {
  ARGUMENT(m != NULL, "matrix", "is NULL");
  *m = (SimMatrix){0};
  ARGUMENT(rows >= 0 && entries >= 0, "rows, entries", "are below 0");
  m->start = calloc((size_t)rows + 1, sizeof *m->start);
  m->column = calloc(entries ? (size_t)entries : 1, sizeof *m->column);
  m->value = calloc(entries ? (size_t)entries : 1, sizeof *m->value);
  if (m->start && m->column && m->value) return SIM_OK;
  sim_matrix_clear(m);
  return SIM_NO_MEMORY;
}

void sim_matrix_clear(SimMatrix *m) {
  if (!m) return;
  free(m->start);
  free(m->column);
  free(m->value);
  *m = (SimMatrix){0};
}

SimStatus sim_matrix_add_diagonal(const SimMatrix *a, int first, int rows, const double *diagonal, SimMatrix *sum) {
  int n = 0;
  if (sim_matrix_alloc(sum, rows, (a->start ? a->start[rows] : 0) + (long)rows) != SIM_OK) return SIM_NO_MEMORY;
  for (int i = 0; i < rows; i++) {
    int next = a->start ? a->start[i] : 0, end = a->start ? a->start[i + 1] : 0, own = first + i;
    bool there = false;
    for (; next < end || !there; n++) {
      bool before = next < end && (there || a->column[next] < own),
           same = !before && next < end && a->column[next] == own;
      sum->column[n] = before ? a->column[next] : own;
      sum->value[n] = (before || same ? a->value[next] : 0) + (before ? 0 : diagonal[i]);
      next += before || same;
      there = there || !before;
    }
    sum->start[i + 1] = n;
  }
  return SIM_OK;
}

void operator_parts_clear(SimProblem *p) {
  sim_matrix_clear(&p->system.sparse.mass);
  sim_matrix_clear(&p->system.sparse.stiffness);
  sim_matrix_clear(&p->system.sparse.damping);
}

void sim_share(int d, int size, int rank, int *first, int *count) {
  *first = (int)((long)d * rank / size);
  *count = (int)((long)d * (rank + 1) / size) - *first;
}

static SimStatus fill_mass(SimProblem *p, double h, const double *density) {
  SimMatrix *mass = &p->system.sparse.mass;
  int count = p->count;
  if (sim_matrix_alloc(mass, count, count) != SIM_OK) return SIM_NO_MEMORY;
  for (int i = 0; i < count; i++) {
    mass->start[i + 1] = i + 1;
    mass->column[i] = p->first + i;
    mass->value[i] = density[i] * h;
  }
  return SIM_OK;
}

static SimStatus fill_stiffness(SimProblem *p, double h, const double *tension) {
  SimMatrix *stiffness = &p->system.sparse.stiffness;
  int count = p->count, n = 0;
  if (sim_matrix_alloc(stiffness, count, 3L * count) != SIM_OK) return SIM_NO_MEMORY;
  for (int i = 0; i < count; i++) {
    int row = p->first + i;
    double left = tension[i] / h, right = tension[i + 1] / h;
    if (row > 0) {
      stiffness->column[n] = row - 1;
      stiffness->value[n++] = -left;
    }
    stiffness->column[n] = row;
    stiffness->value[n++] = left + right;
    if (row < p->d - 1) {
      stiffness->column[n] = row + 1;
      stiffness->value[n++] = -right;
    }
    stiffness->start[i + 1] = n;
  }
  return SIM_OK;
}

SimStatus sim_string_fill(SimProblem *p, double length, const double *density, const double *tension,
                          const double *friction) {
  ARGUMENT(p && p->system.storage == SIM_SPARSE && p->scheme, "problem", "is NULL, or not one of sparse storage");
  ARGUMENT(length > 0, "length", "is not above 0");
  ARGUMENT(p->count == 0 || (density && tension && friction), "density, tension, friction", "are NULL");
  double h = length / (p->d + 1.0);
  sim_matrix_clear(&p->system.sparse.mass);
  sim_matrix_clear(&p->system.sparse.stiffness);
  SimStatus status = fill_mass(p, h, density);
  if (status == SIM_OK) status = fill_stiffness(p, h, tension);
  for (int i = 0; i < p->count; i++) p->friction[i] = friction[i] * h;
  return status;
}

const SimMatrix *sparse_part(const SimProblem *p, OperatorPart part) {
  const SimSparse *s = &p->system.sparse;
  return part == OPERATOR_MASS ? &s->mass : part == OPERATOR_DAMPING ? &s->damping : &s->stiffness;
}

static double row_part(const SimMatrix *m, int i, double weight) {
  double sum = 0;
  for (int k = m->start ? m->start[i] : 0; m->start && k < m->start[i + 1]; k++) sum += fabs(m->value[k]);
  return fabs(weight) * sum;
}

void sparse_entries(const SimMatrix *m, int d, double *dense) {
  for (int i = 0; i < d && m->start; i++)
    for (int k = m->start[i]; k < m->start[i + 1]; k++) dense[(long)i * d + m->column[k]] = m->value[k];
}

double sparse_row_bound(const Operator *matrix, int i) {
  double bound = 0;
  for (int k = 0; k < OPERATOR_PARTS; k++) {
    OperatorTerm term = matrix->sum.term[k];
    bound += row_part(sparse_part(matrix->problem, term.part), i, fabs(term.weight));
  }
  return bound;
}

double sparse_norm(const Operator *matrix) {
  double norm = 0;
  for (int i = 0; i < matrix->problem->count; i++) norm = fmax(norm, sparse_row_bound(matrix, i));
  sim_group_max(matrix->problem->group, &norm, 1);
  return norm;
}

void sparse_combine(OperatorLoad load, const Operator *a, const double *x, const Operator *b, const double *z,
                    double *y) {
  operator_take(load, a->problem->count, y);
  b->ops->add(b, -1, z, y);
  a->ops->add(a, 1, x, y);
}

/* Estimates the memory in bytes. The number of doubles per row is that of `centered` with the regularized law, which
 * has the most. The problem and the final state have x0, v0, c, beta, epsilon, and SimFinal's x, v (7). The plan has
 * the diagonals of M (1), A (2), E (2), and the vector q of the first step (1); with D 4 more. A workspace has x, v,
 * lambda, B u, 4 vectors of scratch, 2 spare ones, the last lambda, f twice, 1/e, l and y of the elimination, and one
 * for the search of all branches. In addition there are the pieces of chain_branches.c, and p vectors for B. */
double sim_sparse_memory(int rows, long entries, int n_control) {
  enum { PROBLEM = 7, PLAN = 6, DAMPED = 4, WORKSPACE = 17 };
  double matrices = (double)entries * (sizeof(double) + sizeof(int)) + 3.0 * rows * sizeof(int);
  double pieces = 2 * sizeof(double) * fmin(2.0 * rows, CHAIN_PIECES);
  int doubles = PROBLEM + PLAN + (entries > 4L * rows ? DAMPED : 0) + WORKSPACE + n_control;
  return matrices + pieces + (double)rows * doubles * sizeof(double);
}
