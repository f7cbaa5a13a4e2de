/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/adjoint.h"

#include "sim/event/inverse.h"
#include "sim/event/record.h"
#include "sim/event/spring_series.h"
#include "sim/operator/columns.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A part of a leg that is short enough for one power series in time. A leg (record.h) is the motion between two events.
 * A sweep goes backwards through the piece: the variable sigma of its series is 0 at the late end of the piece and 1 at
 * its early end. */
typedef struct Piece {
  const EventLeg *leg;
  const signed char *marks; /* [d] LEG_.. bits of the leg's dofs (record.h) */
  double from, part;        /* start and length of the piece, as fractions of the leg */
  double width;             /* length of the piece, in s */
  const double *inverse;    /* (M_SS)^-1 of the dofs S that slide in the leg, in the form of inverse.h */
} Piece;

/* Number of sums J that are swept together. Their arrays are [d][TOGETHER]. */
enum { TOGETHER = COLUMNS_TOGETHER };

/* Adds coefficient `order` of the series of C gamma'(v) r to q [d][TOGETHER], with r and q of adjoint.h. */
static void add_slopes(const EventSystem *s, const EventRecord *r, const Piece *piece, int order, double *q) {
  int d = s->d, size = d * TOGETHER, last = order < piece->leg->order ? order : piece->leg->order;
  for (int i = 0; i < d; i++) {
    double sum[TOGETHER] = {0};
    for (int k = 0; k <= last && s->friction[i] > 0; k++)
      columns_add(TOGETHER, r->slope[k * d + i], r->series + (order - k) * size + i * TOGETHER, sum);
    columns_add(TOGETHER, 1, sum, q + i * TOGETHER);
  }
}

/* Replaces coefficient `order` of the series of p and q (adjoint.h) by coefficient order + 1. r->series holds r up to
 * `order`. */
static void advance(const EventSystem *s, const EventRecord *r, const Piece *piece, int order, double *p, double *q) {
  int d = s->d, size = d * TOGETHER;
  const double *rate = r->series + order * size;
  double by = piece->width / (order + 1), *stiff = r->stiff;
  memset(stiff, 0, (size_t)size * sizeof *stiff);
  rows_multiply_columns(d, 1, &s->stiffness, rate, stiff);
  if (spring_series_wanted(s))
    spring_series_multiply(s, true, piece->leg->order, r->stiffening, order, TOGETHER, r->series, 1, stiff);
  for (int i = 0; i < d && s->stops; i++)
    if (piece->marks[i] & LEG_PUSHED)
      columns_add(TOGETHER, stops_slope(s->stops, i, 1), rate + i * TOGETHER, stiff + i * TOGETHER);
  memcpy(q, p, (size_t)size * sizeof *q);
  if (s->damped) rows_multiply_columns(d, -1, &s->damping_transposed, rate, q);
  if (s->series) add_slopes(s, r, piece, order, q);
  for (int i = 0; i < d; i++) {
    double slides = piece->marks[i] & LEG_SLIDES ? by : 0;
    for (int c = i * TOGETHER; c < (i + 1) * TOGETHER; c++) {
      p[c] = -by * stiff[c];
      q[c] *= slides;
    }
  }
}

static inline double larger(double a, double b) { return a > b ? a : b; }

/* Adds one coefficient of a series, term [d][TOGETHER], to TOGETHER columns of sum [d][width]. Returns whether the term
 * is rounding error in each of these columns. */
static bool add_term(int d, int width, const double *term, double *sum) {
  double most[TOGETHER] = {0}, all[TOGETHER] = {0};
  bool little = true;
  for (int i = 0; i < d; i++)
    for (int c = 0; c < TOGETHER; c++) {
      double *at = sum + i * width + c;
      *at += term[i * TOGETHER + c];
      most[c] = larger(most[c], fabs(term[i * TOGETHER + c]));
      all[c] = larger(all[c], fabs(*at));
    }
  for (int c = 0; c < TOGETHER; c++) little = little && most[c] <= DBL_EPSILON * all[c];
  return little;
}

/* Sweeps the sums J number first, .., first + TOGETHER - 1 from the end of the piece to its start. adjoint->x holds p
 * of adjoint.h, and adjoint->v holds q. Stores the series of r = M_SS^-1 q in r->series, and returns its order. */
static int go_back(const EventSystem *s, EventRecord *r, const Piece *piece, int first) {
  int d = s->d, width = r->adjoint->width, small = 0, order = 0;
  int known = !s->series && !spring_series_wanted(s) ? 0 : piece->leg->order;
  double *x = r->adjoint->x + first, *v = r->adjoint->v + first, *p = r->p, *q = r->q;
  for (int i = 0; i < d; i++) {
    memcpy(p + i * TOGETHER, x + i * width, TOGETHER * sizeof *p);
    memcpy(q + i * TOGETHER, v + i * width, TOGETHER * sizeof *q);
  }
  for (;; order++) {
    inverse_apply_columns(s, piece->inverse, q, r->series + order * d * TOGETHER);
    if (order == VARIATION_ORDER || (small >= 2 && order > known)) return order;
    advance(s, r, piece, order, p, q);
    bool little = add_term(d, width, p, x);
    little = add_term(d, width, q, v) && little;
    small = little ? small + 1 : 0;
  }
}

/* Adds the derivatives of J (adjoint.h) by B u at the control's nodes before and after the piece to r->here and
 * r->next. They are integrals of r and, if the control is piecewise linear, of sigma r. */
static void add_control(const EventSystem *s, const EventRecord *r, const Piece *piece, int order, int first) {
  const EventLeg *leg = piece->leg;
  int d = s->d, width = r->adjoint->width;
  bool linear = s->problem->signal == SIM_PIECEWISE_LINEAR;
  double end = leg->ramp.from + leg->ramp.rise * (piece->from + piece->part), fall = leg->ramp.rise * piece->part;
  for (int k = order; k >= 0; k--) {
    double whole = piece->width / (k + 1), next = linear ? piece->width * (end / (k + 1) - fall / (k + 2)) : 0;
    for (int i = 0; i < d; i++) {
      const double *rate = r->series + (k * d + i) * TOGETHER;
      columns_add(TOGETHER, whole - next, rate, r->here + i * width + first);
      if (linear) columns_add(TOGETHER, next, rate, r->next + i * width + first);
    }
  }
}

/* Adds the integral of r_i dg_i/dz over the piece to row i of sum [d][width], where r is the adjoint of the
 * acceleration and g the forcing (adjoint.h). r->forcing holds dg_i/dz as a series over the piece. z is c_i, M_ii, D_ii
 * or beta_i; for a friction table dg_i/dz is a power of the speed (variation_powers). */
static void add_forcing(const EventSystem *s, const EventRecord *r, const Piece *piece, int order, int first,
                        double *sum) {
  int d = s->d, known = piece->leg->order, width = r->adjoint->width;
  for (int j = 0; j <= known; j++)
    for (int k = 0; k <= order; k++)
      for (int i = 0; i < d; i++)
        columns_add(TOGETHER, piece->width * r->forcing[j * d + i] / (j + k + 1), r->series + (k * d + i) * TOGETHER,
                    sum + i * width + first);
}

/* Converts series [order + 1][d] over the leg to series over the piece, in powers of its backward variable sigma. */
static void find_part(int d, const Piece *piece, const double *series, double *part) {
  memcpy(part, series, (size_t)((piece->leg->order + 1) * d) * sizeof *part);
  polynomial_part(piece->leg->order, d, part, piece->from + piece->part, -piece->part);
}

static void cross_piece(const EventSystem *s, EventRecord *r, const Piece *piece) {
  const EventLeg *leg = piece->leg;
  SimAdjoint *a = r->adjoint;
  const double *series = r->numbers + leg->numbers + leg->jump;
  int size = (leg->order + 1) * s->d;
  bool law = s->series;
  if (law) find_part(s->d, piece, series, r->slope);
  series += law * size;
  if (spring_series_wanted(s)) find_part(SERIES_PLACES * s->d, piece, series, r->stiffening);
  if (spring_series_wanted(s)) series += SERIES_PLACES * size;
  memset(r->here, 0, adjoint_size(a) * sizeof *r->here);
  memset(r->next, 0, adjoint_size(a) * sizeof *r->next);
  for (int first = 0; first < a->width; first += TOGETHER) {
    int order = go_back(s, r, piece, first);
    add_control(s, r, piece, order, first);
    for (int k = 0; k < r->wanted; k++) {
      find_part(s->d, piece, series + k * size, r->forcing);
      add_forcing(s, r, piece, order, first, a->sum[r->on[k]]);
    }
    for (int k = 0; k < VARIATION_POWERS && r->moments; k++) {
      find_part(s->d, piece, series + (r->wanted + k) * size, r->forcing);
      add_forcing(s, r, piece, order, first, r->moments + k * s->d * a->width);
    }
  }
  adjoint_push(a, (SignalMix){leg->node, {1, 0, 0}}, 1, r->here);
  if (s->problem->signal == SIM_PIECEWISE_LINEAR) adjoint_push(a, (SignalMix){leg->node, {0, 1, 0}}, 1, r->next);
}

/* Adds the derivatives of J by the entries of a friction table over one leg. r->moments holds the integrals of r_i
 * times each power of the speed (variation_powers) over all pieces of the leg. */
static void share_moments(const EventSystem *s, const EventRecord *r, const EventLeg *leg) {
  SimAdjoint *a = r->adjoint;
  int d = s->d, series = r->wanted + (s->series ? 1 : 0) + (spring_series_wanted(s) ? SERIES_PLACES : 0);
  const double *row = r->numbers + leg->numbers + leg->jump + (series + VARIATION_POWERS) * (leg->order + 1) * d;
  FrictionRowPartial parts[FRICTION_PARTIALS];
  for (int i = 0; i < d; i++) {
    const FrictionCurve curve = friction_curve(s->table, i);
    int n = friction_row_partials(&curve, (int)row[i], parts), first = friction_curve_first(s->table, i);
    for (int k = 0; k < n * VARIATION_POWERS; k++) {
      const FrictionRowPartial *part = &parts[k / VARIATION_POWERS];
      int power = k % VARIATION_POWERS;
      columns_add(a->width, part->gamma[power], r->moments + (power * d + i) * a->width,
                  adjoint_row(a, a->sum[SIM_ON_TABLE], first + part->point));
    }
  }
}

/* Sweeps through an impact at the start of the leg: applies the transpose of the map of derivatives over the impact.
 * This changes row `struck` of a->x, and all rows of a->v. Adds the derivatives of J by the masses M_ii. */
static void cross_impact(const EventSystem *s, const EventRecord *r, const EventLeg *leg) {
  const double *jump = r->numbers + leg->numbers, *map = jump + 2 * s->d, *mass = map + s->d * s->d;
  SimAdjoint *a = r->adjoint;
  size_t row = (size_t)a->width * sizeof *a->v;
  double *sum = r->next, *mapped = r->here;
  memset(sum, 0, row);
  memset(mapped, 0, (size_t)s->d * row);
  for (int i = 0; i < s->d; i++) {
    columns_add(a->width, jump[i], adjoint_row(a, a->x, i), sum);
    columns_add(a->width, jump[s->d + i], adjoint_row(a, a->v, i), sum);
    for (int j = 0; j < s->d; j++) {
      columns_add(a->width, map[i * s->d + j], adjoint_row(a, a->v, i), adjoint_row(a, mapped, j));
      if (a->sum[SIM_ON_MASS])
        columns_add(a->width, mass[i * s->d + j], adjoint_row(a, a->v, i), adjoint_row(a, a->sum[SIM_ON_MASS], j));
    }
  }
  memcpy(a->v, mapped, (size_t)s->d * row);
  columns_add(a->width, -1, sum, adjoint_row(a, a->x, leg->struck));
}

/* Sweeps through the event at the start of the leg: applies the transpose of the jumps that the event causes in
 * derivatives. */
static void cross_event(const EventSystem *s, const EventRecord *r, const EventLeg *leg, const signed char *marks) {
  const double *jump = r->numbers + leg->numbers;
  SimAdjoint *a = r->adjoint;
  double *sum = r->next;
  if (leg->struck >= 0) cross_impact(s, r, leg);
  memset(sum, 0, (size_t)a->width * sizeof *sum);
  for (int i = 0; i < s->d && leg->stop >= 0; i++) {
    double *row = adjoint_row(a, a->v, i);
    for (int c = 0; c < a->width && marks[i] & LEG_OWN; c++) row[c] -= jump[i] * row[c];
    if (!(marks[i] & LEG_OWN)) columns_add(a->width, jump[i], row, sum);
  }
  if (leg->stop >= 0) columns_add(a->width, -1, sum, adjoint_row(a, a->v, leg->stop));
  for (int i = 0; i < s->d; i++) {
    if (!(marks[i] & LEG_STOPPED)) continue;
    if (r->open[i]) columns_add(a->width, 1, adjoint_row(a, a->stop_weights, i), adjoint_row(a, a->v, i));
    r->open[i] = 0;
  }
}

SimStatus event_sweep(SimAdjoint *adjoint) {
  EventRecord *r = adjoint->own;
  const EventSystem *s = r->system;
  const signed char *last = r->marks + (r->leg_count - 1) * (size_t)s->d;
  for (int i = 0; i < s->d; i++) r->open[i] = !(last[i] & (LEG_SLIDES | LEG_RESTS));
  for (size_t k = r->leg_count; k-- > 0;) {
    const EventLeg *leg = &r->legs[k];
    const signed char *marks = r->marks + k * (size_t)s->d;
    SimStatus status = adjoint_look(adjoint);
    if (status != SIM_OK) return status;
    for (int i = 0; i < s->d; i++) {
      bool slides = marks[i] & LEG_SLIDES;
      r->set[i] = slides;
      if (!slides) memset(adjoint_row(adjoint, adjoint->v, i), 0, (size_t)adjoint->width * sizeof *adjoint->v);
    }
    Piece piece = {.leg = leg,
                   .marks = marks,
                   .part = 1 / leg->pieces,
                   .width = leg->width / leg->pieces,
                   .inverse = event_inverse(s, &r->inverses, r->set)};
    if (r->moments) memset(r->moments, 0, VARIATION_POWERS * adjoint_size(adjoint) * sizeof *r->moments);
    for (double q = leg->pieces - 1; q >= 0 && leg->width > 0; q--) {
      piece.from = q / leg->pieces;
      cross_piece(s, r, &piece);
    }
    if (r->moments && leg->width > 0) share_moments(s, r, leg);
    cross_event(s, r, leg, marks);
  }
  return SIM_OK;
}
