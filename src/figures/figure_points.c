/* SPDX-License-Identifier: BSD-2-Clause */
/* Reduces curves with thousands of rows to the points that are visible in the picture. */
#include "src/figures/figure.h"

#include <limits.h>
#include <math.h>

/* maximum number of points drawn of a curve with lines, and of one without lines */
enum { POINTS_MAX = 4000, SCATTER_MAX = 2500 };

static void write_point(FILE *script, const Curve *curve, bool logarithmic, long row) {
  double x = table_at(curve->table, row, curve->x), y = curve_y(curve, row);
  if (!isfinite(x)) return;
  fprintf(script, isfinite(y) && (y > 0 || !logarithmic) ? "%.17g %.17g\n" : "%.17g NaN\n", x, y);
}

/* Returns whether a value is finite and is below `best`, the minimum so far (sign -1), or above the maximum so far
 * (sign 1). */
static bool exceeds(double value, double best, int sign) {
  return isfinite(value) && (!isfinite(best) || sign * value > sign * best);
}

/* Writes, for each block of `rows` rows, the points with the smallest and the largest y, and for a path also x, in the
 * order of their rows. In this way no peak is lost. */
static void write_envelope(FILE *script, const Curve *curve, bool logarithmic, bool path, long rows) {
  for (long from = 0; from < curve->table->rows; from += rows) {
    long kept[] = {from, from, from, from}, last = -1;
    int n = path ? 4 : 2;
    for (long row = from; row < from + rows && row < curve->table->rows; row++)
      for (int k = 0; k < n; k++) {
        double value = k < 2 ? curve_y(curve, row) : table_at(curve->table, row, curve->x);
        double best = k < 2 ? curve_y(curve, kept[k]) : table_at(curve->table, kept[k], curve->x);
        if (exceeds(value, best, k % 2 ? 1 : -1)) kept[k] = row;
      }
    for (int written = 0; written < n; written++) {
      long next = LONG_MAX;
      for (int k = 0; k < n; k++)
        if (kept[k] > last && kept[k] < next) next = kept[k];
      if (next < LONG_MAX) write_point(script, curve, logarithmic, last = next);
    }
  }
}

/* Returns whether two numbers are distinguishable on a logarithmic axis. If one of them has no logarithm, returns
 * true. */
static bool lie_apart(double a, double b, double ratio) { return !(fmax(a, b) < ratio * fmin(a, b)); }

/* Writes the ends of a monotone distribution, and those points between them that are distinguishable in the picture.
 * All points of a thin tail are kept. */
static void write_distribution(FILE *script, const Curve *curve) {
  const Table *table = curve->table;
  long last = table->rows - 1, kept = 0;
  if (last < 0) return;
  double x_range = table_at(table, last, curve->x) / table_at(table, 0, curve->x),
         y_range = curve_y(curve, last) / curve_y(curve, 0);
  double x_ratio = exp(fabs(log(x_range)) / SCATTER_MAX), y_ratio = exp(fabs(log(y_range)) / SCATTER_MAX);
  for (long row = 0; row <= last; row++) {
    if (row > 0 && row < last && !lie_apart(table_at(table, row, curve->x), table_at(table, kept, curve->x), x_ratio) &&
        !lie_apart(curve_y(curve, row), curve_y(curve, kept), y_ratio))
      continue;
    write_point(script, curve, true, kept = row);
  }
}

/* Returns the number of rows in each block of write_envelope. */
static long rows_together(const Figure *figure, const Curve *curve) {
  long most = figure->scatter || curve->points ? SCATTER_MAX : POINTS_MAX;
  return curve->table->rows < most ? 1 : (figure->path ? 4 : 2) * curve->table->rows / most + 1;
}

void figure_write_curve(FILE *script, const Figure *figure, const Panel *panel, int k) {
  const Curve *curve = &panel->curves[k];
  long rows = curve->table->rows;
  fprintf(script, "$curve%d << EOD\n", k);
  if (figure->scatter && figure->logarithmic && rows >= SCATTER_MAX)
    write_distribution(script, curve);
  else
    write_envelope(script, curve, panel->logarithmic, figure->path, rows_together(figure, curve));
  fputs("EOD\n", script);
}
