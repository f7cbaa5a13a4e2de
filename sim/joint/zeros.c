/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/zeros.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* TERMS: number of coefficients of a piece. DEPTH: maximum number of halvings of a piece in the search for zeros.
 * BISECTIONS: maximum number of bisections for one zero. */
enum { TERMS = SIM_PIECE_ORDER + 1, DEPTH = 48, BISECTIONS = 200 };
/* Maximum number of evaluations of the law, for all columns together and at least for one column. Beyond this number no
 * further zero is examined. */
enum { EVALUATIONS = 1 << 16, EVALUATIONS_LEAST = 1 << 10 };

/* Rounding error of a polynomial's value, relative to its terms. */
static const double ROUND_OFF = 64 * DBL_EPSILON;
/* A minimum of the force |g| below this fraction of the largest force in a piece counts as a zero. The error of pieces
 * is about 32 eps of the largest force, which is 1e-10 of this limit. */
static const double SMALL = 1e-4;
/* If the force and the terms of a piece are at most this multiple of |e g'| at a zero e of the force g, the piece needs
 * no centre there: the rounding of e alone changes g by |e g'| eps, which is as much as the rounding error of these
 * terms. */
static const double MODEST = 1;
/* Near a centre (pieces.h) pieces are accurate to 1e-12 of |(e - centre) g'|, with the slope g' of the force. So a zero
 * e of the force needs no centre of its own if another centre is within this relative distance of e. */
static const double NEAR = 1e-4;
/* A zero also needs no centre of its own if another centre is within this fraction of the piece's width. Points nearer
 * to the centre are not tested, and pieces are accurate at points farther away. */
static const double UNSEEN = 0x1p-32;
/* Relative distance from a polynomial's zero within which the zero of the law is searched. At multiple zeros these two
 * zeros differ much. */
static const double FAR = 0.1;
/* EXACT: required accuracy of pieces near a zero, relative to |g|. EXACT_ROUNDED: required accuracy relative to the
 * effect of rounding of e. beside: distances from the zero at which pieces are tested, relative to e. */
static const double EXACT = 1e-11, EXACT_ROUNDED = 16 * DBL_EPSILON;
static const double beside[] = {1e-15, 1e-12, 1e-8, 1e-4};

typedef struct Search {
  Curve curve;
  const SimLoad *law;
  double *room; /* [columns] scratch: values of the law */
  PiecesCentres *centres;
  long evaluations; /* number of evaluations of the law that are still allowed */
  bool added;
  const double *row; /* row of the current piece */
  int column;
  double c[TERMS]; /* polynomial of the current piece and column */
  double largest;  /* largest force in the piece, in N */
} Search;

static double function_at(Search *s, double e) {
  s->law->at(s->law->context, e, s->room);
  s->evaluations--;
  return s->room[s->column];
}

static double pieces_at(const Search *s, double e) {
  const double *row = curve_row(s->curve.rows, s->curve.pieces, sim_curve_size(s->curve.columns), e, false);
  return curve_point(s->curve.columns, row, s->column, curve_part(row, e)).value;
}

static double polynomial_at(const Search *s, double part) {
  double sum = 0;
  for (int k = TERMS - 1; k >= 0; k--) sum = sum * part + s->c[k];
  return sum;
}

static double slope_at(const Search *s, double part) {
  double sum = 0;
  for (int k = TERMS - 1; k > 0; k--) sum = sum * part + k * s->c[k];
  return sum;
}

static double terms_at(const Search *s, double part) {
  double sum = 0;
  for (int k = TERMS - 1; k >= 0; k--) sum = sum * fabs(part) + fabs(s->c[k]);
  return sum;
}

/* Finding one zero of a polynomial --------------------------------------------------------------------------------- */

static bool has_centre(const Search *s, double e) {
  for (int k = 0; k < s->centres->n; k++)
    if (fabs(s->centres->at[k] - e) <= fmax(NEAR * fabs(e), UNSEEN * s->row[1])) return true;
  return false;
}

static void insert(PiecesCentres *centres, double e) {
  int k = centres->n++;
  for (; k > 0 && centres->at[k - 1] > e; k--) centres->at[k] = centres->at[k - 1];
  centres->at[k] = e;
}

static bool inside(const Search *s, double e) {
  const double *rows = s->curve.rows, *last = rows + (size_t)(s->curve.pieces - 1) * sim_curve_size(s->curve.columns);
  return e >= rows[0] && e <= last[0] + last[1];
}

/* Whether the pieces near the elongation e are as accurate as the law itself, given that e is rounded. g: value of the
 * law at e. */
static bool exact_about(Search *s, double e, double g) {
  double zero = EXACT * fabs(g);
  for (size_t k = 0; k < sizeof beside / sizeof *beside; k++)
    for (int side = -1; side <= 1; side += 2) {
      double at = e + side * beside[k] * fabs(e);
      if (at == e || !inside(s, at)) continue;
      double there = function_at(s, at), rounded = EXACT_ROUNDED * fabs(e) * fabs((there - g) / (at - e));
      if (!(fabs(pieces_at(s, at) - there) <= EXACT * fabs(there) + rounded)) return false;
      zero = fmax(zero, rounded);
    }
  return fabs(pieces_at(s, e) - g) <= zero;
}

static int sign_of(double g) { return (g > 0) - (g < 0); }

/* Whether the law changes its sign, or begins to be 0, near the elongation *e. Then sets *e to the floating-point
 * number next to the zero at which the law has the smaller magnitude. */
static bool find_zero(Search *s, double *e) {
  double reach = 4 * DBL_EPSILON * fabs(*e), low, high, below, above;
  do {
    low = *e - reach;
    high = *e + reach;
    if (!inside(s, low) || !inside(s, high) || !(reach > 0 && reach < FAR * fabs(*e))) return false;
    below = function_at(s, low);
    above = function_at(s, high);
    reach *= 4;
  } while (sign_of(below) == sign_of(above));
  for (double middle = low + (high - low) / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
    double g = function_at(s, middle);
    bool lower = sign_of(g) == sign_of(below);
    *(lower ? &low : &high) = middle;
    *(lower ? &below : &above) = g;
  }
  *e = fabs(below) < fabs(above) ? low : high;
  return true;
}

/* Whether the law's magnitude has a minimum near the elongation e. g: value of the law at e. */
static bool is_least(Search *s, double e, double g) {
  double low = e - FAR * fabs(e), high = e + FAR * fabs(e);
  if (!inside(s, low) || !inside(s, high)) return false;
  return fabs(function_at(s, low)) > fabs(g) && fabs(function_at(s, high)) > fabs(g);
}

/* Adds a centre (pieces.h) at the elongation e, where the force has a zero, if the pieces are not accurate near e.
 * least: the pieces have a minimum of the force's magnitude at e instead of a zero. */
static void take(Search *s, double e, bool least) {
  if (s->centres->n == PIECES_CENTRES || s->evaluations <= 0 || has_centre(s, e)) return;
  double g = function_at(s, e);
  if (exact_about(s, e, g)) return;
  bool found = find_zero(s, &e) || (least && is_least(s, e, g));
  if (!found || has_centre(s, e)) return;
  insert(s->centres, e);
  s->added = true;
}

/* Adds a centre (pieces.h) in the current piece at the fraction `part` of its width, where the polynomial has a zero or
 * a minimum. */
static void take_part(Search *s, double part, bool least) {
  double e = curve_origin(s->row) + part * s->row[1], slope = slope_at(s, part) / s->row[1];
  if (fmax(s->largest, terms_at(s, part)) > MODEST * fabs(e * slope)) take(s, e, least);
}

/* Finding all zeros of a polynomial piece -------------------------------------------------------------------------- */

/* Finds the zero of the polynomial, or of its slope, between two points with different signs. */
static double bisect(const Search *s, double (*at)(const Search *, double), double low, double high) {
  bool rises = at(s, low) < 0;
  for (int k = 0; k < BISECTIONS; k++) {
    double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) break;
    *((at(s, middle) < 0) == rises ? &low : &high) = middle;
  }
  return low + (high - low) / 2;
}

/* Searches for a zero of the polynomial in from..to, where the polynomial is monotone. */
static void take_monotone(Search *s, double from, double to) {
  if ((polynomial_at(s, from) < 0) != (polynomial_at(s, to) < 0))
    take_part(s, bisect(s, polynomial_at, from, to), false);
}

/* Searches for zeros and small minima of the polynomial in from..to, where its slope is monotone. */
static void take_convex(Search *s, double from, double to) {
  if ((slope_at(s, from) < 0) == (slope_at(s, to) < 0)) {
    take_monotone(s, from, to);
    return;
  }
  double extreme = bisect(s, slope_at, from, to);
  take_monotone(s, from, extreme);
  take_monotone(s, extreme, to);
  if (fabs(polynomial_at(s, extreme)) <= SMALL * s->largest) take_part(s, extreme, true);
}

/* Bisects from..to until a Taylor series about the middle shows that the polynomial has no zero, or that it is
 * monotone, convex or concave. */
static void search(Search *s, double from, double to, int depth) {
  double t[TERMS], half = (to - from) / 2, middle = from + half, rest = 0, bend = 0, twist = 0, power = 1;
  memcpy(t, s->c, sizeof t);
  for (int k = 0; k < TERMS; k++)
    for (int j = TERMS - 2; j >= k; j--) t[j] += middle * t[j + 1];
  for (int k = 1; k < TERMS; k++) {
    double size = fabs(t[k] *= power *= half);
    rest += size;
    if (k > 1) bend += k * size;
    if (k > 2) twist += k * (k - 1) * size;
  }
  if (fabs(t[0]) > rest + SMALL * s->largest) return;
  if (fabs(t[1]) > bend) {
    take_monotone(s, from, to);
  } else if (2 * fabs(t[2]) > twist) {
    take_convex(s, from, to);
  } else if (depth == 0 || fabs(t[0]) + rest <= ROUND_OFF * terms_at(s, middle)) {
    take_part(s, middle, false);
  } else {
    search(s, from, middle, depth - 1);
    search(s, middle, to, depth - 1);
  }
}

/* Adds a centre at the boundary of two pieces if the force changes its sign there, or begins to be 0, at a kink. */
static void search_boundary(Search *s, const double *before) {
  int columns = s->curve.columns;
  double end = curve_point(columns, before, s->column, curve_part(before, s->row[0])).value;
  double begin = curve_point(columns, s->row, s->column, curve_part(s->row, s->row[0])).value;
  if ((end < 0) != (begin < 0) || (end == 0) != (begin == 0)) take(s, s->row[0], false);
}

static void search_piece(Search *s) {
  /* number of equal intervals of a piece; the law is sampled at their ends */
  enum { PLACES = 8 };
  int columns = s->curve.columns, order = (int)s->row[2];
  const double *c = curve_coefficients(s->row, columns) + s->column;
  double from = curve_part(s->row, s->row[0]);
  s->largest = 0;
  for (int k = 0; k < TERMS; k++) s->c[k] = k <= order ? c[k * columns] : 0;
  for (int k = 0; k <= PLACES; k++) s->largest = fmax(s->largest, fabs(polynomial_at(s, from + (double)k / PLACES)));
  if (s->largest > 0) search(s, from, from + 1, DEPTH);
}

bool zeros_add(Curve curve, const SimLoad *law, double *room, PiecesCentres *centres) {
  Search s = {.curve = curve, .law = law, .room = room, .centres = centres};
  size_t size = sim_curve_size(curve.columns);
  s.evaluations = EVALUATIONS / curve.columns;
  if (s.evaluations < EVALUATIONS_LEAST) s.evaluations = EVALUATIONS_LEAST;
  for (s.column = 0; s.column < curve.columns; s.column++)
    for (long piece = 0; piece < curve.pieces; piece++) {
      s.row = curve.rows + (size_t)piece * size;
      if (piece > 0) search_boundary(&s, s.row - size);
      search_piece(&s);
    }
  return s.added;
}
