/* The arrays of a SIM_SPARSE problem. */
#include "sim/operator/sparse.h"

#include <math.h>
#include <stdlib.h>

SimStatus sim_matrix_alloc(SimMatrix *m, int rows, long entries) {
  m->start = calloc((size_t)rows + 1, sizeof *m->start);
  m->column = calloc(entries ? (size_t)entries : 1, sizeof *m->column);
  m->value = calloc(entries ? (size_t)entries : 1, sizeof *m->value);
  if (m->start && m->column && m->value) return SIM_OK;
  sim_matrix_clear(m);
  return SIM_NO_MEMORY;
}

void sim_matrix_clear(SimMatrix *m) {
  free(m->start);
  free(m->column);
  free(m->value);
  *m = (SimMatrix){0};
}

void sim_share(int d, int size, int rank, int *first, int *count) {
  *first = (int)((long)d * rank / size);
  *count = (int)((long)d * (rank + 1) / size) - *first;
}

static SimStatus fill_mass(SimProblem *p, double h, const double *density) {
  SimMatrix *mass = &p->sparse.mass;
  int count = p->sparse.count;
  if (sim_matrix_alloc(mass, count, count) != SIM_OK) return SIM_NO_MEMORY;
  for (int i = 0; i < count; i++) {
    mass->start[i + 1] = i + 1;
    mass->column[i] = p->sparse.first + i;
    mass->value[i] = density[i] * h;
  }
  return SIM_OK;
}

static SimStatus fill_stiffness(SimProblem *p, double h, const double *tension) {
  SimMatrix *stiffness = &p->sparse.stiffness;
  int count = p->sparse.count, n = 0;
  if (sim_matrix_alloc(stiffness, count, 3L * count) != SIM_OK) return SIM_NO_MEMORY;
  for (int i = 0; i < count; i++) {
    int row = p->sparse.first + i;
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
  double h = length / (p->d + 1.0);
  sim_matrix_clear(&p->sparse.mass);
  sim_matrix_clear(&p->sparse.stiffness);
  SimStatus status = fill_mass(p, h, density);
  if (status == SIM_OK) status = fill_stiffness(p, h, tension);
  for (int i = 0; i < p->sparse.count; i++) p->friction[i] = friction[i] * h;
  return status;
}

const SparseKernel *sparse_kernel(const SimProblem *p) {
  double wide = p->sparse.count < 1 || !sparse_is_tridiagonal(p) || sparse_petsc_chosen();
  sim_group_max(p->sparse.group, &wide, 1);
  return wide > 0 ? &sparse_petsc : &sparse_tridiagonal;
}

SimStatus sparse_operator_create(const SimProblem *p, SparseWeights weights, SparseOperator **matrix) {
  *matrix = NULL;
  SimStatus status = sim_group_agree(p->sparse.group, sparse_kernel(p)->create(p, weights, matrix));
  if (status != SIM_OK) return status;
  for (int i = 0; i < p->sparse.count; i++) (*matrix)->norm = fmax((*matrix)->norm, sparse_row_bound(*matrix, i));
  sim_group_max(p->sparse.group, &(*matrix)->norm, 1);
  return SIM_OK;
}

bool sparse_damped(const SimProblem *p) {
  double damped = p->sparse.damping.start != NULL;
  sim_group_max(p->sparse.group, &damped, 1);
  return damped > 0;
}

void sparse_operator_destroy(SparseOperator *matrix) {
  if (matrix) matrix->kernel->destroy(matrix);
}

/* Per row: x0, v0, c and SimFinal's x, v: 5 doubles; the model's coefficients: 8; the workspace: 9; B: p. */
double sim_sparse_memory(int rows, long entries, int n_control) {
  double matrices = (double)entries * (sizeof(double) + sizeof(int)) + 3.0 * rows * sizeof(int);
  return matrices + (double)rows * (22 + n_control) * sizeof(double);
}
