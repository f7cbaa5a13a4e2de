/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/readings.h"

#include "sim/core/model.h"
#include "sim/core/quantity_parts.h"
#include "sim/event/expansion.h"
#include "sim/event/scheme.h"
#include "sim/joint/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SURFACE_ORDER = SIM_PIECE_ORDER + 1 }; /* largest order of the displacement W of a moving surface */
_Static_assert((int)SURFACE_ORDER <= (int)POLYNOMIAL_ORDER && (int)SURFACE_ORDER < (int)READING_ORDERS, "room for W");

static double weight_at(const double *weights, int i) { return weights ? weights[i] : 0; }

static double begin_of(const EventReadings *r, const SimQuantity *of) {
  const SimProblem *p = &r->work->model->problem;
  double sum = quantity_begin(of, p->d, p->x0, p->v0);
  for (int i = 0; i < p->d && p->surface_pieces; i++) /* the model's v0 is relative to the surfaces, so their velocity
                                                       * at t = 0 is added */
    sum += weight_at(of->from_v, i) * curve_point(p->surface_columns, p->surface, surface_column(p, i), 0).value;
  return sum;
}

/* Whether a quantity is computed along the motion; otherwise it is computed from the final state. */
static bool on_the_way(const SimQuantity *of) { return of->way != SIM_AT_END && of->way != SIM_END_TIME; }

/* Stores the polynomials of the derivatives of x by column c over a piece, for quantities that are functions of place
 * (SimQuantity.place). */
static void store_column(const EventReadings *r, int d, int c, int orders, const double *series, double width) {
  double *own = r->columns_x + (size_t)c * (size_t)d * READING_ORDERS;
  memset(own, 0, (size_t)d * READING_ORDERS * sizeof *own);
  for (int i = 0; i < d; i++) {
    own[i * READING_ORDERS] = r->sensitivity->x[i * r->sensitivity->width + c];
    for (int j = 1; j <= orders; j++) own[i * READING_ORDERS + j] = width / j * series[(j - 1) * d + i];
  }
}

void readings_column(const EventSystem *s, const EventMotion *m, int c, int orders, const double *series,
                     double width) {
  EventReadings *r = m->readings;
  const SimSensitivity *columns = r->sensitivity;
  int d = s->d, all = orders > m->segment.order ? orders : m->segment.order;
  if (s->problem->surface_pieces && all < SURFACE_ORDER)
    all = SURFACE_ORDER; /* for a quantity with a factor, `lines`
                                                                               * also contain y itself, which has this
                                                                               * order with moving surfaces */
  r->orders[c] = all;
  if (r->columns_x) store_column(r, d, c, orders, series, width);
  for (int k = 0; k < r->n; k++) {
    const SimQuantity *of = &r->of[k];
    double *line = r->reading[k].lines + (size_t)c * READING_ORDERS;
    if (!on_the_way(of) || of->place) continue;
    memset(line, 0, ((size_t)all + 1) * sizeof *line);
    line[0] = -quantity_begin_change(of, &columns->columns[c]);
    for (int i = 0; i < d; i++) {
      double x = weight_at(of->x, i), v = weight_at(of->v, i);
      line[0] += x * columns->x[i * columns->width + c];
      for (int j = 0; j <= orders && v != 0; j++) line[j] += v * series[j * d + i];
      for (int j = 1; j <= orders && x != 0; j++) line[j] += x * width / j * series[(j - 1) * d + i];
    }
  }
}

/* Adds the weighted displacement W and velocity w of moving surfaces to the polynomial of quantity k over the segment,
 * since the model's x and v are relative to the surfaces. */
static void add_surface(const EventSystem *s, const EventMotion *m, const SimQuantity *of, Reading *q) {
  double *speed = m->drive, *path = speed + ENERGY_ROWS * s->d;
  int order = surface_series(s->problem, m->at.t, m->segment.width, speed, path);
  for (; q->order <= order; q->order++) q->y[q->order + 1] = 0;
  for (int j = 0; j <= order + 1; j++)
    for (int i = 0; i < s->d; i++) {
      q->y[j] += weight_at(of->x, i) * path[j * s->d + i];
      if (j <= order) q->y[j] += weight_at(of->v, i) * speed[j * s->d + i];
    }
}

/* Computes the polynomials of quantity k over the piece: of its value y and of its derivatives a.S (readings.h), both
 * times the factor u of the quantity. */
static void take_line(const EventSystem *s, const EventMotion *m, int k) {
  EventReadings *r = m->readings;
  const SimQuantity *of = &r->of[k];
  const EventSegment *g = &m->segment;
  Reading *q = &r->reading[k];
  double factor = quantity_factor(r->work, of, m->at.node);
  q->order = g->order;
  for (int j = 0; j <= g->order; j++) {
    q->y[j] = 0;
    for (int i = 0; i < s->d; i++)
      q->y[j] += weight_at(of->x, i) * g->x[j * s->d + i] + weight_at(of->v, i) * g->v[j * s->d + i];
  }
  if (s->problem->surface_pieces) add_surface(s, m, of, q);
  q->y[0] -= begin_of(r, of);
  polynomial_part(q->order, 1, q->y, r->from, r->part);
  for (int c = 0; c < r->columns && of->control; c++) {
    double *line = q->lines + (size_t)c * READING_ORDERS;
    double change = quantity_factor_change(s->problem, of, &r->sensitivity->columns[c], m->at.node);
    for (int j = 0; j <= r->orders[c]; j++) line[j] = factor * line[j] + (j <= q->order ? change * q->y[j] : 0);
  }
  for (int j = 0; j <= q->order && of->control; j++) q->y[j] *= factor;
}

/* Computes the value of a quantity at a given time (SIM_AT_TIME), if the piece contains this time. */
static void take_time(const EventSystem *s, const EventMotion *m, int k) {
  EventReadings *r = m->readings;
  const SimQuantity *of = &r->of[k];
  Reading *q = &r->reading[k];
  double place = ((of->time - m->at.t) / m->segment.width - r->from) / r->part, drift = 0;
  if (q->found || place > 1) return;
  q->found = true;
  place = fmax(place, 0);
  r->out->values[q->first] = reading_value(s, m, k, place);
  if (of->reference) r->out->values[q->first] -= of->reference(of->context, of->time, &drift);
  if (r->out->times) r->out->times[q->first] = of->time;
  double slope = reading_slope(s, m, k, place);
  if (r->out->rates) r->out->rates[q->first] = slope - drift;
  if (!q->row) return;
  reading_change(s, m, k, place);
  for (int c = 0; c < r->columns; c++)
    q->row[c] = r->change[c] - slope * variation_begin(s->problem, &r->sensitivity->columns[c], m->at.node);
}

void readings_piece(const EventSystem *s, const EventMotion *m, double from, double part) {
  EventReadings *r = m->readings;
  if (!(part > 0)) return; /* a segment of length 0: its values are those at the end of the last piece */
  r->from = from;
  r->part = part;
  for (int k = 0; k < r->n; k++) {
    r->reading[k].pending = false;
    if (!on_the_way(&r->of[k])) continue;
    if (!r->of[k].place) take_line(s, m, k);
    if (r->of[k].way == SIM_AT_TIME) take_time(s, m, k);
    if (sim_way_is_of_segments(r->of[k].way)) reading_take_segment(s, m, k);
    if (r->of[k].way == SIM_INTEGRAL) reading_take_integral(s, m, k);
  }
  if (r->jumped) memset(r->later, 0, 2 * (size_t)r->columns * sizeof *r->later);
  r->jumped = false;
}

/* Adds the effect of a shift of the end of the last piece, by `later` seconds, to the derivatives by one column. */
static void move_end(EventReadings *r, int column, long node, double later) {
  for (int k = 0; k < r->n; k++) {
    const Reading *q = &r->reading[k];
    if (!q->row) continue;
    if (q->pending) q->row[node * r->columns + column] += q->slope * later;
    if (r->of[k].way == SIM_INTEGRAL) q->row[column] += q->end_value * later;
  }
}

void readings_leave(const EventSystem *s, const EventMotion *m) {
  EventReadings *r = m->readings;
  long node = m->at.node;
  if (!m->tangent) readings_piece(s, m, 0, m->part);
  r->now = node;
  if (event_segment_end(m) != expansion_signal_start(s->problem, node + 1)) return;
  for (int c = 0; c < r->columns; c++)
    move_end(r, c, node, variation_length(s->problem, &r->sensitivity->columns[c], node));
}

void readings_enter(EventReadings *r) {
  for (int c = 0; c < r->columns; c++) {
    if (r->later[c] != r->moved[c]) move_end(r, c, r->now, r->later[c] - r->moved[c]);
    r->moved[c] = r->later[c];
    r->jumped = r->jumped || r->later[c] != 0;
  }
}

/* Computes the value of a quantity at the end T of the motion. */
static void take_end(EventReadings *r, int k, const SimFinal *final) {
  const SimQuantity *of = &r->of[k];
  const SimProblem *p = &r->work->model->problem;
  Reading *q = &r->reading[k];
  double drift;
  r->out->values[q->first] =
      quantity_at_end(r->work, r->sensitivity, of, begin_of(r, of), final, r->slopes, &drift, q->row);
  for (int c = 0; c < r->columns && q->row; c++)
    q->row[c] -= drift * variation_begin(p, &r->sensitivity->columns[c], p->segments);
}

/* Computes the quantities that depend on the final state. */
static void finish(EventReadings *r, const SimFinal *final) {
  const SimProblem *p = &r->work->model->problem;
  for (int k = 0; k < r->n; k++) {
    const SimQuantity *of = &r->of[k];
    Reading *q = &r->reading[k];
    bool found = sim_way_is_of_segments(of->way) || (of->way == SIM_AT_TIME && q->found);
    if (r->out->times && !found) r->out->times[q->first] = p->end;
    if (of->way == SIM_AT_END || (of->way == SIM_AT_TIME && !found)) take_end(r, k, final);
    if (of->way != SIM_END_TIME) continue;
    r->out->values[q->first] = p->end;
    for (int c = 0; c < r->columns && q->row; c++)
      q->row[c] = variation_begin(p, &r->sensitivity->columns[c], p->segments);
  }
}

/* Computes nodes and weights of the Gauss-Legendre rule on 0..1; the nodes are roots of the Legendre polynomial, found
 * by Newton steps. */
static void find_nodes(double *node, double *weight) {
  enum { STEPS = 8 };
  const double turn = acos(-1);
  for (int k = 0; k < READING_NODES; k++) {
    double z = cos(turn * (k + 0.75) / (READING_NODES + 0.5)), slope = 0;
    for (int step = 0; step < STEPS; step++) {
      double last = 1, now = z;
      for (int n = 2; n <= READING_NODES; n++) {
        double next = ((2 * n - 1) * z * now - (n - 1) * last) / n;
        last = now;
        now = next;
      }
      slope = READING_NODES * (z * now - last) / (z * z - 1);
      z -= now / slope;
    }
    node[READING_NODES - 1 - k] = (1 + z) / 2;
    weight[READING_NODES - 1 - k] = 1 / ((1 - z * z) * slope * slope);
  }
}

static void find_fit(ReadingFit *fit) {
  const double turn = acos(-1) / (READING_FIT + 1);
  memset(fit, 0, sizeof *fit);
  for (int j = 0; j <= READING_FIT; j++) fit->node[j] = (1 + cos(turn * (j + 0.5))) / 2;
  for (int n = 0; n <= READING_FIT; n++) {
    const double *last = fit->power[n ? n - 1 : 0], *before = fit->power[n > 1 ? n - 2 : 0];
    for (int j = 0; j <= READING_FIT; j++)
      fit->of_value[n][j] = (n ? 2 : 1) * cos(turn * n * (j + 0.5)) / (READING_FIT + 1);
    for (int j = 0; j <= n; j++) /* the Chebyshev polynomial T_n(2 s - 1) by powers of s */
      fit->power[n][j] = n == 0 ? 1 : n == 1 ? 3 * j - 1 : (j ? 4 * last[j - 1] : 0) - 2 * last[j] - before[j];
  }
}

/* Assigns positions in the arrays of values and derivatives to the quantities, and sets the initial values. */
static void begin(EventReadings *r) {
  const SimProblem *p = &r->work->model->problem;
  size_t n = (size_t)r->columns;
  int first = 0;
  bool integrates = false;
  for (int k = 0; k < r->n; k++) {
    integrates |= r->of[k].way == SIM_INTEGRAL;
    bool segments = sim_way_is_of_segments(r->of[k].way);
    int many = segments ? p->segments : 1;
    r->reading[k].first = first;
    if (r->out->rows) r->reading[k].row = r->out->rows + (size_t)first * n;
    for (int j = 0; j < many && r->out->rates; j++) r->out->rates[first + j] = 0;
    for (int j = 0; j < many; j++) r->out->values[first + j] = segments ? -INFINITY : 0;
    if (r->out->rows) memset(r->reading[k].row, 0, (size_t)many * n * sizeof(double));
    first += many;
  }
  if (r->out->matrix) memset(r->out->matrix, 0, n * n * sizeof(double));
  if (integrates) find_nodes(r->node, r->weight);
  find_fit(&r->fit);
}

static SimStatus allocate(EventReadings *r) {
  size_t columns = (size_t)r->columns, line = columns * READING_ORDERS, d = (size_t)r->work->model->problem.d;
  bool places = false;
  for (int k = 0; k < r->n; k++) places |= r->of[k].place && on_the_way(&r->of[k]);
  r->reading = calloc((size_t)r->n, sizeof *r->reading);
  r->orders = calloc(columns + 1, sizeof *r->orders);
  r->change = calloc((size_t)r->n * line + 3 * columns + 2 * d + 1, sizeof *r->change);
  if (places && columns) r->columns_x = calloc(line * d, sizeof *r->columns_x);
  if (!r->reading || !r->orders || !r->change || (places && columns && !r->columns_x)) return SIM_NO_MEMORY;
  r->later = r->change + columns;
  r->moved = r->later + columns;
  r->slopes = r->moved + columns;
  for (int k = 0; k < r->n; k++) r->reading[k].lines = r->slopes + 2 * d + 1 + (size_t)k * line;
  return SIM_OK;
}

SimStatus event_read(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity, const double *control,
                     int n, const SimQuantity *quantities, SimFinal *final, const SimReading *reading) {
  EventMotion *motion = work->own;
  EventReadings r = {.n = n, .of = quantities, .out = reading, .sensitivity = sensitivity, .work = work};
  r.columns = sensitivity ? sensitivity->n : 0;
  SimStatus status = allocate(&r);
  if (status == SIM_OK) {
    begin(&r);
    motion->readings = &r;
    work->sensitivity = sensitivity;
    status = stiction_rollout(model, work, control, NULL, final);
    work->sensitivity = NULL;
    motion->readings = NULL;
  }
  if (status == SIM_OK) finish(&r, final);
  free(r.reading);
  free(r.orders);
  free(r.change);
  free(r.columns_x);
  return status;
}
