/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/adjoint.h"
#include "sim/base/argument.h"

#include "sim/core/scheme.h"
#include "sim/group.h"
#include "sim/operator/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the maximum number of sums J that one sweep differentiates together. More than MANY would not be faster. With
 * many dofs the number is at most two SIMD vectors, to save memory. */
static int side_by_side(const SimProblem *p) {
  enum { MANY_DOFS = 1024, MANY = 24 };
  return p->d > MANY_DOFS ? 2 * COLUMNS_TOGETHER : MANY;
}

/* Returns the number of nodes of the control for which derivatives are stored. */
static size_t node_count(const SimProblem *p) { return (size_t)(p->signal == SIM_CONSTANT ? 1 : signal_nodes(p)); }

/* Returns the number of derivatives that the adjoint sums up for one kind of quantity: one for each entry of a friction
 * table, or one for each dof of this rank. */
static size_t rows_of(const SimProblem *p, SimDependence on) {
  if (on == SIM_ON_PARAMETER) return (size_t)p->equations.parameters;
  return (size_t)(on == SIM_ON_TABLE ? table_numbers(p) : p->count);
}

static SimStatus allocate(const SimProblem *p, SimAdjoint *a) {
  size_t width = (size_t)a->together, rows = (size_t)p->count, block = rows * width, blocks = 4, sums = 0;
  size_t nodes = node_count(p) * (size_t)p->n_control * width;
  bool wanted[DEPENDENCES] = {false};
  for (int k = 0; k < a->n; k++) wanted[a->columns[k].on] = true;
  for (int on = SIM_ON_FRICTION; on < DEPENDENCES; on++) sums += wanted[on] ? rows_of(p, (SimDependence)on) * width : 0;
  double *next = a->x = calloc(blocks * block + sums + 2 * rows + nodes + 1, sizeof *next);
  if (!next) return SIM_NO_MEMORY;
  a->v = next += block;
  a->stop_weights = next += block;
  a->impulse = next += block;
  a->stop_time = next += block;
  a->stop_acceleration = next += rows;
  a->nodes = next += rows;
  next += nodes;
  for (int on = SIM_ON_FRICTION; on < DEPENDENCES; on++) {
    if (!wanted[on]) continue;
    a->sum[on] = next;
    next += rows_of(p, (SimDependence)on) * width;
  }
  return SIM_OK;
}

SimStatus sim_adjoint_create(const SimModel *model, int n, const SimDependence *on, SimAdjoint **adjoint) {
  ARGUMENT_THERE(adjoint);
  *adjoint = NULL;
  ARGUMENT_THERE(model);
  ARGUMENT(n >= 1 && dependences_known(n, on), "on", "is NULL, empty, or has what is none of the enum's");
  const SimProblem *p = &model->problem;
  for (int k = 0; k < n; k++)
    if (on[k] == SIM_ON_END || on[k] == SIM_ON_LENGTH) return SIM_BAD_PROBLEM;
  if (!sim_scheme_differentiates(p->scheme, p)) return SIM_BAD_PROBLEM;
  SimAdjoint *a = calloc(1, sizeof *a);
  SimStatus status = sim_group_agree(p->group, a ? SIM_OK : SIM_NO_MEMORY);
  if (a) a->together = side_by_side(p);
  if (status == SIM_OK) status = sensitivity_columns(model, n, on, &a->columns, &a->n);
  if (status == SIM_OK) status = allocate(p, a);
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK) {
    a->model = model;
    a->status = SIM_BAD_PROBLEM; /* initially no rollout has been recorded, which is an error in a sweep */
    status = p->scheme->equip_adjoint(model, a);
  }
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK)
    *adjoint = a;
  else
    sim_adjoint_destroy(a);
  return status;
}

void sim_adjoint_destroy(SimAdjoint *a) {
  if (!a) return;
  if (a->own) a->free_own(a->own);
  free(a->columns);
  free(a->x);
  free(a);
}

int sim_adjoint_columns(const SimAdjoint *a) { return a ? a->n : 0; }

int sim_adjoint_together(const SimAdjoint *a) { return a ? a->together : 0; }

SimStatus adjoint_look(const SimAdjoint *a) {
  const SimInterrupt *interrupt = &a->interrupt;
  if (!interrupt->stops) return SIM_OK;
  return sim_group_agree(a->model->problem.group, interrupt->stops(interrupt->context)) ? SIM_CANCELLED : SIM_OK;
}

SimStatus adjoint_back(SimAdjoint *a, SimStatus (*step_back)(SimAdjoint *a, long n)) {
  SimStatus status = SIM_OK;
  for (long n = a->model->problem.steps; n > 0 && status == SIM_OK; n--) {
    status = adjoint_look(a);
    if (status == SIM_OK) status = step_back(a, n);
  }
  return status;
}

SignalMix adjoint_mix(const SimAdjoint *a, long n) {
  const SignalMix constant = {.weight = {1}};
  return a->model->problem.signal == SIM_CONSTANT ? constant : signal_step(&a->model->problem, n);
}

void adjoint_start(SimAdjoint *a) {
  a->smooth = true;
  for (int i = 0; i < a->model->problem.count; i++) adjoint_go(a, i);
}

void adjoint_stop(SimAdjoint *a, int i, double t, double acceleration) {
  a->stop_time[i] = t;
  a->stop_acceleration[i] = acceleration;
}

void adjoint_go(SimAdjoint *a, int i) {
  a->stop_time[i] = NAN;
  a->stop_acceleration[i] = 0;
}

SimStatus sim_rollout_record(const SimModel *model, SimWorkspace *work, SimAdjoint *a, const double *control,
                             SimFinal *final) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT(a && a->model == model, "adjoint", "is NULL, or another model's");
  work->adjoint = a;
  a->interrupt = work->interrupt.asked;
  a->status = stiction_rollout(model, work, control, NULL, final);
  a->rollout = interrupt_work(model, work);
  a->swept = 0;
  work->adjoint = NULL;
  return a->status;
}

void sim_adjoint_stops(const SimAdjoint *a, double *stop_time, double *stop_acceleration, bool *smooth) {
  if (!a || !stop_time || !stop_acceleration || !smooth) return;
  size_t size = (size_t)a->model->problem.count * sizeof *stop_time;
  memcpy(stop_time, a->stop_time, size);
  memcpy(stop_acceleration, a->stop_acceleration, size);
  *smooth = a->smooth;
}

/* Adds a->impulse, which was collected for one mix of nodes (a->mix), to the derivatives by the control at these
 * nodes. */
static void release_impulse(SimAdjoint *a) {
  const SimProblem *p = &a->model->problem;
  int entries = p->n_control;
  for (int k = 0; k < 3; k++) {
    double *node = a->nodes + (size_t)(a->mix.node + k) * (size_t)entries * (size_t)a->width;
    for (int i = 0; i < p->count && a->mix.weight[k] != 0; i++) {
      const double *input = p->control_matrix + (long)i * entries;
      for (int j = 0; j < entries; j++)
        if (input[j] != 0)
          columns_add(a->width, a->mix.weight[k] * input[j], adjoint_row(a, a->impulse, i), adjoint_row(a, node, j));
    }
  }
  memset(a->impulse, 0, adjoint_size(a) * sizeof *a->impulse);
}

void adjoint_push(SimAdjoint *a, SignalMix mix, double factor, const double *impulse) {
  bool same = a->mix.node == mix.node;
  for (int k = 0; k < 3; k++) same = same && a->mix.weight[k] == mix.weight[k];
  if (!same) release_impulse(a);
  a->mix = mix;
  for (int i = 0; i < a->model->problem.count; i++)
    columns_add(a->width, factor, impulse + (size_t)i * (size_t)a->width, adjoint_row(a, a->impulse, i));
}

/* Returns the derivatives of all sums J of the sweep by the quantity of a column. NULL: the quantity belongs to a row
 * of another rank, and the derivatives are 0 here. */
static const double *entries_of(const SimAdjoint *a, const SimColumn *column) {
  const SimProblem *p = &a->model->problem;
  int i = column->entry;
  if (column->on == SIM_ON_CONTROL)
    return adjoint_row(a, a->nodes, i + (p->signal == SIM_PIECEWISE_LINEAR ? p->n_control : 0));
  if (column->on == SIM_ON_TABLE || column->on == SIM_ON_PARAMETER) return adjoint_row(a, a->sum[column->on], i);
  if (i < 0 || i >= p->count) return NULL;
  if (column->on == SIM_ON_POSITION) return adjoint_row(a, a->x, i);
  return adjoint_row(a, column->on == SIM_ON_VELOCITY ? a->v : a->sum[column->on], i);
}

/* Starts a sweep that differentiates n weighted sums J of the final state. All derivatives are set to 0. */
static void begin_sweep(SimAdjoint *a, int n, const double *weights) {
  const SimProblem *p = &a->model->problem;
  double *const ends[] = {a->x, a->v, a->stop_weights};
  a->width = columns_width(n);
  size_t size = adjoint_size(a) * sizeof *weights;
  for (int end = 0; end < 3; end++) {
    memset(ends[end], 0, size);
    for (int i = 0; i < p->count; i++)
      for (int k = 0; k < n; k++)
        adjoint_row(a, ends[end], i)[k] = weights[((size_t)k * 3 + (size_t)end) * (size_t)p->count + (size_t)i];
  }
  memset(a->impulse, 0, size);
  memset(a->nodes, 0, node_count(p) * (size_t)p->n_control * (size_t)a->width * sizeof *a->nodes);
  for (int on = 0; on < DEPENDENCES; on++)
    if (a->sum[on]) memset(a->sum[on], 0, rows_of(p, (SimDependence)on) * (size_t)a->width * sizeof *weights);
  a->mix = (SignalMix){0};
}

/* Whether a sweep of n sums would exceed the limit of work that the caller of the rollout has set. If not, adds its
 * work to a->swept. The unit of work is that of sim_problem_work. */
static bool is_too_long(SimAdjoint *a, int n) {
  /* work of a sweep for each sum J, relative to the work of the rollout */
  static const double OF_NUMBER = 0.4;
  double swept = a->swept + OF_NUMBER * n * a->rollout;
  if (a->interrupt.most > 0 && a->rollout + swept > a->interrupt.most) return true;
  a->swept = swept;
  return false;
}

SimStatus sim_adjoint_sweep(SimAdjoint *a, int n, const double *weights, double *gradients) {
  ARGUMENT_THERE(a);
  ARGUMENT(n >= 1 && n <= a->together, "n", "is not from 1 to sim_adjoint_together");
  ARGUMENT_THERE(weights);
  ARGUMENT_THERE(gradients);
  double finite = 0;
  for (int k = 0; k < n * a->n; k++) gradients[k] = NAN;
  if (a->status != SIM_OK) return a->status;
  if (is_too_long(a, n)) return SIM_TOO_LONG;
  begin_sweep(a, n, weights);
  SimStatus status = a->sweep(a);
  if (status != SIM_OK) return status;
  release_impulse(a);
  for (int c = 0; c < a->n; c++) {
    const double *entries = entries_of(a, &a->columns[c]);
    for (int k = 0; k < n; k++) gradients[(size_t)k * (size_t)a->n + (size_t)c] = entries ? entries[k] : 0;
  }
  sim_group_sum(a->model->problem.group, gradients, n * a->n);
  for (int k = 0; k < n * a->n; k++) finite += fabs(gradients[k]);
  return isfinite(finite) ? SIM_OK : SIM_NON_FINITE;
}
