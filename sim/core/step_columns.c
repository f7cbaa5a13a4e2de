/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/step_columns.h"

#include "sim/joint/rise.h"
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SimStatus step_shares_init(StepShares *shares, const SimSensitivity *s) {
  shares->share = calloc((size_t)s->n + 1, sizeof *shares->share);
  return shares->share ? SIM_OK : SIM_NO_MEMORY;
}

void step_shares_clear(StepShares *shares) { free(shares->share); }

static bool same(const SignalMix *a, const SignalMix *b) {
  return a->node == b->node && memcmp(a->weight, b->weight, sizeof a->weight) == 0;
}

/* The shares are computed again only if the weights of the nodes (signal_mix.h) differ from those of the previous
 * step. */
void step_shares_find(StepShares *t, const SimProblem *p, const SimSensitivity *s, long n) {
  SignalMix step = {0};
  if (p->signal != SIM_CONSTANT) step = signal_step(p, n);
  if (t->begun && same(&step, &t->mix)) return;
  t->mix = step;
  t->n = 0;
  for (int k = 0; k < s->n; k++) {
    const SimColumn *column = &s->columns[k];
    bool control = column->on == SIM_ON_CONTROL;
    double share = control ? signal_share(p, &step, column->entry) : 0;
    if (share != 0) t->share[t->n++] = (StepShare){k, column->entry % p->n_control, share};
    if ((share != 0 || !control) && t->begun <= k) t->begun = columns_width(k + 1);
  }
}

void step_shares_add(const StepShares *t, const SimProblem *p, int i, double factor, double *row) {
  const double *inputs = p->control_matrix + (long)i * p->n_control;
  for (int k = 0; k < t->n; k++) {
    const StepShare *share = &t->share[k];
    row[share->column] += factor * share->share * inputs[share->input];
  }
}

double step_term(const SimProblem *p, const StepTerms *at, SimDependence on, int i) {
  bool falls = p->system.stribeck != SIM_STRIBECK_NONE && (on == SIM_ON_FRICTION || on == SIM_ON_BETA);
  double drop = falls ? friction_stribeck(p, at->force, i, at->speed[i]) : 0;
  switch (on) {
  case SIM_ON_CONTROL:
  case SIM_ON_POSITION:
  case SIM_ON_VELOCITY:
  case SIM_ON_TABLE:
  case SIM_ON_END:
  case SIM_ON_LENGTH:
  case SIM_ON_PARAMETER: break;
  case SIM_ON_FRICTION: return drop / friction_threshold(p, i, at->speed[i]) - at->force * at->lambda[i];
  case SIM_ON_MASS: return at->weight[0] * at->gain[0][i] + at->weight[1] * at->gain[1][i];
  case SIM_ON_DAMPING: return at->damping * at->damped[i];
  case SIM_ON_BETA: return drop / p->system.stribeck_beta[i];
  }
  return 0;
}

double step_rise(const SimProblem *p, const StepTerms *at, double slope, int i) {
  double gamma = p->system.stribeck == SIM_STRIBECK_NONE ? 0 : friction_gamma_of(p, i, at->speed[i]);
  return slope * at->force * (gamma - at->lambda[i]);
}

void step_table_add(const SimProblem *p, const SimSensitivity *s, int i, StepTable at, double *row) {
  FrictionPartial parts[FRICTION_PARTIALS];
  const FrictionCurve curve = friction_curve(&p->system.table, i);
  int n = friction_curve_partials(&curve, at.speed, parts),
      first = s->table + friction_curve_first(&p->system.table, i);
  for (int k = 0; k < n; k++) row[first + parts[k].point] += at.weight * parts[k].gamma;
}

void step_table_back(SimAdjoint *a, int i, StepTable at, const double *row) {
  FrictionPartial parts[FRICTION_PARTIALS];
  const SimFrictionTable *table = &a->model->problem.system.table;
  const FrictionCurve curve = friction_curve(table, i);
  int n = friction_curve_partials(&curve, at.speed, parts), first = friction_curve_first(table, i);
  for (int k = 0; k < n; k++)
    columns_add(a->width, at.weight * parts[k].gamma, row,
                adjoint_row(a, a->sum[SIM_ON_TABLE], first + parts[k].point));
}

SimStatus step_stops_init(StepStops *stops, int count) {
  size_t rows = (size_t)count + 1;
  stops->speed = calloc(rows, sizeof *stops->speed);
  stops->slip = calloc(rows, sizeof *stops->slip);
  stops->step = calloc(rows, sizeof *stops->step);
  return stops->speed && stops->slip && stops->step ? SIM_OK : SIM_NO_MEMORY;
}

void step_stops_clear(StepStops *stops) {
  free(stops->speed);
  free(stops->slip);
  free(stops->step);
}

void step_stops_start(StepStops *stops, const SimWorkspace *work) {
  size_t count = (size_t)work->model->problem.count;
  memcpy(stops->speed, work->v, count * sizeof *stops->speed);
  memcpy(stops->slip, work->slip, count);
  memset(stops->step, 0, count * sizeof *stops->step);
}

/* Whether a dof comes to rest in a step. */
typedef struct Stop {
  bool stops;
  double t, acceleration; /* time of the stop, in s; acceleration just before it, in m/s^2 */
} Stop;

/* Returns whether and when dof i comes to rest in step n. v: its velocity before the step; slip: its direction of
 * sliding after the step, -1 or 1, or 0 if it sticks. */
static Stop stop_of(const StepStops *stops, const SimProblem *p, int i, long n, double v, int slip) {
  double least = fabs(v) / p->step;
  if (!(friction_level(p, i) > 0) || slip != 0 || !(stops->slip[i] * v > 0)) return (Stop){.stops = false};
  double slows = fmax(stops->slip[i] * (stops->speed[i] - v) / p->step, least);
  return (Stop){true, ((double)(n - 1) + least / slows) * p->step, -stops->slip[i] * slows};
}

static bool goes(const StepStops *stops, int i, int slip) { return slip != 0 && stops->slip[i] == 0; }

static void take(StepStops *stops, int i, double v, signed char slip) {
  stops->slip[i] = slip;
  stops->speed[i] = v;
}

void step_stops_forward(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v) {
  for (int i = 0; i < model->problem.count; i++) {
    const Stop stop = stop_of(stops, &model->problem, i, n, v[i], work->slip[i]);
    if (stop.stops) sensitivity_stop(work->sensitivity, i, stop.t, stop.acceleration);
    if (goes(stops, i, work->slip[i])) sensitivity_go(work->sensitivity, i);
    take(stops, i, v[i], work->slip[i]);
  }
}

void step_stops_record(StepStops *stops, const SimModel *model, const SimWorkspace *work, long n, const double *v) {
  for (int i = 0; i < model->problem.count; i++) {
    const Stop stop = stop_of(stops, &model->problem, i, n, v[i], work->slip[i]);
    if (stop.stops) {
      adjoint_stop(work->adjoint, i, stop.t, stop.acceleration);
      stops->step[i] = n;
    }
    if (goes(stops, i, work->slip[i])) step_stops_drop(stops, work->adjoint, i);
    take(stops, i, v[i], work->slip[i]);
  }
}

void step_stops_drop(StepStops *stops, SimAdjoint *a, int i) {
  adjoint_go(a, i);
  stops->step[i] = 0;
}

void step_stops_back(const StepStops *stops, SimAdjoint *a, long n) {
  for (int i = 0; i < a->model->problem.count; i++)
    if (stops->step[i] == n && n > 0)
      columns_add(a->width, 1, adjoint_row(a, a->stop_weights, i), adjoint_row(a, a->v, i));
}
