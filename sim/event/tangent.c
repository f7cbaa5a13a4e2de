/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/tangent.h"

#include "sim/event/expansion.h"
#include "sim/event/field.h"
#include "sim/event/impact.h"
#include "sim/event/inverse.h"
#include "sim/event/readings.h"
#include "sim/event/spring_series.h"
#include "sim/event/variation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of coefficients of dg/dz that may differ from 0 if z is a value of the control. */
enum { CONTROL_TERMS = 2 };

/* Returns the number of doubles in the derivatives X_x of x and X_v of v together, which are adjacent in memory. */
static size_t block_size(const SimSensitivity *columns) { return 2 * (size_t)columns->count * (size_t)columns->width; }

SimStatus tangent_init(int d, SimSensitivity *columns, EventTangent *t) {
  size_t series = (size_t)(VARIATION_ORDER + 2) * (size_t)d, slope = (size_t)(POLYNOMIAL_ORDER + 1) * (size_t)d;
  size_t powers = columns->table < columns->n ? VARIATION_POWERS * slope : 0;
  size_t all = 2 * series + (2 + SERIES_PLACES) * slope + powers + 5 * (size_t)d + block_size(columns);
  *t = (EventTangent){.columns = columns, .series = calloc(all, sizeof *t->series)};
  if (!t->series) return SIM_NO_MEMORY;
  t->path = t->series + series;
  t->stiffening = t->path + series;
  t->slope = t->stiffening + SERIES_PLACES * slope;
  t->forcing = t->slope + slope;
  t->powers = t->forcing + slope;
  t->before = t->powers + powers;
  t->x = t->before + d;
  t->v = t->x + d;
  t->now = t->v + d;
  t->r = t->now + d;
  t->kept = t->r + d;
  for (int c = 0; c < columns->n; c++)
    t->timed = t->timed || columns->columns[c].on == SIM_ON_END || columns->columns[c].on == SIM_ON_LENGTH;
  return SIM_OK;
}

void tangent_clear(EventTangent *t) { free(t->series); }

/* Computes dg/dz (variation.h), in N, if z is a value of the control: coefficient 0, and coefficient 1 if the control
 * is piecewise linear. forcing [CONTROL_TERMS][d]. */
static void find_control(const EventSystem *s, const EventMotion *m, int entry, double *forcing) {
  const SimProblem *p = s->problem;
  const double *column = p->control_matrix + entry % p->n_control;
  double share = variation_share(p, entry, m->at.node), rise = 0;
  if (p->signal == SIM_PIECEWISE_LINEAR) {
    const VariationRamp ramp = variation_ramp(s, m);
    rise = variation_share(p, entry, m->at.node + 1) - share;
    share += ramp.from * rise;
    rise *= ramp.rise;
  }
  for (int i = 0; i < s->d; i++) {
    forcing[i] = share * column[i * p->n_control];
    forcing[s->d + i] = rise * column[i * p->n_control];
  }
}

/* Computes dg/dz (variation.h) if z is T or the length of a segment, at fixed time since the start of the control's
 * segment. If z increases, f(t) is evaluated at a later t, and u changes more slowly in a longer linear segment. */
static void find_rise(const EventSystem *s, const EventMotion *m, const SimColumn *column, double *forcing) {
  const SimProblem *p = s->problem;
  const EventSegment *g = &m->segment;
  double later = variation_begin(p, column, m->at.node) / g->width;
  for (int k = 0; k < g->force_order && k < POLYNOMIAL_ORDER; k++)
    for (int i = 0; i < s->d; i++) forcing[k * s->d + i] = later * (k + 1) * g->force[(k + 1) * s->d + i];
  if (p->signal != SIM_PIECEWISE_LINEAR) return;
  const VariationRamp ramp = variation_ramp(s, m);
  const double *now = m->node_force + m->at.node * s->d, *next = now + s->d;
  double longer = variation_length(p, column, m->at.node) / expansion_signal_length(p, m->at.node);
  for (int i = 0; i < s->d; i++) {
    double rise = next[i] - now[i];
    forcing[i] -=
        /* g->force includes B u, but only f is evaluated at a later t, so the part of B u is subtracted */
        (longer * ramp.from + later * ramp.rise) * rise;
    forcing[s->d + i] -= longer * ramp.rise * rise;
  }
}

/* Computes the forcing dg/dz of the derivatives (variation.h) if z is a number of a friction table. powers:
 * variation_powers of the segment. */
static void find_table(const EventSystem *s, const EventMotion *m, int entry, const double *powers, double *forcing) {
  int d = s->d, size = (POLYNOMIAL_ORDER + 1) * d, n;
  FrictionRowPartial parts[FRICTION_PARTIALS];
  for (int i = 0; i < d; i++) {
    const FrictionCurve curve = friction_curve(s->table, i);
    int point = entry - friction_curve_first(s->table, i);
    if (point < 0 || point >= curve.points || m->at.slip[i] == 0) continue;
    n = friction_row_partials(&curve, (int)m->at.branch[i], parts);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < VARIATION_POWERS * (m->segment.order + 1) && parts[j].point == point; k++) {
        int power = k % VARIATION_POWERS, at = k / VARIATION_POWERS * d + i;
        forcing[at] += parts[j].gamma[power] * powers[power * size + at];
      }
  }
}

void tangent_forcing(const EventSystem *s, EventMotion *m, const SimColumn *column, const double *powers,
                     double *forcing) {
  int d = s->d, i = column->entry;
  memset(forcing, 0, (size_t)((POLYNOMIAL_ORDER + 1) * d) * sizeof *forcing);
  if (column->on == SIM_ON_CONTROL) {
    find_control(s, m, i, forcing);
    return;
  }
  if (column->on == SIM_ON_END || column->on == SIM_ON_LENGTH) {
    find_rise(s, m, column, forcing);
    return;
  }
  if (column->on == SIM_ON_TABLE) {
    find_table(s, m, i, powers, forcing);
    return;
  }
  for (int k = 0; k <= m->segment.order; k++) forcing[k * d + i] = variation_forcing(s, m, column->on, i, k);
}

/* Computes r [d], coefficient `order` of the right side of the variational equation, dg/dz - D X_v - A X_x + C gamma'
 * X_v, for the current column. x: coefficient `order` of X_x; t->series has X_v up to this order. */
static void find_load(const EventSystem *s, const EventMotion *m, const EventTangent *t, int order, const double *x,
                      double *r) {
  int d = s->d, known = m->segment.order;
  const double *v = t->series + order * d;
  for (int i = 0; i < d; i++) {
    r[i] = order <= POLYNOMIAL_ORDER ? t->forcing[order * d + i] : 0;
    r[i] = rows_add(&s->stiffness, i, -1, x, r[i]);
    r[i] -= event_spring(s, m, i) * x[i];
    if (s->damped) r[i] = rows_add(&s->damping, i, -1, v, r[i]);
  }
  if (m->springs) spring_series_multiply(s, false, known, t->stiffening, order, 1, t->path, -1, r);
  for (int k = 0; k <= order && k <= known && s->series; k++)
    for (int i = 0; i < d; i++) r[i] += t->slope[k * d + i] * t->series[(order - k) * d + i];
}

/* Advances the derivatives t->x and t->v of one column by `width` seconds. t->forcing and t->slope are series over this
 * time. At least as many orders as these have are computed, then further orders until two successive ones are small.
 * Returns the last order of t->series. */
static int advance_column(const EventSystem *s, const EventMotion *m, EventTangent *t, double width,
                          const double *inverse) {
  int d = s->d, small = 0, orders = 0;
  double *x = t->x, *v = t->v, *now = t->now, *r = t->r;
  memcpy(now, x, (size_t)d * sizeof *now);
  memcpy(t->series, v, (size_t)d * sizeof *v);
  for (int k = 0; k <= VARIATION_ORDER && (small < 2 || k <= m->segment.order); k++) {
    double *next = t->series + (k + 1) * d, by = width / (k + 1);
    if (m->springs) memcpy(t->path + k * d, now, (size_t)d * sizeof *now);
    find_load(s, m, t, k, now, r);
    inverse_apply(s, inverse, r, next);
    for (int i = 0; i < d; i++) {
      now[i] = by * next[i - d];
      next[i] *= by;
      x[i] += now[i];
      v[i] += next[i];
    }
    bool little = polynomial_largest(d, now) <= DBL_EPSILON * polynomial_largest(d, x) &&
                  polynomial_largest(d, next) <= DBL_EPSILON * polynomial_largest(d, v);
    small = little ? small + 1 : 0;
    orders = k + 1;
  }
  return orders;
}

/* Returns whether the current column is 0 and stays 0, because its value of the control has not acted yet. */
static bool is_idle(const EventTangent *t, const SimColumn *column, int d) {
  double most = fmax(polynomial_largest(d, t->x), polynomial_largest(d, t->v));
  return column->on == SIM_ON_CONTROL && most == 0 && polynomial_largest(CONTROL_TERMS * d, t->forcing) == 0;
}

/* Advances all columns over the part [from, from + part] of the segment. */
static void advance(const EventSystem *s, EventMotion *m, EventTangent *t, double from, double part,
                    const double *inverse) {
  int d = s->d;
  variation_slopes(s, m, from, part, t->slope);
  if (m->springs) spring_series_slopes(s, m, from, part, t->stiffening);
  int n = t->columns->width;
  for (int c = 0; c < t->columns->n; c++) {
    double *all_x = t->columns->x + c, *all_v = t->columns->v + c;
    for (int i = 0; i < d; i++) {
      t->x[i] = all_x[i * n];
      t->v[i] = all_v[i * n];
    }
    const SimColumn *column = &t->columns->columns[c];
    tangent_forcing(s, m, column, t->powers, t->forcing);
    polynomial_part(column->on == SIM_ON_CONTROL ? CONTROL_TERMS - 1 : POLYNOMIAL_ORDER, d, t->forcing, from, part);
    int orders = 0;
    if (is_idle(t, column, d))
      memset(t->series, 0, (size_t)d * sizeof *t->series);
    else
      orders = advance_column(s, m, t, m->segment.width * part, inverse);
    if (m->readings) readings_column(s, m, c, orders, t->series, m->segment.width * part);
    for (int i = 0; i < d; i++) {
      all_x[i * n] = t->x[i];
      all_v[i * n] = t->v[i];
    }
  }
  if (m->readings) readings_piece(s, m, from, part);
}

void tangent_advance(const EventSystem *s, EventMotion *m, EventTangent *t, double part) {
  const double *inverse = expansion_inverse(s, m);
  variation_slopes(s, m, 0, part, t->slope);
  if (m->springs) spring_series_slopes(s, m, 0, part, t->stiffening);
  if (t->columns->table < t->columns->n) variation_powers(s, m, t->powers);
  double pieces = variation_pieces(s, m, t->slope, t->stiffening, inverse);
  for (double k = 0; k < pieces; k++) advance(s, m, t, k * part / pieces, part / pieces, inverse);
}

/* Shifts the derivatives X of (x, v) in time, X += X' dt, at the fraction `part` of the segment. dt = sign times
 * change(problem, column, node). */
static void shift(const EventSystem *s, EventMotion *m, EventTangent *t, double part, double sign, long node,
                  double (*change)(const SimProblem *, const SimColumn *, long)) {
  int n = t->columns->width, d = s->d;
  polynomial_at(m->segment.order, d, m->segment.v, part, t->now);
  polynomial_at(m->segment.order, d, m->segment.a, part, t->r);
  for (int c = 0; c < t->columns->n; c++) {
    double by = sign * change(s->problem, &t->columns->columns[c], node);
    for (int i = 0; i < d && by != 0; i++) {
      t->columns->x[i * n + c] += t->now[i] * by;
      t->columns->v[i * n + c] += t->r[i] * by;
    }
  }
}

void tangent_show(const EventSystem *s, EventMotion *m, EventTangent *t, double part, double *state) {
  SimSensitivity *columns = t->columns;
  size_t size = block_size(columns) * sizeof *t->kept;
  memcpy(t->kept, columns->x, size);
  if (part > 0) s->field->advance(s, m, t, part);
  if (t->timed && m->at.piece < s->problem->piece_count) shift(s, m, t, part, -1, m->at.node, variation_begin);
  sensitivity_state(columns, state);
  memcpy(columns->x, t->kept, size);
}

void tangent_leave(const EventSystem *s, EventMotion *m, EventTangent *t) {
  s->field->advance(s, m, t, m->part);
  polynomial_at(m->segment.order, s->d, m->segment.a, m->part, t->before);
  if (m->readings) readings_leave(s, m);
  double end = event_segment_end(m);
  bool with_control = end == expansion_signal_start(s->problem, m->at.node + 1);
  t->breaks = t->timed && !with_control && end == piece_start(s->problem, m->at.piece + 1);
  if (t->timed && with_control) shift(s, m, t, m->part, 1, m->at.node, variation_length);
}

/* Adds to the row of `stop` (SimSensitivity) the effect of the derivative of T - t, with t the time of the stop: the
 * velocity that dof i would have at T without its stop depends on this time. */
static void stop_later(const EventSystem *s, const EventMotion *m, const EventTangent *t, int i) {
  const SimProblem *p = s->problem;
  double *row = sensitivity_row(t->columns, t->columns->stop, i);
  for (int c = 0; c < t->columns->n; c++) {
    const SimColumn *column = &t->columns->columns[c];
    row[c] += t->before[i] * (variation_begin(p, column, p->segments) - variation_begin(p, column, m->at.node));
  }
}

/* Updates the record of stops for dofs that have just come to rest or begun to slide. slip: [d] directions before the
 * event. */
static void note_stops(const EventSystem *s, const EventMotion *m, const EventTangent *t, const signed char *slip) {
  for (int i = 0; i < s->d; i++) {
    if (m->at.contact[i]) sensitivity_go(t->columns, i);
    if (m->at.contact[i]) continue;
    bool stops = slip[i] != 0 && m->at.slip[i] == 0;
    if (stops) sensitivity_stop(t->columns, i, m->at.t, t->before[i]);
    if (stops && t->timed) stop_later(s, m, t, i);
    if (slip[i] == 0 && m->at.slip[i] != 0) sensitivity_go(t->columns, i);
  }
}

/* Sets the derivatives of v to 0 in the rows of dofs that stick. */
static void hold(const EventSystem *s, const EventMotion *m, const EventTangent *t) {
  size_t row = (size_t)t->columns->width * sizeof(double);
  for (int i = 0; i < s->d; i++)
    if (!event_slides(s, m, i)) memset(sensitivity_row(t->columns, t->columns->v, i), 0, row);
}

/* Applies the jump of the columns at an impact with a time that changes by dtau: each column is advanced by dtau to the
 * impact, mapped by it, and moved back by dtau. */
static void cross_impact(const EventSystem *s, EventMotion *m, EventTangent *t) {
  const EventImpact *impact = &m->impact;
  int d = s->d, n = t->columns->width, dof = impact->first;
  for (int c = 0; c < t->columns->n; c++) {
    double *x = t->columns->x + c, *v = t->columns->v + c, later = -x[dof * n] / impact->before[dof];
    double *moved = t->now;
    if (m->readings) m->readings->later[c] = later;
    for (int i = 0; i < d; i++) moved[i] = v[i * n] + t->before[i] * later;
    impact_map(s, m, moved);
    if (t->columns->columns[c].on == SIM_ON_MASS) impact_add_mass(s, m, t->columns->columns[c].entry, moved);
    for (int i = 0; i < d; i++) {
      x[i * n] += (impact->before[i] - m->at.v[i]) * later;
      v[i * n] = moved[i] - m->segment.a[i] * later;
    }
  }
}

/* Applies the jump of the derivatives X_v of v at a break of f. The time of the break is fixed, but the start of the
 * control's segment, from which columns count time, moves. */
static void cross_break(const EventSystem *s, const EventMotion *m, EventTangent *t) {
  int n = t->columns->width;
  t->breaks = false;
  for (int c = 0; c < t->columns->n; c++) {
    double later = -variation_begin(s->problem, &t->columns->columns[c], m->at.node);
    if (later == 0) continue;
    if (m->readings) m->readings->later[c] = later;
    for (int i = 0; i < s->d; i++) t->columns->v[i * n + c] += (t->before[i] - m->segment.a[i]) * later;
  }
}

void tangent_enter(const EventSystem *s, EventMotion *m, EventTangent *t, const signed char *slip) {
  int d = s->d, dof = variation_stop(s, m, t->before, slip, &t->columns->smooth);
  if (m->at.t == 0) hold(s, m, t);
  if (t->breaks) cross_break(s, m, t);
  note_stops(s, m, t, slip);
  if (s->field->jump) s->field->jump(s, m, t, dof >= 0);
  if (m->impact.first >= 0 && !s->field->jump) {
    cross_impact(s, m, t);
    hold(s, m, t);
  }
  if (dof < 0) return;
  int n = t->columns->width;
  for (int c = 0; c < t->columns->n; c++) {
    double *v = t->columns->v + c, later = -v[dof * n] / t->before[dof];
    if (m->readings) m->readings->later[c] = later;
    for (int i = 0; i < d; i++) {
      bool own = i != dof && variation_stop_of(m, t->before, slip, dof, i) == i;
      v[i * n] += (t->before[i] - m->segment.a[i]) * (own ? -v[i * n] / t->before[i] : later);
    }
  }
  hold(s, m, t);
}
