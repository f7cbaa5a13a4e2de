/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/law/friction_table.h"
#include "sim/base/argument.h"

#include "sim/law/monotone.h"
#include "sim/monotone.h"

#include <math.h>
#include <stdlib.h>

int friction_curve_row(const FrictionCurve *curve, double r) {
  int low = 0, high = curve->points - 1;
  while (low < high) {
    int middle = high - (high - low) / 2;
    if (curve->rows[middle * SIM_TABLE_ROW + SIM_TABLE_SPEED] < r)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

double friction_curve_width(const FrictionCurve *curve, int row) {
  const double *at = curve->rows + row * SIM_TABLE_ROW + SIM_TABLE_SPEED;
  return row + 1 < curve->points ? at[SIM_TABLE_ROW] - at[0] : INFINITY;
}

double friction_curve_gamma(const void *context, double s) {
  const FrictionCurve *curve = context;
  double r = fabs(s);
  int k = friction_curve_row(curve, r);
  const double *row = curve->rows + k * SIM_TABLE_ROW, *c = row + SIM_TABLE_GAMMA;
  double z = (r - row[SIM_TABLE_SPEED]) / friction_curve_width(curve, k);
  double gamma = c[0] + z * (c[1] + z * (c[2] + z * c[3]));
  return s < 0 ? -gamma : gamma;
}

/* Returns the derivative of gamma by the speed, s/m, at the fraction z of row k. */
static double slope_at(const FrictionCurve *curve, int k, double z) {
  const double *c = curve->rows + k * SIM_TABLE_ROW + SIM_TABLE_GAMMA;
  return (c[1] + z * (2 * c[2] + z * 3 * c[3])) / friction_curve_width(curve, k);
}

double friction_curve_slope(const FrictionCurve *curve, double s) {
  double r = fabs(s);
  int k = friction_curve_row(curve, r);
  return slope_at(curve, k, (r - curve->rows[k * SIM_TABLE_ROW + SIM_TABLE_SPEED]) / friction_curve_width(curve, k));
}

/* Computes derivatives of the force between points k and k + 1 by the friction F at points first..first + 3: by [4].
 * The force is the sum over both points of ends F + slopes F'. */
static void force_partials(const FrictionCurve *curve, int k, const double ends[2], const double slopes[2], int first,
                           double by[4]) {
  const double *rows = curve->rows;
  for (int side = 0; side < 2; side++) {
    double of[3];
    int from = (int)monotone_slope_partials(curve->points, SIM_TABLE_ROW, rows + SIM_TABLE_SPEED,
                                            rows + SIM_TABLE_FRICTION, k + side, of);
    by[k + side - first] += ends[side];
    for (int j = 0; j < 3 && from + j < curve->points; j++)
      if (of[j] != 0) by[from + j - first] += slopes[side] * of[j];
  }
}

int friction_curve_partials(const FrictionCurve *curve, double s, FrictionPartial parts[FRICTION_PARTIALS]) {
  double r = fabs(s), sign = s < 0 ? -1 : 1, most = curve->rows[SIM_TABLE_FRICTION], by[4] = {0};
  int k = friction_curve_row(curve, r), first = k > 0 ? k - 1 : 0, n = 0;
  double gamma = friction_curve_gamma(curve, r), z = (r - curve->rows[k * SIM_TABLE_ROW + SIM_TABLE_SPEED]);
  if (k + 1 < curve->points) {
    double width = friction_curve_width(curve, k), other = 1 - (z /= width);
    const double ends[2] = {other * other * (1 + 2 * z), z * z * (1 + 2 * other)};
    const double slopes[2] = {width * z * other * other, -width * z * z * other};
    force_partials(curve, k, ends, slopes, first, by);
  } else {
    by[k - first] = 1;
  }
  for (int j = 0; j < 4 && first + j < curve->points; j++)
    if (by[j] != 0) parts[n++] = (FrictionPartial){first + j, -sign * by[j] / most};
  parts[n++] = (FrictionPartial){0, sign * (1 - gamma) / most};
  return n;
}

/* The function uses the arrays ends and slopes: coefficients of z^power in the four basis cubics of Hermite, two for
 * the values at the ends of a row and two for the slopes. */
int friction_row_partials(const FrictionCurve *curve, int k, FrictionRowPartial parts[FRICTION_PARTIALS]) {
  static const double ends[SIM_TABLE_ORDER + 1][2] = {{1, 0}, {0, 0}, {-3, 3}, {2, -2}};
  static const double slopes[SIM_TABLE_ORDER + 1][2] = {{0, 0}, {1, 0}, {-2, -1}, {1, 1}};
  const double *row = curve->rows + k * SIM_TABLE_ROW;
  double most = curve->rows[SIM_TABLE_FRICTION], width = friction_curve_width(curve, k);
  int first = k > 0 ? k - 1 : 0, left = curve->points - first, n = left < 4 ? left : 4;
  for (int j = 0; j <= n; j++) parts[j] = (FrictionRowPartial){.point = j < n ? first + j : 0};
  for (int power = 0; power <= SIM_TABLE_ORDER; power++) {
    const double at[2] = {width * slopes[power][0], width * slopes[power][1]};
    double by[4] = {0};
    if (k + 1 < curve->points)
      force_partials(curve, k, ends[power], at, first, by);
    else
      by[k - first] = power == 0;
    for (int j = 0; j < n; j++) parts[j].gamma[power] = -by[j] / most;
    parts[n].gamma[power] = ((power == 0) - row[SIM_TABLE_GAMMA + power]) / most;
  }
  return n + 1;
}

/* Returns the largest value of sign gamma' over a dof's table, but at least 0. The slope of a cubic is a parabola. It
 * is largest at an end or at its vertex. */
static double largest_slope(const SimFrictionTable *table, int i, double sign) {
  const FrictionCurve curve = friction_curve(table, i);
  double most = 0;
  for (int k = 0; k + 1 < curve.points; k++) {
    const double *c = curve.rows + k * SIM_TABLE_ROW + SIM_TABLE_GAMMA;
    double vertex = c[3] != 0 ? -c[2] / (3 * c[3]) : 0;
    most = fmax(most, fmax(sign * slope_at(&curve, k, 0), sign * slope_at(&curve, k, 1)));
    if (vertex > 0 && vertex < 1) most = fmax(most, sign * slope_at(&curve, k, vertex));
  }
  return most;
}

double friction_table_steepest(const SimFrictionTable *table, int i) {
  return fmax(largest_slope(table, i, 1), largest_slope(table, i, -1));
}

bool friction_table_falls(const SimFrictionTable *table, int i) {
  static const double ROUND_OFF = 1e-12; /* allowed rounding error of gamma', relative to the largest |gamma'| */
  return largest_slope(table, i, 1) > ROUND_OFF * friction_table_steepest(table, i);
}

/* Whether the values of a friction table are valid. If not, *where is set to the index of the first invalid value,
 * counted over the speeds [n] and then the friction forces. */
static bool is_table(int n, int columns, const double *speed, const double *friction, long *where) {
  for (int k = 0; k < n; k++) {
    *where = k;
    if (!isfinite(speed[k]) || !(speed[k] >= 0) || (k && !(speed[k] > speed[k - 1]))) return false;
  }
  for (long k = 0; k < (long)n * columns; k++) {
    *where = n + k;
    if (!isfinite(friction[k]) || !(friction[k] >= 0) || (k % n == 0 && !(friction[k] > 0))) return false;
    if (k % n && !isfinite((friction[k] - friction[k - 1]) / (speed[k % n] - speed[k % n - 1]))) return false;
  }
  *where = 0;
  return n >= 1 && columns >= 1;
}

/* Computes the cubics of gamma in the rows [n] of one dof from their speeds and friction. */
static SimStatus make_cubics(int n, double *rows) {
  double *slope = calloc((size_t)n, sizeof *slope);
  if (!slope) return SIM_NO_MEMORY;
  if (n > 1) sim_monotone_slopes(n, SIM_TABLE_ROW, rows + SIM_TABLE_SPEED, rows + SIM_TABLE_FRICTION, 1, slope);
  for (int k = 0; k < n; k++) {
    double *row = rows + k * SIM_TABLE_ROW, *c = row + SIM_TABLE_GAMMA, most = rows[SIM_TABLE_FRICTION];
    const double *next = row + SIM_TABLE_ROW;
    c[0] = (most - row[SIM_TABLE_FRICTION]) / most;
    if (k + 1 == n) break;
    double width = next[SIM_TABLE_SPEED] - row[SIM_TABLE_SPEED];
    sim_hermite(c[0], (most - next[SIM_TABLE_FRICTION]) / most, -width / most * slope[k], -width / most * slope[k + 1],
                c + 1);
  }
  free(slope);
  return SIM_OK;
}

void friction_table_drop(SimSystem *q) {
  free(q->table.rows);
  q->table = (SimFrictionTable){0};
  q->stribeck = SIM_STRIBECK_NONE;
}

SimStatus stiction_problem_set_friction_table(SimProblem *p, int n, int columns, const double *speed,
                                              const double *friction, long *where) {
  ARGUMENT(p && p->kind == SIM_FRICTION && p->scheme, "problem", "is NULL, or not one of SIM_FRICTION");
  ARGUMENT_THERE(speed);
  ARGUMENT_THERE(friction);
  ARGUMENT_THERE(where);
  SimSystem *q = &p->system;
  friction_table_drop(q);
  if (!is_table(n, columns, speed, friction, where)) return SIM_BAD_PROBLEM;
  int before = speed[0] > 0; /* number of rows added before the first speed: one from 0 to it, unless it is 0 */
  SimFrictionTable *table = &q->table;
  *table = (SimFrictionTable){.points = n + before, .columns = columns};
  table->rows = calloc((size_t)table->points * (size_t)columns * SIM_TABLE_ROW, sizeof *table->rows);
  SimStatus status = table->rows ? SIM_OK : SIM_NO_MEMORY;
  for (int j = 0; j < columns && status == SIM_OK; j++) {
    double *rows = table->rows + (long)j * table->points * SIM_TABLE_ROW;
    for (int k = 0; k < table->points; k++) {
      int of = k > before ? k - before : 0;
      rows[k * SIM_TABLE_ROW + SIM_TABLE_SPEED] = k || !before ? speed[of] : 0;
      rows[k * SIM_TABLE_ROW + SIM_TABLE_FRICTION] = friction[(long)j * n + of];
    }
    status = make_cubics(table->points, rows);
  }
  q->stribeck = SIM_STRIBECK_TABLE;
  if (status != SIM_OK) friction_table_drop(q);
  return status;
}
