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

SimStatus stops_columns_take(StopsColumns *c, const SimModel *model, const unsigned char *branch) {
  const FormPlan *plan = model->plan;
  int d = plan->solver.dense.d, n = 0;
  if (c->known && memcmp(branch, c->branch, (size_t)d) == 0) return SIM_OK;
  memcpy(c->branch, branch, (size_t)d);
  if (c->transposed && plan->solver.dense.skew)
    dense_transpose(d, plan->solver.dense.matrix, c->matrix);
  else
    memcpy(c->matrix, plan->solver.dense.matrix, (size_t)(d * d) * sizeof *c->matrix);
  for (int i = 0; i < d; i++) {
    c->matrix[i * d + i] +=
        stops_slope(&model->problem.stops, i, branch[i] & STOPS_PRESSED) * (plan->form.ahead * plan->form.ahead);
    if (!(branch[i] & (STOPS_HELD | STOPS_STICKS))) c->members[n++] = i;
  }
  c->known = dense_invert_part(d, c->matrix, n, c->members, c->room, c->inverse) == 0;
  return c->known ? SIM_OK : SIM_BAD_PROBLEM;
}

/* Computes the derivatives of the right side of solve k of a step, including the terms of dofs that a stop holds at a
 * prescribed v. */
static void find_right(const SimModel *model, const SimWorkspace *work, int k, const StepTerms *terms) {
  const StopsTrace *trace = moreau_stops_trace(work);
  const FormPlan *plan = model->plan;
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  StopsColumns *c = t->stops;
  int d = s->count;
  size_t block = (size_t)d * (size_t)s->width * sizeof *c->right;
  memcpy(c->right, t->right, block);
  if (k < trace->solves - 1) {
    StepTerms own = *terms;
    own.lambda = trace->lambda + k * d;
    own.damped = own.gain[1] = trace->v + k * d;
    friction_tangent_numbers(model, work, terms, -1, c->right);
    friction_tangent_numbers(model, work, &own, 1, c->right);
  }
  for (int i = 0; i < d; i++) {
    double press = stops_columns_press(model, i, trace->branch[k * d + i]);
    double *row = sensitivity_row(s, c->right, i);
    for (int j = 0; j < d; j++)
      if (trace->branch[k * d + j] & STOPS_HELD)
        columns_add(t->shares.begun, -plan->solver.dense.matrix[i * d + j], sensitivity_row(s, c->speed, j), row);
    if (press == 0) continue;
    columns_add(t->shares.begun, -press, sensitivity_row(s, s->x, i), row);
    columns_add(t->shares.begun, -press * plan->form.theta * plan->form.behind, sensitivity_row(s, s->v, i), row);
  }
}

/* Computes the derivatives of s (time of the contact) and g (rebound velocity, moreau_stops.h) of a dof that meets a
 * stop, in a solve of which dv is known. */
static void find_meeting(const SimModel *model, const SimSensitivity *s, const StopsMeeting *met, bool sticks) {
  const DenseSolver *plain = &((const FormPlan *)model->plan)->solver.dense;
  const FrictionTangent *t = s->own;
  StopsColumns *c = t->stops;
  int i = met->dof, d = s->count;
  const double *of[] = {sensitivity_row(s, s->x, i), sensitivity_row(s, s->v, i), sensitivity_row(s, c->v, i)};
  double *part = sensitivity_row(s, c->part, i), *speed = sensitivity_row(s, c->speed, i);
  for (int k = 0; k < 3; k++) {
    columns_add(t->shares.begun, met->part[k], of[k], part);
    columns_add(t->shares.begun, met->speed[k], of[k], speed);
  }
  for (int k = 0; k < s->n; k++)
    if (s->columns[k].entry == i) speed[k] += met->own[s->columns[k].on];
  if (!sticks || met->friction == 0) return;
  columns_add(t->shares.begun, met->friction, sensitivity_row(s, c->right, i), speed);
  for (int j = 0; j < d; j++)
    columns_add(t->shares.begun, -met->friction * plain->matrix[i * d + j], sensitivity_row(s, c->v, j), speed);
}

static void move(const SimModel *model, const SimWorkspace *work) {
  const StopsTrace *trace = moreau_stops_trace(work);
  const FormPlan *plan = model->plan;
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  const StopsColumns *c = t->stops;
  size_t begun = (size_t)t->shares.begun * sizeof *c->v;
  for (int i = 0; i < s->count; i++) {
    const StopsMeeting *met = stops_trace_meeting(trace, i);
    double *x = sensitivity_row(s, s->x, i), *v = sensitivity_row(s, s->v, i);
    const double *next = sensitivity_row(s, c->v, i);
    if (met) memset(x, 0, begun);
    columns_add(t->shares.begun, met ? met->by_part : plan->form.behind, met ? sensitivity_row(s, c->part, i) : v, x);
    columns_add(t->shares.begun, met ? met->by_speed : plan->form.ahead, next, x);
    memcpy(v, next, begun);
  }
}

SimStatus stops_columns_step(const SimModel *model, SimWorkspace *work, const StepTerms *terms) {
  const StopsTrace *trace = moreau_stops_trace(work);
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  StopsColumns *c = t->stops;
  int d = s->count;
  size_t row = (size_t)s->width * sizeof *c->v;
  memset(c->part, 0, (size_t)d * row);
  memset(c->speed, 0, (size_t)d * row);
  for (int k = 0; k < trace->solves; k++) {
    const unsigned char *branch = trace->branch + k * d;
    if (!trace->matters[k]) continue;
    SimStatus status = stops_columns_take(c, model, branch);
    if (status != SIM_OK) return status;
    find_right(model, work, k, terms);
    columns_multiply(d, c->inverse, t->shares.begun, s->width, c->right, c->v);
    for (int i = 0; i < d; i++)
      if (branch[i] & STOPS_HELD) memcpy(sensitivity_row(s, c->v, i), sensitivity_row(s, c->speed, i), row);
    for (int q = 0; q < trace->meetings; q++)
      if (trace->met[q].solve == k) find_meeting(model, s, &trace->met[q], branch[trace->met[q].dof] & STOPS_STICKS);
  }
  move(model, work);
  return SIM_OK;
}
