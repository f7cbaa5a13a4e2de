/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes largest values and integrals over one piece of a segment. */
#include "sim/event/readings.h"

#include "sim/core/model.h"
#include "sim/core/quantity_parts.h"

#include <math.h>
#include <string.h>

/* Evaluates a quantity that is a function of place (SimQuantity.place), at the fraction `place` of the piece. */
static double evaluate_place(const EventSystem *s, const EventMotion *m, int k, double place) {
  const EventReadings *r = m->readings;
  double at = r->from + place * r->part, *x = r->slopes + s->d + 1;
  polynomial_at(m->segment.order, s->d, m->segment.x, at, x);
  return quantity_place(&r->of[k], s->d, m->at.t + m->segment.width * at, x, r->slopes);
}

double reading_value(const EventSystem *s, const EventMotion *m, int k, double place) {
  const Reading *q = &m->readings->reading[k];
  if (m->readings->of[k].place) return evaluate_place(s, m, k, place);
  return polynomial_value(q->order, 1, q->y, place);
}

double reading_slope(const EventSystem *s, const EventMotion *m, int k, double place) {
  const EventReadings *r = m->readings;
  const Reading *q = &r->reading[k];
  double slope = 0, *v = r->slopes + s->d + 1;
  if (r->of[k].place) {
    evaluate_place(s, m, k, place);
    polynomial_at(m->segment.order, s->d, m->segment.v, r->from + place * r->part, v);
    for (int i = 0; i < s->d; i++) slope += r->slopes[i] * v[i];
    return slope + r->slopes[s->d];
  }
  for (int j = q->order; j >= 1; j--) slope = slope * place + j * q->y[j];
  return slope / (m->segment.width * r->part);
}

void reading_change(const EventSystem *s, const EventMotion *m, int k, double place) {
  EventReadings *r = m->readings;
  const double *lines = r->reading[k].lines, *x = r->columns_x;
  if (!r->of[k].place) {
    for (int c = 0; c < r->columns; c++, lines += READING_ORDERS)
      r->change[c] = polynomial_value(r->orders[c], 1, lines, place);
    return;
  }
  evaluate_place(s, m, k, place);
  for (int c = 0; c < r->columns; c++) {
    r->change[c] = r->slopes[s->d] * variation_begin(s->problem, &r->sensitivity->columns[c], m->at.node);
    for (int i = 0; i < s->d; i++, x += READING_ORDERS)
      r->change[c] += r->slopes[i] * polynomial_value(r->orders[c], 1, x, place);
  }
}

/* Removes the factor x^k, with the largest possible k, from the polynomial p(x). Returns the sign of p just after 0; 0:
 * p is 0 everywhere. */
static int sign_behind(int *order, double *p) {
  while (*order > 0 && p[0] == 0) {
    memmove(p, p + 1, (size_t)*order * sizeof *p);
    (*order)--;
  }
  return (p[0] > 0) - (p[0] < 0);
}

/* Finds the numbers in 0..1 at which a polynomial [order + 1] changes its sign, ascending: roots [order]. Returns how
 * many there are. */
static int reading_roots(int order, const double *c, double *roots) {
  double p[POLYNOMIAL_ORDER + 1], at = 0, root;
  int n = 0, most = order, sign;
  memcpy(p, c, (size_t)(order + 1) * sizeof *p);
  while (n < most && (sign = sign_behind(&order, p)) != 0) {
    for (int k = 0; k <= order; k++) p[k] *= sign;
    if (polynomial_least(order, 1, p, 1, 0, 1) > 0 || !polynomial_first_root(order, p, 1, &root)) return n;
    double next = at + root * (1 - at);
    if (root >= 1 || next >= 1) return n;
    polynomial_part(order, 1, p, root, 1 - root);
    p[0] = 0;
    roots[n++] = at = next;
  }
  return n;
}

/* Stores y of quantity k at the fraction `place` of the piece, and its derivatives, as the value for the current
 * segment of the control. */
static void take(const EventSystem *s, const EventMotion *m, int k, double place) {
  EventReadings *r = m->readings;
  Reading *q = &r->reading[k];
  int at = q->first + (int)m->at.node;
  r->out->values[at] = reading_value(s, m, k, place);
  q->pending = place == 1;
  if (r->out->times) r->out->times[at] = m->at.t + m->segment.width * (r->from + place * r->part);
  if (!r->out->rows) return;
  double *row = r->out->rows + (size_t)at * (size_t)r->columns;
  q->slope = place == 0 || place == 1 ? reading_slope(s, m, k, place) : 0;
  reading_change(s, m, k, place);
  memcpy(row, r->change, (size_t)r->columns * sizeof *row);
  for (int c = 0; c < r->columns && place == 0 && r->jumped; c++) row[c] += q->slope * r->later[c];
}

/* Stores y of quantity k at the fraction `place` of the piece if it is the largest value so far. */
static void offer(const EventSystem *s, const EventMotion *m, int k, double place) {
  const Reading *q = &m->readings->reading[k];
  if (reading_value(s, m, k, place) > m->readings->out->values[q->first + (int)m->at.node]) take(s, m, k, place);
}

/* Calls offer() for each extremum of a polynomial y over from..from + part of the piece. */
static void offer_extremes(const EventSystem *s, const EventMotion *m, int k, int order, const double *y, double from,
                           double part) {
  double slope[POLYNOMIAL_ORDER + 1], roots[POLYNOMIAL_ORDER + 1];
  for (int j = 0; j < order; j++) slope[j] = (j + 1) * y[j + 1];
  int n = order > 0 ? reading_roots(order - 1, slope, roots) : 0;
  for (int j = 0; j < n; j++) offer(s, m, k, from + part * roots[j]);
}

/* Fits a polynomial to a SimQuantity.place over from..from + part of the piece, at Chebyshev's nodes: y [READING_FIT +
 * 1]. Returns whether the fit is good enough to find the times of extremes. The values there are then computed by the
 * function itself. They change with the square of the error of the times, so the fit need not be as accurate as the
 * values. */
static bool fit_place(const EventSystem *s, const EventMotion *m, int k, double from, double part, double *y) {
  static const double ENOUGH = 1e-9, ROUND_OFF = 1e-13; /* limit of the last two coefficients, relative to the largest
                                                         * one, and rounding error */
  const ReadingFit *fit = &m->readings->fit;
  double a[READING_FIT + 1] = {0}, most = 0;
  for (int j = 0; j <= READING_FIT; j++) {
    double value = reading_value(s, m, k, from + part * fit->node[j]);
    for (int n = 0; n <= READING_FIT; n++) a[n] += fit->of_value[n][j] * value;
  }
  for (int j = 0; j <= READING_FIT; j++) {
    y[j] = 0;
    for (int n = j; n <= READING_FIT; n++) y[j] += a[n] * fit->power[n][j];
    if (j) most = fmax(most, fabs(a[j]));
  }
  return fabs(a[READING_FIT]) + fabs(a[READING_FIT - 1]) <= ENOUGH * most + ROUND_OFF * fabs(a[0]);
}

/* Calls offer() for the extremes of a SimQuantity.place in parts of the piece, which are halved until polynomials
 * fit. */
static void offer_of_place(const EventSystem *s, const EventMotion *m, int k) {
  /* shortest part, as a fraction of the piece */
  static const double LEAST = 1.0 / 1024;
  double from = 0, part = 1, y[READING_FIT + 1];
  while (from < 1) {
    while (!fit_place(s, m, k, from, part, y) && part > LEAST) part /= 2;
    offer_extremes(s, m, k, READING_FIT, y, from, part);
    from += part;
    if (from < 1) offer(s, m, k, from);
    part = fmin(2 * part, 1 - from);
  }
}

static void take_largest(const EventSystem *s, const EventMotion *m, int k) {
  const Reading *q = &m->readings->reading[k];
  offer(s, m, k, 0);
  if (m->readings->of[k].place)
    offer_of_place(s, m, k);
  else
    offer_extremes(s, m, k, q->order, q->y, 0, 1);
  offer(s, m, k, 1);
}

void reading_take_segment(const EventSystem *s, const EventMotion *m, int k) {
  const EventReadings *r = m->readings;
  bool first = isinf(r->out->values[r->reading[k].first + (int)m->at.node]);
  if (r->of[k].way == SIM_LARGEST) take_largest(s, m, k);
  if (r->of[k].way == SIM_SEGMENT_STARTS && first) take(s, m, k, 0);
  if (r->of[k].way == SIM_SEGMENT_ENDS) take(s, m, k, 1);
}

/* Returns the integrand F(y) of quantity k at the fraction `place` of the piece, and F'(y) in *slope. Computes the
 * derivatives dy of y by all columns in readings->change. */
static double read_at(const EventSystem *s, const EventMotion *m, int k, double place, double *slope) {
  EventReadings *r = m->readings;
  const SimQuantity *of = &r->of[k];
  const Reading *q = &r->reading[k];
  double t = m->at.t + m->segment.width * (r->from + place * r->part), drift = 0;
  double y = polynomial_value(q->order, 1, q->y, place) - (of->reference ? of->reference(of->context, t, &drift) : 0);
  if (r->columns) reading_change(s, m, k, place);
  for (int c = 0; c < r->columns && drift != 0; c++)
    r->change[c] -= drift * variation_begin(s->problem, &r->sensitivity->columns[c], m->at.node);
  return quantity_shape(of->shape, y, slope);
}

/* Adds the integral of F(y), and of its derivatives, between two fractions of the piece, between which F(y) is
 * smooth. */
static void integrate(const EventSystem *s, const EventMotion *m, int k, double from, double to) {
  EventReadings *r = m->readings;
  const SimQuantity *of = &r->of[k];
  Reading *q = &r->reading[k];
  double seconds = m->segment.width * r->part * (to - from), slope;
  bool squares = r->out->matrix && of->shape == SIM_SHAPE_SQUARE && of->weight != 0;
  for (int j = 0; j < READING_NODES; j++) {
    double by = seconds * r->weight[j];
    r->out->values[q->first] += by * read_at(s, m, k, from + r->node[j] * (to - from), &slope);
    for (int c = 0; c < r->columns && q->row; c++) q->row[c] += by * slope * r->change[c];
    if (squares) quantity_add_square(r->columns, r->change, 2 * by * of->weight, r->out->matrix);
  }
}

void reading_take_integral(const EventSystem *s, const EventMotion *m, int k) {
  EventReadings *r = m->readings;
  Reading *q = &r->reading[k];
  double places[POLYNOMIAL_ORDER + 3] = {0}, slope;
  int n = r->of[k].shape == SIM_SHAPE_SIZE || r->of[k].shape == SIM_SHAPE_POSITIVE
              ? reading_roots(q->order, q->y, places + 1)
              : 0;
  places[n + 1] = 1;
  for (int j = 0; j <= n; j++) integrate(s, m, k, places[j], places[j + 1]);
  double begin = r->jumped ? read_at(s, m, k, 0, &slope) : 0;
  for (int c = 0; c < r->columns && r->jumped && q->row; c++) q->row[c] -= begin * r->later[c];
  q->end_value = q->row ? read_at(s, m, k, 1, &slope) : 0;
}
