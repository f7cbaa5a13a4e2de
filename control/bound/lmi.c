/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/lmi.h"

#include "control/bound/lapack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dsygst_(const int *type, const char *uplo, const int *n, double *a, const int *lda, const double *b,
             const int *ldb, int *info, size_t);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
            const int *lwork, int *info, size_t, size_t);

static const int ONE = 1;

SimStatus bound_work_init(const BoundProgram *program, BoundWork *work) {
  size_t rows = 1, n = 1, shared = 1, columns = 1, terms = 1;
  for (int k = 0; k < program->kinds; k++)
    for (int l = 0; l < program->kind[k].lmis; l++) {
      const BoundLmi *lmi = &program->kind[k].lmi[l];
      rows = rows > (size_t)lmi->rows ? rows : (size_t)lmi->rows;
      n = n > (size_t)lmi->n ? n : (size_t)lmi->n;
      shared = shared > (size_t)lmi->shared ? shared : (size_t)lmi->shared;
      columns = columns > (size_t)lmi->columns ? columns : (size_t)lmi->columns;
      terms = terms > (size_t)lmi->terms ? terms : (size_t)lmi->terms;
    }
  work->gx = calloc(2 * rows * rows + rows * n + shared * shared + columns + terms + 3 * n * n + 4 * n, sizeof(double));
  if (!work->gx) return SIM_NO_MEMORY;
  work->gw = work->gx + rows * rows;
  work->t = work->gw + rows * rows;
  work->h = work->t + rows * n;
  work->column = work->h + shared * shared;
  work->term = work->column + columns;
  work->m = work->term + terms;
  work->eigen = work->m + 3 * n * n;
  return SIM_OK;
}

void bound_work_clear(BoundWork *work) {
  free(work->gx);
  *work = (BoundWork){0};
}

SimStatus bound_block_init(const BoundLmi *lmi, const BoundPlace *place, BoundBlock *block) {
  size_t n = (size_t)(lmi->n * lmi->n), own = (size_t)bound_lmi_own(lmi), shared = (size_t)lmi->shared;
  *block = (BoundBlock){.lmi = lmi, .cost = lmi->u ? place->cost : NULL, .share = place->share};
  block->X = calloc(6 * n + 6 * own + own * (own + shared), sizeof(double));
  if (!block->X) return SIM_NO_MEMORY;
  double **part[] = {&block->Q, &block->W, &block->dX, &block->dQ, &block->fix};
  for (int k = 0; k < 5; k++) *part[k] = block->X + (size_t)(k + 1) * n;
  double **list[] = {&block->own, &block->own_dual, &block->d_own, &block->d_dual, &block->own_fix, &block->own_rhs};
  for (int k = 0; k < 6; k++) *list[k] = block->X + 6 * n + (size_t)k * own;
  block->oo = block->X + 6 * n + 6 * own;
  block->os = block->oo + own * own;
  return SIM_OK;
}

void bound_block_clear(BoundBlock *block) {
  free(block->X);
  *block = (BoundBlock){0};
}

static int own_of(const BoundBlock *block) { return bound_lmi_own(block->lmi); }

/* Adds sum_c value_c F_c to the matrix Q, where F_c is the matrix of column c (program.h). value: values of the
 * variables of the time point. own: values of the variables that belong to this matrix alone. */
static void add_columns(const BoundLmi *lmi, const double *value, const double *own, BoundWork *work, double *Q) {
  int n = lmi->n, rows = lmi->rows;
  double *of = work->gx; /* [rows][rows] coefficients of the products of two rows of the matrix */
  memset(of, 0, (size_t)(rows * rows) * sizeof *of);
  for (int c = 0; c < lmi->columns; c++) {
    double v = c < lmi->shared ? value[lmi->variable[c]] : own[c - lmi->shared];
    for (int t = lmi->first[c]; t < lmi->first[c + 1]; t++)
      of[lmi->term[t].a * rows + lmi->term[t].b] += v * lmi->term[t].weight / 2;
  }
  for (int a = 0; a < rows; a++) {
    double *row = work->t;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int b = 0; b < rows; b++) {
      double by = of[a * rows + b];
      if (by == 0) continue;
      for (int j = 0; j < n; j++) row[j] += by * lmi->row[b * n + j];
    }
    for (int i = 0; i < n; i++) {
      double by = lmi->row[a * n + i];
      if (by == 0) continue;
      for (int j = 0; j < n; j++) {
        Q[i * n + j] += by * row[j];
        Q[j * n + i] += by * row[j];
      }
    }
  }
}

void bound_block_matrix(const BoundBlock *block, const double *value, const double *own, BoundWork *work, double *Q) {
  int n = block->lmi->n, u = block->lmi->u;
  memcpy(Q, block->lmi->start, (size_t)(n * n) * sizeof *Q);
  if (block->cost) Q[0] += block->cost[0];
  for (int j = 0; j < block->lmi->controls && block->cost; j++) {
    Q[u + j] += block->cost[1 + j];
    Q[(u + j) * n] += block->cost[1 + j];
  }
  add_columns(block->lmi, value, own, work, Q);
}

bool bound_block_invert(BoundBlock *block) {
  int n = block->lmi->n, info = 0;
  memcpy(block->W, block->Q, (size_t)(n * n) * sizeof *block->W);
  dpotrf_("U", &n, block->W, &n, &info, 1);
  if (info) return false;
  dpotri_("U", &n, block->W, &n, &info, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) block->W[j * n + i] = block->W[i * n + j];
  return info == 0;
}

double bound_block_gap(const BoundBlock *block) {
  double sum = 0;
  for (int i = 0; i < block->lmi->n * block->lmi->n; i++) sum += block->X[i] * block->Q[i];
  for (int k = 0; k < own_of(block); k++) sum += block->own[k] * block->own_dual[k];
  return sum;
}

/* Computes G m G', where the rows of G are all rows of a matrix of the program, and m is symmetric. */
static void project_rows(const BoundLmi *lmi, const double *m, double *t, double *out) {
  int n = lmi->n, rows = lmi->rows;
  for (int a = 0; a < rows; a++) {
    double *row = t + a * n;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int i = 0; i < n; i++) {
      double by = lmi->row[a * n + i];
      if (by == 0) continue;
      for (int j = 0; j < n; j++) row[j] += by * m[i * n + j];
    }
  }
  for (int a = 0; a < rows; a++)
    for (int b = 0; b <= a; b++) {
      double sum = 0;
      for (int j = 0; j < n; j++) sum += t[a * n + j] * lmi->row[b * n + j];
      out[a * rows + b] = out[b * rows + a] = sum;
    }
}

/* Computes the traces tr(F_c m) for all columns c, where F_c is the matrix of column c (program.h). m is symmetric. */
static void column_traces(const BoundLmi *lmi, const double *m, BoundWork *work, double *out) {
  int rows = lmi->rows;
  project_rows(lmi, m, work->t, work->gx);
  for (int c = 0; c < lmi->columns; c++) {
    out[c] = 0;
    for (int t = lmi->first[c]; t < lmi->first[c + 1]; t++)
      out[c] += lmi->term[t].weight * work->gx[lmi->term[t].a * rows + lmi->term[t].b];
  }
}

/* Computes one row of the Hessian of a block: the traces tr(F_c X F_e W) for one column c and all columns e <= c. F_c
 * and F_e are the matrices of the columns, X is the dual matrix and W the inverse of Q. F_c and F_e are sums of
 * symmetrised products a b' and p q' of two rows, so that the trace is a sum over all pairs of such products. */
static void hessian_row(const BoundLmi *lmi, int c, const BoundWork *work, double *out) {
  int rows = lmi->rows, last = lmi->first[c + 1];
  const BoundTerm *term = lmi->term;
  double *sum = work->term;
  memset(sum, 0, (size_t)last * sizeof *sum);
  for (int t = lmi->first[c]; t < last; t++) {
    const double *xa = work->gx + term[t].a * rows, *xb = work->gx + term[t].b * rows,
                 *wa = work->gw + term[t].a * rows, *wb = work->gw + term[t].b * rows, by = term[t].weight / 4;
    for (int s = 0; s < last; s++) {
      int p = term[s].a, q = term[s].b;
      sum[s] += by * (xb[p] * wa[q] + xb[q] * wa[p] + xa[p] * wb[q] + xa[q] * wb[p]);
    }
  }
  for (int e = 0; e <= c; e++) {
    out[e] = 0;
    for (int s = lmi->first[e]; s < lmi->first[e + 1]; s++) out[e] += term[s].weight * sum[s];
  }
}

bool bound_block_hessian(BoundBlock *block, BoundWork *work, int size, double *H) {
  const BoundLmi *lmi = block->lmi;
  const double one = 1, minus = -1;
  int shared = lmi->shared, own = own_of(block), info = 0;
  project_rows(lmi, block->X, work->t, work->gx);
  project_rows(lmi, block->W, work->t, work->gw);
  for (int c = 0; c < lmi->columns; c++) {
    hessian_row(lmi, c, work, work->column);
    if (c < shared) {
      memcpy(work->h + c * shared, work->column, (size_t)(c + 1) * sizeof *work->h);
      continue;
    }
    int k = c - shared;
    memcpy(block->os + k * shared, work->column, (size_t)shared * sizeof *block->os);
    memcpy(block->oo + k * own, work->column + shared, (size_t)(k + 1) * sizeof *block->oo);
    block->oo[k * own + k] += block->own_dual[k] / block->own[k];
  }
  dpotrf_("U", &own, block->oo, &own, &info, 1);
  if (info) return false;
  if (shared) {
    dtrsm_("R", "U", "N", "N", &shared, &own, &one, block->oo, &own, block->os, &shared, 1, 1, 1, 1);
    dsyrk_("U", "N", &shared, &own, &minus, block->os, &shared, &one, work->h, &shared, 1, 1);
  }
  for (int i = 0; i < shared; i++)
    for (int j = 0; j <= i; j++) {
      int a = lmi->variable[i], b = lmi->variable[j];
      H[a > b ? a * size + b : b * size + a] += work->h[i * shared + j];
    }
  return true;
}

void bound_block_right_side(BoundBlock *block, BoundWork *work, double mu, double *g) {
  const BoundLmi *lmi = block->lmi;
  int n = lmi->n, shared = lmi->shared, own = own_of(block);
  double *m = work->m;
  for (int i = 0; i < n * n; i++) m[i] = mu * block->W[i] - block->fix[i];
  column_traces(lmi, m, work, work->column);
  for (int k = 0; k < own; k++) block->own_rhs[k] = work->column[shared + k] + mu / block->own[k] - block->own_fix[k];
  block->own_rhs[own - 1] -= block->share * lmi->price;
  dtrsv_("U", "T", "N", &own, block->oo, &own, block->own_rhs, &ONE, 1, 1, 1);
  for (int c = 0; c < shared; c++) {
    double sum = work->column[c];
    for (int k = 0; k < own; k++) sum -= block->os[k * shared + c] * block->own_rhs[k];
    g[lmi->variable[c]] += sum;
  }
}

/* Computes out = (a b c + c b a)/2 for symmetric matrices of size n. t: workspace. */
static void symmetric_product(int n, const double *a, const double *b, const double *c, double *t, double *out) {
  double *ab = t, *abc = t + n * n;
  for (int i = 0; i < n; i++) {
    memset(ab + i * n, 0, (size_t)n * sizeof *ab);
    memset(abc + i * n, 0, (size_t)n * sizeof *abc);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) ab[i * n + j] += a[i * n + k] * b[k * n + j];
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) abc[i * n + j] += ab[i * n + k] * c[k * n + j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) out[i * n + j] = out[j * n + i] = (abc[i * n + j] + abc[j * n + i]) / 2;
}

void bound_block_step(BoundBlock *block, BoundWork *work, double mu, const double *d_value) {
  const BoundLmi *lmi = block->lmi;
  int n = lmi->n, shared = lmi->shared, own = own_of(block);
  for (int k = 0; k < own; k++) {
    double sum = block->own_rhs[k];
    for (int c = 0; c < shared; c++) sum -= block->os[k * shared + c] * d_value[lmi->variable[c]];
    block->d_own[k] = sum;
  }
  dtrsv_("U", "N", "N", &own, block->oo, &own, block->d_own, &ONE, 1, 1, 1);
  for (int k = 0; k < own; k++)
    block->d_dual[k] =
        (mu - block->own_dual[k] * block->d_own[k]) / block->own[k] - block->own_dual[k] - block->own_fix[k];
  memset(block->dQ, 0, (size_t)(n * n) * sizeof *block->dQ);
  add_columns(lmi, d_value, block->d_own, work, block->dQ);
  symmetric_product(n, block->X, block->dQ, block->W, work->m, block->dX);
  for (int i = 0; i < n * n; i++) block->dX[i] = mu * block->W[i] - block->X[i] - block->dX[i] - block->fix[i];
}

void bound_block_correct(BoundBlock *block, BoundWork *work, bool none) {
  int n = block->lmi->n, own = own_of(block);
  if (none) {
    memset(block->fix, 0, (size_t)(n * n) * sizeof *block->fix);
    memset(block->own_fix, 0, (size_t)own * sizeof *block->own_fix);
    return;
  }
  symmetric_product(n, block->dX, block->dQ, block->W, work->m, block->fix);
  for (int k = 0; k < own; k++) block->own_fix[k] = block->d_dual[k] * block->d_own[k] / block->own[k];
}

/* Returns the largest a <= 1 for which m + (a/part) dm is positive semidefinite; 0 if m is not positive definite. A
 * step a dm thus covers at most the fraction `part` of the distance to the boundary of the positive semidefinite
 * matrices. */
static double step_length(int n, const double *m, const double *dm, double part, BoundWork *work) {
  double *factor = work->m, *a = work->m + n * n;
  int info = 0, room = 3 * n;
  memcpy(factor, m, (size_t)(n * n) * sizeof *factor);
  memcpy(a, dm, (size_t)(n * n) * sizeof *a);
  dpotrf_("U", &n, factor, &n, &info, 1);
  if (info) return 0;
  dsygst_(&ONE, "U", &n, a, &n, factor, &n, &info, 1);
  dsyev_("N", "U", &n, a, &n, work->eigen, work->eigen + n, &room, &info, 1, 1);
  if (info) return 0;
  return work->eigen[0] < -part ? -part / work->eigen[0] : 1;
}

void bound_block_lengths(BoundBlock *block, BoundWork *work, double part, double *along_Q, double *along_X) {
  int n = block->lmi->n;
  *along_Q = fmin(*along_Q, step_length(n, block->Q, block->dQ, part, work));
  *along_X = fmin(*along_X, step_length(n, block->X, block->dX, part, work));
  for (int k = 0; k < own_of(block); k++) {
    if (block->d_own[k] < 0) *along_Q = fmin(*along_Q, -part * block->own[k] / block->d_own[k]);
    if (block->d_dual[k] < 0) *along_X = fmin(*along_X, -part * block->own_dual[k] / block->d_dual[k]);
  }
}
