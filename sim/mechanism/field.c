/* SPDX-License-Identifier: BSD-2-Clause */
/* Implements EventField (sim/event/field.h) for mechanisms. The motion r(q, q', q'', t) + c lambda = f + B u is
 * computed as Taylor series in seconds. They are converted to polynomials in the fraction of the segment (0..1) when
 * the segment's length is known. */
#include "sim/event/decision.h"
#include "sim/event/doubt.h"
#include "sim/event/energy.h"
#include "sim/event/expansion.h"
#include "sim/event/inverse.h"
#include "sim/mechanism/map.h"
#include "sim/mechanism/motion.h"
#include "sim/mechanism/reach.h"
#include "sim/mechanism/record.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Bounds of the order of the Taylor series, which follows from the tolerance. Robot arms were slower with other
 * orders. */
enum { LEAST_ORDER = 8, MOST_ORDER = GRAPH_ORDER_MAX - 2 };

static int order_of(const EventSystem *s, const EventSegment *g) {
  double digits = -log10(s->tolerance);
  int order = 10 + (int)lround(digits);
  order = order > g->force_order ? order : g->force_order;
  return order < LEAST_ORDER ? LEAST_ORDER : order > MOST_ORDER ? MOST_ORDER : order;
}

/* Sets the Taylor series in seconds of the force f + B u about the fraction `part` of the segment. */
static void push_forces(const EventSystem *s, EventMotion *m, Expansion *expansion, double part, int order) {
  const EventSegment *g = &m->segment;
  double scale = 1, *force = m->mechanism->forces;
  memcpy(force, g->force, (size_t)((g->force_order + 1) * s->d) * sizeof *force);
  if (part > 0) polynomial_part(g->force_order, s->d, force, part, 1);
  for (int k = 0; k <= order; k++, scale /= g->width)
    for (int i = 0; i < s->d; i++)
      expansion_push(expansion, i, k, k <= g->force_order ? force[k * s->d + i] * scale : 0);
}

/* Copies the mass matrix M and the thresholds c at the expansion's time to the event system. */
static void take_system(const EventSystem *s, EventMotion *m) {
  MechanismMotion *own = m->mechanism;
  const EventRows *mass = &s->mass;
  int d = s->d;
  for (int i = 0; i < d; i++) {
    const double *row = own->expansion->mass + (size_t)i * (size_t)d;
    ROWS_EACH(mass, i, k, j) mass->dense[i * d + j] = mass->entries.value[k] = row[j];
    mass->diagonal[i] = row[i];
    if (s->friction[i] > 0) own->friction[i] = fmax(expansion_output(own->expansion, d + i, 0), DBL_MIN);
  }
  memset(m->inverses.known, 0, sizeof m->inverses.known);
}

/* Computes m->size, the sums of the magnitudes of the terms in each load, in N. */
static void find_sizes(const EventSystem *s, EventMotion *m) {
  const EventSegment *g = &m->segment;
  MechanismMotion *own = m->mechanism;
  double late = m->at.t / g->width; /* number of widths from 0 to t: a rounding error of t changes the load by this
                                     * times its rate */
  mechanism_motion_measure(s->problem, own, own->sizes, m->at.t, m->at.x, m->at.v);
  for (int i = 0; i < s->d; i++) {
    double force = fabs(g->force[i]) + (g->force_order > 0 ? fabs(g->force[s->d + i]) * late : 0);
    m->size[i] = own->measured[i] + force + s->friction[i];
  }
}

/* Whether the signs of all kinks must be determined again, without use of the earlier signs: at the start of the
 * motion, and after an impact. */
static bool looks(const EventMotion *m) { return m->segment.order < 0 || m->impact.many > 0; }

static SimStatus place(const EventSystem *s, EventMotion *m) {
  if (!mechanism_motion_at(s->problem, m->mechanism, m->at.t, m->at.x, m->at.v, false)) return SIM_NON_FINITE;
  take_system(s, m);
  return SIM_OK;
}

/* Sets the signs of the kinks with a switching function that is a multiple of a coordinate's velocity, for a coordinate
 * that rests or begins to slide: at rest the function is 0 and does not determine the sign. */
static void turn_riders(const EventSystem *s, EventMotion *m) {
  MechanismMotion *own = m->mechanism;
  GraphSeries *series = own->expansion->series;
  for (int k = 0; k < own->n_kinks; k++) {
    int i = mechanism_motion_rider(s, own, k), row = series->tape->kink_row[k];
    if (i < 0 || m->at.v[i] != 0) continue;
    double factor = m->at.slip[i] ? m->at.slip[i] * mechanism_sides_factor(series, own->rides, row) : 0;
    double sign = factor > 0 ? 1 : factor < 0 ? -1 : 0;
    if (series->signs[k] != sign) own->expansion->placed = false;
    series->signs[k] = sign;
    own->turned[k] = false;
  }
}

static void load(const EventSystem *s, EventMotion *m, const Decision *decision, int order) {
  MechanismMotion *own = m->mechanism;
  Expansion *expansion = own->expansion;
  EventSegment *g = &m->segment;
  int d = s->d;
  if (order == 0) {
    turn_riders(s, m);
    push_forces(s, m, expansion, 0, DECISION_DERIVATIVES);
    own->failed = !mechanism_motion_at(s->problem, own, m->at.t, m->at.x, m->at.v, looks(m));
    expansion->placed = true;
    take_system(s, m);
    find_sizes(s, m);
  } else {
    expansion_next(expansion, order);
  }
  g->threshold_order = order;
  for (int i = 0; i < d; i++) {
    int part = decision->part[i];
    int way = part == SLIDES ? m->at.slip[i] : order > 0 && part == ONE_WAY ? decision->way[i] : 0;
    double c, free;
    mechanism_motion_rest(own, i, order, &free, &c);
    if (part == SLIDES) {
      c = expansion_output(expansion, d + i, order);
      free = -expansion_output(expansion, i, order);
    }
    if (order == 0) c = fmax(c, 0); /* rounding must not make the threshold negative */
    g->threshold[order * d + i] = c;
    g->load[order * d + i] = free;
    m->b[i] = free - c * way;
  }
}

static SimStatus rates(const EventSystem *s, EventMotion *m, const Decision *decision) {
  return m->mechanism->failed ? SIM_NON_FINITE : decision_minimise(s, m, decision);
}

static void take(const EventSystem *s, EventMotion *m, int order, const double *y) {
  (void)s;
  expansion_take(m->mechanism->expansion, order, y);
}

/* Checks each kink (such as abs) with a switching function that has just crossed 0. If the function returns to the side
 * from which it came, the sign is changed back. Returns whether this was so for any kink. */
static bool turns_back(MechanismMotion *own, double width) {
  GraphSeries *series = own->expansion->series;
  bool back = false;
  for (int k = 0; k < own->n_kinks; k++) {
    double power = 1, most = 0, first = 0;
    if (!own->turned[k]) continue;
    for (int j = 1; j <= own->expansion->order; j++)
      most = fmax(most, fabs(graph_series_kink(series, k, j)) * (power *= width));
    power = 1;
    for (int j = 1; j <= own->expansion->order && first == 0; j++) {
      double term = graph_series_kink(series, k, j) * (power *= width);
      if (fabs(term) > EVENT_DOUBT * most) first = term;
    }
    if (first * series->signs[k] >= 0) continue;
    series->signs[k] = -series->signs[k];
    back = true;
  }
  return back;
}

void mechanism_motion_prepare(const EventSystem *s, EventMotion *m) {
  MechanismMotion *own = m->mechanism;
  Expansion *expansion = own->expansion;
  int order = order_of(s, &m->segment);
  turn_riders(s, m);
  push_forces(s, m, expansion, 0, order);
  for (int i = 0; i < s->d; i++) own->slips[i] = event_slides(s, m, i) && m->at.slip[i] == 0 ? 1 : m->at.slip[i];
  memcpy(expansion->zeros, m->at.rest_order, (size_t)s->d);
  own->reach = (MechanismReach){.system = s, .motion = m, .order = -1};
  expansion->enough = mechanism_reach_suffices;
  expansion->context = &own->reach;
  expansion->least = m->segment.force_order > LEAST_ORDER ? m->segment.force_order : LEAST_ORDER;
  expansion_start(expansion, m->at.t, m->at.x, m->at.v, s->problem->equations.values, own->slips, order, looks(m));
}

/* Computes the Taylor series of the segment, in seconds. Returns SIM_SLIDES_ALONG_KINK if the motion on both sides of a
 * kink leads back to the kink. */
static SimStatus expand(const EventSystem *s, EventMotion *m) {
  enum { SIDES = 2 };
  MechanismMotion *own = m->mechanism;
  Expansion *expansion = own->expansion;
  bool regular = true, back = true;
  if (expansion->stage == EXPANSION_NONE) mechanism_motion_prepare(s, m);
  for (int k = 0; k <= SIDES && regular && back; k++) {
    if (k > 0) own->reach.order = -1;
    regular = expansion_make(expansion, m->at.t, m->at.x, m->at.v, s->problem->equations.values, own->slips,
                             expansion->most, false);
    back = regular && expansion->settled && turns_back(own, mechanism_reach(s, m));
    if (regular && !expansion->settled) break;
  }
  expansion->enough = NULL;
  if (!regular) return SIM_NON_FINITE;
  return expansion->settled && !back ? SIM_OK : SIM_SLIDES_ALONG_KINK;
}

/* Converts the series to polynomials in the segment's fraction. Returns whether all their coefficients are finite. */
static bool fill(const EventSystem *s, EventMotion *m) {
  const Expansion *expansion = m->mechanism->expansion;
  EventSegment *g = &m->segment;
  int d = s->d, n = expansion->order + 1;
  double sum = 0;
  g->order = n;
  g->threshold_order = expansion->order;
  for (int i = 0; i < d; i++) {
    bool slides = m->mechanism->slips[i] != 0;
    double scale = 1, next = expansion_speed(expansion, i, 0);
    for (int k = 0; k <= n; k++, scale *= g->width) {
      int at = k * d + i;
      double v = next, load = 0, c = 0;
      if (k < n && slides) c = expansion_output(expansion, d + i, k);
      if (k < n && !slides) mechanism_motion_rest(m->mechanism, i, k, &load, &c);
      next = k < n ? expansion_speed(expansion, i, k + 1) : 0;
      g->x[at] = expansion_place(expansion, i, k) * scale;
      g->v[at] = v * scale;
      g->a[at] = next * (k + 1) * scale;
      g->threshold[at] = c * scale;
      g->lambda[at] = load * scale;
      sum += fabs(g->x[at]) + fabs(g->v[at]) + fabs(g->threshold[at]) + fabs(g->lambda[at]);
    }
  }
  return isfinite(sum);
}

static bool some_stick(const EventSystem *s, const EventMotion *m) {
  for (int i = 0; i < s->d; i++)
    if (m->mechanism->slips[i] == 0) return true;
  return false;
}

static SimStatus complete(const EventSystem *s, EventMotion *m) {
  EventSegment *g = &m->segment;
  SimStatus status = expand(s, m);
  if (status != SIM_OK) return status;
  double reach = mechanism_reach(s, m);
  if (!(reach > 0)) return SIM_NON_FINITE;
  if (reach < g->width) {
    polynomial_part(g->force_order, s->d, g->force, 0, reach / g->width);
    g->width = reach;
  }
  if (!fill(s, m)) return SIM_NON_FINITE;
  if (mechanism_motion_drives(s, g)) return SIM_OUT_OF_RANGE;
  for (int i = 0; i < s->d; i++) g->threshold[i] = fmax(g->threshold[i], 0);
  if (!some_stick(s, m)) return SIM_OK;
  if (!m->mechanism->expansion->kept) {
    take_system(s, m);
    find_sizes(s, m);
  }
  doubt_find(s, m, expansion_inverse(s, m), m->size, g->doubt);
  return SIM_OK;
}

SimStatus mechanism_motion_expand(const EventSystem *s, EventMotion *m, Expansion *expansion, double part) {
  const EventSegment *g = &m->segment;
  MechanismMotion *own = m->mechanism;
  int d = s->d, order = own->expansion->order;
  double *q = own->given, *v = own->given + d;
  polynomial_at(g->order, d, g->x, part, q);
  polynomial_at(g->order, d, g->v, part, v);
  for (int i = 0; i < d; i++) expansion->zeros[i] = part > 0 ? 0 : m->at.rest_order[i];
  push_forces(s, m, expansion, part, order);
  bool good = expansion_make(expansion, m->at.t + part * g->width, q, v, s->problem->equations.values, own->slips,
                             order, false);
  return good ? SIM_OK : SIM_NON_FINITE;
}

void mechanism_motion_look(const EventSystem *s, EventMotion *m, Expansion *expansion, double part) {
  const EventSegment *g = &m->segment;
  double *q = m->mechanism->given, *v = q + s->d;
  polynomial_at(g->order, s->d, g->x, part, q);
  polynomial_at(g->order, s->d, g->v, part, v);
  expansion_order_0(expansion, m->at.t + part * g->width, q, v, s->problem->equations.values, true);
}

/* Returns the first fraction of the segment, up to `limit`, where the switching function of a kink changes its sign; a
 * number > 1 if there is none. */
static double turn_of(const EventSegment *g, const MechanismMotion *own, int kink, double limit) {
  const GraphSeries *series = own->expansion->series;
  double p[POLYNOMIAL_ORDER + 1], scale = 1, sign = series->signs[kink];
  int order = own->expansion->order, zeros = own->turned[kink];
  while (zeros <= order && graph_series_kink(series, kink, zeros) == 0) zeros++;
  if (zeros > order || sign == 0) return INFINITY;
  for (int k = zeros; k <= order; k++, scale *= g->width)
    p[k - zeros] = sign * graph_series_kink(series, kink, k) * scale;
  order -= zeros;
  if (polynomial_least(order, 1, p, 1, 0, limit) > 0) return INFINITY;
  double at = 0;
  return !(p[0] > 0) || polynomial_first_root(order, p, limit, &at) ? at : INFINITY;
}

/* Whether the velocity of coordinate i is 0, up to rounding, at the fraction `part` of the segment. */
static bool comes_to_rest(const EventSegment *g, int d, int i, double part) {
  static const double ROUNDING = 1e-12;
  double size = 0;
  for (int k = 0; k <= g->order; k++) size += fabs(g->v[k * d + i]);
  return fabs(polynomial_value(g->order, d, g->v + i, part)) <= ROUNDING * size;
}

/* A kink with a switching function that crosses 0 within this fraction of the segment after another event is changed at
 * that event. Otherwise a threshold that touches 0 would cause events there again and again, until the kink has
 * changed. */
static const double TOGETHER = 1e-13;

static bool cross(const EventSystem *s, EventMotion *m, double *first) {
  MechanismMotion *own = m->mechanism;
  /* all kinks have the same limit, so that the result does not depend on their order: mirror images have the same
   * bits */
  double before = *first, limit = fmin(before + TOGETHER, 1);
  for (int k = 0; k < own->n_kinks; k++) {
    int rider = mechanism_motion_rider(s, own, k);
    own->turn[k] = turn_of(&m->segment, own, k, limit);
    if (own->turn[k] <= 1 && rider >= 0 && comes_to_rest(&m->segment, s->d, rider, own->turn[k]))
      own->turn[k] = INFINITY;
    if (own->turn[k] < *first) *first = own->turn[k];
  }
  *first = mechanism_motion_drives_from(s, &m->segment, *first);
  *first = mechanism_reach_holds(s, m, *first);
  return *first < before;
}

static SimStatus leave(const EventSystem *s, EventMotion *m) {
  MechanismMotion *own = m->mechanism;
  SimStatus status = own->record ? mechanism_record_leave(s, m, own->record) : SIM_OK;
  for (int k = 0; k < own->n_kinks; k++) {
    bool turns = own->turn[k] <= m->part + TOGETHER;
    own->turned[k] = turns || (own->turned[k] && m->part <= TOGETHER);
    if (turns) own->expansion->series->signs[k] *= -1;
  }
  return status;
}

static SimStatus enter(const EventSystem *s, EventMotion *m, const signed char *slip) {
  MechanismRecord *record = m->mechanism->record;
  return record ? mechanism_record_enter(s, m, record, slip) : SIM_OK;
}

static void spend(const EventSystem *s, EventMotion *m) {
  EventSegment *g = &m->segment;
  const Expansion *expansion = m->mechanism->expansion;
  int d = s->d;
  double *force = event_room(s, m, ROOM_FORCE), *rub = event_room(s, m, ROOM_RUB), scale = 1;
  memset(g->spent, 0, sizeof g->spent);
  g->energy_order = g->order;
  for (int k = 0; k < g->order; k++, scale *= g->width) {
    for (int i = 0; i < d; i++) {
      force[i] = expansion_output(expansion, 2 * d + i, k) * scale +
                 (k <= g->force_order ? expansion_force(expansion, i, k) * scale : 0);
      rub[i] = g->threshold[k * d + i] * m->at.slip[i];
    }
    energy_add(d, g->width, g->order, g->v, k, force, g->spent[SPENT_WORK]);
    energy_add(d, g->width, g->order, g->v, k, rub, g->spent[SPENT_DISSIPATED]);
    g->spent[SPENT_WORK][k + 1] += g->width * expansion_output(expansion, 3 * d, k) * scale / (k + 1);
  }
}

static double stored(const EventSystem *s, EventMotion *m, double t, const double *x, const double *v) {
  mechanism_motion_measure(s->problem, m->mechanism, m->mechanism->energies, t, x, v);
  return m->mechanism->measured[ENERGY_VALUE];
}

const EventField mechanism_field = {.load = load,
                                    .rates = rates,
                                    .take = take,
                                    .complete = complete,
                                    .spend = spend,
                                    .advance = mechanism_map_advance,
                                    .jump = mechanism_map_cross,
                                    .place = place,
                                    .cross = cross,
                                    .leave = leave,
                                    .enter = enter,
                                    .stored = stored};
