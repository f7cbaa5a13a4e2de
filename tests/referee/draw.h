/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a random motion as plain numbers, for the library and for the referee. */
#ifndef TESTS_REFEREE_DRAW_H
#define TESTS_REFEREE_DRAW_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { D_MAX = 4, TERMS = 3, SEGMENTS = 4, POINTS = 5, BREAKS_MAX = 120, INSTANTS = 8 };

/* FEATURES(X) calls X(enumerator, name) for each feature of a draw, a random problem. Each feature has a bit, by which
 * it can be left out. */
#define FEATURES(X)                                                                                                    \
  X(COUPLED_MASS, "dense mass")                                                                                        \
  X(DAMPED, "damping")                                                                                                 \
  X(VISCOUS, "viscous friction")                                                                                       \
  X(STIFF, "stiffness")                                                                                                \
  X(FREE, "a dof without friction")                                                                                    \
  X(BY_DIRECTION, "thresholds by direction")                                                                           \
  X(PRESSED, "thresholds in time")                                                                                     \
  X(SQRT, "gamma: sqrt")                                                                                               \
  X(RAMP, "gamma: ramp")                                                                                               \
  X(EXPONENTIAL, "gamma: exponential, 1")                                                                              \
  X(GAUSSIAN, "gamma: exponential, 2")                                                                                 \
  X(TABLE, "friction table")                                                                                           \
  X(SURFACE, "moving surfaces")                                                                                        \
  X(ANCHORS, "anchors with a law")                                                                                     \
  X(LINKS, "links with a law")                                                                                         \
  X(LAW_CUBIC, "spring law: cubic")                                                                                    \
  X(LAW_EXPONENTIAL, "spring law: exponential")                                                                        \
  X(LAW_SINE, "spring law: sine")                                                                                      \
  X(LAW_TABLE, "spring law: table")                                                                                    \
  X(RIGID, "rigid stops")                                                                                              \
  X(BOUNCING, "restitution")                                                                                           \
  X(ELASTIC, "elastic stops")                                                                                          \
  X(POLYNOMIAL, "force: polynomial")                                                                                   \
  X(SINE, "force: sine")                                                                                               \
  X(DECAY, "force: decaying")                                                                                          \
  X(PULSE, "force: narrow pulse")                                                                                      \
  X(PIECES, "force: pieces")                                                                                           \
  X(CONTROL_CONSTANT, "control: constant pieces")                                                                      \
  X(CONTROL_LINEAR, "control: linear pieces")                                                                          \
  X(UNITS, "other units")                                                                                              \
  X(SKEW, "damping that is not symmetric")

#define FEATURE_ENUMERATOR(feature, name) HAS_##feature,
#define FEATURE_NAME(feature, name)       name,
enum { FEATURES(FEATURE_ENUMERATOR) FEATURE_COUNT };
static const char *const feature_names[] = {FEATURES(FEATURE_NAME)};

/* A term of a function of time. The function is the sum of its terms. */
typedef struct Term {
  int kind; /* form of the term: HAS_POLYNOMIAL, HAS_SINE, HAS_DECAY or HAS_PULSE */
  double size, rate, at, from, until;
} Term;
typedef struct Course {
  int n;
  Term term[TERMS];
} Course;

typedef struct SpringLaw {
  int kind;                         /* form of the law: HAS_LAW_..; 0: no law */
  double stiffness, length;         /* typical sizes of the law, N/m and m */
  double lower, upper;              /* range of the law */
  double at[POINTS], force[POINTS]; /* points of a table, which is linear between its points and beyond them */
} SpringLaw;

typedef struct Draw {
  uint64_t seed, number;
  uint32_t has, without; /* bits of the features that the draw has, and of those that are left out */
  int d;
  double end, length, speed; /* end time; length and speed: typical sizes of the motion */
  double mass[D_MAX][D_MAX], damping[D_MAX][D_MAX], stiffness[D_MAX][D_MAX], viscous[D_MAX];
  double x0[D_MAX], v0[D_MAX];
  double forward[D_MAX], backward[D_MAX]; /* thresholds c; 0: no friction */
  Course pressing[D_MAX];                 /* factor of the thresholds over time, with HAS_PRESSED */
  double beta[D_MAX], epsilon[D_MAX];
  double table_speed[POINTS], table_friction[POINTS];
  Course surface[D_MAX]; /* velocity w of the surface */
  SpringLaw anchor, link;
  /* position of the stops; NAN: there is no stop. Stiffness NAN: the stop is rigid */
  double lower[D_MAX], upper[D_MAX], stop_stiffness[D_MAX], restitution[D_MAX];
  Course force[D_MAX];
  /* control u of each segment, and the matrix B [d][d] by which it acts */
  double control[SEGMENTS][D_MAX], control_matrix[D_MAX][D_MAX];
  int breaks;
  double at_break[BREAKS_MAX]; /* times in increasing order, inside 0..end */
} Draw;

static inline bool has(const Draw *w, int feature) { return w->has >> feature & 1; }

/* Random numbers depend on a seed, the number of the draw, and a purpose ------------------------------------- */

typedef struct Random {
  uint64_t state;
} Random;

static inline uint64_t random_next(Random *r) { /* splitmix64 */
  uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
static inline Random random_of(const Draw *w, int part) {
  Random r = {w->seed * UINT64_C(0xd1342543de82ef95) + w->number};
  r.state = random_next(&r) + (uint64_t)part;
  random_next(&r);
  return r;
}
static inline double uniform(Random *r, double low, double high) {
  return low + (high - low) * (double)(random_next(r) >> 11) * 0x1p-53;
}
static inline double decades(Random *r, double low, double high) { return pow(10, uniform(r, low, high)); }
static inline double either_sign(Random *r, double size) { return random_next(r) & 1024 ? size : -size; }
static inline int below(Random *r, int n) { return (int)((random_next(r) >> 16) % (uint64_t)n); }

/* Returns whether the draw has a feature, with this probability, unless it is left out. */
static inline bool draw_feature(Draw *w, Random *r, int feature, double chance) {
  bool yes = uniform(r, 0, 1) < chance && !(w->without >> feature & 1);
  if (yes) w->has |= UINT32_C(1) << feature;
  return yes;
}

/* Values ----------------------------------------------------------------------------------------------------- */

/* Returns the value of a term at t. inside: an instant in the same interval between two breaks, which selects the
 * one-sided value at the ends of the interval. */
static inline double term_value(const Term *k, double inside, double t, double *rate) {
  double s = t - k->at, z = s * k->rate;
  double sine = sin(z), e;
  if (inside < k->from || inside >= k->until) return *rate = 0;
  switch (k->kind) {
  case HAS_SINE: *rate = k->size * k->rate * cos(z); return k->size * sine;
  case HAS_DECAY:
    e = k->size * exp(-k->rate * t);
    *rate = -k->rate * e;
    return e;
  case HAS_PULSE:
    e = k->size * exp(-z * z);
    *rate = -2 * z * k->rate * e;
    return e;
  /* a parabola that begins with its vertex at k->at */
  default: *rate = -2 * k->size * k->rate * z; return k->size * (1 - z * z);
  }
}

static inline double course_value(const Course *c, double inside, double t, double *rate) {
  double sum = 0, part;
  *rate = 0;
  for (int k = 0; k < c->n; k++) {
    sum += term_value(&c->term[k], inside, t, &part);
    *rate += part;
  }
  return sum;
}

static inline double course_at(const Course *c, double inside, double t) {
  double rate;
  return course_value(c, inside, t, &rate);
}

static inline double spring_force(const SpringLaw *law, double e) {
  double z = e / law->length, scale = law->stiffness * law->length;
  if (law->kind == HAS_LAW_CUBIC) return scale * z * z * z;
  if (law->kind == HAS_LAW_EXPONENTIAL) return scale * expm1(z);
  if (law->kind == HAS_LAW_SINE) return scale * sin(z);
  int k = 1;
  while (k < POINTS - 1 && e > law->at[k]) k++;
  return law->force[k - 1] + (law->force[k] - law->force[k - 1]) * (e - law->at[k - 1]) / (law->at[k] - law->at[k - 1]);
}

/* Returns B u(t), N. */
static inline double control_force(const Draw *w, int i, double inside, double t) {
  double h = w->end / SEGMENTS, sum = 0;
  int k = (int)fmin(floor(inside / h), SEGMENTS - 1);
  if (!has(w, HAS_CONTROL_CONSTANT) && !has(w, HAS_CONTROL_LINEAR)) return 0;
  for (int j = 0; j < w->d; j++) {
    double before = k ? w->control[k - 1][j] : 0, now = w->control[k][j];
    sum += w->control_matrix[i][j] * (has(w, HAS_CONTROL_LINEAR) ? before + (now - before) * (t / h - k) : now);
  }
  return sum;
}

#endif
