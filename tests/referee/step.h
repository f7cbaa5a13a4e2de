/* SPDX-License-Identifier: BSD-2-Clause */
/* Integrates the motion between two events, by Runge-Kutta steps of order 8. Detects the first guard that becomes 0. */
#ifndef TESTS_REFEREE_STEP_H
#define TESTS_REFEREE_STEP_H

#include "tests/referee/tableau.h"
#include "tests/referee/walk.h"

static inline void rate_of(Walk *k, double t, const double *y, double *rate) {
  double hold[D_MAX];
  int d = k->w->d;
  memcpy(rate, y + d, (size_t)d * sizeof *rate);
  accelerate(k->w, k->mode, k->inside, t, y, rate + d, hold);
  k->work++;
}

/* Gives sticking dofs exactly the speed of their surface. */
static inline void hold_still(const Walk *k, double t, double *y) {
  int d = k->w->d;
  for (int i = 0; i < d; i++)
    if (!k->mode[i]) y[d + i] = surface_speed(k, i, t);
}

/* Returns whether friction decreases with speed. *scale: the speed within which it decreases. */
static inline bool drops(const Draw *w, int i, double *scale) {
  bool any =
      has(w, HAS_SQRT) || has(w, HAS_RAMP) || has(w, HAS_EXPONENTIAL) || has(w, HAS_GAUSSIAN) || has(w, HAS_TABLE);
  *scale = has(w, HAS_TABLE) ? w->table_speed[1] : w->epsilon[i];
  return any && rubs(w, i);
}

/* Returns the size to which the error of v_i is relative. Near rest, friction that decreases with speed amplifies the
 * error. So the size is smaller than the largest speed, as far as the cost allows. */
static inline double speed_size(const Walk *k, int i, double fast) {
  double scale;
  if (!k->mode[i] || !drops(k->w, i, &scale)) return fast;
  double near = fabs(k->y[k->w->d + i] - surface_speed(k, i, k->t)) + scale;
  return near < fast ? sqrt(near * fast) : fast;
}

/* Makes a step h from k->t to `to`. first: the rate at k->t. Returns the error relative to the tolerance. */
static inline double step_by(Walk *k, double h, const double *first, double *to) {
  int n = 2 * k->w->d;
  double rate[STAGES][2 * D_MAX], y[2 * D_MAX], far = k->far, fast = k->fast, five = 0, three = 0;
  memcpy(rate[0], first, sizeof rate[0]);
  for (int s = 1; s < STAGES; s++) {
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int r = 0; r < s; r++) sum += stage_weight[s][r] * rate[r][i];
      y[i] = k->y[i] + h * sum;
    }
    rate_of(k, k->t + stage_time[s] * h, y, rate[s]);
  }
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int s = 0; s < STAGES; s++) sum += step_weight[s] * rate[s][i];
    to[i] = k->y[i] + h * sum;
    double *size = i < n / 2 ? &far : &fast;
    *size = fmax(*size, fabs(to[i]));
  }
  for (int i = 0; i < n; i++) {
    double e5 = 0, e8 = 0, scale = k->tolerance * (i < n / 2 ? far : speed_size(k, i - n / 2, fast));
    for (int s = 0; s < STAGES; s++) {
      e5 += error_weight[s] * rate[s][i];
      e8 += step_weight[s] * rate[s][i];
    }
    double e3 = e8 - coarse_weight[0] * rate[0][i] - coarse_weight[1] * rate[8][i] - coarse_weight[2] * rate[11][i];
    five += e5 / scale * (e5 / scale);
    three += e3 / scale * (e3 / scale);
  }
  hold_still(k, k->t + h, to);
  double sum = five + 0.01 * three;
  return sum > 0 ? fabs(h) * five / sqrt(sum * n) : isnan(sum) ? INFINITY : 0;
}

/* Returns the longest step that is allowed. With it, the friction curve gamma is sampled at every scale of the speed on
 * the way to rest, and a rebound from a stop is seen before it ends. */
static inline double step_limit(const Walk *k, const double *rate) {
  const Draw *w = k->w;
  double h = w->end / 40, scale;
  for (int i = 0; i < w->d; i++) {
    double way = 0, v = k->y[w->d + i];
    if (has(w, HAS_SURFACE)) course_value(&w->surface[i], k->inside, k->t, &way);
    double a = fabs(rate[w->d + i] - way), s = fabs(v - surface_speed(k, i, k->t));
    if (drops(w, i, &scale) && k->mode[i] && a > 0) h = fmin(h, 0.6 * (s + scale) / a);
    bool leaves = isnan(w->stop_stiffness[i]) && k->mode[i] && (k->y[i] == w->upper[i] || k->y[i] == w->lower[i]);
    if (leaves && v != 0 && a > 0) h = fmin(h, 0.5 * fabs(v) / a);
  }
  return h;
}

/* Interpolates between both ends of a step by a cubic. */
static inline void between(const Walk *k, double h, double z, const double *first, const double *to, const double *last,
                           double *y) {
  double p = z * (1 - z) * (1 - z) * h, q = -z * z * (1 - z) * h, b = z * z * (3 - 2 * z);
  for (int i = 0; i < 2 * k->w->d; i++) y[i] = k->y[i] + b * (to[i] - k->y[i]) + p * first[i] + q * last[i];
  hold_still(k, k->t + z * h, y);
}

/* Returns the first fraction of a step at which an armed guard becomes 0, or nearly touches 0; 1 if none does. A
 * guard is a function with an event at its zero (walk.h). */
static inline double first_look(Walk *k, double h, const double *first, const double *to) {
  enum { LOOKS = 6 };
  double last[2 * D_MAX], y[2 * D_MAX], g[LOOKS + 1][GUARDS_MAX];
  rate_of(k, k->t + h, to, last);
  guard_values(k, k->t, k->y, g[0]);
  for (int l = 1; l <= LOOKS; l++) {
    double z = (double)l / LOOKS;
    between(k, h, z, first, to, last, y);
    guard_values(k, k->t + z * h, l < LOOKS ? y : to, g[l]);
    for (int j = 0; j < k->guards && l < LOOKS; j++)
      if (k->guard[j].armed && g[l][j] < 0) return z;
  }
  for (int l = 1; l < LOOKS; l++) /* finds a minimum inside the step, as that of the interpolating parabola; it must
                                   * be 0 or below */
    for (int j = 0; j < k->guards; j++) {
      double a = g[l - 1][j], b = g[l][j], c = g[l + 1][j], curve = a - 2 * b + c, slope = (c - a) / 2;
      if (k->guard[j].armed && b < a && b < c && c > 0 && b - slope * slope / (2 * curve) < 0.02 * b)
        return (l - slope / curve) / LOOKS;
    }
  return 1;
}

/* Finds the time within h, up to round-off, at which guard j, which is below 0 at its end, becomes 0. Sets y at that
 * time. */
static inline double locate(Walk *k, int j, double h, const double *first, double low_value, double high_value,
                            double *y) {
  double low = 0, high = h, g[GUARDS_MAX];
  int kept = 0;
  memset(y, 0, 2 * (size_t)k->w->d * sizeof *y);
  for (int turn = 0; turn < 80 && high - low > 4e-16 * fmax(k->t, k->w->end * 1e-3) && high - low > 1e-15 * high;
       turn++) {
    double z = low_value / (low_value - high_value), middle = turn % 4 == 3 || !(z > 0 && z < 1) ? 0.5 : z;
    double at = low + middle * (high - low);
    if (at <= low || at >= high) break;
    step_by(k, at, first, y);
    guard_values(k, k->t + at, y, g);
    if (g[j] == 0) return at;
    if (g[j] < 0) {
      high = at;
      high_value = g[j];
      if (kept == 1) low_value /= 2;
      kept = 1;
    } else {
      low = at;
      low_value = g[j];
      if (kept == -1) high_value /= 2;
      kept = -1;
    }
  }
  step_by(k, high, first, y);
  return high;
}

/* Returns the first armed guard that becomes 0 within h, or -1. *when: the fraction of h; `to`: the state at its end,
 * replaced by the state at that time. A dof that stops may hide kinks that it passes twice on the way, so the search is
 * repeated up to the time found. */
static inline int first_met(Walk *k, const double *first, double *when, double *to) {
  double start[GUARDS_MAX], g[GUARDS_MAX], at[2 * D_MAX];
  int met = -1;
  guard_values(k, k->t, k->y, start);
  for (bool again = true; again;) {
    double end = *when;
    guard_values(k, k->t + end, to, g);
    again = false;
    for (int j = 0; j < k->guards; j++) {
      if (j == met || !k->guard[j].armed || g[j] >= 0) continue;
      double there = locate(k, j, end, first, start[j], g[j], at);
      if (met >= 0 && there >= *when) continue;
      met = j;
      *when = there;
      memcpy(to, at, sizeof at);
      again = true;
    }
  }
  return met;
}

/* Returns whether a dof came to rest within one step from a speed at which its friction differs. The error estimate
 * does not show this. */
static inline bool skips_friction(const Walk *k, int met) {
  const Guard *g = &k->guard[met];
  double scale, v = k->y[k->w->d + g->dof];
  return g->kind == STOPS_SLIDING && drops(k->w, g->dof, &scale) &&
         fabs(v - surface_speed(k, g->dof, k->t)) > 1.5 * scale;
}

/* Integrates until the given time, or the first guard. Returns the index of the guard, or -1. */
static inline int step_to(Walk *k, double until) {
  int n = 2 * k->w->d;
  while (k->t < until && !k->given_up) {
    double first[2 * D_MAX], to[2 * D_MAX], g[GUARDS_MAX];
    if (until - k->t <= 1e-15 * until) { /* the time is reached, up to round-off */
      k->t = until;
      hold_still(k, k->t, k->y);
      break;
    }
    rate_of(k, k->t, k->y, first);
    double h = fmin(fmin(until - k->t, k->h), step_limit(k, first)), whole = h;
    bool ends = h == until - k->t;
    double error = step_by(k, h, first, to);
    k->given_up = k->work > k->most || !(h > 0);
    if (!(error <= 1)) {
      k->h = h * fmax(0.2, 0.9 * pow(error, -0.125));
      if (!isfinite(k->h) || !(k->h > 0)) k->h = h / 10;
      continue;
    }
    guard_values(k, k->t + h, to, g);
    bool turned = false; /* a dof that begins to slide came back to rest within its first step */
    for (int j = 0; j < k->guards; j++)
      turned = turned ||
               (!k->guard[j].armed &&
                ((k->guard[j].kind == STOPS_SLIDING && g[j] < -1e-14 * k->fast) ||
                 ((k->guard[j].kind == MEETS_UPPER || k->guard[j].kind == MEETS_LOWER) && g[j] < -1e-13 * k->far)));
    if (turned && h > 1e-10 * k->w->end) {
      k->h = h / 8;
      continue;
    }
    double grown = h * fmin(4, 0.9 * pow(fmax(error, 1e-12), -0.125));
    double part = first_look(k, h, first, to);
    if (part < 1) {
      h *= part;
      ends = false;
      step_by(k, h, first, to);
    }
    double when = h;
    int met = first_met(k, first, &when, to);
    if (met >= 0 && skips_friction(k, met)) {
      k->h = when / 2;
      continue;
    }
    guard_values(k, k->t + when, to, g);
    k->t = met < 0 && ends ? until : k->t + when;
    memcpy(k->y, to, (size_t)n * sizeof *to);
    if (met < 0) hold_still(k, k->t, k->y);
    k->h = met >= 0 ? whole : grown;
    for (int i = 0; i < n; i++) {
      double *size = i < n / 2 ? &k->far : &k->fast;
      *size = fmax(*size, fabs(to[i]));
    }
    if (met >= 0) return met;
    for (int j = 0; j < k->guards; j++) {
      if (!k->guard[j].armed && g[j] < -1e-9 * (k->guard[j].kind == STOPS_SLIDING ? k->fast : INFINITY)) k->doubts++;
      k->guard[j].armed = k->guard[j].armed || g[j] > 0;
    }
  }
  return -1;
}

#endif
