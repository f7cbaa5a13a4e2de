/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/dfo/functions.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

/* Returns sin(s)^5 + cos(s)^5 for s = ln v. */
static double fifths(double v) {
  double s = sin(log(v)), c = cos(log(v));
  return square(square(s)) * s + square(square(c)) * c;
}

static void fill(int n, double *x, double value) {
  for (int j = 0; j < n; j++) x[j] = value;
}
static void ones(int n, double *x) { fill(n, x, 1); }
static void halves(int n, double *x) { fill(n, x, 0.5); }

/* Residuals ------------------------------------------------------------------------------------------------ */

static void linear_full_rank(int n, int m, const double *x, double *r) {
  double sum = 0;
  for (int j = 0; j < n; j++) sum += x[j];
  for (int i = 0; i < m; i++) r[i] = (i < n ? x[i] : 0) - 2 * sum / m - 1;
}

static void linear_rank_1(int n, int m, const double *x, double *r) {
  double sum = 0;
  for (int j = 0; j < n; j++) sum += (j + 1) * x[j];
  for (int i = 0; i < m; i++) r[i] = (i + 1) * sum - 1;
}

/* Residuals of the function above (linear, rank 1) without its first and last variable and without its first and last
 * row. */
static void linear_rank_1_zero(int n, int m, const double *x, double *r) {
  double sum = 0;
  for (int j = 1; j < n - 1; j++) sum += (j + 1) * x[j];
  for (int i = 0; i < m; i++) r[i] = (i < m - 1 ? i * sum : 0) - 1;
}

static void rosenbrock(int n, int m, const double *x, double *r) {
  (void)n, (void)m;
  r[0] = 10 * (x[1] - square(x[0]));
  r[1] = 1 - x[0];
}

/* theta is the angle of (x_1, x_2) in turns, between -1/4 and 3/4. */
static void helical_valley(int n, int m, const double *x, double *r) {
  (void)n, (void)m;
  double theta = x[0] == 0 ? 0.25 : atan(x[1] / x[0]) / (2 * PI) + (x[0] < 0 ? 0.5 : 0);
  r[0] = 10 * (x[2] - 10 * theta);
  r[1] = 10 * (sqrt(square(x[0]) + square(x[1])) - 1);
  r[2] = x[2];
}

static void powell_singular(int n, int m, const double *x, double *r) {
  (void)n, (void)m;
  r[0] = x[0] + 10 * x[1];
  r[1] = sqrt(5) * (x[2] - x[3]);
  r[2] = square(x[1] - 2 * x[2]);
  r[3] = sqrt(10) * square(x[0] - x[3]);
}

static void freudenstein_roth(int n, int m, const double *x, double *r) {
  (void)n, (void)m;
  r[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
  r[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
}

static void bard(int n, int m, const double *x, double *r) {
  static const double y[] = {0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
  (void)n;
  for (int i = 0; i < m; i++) {
    double u = i + 1, v = 16 - u;
    r[i] = y[i] - (x[0] + u / (v * x[1] + fmin(u, v) * x[2]));
  }
}

static void kowalik_osborne(int n, int m, const double *x, double *r) {
  static const double y[] = {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246};
  static const double u[] = {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625};
  (void)n;
  for (int i = 0; i < m; i++) r[i] = y[i] - x[0] * u[i] * (u[i] + x[1]) / (u[i] * (u[i] + x[2]) + x[3]);
}

static void meyer(int n, int m, const double *x, double *r) {
  static const double y[] = {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                             8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};
  (void)n;
  for (int i = 0; i < m; i++) r[i] = x[0] * exp(x[1] / (45 + 5 * (i + 1) + x[2])) - y[i];
}

/* At 29 points the residual is the derivative of the polynomial with coefficients x, minus the square of the
 * polynomial, minus 1. */
static void watson(int n, int m, const double *x, double *r) {
  for (int i = 0; i < m - 2; i++) {
    double t = (i + 1) / 29.0, value = 0, derivative = 0;
    for (int j = n - 1; j >= 0; j--) {
      derivative = derivative * t + value;
      value = value * t + x[j];
    }
    r[i] = derivative - square(value) - 1;
  }
  r[m - 2] = x[0];
  r[m - 1] = x[1] - square(x[0]) - 1;
}

static void box_3d(int n, int m, const double *x, double *r) {
  (void)n;
  for (int i = 0; i < m; i++) {
    double t = 0.1 * (i + 1);
    r[i] = exp(-t * x[0]) - exp(-t * x[1]) - x[2] * (exp(-t) - exp(-10 * t));
  }
}

static void jennrich_sampson(int n, int m, const double *x, double *r) {
  (void)n;
  for (int i = 1; i <= m; i++) r[i - 1] = 2 + 2 * i - (exp(i * x[0]) + exp(i * x[1]));
}

static void brown_dennis(int n, int m, const double *x, double *r) {
  (void)n;
  for (int i = 0; i < m; i++) {
    double t = (i + 1) / 5.0;
    r[i] = square(x[0] + t * x[1] - exp(t)) + square(x[2] + x[3] * sin(t) - cos(t));
  }
}

/* A residual is the mean of a Chebyshev polynomial T_i at the points, in 0..1, minus its integral. */
static void chebyquad(int n, int m, const double *x, double *r) {
  memset(r, 0, (size_t)m * sizeof *r);
  for (int j = 0; j < n; j++) {
    double z = 2 * x[j] - 1, before = 1, t = z;
    for (int i = 0; i < m; i++) {
      double next = 2 * z * t - before;
      r[i] += t / n;
      before = t;
      t = next;
    }
  }
  for (int i = 2; i <= m; i += 2) r[i - 1] += 1.0 / (i * i - 1);
}

static void brown_almost_linear(int n, int m, const double *x, double *r) {
  double sum = 0, product = 1;
  (void)m;
  for (int j = 0; j < n; j++) {
    sum += x[j];
    product *= x[j];
  }
  for (int i = 0; i < n - 1; i++) r[i] = x[i] + sum - (n + 1);
  r[n - 1] = product - 1;
}

static void osborne_1(int n, int m, const double *x, double *r) {
  static const double y[] = {0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751,
                             0.718, 0.685, 0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490,
                             0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406};
  (void)n;
  for (int i = 0; i < m; i++) {
    double t = 10 * i;
    r[i] = y[i] - (x[0] + x[1] * exp(-t * x[3]) + x[2] * exp(-t * x[4]));
  }
}

static void osborne_2(int n, int m, const double *x, double *r) {
  static const double y[] = {1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608,
                             0.655, 0.616, 0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661,
                             0.612, 0.558, 0.533, 0.495, 0.500, 0.423, 0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428,
                             0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668, 0.645, 0.632, 0.591, 0.559,
                             0.597, 0.625, 0.739, 0.710, 0.729, 0.720, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098, 0.054};
  (void)n;
  for (int i = 0; i < m; i++) {
    double t = i / 10.0, sum = x[0] * exp(-t * x[4]);
    for (int k = 1; k <= 3; k++) sum += x[k] * exp(-square(t - x[7 + k]) * x[4 + k]);
    r[i] = y[i] - sum;
  }
}

static void bdqrtic(int n, int m, const double *x, double *r) {
  (void)m;
  for (int i = 0; i < n - 4; i++) {
    r[i] = 3 - 4 * x[i];
    r[n - 4 + i] = 5 * square(x[n - 1]);
    for (int k = 0; k < 4; k++) r[n - 4 + i] += (k + 1) * square(x[i + k]);
  }
}

static void cube_valley(int n, int m, const double *x, double *r) {
  (void)m;
  r[0] = x[0] - 1;
  for (int i = 1; i < n; i++) r[i] = 10 * (x[i] - cube(x[i - 1]));
}

static void mancino(int n, int m, const double *x, double *r) {
  (void)m;
  for (int i = 1; i <= n; i++) {
    r[i - 1] = 1400 * x[i - 1] + cube(i - 50);
    for (int j = 1; j <= n; j++) {
      double v = sqrt(square(x[i - 1]) + (double)i / j);
      r[i - 1] += v * fifths(v);
    }
  }
}

/* x = (a, b, c, d, t, u, v, w). With p = a + ic, q = b + id, s = t + iv and z = u + iw, the last six residuals are the
 * real and imaginary parts of ps + qz, ps^2 + qz^2 and ps^3 + qz^3, minus measured values. */
static void heart_8(int n, int m, const double *x, double *r) {
  const double a = x[0], b = x[1], c = x[2], d = x[3], t = x[4], u = x[5], v = x[6], w = x[7];
  const double s2 = t * t - v * v, z2 = u * u - w * w;
  const double s3 = t * (t * t - 3 * v * v), s3i = v * (3 * t * t - v * v); /* real and imaginary part of s^3 */
  const double z3 = u * (u * u - 3 * w * w), z3i = w * (3 * u * u - w * w);
  (void)n, (void)m;
  r[0] = a + b + 0.69;
  r[1] = c + d + 0.044;
  r[2] = t * a + u * b - v * c - w * d + 1.57;
  r[3] = v * a + w * b + t * c + u * d + 1.31;
  r[4] = a * s2 - 2 * c * t * v + b * z2 - 2 * d * u * w + 2.65;
  r[5] = c * s2 + 2 * a * t * v + d * z2 + 2 * b * u * w - 2;
  r[6] = a * s3 - c * s3i + b * z3 - d * z3i + 12.6;
  r[7] = c * s3 + a * s3i + d * z3 + b * z3i - 9.48;
}

/* Starts --------------------------------------------------------------------------------------------------- */

static void evenly(int n, double *x) {
  for (int j = 0; j < n; j++) x[j] = (j + 1.0) / (n + 1);
}

static void mancino_start(int n, double *x) {
  for (int i = 1; i <= n; i++) {
    double sum = cube(i - 50);
    for (int j = 1; j <= n; j++) sum += sqrt((double)i / j) * fifths(sqrt((double)i / j));
    x[i - 1] = -8.710996e-4 * sum;
  }
}

#define START(name, ...)                                                                                               \
  static void name(int n, double *x) {                                                                                 \
    static const double standard[] = {__VA_ARGS__};                                                                    \
    memcpy(x, standard, (size_t)n * sizeof *x);                                                                        \
  }
START(rosenbrock_start, -1.2, 1)
START(helical_start, -1, 0, 0)
START(powell_start, 3, -1, 0, 1)
START(freudenstein_start, 0.5, -2)
START(kowalik_start, 0.25, 0.39, 0.415, 0.39)
START(meyer_start, 0.02, 4000, 250)
START(box_start, 0, 10, 20)
START(jennrich_start, 0.3, 0.4)
START(brown_dennis_start, 25, 5, -5, -1)
START(osborne_1_start, 0.5, 1.5, 1, 0.01, 0.02)
START(osborne_2_start, 1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5)
START(heart_start, -0.3, -0.39, 0.3, -0.344, -1.2, 2.69, 1.59, -1.5)

const DfoFunction dfo_functions[DFO_FUNCTIONS] = {
    {"linear-full-rank", linear_full_rank, ones, false},
    {"linear-rank-1", linear_rank_1, ones, false},
    {"linear-rank-1-zero", linear_rank_1_zero, ones, false},
    {"rosenbrock", rosenbrock, rosenbrock_start, false},
    {"helical-valley", helical_valley, helical_start, false},
    {"powell-singular", powell_singular, powell_start, false},
    {"freudenstein-roth", freudenstein_roth, freudenstein_start, false},
    {"bard", bard, ones, true},
    {"kowalik-osborne", kowalik_osborne, kowalik_start, true},
    {"meyer", meyer, meyer_start, false},
    {"watson", watson, halves, false},
    {"box-3d", box_3d, box_start, false},
    {"jennrich-sampson", jennrich_sampson, jennrich_start, true},
    {"brown-dennis", brown_dennis, brown_dennis_start, false},
    {"chebyquad", chebyquad, evenly, false},
    {"brown-almost-linear", brown_almost_linear, halves, true},
    {"osborne-1", osborne_1, osborne_1_start, true},
    {"osborne-2", osborne_2, osborne_2_start, true},
    {"bdqrtic", bdqrtic, ones, false},
    {"cube", cube_valley, halves, false},
    {"mancino", mancino, mancino_start, false},
    {"heart-8", heart_8, heart_start, false},
};
