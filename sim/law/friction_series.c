/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/law/friction_series.h"

#include "sim/base/polynomial.h"

/* If r is larger than this, exp(-r) is below the rounding error of 1. */
static const double VANISHES = 37;
/* A law that approaches its limit algebraically, like 1/|v|^2, is within 1e-9 of the limit above this speed, relative
 * to epsilon. */
static const double ALGEBRAIC = 3e4;
/* Largest decrease of r over a series of exp(-r). Up to this decrease, if two successive coefficients are small, all
 * later ones together are less than 100 times as large. */
static const double DESCENT = 8;
/* SHALLOW: smallest speed at which a series of the law sqrt is used, relative to the speed at its start. SATURATED:
 * speed relative to epsilon above which gamma = beta. */
static const double SHALLOW = 1.0 / 16, SATURATED = 1e8;

/* Returns coefficient `order` of gamma = v root, for the law sqrt. square = epsilon^2 + v^2 is a product of series, and
 * root = square^-1/2 follows from root' square = -1/2 square' root. */
static double sqrt_term(const FrictionPath *p, int i, int order, double weight) {
  int d = p->d;
  const double *v = p->v + i;
  double *square = p->square + i, *root = p->root + i, epsilon = p->epsilon[i];
  double sum = order ? 0 : epsilon * epsilon, gamma = 0;
  for (int j = 0; j <= order; j++) sum += v[j * d] * v[(order - j) * d];
  square[order * d] = sum;
  sum = 0;
  for (int j = 0; j < order; j++) sum -= ((order - j) / 2.0 + j) * square[(order - j) * d] * root[j * d];
  root[order * d] = order ? sum / (order * square[0]) : 1 / sqrt(square[0]);
  for (int j = 0; j <= order; j++) gamma += v[j * d] * root[(order - j) * d];
  return weight * gamma;
}

/* Adds the series of the slope gamma' = epsilon^2 root^3, for the law sqrt, where root is the series of
 * 1/sqrt(epsilon^2 + v^2). */
static void sqrt_slope(const FrictionPath *p, int i, int order, double weight, double *slope) {
  int d = p->d;
  const double *root = p->root + i;
  double square[POLYNOMIAL_ORDER + 1];
  weight *= p->epsilon[i] * p->epsilon[i];
  for (int k = 0; k <= order; k++) {
    square[k] = 0;
    for (int j = 0; j <= k; j++) square[k] += root[j * d] * root[(k - j) * d];
    for (int j = 0; j <= k; j++) slope[k * d] += weight * square[j] * root[(k - j) * d];
  }
}

/* Returns the lowest speed at which a series about the speed z is used, relative to epsilon, for the law sqrt. The
 * series converges up to the distance |z + i| from z, with i the imaginary unit. */
static double sqrt_floor(double z) { return z * SHALLOW > 1 ? fmin(z * SHALLOW, SATURATED) : 0; }

static double ramp_term(const FrictionPath *p, int i, int order, double weight) {
  if (!p->branch[i]) return weight / p->epsilon[i] * p->v[order * p->d + i];
  return order ? 0 : weight * p->slip[i];
}

static void ramp_slope(const FrictionPath *p, int i, int order, double weight, double *slope) {
  (void)order;
  if (!p->branch[i]) slope[0] += weight / p->epsilon[i];
}

/* The law ramp has two branches: speeds up to epsilon, and higher speeds. */
static long ramp_branches(const SimFrictionTable *table) { return (void)table, 2; }
static double ramp_begins(double epsilon, FrictionCurve curve, long branch) {
  return (void)curve, (void)branch, epsilon;
}
static long ramp_at(double epsilon, FrictionCurve curve, double v) { return (void)curve, fabs(v) > epsilon; }

/* Returns coefficient `order` of gamma = slip (1 - fall), for the exponential laws. The series fall = exp(-r) follows
 * from fall' = -r' fall, with r in path->square. */
static double fall_term(const FrictionPath *p, int i, int order, double weight) {
  int d = p->d;
  const double *r = p->square + i;
  double *fall = p->root + i, slip = p->slip[i], sum = 0;
  for (int j = 1; j <= order; j++) sum -= j * r[j * d] * fall[(order - j) * d];
  fall[order * d] = order ? sum / order : exp(-r[0]);
  return weight * slip * (order ? -fall[order * d] : -expm1(-r[0]));
}

/* Returns coefficient `order` of gamma, for the exponential law with exponent 1: r = |v|/epsilon. */
static double exponential_term(const FrictionPath *p, int i, int order, double weight) {
  int at = order * p->d + i;
  p->square[at] = p->slip[i] * p->v[at] / p->epsilon[i];
  return fall_term(p, i, order, weight);
}

/* Adds the series of gamma' = fall/epsilon, for the exponential law with exponent 1 (fall: see fall_term). */
static void exponential_slope(const FrictionPath *p, int i, int order, double weight, double *slope) {
  for (int k = 0; k <= order; k++) slope[k * p->d] += weight / p->epsilon[i] * p->root[k * p->d + i];
}

static double exponential_floor(double z) { return z > DESCENT ? fmin(z - DESCENT, VANISHES) : 0; }

/* Returns coefficient `order` of gamma, for the exponential law with exponent 2: r = (v/epsilon)^2. */
static double bell_term(const FrictionPath *p, int i, int order, double weight) {
  const double *v = p->v + i;
  double epsilon = p->epsilon[i], sum = 0;
  for (int j = 0; j <= order; j++) sum += v[j * p->d] / epsilon * (v[(order - j) * p->d] / epsilon);
  p->square[order * p->d + i] = sum;
  return fall_term(p, i, order, weight);
}

/* Adds the series of gamma' = 2 |v|/epsilon^2 fall, for the exponential law with exponent 2 (fall: see fall_term). */
static void bell_slope(const FrictionPath *p, int i, int order, double weight, double *slope) {
  const double *v = p->v + i, *fall = p->root + i;
  int d = p->d;
  weight *= 2 * p->slip[i] / (p->epsilon[i] * p->epsilon[i]);
  for (int k = 0; k <= order; k++) {
    for (int j = 0; j <= k; j++) slope[k * d] += weight * v[j * d] * fall[(k - j) * d];
  }
}

static double bell_floor(double z) { return z * z > DESCENT ? sqrt(fmin(z * z - DESCENT, VANISHES)) : 0; }

static double bell_gap(const FrictionPath *p, int i, int order, double v, double part) {
  double r = v / p->epsilon[i] * (v / p->epsilon[i]);
  return fabs(polynomial_value(order, p->d, p->root + i, part) - exp(-r));
}

/* The row of a friction table that contains the speed of dof i. */
typedef struct TableRow {
  const double *gamma; /* coefficients of gamma by powers of z = (|v| - speed)/width, where speed and width are those of
                        * the row */
  double speed, width;
} TableRow;

static TableRow row_of(const FrictionPath *p, int i) {
  const FrictionCurve curve = friction_curve(p->table, i);
  int branch = (int)p->branch[i];
  const double *row = curve.rows + branch * SIM_TABLE_ROW;
  return (TableRow){row + SIM_TABLE_GAMMA, row[SIM_TABLE_SPEED], friction_curve_width(&curve, branch)};
}

/* Computes z (TableRow) for the speed |v_i| as a series [order + 1]. */
static void table_part(const FrictionPath *p, int i, const TableRow *row, int order, double *z) {
  z[0] = (p->slip[i] * p->v[i] - row->speed) / row->width;
  for (int k = 1; k <= order; k++) z[k] = p->slip[i] * p->v[k * p->d + i] / row->width;
}

/* Returns coefficient `order` of gamma for a table, which is a cubic of z (TableRow). path->square holds the series of
 * z^2, path->root that of z^3. */
static double table_term(const FrictionPath *p, int i, int order, double weight) {
  const TableRow row = row_of(p, i);
  const double *c = row.gamma;
  int d = p->d;
  double *square = p->square + i, *cube = p->root + i, z[POLYNOMIAL_ORDER + 1], sum = 0;
  table_part(p, i, &row, order, z);
  for (int j = 0; j <= order; j++) sum += z[j] * z[order - j];
  square[order * d] = sum;
  sum = 0;
  for (int j = 0; j <= order; j++) sum += z[j] * square[(order - j) * d];
  cube[order * d] = sum;
  return weight * p->slip[i] *
         ((order ? 0 : c[0]) + c[1] * z[order] + c[2] * square[order * d] + c[3] * cube[order * d]);
}

/* Adds the series of gamma' = (c_1 + 2 c_2 z + 3 c_3 z^2)/width, for a table. */
static void table_slope(const FrictionPath *p, int i, int order, double weight, double *slope) {
  const TableRow row = row_of(p, i);
  const double *c = row.gamma, *square = p->square + i;
  double z[POLYNOMIAL_ORDER + 1];
  int d = p->d;
  table_part(p, i, &row, order, z);
  weight /= row.width;
  for (int k = 0; k <= order; k++) {
    slope[k * d] += weight * ((k ? 0 : c[1]) + 2 * c[2] * z[k] + 3 * c[3] * square[k * d]);
  }
}

void friction_series_powers(const FrictionPath *p, int i, int order, double weight, int stride, double *powers) {
  const TableRow row = row_of(p, i);
  double z[POLYNOMIAL_ORDER + 1];
  int d = p->d;
  weight *= p->slip[i];
  table_part(p, i, &row, order, z);
  for (int k = 0; k <= order; k++) {
    const double z_to[SIM_TABLE_ORDER + 1] = {k == 0, z[k], p->square[k * d + i], p->root[k * d + i]};
    for (int power = 0; power <= SIM_TABLE_ORDER; power++) powers[power * stride + k * d] = weight * z_to[power];
  }
}

/* A table has one branch for each row. */
static long table_branches(const SimFrictionTable *table) { return table->points; }

static double table_begins(double epsilon, FrictionCurve curve, long branch) {
  return (void)epsilon, curve.rows[branch * SIM_TABLE_ROW + SIM_TABLE_SPEED];
}

static long table_at(double epsilon, FrictionCurve curve, double v) {
  return (void)epsilon, friction_curve_row(&curve, fabs(v));
}

static double table_gap(const FrictionPath *p, int i, int order, double v, double part) {
  const TableRow row = row_of(p, i);
  double z = (p->slip[i] * v - row.speed) / row.width;
  return fabs(row.gamma[2] * (polynomial_value(order, p->d, p->square + i, part) - z * z)) +
         fabs(row.gamma[3] * (polynomial_value(order, p->d, p->root + i, part) - z * z * z));
}

static const FrictionSeries rows[] = {
    {SIM_STRIBECK_SQRT, .term = sqrt_term, .slope = sqrt_slope, .floor = sqrt_floor},
    {SIM_STRIBECK_RAMP, .term = ramp_term, .slope = ramp_slope, .branches = ramp_branches, .branch_begins = ramp_begins,
     .branch_at = ramp_at},
    {SIM_STRIBECK_EXPONENTIAL, 1, .term = exponential_term, .slope = exponential_slope, .floor = exponential_floor},
    {SIM_STRIBECK_EXPONENTIAL, 2, .term = bell_term, .slope = bell_slope, .floor = bell_floor, .gap = bell_gap},
    {SIM_STRIBECK_TABLE, .term = table_term, .slope = table_slope, .branches = table_branches,
     .branch_begins = table_begins, .branch_at = table_at, .gap = table_gap},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

const FrictionSeries *friction_series(SimStribeck law, double exponent) {
  for (int k = 0; k < N_ROWS; k++)
    if (rows[k].law == law && (rows[k].exponent == exponent || (rows[k].exponent == 1 && exponent == 0)))
      return &rows[k];
  return NULL;
}

double friction_series_end(SimStribeck law, double exponent, double epsilon) {
  return law == SIM_STRIBECK_EXPONENTIAL ? epsilon * pow(VANISHES, 1 / fmax(exponent, 1)) : ALGEBRAIC * epsilon;
}
