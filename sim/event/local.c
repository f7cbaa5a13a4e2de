/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/local.h"

#include "sim/base/many.h"
#include "sim/core/interrupt.h"
#include "sim/event/crossing.h"
#include "sim/event/energy.h"
#include "sim/event/expansion.h"
#include "sim/event/residual.h"

#include <math.h>
#include <string.h>

/* If an event is within this fraction of the segment before the end of the window (local.h), the event ends the
 * window. */
static const double LEAST = 1e-6;
/* A window is as long as d/WINDOWS events are expected to take. */
static const double WINDOWS = 8;

/* Evaluation -------------------------------------------------------------------------------------------------------
 *  */

void local_at(const EventSystem *s, const EventMotion *m, const double *series, double part, double *values) {
  many_at_each(m->segment.order, s->d, series, m->local->from, part, values);
}

/* Adds to spent [SPENT] the energies of the n dofs listed in `dof`, in J, from the start of each dof's series to the
 * fraction `part` of the segment. */
static void spend(const EventSystem *s, const EventMotion *m, int n, const int *dof, double part, double *spent) {
  const EventLocal *l = m->local;
  const EventSegment *g = &m->segment;
  int d = s->d;
  double sums[SPENT][ENERGY_ORDER + 1] = {{0}}, *v = l->series[0], *force = l->series[1], *resistance = force + n,
                                    *power = resistance + n;
  for (int q = 0; q < n; q++) {
    double since = part - l->from[dof[q]], to = power[q] = 1;
    for (int k = 0; k <= g->order; k++, to *= since) v[k * n + q] = to * g->v[k * d + dof[q]];
  }
  for (int k = 0; k <= g->order; k++) {
    for (int q = 0; q < n; q++) {
      power[q] *= part - l->from[dof[q]];
      force[q] = k <= g->force_order ? power[q] * l->force[k * d + dof[q]] : 0;
      resistance[q] = power[q] * l->resistance[k * d + dof[q]];
    }
    if (k <= g->force_order) energy_add(n, g->width, g->order, v, k, force, sums[SPENT_WORK]);
    energy_add(n, g->width, g->order, v, k, resistance, sums[SPENT_DISSIPATED]);
  }
  for (int k = 0; k < SPENT; k++)
    for (int o = 1; o <= 2 * g->order + 1; o++) spent[k] += sums[k][o];
}

/* Only sliding dofs do work or dissipate energy. */
void local_spend(const EventSystem *s, const EventMotion *m, double part, double *spent) {
  int n = 0;
  for (int i = 0; i < s->d; i++)
    if (event_slides(s, m, i)) m->local->sliding[n++] = i;
  spend(s, m, n, m->local->sliding, part, spent);
}

static void spend_region(const EventSystem *s, EventMotion *m) {
  int n = 0;
  const EventRegion *r = &m->local->region;
  for (int q = 0; q < r->count; q++)
    if (event_slides(s, m, r->dof[q])) m->local->sliding[n++] = r->dof[q];
  spend(s, m, n, m->local->sliding, m->part, m->at.spent);
}

/* Returns a copy of the motion with a segment that begins at the fraction `since` of the window. The arrays x, v and
 * lambda of the copy are scratch memory. */
static EventMotion motion_since(const EventMotion *m, double since) {
  EventMotion shown = *m;
  shown.at.t = m->at.t + m->segment.width * since;
  shown.part = m->part - since;
  shown.segment.x = m->local->series[0];
  shown.segment.v = m->local->series[1];
  shown.segment.lambda = m->local->series[2];
  return shown;
}

void local_examine(const EventSystem *s, EventMotion *m) {
  EventLocal *l = m->local;
  const EventSegment *g = &m->segment;
  EventMotion shown = motion_since(m, l->since);
  const double *const own[] = {g->x, g->v, g->lambda};
  int d = s->d;
  for (int series = 0; series < 3; series++)
    for (int i = 0; i < d; i++) {
      double c[POLYNOMIAL_ORDER + 1];
      for (int k = 0; k <= g->order; k++) c[k] = own[series][k * d + i];
      polynomial_part(g->order, 1, c, l->since - l->from[i], 1);
      for (int k = 0; k <= g->order; k++) l->series[series][k * d + i] = c[k];
    }
  residual_examine(s, &shown);
  m->at.residual = shown.at.residual;
  l->since = m->part;
}

/* Examines the residual at the start of those series that begin at this event. */
static void enter(const EventSystem *s, EventMotion *m) {
  EventMotion shown = motion_since(m, m->part);
  local_at(s, m, m->segment.x, m->part, shown.segment.x);
  local_at(s, m, m->segment.v, m->part, shown.segment.v);
  residual_enter(s, &shown);
  m->at.residual = shown.at.residual;
}

/* The next event --------------------------------------------------------------------------------------------------- */

static double least_below(const double *first, int node) { return fmin(first[2 * node], first[2 * node + 1]); }

static void set_first(EventLocal *l, int i, const Candidate *candidate) {
  int node = l->leaves + i;
  l->first[node] = candidate->what == CROSSING_NONE ? INFINITY : candidate->at;
  for (node /= 2; node > 0; node /= 2) l->first[node] = least_below(l->first, node);
}

/* Adds to the region all dofs below a node of the tree l->first that have an event up to m->part. Returns false if the
 * region would have too many dofs. */
static bool collect(EventMotion *m, int node) {
  EventLocal *l = m->local;
  if (l->first[node] > m->part) return true;
  if (node >= l->leaves) return region_add(&l->region, node - l->leaves);
  return collect(m, 2 * node) && collect(m, 2 * node + 1);
}

static void find_next(EventMotion *m) {
  const EventLocal *l = m->local;
  bool happens = l->first[1] <= l->limit;
  m->part = happens ? l->first[1] : l->limit;
  m->crossing = happens ? CROSSING_REST : CROSSING_NONE;
}

static void drop_anchor(const EventSystem *s, const EventMotion *m) {
  EventState *anchor = &m->local->anchor;
  const EventState own = *anchor;
  size_t d = (size_t)s->d;
  *anchor = m->at;
  anchor->slip = own.slip;
  anchor->rest_order = own.rest_order;
  anchor->branch = own.branch;
  anchor->fastest = own.fastest;
  memcpy(anchor->slip, m->at.slip, d);
  memcpy(anchor->rest_order, m->at.rest_order, d);
  memcpy(anchor->branch, m->at.branch, d * sizeof *anchor->branch);
  memcpy(anchor->fastest, m->at.fastest, d * sizeof *anchor->fastest);
}

void local_begin(const EventSystem *s, EventMotion *m) {
  EventLocal *l = m->local;
  const EventSegment *g = &m->segment;
  l->limit = 1;
  l->since = 0;
  memset(l->from, 0, (size_t)s->d * sizeof *l->from);
  drop_anchor(s, m);
  crossing_find(s, m, true, &m->part);
  for (int k = 0; k < l->leaves; k++)
    l->first[l->leaves + k] = k < s->d && m->candidates[k].what != CROSSING_NONE ? m->candidates[k].at : INFINITY;
  for (int node = l->leaves - 1; node > 0; node--) l->first[node] = least_below(l->first, node);
  for (int k = 0; k <= g->force_order && m->watched; k++) energy_force(s, m, k, l->force + k * s->d);
  for (int k = 0; k <= g->order && m->watched; k++) energy_resistance(s, m, k, l->resistance + k * s->d);
  find_next(m);
}

/* Returns how many layers of neighbours around a dof are affected, by the coupling through M, by a change of its
 * acceleration: beyond them the change is below the tolerance. */
static int coupled_layers_of(const EventSystem *s, const EventMotion *m) {
  double push = m->local->push;
  return push > 0 ? (int)(log(EXPANSION_SHARE * s->tolerance) / log(fmin(push, 0.5))) : 0;
}

/* Copies the state of the region's dofs at the event. */
static void take_state(const EventSystem *s, const EventMotion *m) {
  EventLocal *l = m->local;
  const EventSegment *g = &m->segment;
  EventMotion *own = &l->region.motion;
  own->at.t = m->at.t + g->width * m->part;
  for (int q = 0; q < l->region.count; q++) {
    int i = l->region.dof[q];
    double since = local_since(m, i);
    const Candidate *candidate = &m->candidates[i];
    own->at.x[q] = polynomial_value(g->order, s->d, g->x + i, since);
    own->at.v[q] = polynomial_value(g->order, s->d, g->v + i, since);
    own->at.fastest[q] = event_motion_fastest(s, m, i);
    own->at.rest_order[q] = (signed char)(since > 0 ? 0 : m->at.rest_order[i]);
    bool happens = candidate->what != CROSSING_NONE && candidate->at <= m->part;
    own->candidates[q] = (Candidate){0, happens ? candidate->what : CROSSING_NONE, candidate->side};
  }
}

/* Computes f + B u of the region's dofs over the width of the region's segment. */
static void take_force(const EventSystem *s, const EventMotion *m) {
  EventRegion *r = &m->local->region;
  const EventSegment *g = &m->segment;
  EventSegment *own = &r->motion.segment;
  own->force_order = g->force_order;
  for (int k = 0; k <= g->force_order; k++)
    for (int q = 0; q < r->count; q++) own->force[k * r->count + q] = g->force[k * s->d + r->dof[q]];
  polynomial_part(g->force_order, r->count, own->force, m->part, own->width / g->width);
}

/* Subtracts the forces by which neighbours outside the region act on it from the region's force: through springs,
 * through M, and, if `dampers`, through dampers. */
static void take_border(const EventSystem *s, const EventMotion *m, bool dampers) {
  EventRegion *r = &m->local->region;
  const EventSegment *g = &m->segment;
  EventSegment *own = &r->motion.segment;
  if (r->border > 0)
    for (; own->force_order < g->order; own->force_order++)
      memset(own->force + (own->force_order + 1) * r->count, 0, (size_t)r->count * sizeof *own->force);
  for (int k = 0; k < r->border; k++) {
    double x[POLYNOMIAL_ORDER + 1];
    int i = r->neighbour[k];
    for (int o = 0; o <= g->order; o++) x[o] = g->x[o * s->d + i];
    polynomial_part(g->order, 1, x, local_since(m, i), own->width / g->width);
    region_pull(s, r, k, g->order, x);
    region_push(s, r, k, g->order, x);
    if (dampers) region_drag(s, r, k, g->order, x);
  }
}

/* Returns the slope of one of several series at the fraction `at`. c: its first coefficient; successive coefficients
 * are `stride` doubles apart. */
static double slope_of(int order, int stride, const double *c, double at) {
  double sum = 0;
  for (int k = order; k > 0; k--) sum = sum * at + k * c[k * stride];
  return sum;
}

/* Whether the outermost dofs of the region move as before the event: the change of their force on neighbours outside is
 * below a tolerance, at three test times. */
static bool fits(const EventSystem *s, const EventMotion *m) {
  const EventLocal *l = m->local;
  const EventRegion *r = &l->region;
  const EventSegment *g = &m->segment, *own = &r->motion.segment;
  double room = EXPANSION_SHARE * s->tolerance * m->most_friction;
  int n = r->count;
  for (int q = 0; q < n; q++)
    for (double part = 0; part <= 1 && r->edge[q]; part += 0.5) {
      int i = r->dof[q], d = s->d;
      double before = local_since(m, i) + part * own->width / g->width;
      double x = polynomial_value(own->order, n, own->x + q, part) - polynomial_value(g->order, d, g->x + i, before);
      double v = polynomial_value(own->order, n, own->v + q, part) - polynomial_value(g->order, d, g->v + i, before);
      double a =
          slope_of(own->order, n, own->v + q, part) / own->width - slope_of(g->order, d, g->v + i, before) / g->width;
      if (!(l->stiffness * fabs(x) + l->damping * fabs(v) + l->mass * fabs(a) <= room)) return false;
    }
  return true;
}

/* Computes the motion of the region from the event on. Returns false if the event cannot be handled by a region. */
static bool solve(const EventSystem *s, EventMotion *m) {
  EventRegion *r = &m->local->region;
  EventMotion *own = &r->motion;
  region_take(s, m, r);
  take_state(s, m);
  own->segment.width = m->segment.width * (m->local->limit - m->part);
  take_force(s, m);
  take_border(s, m, s->damped);
  Crossing what = crossing_mark(&r->system, own, 0);
  for (int q = 0; q < r->count; q++) own->at.branch[q] += own->changes_branch[q];
  if (what >= CROSSING_REST && event_motion_decide(&r->system, own) != SIM_OK) return false;
  (void)expansion_by_orders(&r->system, own);
  return true;
}

static bool find_region(const EventSystem *s, EventMotion *m) {
  EventRegion *r = &m->local->region;
  double part = m->local->limit - m->part;
  bool room = part > LEAST && collect(m, 1);
  for (int k = local_layers(s, m->local, part * m->segment.width); k > 0 && room; k--)
    room = region_add_neighbours(s, r);
  for (int k = coupled_layers_of(s, m); k > 0 && room; k--) room = region_add_coupled(s, m, r);
  while (room) {
    r->motion.at.grazes = 0;
    if (!solve(s, m)) return false;
    if (fits(s, m)) return true;
    room = region_add_neighbours(s, r);
  }
  return false;
}

/* Storing the region's series ------------------------------------------------------------------------------------- */

/* Raises the order of the segment's series: sets the new coefficients to 0. */
static void raise_order(int d, EventMotion *m, int order) {
  EventSegment *g = &m->segment;
  double *const series[] = {g->x, g->v, g->lambda, m->local->resistance};
  for (; g->order < order; g->order++)
    for (size_t k = 0; k < sizeof series / sizeof *series; k++)
      memset(series[k] + (g->order + 1) * d, 0, (size_t)d * sizeof **series);
}

/* Stores a series of a region's dof as a series of the window, up to order `last`. The region's series is over the
 * width of the region's segment. */
static void put(const EventSystem *s, EventMotion *m, int order, double *own, int last, double *whole) {
  const EventRegion *r = &m->local->region;
  int n = r->count;
  polynomial_part(order, n, own, 0, m->segment.width / r->motion.segment.width);
  for (int k = 0; k <= last; k++)
    for (int q = 0; q < n; q++) whole[k * s->d + r->dof[q]] = k <= order ? own[k * n + q] : 0;
}

/* Stores the series of the region's forces, from which their work is computed later. */
static void put_forces(const EventSystem *s, EventMotion *m) {
  EventLocal *l = m->local;
  EventRegion *r = &l->region;
  int n = r->count, order = r->motion.segment.order;
  take_force(s, m);
  for (int k = 0; k <= m->segment.force_order; k++) energy_force(&r->system, &r->motion, k, l->series[0] + k * n);
  put(s, m, m->segment.force_order, l->series[0], m->segment.force_order, l->force);
  take_border(s, m, false);
  for (int k = 0; k <= order; k++) energy_resistance(&r->system, &r->motion, k, l->series[0] + k * n);
  put(s, m, order, l->series[0], m->segment.order, l->resistance);
}

static void put_state(const EventSystem *s, EventMotion *m) {
  EventLocal *l = m->local;
  EventRegion *r = &l->region;
  const EventMotion *own = &r->motion;
  const SimObserver *observer = m->observer;
  double part = own->segment.width / m->segment.width;
  crossing_find(&r->system, &r->motion, true, &r->motion.part);
  m->at.speed = own->at.speed;
  m->at.grazes += own->at.grazes;
  for (int q = 0; q < r->count; q++) {
    int i = r->dof[q];
    if (observer && observer->event && s->friction[i] > 0 && own->at.slip[q] != m->at.slip[i])
      observer->event(observer->context, own->at.t, i, own->at.slip[q]);
    m->at.slip[i] = own->at.slip[q];
    m->at.branch[i] = own->at.branch[q];
    m->at.rest_order[i] = own->at.rest_order[q];
    m->at.fastest[i] = own->at.fastest[q];
    l->from[i] = m->part;
    m->candidates[i] = own->candidates[q];
    m->candidates[i].at = m->part + part * m->candidates[i].at;
    set_first(l, i, &m->candidates[i]);
  }
}

static void put_region(const EventSystem *s, EventMotion *m) {
  EventLocal *l = m->local;
  EventRegion *r = &l->region;
  EventSegment *own = &r->motion.segment, *g = &m->segment;
  int n = r->count;
  l->limit = fmin(l->limit, m->part + own->width / g->width);
  raise_order(s->d, m, own->order);
  put_state(s, m);
  for (int q = 0; q < n; q++)
    for (int k = 0; k <= own->order && event_slides(&r->system, &r->motion, q); k++) own->lambda[k * n + q] = 0;
  if (m->watched) put_forces(s, m);
  put(s, m, own->order, own->x, g->order, g->x);
  put(s, m, own->order, own->v, g->order, g->v);
  put(s, m, own->order, own->lambda, g->order, g->lambda);
}

SimStatus local_pass(const EventSystem *s, EventMotion *m, bool *done) {
  EventRegion *r = &m->local->region;
  region_empty(r);
  *done = m->crossing != CROSSING_NONE && find_region(s, m);
  if (!*done) {
    m->crossing = (int)crossing_mark(s, m, m->part);
    return SIM_OK;
  }
  if (m->residual) local_examine(s, m);
  if (m->watched) spend_region(s, m);
  put_region(s, m);
  if (m->residual) enter(s, m);
  find_next(m);
  if (++m->at.events > s->max_events) return SIM_EVENTS_ACCUMULATE;
  return m->interrupt ? interrupt_segment(m->interrupt) : SIM_OK;
}

double local_width(const EventSystem *s, const EventMotion *m) {
  double pace = m->at.pace;
  return fmax(fmin(s->d / WINDOWS * pace, m->local->reach), EXPANSION_PACES * pace);
}

void local_pace(const EventSystem *s, EventMotion *m, double t) {
  static const double FALL = 4; /* largest ratio of the widths of successive windows (time intervals in which only
                                 * some dofs are updated) */
  long events = m->at.events - m->local->anchor.events;
  double pace = m->at.pace, lasts = t - m->at.t;
  if (m->crossing != CROSSING_NONE)
    m->at.pace = fmax(pace / FALL, fmin(pace, EXPANSION_PACES * WINDOWS / s->d * lasts));
  else
    m->at.pace = events ? (pace + lasts / (double)events) / 2 : fmin(2 * pace, s->problem->end);
}
