/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/variation.h"

#include "sim/event/drop.h"
#include "sim/event/expansion.h"
#include "sim/event/inverse.h"
#include "sim/event/spring_series.h"

#include <math.h>
#include <string.h>

/* A dof that stops under a force below this fraction of its threshold only touches rest, so that derivatives may not
 * exist. The value is about the square root of the rounding unit. */
static const double TOUCH = 1e-6;
/* Longest piece, as a multiple of 1/s, with s the rate of the fastest mode, in 1/s. In longer pieces terms of the
 * series would cancel. */
static const double REACH = 3;

VariationRamp variation_ramp(const EventSystem *s, const EventMotion *m) {
  const SimProblem *p = s->problem;
  double length = expansion_signal_length(p, m->at.node);
  return (VariationRamp){(m->at.t - expansion_signal_start(p, m->at.node)) / length, m->segment.width / length};
}

double variation_length(const SimProblem *p, const SimColumn *column, long node) {
  if (column->on == SIM_ON_LENGTH) return node == column->entry;
  return column->on == SIM_ON_END ? expansion_signal_length(p, node) / p->end : 0;
}

double variation_begin(const SimProblem *p, const SimColumn *column, long node) {
  if (column->on == SIM_ON_LENGTH) return node > column->entry;
  return column->on == SIM_ON_END ? expansion_signal_start(p, node) / p->end : 0;
}

double variation_share(const SimProblem *p, int entry, long node) {
  if (p->signal == SIM_CONSTANT) return 1;
  long own = p->signal == SIM_PIECEWISE_LINEAR ? entry / p->n_control + 1 : entry / p->n_control;
  return node == own;
}

double variation_forcing(const EventSystem *s, const EventMotion *m, SimDependence on, int i, int order) {
  const EventSegment *g = &m->segment;
  double slip = order ? 0 : m->at.slip[i];
  switch (on) {
  case SIM_ON_CONTROL:
  case SIM_ON_POSITION:
  case SIM_ON_VELOCITY:
  case SIM_ON_TABLE:
  case SIM_ON_END:
  case SIM_ON_LENGTH:
  case SIM_ON_PARAMETER: break;
  case SIM_ON_FRICTION: return (!s->series ? 0 : expansion_drop(s, m, i, order) / event_threshold(s, m, i)) - slip;
  case SIM_ON_MASS: return -g->a[order * s->d + i];
  case SIM_ON_DAMPING: return -g->v[order * s->d + i];
  case SIM_ON_BETA: return expansion_drop(s, m, i, order) / s->beta[i];
  }
  return 0;
}

/* Multiplies a series [order + 1][d], for example of gamma', by the series of varying thresholds, in place. The highest
 * orders are computed first. */
static void multiply_courses(const EventSystem *s, const EventMotion *m, double *slope) {
  int d = s->d;
  for (int k = m->segment.order; k >= 0; k--)
    for (int i = 0; i < d; i++) {
      double sum = 0;
      for (int j = 0; j <= k; j++) sum += event_course(s, m, i, j) * slope[(k - j) * d + i];
      slope[k * d + i] = sum;
    }
}

/* Returns the factor of gamma(v_i), in N, without beta or the entries of a table: the constant threshold, or 1 if
 * multiply_courses multiplies by a varying threshold. */
static double weight_of(const EventSystem *s, const EventMotion *m, int i) {
  return event_varies(s) ? 1 : event_threshold(s, m, i);
}

/* Computes the intermediate time series of dof i's friction law again. The segment has been shortened, and the
 * coefficients of these series refer to its former length. */
static void renew_terms(const EventSystem *s, const EventMotion *m, int i) {
  for (int k = 0; k <= m->segment.order; k++) expansion_drop(s, m, i, k);
}

void variation_powers(const EventSystem *s, const EventMotion *m, double *powers) {
  int d = s->d, size = (POLYNOMIAL_ORDER + 1) * d;
  memset(powers, 0, VARIATION_POWERS * (size_t)size * sizeof *powers);
  for (int i = 0; i < d; i++)
    if (m->at.slip[i] != 0 && s->friction[i] > 0) {
      renew_terms(s, m, i);
      friction_series_powers(&m->segment.path, i, m->segment.order, weight_of(s, m, i), size, powers + i);
    }
  for (int k = 0; k < VARIATION_POWERS && event_varies(s); k++) multiply_courses(s, m, powers + k * size);
}

void variation_slopes(const EventSystem *s, const EventMotion *m, double from, double part, double *slope) {
  const EventSegment *g = &m->segment;
  int d = s->d, n = g->order;
  if (!s->series) return;
  memset(slope, 0, (size_t)((n + 1) * d) * sizeof *slope);
  for (int i = 0; i < d; i++) {
    double weight = weight_of(s, m, i) * law_share(s, i);
    if (!event_slides(s, m, i) || !(s->friction[i] > 0)) continue;
    renew_terms(s, m, i);
    s->series->slope(&g->path, i, n, weight, slope + i);
  }
  if (event_varies(s)) multiply_courses(s, m, slope);
  polynomial_part(n, d, slope, from, part);
}

/* Returns an upper bound of the maximum norm of (M_SS)^-1 (matrix + diag(beside)), plus that of |(M_SS)^-1|
 * diag(apart). M_SS is the mass matrix of the dofs S that slide. */
static double norm_of(const EventSystem *s, const EventMotion *m, const double *inverse, const EventRows *matrix,
                      const double *beside, const double *apart) {
  int d = s->d;
  double *row = event_room(s, m, ROOM_OF_A), *bound = event_room(s, m, ROOM_OF_B), most = 0;
  bool full = !s->mass_is_diagonal && !s->mass_width;
  for (int i = 0; i < d; i++) {
    row[i] = apart[i];
    if (full) continue;
    row[i] += fabs(matrix->diagonal[i] + beside[i]) - fabs(matrix->diagonal[i]);
    row[i] += rows_sum_sizes(matrix, i);
  }
  inverse_bound(s, inverse, row, bound);
  for (int i = 0; i < d && !full; i++) most = fmax(most, bound[i]);
  for (int i = 0; i < d && full; i++) {
    double sum = bound[i];
    memset(row, 0, (size_t)d * sizeof *row);
    for (int k = 0; k < d; k++) {
      double share = inverse[(size_t)i * (size_t)d + (size_t)k];
      row[k] += share * beside[k];
      ROWS_EACH(matrix, k, q, j) row[j] += share * matrix->entries.value[q];
    }
    for (int j = 0; j < d; j++) sum += fabs(row[j]);
    most = fmax(most, sum);
  }
  return most;
}

/* Returns an upper bound, in 1/s, of |s| for solutions exp(s t) of the variational equation. It follows from |s|^2 <= a
 * + b |s|, with a and b the norms of M_SS^-1 A and M_SS^-1 (D - C gamma'). */
static double fastest(const EventSystem *s, const EventMotion *m, const double *slope, const double *stiffening,
                      const double *inverse) {
  int d = s->d;
  double *steepest = event_room(s, m, ROOM_STEEPEST), *laws = event_room(s, m, ROOM_LAWS);
  double *springs = event_room(s, m, ROOM_MOVED), *none = event_room(s, m, ROOM_FORCE);
  memset(steepest, 0, (size_t)d * sizeof *steepest);
  memset(laws, 0, (size_t)d * sizeof *laws);
  memset(none, 0, (size_t)d * sizeof *none);
  if (m->springs) spring_series_bound(s, m->segment.order, stiffening, laws);
  for (int k = 0; k <= m->segment.order && s->series; k++)
    for (int i = 0; i < d; i++) steepest[i] += fabs(slope[k * d + i]);
  for (int i = 0; i < d; i++) springs[i] = event_spring(s, m, i);
  double a = norm_of(s, m, inverse, &s->stiffness, springs, laws), b = 0;
  if (s->damped || s->series) b = norm_of(s, m, inverse, &s->damping, none, steepest);
  return (b + sqrt(b * b + 4 * a)) / 2;
}

double variation_pieces(const EventSystem *s, const EventMotion *m, const double *slope, const double *stiffening,
                        const double *inverse) {
  return fmax(1, ceil(fastest(s, m, slope, stiffening, inverse) * m->segment.width * m->part / REACH));
}

int variation_stop(const EventSystem *s, const EventMotion *m, const double *before, const signed char *slip,
                   bool *smooth) {
  int d = s->d, dof = -1;
  if (m->impact.many > 0) {
    const EventImpact *impact = &m->impact;
    double v = impact->first < 0 ? 0 : impact->before[impact->first];
    /* even a slow impact counts as an impact, not as a touch, if the acceleration presses the dof to the stop */
    bool bounces = v != 0 && v * before[impact->first] > 0;
    *smooth = *smooth && impact->many == 1 && (bounces || fabs(v) > TOUCH * m->at.speed);
    return -1;
  }
  for (int i = 0; i < d; i++) {
    bool slid_on = slip[i] != 0 && m->at.slip[i] == slip[i];
    /* the velocity only touched 0, so the dof did not stop */
    if (slid_on && m->at.rest_order[i] > 0) *smooth = false;
    if (slip[i] == 0 || slid_on) continue;
    *smooth = *smooth && dof < 0 && fabs(before[i]) * s->mass.diagonal[i] > TOUCH * s->friction[i];
    if (dof < 0) dof = i;
  }
  return dof;
}

int variation_stop_of(const EventMotion *m, const double *before, const signed char *slip, int stop, int i) {
  return slip[i] != 0 && m->at.slip[i] != slip[i] && before[i] != 0 ? i : stop;
}
