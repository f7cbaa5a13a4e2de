/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the random motion of a seed and a number. Lengths, times and masses are about 1, but ratios of numbers span ten
 * decades and more. At the end all numbers are converted to other units. */
#ifndef TESTS_REFEREE_MAKE_H
#define TESTS_REFEREE_MAKE_H

#include "tests/referee/draw.h"

/* Streams of random numbers. Each part has its own, so that leaving one out does not change the others. */
enum {
  FOR_SIZE,
  FOR_MASS,
  FOR_DAMPING,
  FOR_STIFFNESS,
  FOR_FRICTION,
  FOR_DROP,
  FOR_WORLD,
  FOR_SURFACE,
  FOR_SPRINGS,
  FOR_STOPS,
  FOR_FORCE,
  FOR_CONTROL,
  FOR_START,
  FOR_UNITS,
  FOR_PRESSING,
  FOR_SKEW,
  FOR_WEIGHT
};

static inline void add_break(Draw *w, double t) {
  int k = w->breaks;
  if (!(t > 0 && t < w->end) || k == BREAKS_MAX) return;
  for (int j = 0; j < k; j++)
    if (w->at_break[j] == t) return;
  for (; k > 0 && w->at_break[k - 1] > t; k--) w->at_break[k] = w->at_break[k - 1];
  w->at_break[k] = t;
  w->breaks++;
}

/* Adds scale R R' to a matrix, where R is a random matrix, and a diagonal. Without coupling only the diagonal is
 * added. */
static inline void add_square(Random *r, int d, double scale, bool coupled, double matrix[D_MAX][D_MAX]) {
  double root[D_MAX][D_MAX];
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) root[i][j] = uniform(r, -1, 1);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < d; k++) matrix[i][j] += coupled || i == j ? scale * root[i][k] * root[j][k] : 0;
}

/* Returns the unit of the forces on a dof. In most draws it is the mass of the dof, so that no dof is thrown far
 * off. */
static inline double weight(const Draw *w, int i) {
  Random r = random_of(w, FOR_WEIGHT);
  return uniform(&r, 0, 1) < 0.85 ? w->mass[i][i] : 1;
}

static inline void weigh(const Draw *w, double matrix[D_MAX][D_MAX]) {
  for (int i = 0; i < w->d; i++)
    for (int j = 0; j < w->d; j++) matrix[i][j] *= sqrt(weight(w, i) * weight(w, j));
}

/* Adds an antisymmetric damping, as of a gyroscope or of a coil in a field. It takes no energy. */
static inline void draw_skew(Draw *w) {
  Random r = random_of(w, FOR_SKEW);
  double rate = decades(&r, -3, 1.3);
  if (w->d < 2 || !draw_feature(w, &r, HAS_SKEW, 0.12)) return;
  for (int i = 0; i < w->d; i++)
    for (int j = 0; j < i; j++) {
      double part = rate * uniform(&r, -1, 1);
      w->damping[i][j] += part;
      w->damping[j][i] -= part;
    }
}

static inline void draw_matrices(Draw *w) {
  Random r = random_of(w, FOR_MASS);
  double each[D_MAX];
  bool far = uniform(&r, 0, 1) < 0.3;
  for (int i = 0; i < D_MAX; i++) each[i] = far ? decades(&r, -2.5, 2.5) : decades(&r, -0.3, 0.3);
  if (w->d > 1 && draw_feature(w, &r, HAS_COUPLED_MASS, 0.5)) add_square(&r, w->d, decades(&r, -2, 0.5), true, w->mass);
  for (int i = 0; i < w->d; i++) w->mass[i][i] += 0.2;
  for (int i = 0; i < w->d; i++)
    for (int j = 0; j < w->d; j++) w->mass[i][j] *= sqrt(each[i] * each[j]);
  r = random_of(w, FOR_DAMPING);
  bool steep = uniform(&r, 0, 1) < 0.06;
  double rate = steep ? decades(&r, 1.5, 3.5) : decades(&r, -6, 1.5);
  if (draw_feature(w, &r, HAS_DAMPED, 0.35)) add_square(&r, w->d, rate, uniform(&r, 0, 1) < 0.7, w->damping);
  draw_skew(w);
  weigh(w, w->damping);
  if (draw_feature(w, &r, HAS_VISCOUS, 0.2))
    for (int i = 0; i < w->d; i++) w->viscous[i] = decades(&r, -5, 1.3) * weight(w, i);
  r = random_of(w, FOR_STIFFNESS);
  steep = uniform(&r, 0, 1) < 0.08;
  rate = steep ? decades(&r, 2.5, 4) : decades(&r, -6, 2.3);
  if (draw_feature(w, &r, HAS_STIFF, 0.6)) add_square(&r, w->d, rate, uniform(&r, 0, 1) < 0.7, w->stiffness);
  weigh(w, w->stiffness);
}

static inline void draw_friction(Draw *w) {
  Random r = random_of(w, FOR_FRICTION);
  bool far = uniform(&r, 0, 1) < 0.3, by_direction = draw_feature(w, &r, HAS_BY_DIRECTION, 0.25);
  for (int i = 0; i < w->d; i++) {
    double c = (far ? decades(&r, -7, 1) : decades(&r, -1, 0.6)) * weight(w, i), other = c * decades(&r, -2, 1);
    w->forward[i] = c;
    w->backward[i] = by_direction ? other : c;
    if (draw_feature(w, &r, HAS_FREE, 0.07)) w->forward[i] = w->backward[i] = 0;
  }
  r = random_of(w, FOR_DROP);
  double which = uniform(&r, 0, 1), fast = decades(&r, -8, 1);
  int law = which < 0.12   ? HAS_SQRT
            : which < 0.24 ? HAS_RAMP
            : which < 0.42 ? HAS_EXPONENTIAL
            : which < 0.6  ? HAS_GAUSSIAN
            : which < 0.72 ? HAS_TABLE
                           : -1;
  if (law < 0 || !draw_feature(w, &r, law, 1)) return;
  bool each = uniform(&r, 0, 1) < 0.5;
  for (int i = 0; i < w->d; i++) {
    w->beta[i] = uniform(&r, 0.02, 0.97);
    w->epsilon[i] = fast * (each ? decades(&r, -1, 1) : 1);
  }
  double speed = uniform(&r, 0, 1) < 0.5 ? 0 : fast / 10;
  for (int k = 0; k < POINTS; k++) {
    w->table_speed[k] = speed;
    w->table_friction[k] = k ? uniform(&r, 0.05, 1.3) : 1;
    speed += fast * decades(&r, -1.5, 1);
  }
  for (int k = 1; k < POINTS && fast < 0.03; k++) /* counts friction that rises as fast as this, since it is as stiff
                                                   * as a damper */
    w->table_friction[k] = fmin(w->table_friction[k], w->table_friction[k - 1] * 0.95);
}

/* Makes a function of time with values of about `size`. It is continuous from one piece of time to the next. */
static inline void draw_course(Draw *w, Random *r, double size, bool force, Course *c) {
  double cut = uniform(r, 0.1, 0.9) * w->end, width = decades(r, -5, -1), at = uniform(r, 0, 1);
  bool pieces = draw_feature(w, r, HAS_PIECES, force ? 0.25 : 0);
  c->n = 0;
  for (int k = 0; k < TERMS; k++) {
    static const int kinds[] = {HAS_POLYNOMIAL, HAS_SINE, HAS_DECAY, HAS_PULSE};
    double which = uniform(r, 0, 1), first = decades(r, -1, 1.2), second = uniform(r, 0, 1), part = uniform(r, -1, 1);
    int kind = kinds[which < 0.35 ? 0 : which < 0.75 ? 1 : which < 0.9 || !force ? 2 : 3];
    bool whole = k == 0;
    if (!whole && uniform(r, 0, 1) < 0.5) continue;
    if (!draw_feature(w, r, kind, 1)) continue;
    Term *term = &c->term[c->n++];
    *term = (Term){kind, size * part, first, second, -INFINITY, INFINITY};
    if (kind == HAS_POLYNOMIAL) term->rate = fmin(first, 3);
    if (kind == HAS_PULSE) {
      *term = (Term){kind, size * part * fmin(0.3 / width, 1e3), 1 / width, at, -INFINITY, INFINITY};
      for (int side = -8; side <= 8; side += 4) add_break(w, at + side * width);
    }
    if (!pieces) continue;
    if (k % 2) term->from = cut;
    if (k % 2 == 0) term->until = cut;
    add_break(w, cut);
  }
}

static inline void draw_spring(Draw *w, Random *r, SpringLaw *law) {
  int kind = HAS_LAW_CUBIC + below(r, 4);
  if (!draw_feature(w, r, kind, 1)) return;
  double wide = decades(r, 0.7, kind == HAS_LAW_CUBIC ? 6 : 2.5);
  law->kind = kind;
  law->length = decades(r, -1, 1);
  law->stiffness = decades(r, -4, 1.5);
  double least = INFINITY;
  for (int i = 0; i < w->d; i++) least = fmin(least, weight(w, i));
  law->stiffness *= least;
  if (kind == HAS_LAW_EXPONENTIAL) law->length = fmax(law->length, wide / 25);
  if (kind == HAS_LAW_SINE) law->length = fmax(law->length, wide / 300);
  law->lower = -wide;
  law->upper = wide * uniform(r, 0.5, 1);
  for (int k = 0; k < POINTS; k++) {
    law->at[k] = k ? law->at[k - 1] + law->length * uniform(r, 0.2, 1) : -law->length;
    law->force[k] =
        k ? law->force[k - 1] + law->stiffness * law->length * uniform(r, -0.3, 1) : -law->stiffness * law->length / 2;
  }
}

static inline void draw_world(Draw *w) {
  Random r = random_of(w, FOR_WORLD);
  double which = uniform(&r, 0, 1);
  bool surface = which<0.2, pressed = which> 0.15 && which<0.35, springs = which> 0.4 &&
                 which<0.65, stops = which> 0.6 && which < 0.85;
  r = random_of(w, FOR_SURFACE);
  if (surface && draw_feature(w, &r, HAS_SURFACE, 1))
    for (int i = 0; i < w->d; i++) draw_course(w, &r, decades(&r, -3, 0), false, &w->surface[i]);
  r = random_of(w, FOR_PRESSING);
  if (pressed && draw_feature(w, &r, HAS_PRESSED, 1))
    for (int i = 0; i < w->d; i++)
      w->pressing[i] =
          (Course){2,
                   {{HAS_POLYNOMIAL, 1, 0, 0, -INFINITY, INFINITY},
                    {HAS_SINE, uniform(&r, 0, 1), decades(&r, -0.5, 1.3), uniform(&r, 0, 1), -INFINITY, INFINITY}}};
  r = random_of(w, FOR_SPRINGS);
  if (springs && draw_feature(w, &r, HAS_ANCHORS, 0.7)) draw_spring(w, &r, &w->anchor);
  if (springs && w->d > 1 && draw_feature(w, &r, HAS_LINKS, 0.7)) draw_spring(w, &r, &w->link);
  r = random_of(w, FOR_STOPS);
  bool rigid = draw_feature(w, &r, HAS_RIGID, stops ? 0.7 : 0),
       elastic = draw_feature(w, &r, HAS_ELASTIC, stops ? 0.5 : 0),
       bounces = draw_feature(w, &r, HAS_BOUNCING, rigid ? 0.7 : 0);
  for (int i = 0; i < w->d; i++) {
    bool soft = elastic && (!rigid || uniform(&r, 0, 1) < 0.5);
    double gap = decades(&r, -2, 0), e = below(&r, 4) * 0.25 + uniform(&r, 0, 0.2),
           k = decades(&r, 0, 4) * weight(w, i);
    w->lower[i] = (rigid || elastic) && uniform(&r, 0, 1) < 0.6 ? -gap : NAN;
    w->upper[i] = (rigid || elastic) && uniform(&r, 0, 1) < 0.6 ? gap * uniform(&r, 0.5, 2) : NAN;
    w->stop_stiffness[i] = soft ? k : NAN;
    w->restitution[i] = bounces && !soft ? e : 0;
  }
}

static inline void draw_loads(Draw *w) {
  Random r = random_of(w, FOR_FORCE);
  double size = decades(&r, -1, 1.3);
  for (int i = 0; i < w->d; i++)
    if (uniform(&r, 0, 1) < 0.8) draw_course(w, &r, size * weight(w, i), true, &w->force[i]);
  r = random_of(w, FOR_CONTROL);
  int signal = below(&r, 4);
  bool controlled = signal < 2 && draw_feature(w, &r, signal ? HAS_CONTROL_CONSTANT : HAS_CONTROL_LINEAR, 1);
  for (int i = 0; i < D_MAX; i++)
    for (int j = 0; j < D_MAX; j++)
      w->control_matrix[i][j] = (i == j || below(&r, 3) == 0 ? uniform(&r, -1, 1) : 0) * (i < w->d ? weight(w, i) : 0);
  for (int k = 0; k < SEGMENTS; k++)
    for (int j = 0; j < D_MAX; j++) w->control[k][j] = uniform(&r, -1, 1) * decades(&r, -1, 1);
  for (int k = 1; k < SEGMENTS && controlled; k++) add_break(w, k * (w->end / SEGMENTS));
}

static inline void draw_start(Draw *w) {
  Random r = random_of(w, FOR_START);
  for (int i = 0; i < w->d; i++) {
    double x = uniform(&r, 0, 1) < 0.4 ? 0 : either_sign(&r, decades(&r, -4, 0)),
           v = uniform(&r, 0, 1) < 0.35 ? 0 : either_sign(&r, decades(&r, -2, 0.7)), inset = uniform(&r, 0.01, 0.99);
    if (x < w->lower[i]) x = w->lower[i] * inset;
    if (x > w->upper[i]) x = w->upper[i] * inset;
    w->x0[i] = x;
    w->v0[i] = v;
  }
}

static inline void scale_course(Course *c, double size, double time) {
  for (int k = 0; k < c->n; k++) {
    Term *term = &c->term[k];
    bool is_time = term->kind == HAS_POLYNOMIAL || term->kind == HAS_SINE || term->kind == HAS_PULSE;
    term->size *= size;
    term->rate /= time;
    if (is_time) term->at *= time;
    term->from *= time;
    term->until *= time;
  }
}

static inline void scale_spring(SpringLaw *law, double length, double force) {
  law->length *= length;
  law->stiffness *= force / length;
  law->lower *= length;
  law->upper *= length;
  for (int k = 0; k < POINTS; k++) {
    law->at[k] *= length;
    law->force[k] *= force;
  }
}

/* Converts the motion to units in which the old units of length, time and mass have these values. */
static inline void draw_in_units(Draw *w, double length, double time, double mass) {
  double force = mass * length / (time * time), speed = length / time;
  w->end *= time;
  w->length *= length;
  w->speed *= speed;
  for (int i = 0; i < D_MAX; i++) {
    for (int j = 0; j < D_MAX; j++) {
      w->mass[i][j] *= mass;
      w->damping[i][j] *= mass / time;
      w->stiffness[i][j] *= force / length;
      w->control_matrix[i][j] *= force;
    }
    w->viscous[i] *= mass / time;
    w->x0[i] *= length;
    w->v0[i] *= speed;
    w->forward[i] *= force;
    w->backward[i] *= force;
    w->epsilon[i] *= speed;
    w->lower[i] *= length;
    w->upper[i] *= length;
    w->stop_stiffness[i] *= force / length;
    scale_course(&w->pressing[i], 1, time);
    scale_course(&w->surface[i], speed, time);
    scale_course(&w->force[i], force, time);
  }
  for (int k = 0; k < POINTS; k++) w->table_speed[k] *= speed;
  for (int k = 0; k < w->breaks; k++) w->at_break[k] *= time;
  for (int k = 1; k < SEGMENTS; k++) /* computes these times exactly as the library does, so that they have the same
                                      * bits */
    for (int j = 0; j < w->breaks; j++)
      if (fabs(w->at_break[j] - k * (w->end / SEGMENTS)) < 1e-12 * w->end) w->at_break[j] = k * (w->end / SEGMENTS);
  scale_spring(&w->anchor, length, force);
  scale_spring(&w->link, length, force);
}

/* Makes the random problem with a number. without: bits of features to leave out. */
static inline Draw draw_make(uint64_t seed, uint64_t number, uint32_t without) {
  Draw w = {.seed = seed, .number = number, .without = without, .end = 1, .length = 1, .speed = 1};
  Random r = random_of(&w, FOR_SIZE);
  w.d = 1 + below(&r, D_MAX);
  draw_matrices(&w);
  draw_friction(&w);
  draw_world(&w);
  draw_loads(&w);
  draw_start(&w);
  r = random_of(&w, FOR_UNITS);
  double length = decades(&r, -4, 4), time = decades(&r, -3, 5), mass = decades(&r, -4, 5);
  if (draw_feature(&w, &r, HAS_UNITS, 0.5)) draw_in_units(&w, length, time, mass);
  return w;
}

#endif
