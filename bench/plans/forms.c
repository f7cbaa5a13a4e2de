/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/plans/forms.h"

#include <math.h>

/* Closed forms of the least objective. The mass is m = 1 kg, the threshold c = 1 N and the distance 1 m, unless the
 * file has other values. */
static double least_time(void) { return sqrt(2.0 * (1 + 3) / (1 * 3)); }
static double trapezoid(void) { return 31.0 / 15; } /* 0.6 m/s */
static double turn(void) { return 1.0 / 3 + sqrt(28.0 / 9); }
/* The trajectory in the (x, v) plane consists of two circular arcs about x = -0.8 and x = 1.2, which meet at x =
 * 1.1625. */
static double two_arcs(void) { return acos(1.9625 / 2.3) + acos(-1.0) - acos(-0.0375 / 1.2); }

static double effort_and_time(double w) {
  double T = pow(36 / (1 + w), 0.25);
  return (1 + w) * T + 12 / (T * T * T);
}
static double effort_and_time_1(void) { return effort_and_time(1); }
static double effort_and_time_5(void) { return effort_and_time(5); }

/* Returns the objective (time plus effort) of a cubic spline that passes 0.6 m at 0.8 s and is at rest from 0.8 s + t
 * on. */
static double spline(double t) {
  const double length[] = {0.6, 0.4}, time[] = {0.8, t};
  double w = 12 * (length[0] / (time[0] * time[0]) + length[1] / (t * t)) / (8 / time[0] + 8 / t), sum = 0.8 + t;
  for (int k = 0; k < 2; k++)
    sum += (12 * length[k] * length[k] / time[k] - 12 * length[k] * w + 4 * w * w * time[k]) / (time[k] * time[k]);
  return sum;
}

static double via(void) {
  double low = 0.1, high = 1.2;
  for (int k = 0; k < 200; k++) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (spline(a) < spline(b))
      high = b;
    else
      low = a;
  }
  return spline((low + high) / 2);
}

static double free_via(void) { return 12.0 / 8 + 2; }
static double bryson_denham(void) { return 4 / (9 * 0.1); }
static double push_and_coast(void) { return 2; }
static double stick_and_slip(void) { return 4.0 / 3 * sqrt(6 * 0.1); }

static double inertia(void) {
  double L = 0.05, s = -3 * L + sqrt(9 * L * L + 6 * L);
  return s / (1 - s) + 12 * L * L / (s * s * s);
}

/* Solves the linear-quadratic problem by Riccati's recursion, backwards over 20 segments of 0.2 s. The least cost from
 * the state z = (x, v) is V = z'P z + 2 q'z + r. Within a segment x = z_1 + s z_2 + u s^2/2 at the time s; the cost is
 * that x follows sin t, with weight 10, plus u^2. */
static double riccati(void) {
  enum { SEGMENTS = 20, NODES = 5 };
  static const double node[] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664},
                      weight[] = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                                  0.236926885056189};
  const double h = 0.2, A[2][3] = {{1, h, h * h / 2}, {0, 1, h}};
  double P[2][2] = {{0}}, q[2] = {0}, r = 0;
  for (int k = SEGMENTS - 1; k >= 0; k--) {
    double Q[3][3] = {{0}}, g[3] = {0};
    Q[2][2] = h;
    for (int n = 0; n < NODES; n++) {
      double s = h / 2 * (1 + node[n]), y = sin(h * k + s), by = 10 * h / 2 * weight[n], line[] = {1, s, s * s / 2};
      r += by * y * y;
      for (int i = 0; i < 3; i++) {
        g[i] -= by * line[i] * y;
        for (int j = 0; j < 3; j++) Q[i][j] += by * line[i] * line[j];
      }
    }
    for (int i = 0; i < 3; i++)
      for (int a = 0; a < 2; a++) {
        g[i] += A[a][i] * q[a];
        for (int b = 0; b < 2; b++)
          for (int j = 0; j < 3; j++) Q[i][j] += A[a][i] * P[a][b] * A[b][j];
      }
    for (int i = 0; i < 2; i++) {
      q[i] = g[i] - Q[i][2] * g[2] / Q[2][2];
      for (int j = 0; j < 2; j++) P[i][j] = Q[i][j] - Q[i][2] * Q[2][j] / Q[2][2];
    }
    r -= g[2] * g[2] / Q[2][2];
  }
  return r;
}

#define EQUAL_PIECES "control.signal={kind: piecewise_constant}"
#define SPEED        "control.limits={speed: 0.6}"
#define SMOOTH       "model={kind: friction, mass: 1, friction: 0, x0: [0]}"

const Form forms[FORMS] = {
    {"least time", "least-time", {EQUAL_PIECES}, 20, least_time, 1e-9, 12},
    {"least time, free lengths", "least-time", {0}, 2, least_time, 1e-9, 10},
    {"Bryson-Denham", "bryson-denham", {0}, 10, bryson_denham, 3.1e-2, 18},
    {"tracking, no friction", "tracking", {SMOOTH, "control.weight=1"}, 20, riccati, 1e-9, 20},
    {"least time", "least-time", {EQUAL_PIECES}, 10, least_time, 6.8e-3, 12},
    {"least time", "least-time", {EQUAL_PIECES}, 50, least_time, 2.8e-4, 12},
    {"least time", "least-time", {EQUAL_PIECES}, 100, least_time, 1e-9, 12},
    {"least time, free lengths", "least-time", {0}, 3, least_time, 1e-9, 10},
    {"least time, free lengths", "least-time", {0}, 5, least_time, 1e-9, 10},
    {"and v <= 0.6", "least-time", {EQUAL_PIECES, SPEED}, 10, trapezoid, 3.5e-3, 8},
    {"and v <= 0.6", "least-time", {EQUAL_PIECES, SPEED}, 20, trapezoid, 1.6e-3, 8},
    {"and v <= 0.6", "least-time", {EQUAL_PIECES, SPEED}, 50, trapezoid, 4.6e-4, 8},
    {"and v <= 0.6", "least-time", {EQUAL_PIECES, SPEED}, 100, trapezoid, 1.5e-3, 8},
    {"and v <= 0.6, free lengths", "least-time", {SPEED}, 3, trapezoid, 1e-9, 8},
    {"turn round, free lengths", "least-time-turn", {0}, 3, turn, 1e-9, 10},
    {"oscillator", "least-time-spring", {EQUAL_PIECES}, 10, two_arcs, 4.2e-3, 18},
    {"oscillator", "least-time-spring", {EQUAL_PIECES}, 20, two_arcs, 8.3e-4, 18},
    {"oscillator", "least-time-spring", {EQUAL_PIECES}, 50, two_arcs, 8.2e-5, 18},
    {"oscillator, free lengths", "least-time-spring", {0}, 2, two_arcs, 1e-9, 16},
    {"effort + time", "effort-and-time", {0}, 10, effort_and_time_1, 2.6e-3, 12},
    {"effort + time", "effort-and-time", {0}, 40, effort_and_time_1, 1.7e-4, 12},
    {"effort + time", "effort-and-time", {0}, 80, effort_and_time_1, 4.1e-5, 12},
    {"effort + 5 time", "effort-and-time", {"control.minimize.time=5"}, 40, effort_and_time_5, 1.7e-4, 12},
    {"via", "via", {0}, 10, via, 1.7e-2, 10},
    {"via", "via", {0}, 40, via, 1.1e-3, 10},
    {"via", "via", {0}, 80, via, 2.8e-4, 10},
    {"via at a free time", "via", {"control.target.via=[{at: free, position: [0.6]}]"}, 40, free_via, 2.8e-4, 10},
    {"Bryson-Denham", "bryson-denham", {0}, 40, bryson_denham, 1.8e-3, 18},
    {"Bryson-Denham", "bryson-denham", {0}, 80, bryson_denham, 4.4e-4, 18},
    {"fuel", "fuel", {0}, 15, push_and_coast, 1e-9, 12},
    {"fuel", "fuel", {0}, 60, push_and_coast, 1e-9, 12},
    {"periodic drive", "drive", {0}, 10, stick_and_slip, 1.7e-2, 10},
    {"periodic drive", "drive", {0}, 40, stick_and_slip, 1.1e-3, 10},
    {"periodic drive", "drive", {0}, 80, stick_and_slip, 2.7e-4, 10},
    {"inertia drive", "inertia-drive", {0}, 20, inertia, 5.2e-3, 8},
    {"inertia drive", "inertia-drive", {0}, 40, inertia, 1.4e-3, 8},
    {"inertia drive", "inertia-drive", {0}, 80, inertia, 3.3e-4, 8},
};
