/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/spring_series.h"

#include "sim/base/curve_series.h"
#include "sim/event/drop.h"
#include "sim/joint/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ABOUT = CURVE_TERMS, SERIES = POLYNOMIAL_ORDER + 2 };

SpringSeries *spring_series_create(int d) {
  size_t n = SERIES_PLACES * (size_t)d;
  SpringSeries *series = calloc(1, sizeof *series);
  if (!series) return NULL;
  series->force = calloc(2 * SERIES * (size_t)d + n * ABOUT + n * ABOUT * SERIES, sizeof(double));
  series->next = calloc(n, sizeof *series->next);
  series->about = series->force + SERIES * (size_t)d;
  series->power = series->about + n * ABOUT;
  series->way = series->power + n * ABOUT * SERIES;
  if (series->force && series->next) return series;
  spring_series_destroy(series);
  return NULL;
}

void spring_series_destroy(SpringSeries *series) {
  if (!series) return;
  free(series->force);
  free(series->next);
  free(series);
}

static Curve law_of(const EventSystem *s, int place) {
  if (place == SERIES_RISE) return rise_law(s->problem);
  return s->laws ? s->laws->law[place] : (Curve){0};
}

/* Returns the number of laws in one of the three groups of spring_series.h. The data of group `place` begin at index
 * place * d. */
static int laws_at(const EventSystem *s, int place) {
  if (place != SERIES_RISE) return springs_of(s->problem, (SimSpringPlace)place);
  return s->problem->rise.pieces == 0 ? 0 : s->d;
}

static const double *row_of(const EventSystem *s, const EventMotion *m, int place, int k) {
  const Curve law = law_of(s, place);
  return law.rows + (size_t)m->at.spring[place * s->d + k] * sim_curve_size(law.columns);
}

static double elongation(const EventSystem *s, int place, const double *x, int k) {
  return place == SERIES_RISE ? rise_elongation(s->problem, x, k) : springs_elongation((SimSpringPlace)place, x, k);
}

/* Returns coefficient `order` of elongation k of a group, in m, from the segment's series of x and of the displacement
 * W of moving surfaces. */
static double elongation_of(const EventSystem *s, const EventMotion *m, int place, int k, int order) {
  double e = elongation(s, place, m->segment.x + order * s->d, k);
  return s->problem->surface_pieces ? e + elongation(s, place, m->springs->way + order * s->d, k) : e;
}

void spring_series_way(const EventSystem *s, EventMotion *m) {
  double *way = m->springs->way;
  if (!s->problem->surface_pieces) return;
  memset(way, 0, (size_t)SERIES * (size_t)s->d * sizeof *way);
  /* the surfaces' velocity is not needed here; its memory is overwritten by the higher orders of their displacement
   * W */
  surface_series(s->problem, m->at.t, m->segment.width, way + s->d, way);
}

void spring_series_begin(const EventSystem *s, EventMotion *m) {
  double *x = event_room(s, m, ROOM_MOVED);
  memset(x, 0, (size_t)s->d * sizeof *x);
  if (s->problem->surface_pieces) surface_at(s->problem, m->at.t, x, NULL);
  for (int i = 0; i < s->d; i++) x[i] += m->at.x[i];
  for (int place = 0; place < SERIES_PLACES; place++) {
    Curve law = law_of(s, place);
    size_t size = sim_curve_size(law.columns);
    for (int k = 0; k < laws_at(s, place); k++)
      m->at.spring[place * s->d + k] =
          (curve_row(law.rows, law.pieces, size, elongation(s, place, x, k), true) - law.rows) / (long)size;
  }
}

/* Computes m->springs->about: the coefficients of each law h about its elongation at the segment's start. */
static void expand_law(const EventSystem *s, EventMotion *m, int place, int k) {
  double *about = m->springs->about + (place * s->d + k) * ABOUT;
  curve_about(law_of(s, place), row_of(s, m, place, k), k, elongation_of(s, m, place, k, 0), about);
}

/* Returns coefficient `order` of the series h(e), the force or threshold as a function of its elongation; the lower
 * orders must have been computed before. */
static double term(const EventSystem *s, EventMotion *m, int place, int k, int order) {
  const int spring = place * s->d + k;
  if (order == 0) expand_law(s, m, place, k);
  return curve_term(row_of(s, m, place, k), m->springs->about + spring * ABOUT, order,
                    order ? elongation_of(s, m, place, k, order) : 0, SERIES,
                    m->springs->power + spring * ABOUT * SERIES);
}

const double *spring_series_force(const EventSystem *s, EventMotion *m, int order) {
  EventSegment *g = &m->segment;
  double *force = m->springs->force + order * s->d;
  memset(force, 0, (size_t)s->d * sizeof *force);
  for (int place = 0; place < SERIES_PLACES; place++)
    for (int k = 0; k < laws_at(s, place); k++) {
      double h = term(s, m, place, k, order);
      if (place == SERIES_RISE) {
        g->threshold[order * s->d + k] = (order <= g->course_order ? g->course[order * s->d + k] : 0) + h;
        continue;
      }
      springs_add_force((SimSpringPlace)place, k, h, force);
    }
  return force;
}

double spring_series_gap(const EventSystem *s, const EventMotion *m, double at) {
  const EventSegment *g = &m->segment;
  int d = s->d;
  double *moved = event_room(s, m, ROOM_MOVED), *force = event_room(s, m, ROOM_FORCE), most = 0;
  memset(force, 0, (size_t)d * sizeof *force);
  for (int i = 0; i < d; i++) moved[i] = at * polynomial_value(g->order - 1, d, g->x + d + i, at);
  for (int i = 0; i < d && s->problem->surface_pieces; i++)
    moved[i] += at * polynomial_value(SIM_PIECE_ORDER, d, m->springs->way + d + i, at);
  for (int place = 0; place < SERIES_PLACES; place++)
    for (int k = 0; k < laws_at(s, place); k++) {
      const double *row = row_of(s, m, place, k), *about = m->springs->about + (place * d + k) * ABOUT;
      double h = polynomial_value((int)row[2], 1, about, elongation(s, place, moved, k) / row[1]);
      if (place == SERIES_RISE) {
        double rise = polynomial_value(g->order, d, g->threshold + k, at) -
                      polynomial_value(g->course_order, d, g->course + k, at);
        most = fmax(most, fabs(rise - h));
        continue;
      }
      springs_add_force((SimSpringPlace)place, k, h, force);
    }
  for (int i = 0; i < d; i++)
    most = fmax(most, fabs(polynomial_value(g->order, d, m->springs->force + i, at) - force[i]));
  return most;
}

/* Whether an elongation leaves its piece of the law before the time *at, through the upper end (sign > 0) or the lower
 * end of the piece. If so, sets *at to that time. */
static bool leaves(const EventSystem *s, const EventMotion *m, int place, int k, int sign, double *at) {
  const double *row = row_of(s, m, place, k);
  double end = sign > 0 ? row[0] + row[1] : row[0], room[POLYNOMIAL_ORDER + 1];
  for (int j = 0; j <= m->segment.order; j++) room[j] = -sign * elongation_of(s, m, place, k, j);
  room[0] += sign * end + EVENT_DOUBT * (fabs(row[0]) + row[1]);
  if (polynomial_least(m->segment.order, 1, room, 1, 0, *at) > 0) return false;
  if (room[0] > 0) return polynomial_first_root(m->segment.order, room, *at, at);
  *at = 0;
  return true;
}

bool spring_series_cross(const EventSystem *s, EventMotion *m, double *at) {
  double *when = event_room(s, m, ROOM_WHEN), first = *at;
  memset(when, 0, SERIES_PLACES * (size_t)s->d * sizeof *when);
  bool any = false;
  memset(m->springs->next, 0, SERIES_PLACES * (size_t)s->d);
  for (int place = 0; place < SERIES_PLACES; place++)
    for (int k = 0; k < laws_at(s, place); k++) {
      int spring = place * s->d + k;
      for (int sign = -1; sign <= 1; sign += 2) {
        when[spring] = first;
        if (!leaves(s, m, place, k, sign, &when[spring])) continue;
        first = when[spring];
        m->springs->next[spring] = (signed char)sign;
        any = true;
      }
    }
  for (int k = 0; k < SERIES_PLACES * s->d; k++)
    if (m->springs->next[k] && when[k] > first) m->springs->next[k] = 0;
  *at = first;
  return any;
}

bool spring_series_pass(const EventSystem *s, EventMotion *m) {
  bool inside = true;
  for (int place = 0; place < SERIES_PLACES; place++)
    for (int k = 0; k < laws_at(s, place); k++) {
      long *piece = &m->at.spring[place * s->d + k], next = *piece + m->springs->next[place * s->d + k];
      if (next < 0 || next >= law_of(s, place).pieces)
        inside = false;
      else
        *piece = next;
    }
  return inside;
}

/* Multiplies the slope of a threshold, dc/de, by slip - gamma, which gives the slope of the friction force. slope:
 * series [order + 1] with its coefficients `stride` doubles apart. */
static void weigh(const EventSystem *s, EventMotion *m, int k, int stride, double *slope) {
  int order = m->segment.order;
  double by[POLYNOMIAL_ORDER + 1] = {m->at.slip[k]};
  bool drops = s->series && m->at.slip[k] != 0;
  for (int q = 0; q <= order && drops; q++) {
    m->segment.gamma[q * s->d + k] = s->series->term(&m->segment.path, k, q, law_share(s, k));
    by[q] -= m->segment.gamma[q * s->d + k];
  }
  for (int q = order; q >= 0; q--) {
    double sum = 0;
    for (int j = 0; j <= q; j++) sum += by[j] * slope[(q - j) * stride];
    slope[q * stride] = sum;
  }
}

void spring_series_slopes(const EventSystem *s, EventMotion *m, double from, double part, double *slope) {
  int d = s->d, order = m->segment.order, stride = SERIES_PLACES * d;
  memset(slope, 0, (size_t)((order + 1) * stride) * sizeof *slope);
  for (int place = 0; place < SERIES_PLACES; place++)
    for (int k = 0; k < laws_at(s, place); k++) {
      const double *row = row_of(s, m, place, k), *about = m->springs->about + (place * d + k) * ABOUT;
      const double *power = m->springs->power + (place * d + k) * ABOUT * SERIES;
      for (int q = 0; q <= order; q++) term(s, m, place, k, q);
      for (int q = 0; q <= order; q++)
        slope[q * stride + place * d + k] = curve_slope_term(row, about, q, SERIES, power);
      if (place == SERIES_RISE) weigh(s, m, k, stride, slope + place * d + k);
    }
  polynomial_part(order, stride, slope, from, part);
}

void spring_series_multiply(const EventSystem *s, bool transposed, int known, const double *slope, int order,
                            int together, const double *x, double factor, double *sum) {
  int d = s->d;
  for (int place = 0; place < SERIES_PLACES; place++)
    for (int k = 0; k < laws_at(s, place); k++)
      for (int q = 0; q <= known && q <= order; q++) {
        double by = factor * slope[q * SERIES_PLACES * d + place * d + k];
        const double *all = x + (order - q) * d * together, *at = all + k * together;
        double *own = sum + k * together;
        if (place == SERIES_RISE) {
          if (transposed)
            rise_add_transposed(s->problem, k, by, together, together, at, sum);
          else
            rise_add_row(s->problem, k, by, together, together, all, own);
          continue;
        }
        for (int c = 0; c < together; c++) {
          double e = place == SIM_ANCHORS ? at[c] : at[together + c] - at[c];
          if (place == SIM_LINKS) own[c] -= by * e;
          own[place == SIM_LINKS ? together + c : c] += by * e;
        }
      }
}

void spring_series_bound(const EventSystem *s, int order, const double *slope, double *rows) {
  int d = s->d;
  memset(rows, 0, (size_t)d * sizeof *rows);
  for (int place = 0; place < SERIES_PLACES; place++)
    for (int k = 0; k < laws_at(s, place); k++) {
      double most = 0;
      for (int q = 0; q <= order; q++) most += fabs(slope[q * SERIES_PLACES * d + place * d + k]);
      rows[k] += place == SIM_ANCHORS ? most : 2 * most;
      if (place == SIM_LINKS) rows[k + 1] += 2 * most;
    }
}
