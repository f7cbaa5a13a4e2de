/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes valid random problem files: every kind, scheme, solver, multiplier, law, storage, signal and method, over many
 * decades. A file is made from knobs. Each of its numbers depends only on the seed and its own name. So fewer dofs,
 * fewer steps, or a part left out leave the other numbers unchanged. This is used to shrink problems that fail. */
#ifndef TESTS_RANDOM_PROBLEM_H
#define TESTS_RANDOM_PROBLEM_H

#include "tests/random/joint.h"

/* Writes G G' times scale, with random G [d][rank], or the diagonal of it. */
static inline void random_square(const RandomShape *s, const char *name, double scale, double ridge, int rank) {
  bool full = random_has(s, PART_COUPLING, "coupling", 0.5);
  for (int i = 0; i < s->d; i++) {
    fprintf(s->file, i ? ", " : "[");
    for (int j = full ? 0 : i; j < (full ? s->d : i + 1); j++) {
      double sum = i == j ? ridge : 0;
      for (int k = 0; k < rank; k++)
        sum += random_sign(s->knobs, name, 100 * i + k) * random_sign(s->knobs, name, 100 * j + k);
      fprintf(s->file, !full ? "%.17g" : j == 0 ? "[%.17g" : ", %.17g", scale * sum);
    }
    if (full) fprintf(s->file, "]");
  }
  fprintf(s->file, "]");
}

/* Writes a force as an expression in t. gentle: it is continuous and 0 at t = 0. */
static inline void random_wave(const RandomShape *s, const char *name, int i, double scale, bool gentle) {
  double size = random_rounded(s, scale * random_sign(s->knobs, name, i)), at = random_unit(s->knobs, "what wave", i);
  double turns = random_rounded(s, random_decades(s->knobs, "turns", i, -1, gentle ? 0.5 : 1) * 6.28 / s->end);
  bool waves = random_has(s, PART_WAVES, "waves", 0.8);
  if (gentle || (waves && at < 0.5))
    fprintf(s->file, "\"%.6g*sin(%.6g*t)\"", size, turns);
  else if (!waves || at < 0.6)
    fprintf(s->file, "%.6g", size);
  else if (at < 0.8)
    fprintf(s->file, "\"%.6g*exp(-%.6g*t)\"", size, turns);
  else
    fprintf(s->file, "[{until: %.6g, value: %.6g}, {value: \"%.6g*cos(%.6g*t)\"}]", random_rounded(s, s->end / 3), size,
            -size, turns);
}

static inline void random_force(const RandomShape *s, bool gentle) {
  if (!random_has(s, PART_FORCE, "force", 0.85)) return;
  bool alike = s->kind == KIND_DASHPOT || random_unit(s->knobs, "alike", 0) < 0.3;
  fprintf(s->file, "  force: ");
  for (int i = 0; i < (alike ? 1 : s->d); i++) {
    if (!alike) fprintf(s->file, i ? ", " : "[");
    random_wave(s, "force", i, s->load, gentle);
  }
  fprintf(s->file, alike ? "\n" : "]\n");
}

static inline void random_vector(const RandomShape *s, RandomPart part, const char *key, double scale, double zeros) {
  char name[40];
  snprintf(name, sizeof name, "has %s", key);
  if (!random_has(s, part, name, 0.8)) return;
  fprintf(s->file, "  %s: ", key);
  random_some(s, key, s->d, scale, 0, zeros, part == PART_VELOCITY ? s->light : 0);
  fprintf(s->file, "\n");
}

/* Model ------------------------------------------------------------------------------------------------------------ */

/* Returns the largest stiffness of a spring. It is a random fraction of the stiffness with which the phase of the
 * oscillation advances by `turns` radians per step. */
static inline double random_stiffness(const RandomShape *s, double turns) {
  double rate = turns * (double)s->steps / s->end;
  return s->mass * rate * rate * random_decades(s->knobs, "stiffness", 0, -6, 0);
}

static inline void random_threshold(const RandomShape *s, const char *name) {
  if (random_in_time(s)) {
    double swing = random_rounded(s, random_unit(s->knobs, name, 1)),
           turns = random_rounded(s, 6.28 / s->end * random_decades(s->knobs, name, 2, -1, 0.7));
    fprintf(s->file, "\"%.6g*(1 + %.6g*sin(%.6g*t))\"", random_rounded(s, s->threshold), swing, turns);
  } else if (random_has(s, PART_FRICTION, "friction differs", 0.7)) {
    random_list(s, name, s->d, s->threshold, 1.5, 0.1);
  } else {
    random_number(s, s->threshold * (0.5 + random_unit(s->knobs, name, 0)));
  }
}

/* Writes thresholds: one for each dof or one for all, equal in both directions or not. */
static inline void random_thresholds(const RandomShape *s, bool geared) {
  bool splits = !strcmp(s->scheme, "lie") || !strcmp(s->scheme, "strang");
  bool smooth = splits && random_has(s, PART_MULTIPLIER, "multiplier", 0.5), exact = !strcmp(s->scheme, "event");
  bool ways = !smooth && !(geared && exact) && random_has(s, PART_DIRECTION, "by direction", 0.25);
  fprintf(s->file, ways ? "{forward: " : "");
  random_threshold(s, "friction");
  fprintf(s->file, ways ? ", backward: " : "\n");
  if (ways) random_threshold(s, "friction backward");
  fprintf(s->file, ways ? "}\n" : "");
}

static inline bool random_drags(const RandomShape *s) { return random_has(s, PART_VISCOUS, "viscous", 0.2); }

/* Writes viscous friction. It is a part of the damping, which some schemes resolve only if it is weak. */
static inline void random_viscous(const RandomShape *s, double unit) {
  bool splits = !strcmp(s->scheme, "lie") || !strcmp(s->scheme, "strang");
  if (!random_drags(s)) return;
  double rate = random_decades(s->knobs, "viscous", 1000, -2, splits ? -1.5 : 1);
  fprintf(s->file, "  viscous: ");
  if (s->kind == KIND_STRING)
    random_number(s, rate * unit);
  else
    random_some(s, "viscous", s->d, rate * unit, 0.3, 0.2, s->light);
  fprintf(s->file, "\n");
}

static inline void random_friction(const RandomShape *s) {
  bool sparse = s->kind == KIND_SPARSE, splits = !strcmp(s->scheme, "lie") || !strcmp(s->scheme, "strang");
  bool geared = random_is_geared(s);
  double stiffness = random_stiffness(s, 1);
  fprintf(s->file, "model:\n  kind: friction\n");
  if (random_unit(s->knobs, "names", 0) < 0.1) {
    fprintf(s->file, "  units: {position: rad, force: N m}\n  names: [");
    for (int i = 1; i <= s->d; i++) fprintf(s->file, "%sdof-%d", i > 1 ? ", " : "", i);
    fprintf(s->file, "]\n");
  }
  fprintf(s->file, "  mass: ");
  if (sparse || s->light || random_unit(s->knobs, "kind of mass", 0) < 0.4)
    random_some(s, "mass", s->d, s->mass, 1, 0, s->light);
  else
    random_square(s, "mass", s->mass, 0.1, s->d);
  if (sparse) fprintf(s->file, "\n  matrices: sparse");
  if (s->light || random_has(s, PART_STIFFNESS, "stiff", 0.85)) {
    bool springs = sparse || random_unit(s->knobs, "springs", 0) < 0.5;
    fprintf(s->file, "\n  stiffness: %s", springs ? "{springs: " : "");
    if (springs)
      random_list(s, "springs", s->d + 1, stiffness, 1, s->light ? 0 : 0.1);
    else
      random_square(s, "stiffness", stiffness, s->light ? 0.1 : 0, s->d);
    if (springs) fprintf(s->file, "}");
  }
  if (s->damped) {
    double rate = random_decades(s->knobs, "damped", 0, -2, 1), most = 0.002 * (double)s->steps;
    fprintf(s->file, "\n  damping: ");
    /* these schemes do not resolve strong damping */
    double scale = s->mass / s->end * (splits ? fmin(rate, most) : rate);
    if (!sparse && !s->light && s->d > 1 && random_unit(s->knobs, "skew", 0) < 0.3)
      random_skew(s, "damping", scale, 1);
    else
      random_some(s, "damping", s->d, scale, 1, 0.2, s->light);
  }
  fprintf(s->file, "\n  friction: ");
  random_thresholds(s, geared);
  random_viscous(s, 0.1 * s->mass / s->end);
  random_vector(s, PART_POSITION, "x0", s->length, 0.3);
  random_vector(s, PART_VELOCITY, "v0", s->length / s->end, 0.4);
  if (!s->light) random_drop(s);
  if (geared) {
    double sign = random_sign(s->knobs, "delta", 0) < 0 ? -1 : 1;
    fprintf(s->file, "  gearbox: {delta: %g, k: \"%.6g*delta\", a: 0.5, b: 1.5, ", sign * 0.7,
            random_rounded(s, s->threshold * random_unit(s->knobs, "gear k", 0)));
    random_stribeck(s, "gearbox");
    fprintf(s->file, "}\n");
  }
  random_laws(s);
  random_rise(s);
  random_surface(s);
  random_stops(s);
  random_force(s, false);
}

static inline void random_string(const RandomShape *s) {
  double density = s->mass * s->d / s->length, speed = s->length / s->end * random_decades(s->knobs, "speed", 0, -1, 1);
  double force = s->threshold * s->d / s->length;
  fprintf(s->file, "model:\n  kind: string\n  nodes: %d\n  length: %.6g\n  density: %.6g\n  tension: %.6g\n", s->d,
          s->length, density, density * speed * speed);
  random_surface(s);
  if (random_in_time(s))
    fprintf(s->file, "  friction: \"%.6g*(1 + sin(%.6g*t))\"\n", force,
            6.28 / s->end * random_decades(s->knobs, "friction", 2, -1, 0.7));
  else if (random_has(s, PART_DIRECTION, "by direction", 0.25))
    fprintf(s->file, "  friction: {forward: %.6g, backward: %.6g}\n", force,
            force * random_unit(s->knobs, "friction backward", 0));
  else
    fprintf(s->file, "  friction: %.6g\n", force);
  random_viscous(s, density / s->end);
  fprintf(s->file, "  x0: \"%.6g*sin(pi*s/%.6g)\"\n", 0.1 * s->length, s->length);
  random_drop(s);
  if (random_has(s, PART_FORCE, "force", 0.6))
    fprintf(s->file, "  force: \"%.6g*sin(%.6g*t)*exp(-s/%.6g)\"\n", 2 * force, 10 / s->end, s->length);
}

static inline void random_chain(const RandomShape *s) {
  static const char *const cases[] = {"dynamical", "semi_dynamical", "quasistatic"};
  static const char *const ends[] = {"clamped", "free", "displacement"};
  bool euler = !strcmp(s->scheme, "implicit_euler");
  int which = random_below(s->knobs, "case", !strcmp(s->scheme, "symplectic") ? 2 : 3);
  if (!strcmp(s->scheme, "increment")) which = 2;
  int end = random_below(s->knobs, "end", 3);
  double stiffness = random_stiffness(s, 0.3) / 100;
  if (which == 2) stiffness = s->load / s->length;
  fprintf(s->file, "model:\n  kind: chain\n  case: %s\n  springs: ", cases[which]);
  random_list(s, "springs", s->d + 1, stiffness, 0.5, 0);
  fprintf(s->file, "\n  thresholds: ");
  random_list(s, "thresholds", s->d, s->threshold, 1, 0.1);
  if (which < 2) fprintf(s->file, "\n  mass: ");
  if (which == 0)
    random_list(s, "mass", s->d, s->mass, 0.5, 0);
  else if (which == 1)
    fprintf(s->file, "%.6g", s->mass);
  fprintf(s->file, "\n  end: %s\n", ends[end]);
  if (end > 0) {
    fprintf(s->file, end == 1 ? "  end_force: " : "  end_displacement: ");
    random_wave(s, "end wave", 0, end == 1 ? s->load : s->length, true);
    fprintf(s->file, "\n");
  }
  if (which == 0) {
    random_vector(s, PART_POSITION, "v0", s->length, 0.3);
    random_vector(s, PART_VELOCITY, "w0", s->length / s->end, 0.4);
  }
  random_force(s, which > 0 || euler);
}

static inline void random_dashpot(const RandomShape *s) {
  static const char *const laws[] = {"viscous", "bingham", "bingham_cubic", "bingham_nonmonotone", "coulomb"};
  int law = random_below(s->knobs, "law", 5);
  fprintf(s->file, "model:\n  kind: dashpot\n  mass: %.6g\n  stiffness: %.6g\n  law: %s\n", s->mass,
          random_has(s, PART_STIFFNESS, "stiff", 0.8) ? random_stiffness(s, 0.3) : 0, laws[law]);
  fprintf(s->file, "  gamma: %.6g\n", random_decades(s->knobs, "gamma", 0, -1, 1));
  if (law > 0) fprintf(s->file, "  f_crit: %.6g\n", law == 3 ? 1 : s->threshold);
  if (law == 3 && random_unit(s->knobs, "selection", 0) < 0.5) fprintf(s->file, "  selection: max_dissipation\n");
  random_vector(s, PART_POSITION, "x0", s->length, 0.3);
  random_vector(s, PART_VELOCITY, "v0", s->length / s->end, 0.3);
  if (random_has(s, PART_SUPPORT, "support", 0.4))
    fprintf(s->file, "  support: {position: %.6g, stiffness: %.6g}\n", s->length * random_unit(s->knobs, "where", 0),
            random_stiffness(s, 0.3));
  random_force(s, false);
}

/* Solution --------------------------------------------------------------------------------------------------------- */

static inline void random_scheme(const RandomShape *s) {
  const RandomKnobs *k = s->knobs;
  bool centered = !strcmp(s->scheme, "centered"), splits = !strcmp(s->scheme, "lie") || !strcmp(s->scheme, "strang");
  bool steps = centered || splits || !strcmp(s->scheme, "moreau"), own = random_has(s, PART_SCHEME, "own keys", 0.7);
  bool other = random_has(s, PART_MULTIPLIER, "multiplier", 0.5) && (centered || splits);
  bool iterates = steps && random_iterates(s) && !(other && splits);
  fprintf(s->file, "scheme: {name: %s", s->scheme);
  if (centered) fprintf(s->file, ", multiplier: %s", other ? "regularized" : "unregularized");
  if (splits && other)
    fprintf(s->file, ", multiplier: smooth, eta: %.6g",
            random_rounded(s, s->length / s->end * random_decades(k, "eta", 0, -3, 1)));
  if (iterates) fprintf(s->file, ", solver: fixed_point");
  if (own && (centered || splits)) fprintf(s->file, ", alpha: %.4g", 0.25 + 0.25 * random_unit(k, "alpha", 0));
  if (own && centered && random_unit(k, "start", 0) < 0.3) fprintf(s->file, ", start: paper");
  if (own && centered && other && random_unit(k, "epsilon", 0) < 0.5)
    fprintf(s->file, ", epsilon: \"%.4g*step\"", random_decades(k, "epsilon", 1, -1, 1));
  if (own && !strcmp(s->scheme, "moreau") && !s->light)
    fprintf(s->file, ", theta: %.4g", 0.5 + 0.5 * random_unit(k, "theta", 0));
  if (own && splits)
    fprintf(s->file, ", friction_substeps: %d, elastic_substeps: %d", 1 + random_below(k, "friction substeps", 12),
            1 + random_below(k, "elastic substeps", 3));
  if (own && splits && !s->damped && !random_drags(s) && !random_has_laws(s) && !random_is_stopped(s) && !s->light &&
      random_unit(k, "elastic", 0) < 0.5)
    fprintf(s->file, ", elastic: exact");
  if (!strcmp(s->scheme, "event")) fprintf(s->file, ", max_events: 3000");
  fprintf(s->file, "}\n");
}

static inline void random_control(const RandomShape *s) {
  static const char *const signals[] = {"constant", "piecewise_constant", "piecewise_linear"};
  static const char *const methods[] = {"pds", "hybrid", "auto", "nlopt:cobyla", "nlopt:bobyqa", "tao:pounders", "sqp"};
  const RandomKnobs *k = s->knobs;
  if (!random_has(s, PART_CONTROL, "control", 0.5)) return;
  bool centered = !strcmp(s->scheme, "centered");
  bool beside = random_is_stopped(s) && (random_has_laws(s) || random_rises(s) || centered);
  bool follows = s->light && random_rises(s); /* derivatives of the motion are not available, so only some search
                                               * methods are possible */
  bool differentiable = s->kind != KIND_CHAIN && !beside && !follows && (!strcmp(s->scheme, "moreau") || centered);
  bool varies = random_has(s, PART_SIGNAL, "signal", 0.6) && strcmp(s->scheme, "implicit_euler") != 0;
  int most = s->steps < 4 ? (int)s->steps : 4, signal = varies ? random_below(k, "signals", 3) : 0;
  fprintf(s->file, "control:\n  target: {velocity: 0}\n");
  if (s->kind == KIND_SPARSE || s->kind == KIND_STRING) fprintf(s->file, "  matrix: {shapes: [1]}\n");
  if (signal)
    fprintf(s->file, "  signal: {kind: %s, segments: %d}\n", signals[signal], 1 + random_below(k, "segments", most));
  fprintf(s->file, "search: {method: %s, max_evaluations: 200, restarts: 0}\n",
          methods[random_below(k, "method", differentiable ? 7 : 6)]);
}

/* Selects dofs without mass, but never all. */
static inline uint32_t random_light(const RandomShape *s) {
  bool exact = !strcmp(s->scheme, "event"), steps = !exact && !random_iterates(s);
  uint32_t light = 0;
  if ((s->kind != KIND_DENSE && s->kind != KIND_SPARSE) || !(exact || steps) || s->d < 2 ||
      !random_has(s, PART_MASSLESS, "massless", 0.25))
    return 0;
  int heavy = random_below(s->knobs, "heavy", s->d);
  for (int i = 0; i < s->d; i++)
    if (i != heavy && random_unit(s->knobs, "light", i) < 0.6) light |= UINT32_C(1) << i;
  return light;
}

static inline RandomShape random_shape(const RandomKnobs *k, FILE *file) {
  static const char *const friction[] = {"moreau", "centered", "event", "lie", "strang", "centered"};
  static const char *const chain[] = {"implicit_euler", "symplectic", "increment", "event"};
  static const char *const dashpot[] = {"backward_euler", "event"};
  static const RandomKind kinds[] = {KIND_DENSE,  KIND_DENSE,   KIND_DENSE,  KIND_DENSE, KIND_DENSE,
                                     KIND_DENSE,  KIND_CHAIN,   KIND_SPARSE, KIND_CHAIN, KIND_CHAIN,
                                     KIND_STRING, KIND_DASHPOT, KIND_DASHPOT};
  RandomShape s = {.knobs = k, .file = file, .kind = kinds[random_below(k, "kind", 13)]};
  s.scheme = s.kind == KIND_DENSE     ? friction[random_below(k, "scheme", 6)]
             : s.kind == KIND_CHAIN   ? chain[random_below(k, "scheme", 4)]
             : s.kind == KIND_DASHPOT ? dashpot[random_below(k, "scheme", 2)]
             : s.kind == KIND_SPARSE  ? friction[random_below(k, "scheme", 5)]
                                      : friction[random_below(k, "scheme", 2)];
  int most = s.kind == KIND_DASHPOT ? 1 : s.kind == KIND_STRING ? 60 : random_unit(k, "small", 0) < 0.7 ? 4 : 12;
  s.d = 1 + random_below(k, "d", most);
  if (s.kind == KIND_STRING && s.d < 2) s.d = 2;
  if (s.d > k->d) s.d = k->d;
  s.steps = (long)random_decades(k, "steps", 0, 0, 2.7);
  /* implicit_euler needs this many steps to resolve the forces */
  if (s.kind == KIND_CHAIN && s.steps < 120) s.steps += 120;
  if (s.steps > k->steps) s.steps = k->steps;
  s.end = random_rounded(&s, random_decades(k, "end", 0, -3, 3));
  s.length = random_rounded(&s, random_decades(k, "length", 0, -4, 3));
  s.mass = random_rounded(&s, random_decades(k, "mass", 1000, -4, 4));
  s.load = s.mass * s.length / (s.end * s.end) * random_decades(k, "load", 0, 0, 2);
  s.threshold = s.load * random_decades(k, "threshold", 0, -2, 0.5);
  s.damped = random_has(&s, PART_DAMPING, "damping", 0.35);
  s.light = random_light(&s);
  return s;
}

/* Writes the file that these knobs give. */
static inline void random_problem(const RandomKnobs *knobs, FILE *file) {
  const RandomShape s = random_shape(knobs, file);
  switch (s.kind) {
  case KIND_DENSE:
  case KIND_SPARSE: random_friction(&s); break;
  case KIND_STRING: random_string(&s); break;
  case KIND_CHAIN: random_chain(&s); break;
  case KIND_DASHPOT: random_dashpot(&s); break;
  }
  fprintf(file, "time: {end: %.6g, steps: %ld}\n", s.end, s.steps);
  random_scheme(&s);
  random_control(&s);
}

#endif
