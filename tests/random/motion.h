/* SPDX-License-Identifier: BSD-2-Clause */
/* A random problem that is ready to run, and a run during which properties of any motion are checked. */
#ifndef TESTS_RANDOM_MOTION_H
#define TESTS_RANDOM_MOTION_H

#include "tests/random/problem.h"

#include "src/file/sections/file.h"
#include "src/file/sections/originals.h"
#include "src/file/values/force.h"

#include <float.h>
#include <stdlib.h>

/* An error text; NULL: no error. */
typedef const char *Wrong;

/* A problem that was read from a file, with what is needed to run it. */
typedef struct Trial {
  RandomShape shape;
  Problem problem;
  double *control; /* [variables + 1] control of the motion */
} Trial;

static inline bool trial_has_laws(const Trial *t) {
  return t->problem.springs[SIM_ANCHORS].law != NULL || t->problem.rise.law != NULL;
}

/* Properties that all motions by a scheme have. */
typedef struct Promise {
  bool lawful; /* lambda is in sgn(v), i.e. sign(v) or in [-1, 1] at rest, up to round-off */
  bool rests;  /* dofs that stick have v = 0 */
  /* Dofs that stick do not move. Exception: to a stop that is reached in the step in which sticking begins. */
  bool still;
  bool loses;    /* energy is lost in each step, as friction acts. It need not be for splitting schemes with viscous
                  * friction at moving surfaces, which act in both parts of a step */
  double closes; /* tolerance with which the energy balance closes, relative to its terms */
} Promise;

static inline Promise trial_promise(const Trial *t) {
  const SimProblem *p = &t->problem.sim;
  const char *name = sim_scheme_name(p->scheme);
  double law = sim_problem_get(p, "multiplier");
  bool iterates = sim_problem_get(p, "solver") == SIM_FIXED_POINT, event = !strcmp(name, "event");
  bool lawful = !iterates && law != SIM_REGULARIZED && law != SIM_SMOOTH;
  bool steps = strcmp(name, "centered") && strcmp(name, "lie") && strcmp(name, "strang");
  bool surface = p->surface_pieces > 0;
  return (Promise){.lawful = lawful,
                   .rests = lawful && strcmp(name, "lie") != 0,
                   .still = lawful && steps && !event && !surface && !p->stops.present &&
                            strcmp(name, "implicit_euler") != 0,
                   .loses = !(surface && p->drags && (!strcmp(name, "lie") || !strcmp(name, "strang"))),
                   .closes = event ? 1e-8 : 1e-10};
}

/* A motion that was computed, and its results. */
typedef struct Motion {
  const Trial *trial;
  Promise promise;
  SimFinal final;
  double *state;     /* [2 d] x(T), v(T) */
  double *before;    /* [d] x at the previous instant */
  signed char *slip; /* [d] slip at the previous instant */
  SimEnergy energy;
  double scale;      /* largest terms of the energy balance so far, J */
  double lost;       /* largest work that round-off of x and of forces can have done, J */
  double far, fast;  /* largest |x| and |v| so far */
  double event, gap; /* time of the last event, and smallest time between two events, s; 0 and INFINITY: none */
  uint64_t branches; /* hash of the branches at all instants */
  Wrong wrong;       /* the first error; NULL: none */
} Motion;

static inline void motion_blame(Motion *m, bool wrong, Wrong what) {
  if (wrong && !m->wrong) m->wrong = what;
}

static inline void motion_hash(Motion *m, int value) {
  m->branches = (m->branches ^ (uint64_t)(value + 1000)) * UINT64_C(1099511628211);
}

/* Returns the largest energy of nonlinear springs in their ranges, J. The energy V is a sum of polynomials of that
 * size, with corresponding round-off. */
static inline double motion_law_energy(const SimProblem *p) {
  double most = 0;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    const SimSpringLaw *law = &p->springs[place];
    for (long piece = 0; piece < law->pieces; piece++)
      for (int k = 0; k < law->columns; k++)
        most = fmax(most, fabs(law->rows[(size_t)piece * sim_curve_size(law->columns) + SIM_CURVE_HEAD + (size_t)k]));
  }
  return most;
}

static inline void motion_check_balance(Motion *m, const SimStep *step, double x2, double v2, double dx2) {
  const SimProblem *p = &m->trial->problem.sim;
  const SimBounds *b = &m->trial->problem.sim.bounds;
  const SimEnergy *e = step->energy, *last = &m->energy;
  double rate2 = step->n > 0 ? dx2 / (p->step * p->step) : 0, springs = b->stiffness_max;
  if (p->dashpot.has_support) springs += p->dashpot.support_stiffness;
  double sum =
      fabs(e->work) + fabs(e->surface) + fabs(e->stored) + fabs(e->dissipated) + fabs(e->impacts) + fabs(e->numerical);
  m->scale = fmax(m->scale, sum + b->mass_max * (v2 + rate2) + springs * x2 + motion_law_energy(p));
  if (!isfinite(m->scale)) return;
  double closure = e->work + e->surface - e->stored - e->dissipated - e->impacts - e->numerical,
         slack = m->promise.closes * m->scale + m->lost;
  motion_blame(m, fabs(closure) > slack, "energy does not close");
  motion_blame(m, e->negative_dissipation < last->negative_dissipation, "negative dissipation falls");
  motion_blame(m, m->promise.lawful && e->negative_dissipation > slack, "friction drives");
  motion_blame(m,
               m->promise.loses &&
                   e->dissipated + e->negative_dissipation < last->dissipated + last->negative_dissipation - slack,
               "dissipation falls");
  m->energy = *e;
}

/* Forces of a step that are affected by round-off: load, friction, bias, and the scale of the multiplier. */
enum { ROUNDED = 4 };

static inline void motion_see(void *context, const SimStep *step) {
  Motion *m = context;
  const SimProblem *p = &m->trial->problem.sim;
  double x2 = 0, v2 = 0, dx2 = 0;
  for (int i = 0; i < p->count; i++) {
    bool rubs = sim_problem_threshold(p, i) > 0, sticks = rubs && step->slip[i] == 0;
    bool ramp = p->system.stribeck == SIM_STRIBECK_RAMP && fabs(step->slide[i]) <= p->system.stribeck_epsilon[i];
    double dx = step->x[i] - m->before[i];
    motion_hash(m, step->slip[i] + 3 * ramp);
    motion_blame(m, !(fabs(step->lambda[i]) <= 1 + 1e-9) && sim_kind_has_multiplier(p->kind), "abs(lambda) > 1");
    motion_blame(m, m->promise.rests && sticks && step->slide[i] != 0, "what sticks has a velocity");
    motion_blame(m, m->promise.lawful && rubs && step->slip[i] * step->slide[i] < 0 && m->promise.rests,
                 "slips one way, moves the other");
    motion_blame(m, m->promise.still && sticks && step->n > 0 && m->slip[i] == 0 && dx != 0, "what sticks has moved");
    x2 += step->x[i] * step->x[i];
    v2 += step->v[i] * step->v[i];
    dx2 += dx * dx;
    double moved = fabs(step->x[i]) + p->step * fabs(step->v[i]); /* the speed of a dof that sticks is round-off only */
    m->lost += ROUNDED * DBL_EPSILON * moved * (m->trial->shape.load + sim_problem_threshold(p, i));
    m->far = fmax(m->far, fabs(step->x[i]));
    m->fast = fmax(m->fast, fabs(step->v[i]));
    m->before[i] = step->x[i];
    m->slip[i] = step->slip[i];
  }
  motion_check_balance(m, step, x2, v2, dx2);
}

static inline void motion_note(void *context, double t, int dof, int slip) {
  Motion *m = context;
  if (t > m->event) m->gap = fmin(m->gap, t - m->event);
  m->event = fmax(m->event, t);
  motion_hash(m, 5 * dof + slip + 7);
}

/* Prepares a motion. Its status is SIM_BAD_PROBLEM if the model could not be created. Clear it afterwards. The next
 * functions do the same. */
static inline Motion motion_of(const Trial *t) {
  size_t rows = (size_t)t->problem.sim.count;
  Motion m = {.trial = t, .promise = trial_promise(t), .gap = INFINITY, .branches = UINT64_C(14695981039346656037)};
  m.state = calloc(3 * rows + 1, sizeof *m.state);
  m.slip = calloc(rows + 1, sizeof *m.slip);
  m.before = m.state + 2 * rows;
  m.final = (SimFinal){.x = m.state, .v = m.state + rows};
  return m;
}

static inline void motion_clear(Motion *m) {
  free(m->state);
  free(m->slip);
}

static inline bool trial_make(const Trial *t, SimModel **model, SimWorkspace **work) {
  *work = NULL;
  if (stiction_model_create(&t->problem.sim, NULL, model) != SIM_OK) return false;
  return stiction_workspace_create(*model, work) == SIM_OK;
}

/* Prepares a motion. originals: functions with which the scheme event compares its motion; NULL: none. */
static inline Motion motion_look(const Trial *t, const SimOriginals *originals) {
  Motion m = motion_of(t);
  SimModel *model;
  SimWorkspace *work;
  const SimObserver observer = {.context = &m, .step = motion_see, .event = motion_note};
  if (trial_make(t, &model, &work)) {
    if (originals) sim_workspace_examine(work, originals);
    stiction_rollout(model, work, t->control, &observer, &m.final);
  } else
    m.final.status = SIM_BAD_PROBLEM;
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return m;
}

static inline Motion motion_run(const Trial *t) { return motion_look(t, NULL); }

/* Prepares a motion that is compared with the functions of its file. */
static inline Motion motion_examined(const Trial *t) {
  Originals originals;
  problem_originals(&t->problem, &originals);
  return motion_look(t, &originals.functions);
}

static inline bool motion_same(const Motion *a, const Motion *b, double sign) {
  size_t n = 2 * (size_t)a->trial->problem.sim.count;
  bool same = a->final.status == b->final.status;
  for (size_t i = 0; i < n && same; i++) same = a->state[i] == sign * b->state[i];
  return same;
}

#endif
