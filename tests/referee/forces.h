/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the forces on the dofs of a draw by the formulas in the documents. */
#ifndef TESTS_REFEREE_FORCES_H
#define TESTS_REFEREE_FORCES_H

#include "tests/referee/draw.h"

/* Slopes of the monotone cubic through a table. Inside, a slope is the harmonic mean of the secants weighted by widths.
 * At the ends it is that of a parabola, limited to stay monotone (Fritsch and Butland). */
static inline double end_slope(double h0, double h1, double rise0, double rise1) {
  double slope = ((2 * h0 + h1) * rise0 - h0 * rise1) / (h0 + h1);
  if (slope * rise0 <= 0) return 0;
  return rise0 * rise1 <= 0 && fabs(slope) > 3 * fabs(rise0) ? 3 * rise0 : slope;
}

static inline double table_slope(const double *at, const double *y, int k) {
  double h[POINTS], rise[POINTS];
  for (int j = 0; j + 1 < POINTS; j++) {
    h[j] = at[j + 1] - at[j];
    rise[j] = (y[j + 1] - y[j]) / h[j];
  }
  if (k == 0 && at[0] > 0) return 0; /* friction is constant below the first speed */
  if (k == 0) return end_slope(h[0], h[1], rise[0], rise[1]);
  if (k == POINTS - 1) return end_slope(h[k - 1], h[k - 2], rise[k - 1], rise[k - 2]);
  if (rise[k - 1] * rise[k] <= 0) return 0;
  double first = 2 * h[k] + h[k - 1], second = h[k] + 2 * h[k - 1];
  return (first + second) / (first / rise[k - 1] + second / rise[k]);
}

/* Returns F(speed)/F(0) for speed >= 0. */
static inline double table_friction(const Draw *w, double speed) {
  const double *at = w->table_speed, *y = w->table_friction;
  int k = 0;
  if (speed <= at[0]) return y[0];
  if (speed >= at[POINTS - 1]) return y[POINTS - 1];
  while (speed > at[k + 1]) k++;
  double h = at[k + 1] - at[k], z = (speed - at[k]) / h, p = table_slope(at, y, k) * h,
         q = table_slope(at, y, k + 1) * h;
  return (1 + 2 * z) * (1 - z) * (1 - z) * y[k] + z * (1 - z) * (1 - z) * p + z * z * (3 - 2 * z) * y[k + 1] -
         z * z * (1 - z) * q;
}

/* Returns the fraction of the threshold that remains at the speed s in the direction of slip. For s < 0 the same
 * formula is used, as trial steps may go too far. */
static inline double friction_share(const Draw *w, int i, double s) {
  double beta = w->beta[i], r = s / w->epsilon[i], gamma = 0;
  if (has(w, HAS_TABLE)) return table_friction(w, fabs(s));
  if (has(w, HAS_SQRT)) gamma = beta * r / sqrt(1 + r * r);
  if (has(w, HAS_RAMP)) gamma = r > 1 ? beta : r < -1 ? -beta : beta * r;
  if (has(w, HAS_EXPONENTIAL)) gamma = r > 0 ? -beta * expm1(-r) : beta * expm1(r);
  if (has(w, HAS_GAUSSIAN)) gamma = r > 0 ? -beta * expm1(-r * r) : beta * expm1(-r * r);
  return 1 - gamma;
}

/* Returns the threshold c at time t for slip in this direction. */
static inline double threshold(const Draw *w, int i, int way, double inside, double t) {
  double c = way > 0 ? w->forward[i] : w->backward[i];
  return has(w, HAS_PRESSED) ? c * course_at(&w->pressing[i], inside, t) : c;
}

/* Computes all forces except friction with threshold c, rigid stops and M a, in N. y: positions x, then velocities
 * v. */
static inline void load_of(const Draw *w, double inside, double t, const double *y, double *load) {
  int d = w->d;
  const double *x = y, *v = y + d;
  for (int i = 0; i < d; i++) {
    double surface = has(w, HAS_SURFACE) ? course_at(&w->surface[i], inside, t) : 0;
    double sum = course_at(&w->force[i], inside, t) + control_force(w, i, inside, t) - w->viscous[i] * (v[i] - surface);
    for (int j = 0; j < d; j++) sum -= w->stiffness[i][j] * x[j] + w->damping[i][j] * v[j];
    if (w->anchor.kind) sum -= spring_force(&w->anchor, x[i]);
    if (w->link.kind && i + 1 < d) sum += spring_force(&w->link, x[i + 1] - x[i]);
    if (w->link.kind && i > 0) sum -= spring_force(&w->link, x[i] - x[i - 1]);
    if (!isnan(w->stop_stiffness[i])) {
      if (x[i] > w->upper[i]) sum -= w->stop_stiffness[i] * (x[i] - w->upper[i]);
      if (x[i] < w->lower[i]) sum += w->stop_stiffness[i] * (w->lower[i] - x[i]);
    }
    load[i] = sum;
  }
}

/* Solves a system by Gaussian elimination with pivoting. b: the right side, replaced by the solution. */
static inline void solve(int n, double matrix[D_MAX][D_MAX], double *b) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(matrix[i][k]) > fabs(matrix[pivot][k])) pivot = i;
    for (int j = 0; j < n; j++) {
      double other = matrix[k][j];
      matrix[k][j] = matrix[pivot][j];
      matrix[pivot][j] = other;
    }
    double other = b[k];
    b[k] = b[pivot];
    b[pivot] = other;
    for (int i = k + 1; i < n; i++) {
      double factor = matrix[i][k] / matrix[k][k];
      for (int j = k; j < n; j++) matrix[i][j] -= factor * matrix[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= matrix[i][j] * b[j];
    b[i] /= matrix[i][i];
  }
}

/* The mode of a joint: -1 or 1, it slips in that direction; 0, it sticks (also at a stop); 2, it moves freely, without
 * friction. */
typedef signed char Mode;
enum { GOES = 2 };

/* Computes the accelerations and, for dofs that stick, the force that holds them, N. */
static inline void accelerate(const Draw *w, const Mode *mode, double inside, double t, const double *y, double *a,
                              double *hold) {
  int d = w->d, n = 0, moving[D_MAX];
  double load[D_MAX], matrix[D_MAX][D_MAX], b[D_MAX];
  load_of(w, inside, t, y, load);
  for (int i = 0; i < d; i++) {
    double speed = 0;
    a[i] = 0;
    if (has(w, HAS_SURFACE)) speed = course_value(&w->surface[i], inside, t, &a[i]);
    if (mode[i]) moving[n++] = i;
    if (mode[i] == 1 || mode[i] == -1)
      load[i] -= mode[i] * threshold(w, i, mode[i], inside, t) * friction_share(w, i, mode[i] * (y[d + i] - speed));
  }
  for (int k = 0; k < n; k++) {
    b[k] = load[moving[k]];
    for (int l = 0; l < n; l++) matrix[k][l] = w->mass[moving[k]][moving[l]];
    for (int j = 0; j < d; j++)
      if (!mode[j]) b[k] -= w->mass[moving[k]][j] * a[j];
  }
  solve(n, matrix, b);
  for (int k = 0; k < n; k++) a[moving[k]] = b[k];
  for (int i = 0; i < d; i++) {
    hold[i] = load[i];
    for (int j = 0; j < d && !mode[i]; j++) hold[i] -= w->mass[i][j] * a[j];
  }
}

#endif
