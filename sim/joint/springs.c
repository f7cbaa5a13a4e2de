/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/spring_rows.h"

#include "sim/joint/laws.h"

#include "sim/group.h"
#include "sim/operator/columns.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {[SIM_ANCHORS] = "model.springs.anchors", [SIM_LINKS] = "model.springs.links"};

/* The slopes of a polynomial piece are sampled at OFTEN times as many points as its order: the extrema of a Chebyshev
 * polynomial. Between these points the polynomial is at most 1/cos(pi/(2 OFTEN)) times its largest sample (Ehlich and
 * Zeller). */
enum { OFTEN = 16 };
static const double BETWEEN_SAMPLES = 1.005;

static Curve law_of(const SimProblem *p, SimSpringPlace place) {
  const SimSpringLaw *law = &p->springs[place];
  return (Curve){law->rows, law->pieces, law->columns};
}

/* Checks of the springs' laws -------------------------------------------------------------------------------------- */

static void check_start(Check *check, SimSpringPlace place) {
  const SimProblem *p = check->problem;
  Curve law = law_of(p, place);
  for (int k = 0; k < springs_of(p, place); k++) {
    double e = springs_elongation(place, p->x0, k);
    if (e >= curve_lower(law) && e <= curve_upper(law)) continue;
    check_complain(check, "model.x0", "spring %d of %s is %.9g long at t = 0 (expected its range, %.9g to %.9g)",
                   p->first + k + 1, keys[place], e, curve_lower(law), curve_upper(law));
    return;
  }
}

static void check_place(Check *check, SimSpringPlace place) {
  const SimProblem *p = check->problem;
  bool sparse = p->system.storage == SIM_SPARSE;
  int columns = p->springs[place].columns, each = place == SIM_ANCHORS ? p->d : p->d - 1;
  if (p->springs[place].pieces == 0) return;
  if (place == SIM_LINKS && p->d < 2)
    check_complain(check, keys[place], "with one degree of freedom (expected two that a spring is between)");
  else if (columns != 1 && (sparse || columns != each))
    check_complain(check, keys[place], "of %d springs (expected one for all, or of dense matrices %d)", columns, each);
  else
    check_start(check, place);
}

static void check(Check *check) {
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) check_place(check, place);
}

static SimFeatures features(const SimProblem *p) {
  return (p->springs[SIM_ANCHORS].pieces > 0 ? SIM_HAS(ANCHORS) : 0) |
         (p->springs[SIM_LINKS].pieces > 0 ? SIM_HAS(LINKS) : 0);
}

static double stored(const SimProblem *p, const Springs *springs, const double *x) {
  (void)p;
  return springs ? springs_stored(springs, x) : 0;
}

static double size(const SimProblem *p, const Springs *springs, const double *x) {
  (void)p;
  return springs ? springs_size(springs, x) : 0;
}

static size_t anchors(const SimProblem *p) { return joint_law_size(&p->springs[SIM_ANCHORS]); }
static size_t links(const SimProblem *p) { return joint_law_size(&p->springs[SIM_LINKS]); }

static const ProblemArray arrays[] = {
    {PROBLEM_ARRAY(springs[SIM_ANCHORS].rows, anchors)}, {PROBLEM_ARRAY(springs[SIM_LINKS].rows, links)}, {0}};

const JointLaw joint_law_springs = {
    .features = features, .arrays = arrays, .check = check, .stored = stored, .size = size};

/* The matrix A + G'k G --------------------------------------------------------------------------------------------- */

static void find_slopes(Curve law, int column, double *least, double *most) {
  const double pi = acos(-1);
  *least = INFINITY;
  *most = -INFINITY;
  for (long piece = 0; piece < law.pieces; piece++) {
    const double *row = law.rows + (size_t)piece * sim_curve_size(law.columns);
    int samples = OFTEN * (int)fmax(row[2], 1);
    for (int j = 0; j <= samples; j++) {
      double part = curve_part(row, row[0]) + (1 - cos(pi * j / samples)) / 2;
      double slope = curve_point(law.columns, row, column, part).slope;
      *least = fmin(*least, slope);
      *most = fmax(*most, slope);
    }
  }
}

static double largest_in(Curve law, const double *row, int column) {
  /* number of equal intervals of a piece; the law is sampled at their ends */
  enum { PLACES = 8 };
  double most = 0, from = curve_part(row, row[0]);
  for (int k = 0; k <= PLACES; k++)
    most = fmax(most, fabs(curve_point(law.columns, row, column, from + (double)k / PLACES).value));
  return most;
}

/* Computes, for one column of a law, the array `within`: for each piece the largest |force| in the pieces between this
 * piece and its centre (pieces.h), an elongation near which the force is small. If the origin of a piece is the end
 * that it shares with an inner neighbour, the centre is in or beyond this neighbour. The value of the piece is then the
 * maximum of the neighbour's value and of the largest |force| in the neighbour. */
static void find_within(Curve law, int column, double *within) {
  size_t size = sim_curve_size(law.columns), columns = (size_t)law.columns;
  for (long k = 0; k < law.pieces; k++) within[(size_t)k * columns + (size_t)column] = 0;
  for (int side = -1; side <= 1; side += 2)
    for (long n = 1; n < law.pieces; n++) {
      long k = side < 0 ? n : law.pieces - 1 - n;
      const double *row = law.rows + (size_t)k * size, *inner = row + side * (long)size;
      double *own = within + (size_t)k * columns + (size_t)column, end = side < 0 ? row[0] : inner[0];
      if (curve_origin(row) != end || curve_origin(inner) == end) continue;
      *own = fmax(own[side * (long)columns], largest_in(law, inner, column));
    }
}

/* Computes, for the springs of one place (springs.h): the mean stiffness k, the bound r of the slope of the remaining
 * force, and the array `within`. */
static SimStatus split(Springs *s, SimSpringPlace place, bool steps) {
  Curve law = s->law[place] = law_of(s->problem, place);
  if (law.pieces == 0) return SIM_OK;
  double *stiffness = s->stiffness[place] = malloc(2 * (size_t)law.columns * sizeof *stiffness);
  s->within[place] = malloc((size_t)law.pieces * (size_t)law.columns * sizeof(double));
  if (!stiffness || !s->within[place]) return SIM_NO_MEMORY;
  s->spread[place] = stiffness + law.columns;
  for (int column = 0; column < law.columns; column++) {
    double least, most, k;
    find_within(law, column, s->within[place]);
    find_slopes(law, column, &least, &most);
    k = stiffness[column] = steps ? fmax((least + most) / 2, 0) : 0;
    s->spread[place][column] = BETWEEN_SAMPLES * fmax(most - k, k - least);
  }
  return SIM_OK;
}

static SimStatus join_dense(SimProblem *p, Springs *s) {
  size_t d = (size_t)p->d;
  double *a = s->joined = malloc(d * d * sizeof *a);
  if (!a) return SIM_NO_MEMORY;
  memcpy(a, p->system.stiffness, d * d * sizeof *a);
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int i = 0; i < springs_of(p, place); i++) {
      double k = springs_stiffness(s, place, i), *at = a + (size_t)i * (d + 1);
      at[0] += k;
      if (place != SIM_LINKS) continue;
      at[d + 1] += k;
      at[1] -= k;
      at[d] -= k;
    }
  p->system.stiffness = a;
  return SIM_OK;
}

/* Adds the mean stiffness k of springs to the ground (anchors) to the diagonal of a sparse A. */
static SimStatus join_sparse(SimProblem *p, Springs *s) {
  SimMatrix *stiffness = &p->system.sparse.stiffness;
  double *k = malloc(((size_t)p->count + 1) * sizeof *k);
  for (int i = 0; i < p->count && k; i++) k[i] = s->stiffness[SIM_ANCHORS][0];
  SimStatus status = k ? sim_matrix_add_diagonal(stiffness, p->first, p->count, k, &s->joined_rows) : SIM_NO_MEMORY;
  free(k);
  if (status != SIM_OK) return status;
  *stiffness = s->joined_rows;
  return SIM_OK;
}

SimStatus springs_join(SimProblem *p, bool steps, Springs **out) {
  Springs *s = *out = calloc(1, sizeof *s);
  SimStatus status = s ? SIM_OK : SIM_NO_MEMORY;
  if (s) {
    s->problem = p;
    s->alone = *p;
  }
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES && status == SIM_OK; place++)
    status = split(s, place, steps);
  if (status == SIM_OK) status = (operator_array_size(p) ? join_dense : join_sparse)(p, s);
  return sim_group_agree(p->group, status);
}

void springs_part(SimProblem *p, Springs *s) {
  if (!s) return;
  p->system.stiffness = s->alone.system.stiffness;
  p->system.sparse.stiffness = s->alone.system.sparse.stiffness;
  free(s->joined);
  sim_matrix_clear(&s->joined_rows);
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    free(s->stiffness[place]);
    free(s->within[place]);
  }
  free(s);
}

/* Forces of springs along a step ----------------------------------------------------------------------------------- */

/* Evaluates a law at the elongation e. Beyond its range the law continues along its tangent. */
static CurvePoint law_at(Curve law, int column, double e) {
  const double *row = curve_row(law.rows, law.pieces, sim_curve_size(law.columns), e, false);
  double part = curve_part(row, e), from = curve_part(row, row[0]), inside = simd_between(part, from, from + 1);
  double beyond = (part - inside) * row[1];
  CurvePoint at = curve_point(law.columns, row, column, inside);
  at.integral += beyond * (at.value + beyond / 2 * at.slope);
  at.value += beyond * at.slope;
  return at;
}

double springs_stored(const Springs *s, const double *x) {
  double sum = 0;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    Curve law = s->law[place];
    for (int k = 0; k < springs_of(s->problem, place); k++)
      sum += law_at(law, springs_column(law, k), springs_elongation(place, x, k)).integral;
  }
  return sum;
}

/* Returns the size of the terms of one spring's energy, in J (springs_size). If e is the boundary of two pieces of the
 * law, at_it selects the piece that begins at e, otherwise the piece before. ends: sum of |x| of the spring's ends, in
 * m. */
static double size_of(Curve law, int column, double e, bool at_it, double ends) {
  const double *row = curve_row(law.rows, law.pieces, sim_curve_size(law.columns), e, at_it);
  double part = curve_part(row, e), slope = curve_point(law.columns, row, column, part).slope;
  const CurvePoint terms = curve_terms(law.columns, row, column, part);
  return terms.integral + ends * (terms.value + ends * fabs(slope));
}

double springs_size(const Springs *s, const double *x) {
  double sum = 0;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    Curve law = s->law[place];
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      int column = springs_column(law, k);
      double e = springs_elongation(place, x, k), ends = fabs(x[k]) + (place == SIM_LINKS ? fabs(x[k + 1]) : 0);
      sum += fmax(size_of(law, column, e, false, ends), size_of(law, column, e, true, ends));
    }
  }
  return sum;
}

bool springs_inside(const Springs *s, const double *x) {
  double outside = !spring_rows_inside(s, lane_rows(x), 0);
  sim_group_max(s->problem->group, &outside, 1);
  return !(outside > 0);
}

/* Mean of the spring force g over the path from e to next, in N, and its derivatives by e (before) and by next (after),
 * in N/m. */
typedef struct LawMean {
  double force, before, after;
} LawMean;

/* Adds to the mean of a law over a path the integral over the fraction from..to of the path, by Gauss's rule. This part
 * of the path is inside one piece of the law. */
static void add_piece(Curve law, const double *row, int column, double e, double way, double from, double to,
                      bool slopes, LawMean *mean) {
  const LawPiece piece = {row, 0};
  double at[LAW_NODES], value[LAW_NODES];
  bool inside = law_values(&piece, (int)row[2], law.columns, column, e, way, from, to, at, value);
  for (int j = 0; j < LAW_NODES; j++) {
    double weight = (to - from) * law_weights[j];
    CurvePoint point = {.value = value[j]};
    if (slopes || !inside) point = law_at(law, column, e + at[j] * way);
    mean->force += weight * point.value;
    mean->before += weight * (1 - at[j]) * point.slope;
    mean->after += weight * at[j] * point.slope;
  }
}

/* Computes the mean of the spring force g from e to next, piece by piece. slopes: whether the derivatives of the mean
 * are needed. */
static LawMean law_mean(Curve law, int column, double e, double next, bool slopes) {
  size_t size = sim_curve_size(law.columns);
  const double *first = law.rows, *last = first + (size_t)(law.pieces - 1) * size;
  const double *row = curve_row(law.rows, law.pieces, size, e, next > e);
  double way = next - e, from = 0;
  LawMean mean = {0};
  for (;;) {
    const LawPiece piece = {row, 0};
    double to = law_part_end(&piece, e, way, way == 0 || row == (way > 0 ? last : first));
    add_piece(law, row, column, e, way, from, to, slopes, &mean);
    if (to >= 1) return mean;
    from = simd_larger(to, 0);
    row = way > 0 ? row + size : row - size;
  }
}

double springs_law_mean(Curve law, int column, double e, double next) {
  return law_mean(law, column, e, next, false).force;
}

double springs_law_rise(Curve law, int column, double e, double next) {
  return law_at(law, column, next).value - law_at(law, column, e).value;
}

LANE_INLINE double mean_of(Curve law, int column, double e, double next, bool mask) {
  (void)mask;
  return springs_law_mean(law, column, e, next);
}

/* Whether spring k has an end without mass. Such an end may move by any distance within a step. The force must
 * therefore be g(next), the force at the end's new position, instead of a mean over the path. Schemes that support such
 * springs have theta = 1. With this theta the trapezoidal rule, which is used instead of the mean, gives g(next). */
static bool ends_light(const Springs *s, SimSpringPlace place, int k) {
  return massless_dof(s->problem, k) || (place == SIM_LINKS && massless_dof(s->problem, k + 1));
}

/* Returns the difference, in N, between the trapezoidal rule for the spring force g from e to next and the mean of g
 * over this path. */
static double beyond_mean(Curve law, int column, double e, double next) {
  return (law_at(law, column, e).value + law_at(law, column, next).value) / 2 - springs_law_mean(law, column, e, next);
}

/* For springs with an end without mass: adds the force of beyond_mean times `factor` to the forces on the dofs at both
 * ends of each spring. */
static void add_beyond_mean(const Springs *s, double factor, const double *x, const double *next, double *force) {
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      Curve law = s->law[place];
      if (!ends_light(s, place, k)) continue;
      const double more =
          beyond_mean(law, springs_column(law, k), springs_elongation(place, x, k), springs_elongation(place, next, k));
      springs_add_force(place, k, factor * more, force);
    }
}

void springs_add_mean(const Springs *s, double theta, double factor, const double *x, const double *next,
                      const double *about, double *force) {
  spring_rows_add(s, theta, factor, lane_rows(x), lane_rows(next), lane_rows(about), 0, true, mean_of, springs_law_rise,
                  lane_rows(force));
  add_beyond_mean(s, factor, x, next, force);
}

double springs_rise(const Springs *s, const double *x, const double *next) {
  double sum = 0;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    Curve law = s->law[place];
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      int column = springs_column(law, k);
      double e = springs_elongation(place, x, k), after = springs_elongation(place, next, k);
      sum += (after - e) * springs_law_rise(law, column, e, after);
      if (ends_light(s, place, k)) sum += (after - e) * 2 * beyond_mean(law, column, e, after);
    }
  }
  return sum;
}

double springs_mean_form(const Springs *s, const double *x, const double *next) {
  double sum = 0;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      double way = springs_elongation(place, next, k) - springs_elongation(place, x, k);
      sum += springs_stiffness(s, place, k) * way * way;
    }
  return sum;
}

/* Derivatives of the springs' forces ------------------------------------------------------------------------------- */

void springs_slopes(const Springs *s, double theta, const double *x, const double *next, double *before,
                    double *after) {
  int count = s->problem->count;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    Curve law = s->law[place];
    for (int k = 0; k < springs_of(s->problem, place); k++) {
      int column = springs_column(law, k), spring = (int)place * count + k;
      double e = springs_elongation(place, x, k), end = springs_elongation(place, next, k);
      LawMean mean = law_mean(law, column, e, end, true);
      if (ends_light(s, place, k))
        mean = (LawMean){0, law_at(law, column, e).slope / 2, law_at(law, column, end).slope / 2};
      double carried = theta * s->stiffness[place][column];
      before[spring] = mean.before - (theta - 0.5) * law_at(law, column, e).slope + carried;
      after[spring] = mean.after + (theta - 0.5) * law_at(law, column, end).slope - carried;
    }
  }
}

void springs_add_columns(const Springs *s, const double *slopes, double factor, int n, int width, const double *x,
                         double *y) {
  int count = s->problem->count;
  for (int k = 0; k < springs_of(s->problem, SIM_ANCHORS); k++)
    columns_add(n, factor * slopes[k], x + (size_t)k * (size_t)width, y + (size_t)k * (size_t)width);
  for (int k = 0; k < springs_of(s->problem, SIM_LINKS); k++) {
    const double slope = factor * slopes[count + k], *at = x + (size_t)k * (size_t)width;
    double *sum = y + (size_t)k * (size_t)width;
    columns_add(n, -slope, at + width, sum);
    columns_add(n, slope, at, sum);
    columns_add(n, slope, at + width, sum + width);
    columns_add(n, -slope, at, sum + width);
  }
}
