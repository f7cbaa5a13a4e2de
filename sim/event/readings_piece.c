/* Computes largest values and integrals over one piece of a segment. */
#include "sim/event/readings.h"

#include <math.h>
#include <string.h>

void reading_change(EventReadings *r, const Reading *reading, double place) {
  for (int c = 0; c < r->columns; c++)
    r->change[c] = polynomial_value(r->orders[c], 1, reading->lines + (size_t)c * READING_ORDERS, place);
}

double reading_slope(const EventReadings *r, const EventMotion *m, const Reading *reading, double place) {
  double slope = 0;
  for (int k = reading->order; k >= 1; k--) slope = slope * place + k * reading->y[k];
  return slope / (m->segment.width * r->part);
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

/* Finds the places in 0..1 where a polynomial [order + 1] changes its sign, ascending: roots [order]. Returns their
 * number. */
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

/* Stores the value y of quantity k at a place of the piece, and its derivatives, as its value for the current segment
 * of the control. */
static void take(const EventMotion *m, int k, double place) {
  EventReadings *r = m->readings;
  Reading *q = &r->reading[k];
  int at = q->first + (int)m->at.node;
  r->out->values[at] = polynomial_value(q->order, 1, q->y, place);
  q->pending = place == 1;
  if (r->out->times) r->out->times[at] = m->at.t + m->segment.width * (r->from + place * r->part);
  if (!r->out->rows) return;
  double *row = r->out->rows + (size_t)at * (size_t)r->columns;
  q->slope = place == 0 || place == 1 ? reading_slope(r, m, q, place) : 0;
  reading_change(r, q, place);
  memcpy(row, r->change, (size_t)r->columns * sizeof *row);
  for (int c = 0; c < r->columns && place == 0 && r->jumped; c++) row[c] += q->slope * r->later[c];
}

/* Stores the value y of quantity k at a place of the piece if it is the largest so far. */
static void offer(const EventMotion *m, int k, double place) {
  const Reading *q = &m->readings->reading[k];
  if (polynomial_value(q->order, 1, q->y, place) > m->readings->out->values[q->first + (int)m->at.node])
    take(m, k, place);
}

static void take_largest(const EventMotion *m, int k) {
  const Reading *q = &m->readings->reading[k];
  double slope[POLYNOMIAL_ORDER + 1], roots[POLYNOMIAL_ORDER + 1];
  for (int j = 0; j < q->order; j++) slope[j] = (j + 1) * q->y[j + 1];
  int n = q->order > 0 ? reading_roots(q->order - 1, slope, roots) : 0;
  offer(m, k, 0);
  for (int j = 0; j < n; j++) offer(m, k, roots[j]);
  offer(m, k, 1);
}

void reading_take_segment(const EventSystem *s, const EventMotion *m, int k) {
  const EventReadings *r = m->readings;
  bool first = isinf(r->out->values[r->reading[k].first + (int)m->at.node]);
  (void)s;
  if (r->of[k].way == SIM_LARGEST) take_largest(m, k);
  if (r->of[k].way == SIM_SEGMENT_STARTS && first) take(m, k, 0);
  if (r->of[k].way == SIM_SEGMENT_ENDS) take(m, k, 1);
}

/* Returns F(y) for the shape F of a quantity (e.g. its square), and F'(y) in *slope. */
static double shape_of(SimShape shape, double y, double *slope) {
  double sign = (y > 0) - (y < 0);
  switch (shape) {
  case SIM_SHAPE_PLAIN: break;
  case SIM_SHAPE_SQUARE: *slope = 2 * y; return y * y;
  case SIM_SHAPE_SIZE: *slope = sign; return fabs(y);
  case SIM_SHAPE_POSITIVE: *slope = y > 0; return y > 0 ? y : 0;
  }
  *slope = 1;
  return y;
}

/* Returns the integrand F(y) of quantity k at a place of the piece, and F'(y) in *slope. Computes the derivatives dy of
 * y by all columns in readings->change. */
static double read_at(const EventSystem *s, const EventMotion *m, int k, double place, double *slope) {
  EventReadings *r = m->readings;
  const SimQuantity *of = &r->of[k];
  const Reading *q = &r->reading[k];
  double t = m->at.t + m->segment.width * (r->from + place * r->part), drift = 0;
  double y = polynomial_value(q->order, 1, q->y, place) - (of->reference ? of->reference(of->context, t, &drift) : 0);
  if (r->columns) reading_change(r, q, place);
  for (int c = 0; c < r->columns && drift != 0; c++)
    r->change[c] -= drift * variation_begin(s->problem, &r->sensitivity->columns[c], m->at.node);
  return shape_of(of->shape, y, slope);
}

/* Adds factor dy'dy to the Gauss-Newton matrix [columns][columns], where dy = r->change are the derivatives of y by the
 * columns. */
static void add_square(const EventReadings *r, double factor) {
  size_t n = (size_t)r->columns;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) r->out->matrix[a * n + b] += factor * r->change[a] * r->change[b];
}

/* Adds the integral of F(y), and of its derivatives, from one place of the piece to another. F is smooth between
 * them. */
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
    if (squares) add_square(r, 2 * by * of->weight);
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
