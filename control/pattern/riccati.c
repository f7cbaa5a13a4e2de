/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pattern/riccati.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double EQUAL_SHIFT =
    1e-13; /* fraction of the mean diagonal entry of the Schur complement that is added to its diagonal, so that
            * linearly dependent equalities do no harm */

/* Computes the Cholesky factor of an n x n matrix in place, as its lower triangle. Returns false if the matrix is not
 * positive definite. */
static bool factor_in_place(int n, double *a) {
  for (int j = 0; j < n; j++) {
    double pivot = a[j * n + j] - dot(j, a + j * n, a + j * n);
    if (!(pivot > 0)) return false;
    a[j * n + j] = pivot = sqrt(pivot);
    for (int i = j + 1; i < n; i++) a[i * n + j] = (a[i * n + j] - dot(j, a + i * n, a + j * n)) / pivot;
  }
  return true;
}

/* substitute_forward computes x = L^-1 x, substitute_backward x = L'^-1 x. Consecutive entries of x have the distance
 * `stride` in memory. */
static void substitute_forward(int n, const double *L, double *x, int stride) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) x[i * stride] -= L[i * n + j] * x[j * stride];
    x[i * stride] /= L[i * n + i];
  }
}

static void substitute_backward(int n, const double *L, double *x, int stride) {
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i * stride] -= L[j * n + i] * x[j * stride];
    x[i * stride] /= L[i * n + i];
  }
}

void riccati_substitute(int n, const double *L, double *x, int stride) {
  substitute_forward(n, L, x, stride);
  substitute_backward(n, L, x, stride);
}

/* Computes it->Z, the matrix H of stage k plus the weighted products a a' of the coefficients a of its rows
 * (constraints), for the first `size` rows and columns. *row: index of the last row of the stage; set to the last row
 * of the stage before. */
static void weigh_rows(const Stages *s, Iterate *it, int k, int *row) {
  int z = s->w + s->u, size = k < s->stages ? z : s->w;
  memset(it->Z, 0, (size_t)(z * z) * sizeof *it->Z);
  if (k < s->stages) memcpy(it->Z, s->H, (size_t)(z * z) * sizeof *it->Z);
  for (; *row >= 0 && s->row[*row].stage == k; --*row) {
    int r = *row;
    const double *a = s->a + (size_t)r * (size_t)z;
    if (is_equality(s, r)) continue;
    double weight = 0;
    for (int side = 0; side < 2; side++)
      if (isfinite(it->slack[side][r])) weight += it->price[side][r] / it->slack[side][r];
    for (int i = 0; i < size; i++)
      if (a[i] != 0) add(size, weight * a[i], a, it->Z + i * z);
  }
}

bool riccati_factor(const Stages *s, Iterate *it) {
  int w = s->w, u = s->u, z = w + u, row = s->n_rows - 1;
  weigh_rows(s, it, s->stages, &row);
  for (int i = 0; i < w; i++) memcpy(it->P + i * w, it->Z + i * z, (size_t)w * sizeof *it->P);
  for (int k = s->stages - 1; k >= 0; k--) {
    const double *F = s->F[k];
    double *K = it->gain + (size_t)k * (size_t)(u * w), *L = it->factor + (size_t)k * (size_t)(u * u);
    weigh_rows(s, it, k, &row);
    /* it->next = P F: P is the matrix of the cost of all later stages, F the transition of this stage */
    memset(it->next, 0, (size_t)(w * z) * sizeof *it->next);
    for (int i = 0; i < w; i++)
      for (int j = 0; j < w; j++)
        if (it->P[i * w + j] != 0) add(z, it->P[i * w + j], F + j * z, it->next + i * z);
    for (int j = 0; j < w; j++) /* Z += F'(P F) */
      for (int i = 0; i < z; i++)
        if (F[j * z + i] != 0) add(z, F[j * z + i], it->next + j * z, it->Z + i * z);
    for (int i = 0; i < u; i++) {
      memcpy(L + i * u, it->Z + (w + i) * z + w, (size_t)u * sizeof *L);
      memcpy(K + i * w, it->Z + (w + i) * z, (size_t)w * sizeof *K);
    }
    if (!factor_in_place(u, L)) return false;
    for (int j = 0; j < w; j++) riccati_substitute(u, L, K + j, w);
    for (int i = 0; i < w; i++) { /* P, the matrix of the cost of this and all later stages: P = Z_ww - Z_wu K, with the
                                   * gain K */
      memcpy(it->P + i * w, it->Z + i * z, (size_t)w * sizeof *it->P);
      for (int j = 0; j < u; j++) add(w, -it->Z[i * z + w + j], K + j * w, it->P + i * w);
    }
    for (int i = 0; i < w; i++)
      for (int j = 0; j < i; j++) it->P[i * w + j] = it->P[j * w + i] = (it->P[i * w + j] + it->P[j * w + i]) / 2;
  }
  return true;
}

void riccati_sweep_back(const Stages *s, const Iterate *it, int last, const double *row, const double *gradient,
                        double *half) {
  int w = s->w, u = s->u, z = w + u;
  double *q = it->q, *on = it->on;
  memset(half, 0, (size_t)(s->stages * u) * sizeof *half);
  if (last == s->stages) memcpy(q, row, (size_t)w * sizeof *q);
  for (int k = last == s->stages ? last - 1 : last; k >= 0; k--) {
    const double *F = s->F[k], *K = it->gain + (size_t)k * (size_t)(u * w);
    bool first = k == last;
    memset(on, 0, (size_t)z * sizeof *on);
    if (first || gradient) memcpy(on, first ? row : gradient + (size_t)k * (size_t)z, (size_t)z * sizeof *on);
    for (int i = 0; i < w && !first; i++) add(z, q[i], F + i * z, on);
    memcpy(q, on, (size_t)w * sizeof *q);
    for (int i = 0; i < u; i++) add(w, -on[w + i], K + i * w, q);
    memcpy(half + k * u, on + w, (size_t)u * sizeof *half);
    substitute_forward(u, it->factor + (size_t)k * (size_t)(u * u), half + k * u, 1);
  }
}

void riccati_sweep_along(const Stages *s, const Iterate *it, double *half, double *dz) {
  int w = s->w, u = s->u, z = w + u;
  memset(dz, 0, (size_t)w * sizeof *dz);
  for (int k = 0; k < s->stages; k++, dz += z) {
    const double *F = s->F[k], *K = it->gain + (size_t)k * (size_t)(u * w);
    double *h = half + k * u;
    substitute_backward(u, it->factor + (size_t)k * (size_t)(u * u), h, 1);
    for (int i = 0; i < u; i++) dz[w + i] = -h[i] - dot(w, K + i * w, dz);
    for (int i = 0; i < w; i++) dz[z + i] = dot(z, F + i * z, dz);
  }
}

bool riccati_factor_equalities(const Stages *s, Iterate *it) {
  int n = it->equalities, size = s->stages * s->u;
  double trace = 0;
  for (int e = 0; e < n; e++) {
    const double *a = s->a + (size_t)it->which[e] * (size_t)(s->w + s->u);
    double *half = it->halves + (size_t)e * (size_t)size;
    riccati_sweep_back(s, it, s->row[it->which[e]].stage, a, NULL, half);
    for (int f = 0; f <= e; f++)
      it->schur[e * n + f] = it->schur[f * n + e] = dot(size, half, it->halves + (size_t)f * (size_t)size);
    trace += it->schur[e * n + e];
  }
  for (int e = 0; e < n; e++) it->schur[e * n + e] += EQUAL_SHIFT * trace / n + DBL_MIN;
  return n == 0 || factor_in_place(n, it->schur);
}
