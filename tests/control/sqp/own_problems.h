/* SPDX-License-Identifier: BSD-2-Clause */
/* Smooth problems with known answers: from Hock and Schittkowski, Test Examples for Nonlinear Programming Codes
 * (1981), with their starts and minima, and others with closed forms. Derivatives are exact to round-off, by complex
 * steps. */
#ifndef TESTS_SQP_OWN_PROBLEMS_H
#define TESTS_SQP_OWN_PROBLEMS_H

#include "control/evaluator.h"

#include <complex.h>
#include <math.h>

enum { OWN_MOST = 24 /* OWN_MOST: largest number of variables, and of values */ };

typedef double complex OwnNumber;

typedef struct OwnProblem {
  const char *name;
  int n, m;
  const char *roles; /* [m] roles of the values: o objective, r residual, = must be 0, < at most 0, > at least 0 */
  void (*values)(const OwnNumber *x, OwnNumber *y);
  double least;
  double start[OWN_MOST], lower, upper; /* lower, upper: bounds of all variables; both 0: none */
} OwnProblem;

static inline OwnNumber square(OwnNumber x) { return x * x; }

static void hs6(const OwnNumber *x, OwnNumber *y) {
  y[0] = square(1 - x[0]);
  y[1] = 10 * (x[1] - square(x[0]));
}

static void hs7(const OwnNumber *x, OwnNumber *y) {
  y[0] = clog(1 + square(x[0])) - x[1];
  y[1] = square(1 + square(x[0])) + square(x[1]) - 4;
}

static void hs10(const OwnNumber *x, OwnNumber *y) {
  y[0] = x[0] - x[1];
  y[1] = -3 * square(x[0]) + 2 * x[0] * x[1] - square(x[1]) + 1;
}

static void hs11(const OwnNumber *x, OwnNumber *y) {
  y[0] = square(x[0] - 5) + square(x[1]) - 25;
  y[1] = x[1] - square(x[0]);
}

static void hs12(const OwnNumber *x, OwnNumber *y) {
  y[0] = square(x[0]) / 2 + square(x[1]) - x[0] * x[1] - 7 * x[0] - 7 * x[1];
  y[1] = 4 * square(x[0]) + square(x[1]) - 25;
}

static void hs21(const OwnNumber *x, OwnNumber *y) {
  y[0] = 0.01 * square(x[0]) + square(x[1]) - 100;
  y[1] = 10 * x[0] - x[1] - 10;
  y[2] = x[0] - 2;
}

static void hs26(const OwnNumber *x, OwnNumber *y) {
  y[0] = square(x[0] - x[1]) + square(square(x[1] - x[2]));
  y[1] = (1 + square(x[1])) * x[0] + square(square(x[2])) - 3;
}

static void hs28(const OwnNumber *x, OwnNumber *y) {
  y[0] = x[0] + x[1];
  y[1] = x[1] + x[2];
  y[2] = x[0] + 2 * x[1] + 3 * x[2] - 1;
}

static void hs35(const OwnNumber *x, OwnNumber *y) {
  y[0] = 9 - 8 * x[0] - 6 * x[1] - 4 * x[2] + 2 * square(x[0]) + 2 * square(x[1]) + square(x[2]) + 2 * x[0] * x[1] +
         2 * x[0] * x[2];
  y[1] = x[0] + x[1] + 2 * x[2] - 3;
}

static void hs39(const OwnNumber *x, OwnNumber *y) {
  y[0] = -x[0];
  y[1] = x[1] - x[0] * square(x[0]) - square(x[2]);
  y[2] = square(x[0]) - x[1] - square(x[3]);
}

static void hs40(const OwnNumber *x, OwnNumber *y) {
  y[0] = -x[0] * x[1] * x[2] * x[3];
  y[1] = x[0] * square(x[0]) + square(x[1]) - 1;
  y[2] = square(x[0]) * x[3] - x[2];
  y[3] = square(x[3]) - x[1];
}

static void hs43(const OwnNumber *x, OwnNumber *y) {
  OwnNumber a = square(x[0]), b = square(x[1]), c = square(x[2]), d = square(x[3]);
  y[0] = a + b + 2 * c + d - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3];
  y[1] = 8 - a - b - c - d - x[0] + x[1] - x[2] + x[3];
  y[2] = 10 - a - 2 * b - c - 2 * d + x[0] + x[3];
  y[3] = 5 - 2 * a - b - c - 2 * x[0] + x[1] + x[3];
}

static void hs48(const OwnNumber *x, OwnNumber *y) {
  y[0] = x[0] - 1;
  y[1] = x[1] - x[2];
  y[2] = x[3] - x[4];
  y[3] = x[0] + x[1] + x[2] + x[3] + x[4] - 5;
  y[4] = x[2] - 2 * (x[3] + x[4]) + 3;
}

static void hs71(const OwnNumber *x, OwnNumber *y) {
  y[0] = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
  y[1] = x[0] * x[1] * x[2] * x[3] - 25;
  y[2] = square(x[0]) + square(x[1]) + square(x[2]) + square(x[3]) - 40;
}

static void hs76(const OwnNumber *x, OwnNumber *y) {
  y[0] = square(x[0]) + square(x[1]) / 2 + square(x[2]) + square(x[3]) / 2 - x[0] * x[2] + x[2] * x[3] - x[0] -
         3 * x[1] + x[2] - x[3];
  y[1] = x[0] + 2 * x[1] + x[2] + x[3] - 5;
  y[2] = 3 * x[0] + x[1] + 2 * x[2] - x[3] - 4;
  y[3] = x[1] + 4 * x[2] - 1.5;
}

static void hs100(const OwnNumber *x, OwnNumber *y) {
  OwnNumber b = square(x[1]), d = square(x[3]), e = square(x[4]);
  y[0] = square(x[0] - 10) + 5 * square(x[1] - 12) + square(square(x[2])) + 3 * square(x[3] - 11) + 10 * e * e * e +
         7 * square(x[5]) + square(square(x[6])) - 4 * x[5] * x[6] - 10 * x[5] - 8 * x[6];
  y[1] = 2 * square(x[0]) + 3 * b * b + x[2] + 4 * d + 5 * x[4] - 127;
  y[2] = 7 * x[0] + 3 * x[1] + 10 * square(x[2]) + x[3] - x[4] - 282;
  y[3] = 23 * x[0] + b + 6 * square(x[5]) - 8 * x[6] - 196;
  y[4] = 4 * square(x[0]) + b - 3 * x[0] * x[1] + 2 * square(x[2]) + 5 * x[5] - 11 * x[6];
}

/* Rosenbrock's function, as two squares and as a single objective. */
static void valley(const OwnNumber *x, OwnNumber *y) {
  y[0] = 10 * (x[1] - square(x[0]));
  y[1] = 1 - x[0];
}

static void valley_sum(const OwnNumber *x, OwnNumber *y) {
  valley(x, y);
  y[0] = square(y[0]) + square(y[1]);
}

/* Least time T = x[n - 1] of x'' = u, |u| <= 1, from rest to rest over 1 m, where u has 10 equal pieces: T = 2. */
static void least_time(const OwnNumber *x, OwnNumber *y) {
  enum { PIECES = 10 };
  OwnNumber h = x[PIECES] / PIECES;
  y[0] = x[PIECES];
  y[1] = -1;
  y[2] = 0;
  for (int k = 0; k < PIECES; k++) {
    y[1] += square(h) * x[k] * (PIECES - k - 0.5);
    y[2] += h * x[k];
  }
}

static const OwnProblem own_problems[] = {
    {"hs6", 2, 2, "o=", hs6, 0, {-1.2, 1}, 0, 0},
    {"hs7", 2, 2, "o=", hs7, -1.7320508075688772, {2, 2}, 0, 0},
    {"hs10", 2, 2, "o>", hs10, -1, {-10, 10}, 0, 0},
    {"hs11", 2, 2, "o>", hs11, -8.4984642231, {4.9, 0.1}, 0, 0},
    {"hs12", 2, 2, "o<", hs12, -30, {0, 0}, 0, 0},
    {"hs21", 2, 3, "o>>", hs21, -99.96, {-1, -1}, -50, 50},
    {"hs26", 3, 2, "o=", hs26, 0, {-2.6, 2, 2}, 0, 0},
    {"hs28", 3, 3, "rr=", hs28, 0, {-4, 1, 1}, 0, 0},
    {"hs35", 3, 2, "o<", hs35, 1.0 / 9, {0.5, 0.5, 0.5}, 0, 100},
    {"hs39", 4, 3, "o==", hs39, -1, {2, 2, 2, 2}, 0, 0},
    {"hs40", 4, 4, "o===", hs40, -0.25, {0.8, 0.8, 0.8, 0.8}, 0, 0},
    {"hs43", 4, 4, "o>>>", hs43, -44, {0, 0, 0, 0}, 0, 0},
    {"hs48", 5, 5, "rrr==", hs48, 0, {3, 5, -3, 2, -2}, 0, 0},
    {"hs71", 4, 3, "o>=", hs71, 17.0140172892, {1, 5, 5, 1}, 1, 5},
    {"hs76", 4, 4, "o<<>", hs76, -4.6818181818, {0.5, 0.5, 0.5, 0.5}, 0, 100},
    {"hs100", 7, 5, "o<<<<", hs100, 680.6300573744, {1, 2, 0, 4, 0, 1, 1}, 0, 0},
    {"valley", 2, 2, "rr", valley, 0, {-1.2, 1}, 0, 0},
    {"valley, one objective", 2, 1, "o", valley_sum, 0, {-1.2, 1}, 0, 0},
    {"least time", 11, 3, "o==", least_time, 2, {0.5, 0.5, 0.5, 0.5, 0.5, -0.4, -0.4, -0.4, -0.4, -0.4, 3}, -1, 1},
};
enum { OWN_PROBLEMS = sizeof own_problems / sizeof *own_problems };

static inline SimStatus own_rows(void *context, const double *point, double *values, double *rows) {
  static const double STEP = 1e-30;
  const OwnProblem *own = context;
  OwnNumber x[OWN_MOST], y[OWN_MOST];
  for (int i = 0; i < own->n; i++) x[i] = point[i];
  for (int k = 0; k < own->n; k++) {
    x[k] += STEP * I;
    own->values(x, y);
    for (int i = 0; i < own->m; i++) rows[i * own->n + k] = cimag(y[i]) / STEP;
    x[k] = point[k];
  }
  for (int i = 0; i < own->m; i++) values[i] = creal(y[i]);
  return SIM_OK;
}

static inline SimStatus own_values(void *context, const double *point, double *values) {
  const OwnProblem *own = context;
  OwnNumber x[OWN_MOST], y[OWN_MOST];
  for (int i = 0; i < own->n; i++) x[i] = point[i];
  own->values(x, y);
  for (int i = 0; i < own->m; i++) values[i] = creal(y[i]);
  return SIM_OK;
}

/* Sets up the problem for a search with derivatives from its start. Returns SIM_OK or SIM_NO_MEMORY. */
static inline SimStatus own_problem(const OwnProblem *own, CtlProblem *problem) {
  SimStatus status = ctl_problem_init_values(problem, own->n, own->m);
  if (status != SIM_OK) return status;
  for (int i = 0; i < own->m; i++) {
    const char role = own->roles[i];
    stiction_control_set_role(problem, i,
                              role == 'o'   ? CTL_ROLE_OBJECTIVE
                              : role == 'r' ? CTL_ROLE_RESIDUAL
                              : role == '=' ? CTL_ROLE_EQUAL
                              : role == '<' ? CTL_ROLE_AT_MOST
                                            : CTL_ROLE_AT_LEAST,
                              0, 0);
  }
  for (int i = 0; i < own->n; i++) {
    bool time = own->values == least_time && i == own->n - 1;
    problem->start[i] = own->start[i];
    if (own->lower == own->upper) continue;
    problem->lower[i] = time ? 0.1 : own->lower;
    problem->upper[i] = time ? 10 : own->upper;
  }
  problem->method = ctl_method_find("auto");
  problem->derivatives = true;
  return SIM_OK;
}

static inline CtlFunction own_function(const OwnProblem *own) {
  return (CtlFunction){.n = own->n, .m = own->m, .context = (void *)own, .values = own_values, .rows = own_rows};
}

#endif
