/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts a problem to other units, by scaling all of its numbers in place. */
#ifndef TESTS_RANDOM_UNITS_H
#define TESTS_RANDOM_UNITS_H

#include "tests/random/motion.h"

/* Factors from old to new units: for mm, ms and kN they are 1000, 1000 and 1/1000. */
typedef struct Units {
  double length, time, force;
} Units;

/* A load in new units, computed from a load in old units. */
typedef struct ScaledLoad {
  SimLoad load;
  Units units;
  int count;
} ScaledLoad;

static inline double units_speed(Units u) { return u.length / u.time; }
static inline double units_mass(Units u) { return u.force * u.time * u.time / u.length; }
static inline double units_damping(Units u) { return u.force * u.time / u.length; }
static inline double units_stiffness(Units u) { return u.force / u.length; }
static inline double units_energy(Units u) { return u.force * u.length; }
static inline Units units_over(Units a, Units b) {
  return (Units){a.length / b.length, a.time / b.time, a.force / b.force};
}

/* Returns units to which a trial can be converted, as near to u as possible. If a dash-pot's law has constants in N,
 * the unit of force does not change. */
static inline Units trial_units(const Trial *t, Units u) {
  const SimProblem *p = &t->problem.sim;
  if (p->kind == SIM_DASHPOT && p->dashpot.law == SIM_BINGHAM_NONMONOTONE) u.force = 1;
  return u;
}

/* Returns the factor for a key of the scheme, given its unit; NAN if the unit is unknown. */
static inline double units_factor(Units u, const char *unit) {
  if (!unit) return 1;
  if (!strcmp(unit, "s")) return u.time;
  if (!strcmp(unit, "m/s")) return units_speed(u);
  if (!strcmp(unit, "1/(N m/s)")) return 1 / (u.force * units_speed(u));
  return NAN;
}

static inline void units_scale(double factor, size_t n, double *values) {
  for (size_t i = 0; i < n && values; i++) values[i] *= factor;
}

static inline void scaled_load_at(void *context, double t, double *f) {
  const ScaledLoad *scaled = context;
  scaled->load.at(scaled->load.context, t / scaled->units.time, f);
  units_scale(scaled->units.force, (size_t)scaled->count, f);
}

static inline void units_scale_matrix(double factor, int rows, SimMatrix *m) {
  if (m->start) units_scale(factor, (size_t)m->start[rows], m->value);
}

/* Scales the rows of a force over time (sim_piece_size). */
static inline void units_scale_pieces(Units u, long pieces, int d, double *rows) {
  for (long k = 0; k < pieces && rows; k++) {
    double *row = rows + (size_t)k * sim_piece_size(d);
    row[0] *= u.time;
    units_scale(u.force, sim_piece_size(d) - SIM_PIECE_HEAD, row + SIM_PIECE_HEAD);
  }
}

/* Scales the rows of a curve (sim_curve_size): values over an argument, and their integral. */
static inline void units_scale_curve(double argument, double value, long pieces, int columns, double *rows) {
  for (long k = 0; k < pieces && rows; k++) {
    double *row = rows + (size_t)k * sim_curve_size(columns), *integral = row + SIM_CURVE_HEAD;
    units_scale(argument, 2, row);
    units_scale(argument, 1, row + 3);
    units_scale(argument * value, (size_t)columns, integral);
    units_scale(value, sim_curve_size(columns) - SIM_CURVE_HEAD - (size_t)columns, integral + columns);
  }
}

static inline void units_scale_system(Units u, SimProblem *p) {
  SimSystem *q = &p->system;
  size_t d = (size_t)p->d, rows = q->table.rows ? (size_t)q->table.points * (size_t)q->table.columns : 0;
  units_scale(units_mass(u), d * d, q->mass);
  units_scale(units_stiffness(u), d * d, q->stiffness);
  units_scale(units_damping(u), d * d, q->damping);
  units_scale_matrix(units_mass(u), p->count, &q->sparse.mass);
  units_scale_matrix(units_stiffness(u), p->count, &q->sparse.stiffness);
  units_scale_matrix(units_damping(u), p->count, &q->sparse.damping);
  units_scale(units_speed(u), (size_t)p->count, q->stribeck_epsilon);
  for (size_t k = 0; k < rows; k++) {
    q->table.rows[k * SIM_TABLE_ROW + SIM_TABLE_SPEED] *= units_speed(u);
    q->table.rows[k * SIM_TABLE_ROW + SIM_TABLE_FRICTION] *= u.force;
  }
  if (!q->gearbox.present) return;
  units_scale(u.force, d, q->gearbox.k);
  units_scale(units_speed(u), d, q->gearbox.epsilon);
}

/* Scales the dash-pot's law g: each coefficient by a power of the unit of force. */
static inline void units_scale_dashpot(Units u, SimDashpot *dashpot) {
  double force = dashpot->law == SIM_BINGHAM_CUBIC ? u.force * u.force * u.force : u.force;
  dashpot->mass *= units_mass(u);
  dashpot->stiffness *= units_stiffness(u);
  dashpot->g *= units_speed(u) / force;
  dashpot->support_position *= u.length;
  dashpot->support_stiffness *= units_stiffness(u);
}

static inline void units_scale_chain(Units u, SimProblem *p) {
  size_t d = (size_t)p->d, times = (size_t)sim_force_count(p);
  units_scale(units_stiffness(u), d + 1, p->chain.springs);
  units_scale(units_mass(u), d, p->chain.node_mass);
  units_scale(u.force / u.time, times * d, p->chain.force_rate);
  units_scale(p->chain.end == SIM_END_DISPLACEMENT ? u.length : u.force, times, p->chain.end_value);
}

/* Scales functions of time or elongation. */
static inline void units_scale_functions(Units u, SimProblem *p) {
  if (p->force) units_scale(u.force, (size_t)sim_force_count(p) * (size_t)p->count, p->force);
  units_scale_pieces(u, p->piece_count, p->d, p->pieces);
  units_scale_pieces(u, p->threshold_pieces, sim_threshold_courses(p), p->thresholds);
  units_scale_curve(u.time, units_speed(u), p->surface_pieces, p->surface_columns, p->surface);
  units_scale_curve(u.length, u.force, p->rise.pieces, p->rise.columns, p->rise.rows);
  if (p->rise_base) units_scale(u.force, 2 * (size_t)p->count, p->rise_base);
  for (int k = 0; k < SIM_SPRING_PLACES; k++)
    units_scale_curve(u.length, u.force, p->springs[k].pieces, p->springs[k].columns, p->springs[k].rows);
}

static inline void units_scale_shape(Units u, RandomShape *shape) {
  shape->end *= u.time;
  shape->length *= u.length;
  shape->mass *= units_mass(u);
  shape->threshold *= u.force;
  shape->load *= u.force;
}

/* Converts a trial to new units. load: provides its force if that is not in a table. Returns an error or NULL. */
static inline Wrong trial_scale(Trial *t, Units u, ScaledLoad *load) {
  SimProblem *p = &t->problem.sim;
  size_t rows = (size_t)p->count;
  units_scale_functions(u, p);
  if (p->kind == SIM_CHAIN) units_scale_chain(u, p);
  if (p->kind == SIM_DASHPOT) units_scale_dashpot(u, &p->dashpot);
  if (p->kind == SIM_FRICTION) units_scale_system(u, p);
  units_scale(u.force, rows, p->friction);
  units_scale(u.force, rows, p->friction_bias);
  units_scale(u.length, rows, p->x0);
  units_scale(units_speed(u), rows, p->v0);
  units_scale(units_damping(u), rows, p->drags ? p->viscous : NULL);
  if (p->stops.present) {
    units_scale(u.length, rows, p->stops.lower);
    units_scale(u.length, rows, p->stops.upper);
    units_scale(units_stiffness(u), rows, p->stops.stiffness);
  }
  p->end *= u.time;
  p->step *= u.time;
  units_scale(u.force, (size_t)stiction_problem_variables(p), t->control);
  units_scale_shape(u, &t->shape);
  for (const SimParameter *row = sim_scheme_parameters(p->scheme); row && row->key; row++) {
    double factor = units_factor(u, row->unit);
    if (isnan(factor)) return "a key of the scheme has a unit that the test does not know";
    if (row->unit) sim_problem_set(p, row->key, factor * sim_problem_get(p, row->key));
  }
  if (p->load.at == scaled_load_at)
    load->units = (Units){load->units.length * u.length, load->units.time * u.time, load->units.force * u.force};
  else if (p->load.at) {
    *load = (ScaledLoad){p->load, u, p->count};
    p->load = (SimLoad){.context = load, .at = scaled_load_at, .constant = p->load.constant};
  }
  return stiction_problem_finalize(p, NULL) == SIM_OK ? NULL : "a problem in other units is refused";
}

/* Returns the distance of two motions at T, of which b is in new units. It is relative to the largest displacement or
 * speed. A speed may be a difference of displacements. A motion that rests except for round-off counts as if it moved a
 * millionth of the problem's length. */
static inline double motion_apart(const Motion *a, const Motion *b, Units u) {
  int d = a->trial->problem.sim.count;
  double apart = 0, far = a->far + 1e-6 * a->trial->shape.length;
  double fast = a->fast + far / a->trial->problem.sim.step;
  for (int i = 0; i < 2 * d; i++) {
    double unit = i < d ? u.length : units_speed(u), size = i < d ? far : fast;
    double way = fabs(b->state[i] / unit - a->state[i]);
    if (way > 0) apart = fmax(apart, way / size);
  }
  return a->final.status == b->final.status ? apart : INFINITY;
}

/* Functions of a file, evaluated in new units. */
typedef struct ScaledOriginals {
  SimOriginals old;
  Units units;
  int d, courses;
} ScaledOriginals;

static inline void scaled_force(void *context, double t, double *f) {
  const ScaledOriginals *scaled = context;
  scaled->old.force(scaled->old.context, t / scaled->units.time, f);
  units_scale(scaled->units.force, (size_t)scaled->d, f);
}

static inline void scaled_thresholds(void *context, double t, double *c) {
  const ScaledOriginals *scaled = context;
  scaled->old.thresholds(scaled->old.context, t / scaled->units.time, c);
  units_scale(scaled->units.force, (size_t)scaled->courses, c);
}

static inline double scaled_spring(void *context, SimSpringPlace place, int k, double e) {
  const ScaledOriginals *scaled = context;
  return scaled->units.force * scaled->old.spring(scaled->old.context, place, k, e / scaled->units.length);
}

static inline double scaled_rise(void *context, int i, double e) {
  const ScaledOriginals *scaled = context;
  return scaled->units.force * scaled->old.rise(scaled->old.context, i, e / scaled->units.length);
}

/* Runs a trial in new units, and examines it with the functions of the old one. */
static inline Motion motion_in_units(const Trial *old, const Trial *scaled, Units u) {
  Originals originals;
  problem_originals(&old->problem, &originals);
  const SimProblem *p = &scaled->problem.sim;
  ScaledOriginals context = {originals.functions, u, p->d, sim_threshold_courses(p)};
  const SimOriginals functions = {.context = &context,
                                  .force = scaled_force,
                                  .thresholds = originals.functions.thresholds ? scaled_thresholds : NULL,
                                  .spring = scaled_spring,
                                  .rise = originals.functions.rise ? scaled_rise : NULL};
  return motion_look(scaled, &functions);
}

/* The invariants --------------------------------------------------------------------------------------------------- */

/* Units that are powers of two, so that scaling causes no rounding. Their roots and cubes are powers of two, as
 * well. */
static const Units POWERS_OF_TWO = {0x1p18, 0x1p-12, 0x1p24}, ENGINEERING = {1e3, 1e3, 1e-3};
/* Units that differ little from the ordinary ones, so that only round-off changes. */
static const Units NEARBY[] = {{1.1, 0.93, 1.07}, {0.97, 1.05, 0.9}, {1.03, 1.01, 1.13}};

/* Numbers below this value lose digits. */
static const double LEAST = DBL_MIN / DBL_EPSILON;

/* Returns whether two motions have the same bits, up to the scale. */
static inline bool motion_scaled(const Motion *a, const Motion *b, Units u) {
  int d = a->trial->problem.sim.count;
  const double *from = &a->energy.work, *to = &b->energy.work;
  bool same = a->final.status == b->final.status && a->final.impacts == b->final.impacts;
  /* If the speed of a dash-pot decays below the least double, it becomes 0, which is an event. This happens in some
   * units only. */
  bool decayed = a->trial->problem.sim.kind == SIM_DASHPOT && fabs(a->state[1]) < LEAST;
  same = same && (decayed || (a->final.iterations == b->final.iterations && a->branches == b->branches));
  for (int i = 0; i < 2 * d && same; i++) {
    double value = a->state[i] * (i < d ? u.length : units_speed(u));
    same = b->state[i] == value || (fabs(value) < LEAST && fabs(b->state[i]) < LEAST);
  }
  for (size_t k = 0; k < sizeof a->energy / sizeof *from && same; k++)
    same = to[k] == units_energy(u) * from[k] || (isnan(to[k]) && isnan(from[k]));
  return same;
}

/* Returns how much round-off affects the motion of a trial, as a distance by motion_apart. It is measured by runs in
 * slightly different units. */
static inline double motion_unsteadiness(const Motion *plain, Trial *scaled, Units *are, ScaledLoad *load) {
  double most = 0;
  for (size_t k = 0; k < sizeof NEARBY / sizeof *NEARBY; k++) {
    Units now = trial_units(scaled, NEARBY[k]);
    trial_scale(scaled, units_over(now, *are), load);
    *are = now;
    Motion m = motion_run(scaled);
    most = fmax(most, motion_apart(plain, &m, now));
    motion_clear(&m);
  }
  return most;
}

/* Returns whether the motion depends on the units, as it does in the paper: the iteration (1.15) stops if x changes by
 * a fraction of |x| + 1, in m or m/s. Splitting schemes stop by the change of lambda instead. */
static inline bool trial_has_units(const Trial *t) {
  bool splits = !strcmp(t->shape.scheme, "lie") || !strcmp(t->shape.scheme, "strang");
  return sim_problem_get(&t->problem.sim, "solver") == SIM_FIXED_POINT && !splits;
}

/* Converts `scaled`, another trial of the same problem, to other units, and compares the motions. In powers of two the
 * motion has the same bits. In mm, ms and kN it is the same up to round-off: 1e-9, or 1000 times the differences in
 * slightly different units. */
static inline Wrong check_units(const Motion *plain, Trial *scaled) {
  const Trial *old = plain->trial;
  bool down = random_unit(old->shape.knobs, "units", 0) < 0.5;
  const Units one = {1, 1, 1};
  Units exact = trial_units(old, down ? units_over(one, POWERS_OF_TWO) : POWERS_OF_TWO), are = exact;
  ScaledLoad load;
  if (trial_has_units(old)) return NULL;
  Wrong wrong = trial_scale(scaled, exact, &load);
  if (wrong) return wrong;
  load.load = old->problem.sim.load; /* the scaled load evaluates the old load, at its own time steps */
  Motion image = motion_in_units(old, scaled, exact);
  wrong = image.wrong;
  if (!wrong && image.final.status != plain->final.status) wrong = "in other units it ends otherwise";
  if (!wrong && !motion_scaled(plain, &image, exact)) wrong = "powers of two change bits";
  motion_clear(&image);
  if (wrong) return wrong;
  Units next = trial_units(old, ENGINEERING);
  wrong = trial_scale(scaled, units_over(next, are), &load);
  are = next;
  if (wrong) return wrong;
  image = motion_in_units(old, scaled, are);
  double apart = motion_apart(plain, &image, are);
  wrong = image.wrong;
  motion_clear(&image);
  if (!wrong && apart > 1e-9 && apart > 1000 * motion_unsteadiness(plain, scaled, &are, &load))
    wrong = "in mm, ms and kN it moves otherwise";
  return wrong;
}

#endif
