/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the properties of joints other than friction, for random problem files: moving surfaces, nonlinear springs,
 * stops, gear boxes. */
#ifndef TESTS_RANDOM_JOINT_H
#define TESTS_RANDOM_JOINT_H

#include "tests/random/friction.h"

static inline bool random_is_surface(const RandomShape *s) { return random_has(s, PART_SURFACE, "surface", 0.25); }

/* Writes a moving surface: one speed for all dofs or, with dense matrices, maybe one for each. */
static inline void random_surface(const RandomShape *s) {
  if (!random_is_surface(s)) return;
  bool alike = s->kind != KIND_DENSE || random_unit(s->knobs, "surfaces alike", 0) < 0.5;
  bool shakes = random_unit(s->knobs, "shakes", 0) < 0.5;
  fprintf(s->file, "  surface_velocity: ");
  for (int i = 0; i < (alike ? 1 : s->d); i++) {
    double speed = random_rounded(s, s->length / s->end * random_sign(s->knobs, "surface", i));
    if (!alike) fprintf(s->file, i ? ", " : "[");
    if (shakes)
      fprintf(s->file, "\"%.6g*sin(%.6g*t)\"", speed,
              random_rounded(s, 6.28 / s->end * random_decades(s->knobs, "shaking", i, -1, 0.5)));
    else
      fprintf(s->file, "%.6g", speed);
  }
  fprintf(s->file, alike ? "\n" : "]\n");
}

/* Returns whether thresholds depend on time. */
static inline bool random_in_time(const RandomShape *s) {
  return s->kind != KIND_CHAIN && s->kind != KIND_DASHPOT && random_has(s, PART_COURSE, "in time", 0.2);
}

/* Returns whether thresholds depend on position or load. */
static inline bool random_rises(const RandomShape *s) {
  bool lags = !strcmp(s->scheme, "centered") && random_has(s, PART_MULTIPLIER, "multiplier", 0.5);
  bool takes = !lags && (!s->light || strcmp(s->scheme, "event") != 0);
  return (s->kind == KIND_DENSE || s->kind == KIND_SPARSE) && takes && random_has(s, PART_RISE, "rises", 0.2);
}

static inline bool random_splits(const RandomShape *s) {
  return !strcmp(s->scheme, "lie") || !strcmp(s->scheme, "strang");
}
/* Returns whether friction is solved by fixed-point iteration, if the scheme and its other keys allow it. */
static inline bool random_iterates(const RandomShape *s) { return random_has(s, PART_SOLVER, "solver", 0.15); }
/* Returns whether there are nonlinear springs. */
static inline bool random_has_laws(const RandomShape *s) {
  bool dense = s->kind == KIND_DENSE || s->kind == KIND_SPARSE, takes = random_splits(s) || !random_iterates(s);
  return dense && !s->light && (takes || !strcmp(s->scheme, "event")) && random_has(s, PART_LAWS, "laws", 0.3);
}
/* Returns whether there are stops, which the scheme must support. */
static inline bool random_is_stopped(const RandomShape *s) {
  bool takes = random_splits(s) || !strcmp(s->scheme, "event") || !random_iterates(s);
  return (s->kind == KIND_DENSE || s->kind == KIND_SPARSE) && takes && (random_splits(s) || !random_is_surface(s)) &&
         random_has(s, PART_STOPS, "stops", 0.4);
}
/* Returns whether there is a gear box, which is fixed to the ground. */
static inline bool random_is_geared(const RandomShape *s) {
  bool rest = !random_is_surface(s), plain = strcmp(s->scheme, "event") != 0 || !(random_in_time(s) || random_rises(s));
  return (s->kind == KIND_DENSE || s->kind == KIND_SPARSE) && rest && plain && !s->light &&
         random_has(s, PART_GEARBOX, "gearbox", 0.25);
}

/* Writes nonlinear springs with soft ranges. A motion may leave their range. */
static inline void random_laws(const RandomShape *s) {
  if (!random_has_laws(s)) return;
  double rate = (double)s->steps / s->end, turns = random_decades(s->knobs, "wells", 0, -1, 1) / s->length;
  double force = s->mass * rate * rate * random_decades(s->knobs, "laws", 0, -6, -2.5) / turns;
  bool each = s->kind == KIND_DENSE && random_unit(s->knobs, "laws differ", 0) < 0.5;
  fprintf(s->file, "  springs: {anchors: {law: \"%.6g*sin(%.6g*x)%s\", range: [%.6g, %.6g]}", random_rounded(s, force),
          random_rounded(s, turns), each ? "/i" : "", -30 / turns - 2 * s->length, 40 / turns + 2 * s->length);
  if (s->kind == KIND_DENSE && s->d > 1 && random_unit(s->knobs, "laws of links", 0) < 0.5)
    fprintf(s->file, ", links: {law: \"%.6g*x/(1 + abs(%.6g*x))\", range: [%.6g, %.6g]}",
            random_rounded(s, force * turns), random_rounded(s, turns), -100 / turns - 4 * s->length,
            100 / turns + 4 * s->length);
  fprintf(s->file, "}\n");
}

/* Writes a rise of thresholds with the position of a joint, or with the spring to a neighbour. It is symmetric, so that
 * mirrored problems are equivalent. A motion may leave its range. */
static inline void random_rise(const RandomShape *s) {
  if (!random_rises(s)) return;
  static const char *const of[] = {"place", "before", "behind"};
  double turns = random_decades(s->knobs, "rise", 0, -1, 1) / s->length;
  bool bends = random_unit(s->knobs, "rise bends", 0) < 0.5;
  fprintf(s->file, "  friction_rise: {law: \"%.6g*abs(%.6g*x)/(1 + abs(%.6g*x))%s\", of: %s, range: [%.6g, %.6g]}\n",
          random_rounded(s, s->threshold * random_unit(s->knobs, "rise", 1)), random_rounded(s, turns),
          random_rounded(s, turns), bends && s->kind == KIND_DENSE ? "/i" : "",
          of[s->d > 1 ? random_below(s->knobs, "rise of", 3) : 0], -100 / turns - 4 * s->length,
          100 / turns + 4 * s->length);
}

/* Writes one number for each dof; some of them are null. */
static inline void random_ends(const RandomShape *s, const char *key, double sign) {
  fprintf(s->file, "%s: [", key);
  for (int i = 0; i < s->d; i++) {
    if (i) fprintf(s->file, ", ");
    if (random_unit(s->knobs, key, 2 * i) < 0.3 || s->light >> i & 1)
      fprintf(s->file, "null");
    else
      random_number(s, sign * s->length * (1.05 + random_unit(s->knobs, key, 2 * i + 1)));
  }
  fprintf(s->file, "]");
}

/* Writes stops beyond x0. */
static inline void random_stops(const RandomShape *s) {
  if (!random_is_stopped(s)) return;
  fprintf(s->file, "  stops: {");
  random_ends(s, "lower", -1);
  fprintf(s->file, ", ");
  random_ends(s, "upper", 1);
  bool elastic = !strcmp(s->scheme, "centered") || random_unit(s->knobs, "elastic ends", 0) < 0.3;
  double rate = (double)s->steps / s->end;
  if (elastic) {
    fprintf(s->file, ", stiffness: %.6g}\n",
            random_rounded(s, s->mass * rate * rate * random_decades(s->knobs, "ends", 0, -5, -2)));
    return;
  }
  fprintf(s->file, ", restitution: [");
  for (int i = 0; i < s->d; i++) {
    double e = random_unit(s->knobs, "restitution", i);
    if (i) fprintf(s->file, ", ");
    random_number(s, e < 0.3 || s->light >> i & 1 ? 0 : e > 0.9 ? 1 : e);
  }
  fprintf(s->file, "]}\n");
}

#endif
