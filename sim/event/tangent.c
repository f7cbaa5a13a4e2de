#include "sim/event/tangent.h"

#include "sim/event/expansion.h"
#include "sim/event/inverse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus tangent_init(int d, SimSensitivity *columns, EventTangent *t) {
  size_t series = (size_t)(TANGENT_ORDER + 2) * (size_t)d, slope = (size_t)(POLYNOMIAL_ORDER + 1) * (size_t)d;
  *t = (EventTangent){.columns = columns, .series = calloc(series + slope + (size_t)d, sizeof *t->series)};
  if (!t->series) return SIM_NO_MEMORY;
  t->slope = t->series + series;
  t->before = t->slope + slope;
  return SIM_OK;
}

void tangent_clear(EventTangent *t) { free(t->series); }

/* By how much of u_entry the control's node `node` (of a constant: the control itself) is made. */
static double node_share(const SimProblem *p, int entry, long node) {
  if (p->signal == SIM_CONSTANT) return 1;
  long own = p->signal == SIM_PIECEWISE_LINEAR ? entry / p->n_control + 1 : entry / p->n_control;
  return node == own;
}

/* Coefficients of dg/dz, N, of order 0 and 1 for a control; r [d] is added to. */
static void add_control(const EventSystem *s, const EventMotion *m, int entry, int order, double part, double *r) {
  const SimProblem *p = s->problem;
  double share = order ? 0 : node_share(p, entry, m->at.node);
  if (p->signal == SIM_PIECEWISE_LINEAR && order <= 1) {
    double length = p->end / p->segments;
    double rise = node_share(p, entry, m->at.node + 1) - node_share(p, entry, m->at.node);
    share += order ? m->segment.width * part / length * rise
                   : (m->at.t - expansion_signal_start(p, m->at.node)) / length * rise;
  }
  for (int i = 0; i < s->d && share != 0; i++)
    r[i] += share * p->control_matrix[i * p->n_control + entry % p->n_control];
}

/* Adds the coefficient of dg/dz of an order, N; power: part^order. */
static void add_forcing(const EventSystem *s, EventMotion *m, const SimColumn *column, int order, double part,
                        double power, double *r) {
  const EventSegment *g = &m->segment;
  int i = column->entry, at = order * s->d + i;
  bool known = order <= g->order;
  switch (column->on) {
  case SIM_ON_CONTROL: add_control(s, m, i, order, part, r); return;
  case SIM_ON_POSITION:
  case SIM_ON_VELOCITY: return;
  case SIM_ON_FRICTION:
    if (known && s->law != SIM_STRIBECK_NONE) r[i] += power * expansion_drop(s, m, i, order) / s->friction[i];
    if (order == 0) r[i] -= m->at.slip[i];
    return;
  case SIM_ON_MASS:
    if (known) r[i] -= power * g->a[at];
    return;
  case SIM_ON_DAMPING:
    if (known) r[i] -= power * g->v[at];
    return;
  case SIM_ON_BETA:
    if (known && s->law != SIM_STRIBECK_NONE) r[i] += power * expansion_drop(s, m, i, order) / s->beta[i];
    return;
  }
}

/* c_i gamma'(v_i) as a series: of the ramp a number, of sqrt c_i beta_i epsilon_i^2 (epsilon_i^2 + v_i^2)^(-3/2). */
static void find_slopes(const EventSystem *s, const EventMotion *m, EventTangent *t) {
  const EventSegment *g = &m->segment;
  int d = s->d, n = g->order;
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
}

/* -D v - A x + C gamma' v of an order; series: v of all orders so far. */
static void add_load(const EventSystem *s, const EventMotion *m, const EventTangent *t, int order, double part,
                     const double *x, double *r) {
  int d = s->d;
  const double *v = t->series + order * d;
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < d; j++) r[i] -= s->stiffness[i * d + j] * x[j];
    for (int j = 0; j < d && s->damping; j++) r[i] -= s->damping[i * d + j] * v[j];
  }
  if (s->law == SIM_STRIBECK_NONE) return;
  int most = order < m->segment.order ? order : m->segment.order;
  double power = 1;
  for (int k = 0; k <= most; k++, power *= part)
    for (int i = 0; i < d; i++) r[i] += power * t->slope[k * d + i] * t->series[(order - k) * d + i];
}

static double largest_of(int d, const double *a) {
  double most = 0;
  for (int i = 0; i < d; i++) most = fmax(most, fabs(a[i]));
  return most;
}

/* One column over width seconds, by Taylor's series in its part. */
static void advance_column(const EventSystem *s, EventMotion *m, EventTangent *t, int c, double part,
                           const double *inverse) {
  int d = s->d, small = 0;
  double *x = t->columns->x + (size_t)c * (size_t)d, *v = t->columns->v + (size_t)c * (size_t)d, power = 1;
  double width = m->segment.width * part, now[EVENT_SIZE_MAX], r[EVENT_SIZE_MAX];
  memcpy(now, x, (size_t)d * sizeof *now);
  memcpy(t->series, v, (size_t)d * sizeof *v);
  for (int k = 0; k <= TANGENT_ORDER && small < 2; k++, power *= part) {
    double *next = t->series + (k + 1) * d, by = width / (k + 1);
    memset(r, 0, (size_t)d * sizeof *r);
    add_forcing(s, m, &t->columns->columns[c], k, part, power, r);
    add_load(s, m, t, k, part, now, r);
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

void tangent_leave(const EventSystem *s, EventMotion *m, EventTangent *t) {
  const double *inverse = expansion_inverse(s, m);
  if (s->law != SIM_STRIBECK_NONE) find_slopes(s, m, t);
  for (int c = 0; c < t->columns->n; c++) advance_column(s, m, t, c, m->part, inverse);
  polynomial_at(m->segment.order, s->d, m->segment.a, m->part, t->before);
}

void tangent_enter(const EventSystem *s, const EventMotion *m, EventTangent *t, const signed char *slip) {
  int d = s->d, who = -1;
  for (int i = 0; i < d; i++) {
    if (slip[i] == 0 || m->at.slip[i] == slip[i]) continue;
    t->columns->smooth = t->columns->smooth && who < 0 && fabs(t->before[i]) > 0;
    if (who < 0) who = i;
  }
  if (who < 0) return;
  for (int c = 0; c < t->columns->n; c++) {
    double *v = t->columns->v + (size_t)c * (size_t)d, later = -v[who] / t->before[who];
    for (int i = 0; i < d; i++) v[i] += (t->before[i] - m->segment.a[i]) * later;
    for (int i = 0; i < d; i++)
      if (!event_slides(s, m, i)) v[i] = 0;
  }
}
