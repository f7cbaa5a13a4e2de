/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/contradiction.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FAR = 1e8;         /* z beyond this many times the largest |b| does not count */
static const double DEPENDENT = 1e-12; /* part of a column outside of the span of others that counts as 0 */

/* Least squares of E y - f with y >= 0. E has a column (a_j, b_j) for each row of the inequalities; f = (0, -1). */
typedef struct Nnls {
  int size, m;      /* numbers of entries and of columns */
  double *columns;  /* [m][size] */
  double *y;        /* [m] */
  double *residual; /* [size] f - E y */
  int free, *is;    /* number of columns that may have y > 0, and their indices [size] */
  double *Q, *R;    /* [size][size] each: orthonormal columns, and their triangle, of the free columns */
  double *solution; /* [size] least squares with the free columns alone */
} Nnls;

static double product(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Removes from v the components along the first k columns of Q, twice for round-off, and adds them to r [k]. */
static void project(const Nnls *s, int k, double *v, double *r) {
  for (int turn = 0; turn < 2; turn++)
    for (int i = 0; i < k; i++) {
      double along = product(s->Q + i * s->size, v, s->size);
      r[i] += along;
      for (int l = 0; l < s->size; l++) v[l] -= along * s->Q[i * s->size + l];
    }
}

/* Solves the least squares with the free columns. Returns false if they are dependent. */
static bool solve_free(Nnls *s) {
  memset(s->R, 0, (size_t)s->size * (size_t)s->size * sizeof *s->R);
  for (int k = 0; k < s->free; k++) {
    double *q = s->Q + k * s->size, *r = s->R + k * s->size;
    const double *column = s->columns + s->is[k] * s->size;
    memcpy(q, column, (size_t)s->size * sizeof *q);
    project(s, k, q, r);
    r[k] = sqrt(product(q, q, s->size));
    if (!(r[k] > DEPENDENT * sqrt(product(column, column, s->size)))) return false;
    for (int l = 0; l < s->size; l++) q[l] /= r[k];
  }
  for (int k = s->free - 1; k >= 0; k--) {
    double sum = -s->Q[k * s->size + s->size - 1];
    for (int l = k + 1; l < s->free; l++) sum -= s->R[l * s->size + k] * s->solution[l];
    s->solution[k] = sum / s->R[k * s->size + k];
  }
  return true;
}

/* Returns the share of the way to the solution after which y of the k-th free column is 0. */
static double share_to_edge(const Nnls *s, int k) {
  double y = s->y[s->is[k]];
  return s->solution[k] <= 0 ? y / (y - s->solution[k]) : INFINITY;
}

/* Moves y towards the solution until the first entries are 0, and fixes these. */
static void move_to_edge(Nnls *s) {
  double share = INFINITY;
  int kept = 0;
  for (int k = 0; k < s->free; k++) share = fmin(share, share_to_edge(s, k));
  for (int k = 0; k < s->free; k++) {
    int j = s->is[k];
    double y = s->y[j] + share * (s->solution[k] - s->y[j]);
    bool ends = !(share_to_edge(s, k) > share && y > 0); /* round-off may bring a further one there */
    s->y[j] = ends ? 0 : y;
    if (!ends) s->is[kept++] = j;
  }
  s->free = kept;
}

/* Sets y to the least squares of the free columns, of which it fixes those that would become negative. Returns false if
 * round-off does not let the column that was freed last become positive. */
static bool settle(Nnls *s) {
  while (solve_free(s)) {
    bool inside = true;
    int last = s->free - 1;
    for (int k = 0; k <= last; k++) inside = inside && s->solution[k] > 0;
    for (int k = 0; k <= last && inside; k++) s->y[s->is[k]] = s->solution[k];
    if (inside) return true;
    if (s->solution[last] <= 0 && s->y[s->is[last]] == 0) return false;
    move_to_edge(s);
  }
  return false;
}

static void set_residual(Nnls *s) {
  for (int l = 0; l < s->size; l++) s->residual[l] = l == s->size - 1 ? -1 : 0;
  for (int j = 0; j < s->m; j++)
    for (int l = 0; l < s->size && s->y[j] > 0; l++) s->residual[l] -= s->y[j] * s->columns[j * s->size + l];
}

/* Frees the column along which the squares fall fastest. Returns false if there is none. */
static bool free_column(Nnls *s) {
  int best = -1;
  double most = DEPENDENT;
  for (int j = 0; j < s->m && s->free < s->size; j++) {
    const double *column = s->columns + j * s->size;
    double fall = product(column, s->residual, s->size);
    if (s->y[j] > 0 || !(fall > most)) continue;
    most = fall;
    best = j;
  }
  if (best >= 0) s->is[s->free++] = best;
  return best >= 0;
}

static void minimise(Nnls *s) {
  set_residual(s);
  for (int round = 0; round < 3 * (s->m + s->size) && free_column(s) && settle(s); round++) set_residual(s);
}

/* Whether what y misses is so small that only a z that is too far can meet the rows, whatever the round-off. */
static bool proves(const Nnls *s) {
  double sum = 0;
  for (int j = 0; j < s->m; j++) sum += s->y[j];
  return sqrt(product(s->residual, s->residual, s->size)) + s->m * DBL_EPSILON * sum < 1 / FAR;
}

bool contradiction_find(int n, int m, const double *rows, const double *b, double *y) {
  size_t size = (size_t)n + 1, count = (size_t)m;
  Nnls s = {.size = n + 1, .m = m, .y = y};
  double largest = 0, *work = calloc(size * (count + 2 * size + 2), sizeof *work);
  s.is = calloc(size, sizeof *s.is);
  memset(y, 0, count * sizeof *y);
  for (int j = 0; j < m; j++) largest = fmax(largest, fabs(b[j]));
  if (work && s.is && largest > 0 && isfinite(largest)) {
    s.columns = work;
    s.Q = work + size * count;
    s.R = s.Q + size * size;
    s.residual = s.R + size * size;
    s.solution = s.residual + size;
    for (int j = 0; j < m; j++) {
      memcpy(s.columns + j * s.size, rows + j * n, (size_t)n * sizeof *rows);
      s.columns[j * s.size + n] = b[j] / largest;
    }
    minimise(&s);
    if (!proves(&s)) memset(y, 0, count * sizeof *y);
  }
  bool whole = work && s.is;
  free(work);
  free(s.is);
  return whole;
}
