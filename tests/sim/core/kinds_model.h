/* SPDX-License-Identifier: BSD-2-Clause */
/* Small models of the kinds chain, dashpot and mechanism with any set of features, that slide, stop and turn within a
 * second, and the same motions by small steps that share no code with sim. */
#ifndef TESTS_KINDS_MODEL_H
#define TESTS_KINDS_MODEL_H

#include "tests/sim/mechanism/mechanism.h"

#include "sim/core/features.h"
#include "sim/core/scheme.h"

enum { MODEL_D = 3, REFERENCE_STEPS = 20000 };
static const double MODEL_END = 1;

/* What is simulated: a set of features, one bit each, and changes of it. */
typedef struct Motion {
  unsigned with;
  double sign;  /* -1: the mirror image */
  double v0, u; /* changes of the first initial velocity and of the first entry of the control */
} Motion;

/* A kind of models. */
typedef struct KindModel {
  SimKind kind;
  int d, features;
  const char *const *names;
  bool (*exclude)(int a, int b); /* pairs that cannot be posed */
  bool (*symmetric)(unsigned with);
  void (*fill)(SimProblem *p, const char *scheme, const Motion *motion);
  FixtureForce *force;
  /* computes x(T), v(T) [d] each; NAN: not to be compared. NULL: there is no reference for these features */
  void (*reference)(const Motion *motion, double *x, double *v);
} KindModel;

static Motion posed; /* the motion for which the functions `force` return the force */

static inline bool has(const Motion *motion, int feature) { return motion->with >> feature & 1; }
static inline double soft(double y, double by) { return y > by ? y - by : y < -by ? y + by : 0; }

/* Control of the first dof in the first and the second half of the motion. */
static inline double control_at(const Motion *motion, double early, double late, bool signal, double t) {
  return motion->sign * (signal && t >= MODEL_END / 2 ? late : early);
}

/* Chains */

#define CHAIN_FEATURES(X)                                                                                              \
  X(CHAIN_NOTHING, "nothing")                                                                                          \
  X(CHAIN_SEMI, "mass at the last node alone")                                                                         \
  X(CHAIN_QUASI, "no mass")                                                                                            \
  X(CHAIN_FREE, "a free end")                                                                                          \
  X(CHAIN_MOVED, "an end that moves")                                                                                  \
  X(CHAIN_SIGNAL, "a control that varies")                                                                             \
  X(CHAIN_LOOSE, "no first spring")                                                                                    \
  X(CHAIN_SLIPPERY, "a node without friction")                                                                         \
  X(CHAIN_STARTS, "a node that moves at the start")
#define KIND_ENUMERATOR(name, text) name,
#define KIND_NAME(name, text)       text,
enum { CHAIN_FEATURES(KIND_ENUMERATOR) CHAIN_COUNT };
static const char *const chain_names[] = {CHAIN_FEATURES(KIND_NAME)};

static const double CHAIN_MASS[3] = {1, 1.5, 1.2}, CHAIN_C[3] = {0.5, 0.4, 0.45}, CHAIN_K[4] = {8, 6, 5, 7};
static const double CHAIN_U[2] = {0.3, -1.2}, CHAIN_SPEED = 0.8;

static bool chain_exclude(int a, int b) {
  if (a > b) return chain_exclude(b, a);
  return (a == CHAIN_SEMI && b == CHAIN_QUASI) || (a == CHAIN_FREE && b == CHAIN_MOVED) ||
         (a == CHAIN_QUASI && b == CHAIN_STARTS);
}
static bool always(unsigned with) { return with < UINT32_MAX; }

static inline double chain_k(const Motion *m, int k) {
  return (k == 0 && has(m, CHAIN_LOOSE)) || (k == 3 && has(m, CHAIN_FREE)) ? 0 : CHAIN_K[k];
}
static inline double chain_c(const Motion *m, int i) { return i == 1 && has(m, CHAIN_SLIPPERY) ? 0 : CHAIN_C[i]; }
static inline int chain_light(const Motion *m) { return has(m, CHAIN_QUASI) ? 3 : has(m, CHAIN_SEMI) ? 2 : 0; }

static double chain_force(int i, double t) {
  static const double amplitude[3] = {3, -2, 2.5}, omega[3] = {5, 4, 6};
  double f = amplitude[i] * sin(omega[i] * t);
  if (i == 2 && has(&posed, CHAIN_FREE)) f -= 1.5 * sin(7 * t);
  if (i == 2 && has(&posed, CHAIN_MOVED)) f += CHAIN_K[3] * 0.4 * sin(3 * t);
  return posed.sign * f;
}

static void chain_fill(SimProblem *p, const char *scheme, const Motion *m) {
  assert_int_equal(sim_problem_init(p, SIM_CHAIN, 3, 1), SIM_OK);
  p->chain.chain_case = has(m, CHAIN_QUASI)  ? SIM_CHAIN_QUASISTATIC
                        : has(m, CHAIN_SEMI) ? SIM_CHAIN_SEMI_DYNAMICAL
                                             : SIM_CHAIN_DYNAMICAL;
  p->chain.end = has(m, CHAIN_FREE) ? SIM_END_FREE : has(m, CHAIN_MOVED) ? SIM_END_DISPLACEMENT : SIM_END_CLAMPED;
  fixture_scheme(p, scheme);
  for (int k = 0; k < 4; k++) p->chain.springs[k] = chain_k(m, k);
  for (int i = 0; i < 3; i++) {
    p->friction[i] = chain_c(m, i);
    p->chain.node_mass[i] = i < chain_light(m) ? 0 : CHAIN_MASS[i];
  }
  p->v0[2] = has(m, CHAIN_STARTS) ? m->sign * CHAIN_SPEED : 0;
  if (chain_light(m) == 0) p->v0[0] = m->v0;
  p->signal = has(m, CHAIN_SIGNAL) ? SIM_PIECEWISE_CONSTANT : SIM_CONSTANT;
  p->segments = has(m, CHAIN_SIGNAL) ? 2 : 1;
}

/* Load on node i from the force, the control and the springs to the other nodes; *stiffness: K_ii. */
static double chain_load(const Motion *m, int i, double t, const double *x, double *stiffness) {
  double left = chain_k(m, i), right = chain_k(m, i + 1), f = chain_force(i, t);
  if (i == 0) f += control_at(m, CHAIN_U[0], CHAIN_U[1], has(m, CHAIN_SIGNAL), t);
  *stiffness = left + right;
  return f + (i > 0 ? left * x[i - 1] : 0) + (i < 2 ? right * x[i + 1] : 0);
}

static void chain_reference(const Motion *m, double *x, double *v) {
  enum { SWEEPS = 40 };
  double h = MODEL_END / REFERENCE_STEPS, stiffness, before[3];
  posed = *m;
  for (int i = 0; i < 3; i++) x[i] = v[i] = 0;
  v[2] = has(m, CHAIN_STARTS) ? m->sign * CHAIN_SPEED : 0;
  for (int n = 0; n < REFERENCE_STEPS; n++) {
    double t = n * h;
    memcpy(before, x, sizeof before);
    for (int i = chain_light(m); i < 3; i++) {
      double load = chain_load(m, i, t + h / 2, before, &stiffness) - stiffness * before[i];
      v[i] = soft(v[i] + h / CHAIN_MASS[i] * load, h / CHAIN_MASS[i] * chain_c(m, i));
      x[i] += h * v[i];
    }
    for (int sweep = 0; sweep < SWEEPS && chain_light(m); sweep++)
      for (int i = 0; i < chain_light(m); i++) {
        double load = chain_load(m, i, t + h, x, &stiffness), c = chain_c(m, i);
        x[i] = before[i] + soft(load - stiffness * before[i], c) / stiffness;
      }
  }
  for (int i = 0; i < chain_light(m); i++) v[i] = NAN;
}

static const KindModel chain_model = {.kind = SIM_CHAIN,
                                      .d = 3,
                                      .features = CHAIN_COUNT,
                                      .names = chain_names,
                                      .exclude = chain_exclude,
                                      .symmetric = always,
                                      .fill = chain_fill,
                                      .force = chain_force,
                                      .reference = chain_reference};

/* Dash-pots */

#define DASHPOT_FEATURES(X)                                                                                            \
  X(DASHPOT_NOTHING, "nothing")                                                                                        \
  X(DASHPOT_BINGHAM, "bingham")                                                                                        \
  X(DASHPOT_CUBIC, "bingham_cubic")                                                                                    \
  X(DASHPOT_FOLDED, "bingham_nonmonotone")                                                                             \
  X(DASHPOT_COULOMB, "coulomb")                                                                                        \
  X(DASHPOT_SUPPORT, "a support")                                                                                      \
  X(DASHPOT_SPRING, "a spring")                                                                                        \
  X(DASHPOT_SIGNAL, "a control that varies")                                                                           \
  X(DASHPOT_STARTS, "a mass that moves at the start")                                                                  \
  X(DASHPOT_DISSIPATES, "max_dissipation")
enum { DASHPOT_FEATURES(KIND_ENUMERATOR) DASHPOT_COUNT };
static const char *const dashpot_names[] = {DASHPOT_FEATURES(KIND_NAME)};

static const double DASHPOT_U[2] = {0.4, -1.5}, DASHPOT_K = 25, DASHPOT_END = 0.06, DASHPOT_END_K = 150;
static const double DASHPOT_SPEED = 0.9;

static bool dashpot_exclude(int a, int b) {
  bool laws = a != b && a >= DASHPOT_BINGHAM && b >= DASHPOT_BINGHAM && a <= DASHPOT_COULOMB && b <= DASHPOT_COULOMB;
  return laws || (b == DASHPOT_DISSIPATES && a != DASHPOT_FOLDED); /* only one law has several velocities */
}
static bool dashpot_symmetric(unsigned with) { return !(with >> DASHPOT_SUPPORT & 1); }

static double dashpot_force(int i, double t) {
  (void)i;
  return posed.sign * 4 * sin(7 * t);
}

static inline SimDashpotLaw dashpot_law_of(const Motion *m) {
  return has(m, DASHPOT_BINGHAM)   ? SIM_BINGHAM
         : has(m, DASHPOT_CUBIC)   ? SIM_BINGHAM_CUBIC
         : has(m, DASHPOT_FOLDED)  ? SIM_BINGHAM_NONMONOTONE
         : has(m, DASHPOT_COULOMB) ? SIM_COULOMB
                                   : SIM_VISCOUS;
}

static void dashpot_fill(SimProblem *p, const char *scheme, const Motion *m) {
  assert_int_equal(sim_problem_init(p, SIM_DASHPOT, 1, 1), SIM_OK);
  fixture_scheme(p, scheme);
  p->dashpot.mass = 1;
  p->dashpot.stiffness = has(m, DASHPOT_SPRING) ? DASHPOT_K : 0;
  p->dashpot.law = dashpot_law_of(m);
  p->dashpot.g = 1;
  p->dashpot.selection = has(m, DASHPOT_DISSIPATES) ? SIM_MAX_DISSIPATION : SIM_NEAREST_VELOCITY;
  p->friction[0] = p->dashpot.law == SIM_VISCOUS ? 0 : 1;
  p->dashpot.has_support = has(m, DASHPOT_SUPPORT);
  p->dashpot.support_position = DASHPOT_END;
  p->dashpot.support_stiffness = DASHPOT_END_K;
  p->v0[0] = m->v0 + (has(m, DASHPOT_STARTS) ? m->sign * DASHPOT_SPEED : 0);
  p->signal = has(m, DASHPOT_SIGNAL) ? SIM_PIECEWISE_CONSTANT : SIM_CONSTANT;
  p->segments = has(m, DASHPOT_SIGNAL) ? 2 : 1;
}

/* Velocity at which the dash-pot has the force f >= 0. */
static double dashpot_speed(SimDashpotLaw law, double f) {
  double over = law == SIM_VISCOUS ? f : fmax(0, f - 1);
  return law == SIM_BINGHAM_CUBIC ? f * f * over : over;
}

/* Returns v+ of an implicit step, m (v+ - v) + h f_d(v+) = h load: y = v + h load. */
static double dashpot_step(SimDashpotLaw law, double h, double y) {
  double low = 0, high = fabs(y) / h + 1;
  if (law == SIM_COULOMB) return soft(y, h);
  for (int k = 0; k < 50; k++) {
    double f = (low + high) / 2;
    if (dashpot_speed(law, f) + h * f < fabs(y))
      low = f;
    else
      high = f;
  }
  return y < 0 ? -dashpot_speed(law, low) : dashpot_speed(law, low);
}

static void dashpot_reference(const Motion *m, double *x, double *v) {
  double h = MODEL_END / REFERENCE_STEPS, k = has(m, DASHPOT_SPRING) ? DASHPOT_K : 0;
  posed = *m;
  *x = 0;
  *v = has(m, DASHPOT_STARTS) ? m->sign * DASHPOT_SPEED : 0;
  if (has(m, DASHPOT_FOLDED)) { /* a step has several solutions */
    *x = *v = NAN;
    return;
  }
  for (int n = 0; n < REFERENCE_STEPS; n++) {
    double t = (n + 0.5) * h, load = dashpot_force(0, t) - k * *x;
    load += control_at(m, DASHPOT_U[0], DASHPOT_U[1], has(m, DASHPOT_SIGNAL), t);
    if (has(m, DASHPOT_SUPPORT)) load -= DASHPOT_END_K * fmax(0, *x - DASHPOT_END);
    *v = dashpot_step(dashpot_law_of(m), h, *v + h * load);
    *x += h * *v;
  }
}

static const KindModel dashpot_model = {.kind = SIM_DASHPOT,
                                        .d = 1,
                                        .features = DASHPOT_COUNT,
                                        .names = dashpot_names,
                                        .exclude = dashpot_exclude,
                                        .symmetric = dashpot_symmetric,
                                        .fill = dashpot_fill,
                                        .force = dashpot_force,
                                        .reference = dashpot_reference};

#endif
