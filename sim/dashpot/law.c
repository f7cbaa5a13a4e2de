/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/dashpot/law.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TAKES_GAMMA = 1, TAKES_F_CRIT = 2, TAKES_SELECTION = 4, ITERATIONS_MAX = 200 };

static const struct Law {
  unsigned takes; /* set of the bits TAKES_..: the keys that the law has */
  int degree;     /* degree of the polynomial V (speed over the excess of the force); 0: Coulomb's law */
} table[] = {
#define LAW(law, name, sentence, takes, degree, ...) [law] = {takes, degree},
    SIM_DASHPOT_LAWS(LAW)
#undef LAW
};

/* Sets the coefficients of the law's polynomial V. Its constant coefficient is 0. */
static void fill(SimDashpotLaw law, double g, double f, double coefficient[DASHPOT_DEGREE_MAX + 1]) {
#define FILL(law, name, sentence, takes, degree, ...)                                                                  \
  case law: {                                                                                                          \
    const double v[] = {__VA_ARGS__};                                                                                  \
    _Static_assert(degree <= DASHPOT_DEGREE_MAX, #law);                                                                \
    memcpy(coefficient + 1, v, sizeof v);                                                                              \
    return;                                                                                                            \
  }
  switch (law) { SIM_DASHPOT_LAWS(FILL) }
#undef FILL
}

bool sim_dashpot_law_takes(SimDashpotLaw law, const char *key) {
  static const char *const keys[] = {"gamma", "f_crit", "selection"}; /* the index is the number of the bit TAKES_.. */
  for (int k = 0; k < 3; k++)
    if (strcmp(keys[k], key) == 0) return table[law].takes >> k & 1;
  return false;
}

/* The value of a polynomial at w >= 0. */
typedef struct Value {
  double value, slope;
  double scale; /* sum |a_i| w^i; multiplied by DBL_EPSILON it bounds the rounding error of the value */
} Value;

/* Evaluates a[0] + .. + a[n] w^n by Horner's rule. */
static Value polynomial(int n, const double *a, double w) {
  Value at = {a[n], 0, fabs(a[n])};
  for (int i = n - 1; i >= 0; i--) {
    at.slope = at.slope * w + at.value;
    at.value = at.value * w + a[i];
    at.scale = at.scale * w + fabs(a[i]);
  }
  return at;
}

/* Returns r^(1/k), r > 0, with a rounding error that does not depend on units: for 2^(k q) r the result is exactly 2^q
 * times as large. */
static double kth_root(double r, int k) {
  enum { UP = 1100 }; /* exponents are above -UP, so that the quotient is rounded down */
  int exponent = 0;
  double part = frexp(r, &exponent);
  int whole = (exponent + UP * k) / k - UP;
  return ldexp(pow(part * (double)(1 << (exponent - k * whole)), 1. / k), whole);
}

/* Returns an upper bound of the positive roots: 2 max |a_{n-k}/a_n|^(1/k) over the coefficients with a sign opposite to
 * that of a_n (Kioustelidis). */
static double root_bound(int n, const double *a) {
  double bound = 0;
  for (int k = 1; k <= n; k++)
    if (copysign(1, a[n]) * a[n - k] < 0) bound = fmax(bound, kth_root(fabs(a[n - k] / a[n]), k));
  return 2 * bound;
}

/* Finds the root between low and high, where the polynomial has opposite signs, by Newton's method from `start` inside
 * a bracket that shrinks in each iteration. The bracket is halved if a Newton step would leave it or is longer than
 * half the previous step. Returns NAN if it has not converged. */
static double bracketed_root(int n, const double *a, double low, double high, bool rising, double start,
                             StepTally *tally) {
  double w = start, step = INFINITY;
  for (int i = 0; i < ITERATIONS_MAX; i++) {
    Value at = polynomial(n, a, w);
    tally->iterations++;
    if (fabs(at.value) <= DBL_EPSILON * at.scale) return w;
    if ((at.value > 0) == rising)
      high = w;
    else
      low = w;
    double next = w - at.value / at.slope;
    if (!(next >= low && next <= high && fabs(next - w) <= step / 2)) next = low + (high - low) / 2;
    step = fabs(next - w);
    if (step <= DBL_EPSILON * next) return next;
    w = next;
  }
  return NAN;
}

/* Finds the roots w > 0 up to bound, in increasing order. turns [n_turns]: positive roots of the derivative,
 * increasing; between two turns there is at most one root. A turn at which the polynomial just touches zero counts as
 * two roots or none. Newton's method starts at the lower end of a branch. The laws are concave from the threshold on,
 * so it does not overshoot. The last branch is convex at large w, and there it starts at the upper end. Returns -1 if
 * it has not converged. */
static int roots_between(int n, const double *a, double bound, int n_turns, const double *turns, double *roots,
                         StepTally *tally) {
  double low = 0;
  int count = 0;
  bool negative = a[0] < 0;
  for (int i = 0; i <= n_turns; i++) {
    bool last = i == n_turns;
    double high = last ? fmax(bound, low) : turns[i];
    bool negative_before = negative;
    negative = last ? a[n] < 0 : polynomial(n, a, high).value < 0;
    if (negative != negative_before) {
      roots[count] = bracketed_root(n, a, low, high, negative_before, last ? high : low, tally);
      if (isnan(roots[count++])) return -1;
    }
    low = high;
  }
  return count;
}

/* Finds the positive roots of a polynomial of degree n >= 1 from those of its derivatives, of which the last is
 * linear. */
static int positive_roots(int n, const double *a, double *roots) {
  double derivative[DASHPOT_DEGREE_MAX + 1][DASHPOT_DEGREE_MAX + 1];
  double turns[DASHPOT_DEGREE_MAX], found[DASHPOT_DEGREE_MAX] = {0};
  StepTally tally = {0};
  int count = 0;
  memcpy(derivative[n], a, (size_t)(n + 1) * sizeof *a);
  for (int k = n; k > 1; k--)
    for (int i = 1; i <= k; i++) derivative[k - 1][i - 1] = i * derivative[k][i];
  for (int k = 1; k <= n && count >= 0; k++) {
    memcpy(turns, found, (size_t)count * sizeof *turns);
    count = roots_between(k, derivative[k], root_bound(k, derivative[k]), count, turns, found, &tally);
  }
  for (int i = 0; i < count; i++) roots[i] = found[i];
  return count < 0 ? 0 : count;
}

DashpotLine dashpot_line(const SimDashpot *dashpot, double f_crit, double c) {
  DashpotLine line = {.selection = dashpot->selection, .f_crit = f_crit, .c = c, .degree = table[dashpot->law].degree};
  if (!line.degree) return line;
  double derivative[DASHPOT_DEGREE_MAX];
  fill(dashpot->law, dashpot->g, f_crit, line.coefficient);
  line.coefficient[1] += c;
  for (int i = 1; i <= line.degree; i++) derivative[i - 1] = i * line.coefficient[i];
  line.bound = root_bound(line.degree, line.coefficient);
  if (line.degree > 1) line.n_folds = positive_roots(line.degree - 1, derivative, line.fold);
  return line;
}

double dashpot_line_value(const DashpotLine *line, double w) {
  return polynomial(line->degree, line->coefficient, w).value;
}

double dashpot_line_slope(const DashpotLine *line, double w) {
  return polynomial(line->degree, line->coefficient, w).slope;
}

double dashpot_line_response(const DashpotLine *line, double w) {
  if (!line->degree) return line->c;
  double slope = dashpot_line_slope(line, w);
  return line->c * (slope - line->c) / slope;
}

int dashpot_line_meet(const DashpotLine *line, double e, double w[DASHPOT_DEGREE_MAX], StepTally *tally) {
  double shifted[DASHPOT_DEGREE_MAX + 1];
  if (line->degree <= 1) {
    w[0] = line->degree ? e / line->coefficient[1] : 0;
    return 1;
  }
  if (e == 0) {
    w[0] = 0;
    return 1;
  }
  memcpy(shifted, line->coefficient, sizeof shifted);
  shifted[0] -= e;
  double bound = fmax(line->bound, 2 * kth_root(e / shifted[line->degree], line->degree));
  int count = roots_between(line->degree, shifted, bound, line->n_folds, line->fold, w, tally);
  for (int i = 0; i < count; i++) tally->residual = fmax(tally->residual, fabs(dashpot_line_value(line, w[i]) - e));
  return count < 0 ? 0 : count;
}

bool dashpot_prefers(const DashpotLine *line, double e, double speed, double w, double best) {
  double v = e - line->c * w, v_best = e - line->c * best;
  if (line->selection == SIM_NEAREST_VELOCITY) return fabs(v - speed) < fabs(v_best - speed);
  return (line->f_crit + w) * v > (line->f_crit + best) * v_best;
}
