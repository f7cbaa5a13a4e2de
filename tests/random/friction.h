/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes random friction laws that depend on speed, for problem files. */
#ifndef TESTS_RANDOM_FRICTION_H
#define TESTS_RANDOM_FRICTION_H

#include "tests/random/knobs.h"

static inline void random_stribeck(const RandomShape *s, const char *name) {
  double which = random_unit(s->knobs, name, 0), exponent = random_rounded(s, 1 + 3 * random_unit(s->knobs, name, 3));
  fprintf(s->file, "law: %s, beta: ", which < 0.35 ? "sqrt" : which < 0.7 ? "ramp" : "exponential");
  random_number(s, 0.05 + 0.9 * random_unit(s->knobs, name, 1));
  fprintf(s->file, ", epsilon: ");
  random_number(s, s->length / s->end * random_decades(s->knobs, name, 2, -2, 1));
  if (which >= 0.8) fprintf(s->file, ", exponent: %.6g", exponent);
}

/* Writes friction that was measured at speeds of 0 or more. It decreases so little with speed that a time step does not
 * overshoot. */
static inline void random_table(const RandomShape *s) {
  const RandomKnobs *k = s->knobs;
  int n = 2 + random_below(k, "points", 5);
  double speed = random_unit(k, "first speed", 0) < 0.5 ? 0 : 1,
         scale = s->length / s->end * random_decades(k, "speeds", 0, -2, 1);
  scale += 1e4 * s->threshold * s->end / ((double)s->steps * s->mass);
  fprintf(s->file, "  friction_table: {velocity: [");
  for (int i = 0; i < n; i++) {
    fprintf(s->file, i ? ", %.6g" : "%.6g", scale * speed);
    speed += 1 + random_decades(k, "speed", i, -1, 1);
  }
  fprintf(s->file, "], friction: [%.6g", s->threshold);
  for (int i = 1; i < n; i++) fprintf(s->file, ", %.6g", s->threshold * random_unit(k, "measured", i));
  fprintf(s->file, "]}\n");
}

static inline void random_drop(const RandomShape *s) {
  bool table = s->kind != KIND_STRING && random_has(s, PART_TABLE, "table", 0.15);
  if (table) random_table(s);
  if (table || !random_has(s, PART_STRIBECK, "stribeck", 0.35)) return;
  fprintf(s->file, "  stribeck: {");
  random_stribeck(s, "stribeck");
  fprintf(s->file, "}\n");
}

#endif
