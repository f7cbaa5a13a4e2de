/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the same motion with the library, by the calls that a user would make. */
#ifndef TESTS_REFEREE_LIBRARY_H
#define TESTS_REFEREE_LIBRARY_H

#include "tests/referee/forces.h"

#include "sim/internal.h"

#include <stdio.h>

enum { LISTED_MAX = 4000 };

typedef struct Listed {
  double t;
  int dof, slip;
} Listed;

typedef struct Ours {
  const Draw *w;
  SimStatus status;
  long rows, grazes, settled;
  double x[D_MAX], v[D_MAX];
  double at_x[INSTANTS + 1][D_MAX], at_v[INSTANTS + 1][D_MAX], at_lambda[INSTANTS + 1][D_MAX];
  signed char at_slip[INSTANTS + 1][D_MAX];
  double closing; /* largest error of the energy balance, relative to its terms */
  SimResidual residual;
  double spread; /* largest sum of the magnitudes of the terms of the energy balance, J */
  int events;
  Listed event[LISTED_MAX];
  char message[300];
} Ours;

static void ours_force(void *context, double t, double *f) {
  const Draw *w = context;
  for (int i = 0; i < w->d; i++) f[i] = course_at(&w->force[i], t, t);
}
static void ours_surface(void *context, double t, double *f) {
  const Draw *w = context;
  for (int i = 0; i < w->d; i++) f[i] = course_at(&w->surface[i], t, t);
}
static void ours_threshold(void *context, double t, double *f) {
  const Draw *w = context;
  for (int i = 0; i < w->d; i++) {
    f[i] = threshold(w, i, 1, t, t);
    if (has(w, HAS_BY_DIRECTION)) f[w->d + i] = threshold(w, i, -1, t, t);
  }
}
static void ours_spring(void *context, double e, double *f) { *f = spring_force(context, e); }
/* Returns the force of spring k of a place, for examining the motion. */
static double ours_spring_of(void *context, SimSpringPlace place, int k, double e) {
  const Draw *w = context;
  (void)k;
  return spring_force(place == SIM_ANCHORS ? &w->anchor : &w->link, e);
}

static void ours_complain(void *context, const char *key, const char *text) {
  Ours *o = context;
  if (!*o->message) snprintf(o->message, sizeof o->message, "%s: %s", key, text);
}

static void ours_see(void *context, const SimStep *step) {
  Ours *o = context;
  const SimEnergy *e = step->energy;
  double sum =
      fabs(e->work) + fabs(e->surface) + fabs(e->stored) + fabs(e->dissipated) + fabs(e->impacts) + fabs(e->numerical);
  double open = fabs(e->work + e->surface - e->stored - e->dissipated - e->impacts - e->numerical);
  for (int i = 0; i < o->w->d; i++) { /* energy that is stored relative to the start; x and v are needed for the work
                                       * W and the kinetic energy */
    double w = has(o->w, HAS_SURFACE) ? course_at(&o->w->surface[i], step->t, step->t) : 0;
    sum += o->w->mass[i][i] * (step->v[i] * step->v[i] + w * w) + o->w->stiffness[i][i] * step->x[i] * step->x[i];
  }
  o->spread = fmax(o->spread, sum);
  if (!(open <= o->closing)) o->closing = open;
  if (step->n % (o->rows / INSTANTS)) return;
  long row = step->n / (o->rows / INSTANTS);
  for (int i = 0; i < o->w->d; i++) {
    o->at_x[row][i] = step->x[i];
    o->at_v[row][i] = step->v[i];
    o->at_lambda[row][i] = step->lambda[i];
    o->at_slip[row][i] = step->slip[i];
  }
}

static void ours_event(void *context, double t, int dof, int slip) {
  Ours *o = context;
  if (t > 0 && slip >= -1 && slip <= 1 && o->events < LISTED_MAX) o->event[o->events++] = (Listed){t, dof, slip};
}

static SimStatus ours_springs(SimProblem *p, SimSpringPlace place, const SpringLaw *law) {
  double breaks[POINTS], where;
  int n = 0;
  const SimLoad load = {.context = (void *)law, .at = ours_spring};
  if (!law->kind) return SIM_OK;
  for (int k = 1; k < POINTS - 1 && law->kind == HAS_LAW_TABLE; k++)
    if (law->at[k] > law->lower && law->at[k] < law->upper) breaks[n++] = law->at[k];
  return stiction_problem_set_springs(p, place, 1, &load, law->lower, law->upper, n, breaks, &where);
}

/* Makes the problem of a draw. steps: a multiple of INSTANTS. */
static SimStatus ours_problem(const Draw *w, const char *scheme, long steps, SimProblem *p) {
  int d = w->d;
  double where;
  bool controlled = has(w, HAS_CONTROL_CONSTANT) || has(w, HAS_CONTROL_LINEAR);
  SimStatus status = sim_problem_init(p, SIM_FRICTION, d, d);
  if (status == SIM_OK) status = sim_problem_set_scheme(p, scheme);
  if (status != SIM_OK) return status;
  p->end = w->end;
  p->steps = steps;
  p->step = w->end / (double)steps;
  p->signal = has(w, HAS_CONTROL_LINEAR) ? SIM_PIECEWISE_LINEAR : controlled ? SIM_PIECEWISE_CONSTANT : SIM_CONSTANT;
  p->segments = controlled ? SEGMENTS : 1;
  p->system.stribeck = has(w, HAS_SQRT)                                  ? SIM_STRIBECK_SQRT
                       : has(w, HAS_RAMP)                                ? SIM_STRIBECK_RAMP
                       : has(w, HAS_EXPONENTIAL) || has(w, HAS_GAUSSIAN) ? SIM_STRIBECK_EXPONENTIAL
                                                                         : SIM_STRIBECK_NONE;
  p->system.stribeck_exponent = has(w, HAS_GAUSSIAN) ? 2 : has(w, HAS_EXPONENTIAL) ? 1 : 0;
  p->by_direction = has(w, HAS_BY_DIRECTION);
  p->stops.present = has(w, HAS_RIGID) || has(w, HAS_ELASTIC);
  for (int i = 0; i < d; i++) {
    for (int j = 0; j < d; j++) {
      p->system.mass[i * d + j] = w->mass[i][j];
      p->system.damping[i * d + j] = w->damping[i][j];
      p->system.stiffness[i * d + j] = w->stiffness[i][j];
      p->control_matrix[i * d + j] = w->control_matrix[i][j];
    }
    p->friction[i] = (w->forward[i] + w->backward[i]) / 2;
    if (p->by_direction) p->friction_bias[i] = (w->forward[i] - w->backward[i]) / 2;
    p->x0[i] = w->x0[i];
    p->v0[i] = w->v0[i];
    p->system.stribeck_beta[i] = w->beta[i];
    p->system.stribeck_epsilon[i] = w->epsilon[i];
    if (!p->stops.present) continue;
    p->stops.lower[i] = w->lower[i];
    p->stops.upper[i] = w->upper[i];
    p->stops.stiffness[i] = w->stop_stiffness[i];
    p->stops.restitution[i] = w->restitution[i];
  }
  void *data = (void *)w;
  long at;
  if (has(w, HAS_TABLE))
    status = stiction_problem_set_friction_table(p, POINTS, 1, w->table_speed, w->table_friction, &at);
  if (status == SIM_OK && has(w, HAS_VISCOUS)) status = sim_problem_set_viscous(p, w->viscous);
  if (status == SIM_OK && has(w, HAS_PRESSED))
    status = stiction_problem_set_thresholds(p, d, &(SimLoad){.context = data, .at = ours_threshold}, 0, NULL, &where);
  if (status == SIM_OK && has(w, HAS_SURFACE))
    status = stiction_problem_set_surface(p, d, &(SimLoad){.context = data, .at = ours_surface}, 0, NULL, &where);
  if (status == SIM_OK) status = ours_springs(p, SIM_ANCHORS, &w->anchor);
  if (status == SIM_OK) status = ours_springs(p, SIM_LINKS, &w->link);
  return status;
}

static SimStatus ours_load(const Draw *w, SimProblem *p) {
  double where;
  void *data = (void *)w;
  if (sim_force_in_pieces(p))
    return stiction_problem_set_pieces(p, &(SimLoad){.context = data, .at = ours_force}, w->breaks, w->at_break,
                                       &where);
  SimStatus status = sim_problem_alloc_force(p);
  for (long k = 0; status == SIM_OK && k < sim_force_count(p); k++)
    ours_force(data, sim_force_time(p, k), p->force + k * p->d);
  return status;
}

/* Runs the problem. With `event` the motion is also examined, and a correct motion must not be reported as wrong. */
static void ours_run(const Draw *w, const char *scheme, double tolerance, long rows, Ours *o) {
  SimProblem p;
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  double control[SEGMENTS * D_MAX];
  *o = (Ours){.w = w, .rows = rows};
  const SimReport report = {o, ours_complain};
  const SimObserver observer = {o, ours_see, ours_event};
  SimFinal final = {.x = o->x, .v = o->v};
  bool controlled = has(w, HAS_CONTROL_CONSTANT) || has(w, HAS_CONTROL_LINEAR);
  for (int k = 0; k < SEGMENTS; k++)
    for (int j = 0; j < w->d; j++) control[k * w->d + j] = w->control[k][j];
  o->status = ours_problem(w, scheme, rows, &p);
  if (tolerance > 0) sim_problem_set(&p, "tolerance", tolerance);
  if (tolerance > 0) sim_problem_set(&p, "max_events", 3000);
  if (o->status == SIM_OK) o->status = stiction_problem_finalize(&p, &report);
  if (o->status == SIM_OK) o->status = ours_load(w, &p);
  if (o->status == SIM_OK) o->status = stiction_model_create(&p, &report, &model);
  if (o->status == SIM_OK) o->status = stiction_workspace_create(model, &work);
  void *data = (void *)w;
  const SimOriginals originals = {.context = data,
                                  .force = ours_force,
                                  .thresholds = has(w, HAS_PRESSED) ? ours_threshold : NULL,
                                  .spring = ours_spring_of};
  if (o->status == SIM_OK && sim_force_in_pieces(&p)) o->status = sim_workspace_examine(work, &originals);
  if (o->status == SIM_OK) o->status = stiction_rollout(model, work, controlled ? control : NULL, &observer, &final);
  o->residual = final.examined;
  o->grazes = final.grazes;
  o->settled = final.settled;
  o->closing = o->spread > 0 ? o->closing / o->spread : 0;
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

#endif
