#include "sim/core/adjoint.h"

#include "sim/core/scheme.h"
#include "sim/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sim_scheme_has_adjoint(const SimScheme *scheme) { return scheme->equip_adjoint; }

/* Nodes whose derivatives are kept. */
static size_t node_count(const SimProblem *p) { return (size_t)(p->signal == SIM_CONSTANT ? 1 : signal_nodes(p)); }

static SimStatus allocate(const SimProblem *p, SimAdjoint *a) {
  size_t rows = (size_t)p->count, nodes = node_count(p) * (size_t)p->n_control, vectors = 5;
  bool wanted[SIM_ON_BETA + 1] = {false};
  for (int k = 0; k < a->n; k++) wanted[a->columns[k].on] = true;
  for (int on = SIM_ON_FRICTION; on <= SIM_ON_BETA; on++) vectors += wanted[on];
  double *next = a->x = calloc(vectors * rows + nodes + 1, sizeof *next);
  if (!next) return SIM_NO_MEMORY;
  a->v = next += rows;
  a->stop_time = next += rows;
  a->stop_acceleration = next += rows;
  a->impulse = next += rows;
  a->nodes = next += rows;
  next += nodes;
  for (int on = SIM_ON_FRICTION; on <= SIM_ON_BETA; on++) {
    if (!wanted[on]) continue;
    a->sum[on] = next;
    next += rows;
  }
  return SIM_OK;
}

SimStatus sim_adjoint_create(const SimModel *model, int n, const SimDependence *on, SimAdjoint **adjoint) {
  const SimProblem *p = &model->problem;
  *adjoint = NULL;
  if (!sim_scheme_has_adjoint(p->scheme)) return SIM_BAD_PROBLEM;
  SimAdjoint *a = calloc(1, sizeof *a);
  SimStatus status = sim_group_agree(p->group, a ? SIM_OK : SIM_NO_MEMORY);
  if (status == SIM_OK) status = sensitivity_columns(model, n, on, &a->columns, &a->n);
  if (status == SIM_OK) status = allocate(p, a);
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK) {
    a->model = model;
    a->status = SIM_BAD_PROBLEM; /* nothing is on record */
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

int sim_adjoint_columns(const SimAdjoint *a) { return a->n; }

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
  work->adjoint = a;
  a->status = sim_rollout(model, work, control, NULL, final);
  work->adjoint = NULL;
  return a->status;
}

void sim_adjoint_stops(const SimAdjoint *a, double *stop_time, double *stop_acceleration, bool *smooth) {
  size_t size = (size_t)a->model->problem.count * sizeof *stop_time;
  memcpy(stop_time, a->stop_time, size);
  memcpy(stop_acceleration, a->stop_acceleration, size);
  *smooth = a->smooth;
}

/* Adds the impulse that waits. */
static void release_impulse(SimAdjoint *a) {
  const SimProblem *p = &a->model->problem;
  int entries = p->n_control;
  double *node = a->nodes + (size_t)a->mix.node * (size_t)entries;
  for (int j = 0; j < entries; j++) {
    double sum = 0;
    for (int i = 0; i < p->count; i++) sum += p->control_matrix[(long)i * entries + j] * a->impulse[i];
    for (int k = 0; k < 3; k++)
      if (a->mix.weight[k] != 0) node[k * entries + j] += a->mix.weight[k] * sum;
  }
  memset(a->impulse, 0, (size_t)p->count * sizeof *a->impulse);
}

void adjoint_push(SimAdjoint *a, SignalMix mix, double factor, const double *impulse) {
  bool same = a->mix.node == mix.node;
  for (int k = 0; k < 3; k++) same = same && a->mix.weight[k] == mix.weight[k];
  if (!same) release_impulse(a);
  a->mix = mix;
  for (int i = 0; i < a->model->problem.count; i++) a->impulse[i] += factor * impulse[i];
}

/* dJ/d of a column's number; of another rank's row: 0. */
static double entry_of(const SimAdjoint *a, const SimColumn *column) {
  const SimProblem *p = &a->model->problem;
  int i = column->entry;
  if (column->on == SIM_ON_CONTROL)
    return a->nodes[column->entry + (p->signal == SIM_PIECEWISE_LINEAR ? p->n_control : 0)];
  if (i < 0 || i >= p->count) return 0;
  if (column->on == SIM_ON_POSITION) return a->x[i];
  return column->on == SIM_ON_VELOCITY ? a->v[i] : a->sum[column->on][i];
}

SimStatus sim_adjoint_sweep(SimAdjoint *a, const double *weights, double *gradient) {
  const SimProblem *p = &a->model->problem;
  size_t rows = (size_t)p->count, size = rows * sizeof *weights;
  double finite = 0;
  for (int k = 0; k < a->n; k++) gradient[k] = NAN;
  if (a->status != SIM_OK) return a->status;
  memcpy(a->x, weights, size);
  memcpy(a->v, weights + rows, size);
  memset(a->impulse, 0, size);
  memset(a->nodes, 0, node_count(p) * (size_t)p->n_control * sizeof *a->nodes);
  for (int on = 0; on <= SIM_ON_BETA; on++)
    if (a->sum[on]) memset(a->sum[on], 0, size);
  a->mix = (SignalMix){0};
  SimStatus status = a->sweep(a, weights + 2 * rows);
  if (status != SIM_OK) return status;
  release_impulse(a);
  for (int k = 0; k < a->n; k++) gradient[k] = entry_of(a, &a->columns[k]);
  sim_group_sum(p->group, gradient, a->n);
  for (int k = 0; k < a->n; k++) finite += fabs(gradient[k]);
  return isfinite(finite) ? SIM_OK : SIM_NON_FINITE;
}
