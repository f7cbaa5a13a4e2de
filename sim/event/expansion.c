/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/expansion.h"

#include "sim/base/many.h"
#include "sim/event/doubt.h"
#include "sim/event/drop.h"
#include "sim/event/energy.h"
#include "sim/event/field.h"
#include "sim/event/inverse.h"
#include "sim/event/local.h"
#include "sim/event/spring_series.h"
#include "sim/event/tangent.h"
#include "sim/event/threshold_series.h"
#include "sim/law/friction_law.h"
#include "sim/operator/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNROLL        _Pragma("GCC unroll 8")

/* A segment that is too long is shortened to this fraction of the length that its coefficients allow. */
static const double MARGIN = 0.95;
/* Accepted difference between a friction or spring law and its series, relative to the largest load: GAP times the
 * truncation tolerance, but at least GAP_ROUND_OFF. */
static const double GAP = 100, GAP_ROUND_OFF = 1e-13;
/* If the magnitudes of the coefficients of v_i from order 2 on sum up to more than this times that of order 1, the low
 * orders of powers of v_i may be small although higher ones are not. */
static const double LAGS = 4;
/* Fraction of a segment at which series are compared with their laws. It is near 1, but not 1, since x may have
 * returned to its start at the end. Its digits are arbitrary. */
static const double NEAR_END = 0.9549150281252628;
/* maximum number of times that a segment is shortened until its series satisfy the equations */
enum { HALVINGS = 60 };
/* For many dofs: number of parts into which a piece of the force is divided. */
enum { FORCE_PARTS = 16 };

/* Adds B u to the series of the force. */
static void add_control(const SimProblem *p, EventMotion *m) {
  EventSegment *g = &m->segment;
  int d = p->d;
  const double *now = p->signal == SIM_CONSTANT ? m->control_force : m->node_force + m->at.node * d, *next = now + d;
  if (p->signal != SIM_PIECEWISE_LINEAR) {
    for (int i = 0; i < d; i++) g->force[i] += now[i];
    return;
  }
  double length = expansion_signal_length(p, m->at.node);
  double from = (m->at.t - expansion_signal_start(p, m->at.node)) / length;
  for (int i = 0; i < d && g->force_order == 0; i++) g->force[d + i] = 0;
  if (g->force_order == 0) g->force_order = 1;
  for (int i = 0; i < d; i++) {
    double rise = next[i] - now[i];
    g->force[i] += now[i] + from * rise;
    g->force[d + i] += g->width / length * rise;
  }
}

double expansion_signal_start(const SimProblem *p, long node) {
  if (p->start_count) return p->starts[node < p->segments ? node : p->segments];
  return node < p->segments ? p->end * (double)node / p->segments : p->end;
}

double expansion_signal_length(const SimProblem *p, long node) {
  return p->start_count ? p->starts[node + 1] - p->starts[node] : p->end / p->segments;
}

/* Returns the largest |c_i| of [d], and raises *most to it. */
ALWAYS_INLINE double share_of(int d, const double *restrict c, double *most) {
  double largest = d > EVENT_FEW_DOFS ? many_largest(d, c) : 0;
  UNROLL for (int i = 0; i < d && d <= EVENT_FEW_DOFS; i++) largest = fabs(c[i]) > largest ? fabs(c[i]) : largest;
  if (largest > *most) *most = largest;
  return largest;
}

/* Returns the start of part k of a force's piece, in s. */
static double part_start(const SimProblem *p, long piece, int k) {
  double start = piece_start(p, piece), next = piece_start(p, piece + 1);
  return k == FORCE_PARTS ? next : start + (next - start) * k / FORCE_PARTS;
}

/* For many dofs: returns f in that part of its piece which contains at.t, as a polynomial. Over a part its order is
 * lower than over the piece. The polynomial is stored and used again while events are in the part. */
static const struct EventForce *part_of_force(const EventSystem *s, EventMotion *m) {
  /* coefficients below this, relative to the largest force, are omitted */
  static const double NOTHING = DBL_EPSILON / 64;
  const SimProblem *p = s->problem;
  struct EventForce *f = &m->force_part;
  long piece = m->at.piece;
  int part = 0, d = s->d;
  while (part + 1 < FORCE_PARTS && part_start(p, piece, part + 1) <= m->at.t) part++;
  if (f->piece == piece && f->part == part) return f;
  double start = piece_start(p, piece), length = piece_start(p, piece + 1) - start, most = 0;
  *f = (struct EventForce){.series = f->series, .piece = piece, .part = part, .order = piece_order(p, piece)};
  f->start = part_start(p, piece, part);
  f->end = part_start(p, piece, part + 1);
  memcpy(f->series, piece_coefficients(p, piece), (size_t)(f->order + 1) * (size_t)d * sizeof *f->series);
  polynomial_part(f->order, d, f->series, (f->start - start) / length, (f->end - f->start) / length);
  for (int k = 0; k <= f->order; k++) share_of(d, f->series + k * d, &most);
  while (f->order > 0 && share_of(d, f->series + f->order * d, &most) <= NOTHING * most) f->order--;
  return f;
}

/* Computes the series of f in segment.force from at.t on, at most to the time `next`, in s. Sets segment.until and
 * segment.width. */
static void begin_force(const EventSystem *s, EventMotion *m, double next) {
  const SimProblem *p = s->problem;
  EventSegment *g = &m->segment;
  long piece = m->at.piece;
  const double *series = piece_coefficients(p, piece);
  double start = piece_start(p, piece), end = piece_start(p, piece + 1);
  g->force_order = piece_order(p, piece);
  if (s->d > EVENT_FEW_DOFS) {
    const struct EventForce *part = part_of_force(s, m);
    series = part->series;
    start = part->start;
    end = part->end;
    g->force_order = part->order;
    next = fmin(next, end);
  }
  g->until = next;
  g->width = next - m->at.t;
  if (s->d > EVENT_FEW_DOFS)
    g->width = fmin(g->width, event_local(m) ? local_width(s, m) : EXPANSION_PACES * m->at.pace);
  memcpy(g->force, series, (size_t)(g->force_order + 1) * (size_t)s->d * sizeof *g->force);
  if (g->width != end - start)
    polynomial_part(g->force_order, s->d, g->force, (m->at.t - start) / (end - start), g->width / (end - start));
}

void expansion_begin(const EventSystem *s, EventMotion *m) {
  const SimProblem *p = s->problem;
  double next = piece_start(p, m->at.piece + 1);
  if (p->signal != SIM_CONSTANT) next = fmin(next, expansion_signal_start(p, m->at.node + 1));
  double change = rise_varies(p) ? threshold_series_begin(s, m) : INFINITY;
  begin_force(s, m, fmin(next, change));
  add_control(p, m);
  if (rise_varies(p)) threshold_series_complete(s, m, change);
  if (m->springs) spring_series_way(s, m);
}

double expansion_drop(const EventSystem *s, const EventMotion *m, int i, int order) {
  if (!event_varies(s)) return s->series->term(&m->segment.path, i, order, event_threshold(s, m, i) * law_share(s, i));
  double *gamma = m->segment.gamma + i, sum = 0;
  gamma[order * s->d] = s->series->term(&m->segment.path, i, order, law_share(s, i));
  for (int j = 0; j <= order; j++) sum += event_course(s, m, i, j) * gamma[(order - j) * s->d];
  return sum;
}

/* subtracts a x from r */
ALWAYS_INLINE void subtract_product(int d, const EventRows *a, const double *restrict x, double *restrict r) {
  if (d > ROWS_FEW && !a->dense) {
    rows_subtract(d, a, x, r);
    return;
  }
  const double *restrict entries = a->dense;
  UNROLL for (int i = 0; i < d; i++) {
    double sum = r[i];
    UNROLL for (int j = 0; j < d; j++) sum -= entries[i * d + j] * x[j];
    r[i] = sum;
  }
}

ALWAYS_INLINE void load_row(int d, const EventSystem *s, EventMotion *m, int order) {
  EventSegment *g = &m->segment;
  const double *restrict x = g->x + order * d, *restrict v = g->v + order * d;
  double *restrict r = g->load + order * d;
  bool forced = order <= g->force_order;
  UNROLL for (int i = 0; i < d; i++) r[i] = forced ? g->force[order * d + i] : 0;
  subtract_product(d, &s->stiffness, x, r);
  if (s->damped) subtract_product(d, &s->damping, v, r);
  if (m->springs) {
    const double *restrict force = spring_series_force(s, m, order);
    for (int i = 0; i < d; i++) r[i] -= force[i];
  }
  for (int i = 0; i < d && s->stops; i++) r[i] += event_push(s, m, i, order);
  for (int i = 0; i < d && s->series; i++)
    if (s->friction[i] > 0) r[i] += expansion_drop(s, m, i, order);
}

ALWAYS_INLINE void advance_row(int d, EventSegment *g, int order, const double *restrict a) {
  double *restrict x = g->x + order * d, *restrict v = g->v + order * d, by = g->width / (order + 1);
  UNROLL for (int i = 0; i < d; i++) {
    x[d + i] = by * v[i];
    v[d + i] = by * a[i];
  }
}

void expansion_load(const EventSystem *s, EventMotion *m, int order) { load_row(s->d, s, m, order); }

void expansion_advance(const EventSystem *s, EventMotion *m, int order, const double *a) {
  advance_row(s->d, &m->segment, order, a);
}

/* Shortens the segment to the fraction `part` of its length: multiplies coefficient k of its series by part^k. Returns
 * `part`. */
static double shorten(const EventSystem *s, EventMotion *m, double part) {
  int d = s->d;
  EventSegment *g = &m->segment;
  double *const series[] = {g->x, g->v, g->load, g->a};
  for (size_t k = 0; k < sizeof series / sizeof *series; k++) polynomial_part(g->order, d, series[k], 0, part);
  if (g->threshold_order > 0) {
    polynomial_part(g->threshold_order, d, g->threshold, 0, part);
    polynomial_part(g->threshold_order, d, g->bias, 0, part);
    polynomial_part(g->course_order, d, g->course, 0, part);
  }
  polynomial_part(g->force_order < g->order ? g->force_order : g->order, d, g->force, 0, part);
  if (m->springs) polynomial_part(g->order, d, m->springs->force, 0, part);
  if (m->springs && s->problem->surface_pieces) polynomial_part(SIM_PIECE_ORDER + 1, d, m->springs->way, 0, part);
  g->width *= part;
  return part;
}

/* Returns the number of successive coefficients that must be small before a series may end. If a dof begins with v =
 * t^k, the series may continue after k coefficients that are 0. */
static int row_of_small(int d, const EventMotion *m) {
  int order = 1;
  for (int i = 0; i < d; i++) order = m->at.rest_order[i] > order ? m->at.rest_order[i] : order;
  return order + 1;
}

/* Returns the truncation error of a segment: the largest ratio of the last `row` coefficients of x, v or load to the
 * largest coefficient. most_load: smallest scale of loads, in N. */
static double remainder_of(int d, const EventSegment *g, int row, double most_load) {
  const double *const series[] = {g->x, g->v, g->load};
  double worst = 0;
  for (int q = 0; q < 3; q++) {
    double most = q == 2 ? most_load : 0, last = 0;
    int end = (g->order + 1) * d, begin = end - row * d;
    for (int k = 0; k < end; k++) most = fabs(series[q][k]) > most ? fabs(series[q][k]) : most;
    for (int k = begin; k < end; k++) last = fabs(series[q][k]) > last ? fabs(series[q][k]) : last;
    if (last > worst * most) worst = last / most;
  }
  return worst;
}

/* Computes coefficient `order` of the acceleration a from that of the load. inverse: (M_SS)^-1 of the dofs that slide,
 * 0 elsewhere; [d] if M is diagonal. */
ALWAYS_INLINE void acceleration(int d, bool diagonal, const EventSystem *s, EventSegment *g,
                                const double *restrict inverse, int order) {
  const double *restrict r = g->load + order * d;
  double *restrict a = g->a + order * d;
  if (!diagonal && d > ROWS_FEW && s->mass_width) {
    inverse_apply(s, inverse, r, a);
    return;
  }
  UNROLL for (int i = 0; i < d; i++) {
    double sum = diagonal ? inverse[i] * r[i] : 0;
    UNROLL for (int j = 0; j < d && !diagonal; j++) sum += inverse[i * d + j] * r[j];
    a[i] = sum;
  }
}

/* Sets those derivatives to 0 that a decision (decision.h) has found to be 0; their computed values are rounding
 * error. */
static void clear_decided(int d, EventMotion *m, int order) {
  for (int i = 0; i < d; i++)
    if (order + 1 < m->at.rest_order[i]) m->segment.a[order * d + i] = 0;
}

/* Returns the last order of the force with a coefficient that is not small. Series may not end before this order: in 3
 * + t^5 small coefficients are followed by a large one. */
static int last_forced(int d, const EventSegment *g, double small) {
  double most = 0;
  int last = g->force_order;
  for (int k = 0; k <= last; k++) share_of(d, g->force + k * d, &most);
  while (last > 0 && share_of(d, g->force + last * d, &most) <= small * most) last--;
  return last;
}

/* Whether low orders of powers of v_i may be small although higher ones are not (constant LAGS). */
static bool lags(const EventSystem *s, const EventMotion *m, int i) {
  const double *v = m->segment.v + i;
  double later = 0;
  if (!s->series->gap || !m->at.slip[i]) return false;
  for (int k = 2; k <= m->segment.order; k++) later += fabs(v[k * s->d]);
  return later > LAGS * fabs(v[s->d]);
}

/* Whether the series of friction and spring laws agree with the laws near the segment's end. They do not if they were
 * ended too early because two successive coefficients were small: v^2 with v = t^3 begins with t^6, and h = e^5 with
 * e = t begins with t^5. part: fraction to which the segment was shortened after segment.root had been computed. */
static bool holds(const EventSystem *s, const EventMotion *m, double small, double most_load, double part) {
  const EventSegment *g = &m->segment;
  double room = fmax(GAP * small, GAP_ROUND_OFF) * most_load;
  if (m->springs && spring_series_gap(s, m, NEAR_END) > room) return false;
  for (int i = 0; i < s->d && s->series && s->series->gap; i++) {
    if (!lags(s, m, i)) continue;
    double v = polynomial_value(g->order, s->d, g->v + i, NEAR_END), weight = s->friction[i] * law_share(s, i);
    if (weight * s->series->gap(&g->path, i, g->order, v, part * NEAR_END) > room) return false;
  }
  return true;
}

/* Computes all series order by order until the coefficients of `row` successive orders are small. Returns false if the
 * maximum order is reached before. */
ALWAYS_INLINE bool expand(int d, bool diagonal, int row, double small, const EventSystem *s, EventMotion *m,
                          const double *inverse) {
  EventSegment *g = &m->segment;
  double most_v = 0, most_load = m->most_friction;
  int decided = row - 1, large = -1;
  int forced = last_forced(d, g, small);
  if (forced < g->course_order) forced = g->course_order;
  for (int k = 0;; k++) {
    load_row(d, s, m, k);
    for (int i = 0; i < d && k <= g->threshold_order; i++)
      g->load[k * d + i] -= g->threshold[k * d + i] * m->at.slip[i];
    acceleration(d, diagonal, s, g, inverse, k);
    if (k + 1 < decided) clear_decided(d, m, k);
    /* x needs no check: its coefficient of order k is width/k times that of v of order k - 1 */
    double v = share_of(d, g->v + k * d, &most_v), load = share_of(d, g->load + k * d, &most_load);
    bool now = k >= forced && v <= small * most_v && load <= small * most_load;
    g->order = k;
    if (!now) large = k;
    bool done = k - large >= row && holds(s, m, small, most_load, 1);
    if (done || k == POLYNOMIAL_ORDER) return done;
    advance_row(d, g, k, g->a + k * d);
  }
}

static bool expand_masses(const EventSystem *s, EventMotion *m, int row, double small, const double *inverse) {
  bool done;
#define EXPAND(d)                                                                                                      \
  done = s->mass_is_diagonal ? expand(d, true, row, small, s, m, inverse) : expand(d, false, row, small, s, m, inverse)
  DENSE_SIZED(s->d, EXPAND)
#undef EXPAND
  if (s->problem->rise.pieces) m->segment.threshold_order = m->segment.order;
  return done;
}

const EventField event_field_masses = {.load = decision_load,
                                       .rates = decision_minimise,
                                       .take = expansion_advance,
                                       .complete = expansion_by_orders,
                                       .spend = energy_expand,
                                       .advance = tangent_advance,
                                       .expand = expand_masses};

/* For the dofs K that stick: computes segment.lambda and segment.doubt. lambda is the force load - M_KS a_S that holds
 * them, where S are the sliding dofs, divided by the threshold if it is constant. */
static void find_multipliers(const EventSystem *s, EventMotion *m, const double *inverse) {
  EventSegment *g = &m->segment;
  int d = s->d;
  memset(m->size, 0, (size_t)d * sizeof *m->size);
  doubt_raise(s, m, 0, m->size);
  doubt_find(s, m, inverse, m->size, g->doubt);
  for (int i = 0; i < d; i++) {
    if (event_slides(s, m, i)) continue;
    /* a divisor of 1 stores the force in N */
    double unit = event_varies(s) || !(s->friction[i] > 0) ? 1 : s->friction[i];
    g->doubt[i] /= unit;
    for (int k = 0; k <= g->order; k++) {
      double sum = g->load[k * d + i];
      if (!s->mass_is_diagonal) sum = rows_add(&s->mass, i, -1, g->a + k * d, sum);
      g->lambda[k * d + i] = sum / unit;
    }
  }
}

static bool all_slide(const EventSystem *s, const EventMotion *m) {
  bool slide = true;
  for (int i = 0; i < s->d && slide; i++) slide = event_slides(s, m, i);
  return slide;
}

const double *expansion_inverse(const EventSystem *s, EventMotion *m) {
  signed char *sliding = event_marks(s, m, MARKS_SLIDING);
  for (int i = 0; i < s->d && !s->mass_is_diagonal; i++) sliding[i] = event_slides(s, m, i);
  if (!s->mass_is_diagonal) return event_inverse(s, &m->inverses, sliding);
  for (int i = 0; i < s->d; i++) m->mobility_sliding[i] = event_slides(s, m, i) ? m->mobility[i] : 0;
  return m->mobility_sliding;
}

SimStatus expansion_by_orders(const EventSystem *s, EventMotion *m) {
  EventSegment *g = &m->segment;
  const double *inverse = expansion_inverse(s, m);
  memcpy(g->x, m->at.x, (size_t)s->d * sizeof *g->x);
  memcpy(g->v, m->at.v, (size_t)s->d * sizeof *g->v);
  double small = EXPANSION_SHARE * s->tolerance, rest;
  int row = row_of_small(s->d, m);
  if (!s->field->expand(s, m, row, small, inverse)) {
    double part = 1, most_load = m->most_friction;
    while ((rest = remainder_of(s->d, g, row, m->most_friction)) > small)
      part *= shorten(s, m, MARGIN * pow(small / rest, 1.0 / (g->order + 1 - row)));
    for (int k = 0; k <= g->order; k++) share_of(s->d, g->load + k * s->d, &most_load);
    for (int k = 0; k < HALVINGS && !holds(s, m, small, most_load, part); k++) part *= shorten(s, m, 0.5);
  }
  if (!all_slide(s, m)) find_multipliers(s, m, inverse);
  return SIM_OK;
}
