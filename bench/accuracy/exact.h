/* SPDX-License-Identifier: BSD-2-Clause */
/* Closed-form solutions of the splitting papers' problems, as in jobs/problems/. */
#ifndef BENCH_EXACT_H
#define BENCH_EXACT_H

#include <math.h>
#include <stdbool.h>

typedef struct Exact {
  double x[3], v[3], lambda[3];
} Exact;

/* Computes the solution at t. lambda is its limit from the left. */
typedef Exact ExactSolution(double t);

static const double EXACT_PI = 3.14159265358979323846;

/* Returns whether t is past a jump at `at`. A grid point on the jump is not past it, since the limit from the left is
 * used. */
static inline int exact_past(double t, double at) { return t > at + 1e-9; }

/* Returns the solution of Glowinski et al. 5.1. */
static inline Exact exact_51(double t) {
  double turn = t - floor(t), angle = 2 * EXACT_PI * turn;
  int slides = (exact_past(t, 0) && !exact_past(t, 0.5)) || (exact_past(t, 1) && !exact_past(t, 1.5));
  Exact e = {.lambda = {slides}};
  e.v[0] = fmax(0, sin(angle));
  e.x[0] = floor(t) / EXACT_PI + (turn < 0.5 ? (1 - cos(angle)) / (2 * EXACT_PI) : 1 / EXACT_PI);
  return e;
}

/* Returns the solution of Glowinski et al. 5.2 and Shiau-Glowinski 6.1. */
static inline Exact exact_52(double t) {
  Exact e = {.lambda = {-0.5}};
  for (int start = 1; start <= 2; start++) {
    if (!exact_past(t, start) || exact_past(t, start + 0.5)) continue;
    e.x[0] = pow(sin(2 * EXACT_PI * t), 2);
    e.v[0] = 2 * EXACT_PI * sin(4 * EXACT_PI * t);
    e.lambda[0] = exact_past(t, start + 0.25) ? -1 : 1;
  }
  return e;
}

/* Returns the solution of Shiau-Glowinski 6.2. */
static inline Exact exact_62(double t) {
  int piece = exact_past(t, 1) + exact_past(t, 2) + exact_past(t, 3);
  const double x1[] = {t - t * t / 2, 0.5, 0.5 + 4 * ((t * t * t - 8) / 3 - 2.5 * (t * t - 4) + 6 * (t - 2)), -1. / 6},
               v1[] = {1 - t, 0, 4 * (t - 3) * (t - 2), 0}, lambda1[] = {1, t - 1.5, -1, -0.5};
  int moves = piece >= 2;
  double s = t - 3;
  return (Exact){.x = {x1[piece], moves ? (t - 2) - (s * s * s + 1) / 3 : 0},
                 .v = {v1[piece], moves ? 1 - s * s : 0},
                 .lambda = {lambda1[piece], moves ? 1 : 1 - t}};
}

/* Returns the solution of duffing.yaml: x = x0 cn(w t), w^2 = k + k3 x0^2, m = k3 x0^2/(2 w^2). cn is computed by the
 * arithmetic-geometric mean (Abramowitz and Stegun 16.4). */
static inline Exact exact_duffing(double t) {
  enum { MEANS = 8 };
  const double k = 2, cube = 30, x0 = 0.8, w = sqrt(k + cube * x0 * x0), m = cube * x0 * x0 / (2 * w * w);
  double a[MEANS + 1] = {1}, c[MEANS + 1] = {sqrt(m)}, b = sqrt(1 - m);
  for (int n = 0; n < MEANS; n++) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
  }
  double angle = ldexp(a[MEANS] * w * t, MEANS);
  for (int n = MEANS; n > 0; n--) angle = (angle + asin(c[n] / a[n] * sin(angle))) / 2;
  double sine = sin(angle);
  return (Exact){.x = {x0 * cos(angle)}, .v = {-x0 * w * sine * sqrt(1 - m * sine * sine)}};
}

/* Returns the momentum of a mass of Shiau-Glowinski 6.3 that has slid in one direction since its momentum was p, and
 * its integral. */
static inline double exact_momentum_63(double p, double towards, double from, double t) {
  return p + 5 * (exp(-4 * t) - exp(-4 * from)) - 10 * towards * (t - from);
}
static inline double exact_way_63(double p, double towards, double from, double t) {
  double s = t - from;
  return (p - 5 * exp(-4 * from)) * s - 1.25 * (exp(-4 * t) - exp(-4 * from)) - 5 * towards * s * s;
}

/* Returns the solution of Shiau-Glowinski 6.3, with masses 1, 2, 3, from x0 with v0 >= 0. Each mass slows down, turns
 * back if the force still exceeds friction, and finally stops. */
static inline Exact exact_63_from(double t, const double *x0, double v0) {
  Exact e = {.x = {x0[0], x0[1], x0[2]}};
  for (int i = 0; i < 3; i++) {
    double m = i + 1, p = m * v0, from = 0;
    bool moving = false;
    for (int towards = v0 > 0 ? 1 : -1; towards >= -1 && !moving; towards -= 2) {
      if (towards < 0 && 20 * exp(-4 * from) <= 10) break;
      double stop = towards > 0 ? from : 4; /* Newton's method starts on the side where the momentum curves away from
                                             * 0 */
      for (double change = 1; fabs(change) > 1e-14; stop += change)
        change = exact_momentum_63(p, towards, from, stop) / (20 * exp(-4 * stop) + 10 * towards);
      moving = !exact_past(t, stop);
      double now = moving ? t : stop;
      e.x[i] += exact_way_63(p, towards, from, now) / m;
      e.v[i] = moving ? exact_momentum_63(p, towards, from, now) / m : 0;
      e.lambda[i] = towards;
      from = stop;
      p = 0;
    }
    if (!moving) e.lambda[i] = -2 * exp(-4 * t);
  }
  return e;
}

static inline Exact exact_63(double t) { return exact_63_from(t, (const double[]){0, 0, 0}, 0); }
static inline Exact exact_63_second(double t) { return exact_63_from(t, (const double[]){1, 3, 5}, 2); }
static inline Exact exact_63_third(double t) { return exact_63_from(t, (const double[]){1, 2, 3}, 1); }

/* Returns the solution of Glowinski et al., remark 6. With w = x' and s = delta w, k(delta) by the sign of delta >
 * 0,
 *
 *     m w' + c (lambda - gamma(w)) + k ((a + b)/2 + (b - a)/2 (sgn s - gamma_gb(s))) = f
 *     m w' + C lambda - c gamma(w) - k (b - a)/2 gamma_gb(delta w) + k (a + b)/2 = f,   C = c + k (b - a)/2
 *
 * where both signs are one multiplier. f is computed from w = sin(2 pi t). On (1, 3/2) w = 0, with C lambda = f - k
 * (a + b)/2 = C (5/2 - 2 t), which lies inside (-C, C). The motion is unique, because sgn is monotone and gamma
 * Lipschitz. */
static inline Exact exact_gearbox(double t) {
  double angle = 2 * EXACT_PI * t;
  bool rests = exact_past(t, 1) && !exact_past(t, 1.5), forward = !exact_past(t, 0.5);
  Exact e = {.lambda = {rests ? 2.5 - 2 * t : forward ? 1 : -1}};
  if (rests) return e;
  e.x[0] = ((exact_past(t, 1.5) ? -1 : 1) - cos(angle)) / (2 * EXACT_PI);
  e.v[0] = sin(angle);
  return e;
}

#endif
