/* SPDX-License-Identifier: BSD-2-Clause */
/* The model of the kind mechanism: two coupled coordinates. */
#ifndef TESTS_KINDS_MECHANISM_H
#define TESTS_KINDS_MECHANISM_H

#include "tests/sim/core/kinds_model.h"

#define ARM_FEATURES(X)                                                                                                \
  X(ARM_NOTHING, "nothing")                                                                                            \
  X(ARM_TURNS, "a mass that depends on the place")                                                                     \
  X(ARM_VISCOUS, "viscous friction")                                                                                   \
  X(ARM_SKEW, "forces across the rates")                                                                               \
  X(ARM_CUBIC, "a spring with a law")                                                                                  \
  X(ARM_DRIVEN, "a base that moves")                                                                                   \
  X(ARM_KINK, "a force with kinks")                                                                                    \
  X(ARM_PLACE, "friction by place")                                                                                    \
  X(ARM_RATE, "friction by rate")                                                                                      \
  X(ARM_TIME, "friction in time")                                                                                      \
  X(ARM_SMOOTH, "a coordinate without friction")                                                                       \
  X(ARM_RIGID, "rigid stops")                                                                                          \
  X(ARM_ELASTIC, "elastic stops")                                                                                      \
  X(ARM_SIGNAL, "a control that varies")                                                                               \
  X(ARM_RESTS, "a start at rest")
enum { ARM_FEATURES(KIND_ENUMERATOR) ARM_COUNT };
static const char *const arm_names[] = {ARM_FEATURES(KIND_NAME)};

static const double ARM_U[2] = {2.5, -3}, ARM_X[2] = {0.3, -0.2}, ARM_V[2] = {0.6, -0.5};
static const double ARM_LOWER = 0.1, ARM_UPPER = 0.304, ARM_BOUNCE = 0.6, ARM_END = 0.203, ARM_END_K = 150;

static bool arm_exclude(int a, int b) {
  return (a == ARM_RATE && b == ARM_SMOOTH) || (b == ARM_RATE && a == ARM_SMOOTH);
}

static double arm_force(int i, double t) { return posed.sign * (i == 0 ? 6 * sin(5 * t) : 4 * cos(4 * t)); }

static void arm_stops(SimProblem *p, const Motion *m) {
  bool rigid = has(m, ARM_RIGID), elastic = has(m, ARM_ELASTIC);
  p->stops.present = rigid || elastic;
  p->stops.lower[0] = !rigid ? NAN : m->sign > 0 ? ARM_LOWER : -ARM_UPPER;
  p->stops.upper[0] = !rigid ? NAN : m->sign > 0 ? ARM_UPPER : -ARM_LOWER;
  p->stops.lower[1] = elastic ? -ARM_END : NAN;
  p->stops.upper[1] = elastic ? ARM_END : NAN;
  p->stops.stiffness[0] = NAN;
  p->stops.stiffness[1] = elastic ? ARM_END_K : NAN;
  p->stops.restitution[0] = rigid ? ARM_BOUNCE : 0;
  p->stops.restitution[1] = 0;
}

static void arm_fill(SimProblem *p, const char *scheme, const Motion *m) {
  char kinetic[200], potential[200], applied[2][200], friction[2][100];
  snprintf(kinetic, sizeof kinetic, "(x'^2 + 0.8*x'*y' + (1.5%s)*y'^2)/2", has(m, ARM_TURNS) ? " + 0.6*cos(2*x)" : "");
  snprintf(potential, sizeof potential, "15*(x - %s)^2 - 10*x*y + 10*y^2%s",
           has(m, ARM_DRIVEN) ? "ps*0.3*sin(6*t)" : "0", has(m, ARM_CUBIC) ? " + 60*x^4 + 20*(y - x)^4" : "");
  snprintf(applied[0], sizeof applied[0], "0%s%s", has(m, ARM_VISCOUS) ? " - 1.2*x'" : "",
           has(m, ARM_SKEW) ? " - 1.2*y'" : "");
  snprintf(applied[1], sizeof applied[1], "0%s%s%s", has(m, ARM_VISCOUS) ? " - 0.9*y'" : "",
           has(m, ARM_SKEW) ? " + 1.2*x'" : "", has(m, ARM_KINK) ? " + 15*(abs(y - 0.1) - abs(y + 0.1))" : "");
  snprintf(friction[0], sizeof friction[0], "1.6%s%s", has(m, ARM_PLACE) ? " + 9*(x - y)^2" : "",
           has(m, ARM_TIME) ? " + 1.4*sin(6*t)" : "");
  snprintf(friction[1], sizeof friction[1], "%s",
           has(m, ARM_SMOOTH) ? "0"
           : has(m, ARM_RATE) ? "1.1*(1 + 2*exp(-abs(y')/0.5))"
                              : "1.1");
  const MechanismText text = {.d = 2,
                              .coordinates = {"x", "y"},
                              .kinetic = kinetic,
                              .potential = potential,
                              .applied = {applied[0], applied[1]},
                              .friction = {friction[0], friction[1]},
                              .parameters = {"ps"},
                              .values = {m->sign}};
  mechanism_problem(&text, 1, MODEL_END, p);
  assert_int_equal(sim_problem_set_scheme(p, scheme), SIM_OK);
  for (int i = 0; i < 2; i++) {
    p->x0[i] = m->sign * ARM_X[i];
    p->v0[i] = has(m, ARM_RESTS) ? 0 : m->sign * ARM_V[i];
  }
  p->v0[0] += m->v0;
  if (m->with & (1u << ARM_RIGID | 1u << ARM_ELASTIC)) arm_stops(p, m);
  p->signal = has(m, ARM_SIGNAL) ? SIM_PIECEWISE_CONSTANT : SIM_CONSTANT;
  p->segments = has(m, ARM_SIGNAL) ? 2 : 1;
}

/* Forces [2] at an instant without friction, and thresholds [2]. */
static void arm_loads(const Motion *m, double t, const double *x, const double *v, double *f, double *c) {
  double base = has(m, ARM_DRIVEN) ? m->sign * 0.3 * sin(6 * t) : 0, e = x[1] - x[0];
  f[0] = arm_force(0, t) + control_at(m, ARM_U[0], ARM_U[1], has(m, ARM_SIGNAL), t) - 30 * (x[0] - base) + 10 * x[1];
  f[1] = arm_force(1, t) + 10 * x[0] - 20 * x[1];
  if (has(m, ARM_CUBIC)) f[0] += -240 * pow(x[0], 3) + 80 * e * e * e, f[1] -= 80 * e * e * e;
  if (has(m, ARM_VISCOUS)) f[0] -= 1.2 * v[0], f[1] -= 0.9 * v[1];
  if (has(m, ARM_SKEW)) f[0] -= 1.2 * v[1], f[1] += 1.2 * v[0];
  if (has(m, ARM_KINK)) f[1] += 15 * (fabs(x[1] - 0.1) - fabs(x[1] + 0.1));
  if (has(m, ARM_TURNS)) f[0] -= 0.6 * sin(2 * x[0]) * v[1] * v[1], f[1] += 1.2 * sin(2 * x[0]) * v[0] * v[1];
  if (has(m, ARM_ELASTIC)) f[1] -= ARM_END_K * soft(x[1], ARM_END);
  c[0] = 1.6 + (has(m, ARM_PLACE) ? 9 * e * e : 0) + (has(m, ARM_TIME) ? 1.4 * sin(6 * t) : 0);
  c[1] = has(m, ARM_SMOOTH) ? 0 : 1.1 * (has(m, ARM_RATE) ? 1 + 2 * exp(-fabs(v[1]) / 0.5) : 1);
}

static void arm_reference(const Motion *m, double *x, double *v) {
  enum { SWEEPS = 24 };
  double h = MODEL_END / REFERENCE_STEPS, f[2], c[2];
  posed = *m;
  for (int i = 0; i < 2; i++) {
    x[i] = m->sign * ARM_X[i];
    v[i] = has(m, ARM_RESTS) ? 0 : m->sign * ARM_V[i];
  }
  for (int n = 0; n < REFERENCE_STEPS; n++) {
    double m2 = 1.5 + (has(m, ARM_TURNS) ? 0.6 * cos(2 * x[0]) : 0), between = 0.4;
    arm_loads(m, (n + 0.5) * h, x, v, f, c);
    double b[2] = {v[0] + between * v[1] + h * f[0], between * v[0] + m2 * v[1] + h * f[1]};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      v[0] = soft(b[0] - between * v[1], h * c[0]);
      v[1] = soft(b[1] - between * v[0], h * c[1]) / m2;
    }
    for (int i = 0; i < 2; i++) x[i] += h * v[i];
    double low = m->sign > 0 ? ARM_LOWER : -ARM_UPPER, high = m->sign > 0 ? ARM_UPPER : -ARM_LOWER;
    if (has(m, ARM_RIGID) && ((x[0] < low && v[0] < 0) || (x[0] > high && v[0] > 0))) {
      x[0] = x[0] < low ? low : high;
      v[1] += between / m2 * (1 + ARM_BOUNCE) * v[0]; /* the impulse acts on x alone */
      v[0] *= -ARM_BOUNCE;
    }
  }
}

static const KindModel arm_model = {.kind = SIM_MECHANISM,
                                    .d = 2,
                                    .features = ARM_COUNT,
                                    .names = arm_names,
                                    .exclude = arm_exclude,
                                    .symmetric = always,
                                    .fill = arm_fill,
                                    .force = arm_force,
                                    .reference = arm_reference};

#endif
