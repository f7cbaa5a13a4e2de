/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/base/pieces.h"

#include "sim/base/argument.h"
#include "sim/base/curve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = SIM_PIECE_ORDER + 1 };
/* limit of (number of pieces) x d that halving may reach; computing so many takes some seconds */
enum { ENTRIES_MOST = 1 << 17 };
/* ENOUGH: a polynomial is accurate if its last Chebyshev coefficients are below this. ROUND_OFF: other coefficients
 * below this count as rounding error, which powers of time would amplify. Both are relative to the largest force. */
static const double ENOUGH = 32 * DBL_EPSILON, ROUND_OFF = 4 * DBL_EPSILON;
/* Largest accepted difference between a piece and the force between interpolation nodes, relative to the largest force.
 * It is checked if SimLoad.looks is set. */
static const double DIFFERENT = 1e-9;
/* Constants for pieces near a centre (PiecesCentres), with s = t - centre. NEAR: accuracy of f, relative to f and to s
 * f'. RUNG: ratio of successive distances s of test points; LADDER: their number. CLOSEST: smallest such distance, in
 * units of t's rounding. LEAST: a coefficient counts as zero below this, relative to its terms. BESIDE, BESIDE_NUMBERS:
 * distance of the LOOKS points that show the rounding error of f, relative to s, and its minimum in spacings of
 * doubles. */
static const double NEAR = 1e-12, RUNG = 0.25, CLOSEST = 64 * DBL_EPSILON, LEAST = 1e-12, BESIDE = 1e-9;
enum { LADDER = 16, LOOKS = 5, BESIDE_NUMBERS = 4 };
/* Distances of test points from a nonzero centre, relative to it; not round, as f may be exact at round numbers. */
static const double ABOUT[] = {1.37e-14, 1.73e-12, 1.41e-10, 1.19e-8};
/* WITHIN: test points of a piece. APART: distance of their neighbours. Both are fractions of the piece's width. */
static const double WITHIN[] = {0.29, 0.71}, APART = 1.23e-8;
/* After so many halvings a piece near a centre is cut at the centre, since f may have a kink there. */
enum { HALVINGS_ABOUT = 24 };

typedef struct Builder {
  SimProblem *problem;
  const SimLoad *load;
  long room, most; /* capacity of the array of pieces, and limit of their number */
  double *row;     /* coefficients of the current piece */
  const PiecesCentres *centres;
  double lower, upper; /* ends of the range of all pieces, in s */
  double *scale;       /* [d] largest |f_i| so far; with centres (PiecesCentres), only between the piece and its nearest
                        * centre */
  double *inner; /* [d] largest |f_i| at test times between the piece and its nearest centre (PiecesCentres), if any */
  double *late;  /* [d] value of f at the last interpolation node of the piece */
  double *noise; /* [d] change of f, in N, if t changes by its rounding error */
  double *look;  /* [LOOKS][d] values of f at test points between the nodes */
  double time[NODES],
      polynomial[NODES][NODES]; /* cosines of Chebyshev's nodes; T_k as powers of (t - origin)/(to - from) */
  double cosine[NODES][NODES];  /* Chebyshev polynomials T_k at the nodes */
  double from, to, origin;      /* ends of this piece, in s; time, in s, about which its powers are expanded */
  double centre;         /* time, in s, of the centre (a given time near which f is small, PiecesCentres) nearest to the
                          * middle of the piece */
  double *value, *rough; /* [d] value of f at the time `centre`, in N; [d] rounding error of f near this time, in
                                 * N */
  double *own;           /* [d] effect of the error `rough` in the piece, in N; 0 if it is below the rounding error of f
                 * itself */
  double seen;           /* time, in s, of the centre for which `value` and `rough` have been computed; NAN: none yet */
  double where;          /* last time, in s, at which finite_at has computed f */
} Builder;

static void prepare(Builder *builder) {
  const double pi = acos(-1);
  for (int j = 0; j < NODES; j++) {
    builder->time[j] = (1 + cos(pi * (j + 0.5) / NODES)) / 2;
    for (int k = 0; k < NODES; k++) builder->cosine[k][j] = cos(pi * k * (j + 0.5) / NODES);
  }
}

static double centre_of(const PiecesCentres *centres, double t) {
  double nearest = centres->n > 0 ? centres->at[0] : 0;
  for (int k = 1; k < centres->n; k++)
    if (fabs(centres->at[k] - t) < fabs(nearest - t)) nearest = centres->at[k];
  return nearest;
}

double pieces_origin(const PiecesCentres *centres, double from, double to) {
  return fmin(fmax(centre_of(centres, from + (to - from) / 2), from), to);
}

/* Begins a piece. Expands the Chebyshev polynomials T_k(2 q + shift) in powers of q = (t - origin)/(to - from). */
static void begin_piece(Builder *builder, double from, double to) {
  double(*t)[NODES] = builder->polynomial;
  builder->from = from;
  builder->to = to;
  builder->centre = centre_of(builder->centres, from + (to - from) / 2);
  builder->origin = pieces_origin(builder->centres, from, to);
  double shift = 2 * ((builder->origin - from) / (to - from)) - 1;
  memset(t, 0, sizeof builder->polynomial);
  t[0][0] = 1;
  t[1][0] = shift;
  t[1][1] = 2;
  for (int k = 2; k < NODES; k++)
    for (int j = 0; j <= k; j++) t[k][j] = (j ? 4 * t[k - 1][j - 1] : 0) + 2 * shift * t[k - 1][j] - t[k - 2][j];
}

/* Computes f [d] at time t; returns whether it is finite. */
static bool finite_at(Builder *builder, double t, double *f) {
  int i = 0, d = builder->problem->d;
  builder->where = t;
  builder->load->at(builder->load->context, t, f);
  while (i < d && isfinite(f[i])) i++;
  return i == d;
}

/* Replaces size [d] by the larger of size and |f|. */
static void raise_to(int d, const double *f, double *size) {
  for (int i = 0; i < d; i++) size[i] = fmax(size[i], fabs(f[i]));
}

static double part_of(const Builder *builder, double t) {
  return (t - builder->origin) / (builder->to - builder->from);
}

/* Returns the change of f_i, in N, when t changes by its rounding error. It is large for a fast oscillation at large
 * t. */
static double noise_of(const Builder *builder, int i, const double *values) {
  int d = builder->problem->d;
  double steepest = 0;
  for (int j = 1; j < NODES; j++)
    steepest =
        fmax(steepest, fabs(values[j * d + i] - values[(j - 1) * d + i]) / (builder->time[j - 1] - builder->time[j]));
  return 4 * DBL_EPSILON * fmax(fabs(builder->from), builder->to) * steepest / (builder->to - builder->from);
}

/* Computes the Chebyshev coefficients `a` of f_i from its values at the nodes, and omits trailing ones that are
 * rounding error. Returns whether the last two are small enough for an accurate polynomial. */
static bool transform(const Builder *builder, int i, const double *values, double *a) {
  int d = builder->problem->d;
  double scale = builder->scale[i], noise = builder->noise[i] = noise_of(builder, i, values) + builder->own[i];
  for (int k = 0; k < NODES; k++) {
    double sum = 0;
    for (int j = 0; j < NODES; j++) sum += values[j * d + i] * builder->cosine[k][j];
    a[k] = sum * (k ? 2.0 : 1.0) / NODES;
  }
  double terms = builder->centres->terms ? fmax(builder->centres->terms[i], scale) : scale;
  bool good = fabs(a[NODES - 1]) + fabs(a[NODES - 2]) <= ENOUGH * terms + noise;
  for (int k = NODES - 1; k >= 0 && fabs(a[k]) <= ROUND_OFF * scale + noise; k--) a[k] = 0;
  return good;
}

/* Sets coefficients to 0 that are rounding error of their terms, unless this changes the values at the nodes. Near a
 * centre (PiecesCentres) x^3 then remains exactly x^3. */
static void leave_round_off(const Builder *builder, int i, const double *values, const double *size, double *c) {
  double simple[NODES];
  int d = builder->problem->d;
  for (int j = 0; j < NODES; j++) simple[j] = fabs(c[j]) <= LEAST * size[j] ? 0 : c[j];
  for (int j = 0; j < NODES; j++) {
    double part = part_of(builder, builder->from + (builder->to - builder->from) * builder->time[j]);
    double far = fabs(curve_value(NODES - 1, 1, simple, 0, part) - values[j * d + i]);
    if (far > ENOUGH * builder->scale[i] + builder->noise[i]) return;
  }
  memcpy(c, simple, sizeof simple);
}

/* Converts values at the nodes, [NODES][d], to coefficients of powers of time. Returns whether the polynomials of all
 * entries of f are accurate. */
static bool fit(const Builder *builder, double *values) {
  int d = builder->problem->d;
  bool good = true;
  for (int i = 0; i < d; i++) {
    double a[NODES], c[NODES], size[NODES];
    good = transform(builder, i, values, a) && good;
    for (int j = 0; j < NODES; j++) {
      c[j] = size[j] = 0;
      for (int k = j; k < NODES; k++) {
        c[j] += a[k] * builder->polynomial[k][j];
        size[j] += fabs(a[k] * builder->polynomial[k][j]);
      }
    }
    if (builder->centres->n > 0) leave_round_off(builder, i, values, size, c);
    for (int j = 0; j < NODES; j++) values[j * d + i] = c[j];
  }
  return good;
}

static SimStatus append(Builder *builder, double start) {
  SimProblem *p = builder->problem;
  size_t size = sim_piece_size(p->d);
  double *row = builder->row;
  int order = SIM_PIECE_ORDER, zeros = 1;
  for (; order > 0 && zeros; order -= zeros)
    for (int i = 0; i < p->d; i++) zeros = zeros && row[2 + order * p->d + i] == 0;
  row[0] = start;
  row[1] = order;
  if (p->piece_count == builder->room) {
    long room = builder->room ? 2 * builder->room : 8;
    double *rows = realloc(p->pieces, (size_t)room * size * sizeof *rows);
    if (!rows) return SIM_NO_MEMORY;
    p->pieces = rows;
    builder->room = room;
  }
  memcpy(p->pieces + (size_t)p->piece_count++ * size, row, size * sizeof *row);
  return SIM_OK;
}

/* Compares a piece with f between its nodes. Returns SIM_NOT_CONVERGED if the piece is inaccurate, or
 * SIM_NON_FINITE. */
static SimStatus look_between(Builder *builder, const double *c) {
  int d = builder->problem->d;
  if (builder->load->looks == 0) return SIM_OK;
  double apart = (builder->upper - builder->lower) / (double)builder->load->looks;
  for (double k = floor((builder->from - builder->lower) / apart);; k++) {
    double t = builder->lower + (k + 0.5) * apart, part = part_of(builder, t);
    if (t >= builder->to) break;
    if (!(t > builder->from)) continue;
    if (!finite_at(builder, t, builder->look)) return SIM_NON_FINITE;
    raise_to(d, builder->look, builder->scale);
    for (int i = 0; i < d; i++) {
      double f = builder->look[i], sum = 0;
      for (int q = NODES - 1; q >= 0; q--) sum = sum * part + c[q * d + i];
      if (fabs(f - sum) > DIFFERENT * builder->scale[i] + 16 * builder->noise[i]) return SIM_NOT_CONVERGED;
    }
  }
  return SIM_OK;
}

/* Raises builder->inner to the largest |f_i| at test times between the current centre and the piece. */
static SimStatus look_inwards(Builder *builder) {
  int d = builder->problem->d;
  double way = builder->origin - builder->centre;
  memset(builder->inner, 0, (size_t)d * sizeof *builder->inner);
  for (int k = 0; way != 0 && k <= LADDER; k++) {
    if (!finite_at(builder, builder->centre + way * pow(RUNG, k), builder->look)) return SIM_NON_FINITE;
    raise_to(d, builder->look, builder->inner);
  }
  memcpy(builder->scale, builder->inner, (size_t)d * sizeof *builder->scale);
  return SIM_OK;
}

/* Returns the distance from t to the next double. */
static double spacing(double t) { return nextafter(fabs(t), INFINITY) - fabs(t); }

/* Estimates the rounding error of f at t from fourth differences of f, which are 0 for a smooth f, minus the effect of
 * rounding of values and of t. Raises rough [d] to this estimate. apart: distance of the points. */
static void look_beside(Builder *builder, double t, double apart, double *rough) {
  int d = builder->problem->d;
  double *f = builder->look;
  for (int q = 0; q < LOOKS; q++) builder->load->at(builder->load->context, t + q * apart, f + q * d);
  for (int i = 0; i < d; i++, f++) {
    double fourth = f[0] - 4 * f[d] + 6 * f[2 * d] - 4 * f[3 * d] + f[4 * d];
    double values = fmax(fabs(f[0]), fabs(f[4 * d])), slope = fabs((f[4 * d] - f[0]) / (4 * apart));
    rough[i] = fmax(rough[i], fabs(fourth) - 16 * (DBL_EPSILON * values + spacing(t) * slope));
  }
}

static void look_within(Builder *builder) {
  double width = builder->to - builder->from;
  for (size_t k = 0; k < sizeof WITHIN / sizeof *WITHIN; k++) {
    double t = builder->from + WITHIN[k] * width, apart = fmax(APART * width, BESIDE_NUMBERS * spacing(t));
    if (t + LOOKS * apart < builder->to) look_beside(builder, t, apart, builder->own);
  }
}

/* Computes f at the current centre and its rounding error there, unless known, from points on both sides, but not from
 * differences across the centre, where f may have a kink. A centre at 0 is skipped: doubles near 0 are as fine as f. */
static void look_about(Builder *builder) {
  double centre = builder->centre;
  if (builder->seen == centre) return;
  builder->seen = centre;
  builder->load->at(builder->load->context, centre, builder->value);
  memset(builder->rough, 0, (size_t)builder->problem->d * sizeof *builder->rough);
  for (size_t k = 0; k < 2 * sizeof ABOUT / sizeof *ABOUT; k++) {
    double apart = (k % 2 ? -1 : 1) * ABOUT[k / 2] * fabs(centre), last = centre + LOOKS * apart;
    if (apart != 0 && last >= builder->lower && last <= builder->upper)
      look_beside(builder, centre + apart, apart, builder->rough);
  }
}

/* Returns the factor of the rounding error of f from one test distance to the next one nearer to the centre. Near 0,
 * the error of a difference of large terms decreases with |t| if f does. Elsewhere the error is measured again (factor
 * 0). */
static double carried(const Builder *builder, int i) {
  if (builder->centre != 0) return 0;
  return builder->value[i] == 0 ? RUNG : 1;
}

/* Whether the polynomial c equals f at t, up to rounding error and NEAR times |f - f(centre)|. noise [d]: on entry the
 * rounding error of f at the previous test point; raised to that at t. */
static bool exact_at(Builder *builder, const double *c, double t, int inwards, double *noise) {
  int d = builder->problem->d;
  double part = part_of(builder, t), width = builder->to - builder->from, *f = builder->look, s = t - builder->centre;
  double beside = inwards * fmax(BESIDE * fabs(s), builder->centre != 0 ? BESIDE_NUMBERS * spacing(t) : 0);
  for (int q = 0; q < 4; q++) builder->load->at(builder->load->context, t + q * beside, f + q * d);
  for (int i = 0; i < d; i++) {
    double sum = 0, slope = 0;
    for (int k = NODES - 1; k >= 0; k--) {
      slope = slope * part + sum;
      sum = sum * part + c[k * d + i];
    }
    double own = fabs(f[i]) + fabs(s / width * slope);
    double bends = fabs(f[i] - 2 * f[d + i] + f[2 * d + i]) + fabs(f[d + i] - 2 * f[2 * d + i] + f[3 * d + i]);
    noise[i] = fmax(noise[i] * carried(builder, i), bends - 16 * DBL_EPSILON * own);
    double room = NEAR * own + 2 * ENOUGH * builder->inner[i] + 16 * builder->rough[i] +
                  4 * DBL_EPSILON * fabs(builder->centre / width * slope);
    if (fabs(sum - f[i]) > room + 16 * noise[i]) return false;
  }
  return true;
}

/* Sets a piece that contains its centre to f(centre) there. Returns whether it equals f from its ends to the centre. */
static bool exact_near(Builder *builder, double *c) {
  int d = builder->problem->d;
  double ends[] = {builder->from, builder->to}, centre = builder->centre;
  if (builder->origin == centre) builder->load->at(builder->load->context, centre, c);
  look_about(builder);
  for (int q = 0; q < 2; q++) {
    double *noise = builder->look + LOOKS * d;
    memset(noise, 0, (size_t)d * sizeof *noise);
    for (int k = 0; k <= LADDER; k++) {
      double t = k ? centre + (ends[q] - centre) * pow(RUNG, k) : ends[q];
      if (t < builder->from || t > builder->to || fabs(t - centre) <= CLOSEST * fabs(centre)) break;
      if (!exact_at(builder, c, t, q ? -1 : 1, noise)) return false;
    }
  }
  return true;
}

static SimStatus build(Builder *builder, double from, double to, int halvings) {
  int d = builder->problem->d;
  double *values = builder->row + 2;
  begin_piece(builder, from, to);
  bool near = builder->centres->n > 0;
  memset(builder->own, 0, (size_t)d * sizeof *builder->own);
  /* The wider piece may have been inaccurate only because of rounding errors in a difference of large terms. */
  if (near || halvings < PIECE_HALVINGS) look_within(builder);
  SimStatus seen = near ? look_inwards(builder) : SIM_OK;
  if (seen != SIM_OK) return seen;
  for (int j = 0; j < NODES; j++) {
    if (!finite_at(builder, from + (to - from) * builder->time[j], values + j * d)) return SIM_NON_FINITE;
    raise_to(d, values + j * d, builder->scale);
  }
  memcpy(builder->late, values, (size_t)d * sizeof *values);
  SimStatus looked = fit(builder, values) ? look_between(builder, values) : SIM_NOT_CONVERGED;
  if (looked == SIM_NON_FINITE) return looked;
  double middle = (from + to) / 2, centre = builder->centre;
  bool narrowest = halvings == 0 || !(from < middle && middle < to);
  bool exact = looked == SIM_OK && (!near || exact_near(builder, values) || narrowest);
  if (exact) return append(builder, from);
  if (builder->problem->piece_count > builder->most) return SIM_NOT_CONVERGED;
  if (narrowest) { /* at a jump of f, the piece becomes the value after the jump */
    memset(values, 0, (size_t)(NODES * d) * sizeof *values);
    memcpy(values, builder->late, (size_t)d * sizeof *values);
    return append(builder, from);
  }
  if (near && halvings <= PIECE_HALVINGS - HALVINGS_ABOUT && from < centre && centre < to) middle = centre;
  SimStatus status = build(builder, from, middle, halvings - 1);
  return status == SIM_OK ? build(builder, middle, to, halvings - 1) : status;
}

static void no_force(void *context, double t, double *f) {
  const SimProblem *p = context;
  (void)t;
  for (int i = 0; i < p->d; i++) f[i] = 0;
}

static void drop_pieces(SimProblem *p) {
  free(p->pieces);
  p->pieces = NULL;
  p->piece_count = 0;
}

SimStatus pieces_over(SimProblem *p, const SimLoad *load, const PiecesCentres *centres, double lower, double upper,
                      int n, const double *breaks, double *where) {
  const SimLoad none = {.context = p, .at = no_force};
  Builder builder = {
      .problem = p, .load = load->at ? load : &none, .centres = centres, .lower = lower, .upper = upper, .seen = NAN};
  size_t d = (size_t)p->d;
  builder.most = centres->most > 0 ? centres->most : n + ENTRIES_MOST / p->d;
  drop_pieces(p);
  builder.row = calloc(sim_piece_size(p->d) + (8 + LOOKS) * d, sizeof *builder.row);
  if (!builder.row) return SIM_NO_MEMORY;
  builder.scale = builder.row + sim_piece_size(p->d);
  builder.inner = builder.scale + d;
  builder.late = builder.inner + d;
  builder.noise = builder.late + d;
  builder.value = builder.noise + d;
  builder.rough = builder.value + d;
  builder.own = builder.rough + d;
  builder.look = builder.own + d;
  prepare(&builder);
  bool ends =
      finite_at(&builder, lower, builder.late) && finite_at(&builder, upper, builder.late); /* the ends of the range are
                                                                                             * no nodes */
  SimStatus status = ends ? SIM_OK : SIM_NON_FINITE;
  for (int k = 0; k <= n && status == SIM_OK; k++)
    status = build(&builder, k ? breaks[k - 1] : lower, k < n ? breaks[k] : upper, PIECE_HALVINGS);
  free(builder.row);
  *where = builder.where;
  if (status != SIM_OK) drop_pieces(p);
  return status;
}

SimStatus stiction_problem_set_pieces(SimProblem *p, const SimLoad *load, int n, const double *breaks, double *where) {
  ARGUMENT(p && p->d >= 1 && p->end > 0, "problem", "is NULL, or has no end above 0");
  ARGUMENT_THERE(load);
  ARGUMENT(n >= 0 && (n == 0 || breaks), "breaks", "are NULL, or less than none");
  ARGUMENT_THERE(where);
  return pieces_over(p, load, &(PiecesCentres){0}, 0, p->end, n, breaks, where);
}
