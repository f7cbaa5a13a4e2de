#include "sim/event/law_series.h"

#include "sim/event/expansion.h"
#include "sim/event/scheme.h"

/* exp(-r) of a larger r is below the round-off of 1. */
static const double VANISHES = 37;
/* Largest decrease of r over a series, as a fraction of r: two successive small coefficients of exp(-r) then leave out
 * less than 100 times as much. */
static const double DESCENT = 8;
/* Smallest speed over a series of sqrt, as a fraction of its first speed; and the speed relative to epsilon above which
 * gamma = beta. */
static const double SHALLOW = 1.0 / 16, SATURATED = 1e8;

/* square = epsilon^2 + v^2, root = square^-1/2 by root' square = -1/2 square' root, gamma = v root. */
static double sqrt_term(const EventSystem *s, const EventMotion *m, int i, int order, double weight) {
  int d = s->d;
  const EventSegment *g = &m->segment;
  const double *v = g->v + i;
  double *square = g->square + i, *root = g->root + i, epsilon = s->epsilon[i];
  double sum = order ? 0 : epsilon * epsilon, gamma = 0;
  for (int j = 0; j <= order; j++) sum += v[j * d] * v[(order - j) * d];
  square[order * d] = sum;
  sum = 0;
  for (int j = 0; j < order; j++) sum -= ((order - j) / 2.0 + j) * square[(order - j) * d] * root[j * d];
  root[order * d] = order ? sum / (order * square[0]) : 1 / sqrt(square[0]);
  for (int j = 0; j <= order; j++) gamma += v[j * d] * root[(order - j) * d];
  return weight * gamma;
}

/* gamma' = epsilon^2 root^3. */
static void sqrt_slope(const EventSystem *s, const EventMotion *m, int i, double weight, double *slope) {
  int d = s->d;
  const double *root = m->segment.root + i;
  double square[POLYNOMIAL_ORDER + 1];
  weight *= s->epsilon[i] * s->epsilon[i];
  for (int k = 0; k <= m->segment.order; k++) {
    expansion_drop(s, m, i, k); /* root; a shortened segment keeps it for its first width */
    square[k] = 0;
    for (int j = 0; j <= k; j++) square[k] += root[j * d] * root[(k - j) * d];
    for (int j = 0; j <= k; j++) slope[k * d] += weight * square[j] * root[(k - j) * d];
  }
}

/* The series of gamma converges up to the distance |z + i| from the speed z. */
static double sqrt_floor(double z) { return z * SHALLOW > 1 ? fmin(z * SHALLOW, SATURATED) : 0; }

static double ramp_term(const EventSystem *s, const EventMotion *m, int i, int order, double weight) {
  if (!m->at.branch[i]) return weight / s->epsilon[i] * m->segment.v[order * s->d + i];
  return order ? 0 : weight * m->at.slip[i];
}

static void ramp_slope(const EventSystem *s, const EventMotion *m, int i, double weight, double *slope) {
  if (!m->at.branch[i]) slope[0] += weight / s->epsilon[i];
}

/* Two branches: up to epsilon and beyond. */
static long ramp_branches(const EventSystem *s) { return (void)s, 2; }
static double ramp_begins(const EventSystem *s, int i, long branch) { return (void)branch, s->epsilon[i]; }
static long ramp_at(const EventSystem *s, int i, double v) { return fabs(v) > s->epsilon[i]; }

/* fall = exp(-r) by fall' = -r' fall, and gamma = slip (1 - fall). */
static double fall_term(const EventSystem *s, const EventMotion *m, int i, int order, double weight) {
  int d = s->d;
  const double *r = m->segment.square + i;
  double *fall = m->segment.root + i, slip = m->at.slip[i], sum = 0;
  for (int j = 1; j <= order; j++) sum -= j * r[j * d] * fall[(order - j) * d];
  fall[order * d] = order ? sum / order : exp(-r[0]);
  return weight * slip * (order ? -fall[order * d] : -expm1(-r[0]));
}

/* r = |v|/epsilon */
static double exponential_term(const EventSystem *s, const EventMotion *m, int i, int order, double weight) {
  const EventSegment *g = &m->segment;
  int at = order * s->d + i;
  g->square[at] = m->at.slip[i] * g->v[at] / s->epsilon[i];
  return fall_term(s, m, i, order, weight);
}

/* gamma' = fall/epsilon */
static void exponential_slope(const EventSystem *s, const EventMotion *m, int i, double weight, double *slope) {
  for (int k = 0; k <= m->segment.order; k++) {
    expansion_drop(s, m, i, k); /* fall; a shortened segment keeps it for its first width */
    slope[k * s->d] += weight / s->epsilon[i] * m->segment.root[k * s->d + i];
  }
}

static double exponential_floor(double z) { return z > DESCENT ? fmin(z - DESCENT, VANISHES) : 0; }

/* r = (v/epsilon)^2 */
static double bell_term(const EventSystem *s, const EventMotion *m, int i, int order, double weight) {
  const EventSegment *g = &m->segment;
  const double *v = g->v + i;
  double epsilon = s->epsilon[i], sum = 0;
  for (int j = 0; j <= order; j++) sum += v[j * s->d] / epsilon * (v[(order - j) * s->d] / epsilon);
  g->square[order * s->d + i] = sum;
  return fall_term(s, m, i, order, weight);
}

/* gamma' = 2 |v|/epsilon^2 fall */
static void bell_slope(const EventSystem *s, const EventMotion *m, int i, double weight, double *slope) {
  const EventSegment *g = &m->segment;
  const double *v = g->v + i, *fall = g->root + i;
  int d = s->d;
  weight *= 2 * m->at.slip[i] / (s->epsilon[i] * s->epsilon[i]);
  for (int k = 0; k <= g->order; k++) {
    expansion_drop(s, m, i, k); /* fall; as in exponential_slope */
    for (int j = 0; j <= k; j++) slope[k * d] += weight * v[j * d] * fall[(k - j) * d];
  }
}

static double bell_floor(double z) { return z * z > DESCENT ? sqrt(fmin(z * z - DESCENT, VANISHES)) : 0; }

static double bell_gap(const EventSystem *s, const EventMotion *m, int i, double v, double part) {
  double r = v / s->epsilon[i] * (v / s->epsilon[i]);
  return fabs(polynomial_value(m->segment.order, s->d, m->segment.root + i, part) - exp(-r));
}

/* Row of a table's curve for dof i. */
typedef struct TableRow {
  const double *gamma; /* by the powers of z = (|v| - speed)/width */
  double speed, width;
} TableRow;

static TableRow row_of(const EventSystem *s, const EventMotion *m, int i) {
  const FrictionCurve curve = friction_curve(s->table, i);
  int branch = (int)m->at.branch[i];
  const double *row = curve.rows + branch * SIM_TABLE_ROW;
  return (TableRow){row + SIM_TABLE_GAMMA, row[SIM_TABLE_SPEED], friction_curve_width(&curve, branch)};
}

/* z as a series [order + 1]. */
static void table_part(const EventSystem *s, const EventMotion *m, int i, const TableRow *row, int order, double *z) {
  z[0] = (m->at.slip[i] * m->segment.v[i] - row->speed) / row->width;
  for (int k = 1; k <= order; k++) z[k] = m->at.slip[i] * m->segment.v[k * s->d + i] / row->width;
}

/* square = z^2, root = z^3 */
static double table_term(const EventSystem *s, const EventMotion *m, int i, int order, double weight) {
  const TableRow row = row_of(s, m, i);
  const double *c = row.gamma;
  int d = s->d;
  double *square = m->segment.square + i, *cube = m->segment.root + i, z[POLYNOMIAL_ORDER + 1], sum = 0;
  table_part(s, m, i, &row, order, z);
  for (int j = 0; j <= order; j++) sum += z[j] * z[order - j];
  square[order * d] = sum;
  sum = 0;
  for (int j = 0; j <= order; j++) sum += z[j] * square[(order - j) * d];
  cube[order * d] = sum;
  return weight * m->at.slip[i] *
         ((order ? 0 : c[0]) + c[1] * z[order] + c[2] * square[order * d] + c[3] * cube[order * d]);
}

/* gamma' = (c_1 + 2 c_2 z + 3 c_3 z^2)/width */
static void table_slope(const EventSystem *s, const EventMotion *m, int i, double weight, double *slope) {
  const TableRow row = row_of(s, m, i);
  const double *c = row.gamma, *square = m->segment.square + i;
  double z[POLYNOMIAL_ORDER + 1];
  int d = s->d, order = m->segment.order;
  table_part(s, m, i, &row, order, z);
  weight /= row.width;
  for (int k = 0; k <= order; k++) {
    expansion_drop(s, m, i, k); /* square; a shortened segment keeps it for its first width */
    slope[k * d] += weight * ((k ? 0 : c[1]) + 2 * c[2] * z[k] + 3 * c[3] * square[k * d]);
  }
}

void law_table_powers(const EventSystem *s, const EventMotion *m, int i, double weight, int stride, double *powers) {
  const TableRow row = row_of(s, m, i);
  const EventSegment *g = &m->segment;
  double z[POLYNOMIAL_ORDER + 1];
  int d = s->d;
  weight *= m->at.slip[i];
  table_part(s, m, i, &row, g->order, z);
  for (int k = 0; k <= g->order; k++) {
    expansion_drop(s, m, i, k); /* square; as in table_slope */
    const double z_to[SIM_TABLE_ORDER + 1] = {k == 0, z[k], g->square[k * d + i], g->root[k * d + i]};
    for (int power = 0; power <= SIM_TABLE_ORDER; power++) powers[power * stride + k * d] = weight * z_to[power];
  }
}

/* One branch per row. */
static long table_branches(const EventSystem *s) { return s->table->points; }

static double table_begins(const EventSystem *s, int i, long branch) {
  return friction_curve(s->table, i).rows[branch * SIM_TABLE_ROW + SIM_TABLE_SPEED];
}

static long table_at(const EventSystem *s, int i, double v) {
  const FrictionCurve curve = friction_curve(s->table, i);
  return friction_curve_row(&curve, fabs(v));
}

static double table_gap(const EventSystem *s, const EventMotion *m, int i, double v, double part) {
  const TableRow row = row_of(s, m, i);
  const EventSegment *g = &m->segment;
  double z = (m->at.slip[i] * v - row.speed) / row.width;
  return fabs(row.gamma[2] * (polynomial_value(g->order, s->d, g->square + i, part) - z * z)) +
         fabs(row.gamma[3] * (polynomial_value(g->order, s->d, g->root + i, part) - z * z * z));
}

static const LawSeries rows[] = {
    {SIM_STRIBECK_SQRT, .term = sqrt_term, .slope = sqrt_slope, .floor = sqrt_floor},
    {SIM_STRIBECK_RAMP, .term = ramp_term, .slope = ramp_slope, .branches = ramp_branches, .branch_begins = ramp_begins,
     .branch_at = ramp_at},
    {SIM_STRIBECK_EXPONENTIAL, 1, .term = exponential_term, .slope = exponential_slope, .floor = exponential_floor},
    {SIM_STRIBECK_EXPONENTIAL, 2, .term = bell_term, .slope = bell_slope, .floor = bell_floor, .gap = bell_gap},
    {SIM_STRIBECK_TABLE, .term = table_term, .slope = table_slope, .branches = table_branches,
     .branch_begins = table_begins, .branch_at = table_at, .gap = table_gap},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

const LawSeries *law_series(SimStribeck law, double exponent) {
  for (int k = 0; k < N_ROWS; k++)
    if (rows[k].law == law && (rows[k].exponent == exponent || (rows[k].exponent == 1 && exponent == 0)))
      return &rows[k];
  return NULL;
}
