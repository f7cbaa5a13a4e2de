#include "sim/event/variation.h"

#include "sim/event/expansion.h"
#include "sim/event/law_series.h"
#include "sim/event/spring_series.h"

#include <math.h>
#include <string.h>

/* A dof that stops under less force than this part of its threshold has only touched rest: the square root of round-off. */
static const double TOUCH = 1e-6;
/* Over how much of 1/s of the fastest mode a series goes: its terms do not cancel much. */
static const double REACH = 3;

VariationRamp variation_ramp(const EventSystem *s, const EventMotion *m) {
  const SimProblem *p = s->problem;
  double length = p->end / p->segments;
  return (VariationRamp){(m->at.t - expansion_signal_start(p, m->at.node)) / length, m->segment.width / length};
}

double variation_forcing(const EventSystem *s, const EventMotion *m, SimDependence on, int i, int order) {
  const EventSegment *g = &m->segment;
  double slip = order ? 0 : m->at.slip[i];
  switch (on) {
  case SIM_ON_CONTROL:
  case SIM_ON_POSITION:
  case SIM_ON_VELOCITY: break;
  case SIM_ON_FRICTION: return (!s->series ? 0 : expansion_drop(s, m, i, order) / event_threshold(s, m, i)) - slip;
  case SIM_ON_MASS: return -g->a[order * s->d + i];
  case SIM_ON_DAMPING: return -g->v[order * s->d + i];
  case SIM_ON_BETA: return expansion_drop(s, m, i, order) / s->beta[i];
  }
  return 0;
}

/* gamma' becomes C gamma', where thresholds change; the highest orders first. */
static void multiply_courses(const EventSystem *s, const EventMotion *m, double *slope) {
  int d = s->d;
  for (int k = m->segment.order; k >= 0; k--)
    for (int i = 0; i < d; i++) {
      double sum = 0;
      for (int j = 0; j <= k; j++) sum += event_course(s, m, i, j) * slope[(k - j) * d + i];
      slope[k * d + i] = sum;
    }
}

void variation_slopes(const EventSystem *s, const EventMotion *m, double from, double part, double *slope) {
  const EventSegment *g = &m->segment;
  int d = s->d, n = g->order;
  if (!s->series) return;
  memset(slope, 0, (size_t)((n + 1) * d) * sizeof *slope);
  for (int i = 0; i < d; i++) {
    double weight = (event_varies(s) ? 1 : event_threshold(s, m, i)) * law_share(s, i);
    if (event_slides(s, m, i) && s->friction[i] > 0) s->series->slope(s, m, i, weight, slope + i);
  }
  if (event_varies(s)) multiply_courses(s, m, slope);
  polynomial_part(n, d, slope, from, part);
}

/* No less than the largest |s| of solutions exp(s t) of the variational equation, 1/s: s^2 <= a + b s with the norms of
 * M_SS^-1 A and M_SS^-1 (D - C gamma'). */
static double fastest(const EventSystem *s, const EventMotion *m, const double *slope, const double *stiffening,
                      const double *inverse) {
  int d = s->d;
  double a = 0, b = 0, steepest[EVENT_SIZE_MAX] = {0}, laws[EVENT_SIZE_MAX] = {0};
  if (m->springs) spring_series_bound(s, m->segment.order, stiffening, laws);
  for (int k = 0; k <= m->segment.order && s->series; k++)
    for (int i = 0; i < d; i++) steepest[i] += fabs(slope[k * d + i]);
  for (int i = 0; i < d; i++) {
    double stiff = 0, damped = 0;
    for (int j = 0; j < d; j++) {
      double of_a = 0, of_b = 0;
      for (int k = s->mass_is_diagonal ? i : 0; k < (s->mass_is_diagonal ? i + 1 : d); k++) {
        double share = s->mass_is_diagonal ? inverse[i] : inverse[i * d + k];
        of_a += share * (s->stiffness[k * d + j] + (k == j ? event_spring(s, m, k) : 0));
        if (s->damping) of_b += share * s->damping[k * d + j];
        if (k == j) damped += fabs(share) * steepest[k];
        if (k == j) stiff += fabs(share) * laws[k];
      }
      stiff += fabs(of_a);
      damped += fabs(of_b);
    }
    a = fmax(a, stiff);
    b = fmax(b, damped);
  }
  return (b + sqrt(b * b + 4 * a)) / 2;
}

double variation_pieces(const EventSystem *s, const EventMotion *m, const double *slope, const double *stiffening,
                        const double *inverse) {
  return fmax(1, ceil(fastest(s, m, slope, stiffening, inverse) * m->segment.width * m->part / REACH));
}

int variation_stop(const EventSystem *s, const EventMotion *m, const double *before, const signed char *slip,
                   bool *smooth) {
  int d = s->d, who = -1;
  if (m->impact.many > 0) {
    const EventImpact *impact = &m->impact;
    double v = impact->who < 0 ? 0 : impact->before[impact->who];
    bool bounces = v != 0 && v * before[impact->who] > 0; /* small ones under a load to the end are no touch */
    *smooth = *smooth && impact->many == 1 && (bounces || fabs(v) > TOUCH * m->at.speed);
    return -1;
  }
  for (int i = 0; i < d; i++) {
    bool slid_on = slip[i] != 0 && m->at.slip[i] == slip[i];
    if (slid_on && m->at.rest_order[i] > 0) *smooth = false; /* it has touched rest */
    if (slip[i] == 0 || slid_on) continue;
    *smooth = *smooth && who < 0 && fabs(before[i]) * s->mass[i * d + i] > TOUCH * s->friction[i];
    if (who < 0) who = i;
  }
  return who;
}
