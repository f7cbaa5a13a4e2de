/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers of a random problem, each of which depends on the seed and its own name, and functions that write
 * them. */
#ifndef TESTS_RANDOM_KNOBS_H
#define TESTS_RANDOM_KNOBS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum RandomPart {
  PART_MASSLESS,
  PART_COUPLING, /* full matrices; without it they are diagonal, or made of springs */
  PART_STIFFNESS,
  PART_DAMPING,
  PART_FRICTION,  /* thresholds that differ */
  PART_DIRECTION, /* thresholds that depend on the direction */
  PART_COURSE,    /* thresholds that depend on time */
  PART_RISE,      /* thresholds that depend on position or load */
  PART_STRIBECK,
  PART_TABLE,
  PART_VISCOUS,
  PART_GEARBOX,
  PART_SURFACE,
  PART_LAWS, /* nonlinear springs */
  PART_STOPS,
  PART_FORCE,
  PART_WAVES, /* forces that depend on time */
  PART_POSITION,
  PART_VELOCITY,
  PART_SUPPORT,
  PART_CONTROL,
  PART_SIGNAL,
  PART_SCHEME, /* the scheme's own keys, except solver and multiplier */
  PART_SOLVER,
  PART_MULTIPLIER,
  PART_DIGITS, /* numbers with more than one digit */
  RANDOM_PARTS
} RandomPart;

typedef struct RandomKnobs {
  uint64_t seed;
  int d;            /* largest number of degrees of freedom */
  long steps;       /* most steps */
  uint32_t without; /* bit k: RandomPart k is left out */
} RandomKnobs;

static const RandomKnobs RANDOM_WHOLE = {.d = 1000, .steps = 100000};

typedef enum RandomKind { KIND_DENSE, KIND_SPARSE, KIND_STRING, KIND_CHAIN, KIND_DASHPOT } RandomKind;

/* The choices that determine which sections and keys a file has, without its single numbers. */
typedef struct RandomShape {
  const RandomKnobs *knobs;
  RandomKind kind;
  const char *scheme;
  int d;
  long steps;
  double end, length, mass, threshold, load; /* typical sizes: s, m, kg, N, N */
  bool damped;
  uint32_t light; /* bit i: degree of freedom i has no mass, and no feature that requires mass */
  FILE *file;
} RandomShape;

/* Returns a number in [0, 1) that depends on the seed, a name and an index. */
static inline double random_unit(const RandomKnobs *k, const char *name, int i) {
  uint64_t z = k->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i * UINT64_C(0xd1b54a32d192ed03);
  for (; *name; name++) z = (z ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  for (int turn = 0; turn < 2; turn++) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  }
  return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static inline double random_sign(const RandomKnobs *k, const char *name, int i) {
  return 2 * random_unit(k, name, i) - 1;
}
/* Returns a number in 10^low..10^high, uniform in the exponent. */
static inline double random_decades(const RandomKnobs *k, const char *name, int i, double low, double high) {
  return pow(10, low + (high - low) * random_unit(k, name, i));
}
static inline int random_below(const RandomKnobs *k, const char *name, int n) {
  return (int)(random_unit(k, name, 0) * n);
}
/* Returns whether the problem has a part, with this probability. */
static inline bool random_has(const RandomShape *s, RandomPart part, const char *name, double probability) {
  return !(s->knobs->without >> part & 1) && random_unit(s->knobs, name, 0) < probability;
}

static inline double random_rounded(const RandomShape *s, double value) {
  char text[40];
  snprintf(text, sizeof text, s->knobs->without >> PART_DIGITS & 1 ? "%.1g" : "%.6g", value);
  return strtod(text, NULL);
}
static inline void random_number(const RandomShape *s, double value) {
  fprintf(s->file, "%.6g", random_rounded(s, value));
}

/* Writes numbers [n]: scale times -1..1 or, if decades > 0, times 10^-decades..10^decades. One in `zeros` is 0, and so
 * are those in `none`. */
static inline void random_some(const RandomShape *s, const char *name, int n, double scale, double decades,
                               double zeros, uint32_t none) {
  char other[40];
  snprintf(other, sizeof other, "no %s", name);
  bool number = n == 1 && s->kind == KIND_DASHPOT;
  for (int i = 0; i < n; i++) {
    double value =
        scale * (decades > 0 ? random_decades(s->knobs, name, i, -decades, decades) : random_sign(s->knobs, name, i));
    fprintf(s->file, i ? ", " : number ? "" : "[");
    random_number(s, random_unit(s->knobs, other, i) < zeros || (i < 32 && none >> i & 1) ? 0 : value);
  }
  fprintf(s->file, number ? "" : "]");
}

static inline void random_list(const RandomShape *s, const char *name, int n, double scale, double decades,
                               double zeros) {
  random_some(s, name, n, scale, decades, zeros, 0);
}

/* Writes rows [n][n] with a diagonal over several decades, and antisymmetric entries of scale times -1..1. */
static inline void random_skew(const RandomShape *s, const char *name, double scale, double decades) {
  for (int i = 0; i < s->d; i++)
    for (int j = 0; j < s->d; j++) {
      int lower = i < j ? i : j, place = s->d + lower * s->d + i + j - lower;
      double value = i == j ? random_decades(s->knobs, name, i, -decades, decades)
                            : (i < j ? 1 : -1) * random_sign(s->knobs, name, place);
      fprintf(s->file, j ? ", " : i ? ", [" : "[[");
      random_number(s, scale * value);
      if (j == s->d - 1) fprintf(s->file, i == j ? "]]" : "]");
    }
}

#endif
