/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/steps_derivatives.h"

#include "sim/core/model.h"
#include "sim/core/step_columns.h"
#include "sim/mechanism/transpose.h"
#include "sim/operator/columns.h"

#include <stdlib.h>
#include <string.h>

/* Data of the forward derivatives for these steps. Everything is owned. */
typedef struct StepsTangent {
  StepMap *map;
  StepShares shares;
  StepStops past;
  double *x, *v; /* scratch: [d][width of the sensitivity] derivatives after a step; in one memory block */
} StepsTangent;

/* Data of the adjoint derivatives: the record of a rollout. Everything is owned. */
typedef struct StepsRecord {
  StepMap *map;
  StepStops past;
  double *maps;                       /* [N + 1][2 d][n] map of each step 1 .. N; entry 0 is not used */
  int *force;                         /* [d] 0, 1, .., d - 1: each coordinate has a force (LinearMap.force) */
  double *by_force, *slope, *scratch; /* blocks [d][together] for linear_map_back: dJ by forces, dJ by their rates, and
                                       * two of scratch; in one memory block */
} StepsRecord;

/* Whether one of the columns [n] differentiates by a parameter. */
static bool of_parameters(int n, const SimColumn *columns) {
  for (int c = 0; c < n; c++)
    if (columns[c].on == SIM_ON_PARAMETER) return true;
  return false;
}

static void free_tangent(void *own) {
  StepsTangent *t = own;
  step_map_destroy(t->map);
  step_shares_clear(&t->shares);
  step_stops_clear(&t->past);
  free(t->x);
  free(t);
}

SimStatus steps_equip_sensitivity(const SimModel *model, SimSensitivity *s) {
  size_t block = (size_t)s->count * (size_t)s->width;
  StepsTangent *t = s->own = calloc(1, sizeof *t);
  s->free_own = free_tangent;
  if (!t) return SIM_NO_MEMORY;
  t->x = calloc(2 * block + 1, sizeof *t->x);
  if (!t->x) return SIM_NO_MEMORY;
  t->v = t->x + block;
  SimStatus status = step_shares_init(&t->shares, s);
  if (status == SIM_OK) status = step_stops_init(&t->past, s->count);
  return status == SIM_OK ? step_map_create(&model->problem, of_parameters(s->n, s->columns), &t->map) : status;
}

static void free_record(void *own) {
  StepsRecord *r = own;
  step_map_destroy(r->map);
  step_stops_clear(&r->past);
  free(r->maps);
  free(r->force);
  free(r->by_force);
  free(r);
}

/* Continues the adjoint sweep backwards over step n. */
static SimStatus step_back(SimAdjoint *a, long n) {
  const StepsRecord *r = a->own;
  const StepMap *shape = r->map;
  size_t size = 2 * (size_t)shape->d * (size_t)shape->n;
  const LinearMap map = {.d = shape->d,
                         .n = shape->n,
                         .n_forces = shape->d,
                         .n_parameters = shape->n_parameters,
                         .force = r->force,
                         .state = r->maps + (size_t)n * size};
  linear_map_back(&map, a, r->by_force, r->slope, r->scratch);
  adjoint_push(a, adjoint_mix(a, n), 1, r->by_force);
  step_stops_back(&r->past, a, n);
  return SIM_OK;
}

static SimStatus sweep(SimAdjoint *a) { return adjoint_back(a, step_back); }

SimStatus steps_equip_adjoint(const SimModel *model, SimAdjoint *a) {
  const SimProblem *p = &model->problem;
  size_t d = (size_t)p->d, block = d * (size_t)a->together;
  StepsRecord *r = a->own = calloc(1, sizeof *r);
  a->free_own = free_record;
  a->sweep = sweep;
  if (!r) return SIM_NO_MEMORY;
  SimStatus status = step_map_create(p, of_parameters(a->n, a->columns), &r->map);
  if (status == SIM_OK) status = step_stops_init(&r->past, p->d);
  if (status != SIM_OK) return status;
  r->maps = calloc((size_t)p->steps + 1, 2 * d * (size_t)r->map->n * sizeof *r->maps);
  r->force = calloc(d, sizeof *r->force);
  r->by_force = calloc(4 * block, sizeof *r->by_force);
  if (!r->maps || !r->force || !r->by_force) return SIM_NO_MEMORY;
  for (int i = 0; i < p->d; i++) r->force[i] = i;
  r->slope = r->by_force + block;
  r->scratch = r->slope + block;
  return SIM_OK;
}

void steps_begin(SimWorkspace *work) {
  if (work->sensitivity) {
    StepsTangent *t = work->sensitivity->own;
    sensitivity_start(work->sensitivity);
    t->shares.begun = 0;
    t->map->begun = false;
    step_stops_start(&t->past, work);
  }
  if (work->adjoint) {
    StepsRecord *r = work->adjoint->own;
    adjoint_start(work->adjoint);
    r->map->begun = false;
    step_stops_start(&r->past, work);
  }
}

/* Sets `to` [d][width] to the product of d rows of the map, which are map->x or map->v, with the derivatives before the
 * step. */
static void multiply(const SimProblem *p, const SimSensitivity *s, const double *rows, double *to) {
  const StepsTangent *t = s->own;
  const StepMap *map = t->map;
  int d = map->d, begun = t->shares.begun;
  for (int i = 0; i < d; i++) {
    const double *row = rows + i * map->width;
    double *sum = sensitivity_row(s, to, i);
    memset(sum, 0, (size_t)s->width * sizeof *sum);
    for (int j = 0; j < d; j++) {
      columns_add(begun, row[j], sensitivity_row(s, s->x, j), sum);
      columns_add(begun, row[d + j], sensitivity_row(s, s->v, j), sum);
      step_shares_add(&t->shares, p, j, row[2 * d + j], sum);
    }
    for (int c = 0; c < s->n; c++)
      if (s->columns[c].on == SIM_ON_PARAMETER) sum[c] += row[3 * d + s->columns[c].entry];
  }
}

/* Returns the trace of the stops in the solved step; NULL if no stop acts. */
static const StopsTrace *trace_of(const SolvedStep *step) {
  const StopsTrace *trace = step->steps->stops ? moreau_stops_trace(step->steps->stops) : NULL;
  return trace && trace->solves > 0 ? trace : NULL;
}

/* Whether the derivatives of the step exist. They do not if a frictionless dof rests at a stop that exerts no force
 * (StopsTrace.smooth), or if a kink at which a force may jump was crossed since the step before (StepMap.smooth). */
static bool is_smooth(const SolvedStep *step, const StepMap *map) {
  return map->smooth && (!step->steps->stops || moreau_stops_trace(step->steps->stops)->smooth);
}

static SimStatus advance(const SimModel *model, SimWorkspace *work, long n, const SolvedStep *step) {
  SimSensitivity *s = work->sensitivity;
  StepsTangent *t = s->own;
  const StopsTrace *trace = trace_of(step);
  size_t size = (size_t)s->count * (size_t)s->width * sizeof *t->x;
  step_stops_forward(&t->past, model, work, n, step->v);
  for (int i = 0; i < s->count && trace; i++)
    if (stops_trace_holds(trace, s->count, i)) sensitivity_go(s, i);
  SimStatus status = step_map_make(t->map, model, work, step);
  s->smooth = s->smooth && is_smooth(step, t->map);
  if (status != SIM_OK) return status;
  step_shares_find(&t->shares, &model->problem, s, n);
  multiply(&model->problem, s, t->map->x, t->x);
  multiply(&model->problem, s, t->map->v, t->v);
  memcpy(s->x, t->x, size);
  memcpy(s->v, t->v, size);
  return SIM_OK;
}

static SimStatus record(const SimModel *model, SimWorkspace *work, long n, const SolvedStep *step) {
  SimAdjoint *a = work->adjoint;
  StepsRecord *r = a->own;
  StepMap *map = r->map;
  const StopsTrace *trace = trace_of(step);
  int d = map->d;
  step_stops_record(&r->past, model, work, n, step->v);
  for (int i = 0; i < d && trace; i++)
    if (stops_trace_holds(trace, d, i)) step_stops_drop(&r->past, a, i);
  SimStatus status = step_map_make(map, model, work, step);
  a->smooth = a->smooth && is_smooth(step, map);
  if (status != SIM_OK) return status;
  double *to = r->maps + (size_t)n * 2 * (size_t)d * (size_t)map->n;
  for (int i = 0; i < 2 * d; i++) /* the blocks of x and v are adjacent */
    memcpy(to + i * map->n, map->x + i * map->width, (size_t)map->n * sizeof *to);
  return SIM_OK;
}

SimStatus steps_advance(const SimModel *model, SimWorkspace *work, long n, const SolvedStep *step) {
  SimStatus status = work->sensitivity ? advance(model, work, n, step) : SIM_OK;
  return work->adjoint && status == SIM_OK ? record(model, work, n, step) : status;
}
