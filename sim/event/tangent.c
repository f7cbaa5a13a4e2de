#include "sim/event/tangent.h"

#include "sim/event/expansion.h"
#include "sim/event/inverse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A dof that stops under less force than this part of its threshold has only touched rest: the square root of round-off. */
static const double TOUCH = 1e-6;
/* Over how much of 1/s of the fastest mode a series goes: its terms do not cancel much. */
static const double REACH = 3;

SimStatus tangent_init(int d, SimSensitivity *columns, EventTangent *t) {
  size_t series = (size_t)(TANGENT_ORDER + 2) * (size_t)d, slope = (size_t)(POLYNOMIAL_ORDER + 1) * (size_t)d;
  *t = (EventTangent){.columns = columns, .series = calloc(series + 2 * slope + (size_t)d, sizeof *t->series)};
  if (!t->series) return SIM_NO_MEMORY;
  t->slope = t->series + series;
  t->forcing = t->slope + slope;
  t->before = t->forcing + slope;
  return SIM_OK;
}

void tangent_clear(EventTangent *t) { free(t->series); }

/* By how much of u_entry the control's node `node` (of a constant: the control itself) is made. */
static double node_share(const SimProblem *p, int entry, long node) {
  if (p->signal == SIM_CONSTANT) return 1;
  long own = p->signal == SIM_PIECEWISE_LINEAR ? entry / p->n_control + 1 : entry / p->n_control;
  return node == own;
}

/* dg/dz of a control, N: of order 0, and of a piecewise linear one of order 1; forcing [order + 1][d]. */
static void find_control(const EventSystem *s, const EventMotion *m, int entry, double *forcing) {
  const SimProblem *p = s->problem;
  const double *column = p->control_matrix + entry % p->n_control;
  double share = node_share(p, entry, m->at.node), rise = 0;
  if (p->signal == SIM_PIECEWISE_LINEAR) {
    double length = p->end / p->segments, from = (m->at.t - expansion_signal_start(p, m->at.node)) / length;
    rise = node_share(p, entry, m->at.node + 1) - share;
    share += from * rise;
    rise *= m->segment.width / length;
  }
  for (int i = 0; i < s->d; i++) {
    forcing[i] = share * column[i * p->n_control];
    forcing[s->d + i] = rise * column[i * p->n_control];
  }
}

/* dg/dz as a series of the segment, N: [POLYNOMIAL_ORDER + 1][d]. */
static void find_forcing(const EventSystem *s, EventMotion *m, const SimColumn *column, double *forcing) {
  const EventSegment *g = &m->segment;
  int d = s->d, i = column->entry;
  bool dropping = s->law != SIM_STRIBECK_NONE;
  memset(forcing, 0, (size_t)((POLYNOMIAL_ORDER + 1) * d) * sizeof *forcing);
  if (column->on == SIM_ON_CONTROL) find_control(s, m, i, forcing);
  if (column->on == SIM_ON_FRICTION) forcing[i] = -m->at.slip[i];
  for (int k = 0; k <= g->order; k++) {
    double *f = forcing + k * d + i;
    switch (column->on) {
    case SIM_ON_CONTROL:
    case SIM_ON_POSITION:
    case SIM_ON_VELOCITY: break;
    case SIM_ON_FRICTION: *f += dropping ? expansion_drop(s, m, i, k) / s->friction[i] : 0; break;
    case SIM_ON_MASS: *f = -g->a[k * d + i]; break;
    case SIM_ON_DAMPING: *f = -g->v[k * d + i]; break;
    case SIM_ON_BETA: *f = expansion_drop(s, m, i, k) / s->beta[i]; break;
    }
  }
}

/* c_i gamma'(v_i) as a series of a part of the segment: of the ramp a number, of sqrt c_i beta_i epsilon_i^2
 * (epsilon_i^2 + v_i^2)^(-3/2). */
static void find_slopes(const EventSystem *s, const EventMotion *m, EventTangent *t, double from, double part) {
  const EventSegment *g = &m->segment;
  int d = s->d, n = g->order;
  if (s->law == SIM_STRIBECK_NONE) return;
  memset(t->slope, 0, (size_t)((n + 1) * d) * sizeof *t->slope);
  for (int i = 0; i < d; i++) {
    double weight = s->friction[i] * s->beta[i], square[POLYNOMIAL_ORDER + 1];
    if (!event_slides(s, m, i) || !(s->friction[i] > 0)) continue;
    if (s->law == SIM_STRIBECK_RAMP) {
      t->slope[i] = m->at.beyond[i] ? 0 : weight / s->epsilon[i];
      continue;
    }
    const double *root = g->root + i;
    weight *= s->epsilon[i] * s->epsilon[i];
    for (int k = 0; k <= n; k++) {
      expansion_drop(s, m, i, k); /* root, which a segment made shorter has for its first width */
      square[k] = 0;
      for (int j = 0; j <= k; j++) square[k] += root[j * d] * root[(k - j) * d];
      for (int j = 0; j <= k; j++) t->slope[k * d + i] += weight * square[j] * root[(k - j) * d];
    }
  }
  polynomial_part(n, d, t->slope, from, part);
}

/* No less than the largest |s| of solutions exp(s t) of the variational equation, 1/s: s^2 <= a + b s with the norms of
 * M_SS^-1 A and M_SS^-1 (D - C gamma'). */
static double fastest(const EventSystem *s, const EventMotion *m, const EventTangent *t, const double *inverse) {
  int d = s->d;
  double a = 0, b = 0, steepest[EVENT_SIZE_MAX] = {0};
  for (int k = 0; k <= m->segment.order && s->law != SIM_STRIBECK_NONE; k++)
    for (int i = 0; i < d; i++) steepest[i] += fabs(t->slope[k * d + i]);
  for (int i = 0; i < d; i++) {
    double stiff = 0, damped = 0;
    for (int j = 0; j < d; j++) {
      double of_a = 0, of_b = 0;
      for (int k = s->mass_is_diagonal ? i : 0; k < (s->mass_is_diagonal ? i + 1 : d); k++) {
        double share = s->mass_is_diagonal ? inverse[i] : inverse[i * d + k];
        of_a += share * s->stiffness[k * d + j];
        if (s->damping) of_b += share * s->damping[k * d + j];
        if (k == j) damped += fabs(share) * steepest[k];
      }
      stiff += fabs(of_a);
      damped += fabs(of_b);
    }
    a = fmax(a, stiff);
    b = fmax(b, damped);
  }
  return (b + sqrt(b * b + 4 * a)) / 2;
}

/* dg/dz - D v - A x + C gamma' v of an order, from x of it and v of all so far (series). */
static void find_load(const EventSystem *s, const EventMotion *m, const EventTangent *t, int order, const double *x,
                      double *r) {
  int d = s->d, known = m->segment.order;
  const double *v = t->series + order * d;
  for (int i = 0; i < d; i++) {
    r[i] = order <= POLYNOMIAL_ORDER ? t->forcing[order * d + i] : 0;
    for (int j = 0; j < d; j++) r[i] -= s->stiffness[i * d + j] * x[j];
    for (int j = 0; j < d && s->damping; j++) r[i] -= s->damping[i * d + j] * v[j];
  }
  for (int k = 0; k <= order && k <= known && s->law != SIM_STRIBECK_NONE; k++)
    for (int i = 0; i < d; i++) r[i] += t->slope[k * d + i] * t->series[(order - k) * d + i];
}

static double largest_of(int d, const double *a) {
  double most = 0;
  for (int i = 0; i < d; i++) most = fmax(most, fabs(a[i]));
  return most;
}

/* x and v [d] of one column over width seconds, over which forcing and slope are series; all orders of these, and on until two in
 * a row are small. */
static void advance_column(const EventSystem *s, const EventMotion *m, EventTangent *t, double width,
                           const double *inverse, double *x, double *v) {
  int d = s->d, small = 0;
  double now[EVENT_SIZE_MAX], r[EVENT_SIZE_MAX];
  memcpy(now, x, (size_t)d * sizeof *now);
  memcpy(t->series, v, (size_t)d * sizeof *v);
  for (int k = 0; k <= TANGENT_ORDER && (small < 2 || k <= m->segment.order); k++) {
    double *next = t->series + (k + 1) * d, by = width / (k + 1);
    find_load(s, m, t, k, now, r);
    for (int i = 0; i < d; i++) {
      double a = s->mass_is_diagonal ? inverse[i] * r[i] : 0;
      for (int j = 0; j < d && !s->mass_is_diagonal; j++) a += inverse[i * d + j] * r[j];
      now[i] = by * next[i - d];
      next[i] = by * a;
      x[i] += now[i];
      v[i] += next[i];
    }
    bool little =
        largest_of(d, now) <= DBL_EPSILON * largest_of(d, x) && largest_of(d, next) <= DBL_EPSILON * largest_of(d, v);
    small = little ? small + 1 : 0;
  }
}

/* All columns over the part of the segment from `from` on. */
static void advance(const EventSystem *s, EventMotion *m, EventTangent *t, double from, double part,
                    const double *inverse) {
  int d = s->d;
  find_slopes(s, m, t, from, part);
  int n = t->columns->width;
  for (int c = 0; c < t->columns->n; c++) {
    double x[EVENT_SIZE_MAX] = {0}, v[EVENT_SIZE_MAX] = {0}, *all_x = t->columns->x + c, *all_v = t->columns->v + c;
    for (int i = 0; i < d; i++) {
      x[i] = all_x[i * n];
      v[i] = all_v[i * n];
    }
    find_forcing(s, m, &t->columns->columns[c], t->forcing);
    polynomial_part(POLYNOMIAL_ORDER, d, t->forcing, from, part);
    advance_column(s, m, t, m->segment.width * part, inverse, x, v);
    for (int i = 0; i < d; i++) {
      all_x[i * n] = x[i];
      all_v[i * n] = v[i];
    }
  }
}

/* In pieces, as the motion's own segment may be too long: a column has modes that the motion has not. */
void tangent_leave(const EventSystem *s, EventMotion *m, EventTangent *t) {
  const double *inverse = expansion_inverse(s, m);
  find_slopes(s, m, t, 0, m->part);
  double pieces = fmax(1, ceil(fastest(s, m, t, inverse) * m->segment.width * m->part / REACH));
  for (double k = 0; k < pieces; k++) advance(s, m, t, k * m->part / pieces, m->part / pieces, inverse);
  polynomial_at(m->segment.order, s->d, m->segment.a, m->part, t->before);
}

/* Of dofs that have come to rest just now, or begin to slide. */
static void note_stops(const EventSystem *s, const EventMotion *m, const EventTangent *t, const signed char *slip) {
  for (int i = 0; i < s->d; i++) {
    if (slip[i] != 0 && m->at.slip[i] == 0) sensitivity_stop(t->columns, i, m->at.t, t->before[i]);
    if (slip[i] == 0 && m->at.slip[i] != 0) sensitivity_go(t->columns, i);
  }
}

/* What sticks. */
static void hold(const EventSystem *s, const EventMotion *m, const EventTangent *t) {
  size_t row = (size_t)t->columns->width * sizeof(double);
  for (int i = 0; i < s->d; i++)
    if (!event_slides(s, m, i)) memset(sensitivity_row(t->columns, t->columns->v, i), 0, row);
}

void tangent_enter(const EventSystem *s, const EventMotion *m, EventTangent *t, const signed char *slip) {
  int d = s->d, who = -1;
  if (m->at.t == 0) hold(s, m, t);
  for (int i = 0; i < d; i++) {
    bool slid_on = slip[i] != 0 && m->at.slip[i] == slip[i];
    if (slid_on && m->at.rest_order[i] > 0) t->columns->smooth = false; /* it has touched rest */
    if (slip[i] == 0 || slid_on) continue;
    t->columns->smooth =
        t->columns->smooth && who < 0 && fabs(t->before[i]) * s->mass[i * d + i] > TOUCH * s->friction[i];
    if (who < 0) who = i;
  }
  note_stops(s, m, t, slip);
  if (who < 0) return;
  int n = t->columns->width;
  for (int c = 0; c < t->columns->n; c++) {
    double *v = t->columns->v + c, later = -v[who * n] / t->before[who];
    for (int i = 0; i < d; i++) v[i * n] += (t->before[i] - m->segment.a[i]) * later;
  }
  hold(s, m, t);
}
