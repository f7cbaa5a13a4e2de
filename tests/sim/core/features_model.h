/* SPDX-License-Identifier: BSD-2-Clause */
/* A small model with any set of features: two masses, coupled by springs, that slide, stop and turn within a second. */
#ifndef TESTS_FEATURES_MODEL_H
#define TESTS_FEATURES_MODEL_H

#include "tests/fixture.h"

#include "sim/core/features.h"
#include "sim/core/scheme.h"

/* X(name, bit) lists the possible parts of the model: each law of gamma, and others with a bit in sim/features.h. */
#define MODEL_LAW(law, name, ...) WITH_##law,
typedef enum Feature {
  WITH_NOTHING,
  WITH_SPARSE,
  WITH_MANY,
  WITH_SIGNAL,
  WITH_DAMPING,
  WITH_SKEW,
  WITH_MASSLESS,
  WITH_VISCOUS,
  WITH_BIAS,
  WITH_COURSES,
  WITH_RISE,
  WITH_SURFACE,
  SIM_STRIBECK_LAWS(MODEL_LAW) WITH_SQUARE,
  WITH_EXPONENT,
  WITH_TABLE,
  WITH_GEARBOX,
  WITH_RIGID,
  WITH_ELASTIC,
  WITH_ANCHORS,
  WITH_LINKS,
  WITH_REGULARIZED,
  WITH_SMOOTH,
  WITH_FIXED_POINT,
  WITH_MODES,
  FEATURES
} Feature;
static_assert(FEATURES <= 32, "a part has no bit in an unsigned");

#define MODEL_NAME(law, name, ...) name,
static const char *const feature_names[FEATURES] = {"nothing",
                                                    "sparse matrices",
                                                    "many degrees of freedom",
                                                    "a control that varies",
                                                    "damping",
                                                    "skew damping",
                                                    "no mass",
                                                    "viscous friction",
                                                    "thresholds by direction",
                                                    "thresholds in time",
                                                    "thresholds by place",
                                                    "surfaces",
                                                    SIM_STRIBECK_LAWS(MODEL_NAME) "exponential, 2",
                                                    "exponential, 1.5",
                                                    "a table",
                                                    "a gear box",
                                                    "rigid stops",
                                                    "elastic stops",
                                                    "anchors",
                                                    "links",
                                                    "regularized",
                                                    "smooth",
                                                    "fixed_point",
                                                    "elastic: exact"};

#define MODEL_ENUMERATOR(law, ...) law,
static const SimStribeck model_laws[] = {SIM_STRIBECK_LAWS(MODEL_ENUMERATOR)};
enum { MODEL_LAWS = sizeof model_laws / sizeof *model_laws, FIRST_LAW = WITH_SURFACE + 1 };

static const double MASS[2] = {1, 1.5}, FRICTION[2] = {1.6, 1.1}, DRAG[2] = {1.2, 0.9}, BIAS[2] = {1.4, 0.9};
static const double STIFFNESS[4] = {30, -10, -10, 20}, DAMPER[4] = {1.4, -0.6, -0.6, 1.2}, SKEW = -2;
static const double START_X[2] = {0.3, -0.2}, START_V[2] = {0.6, -0.5};
static const double CONTROL[4] = {1.5, -1, -1.5, 2}; /* two forces in two segments */
static const double BETA = 0.7, EPSILON = 0.15, ETA = 0.6, MODEL_END = 1;
static const double TABLE_SPEED[4] = {0.05, 0.2, 0.5, 1.5}, TABLE_FRICTION[4] = {2, 1.2, 0.6, 0.5};
static const double GEAR_K[2] = {1.4, 0.8}, GEAR_A = 0.4, GEAR_B = 1.2, GEAR_BETA = 0.5, GEAR_EPSILON = 0.2;
static const double LOWER[2] = {0.15, -0.25}, UPPER[2] = {0.33, -0.05}, RESTITUTION = 0.6, END_STIFFNESS = 150;
static const double ANCHOR = 200, LINK = 60; /* N/m^3 */

static double model_force(int i, double t) { return i == 0 ? 6 * sin(5 * t) : 4 * cos(4 * t); }
static double model_course(int i, double t) { return i == 0 ? 1.6 + 1.4 * sin(6 * t) : 1 + 0.9 * cos(5 * t); }
static double model_surface(int i, double t) {
  (void)i;
  return 0.7 + 0.5 * sin(4 * t);
}
/* Law by which thresholds rise. It depends on the elongation e = x_2 - x_1 of the spring after the first mass. */
static double model_rise(int i, double e) { return i == 0 ? 6 * fabs(e + 0.4) + 8 * e * e : 0; }
static double anchor_law(int i, double e) {
  (void)i;
  return ANCHOR * e * e * e;
}
static double link_law(int i, double e) { return i == 0 ? LINK * e * e * e : 0; }

/* Returns whether dof i has no mass, which only the second may be. It then lacks parts that would leave its motion
 * undefined, and has no impacts. */
static inline bool is_massless(unsigned with, int i) { return i == 1 && with >> WITH_MASSLESS & 1; }
static inline double mass_of(unsigned with, int i) { return is_massless(with, i) ? 0 : MASS[i % 2]; }
static inline double beta_of(unsigned with, int i, double beta) { return is_massless(with, i) ? 0 : beta; }
static inline double drag_of(unsigned with, int i) { return is_massless(with, i) ? 0 : DRAG[i % 2]; }
static inline double start_speed(unsigned with, int i) { return is_massless(with, i) ? 0 : START_V[i % 2]; }
static inline double damper_of(unsigned with, int k) { return k && with >> WITH_MASSLESS & 1 ? 0 : DAMPER[k]; }
static inline int elastic_dof(unsigned with) { return with >> WITH_MASSLESS & 1 ? 0 : 1; }

/* Returns the law of gamma in a set of features, and its exponent. */
static inline SimStribeck law_of(unsigned with, double *exponent) {
  *exponent = with >> WITH_SQUARE & 1 ? 2 : with >> WITH_EXPONENT & 1 ? 1.5 : 0;
  if (*exponent > 0) return SIM_STRIBECK_EXPONENTIAL;
  for (int k = 0; k < MODEL_LAWS; k++)
    if (with >> (FIRST_LAW + k) & 1) return model_laws[k];
  return with >> WITH_TABLE & 1 ? SIM_STRIBECK_TABLE : SIM_STRIBECK_NONE;
}

/* Returns whether two features exclude each other, as two friction laws or two multipliers do. Most combinations with
 * sparse matrices are also excluded here, as they are tested elsewhere. */
static inline bool exclude(int a, int b) {
  if ((a == WITH_REGULARIZED && b == WITH_SMOOTH) || (a == WITH_SPARSE && b == WITH_MANY)) return true;
  if (a == WITH_SPARSE && b == WITH_SKEW) return true; /* tests/sim/friction/test_skew.c tests this */
  return a != b && a >= FIRST_LAW && b >= FIRST_LAW && a <= WITH_TABLE && b <= WITH_TABLE;
}

static inline void fill_stops(SimProblem *p, unsigned with) {
  p->stops.present = true;
  for (int i = 0; i < p->d; i++) {
    bool rigid = i == 0 && with >> WITH_RIGID & 1, elastic = i == elastic_dof(with) && with >> WITH_ELASTIC & 1;
    p->stops.lower[i] = rigid || elastic ? LOWER[i] : NAN;
    p->stops.upper[i] = rigid || elastic ? UPPER[i] : NAN;
    p->stops.stiffness[i] = elastic ? END_STIFFNESS : NAN;
    p->stops.restitution[i] = rigid ? RESTITUTION : 0;
  }
}

static inline void fill_gearbox(SimProblem *p, unsigned with) {
  SimGearbox *g = &p->system.gearbox;
  g->present = true;
  g->law = SIM_STRIBECK_SQRT;
  for (int i = 0; i < p->d; i++) {
    g->delta[i] = 1;
    g->k[i] = GEAR_K[i % 2];
    g->a[i] = GEAR_A;
    g->b[i] = GEAR_B;
    g->beta[i] = beta_of(with, i, GEAR_BETA);
    g->epsilon[i] = GEAR_EPSILON;
  }
}

static inline void sparse_part_of(SimMatrix *matrix, const double *entries) {
  assert_int_equal(sim_matrix_alloc(matrix, 2, 4), SIM_OK);
  for (int k = 0; k < 4; k++) {
    matrix->column[k] = k % 2;
    matrix->value[k] = entries[k];
  }
  matrix->start[1] = 2;
  matrix->start[2] = 4;
}

static inline void fill_sparse(SimProblem *p, unsigned with) {
  const double mass[4] = {MASS[0], 0, 0, mass_of(with, 1)};
  assert_int_equal(sim_problem_init_sparse(p, NULL, 2, 0, 2, 2), SIM_OK);
  sparse_part_of(&p->system.sparse.mass, mass);
  sparse_part_of(&p->system.sparse.stiffness, STIFFNESS);
  double damper[4] = {0};
  for (int k = 0; k < 4 && with >> WITH_DAMPING & 1; k++) damper[k] = damper_of(with, k);
  if (with & (1u << WITH_DAMPING | 1u << WITH_VISCOUS)) sparse_part_of(&p->system.sparse.damping, damper);
}

/* Masses beyond the first two are copies of these, without their springs. */
static inline void fill_dense(SimProblem *p, unsigned with) {
  int d = with >> WITH_MANY & 1 ? SIM_MANY + 1 : 2;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 2), SIM_OK);
  for (int i = 0; i < d; i++) p->system.mass[i * d + i] = mass_of(with, i);
  for (int k = 0; k < 4; k++) {
    p->system.stiffness[k / 2 * d + k % 2] = STIFFNESS[k];
    if (with >> WITH_DAMPING & 1) p->system.damping[k / 2 * d + k % 2] = damper_of(with, k);
  }
  if (with >> WITH_SKEW & 1) {
    p->system.damping[1] += SKEW;
    p->system.damping[d] -= SKEW;
  }
}

/* Changes of the initial state and of the control, for differences. */
typedef struct Shift {
  double v0, u;
} Shift;

static inline void fill_curves(SimProblem *p, unsigned with) {
  double where;
  FixtureSource course = {model_course, p->by_direction ? 2 : 1}, surface = {model_surface, 1},
                rise = {model_rise, p->d}, anchor = {anchor_law, 1}, link = {link_law, p->d - 1};
  SimLoad load = {.at = fixture_force_at};
  if (with >> WITH_COURSES & 1) {
    load.context = &course;
    assert_int_equal(stiction_problem_set_thresholds(p, 1, &load, 0, NULL, &where), SIM_OK);
  }
  if (with >> WITH_RISE & 1) {
    load.context = &rise;
    assert_int_equal(stiction_problem_set_rise(p, SIM_SPRING_BEHIND, p->d, &load, -0.9, 0.9, 0, NULL, &where), SIM_OK);
  }
  if (with >> WITH_SURFACE & 1) {
    load.context = &surface;
    assert_int_equal(stiction_problem_set_surface(p, 1, &load, 0, NULL, &where), SIM_OK);
  }
  if (with >> WITH_ANCHORS & 1) {
    load.context = &anchor;
    assert_int_equal(stiction_problem_set_springs(p, SIM_ANCHORS, 1, &load, -3, 3, 0, NULL, &where), SIM_OK);
  }
  if (with >> WITH_LINKS & 1) {
    load.context = &link;
    assert_int_equal(stiction_problem_set_springs(p, SIM_LINKS, p->d - 1, &load, -6, 6, 0, NULL, &where), SIM_OK);
  }
}

/* Fills one friction table for all dofs. A massless dof has its own, which is constant in speed. */
static inline void fill_table(SimProblem *p, unsigned with) {
  double friction[4 * (SIM_MANY + 1)];
  long where;
  int columns = with >> WITH_MASSLESS & 1 ? p->d : 1;
  for (int k = 0; k < 4 * columns; k++) friction[k] = TABLE_FRICTION[is_massless(with, k / 4) ? 0 : k % 4];
  assert_int_equal(stiction_problem_set_friction_table(p, 4, columns, TABLE_SPEED, friction, &where), SIM_OK);
}

static inline void fill_friction(SimProblem *p, unsigned with) {
  double drag[SIM_MANY + 1];
  for (int i = 0; i < p->d; i++) {
    p->friction[i] = FRICTION[i % 2];
    p->friction_bias[i] = with >> WITH_BIAS & 1 ? BIAS[i % 2] : 0;
    p->system.stribeck_beta[i] = beta_of(with, i, BETA);
    p->system.stribeck_epsilon[i] = EPSILON;
    drag[i] = drag_of(with, i);
  }
  p->by_direction = with >> WITH_BIAS & 1;
  p->system.stribeck = law_of(with & ~(1u << WITH_TABLE), &p->system.stribeck_exponent);
  if (with >> WITH_TABLE & 1) fill_table(p, with);
  if (with >> WITH_VISCOUS & 1) assert_int_equal(sim_problem_set_viscous(p, drag), SIM_OK);
}

/* Sets the choices of a scheme. Returns false if it lacks one of them. */
static inline bool choose(SimProblem *p, unsigned with) {
  bool may = true;
  if (with >> WITH_REGULARIZED & 1)
    may = may && sim_problem_choose(p, "multiplier", "regularized") == SIM_OK;
  else if (with >> WITH_SMOOTH & 1)
    may = may && sim_problem_choose(p, "multiplier", "smooth") == SIM_OK && sim_problem_set(p, "eta", ETA) == SIM_OK;
  else
    sim_problem_choose(p, "multiplier", "unregularized");
  if (with >> WITH_FIXED_POINT & 1)
    may = may && sim_problem_choose(p, "solver", "fixed_point") == SIM_OK &&
          sim_problem_set(p, "tolerance", 1e-12) == SIM_OK;
  if (with >> WITH_MODES & 1) may = may && sim_problem_choose(p, "elastic", "exact") == SIM_OK;
  return may;
}

/* Makes a problem with some features for a scheme. Returns false if the scheme lacks a choice. Clear it afterwards. */
static inline bool model_fill(SimProblem *p, const char *scheme, long steps, unsigned with, Shift shift) {
  if (with >> WITH_SPARSE & 1)
    fill_sparse(p, with);
  else
    fill_dense(p, with);
  fixture_time(p, MODEL_END, steps);
  assert_int_equal(sim_problem_set_scheme(p, scheme), SIM_OK);
  p->signal = with >> WITH_SIGNAL & 1 ? SIM_PIECEWISE_CONSTANT : SIM_CONSTANT;
  p->segments = with >> WITH_SIGNAL & 1 ? 2 : 1;
  for (int i = 0; i < p->d; i++) {
    p->x0[i] = i < 2 ? START_X[i] : 0;
    p->v0[i] = start_speed(with, i);
  }
  p->v0[0] += shift.v0;
  fill_friction(p, with);
  fill_curves(p, with);
  if (with & (1u << WITH_RIGID | 1u << WITH_ELASTIC)) fill_stops(p, with);
  if (with >> WITH_GEARBOX & 1) fill_gearbox(p, with);
  return choose(p, with);
}

#endif
