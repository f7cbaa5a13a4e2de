/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/contradiction.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a point z with entries above FAR times the largest |b| counts as no solution of the inequalities */
static const double FAR = 1e8;
/* a column is dependent on others if its part outside their span, relative to its length, is below this */
static const double DEPENDENT = 1e-12;

/* The problem of finding y >= 0 with the least squares of E y - f. E has a column (a_j, b_j) for each inequality; f =
 * (0, -1). */
typedef struct Nnls {
  int size, m;      /* number of entries of a column, and number of columns */
  double *columns;  /* [m][size] columns of E */
  double *y;        /* [m] current y */
  double *residual; /* [size] f - E y */
  int free, *is;    /* number of free columns, i.e. those with y > 0, and their indices [size]; all other y are fixed at
                     * 0 */
  double *Q, *R;    /* [size][size] each: QR decomposition of the free columns, Q with orthonormal columns and R
                     * triangular */
  double *solution; /* [size] solution of the least squares problem with the free columns alone, without y >= 0 */
} Nnls;

static double product(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Removes from v the components along the first k columns of Q, and adds them to r [k]. Does so twice, which reduces
 * round-off. */
static void project(const Nnls *s, int k, double *v, double *r) {
  for (int turn = 0; turn < 2; turn++)
    for (int i = 0; i < k; i++) {
      double along = product(s->Q + i * s->size, v, s->size);
      r[i] += along;
      for (int l = 0; l < s->size; l++) v[l] -= along * s->Q[i * s->size + l];
    }
}

/* Solves the least squares problem with the free columns. Returns false if these columns are linearly dependent. */
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

/* Returns the fraction of the way from y to the solution at which y of the k-th free column becomes 0. */
static double share_to_edge(const Nnls *s, int k) {
  double y = s->y[s->is[k]];
  return s->solution[k] <= 0 ? y / (y - s->solution[k]) : INFINITY;
}

/* Moves y towards the solution until some entry becomes 0. Such entries are fixed at 0. */
static void move_to_edge(Nnls *s) {
  double share = INFINITY;
  int kept = 0;
  for (int k = 0; k < s->free; k++) share = fmin(share, share_to_edge(s, k));
  for (int k = 0; k < s->free; k++) {
    int j = s->is[k];
    double y = s->y[j] + share * (s->solution[k] - s->y[j]);
    bool ends = !(share_to_edge(s, k) > share && y > 0); /* the second condition fixes an entry that becomes 0 by
                                                          * round-off */
    s->y[j] = ends ? 0 : y;
    if (!ends) s->is[kept++] = j;
  }
  s->free = kept;
}

/* Sets y to the solution of least squares with the free columns, after fixing those that would become negative. Returns
 * false if, because of round-off, y of the column that was freed last does not become positive. */
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

/* Frees the column by which the sum of squares falls fastest. Returns false if there is no such column. */
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

/* Returns whether y proves the contradiction: the residual, with an allowance for round-off, is so small that only a z
 * beyond the limit FAR could meet the inequalities. */
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
