/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/stops_columns.h"

#include "sim/friction/moreau_stops.h"
#include "sim/operator/columns.h"
#include "sim/operator/dense.h"

#include <stdlib.h>
#include <string.h>

StopsColumns *stops_columns_create(int d, int width) {
  size_t rows = (size_t)d, block = rows * (size_t)width, square = rows * rows;
  StopsColumns *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->part = calloc(4 * block + 3 * square + 1, sizeof *c->part);
  c->members = calloc(2 * rows, sizeof *c->members);
  c->branch = calloc(rows, sizeof *c->branch);
  if (!c->part || !c->members || !c->branch) {
    stops_columns_destroy(c);
    return NULL;
  }
  c->speed = c->part + block;
  c->right = c->speed + block;
  c->v = c->right + block;
  c->matrix = c->v + block;
  c->room = c->matrix + square;
  c->inverse = c->room + square;
  return c;
}

void stops_columns_destroy(StopsColumns *c) {
  if (!c) return;
  free(c->part);
  free(c->members);
  free(c->branch);
  free(c);
}

SimStatus stops_columns_take(StopsColumns *c, const DenseSolver *plain, const SimStops *stops, double ahead,
                             const unsigned char *branch) {
  int d = plain->d, n = 0;
  if (c->known && memcmp(branch, c->branch, (size_t)d) == 0) return SIM_OK;
  memcpy(c->branch, branch, (size_t)d);
  if (c->transposed && plain->skew)
    dense_transpose(d, plain->matrix, c->matrix);
  else
    memcpy(c->matrix, plain->matrix, (size_t)(d * d) * sizeof *c->matrix);
  for (int i = 0; i < d; i++) {
    c->matrix[i * d + i] += stops_slope(stops, i, branch[i] & STOPS_PRESSED) * (ahead * ahead);
    if (!(branch[i] & (STOPS_HELD | STOPS_STICKS))) c->members[n++] = i;
  }
  c->known = dense_invert_part(d, c->matrix, n, c->members, c->room, c->inverse) == 0;
  return c->known ? SIM_OK : SIM_BAD_PROBLEM;
}

/* Returns row i of a block [d][width]. */
static double *row_of(const StopsTangent *t, double *block, int i) { return block + (size_t)i * (size_t)t->width; }

/* Adds to the right side of solve k the terms of dofs that a stop holds at a prescribed velocity, or pushes. */
static void add_stops(StopsColumns *c, const StopsTangent *t, int k) {
  int d = t->plain->d;
  for (int i = 0; i < d; i++) {
    double press = stops_columns_press(t->stops, t->step, i, t->trace->branch[k * d + i]);
    double *row = row_of(t, c->right, i);
    for (int j = 0; j < d; j++)
      if (t->trace->branch[k * d + j] & STOPS_HELD)
        columns_add(t->begun, -t->plain->matrix[i * d + j], row_of(t, c->speed, j), row);
    if (press == 0) continue;
    columns_add(t->begun, -press, row_of(t, t->x, i), row);
    columns_add(t->begun, -press * t->theta * t->behind, row_of(t, t->v, i), row);
  }
}

/* Computes the derivatives of s (time of the contact) and g (rebound velocity, moreau_stops.h) of a dof that meets a
 * stop, in a solve for which dv is known. */
static void find_meeting(StopsColumns *c, const StopsTangent *t, const StopsMeeting *met, bool sticks) {
  int i = met->dof, d = t->plain->d;
  const double *of[] = {row_of(t, t->x, i), row_of(t, t->v, i), row_of(t, c->v, i)};
  double *part = row_of(t, c->part, i), *speed = row_of(t, c->speed, i);
  for (int k = 0; k < 3; k++) {
    columns_add(t->begun, met->part[k], of[k], part);
    columns_add(t->begun, met->speed[k], of[k], speed);
  }
  t->rebound(t->context, met, speed);
  if (!sticks || met->friction == 0) return;
  columns_add(t->begun, met->friction, row_of(t, c->right, i), speed);
  for (int j = 0; j < d; j++)
    columns_add(t->begun, -met->friction * t->plain->matrix[i * d + j], row_of(t, c->v, j), speed);
}

static void move(StopsColumns *c, const StopsTangent *t) {
  size_t begun = (size_t)t->begun * sizeof *c->v;
  for (int i = 0; i < t->plain->d; i++) {
    const StopsMeeting *met = stops_trace_meeting(t->trace, i);
    double *x = row_of(t, t->x, i), *v = row_of(t, t->v, i);
    const double *next = row_of(t, c->v, i);
    if (met) memset(x, 0, begun);
    columns_add(t->begun, met ? met->by_part : t->behind, met ? row_of(t, c->part, i) : v, x);
    columns_add(t->begun, met ? met->by_speed : t->ahead, next, x);
    memcpy(v, next, begun);
  }
}

SimStatus stops_columns_advance(StopsColumns *c, const StopsTangent *t) {
  const StopsTrace *trace = t->trace;
  int d = t->plain->d;
  size_t row = (size_t)t->width * sizeof *c->v;
  memset(c->part, 0, (size_t)d * row);
  memset(c->speed, 0, (size_t)d * row);
  for (int k = 0; k < trace->solves; k++) {
    const unsigned char *branch = trace->branch + k * d;
    if (!trace->matters[k]) continue;
    SimStatus status = stops_columns_take(c, t->plain, t->stops, t->ahead, branch);
    if (status != SIM_OK) return status;
    t->right(t->context, k, c->right);
    add_stops(c, t, k);
    columns_multiply(d, c->inverse, t->begun, t->width, c->right, c->v);
    for (int i = 0; i < d; i++)
      if (branch[i] & STOPS_HELD) memcpy(row_of(t, c->v, i), row_of(t, c->speed, i), row);
    for (int q = 0; q < trace->meetings; q++)
      if (trace->met[q].solve == k) find_meeting(c, t, &trace->met[q], branch[trace->met[q].dof] & STOPS_STICKS);
  }
  move(c, t);
  return SIM_OK;
}

/* A step of a friction model, as the context of the StopsTangent functions. */
typedef struct FormStops {
  const SimModel *model;
  const SimWorkspace *work;
  const StepTerms *terms;
} FormStops;

static void find_right(void *context, int k, double *right) {
  const FormStops *of = context;
  const StopsTrace *trace = moreau_stops_trace(of->work->own);
  const SimSensitivity *s = of->work->sensitivity;
  const FrictionTangent *t = s->own;
  memcpy(right, t->right, (size_t)s->count * (size_t)s->width * sizeof *right);
  if (k == trace->solves - 1) return;
  StepTerms own = *of->terms;
  own.lambda = trace->lambda + k * s->count;
  own.damped = own.gain[1] = trace->v + k * s->count;
  friction_tangent_numbers(of->model, of->work, of->terms, -1, right);
  friction_tangent_numbers(of->model, of->work, &own, 1, right);
}

static void add_rebound(void *context, const StopsMeeting *met, double *speed) {
  const FormStops *of = context;
  const SimSensitivity *s = of->work->sensitivity;
  for (int k = 0; k < s->n; k++)
    if (s->columns[k].entry == met->dof) speed[k] += met->own[s->columns[k].on];
}

SimStatus stops_columns_step(const SimModel *model, SimWorkspace *work, const StepTerms *terms) {
  const FormPlan *plan = model->plan;
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  FormStops of = {.model = model, .work = work, .terms = terms};
  const StopsTangent tangent = {.trace = moreau_stops_trace(work->own),
                                .plain = &plan->solver.dense,
                                .stops = &model->problem.stops,
                                .step = model->problem.step,
                                .theta = plan->form.theta,
                                .ahead = plan->form.ahead,
                                .behind = plan->form.behind,
                                .begun = t->shares.begun,
                                .width = s->width,
                                .x = s->x,
                                .v = s->v,
                                .context = &of,
                                .right = find_right,
                                .rebound = add_rebound};
  return stops_columns_advance(t->stops, &tangent);
}
