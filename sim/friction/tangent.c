#include "sim/friction/tangent.h"

#include "sim/core/thresholds.h"
#include "sim/friction/stops_columns.h"
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_tangent(void *own) {
  FrictionTangent *t = own;
  friction_branches_clear(&t->branches);
  free(t->share);
  free(t->right);
  free(t->after);
  free(t->lambda);
  free(t->springs);
  stops_columns_destroy(t->stops);
  free(t->past.speed);
  free(t->past.slip);
  free(t);
}

SimStatus friction_tangent_equip(const SimModel *model, const FrictionSolver *solver, bool levels, SimSensitivity *s) {
  size_t rows = (size_t)s->count, columns = (size_t)s->n, block = rows * (size_t)s->width + 1;
  bool regularized = solver->law.kept > 0;
  FrictionTangent *t = s->own = calloc(1, sizeof *t);
  s->free_own = free_tangent;
  if (!t) return SIM_NO_MEMORY;
  t->share = calloc(columns + 1, sizeof *t->share);
  t->right = calloc(block, sizeof *t->right);
  t->after = levels ? calloc(block, sizeof *t->after) : NULL;
  t->lambda = regularized ? calloc(block, sizeof *t->lambda) : NULL;
  if (model->springs) t->springs = calloc(6 * rows + 2 * block, sizeof *t->springs);
  if (model->problem.stops.present) t->stops = stops_columns_create(s->count, s->width);
  t->past.speed = calloc(rows + 1, sizeof *t->past.speed);
  t->past.slip = calloc(rows + 1, sizeof *t->past.slip);
  bool there = t->share && t->right && (t->after || !levels) && (t->lambda || !regularized) &&
               (t->springs || !model->springs) && (t->stops || !model->problem.stops.present) && t->past.speed &&
               t->past.slip;
  return there ? friction_branches_init(solver, &t->branches) : SIM_NO_MEMORY;
}

void friction_tangent_start(const SimModel *model, SimWorkspace *work) {
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  size_t rows = (size_t)model->problem.count, block = rows * (size_t)s->width;
  sensitivity_start(s);
  t->begun = 0;
  t->branches.known = false;
  memcpy(t->past.speed, work->v, rows * sizeof *t->past.speed);
  memcpy(t->past.slip, work->slip, rows);
  if (t->after) memset(t->after, 0, block * sizeof *t->after);
  if (t->lambda) memset(t->lambda, 0, block * sizeof *t->lambda);
}

static bool same(const SignalMix *a, const SignalMix *b) {
  return a->node == b->node && memcmp(a->weight, b->weight, sizeof a->weight) == 0;
}

/* t->share, t->begun, where they are not those of the step before. */
static void find_shares(const SimProblem *p, const SimSensitivity *s, FrictionTangent *t, long n) {
  SignalMix step = {0};
  if (p->signal != SIM_CONSTANT) step = signal_step(p, n);
  if (t->begun && same(&step, &t->mix)) return;
  t->mix = step;
  t->shares = 0;
  for (int k = 0; k < s->n; k++) {
    const SimColumn *column = &s->columns[k];
    bool control = column->on == SIM_ON_CONTROL;
    double share = control ? signal_share(p, &step, column->entry) : 0;
    if (share != 0) t->share[t->shares++] = (TangentShare){k, column->entry % p->n_control, share};
    if ((share != 0 || !control) && t->begun <= k) t->begun = columns_width(k + 1);
  }
}

double friction_tangent_term(const SimProblem *p, const TangentTerms *at, SimDependence on, int i) {
  double drop = on == SIM_ON_FRICTION || on == SIM_ON_BETA ? friction_stribeck(p, at->force, i, at->speed[i]) : 0;
  switch (on) {
  case SIM_ON_CONTROL:
  case SIM_ON_POSITION:
  case SIM_ON_VELOCITY: break;
  case SIM_ON_FRICTION: return drop / friction_threshold(p, i, at->speed[i]) - at->force * at->lambda[i];
  case SIM_ON_MASS: return at->weight[0] * at->gain[0][i] + at->weight[1] * at->gain[1][i];
  case SIM_ON_DAMPING: return at->damping * at->damped[i];
  case SIM_ON_BETA: return drop / p->system.stribeck_beta[i];
  }
  return 0;
}

double friction_tangent_rise(const SimProblem *p, const TangentTerms *at, double slope, int i) {
  double gamma = p->system.stribeck == SIM_STRIBECK_NONE ? 0 : friction_gamma_of(p, i, at->speed[i]);
  return slope * at->force * (gamma - at->lambda[i]);
}

/* What the columns of place make of thresholds that depend on it. */
static void add_rise(const SimModel *model, const SimWorkspace *work, const TangentTerms *at, const double *place) {
  const SimProblem *p = thresholds_now(model, work);
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  for (int i = 0; i < p->count && p->rise.pieces; i++) {
    const RiseSpan span = rise_span(p, i);
    double by = friction_tangent_rise(p, at, work->thresholds->slope[i], i), *row = sensitivity_row(s, t->right, i);
    if (span.to >= 0) columns_add(t->begun, by, place + span.to * s->width, row);
    if (span.from >= 0) columns_add(t->begun, -by, place + span.from * s->width, row);
  }
}

void friction_tangent_numbers(const SimModel *model, const SimWorkspace *work, const TangentTerms *at, double factor,
                              double *right) {
  const SimProblem *p = thresholds_now(model, work);
  const SimSensitivity *s = work->sensitivity;
  for (int k = 0; k < s->n; k++) {
    const SimColumn *column = &s->columns[k];
    if (column->on == SIM_ON_CONTROL || column->entry < 0 || column->entry >= p->count) continue;
    sensitivity_row(s, right, column->entry)[k] += factor * friction_tangent_term(p, at, column->on, column->entry);
  }
}

void friction_tangent_right(const SimModel *model, const SimWorkspace *work, long n, const TangentTerms *at,
                            const double *place) {
  const SimProblem *p = thresholds_now(model, work);
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  size_t width = (size_t)s->width;
  find_shares(p, s, t, n);
  int begun = t->begun;
  for (int i = 0; i < p->count; i++) {
    double *restrict row = t->right + (size_t)i * width;
    const double *restrict v = s->v + (size_t)i * width, *inputs = p->control_matrix + (long)i * p->n_control;
    double slope = friction_drops(p) ? at->force * friction_drop_slope(p, i, at->speed[i]) : 0;
    if (slope == 0)
      memset(row, 0, (size_t)t->begun * sizeof *row);
    else
      COLUMNS_EACH(k, begun) row[k] = slope * v[k];
    for (int k = 0; k < t->shares; k++) {
      const TangentShare *share = &t->share[k];
      row[share->column] += at->force * share->share * inputs[share->input];
    }
  }
  friction_tangent_numbers(model, work, at, 1, t->right);
  add_rise(model, work, at, place);
}

FrictionStop friction_tangent_stop(const SimProblem *p, int i, long n, const FrictionPast *past, double v, int slip) {
  double least = fabs(v) / p->step;
  if (!(friction_level(p, i) > 0) || slip != 0 || !(past->slip[i] * v > 0)) return (FrictionStop){.stops = false};
  double slows = fmax(past->slip[i] * (past->speed[i] - v) / p->step, least);
  return (FrictionStop){true, ((double)(n - 1) + least / slows) * p->step, -past->slip[i] * slows};
}

void friction_tangent_stops(const SimModel *model, const SimWorkspace *work, long n, const double *v) {
  const SimProblem *p = &model->problem;
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  for (int i = 0; i < p->count; i++) {
    const FrictionStop stop = friction_tangent_stop(p, i, n, &t->past, v[i], work->slip[i]);
    if (stop.stops) sensitivity_stop(s, i, stop.t, stop.acceleration);
    if (work->slip[i] != 0 && t->past.slip[i] == 0) sensitivity_go(s, i);
    t->past.slip[i] = work->slip[i];
    t->past.speed[i] = v[i];
  }
}
