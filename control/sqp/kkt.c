/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/kkt.h"

#include "sim/operator/dense.h"

#include <math.h>
#include <string.h>

/* There are no C headers of LAPACK and BLAS here. Their functions have Fortran's calling convention and 32-bit
 * integers. */
void dpbtrf_(const char *uplo, const int *n, const int *kd, double *ab, const int *ldab, int *info, size_t);
void dtbtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *kd, const int *nrhs,
             const double *ab, const int *ldab, double *b, const int *ldb, int *info, size_t, size_t, size_t);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda, double *b,
             const int *ldb, int *info, size_t);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *beta, double *c, const int *ldc, size_t, size_t);

enum {
  REFINEMENTS = 1, /* number of steps of iterative refinement of a solution by columns */
  MANY_ROWS = 256, /* a problem without tops that can have more rows is solved by columns where that is less work */
  /* up to this number of rows, a problem without tops that has equalities is solved by rows: they may be linearly
   * dependent, and their weights W = Delta^-1, which grow without limit, would hide K in the sum of the columns */
  EQUAL_ROWS = 1024
};
static const double REGULARIZATION = 1e-13; /* number added to the diagonal of a system that round-off has made
                                             * singular, relative */

/* Returns the number of columns in which a row is stored. The columns of tops (kkt.h) contain -1 or 0 and are not
 * stored. */
static int stored_columns(const CtlQp *qp) { return qp->n - qp->tops; }

/* Whether m rows are so many that the solution by columns is less work. */
static bool are_many(const CtlQp *qp, int m) {
  return (qp->tops > 0 || qp->rows_most > MANY_ROWS) && m > 2 * stored_columns(qp);
}

static bool has_equalities(const CtlQp *qp) {
  for (int j = 0; j < qp->m; j++)
    if (qp->equality[j]) return true;
  return false;
}

/* Returns the size of the largest matrix that is factored: of the rows, unless they are many, or of the columns. */
static size_t schur_size(const CtlQp *qp) {
  size_t m = (size_t)qp->rows_most, w = (size_t)stored_columns(qp), columns = 4 * w * w;
  if (!are_many(qp, qp->rows_most)) return m * m;
  if (qp->tops == 0 && m > EQUAL_ROWS) m = EQUAL_ROWS;
  return qp->tops == 0 && m * m > columns ? m * m : columns;
}

size_t ctl_kkt_size(const CtlQp *qp) {
  size_t n = (size_t)qp->n, m = (size_t)qp->rows_most, w = (size_t)stored_columns(qp), tops = (size_t)qp->tops;
  return n * (size_t)(qp->band + 1) + m + (m + tops) * w + schur_size(qp) + tops * (w + 2) + 2 * (n + m);
}

void ctl_kkt_lay_out(CtlKkt *kkt, const CtlQp *qp, double *from) {
  size_t n = (size_t)qp->n, m = (size_t)qp->rows_most, w = (size_t)stored_columns(qp), tops = (size_t)qp->tops;
  kkt->K = from;
  kkt->delta = kkt->K + n * (size_t)(qp->band + 1);
  kkt->solved = kkt->delta + m;
  kkt->schur = kkt->solved + (m + tops) * w;
  kkt->mean = kkt->schur + schur_size(qp);
  kkt->sum = kkt->mean + tops * w;
  kkt->pull = kkt->sum + tops;
  kkt->dz = kkt->pull + tops;
  kkt->p = kkt->dz + n;
  kkt->dy = kkt->p + n;
  kkt->c = kkt->dy + m;
}

static const double *row_of(const CtlQp *qp, int j) { return qp->rows + (size_t)j * (size_t)stored_columns(qp); }

/* Returns the index in z of the top (a variable that rows only subtract, kkt.h) in row j. */
static int top_of(const CtlQp *qp, int j) { return stored_columns(qp) + qp->top[j]; }

double ctl_kkt_row_times(const CtlQp *qp, int j, const double *z) {
  double sum = dense_dot(stored_columns(qp), row_of(qp, j), z);
  return qp->top[j] < 0 ? sum : sum - z[top_of(qp, j)];
}

void ctl_kkt_row_add(const CtlQp *qp, int j, double y, double *out) {
  const double *row = row_of(qp, j);
  for (int i = 0; i < stored_columns(qp); i++) out[i] += y * row[i];
  if (qp->top[j] >= 0) out[top_of(qp, j)] -= y;
}

void ctl_kkt_multiply(const CtlQp *qp, const double *matrix, const double *z, double *out) {
  memset(out, 0, (size_t)qp->n * sizeof *out);
  for (int i = 0; i < qp->n; i++)
    for (int j = i > qp->band ? i - qp->band : 0; j <= i; j++) {
      double h = matrix[i * (qp->band + 1) + qp->band + j - i];
      out[i] += h * z[j];
      if (j < i) out[j] += h * z[i];
    }
}

static double K_top(const CtlKkt *kkt, const CtlQp *qp, int top) {
  return kkt->K[(size_t)(stored_columns(qp) + top) * (size_t)(qp->band + 1) + (size_t)qp->band];
}

/* Computes V = U'^-1 A', where U is the factor of K_uu = U'U and A is the matrix of the rows. The loop over columns is
 * outside and that over rows inside, so that it vectorises. */
static void solve_half(CtlKkt *kkt, const CtlQp *qp) {
  int w = stored_columns(qp), m = qp->m, band = qp->band;
  for (int i = 0; i < w; i++) {
    const double *u = kkt->K + (size_t)i * (size_t)(band + 1);
    double *at = kkt->solved + (size_t)i * (size_t)m;
    for (int j = 0; j < m; j++) at[j] = row_of(qp, j)[i];
    for (int k = i > band ? i - band : 0; k < i; k++) {
      const double *before = kkt->solved + (size_t)k * (size_t)m;
      double factor = u[band + k - i];
      for (int j = 0; j < m; j++) at[j] -= factor * before[j];
    }
    for (int j = 0; j < m; j++) at[j] /= u[band];
  }
}

/* Factors the system for the solution by rows (kkt.h): K_uu = U'U, then V = U'^-1 A', then the Schur complement V'V +
 * Delta. Returns false if a matrix is not positive definite. */
static bool factor_rows(CtlKkt *kkt, const CtlQp *qp) {
  int w = stored_columns(qp), m = qp->m, band = qp->band, width = band + 1, info = 0;
  const double one = 1, zero = 0;
  /* LAPACK stores bands by columns, so this lower triangle by rows is an upper triangle for LAPACK */
  dpbtrf_("U", &w, &band, kkt->K, &width, &info, 1);
  if (info) return false;
  solve_half(kkt, qp);
  /* linearly dependent rows make the matrix singular, and round-off then decides the signs of pivots */
  for (double more = REGULARIZATION; m > 0 && more < 1; more *= 1000) {
    dsyrk_("U", "N", &m, &w, &one, kkt->solved, &m, &zero, kkt->schur, &m, 1, 1);
    for (int j = 0; j < m; j++) {
      for (int k = 0; k <= j && qp->top[j] >= 0; k++)
        if (qp->top[j] == qp->top[k]) kkt->schur[(size_t)j * (size_t)m + (size_t)k] += 1 / K_top(kkt, qp, qp->top[j]);
      kkt->schur[(size_t)j * (size_t)(m + 1)] += kkt->delta[j] + more * kkt->schur[(size_t)j * (size_t)(m + 1)];
    }
    dpotrf_("U", &m, kkt->schur, &m, &info, 1);
    if (!info) break;
  }
  return info == 0;
}

/* Computes, for each top t, the sum w_t of the weights of its rows and the weighted mean a_t of its rows (kkt.h). */
static void find_means(CtlKkt *kkt, const CtlQp *qp) {
  int w = stored_columns(qp);
  memset(kkt->mean, 0, (size_t)qp->tops * (size_t)w * sizeof *kkt->mean);
  memset(kkt->sum, 0, (size_t)qp->tops * sizeof *kkt->sum);
  for (int j = 0; j < qp->m; j++)
    if (qp->top[j] >= 0) kkt->sum[qp->top[j]] += 1 / kkt->delta[j];
  for (int j = 0; j < qp->m; j++) {
    if (qp->top[j] < 0) continue;
    double part = 1 / kkt->delta[j] / kkt->sum[qp->top[j]], *mean = kkt->mean + qp->top[j] * w;
    for (int i = 0; i < w; i++) mean[i] += part * row_of(qp, j)[i];
  }
}

/* Copies the banded matrix K_uu (K without the tops, see kkt.h) to kkt->schur, as a full lower triangle stored by
 * rows. */
static void lay_out_columns(const CtlKkt *kkt, const CtlQp *qp) {
  int w = stored_columns(qp), band = qp->band;
  memset(kkt->schur, 0, (size_t)w * (size_t)w * sizeof *kkt->schur);
  for (int i = 0; i < w; i++)
    for (int j = i > band ? i - band : 0; j <= i; j++) kkt->schur[i * w + j] = kkt->K[i * (band + 1) + band + j - i];
}

/* Returns entry i of the mean of the rows with the top of row j; 0 without a top. */
static double mean_of(const CtlKkt *kkt, const CtlQp *qp, int j, int i) {
  return qp->top[j] < 0 ? 0 : kkt->mean[qp->top[j] * stored_columns(qp) + i];
}

static bool factor_columns(CtlKkt *kkt, const CtlQp *qp) {
  int w = stored_columns(qp), m = qp->m, all = m + qp->tops, info = 0;
  const double one = 1;
  find_means(kkt, qp);
  for (int j = 0; j < m; j++) {
    double root = sqrt(1 / kkt->delta[j]), *out = kkt->solved + j * w;
    for (int i = 0; i < w; i++) out[i] = root * (row_of(qp, j)[i] - mean_of(kkt, qp, j, i));
  }
  for (int t = 0; t < qp->tops; t++) {
    double k = K_top(kkt, qp, t), root = sqrt(k / (k + kkt->sum[t]) * kkt->sum[t]), *out = kkt->solved + (m + t) * w;
    for (int i = 0; i < w; i++) out[i] = root * kkt->mean[t * w + i];
  }
  for (double more = REGULARIZATION; more < 1; more *= 1000) {
    lay_out_columns(kkt, qp);
    dsyrk_("U", "N", &w, &all, &one, kkt->solved, &w, &one, kkt->schur, &w, 1, 1);
    for (int i = 0; i < w; i++) kkt->schur[i * w + i] *= 1 + more;
    dpotrf_("U", &w, kkt->schur, &w, &info, 1);
    if (!info) break;
  }
  return info == 0;
}

bool ctl_kkt_factor(CtlKkt *kkt, const CtlQp *qp) {
  kkt->by_columns = are_many(qp, qp->m) && (qp->tops > 0 || qp->m > EQUAL_ROWS || !has_equalities(qp));
  return kkt->by_columns ? factor_columns(kkt, qp) : factor_rows(kkt, qp);
}

/* Solves the system by rows (kkt.h), K_uu dz = p - A'dy, in three steps: q from U'q = p, dy from V'q, then dz from U dz
 * = q - V dy. */
static void solve_rows(const CtlKkt *kkt, const CtlQp *qp, const double *const c[3], double *dz, double *dy) {
  int w = stored_columns(qp), m = qp->m, one = 1, width = qp->band + 1, info;
  dtbtrs_("U", "T", "N", &w, &qp->band, &one, kkt->K, &width, dz, &w, &info, 1, 1, 1);
  for (int t = 0; t < qp->tops; t++) dz[w + t] /= K_top(kkt, qp, t);
  for (int j = 0; j < m; j++) dy[j] = c[0][j] - c[1][j] + c[2][j] - (qp->top[j] < 0 ? 0 : dz[top_of(qp, j)]);
  for (int i = 0; i < w; i++)
    for (int j = 0; j < m; j++) dy[j] += kkt->solved[(size_t)i * (size_t)m + (size_t)j] * dz[i];
  if (m) dpotrs_("U", &m, &one, kkt->schur, &m, dy, &m, &info, 1);
  for (int i = 0; i < w; i++) dz[i] -= dense_dot(m, kkt->solved + (size_t)i * (size_t)m, dy);
  for (int j = 0; j < m; j++)
    if (qp->top[j] >= 0) dz[top_of(qp, j)] += dy[j] / K_top(kkt, qp, qp->top[j]);
  dtbtrs_("U", "N", "N", &w, &qp->band, &one, kkt->K, &width, dz, &w, &info, 1, 1, 1);
}

/* Solves the system by columns (kkt.h). dz: p on entry, the solution on return. dy: c on entry, the solution on
 * return. */
static void solve_columns(const CtlKkt *kkt, const CtlQp *qp, double *dz, double *dy) {
  int w = stored_columns(qp), one = 1, info;
  double *top = dz + w; /* [tops] one value for each top (a variable that rows only subtract): first the right side
                         * p, then p plus the weighted sum of the right sides of its rows, at last the step dz of the
                         * top */
  for (int j = 0; j < qp->m; j++) {
    double pull = dy[j] / kkt->delta[j];
    for (int i = 0; i < w; i++) dz[i] -= pull * (row_of(qp, j)[i] - mean_of(kkt, qp, j, i));
  }
  for (int t = 0; t < qp->tops; t++) kkt->pull[t] = 0;
  for (int j = 0; j < qp->m; j++)
    if (qp->top[j] >= 0) kkt->pull[qp->top[j]] += dy[j] / kkt->delta[j];
  for (int t = 0; t < qp->tops; t++) {
    double k = K_top(kkt, qp, t), part = (kkt->sum[t] * top[t] - k * kkt->pull[t]) / (k + kkt->sum[t]);
    for (int i = 0; i < w; i++) dz[i] += part * kkt->mean[t * w + i];
    top[t] += kkt->pull[t];
  }
  dpotrs_("U", &w, &one, kkt->schur, &w, dz, &w, &info, 1);
  for (int t = 0; t < qp->tops; t++)
    top[t] = (top[t] + kkt->sum[t] * dense_dot(w, kkt->mean + t * w, dz)) / (K_top(kkt, qp, t) + kkt->sum[t]);
  for (int j = 0; j < qp->m; j++) dy[j] = (dy[j] + ctl_kkt_row_times(qp, j, dz)) / kkt->delta[j];
}

/* Makes one step of iterative refinement of the solution dz, dy that solve_columns has computed: solves the system
 * again for the residual, and adds the result. This is needed because the weight W_j of a nearly satisfied row j is
 * large: dy_j, which is W_j times a small difference, loses its last digits. */
static void refine_columns(const CtlKkt *kkt, const CtlQp *qp, double *dz, double *dy) {
  ctl_kkt_multiply(qp, kkt->K, dz, kkt->dz);
  for (int j = 0; j < qp->m; j++) ctl_kkt_row_add(qp, j, dy[j], kkt->dz);
  for (int i = 0; i < qp->n; i++) kkt->dz[i] = kkt->p[i] - kkt->dz[i];
  for (int j = 0; j < qp->m; j++) kkt->dy[j] = kkt->c[j] + ctl_kkt_row_times(qp, j, dz) - kkt->delta[j] * dy[j];
  solve_columns(kkt, qp, kkt->dz, kkt->dy);
  for (int i = 0; i < qp->n; i++) dz[i] += kkt->dz[i];
  for (int j = 0; j < qp->m; j++) dy[j] += kkt->dy[j];
}

void ctl_kkt_solve(const CtlKkt *kkt, const CtlQp *qp, const double *const c[3], double *dz, double *dy) {
  if (!kkt->by_columns) {
    solve_rows(kkt, qp, c, dz, dy);
    return;
  }
  memcpy(kkt->p, dz, (size_t)qp->n * sizeof *dz);
  for (int j = 0; j < qp->m; j++) dy[j] = kkt->c[j] = c[0][j] - c[1][j] + c[2][j];
  solve_columns(kkt, qp, dz, dy);
  for (int k = 0; k < REFINEMENTS; k++) refine_columns(kkt, qp, dz, dy);
}
