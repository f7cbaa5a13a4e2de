#include "sim/core/sensitivity.h"

#include "sim/core/model.h"
#include "sim/core/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sim_scheme_has_sensitivity(const SimScheme *scheme) { return scheme->equip_sensitivity; }

static bool all_positive(int d, const double *values) {
  for (int i = 0; i < d; i++)
    if (!(values[i] > 0)) return false;
  return true;
}

/* How many columns a dependence is; 0: the model has no such numbers. */
static int columns_of(const SimModel *model, SimDependence on) {
  const SimProblem *p = &model->problem;
  bool friction = p->kind == SIM_FRICTION;
  switch (on) {
  case SIM_ON_CONTROL: return sim_model_controls(model);
  case SIM_ON_MASS: return friction ? p->d : 0;
  case SIM_ON_DAMPING: return friction && operator_damped(p) ? p->d : 0;
  case SIM_ON_FRICTION: return all_positive(p->d, p->friction) ? p->d : 0;
  case SIM_ON_BETA:
    return friction && p->system.stribeck != SIM_STRIBECK_NONE && all_positive(p->d, p->system.stribeck_beta) ? p->d
                                                                                                              : 0;
  default: return p->d;
  }
}

SimStatus sensitivity_columns(const SimModel *model, int n, const SimDependence *on, SimColumn **columns, int *count) {
  *count = 0;
  for (int k = 0; k < n; k++) {
    if (columns_of(model, on[k]) == 0) return SIM_BAD_PROBLEM;
    *count += columns_of(model, on[k]);
  }
  SimColumn *next = *columns = calloc((size_t)*count + 1, sizeof *next);
  for (int k = 0; k < n && next; k++)
    for (int i = 0; i < columns_of(model, on[k]); i++) *next++ = (SimColumn){on[k], i};
  return next ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus sim_sensitivity_create(const SimModel *model, int n, const SimDependence *on, SimSensitivity **sensitivity) {
  const SimScheme *scheme = model->problem.scheme;
  *sensitivity = NULL;
  if (!sim_scheme_has_sensitivity(scheme)) return SIM_BAD_PROBLEM;
  SimSensitivity *s = calloc(1, sizeof *s);
  SimStatus status = s ? sensitivity_columns(model, n, on, &s->columns, &s->n) : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    size_t d = (size_t)model->problem.d, room = (size_t)s->n * d;
    s->d = model->problem.d;
    s->x = calloc(3 * room + 2 * d, sizeof *s->x);
    s->v = s->x + room;
    s->stop = s->v + room;
    s->stop_time = s->stop + room;
    s->stop_acceleration = s->stop_time + d;
    status = s->x ? scheme->equip_sensitivity(model, s) : SIM_NO_MEMORY;
  }
  if (status == SIM_OK)
    *sensitivity = s;
  else
    sim_sensitivity_destroy(s);
  return status;
}

void sim_sensitivity_destroy(SimSensitivity *s) {
  if (!s) return;
  if (s->own) s->free_own(s->own);
  free(s->columns);
  free(s->x);
  free(s);
}

int sim_sensitivity_columns(const SimSensitivity *s) { return s->n; }

void sensitivity_start(SimSensitivity *s) {
  size_t d = (size_t)s->d;
  s->smooth = true;
  memset(s->x, 0, 3 * (size_t)s->n * d * sizeof *s->x);
  for (int i = 0; i < s->d; i++) {
    s->stop_time[i] = NAN;
    s->stop_acceleration[i] = 0;
  }
  for (int k = 0; k < s->n; k++) {
    const SimColumn *column = &s->columns[k];
    size_t at = (size_t)k * d + (size_t)column->entry;
    if (column->on == SIM_ON_POSITION) s->x[at] = 1;
    if (column->on == SIM_ON_VELOCITY) s->v[at] = 1;
  }
}

void sensitivity_stop(SimSensitivity *s, int i, double t, double acceleration) {
  s->stop_time[i] = t;
  s->stop_acceleration[i] = acceleration;
  for (int k = 0; k < s->n; k++) s->stop[k * s->d + i] = s->v[k * s->d + i];
}

void sensitivity_go(SimSensitivity *s, int i) {
  s->stop_time[i] = NAN;
  s->stop_acceleration[i] = 0;
  for (int k = 0; k < s->n; k++) s->stop[k * s->d + i] = 0;
}

/* rows [d][n] = columns [n][d] */
static void transpose(const SimSensitivity *s, const double *columns, double *rows) {
  for (int i = 0; i < s->d; i++)
    for (int k = 0; k < s->n; k++) rows[i * s->n + k] = columns[k * s->d + i];
}

SimStatus sim_rollout_sensitivity(const SimModel *model, SimWorkspace *work, SimSensitivity *s, const double *control,
                                  SimFinal *final, SimDerivative *derivative) {
  work->sensitivity = s;
  SimStatus status = sim_rollout(model, work, control, NULL, final);
  work->sensitivity = NULL;
  transpose(s, s->x, derivative->state);
  transpose(s, s->v, derivative->state + s->d * s->n);
  transpose(s, s->stop, derivative->stop);
  memcpy(derivative->stop_time, s->stop_time, (size_t)s->d * sizeof *s->stop_time);
  memcpy(derivative->stop_acceleration, s->stop_acceleration, (size_t)s->d * sizeof *s->stop_acceleration);
  derivative->smooth = s->smooth;
  return status;
}
