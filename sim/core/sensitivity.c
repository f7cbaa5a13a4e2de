/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/sensitivity.h"
#include "sim/base/argument.h"
#include "sim/base/pieces.h"

#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/joint/rise.h"
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether, on any rank, a dof without mass has a threshold that depends on position. A step then solves for the
 * threshold at its end (thresholds_follow), and no scheme can differentiate such steps. Collective. */
static bool has_following_thresholds(const SimProblem *p) {
  double follows = 0;
  if (p->rise.pieces == 0) return false;
  for (int i = 0; i < p->count && follows == 0; i++)
    follows = massless_dof(p, i) && rise_span(p, i).to >= 0 && rise_steepest(p, i) > 0;
  sim_group_max(p->group, &follows, 1);
  return follows > 0;
}

bool sim_scheme_differentiates(const SimScheme *scheme, const SimProblem *problem) {
  SimFeatures chosen = scheme == problem->scheme ? 0 : SIM_HAS_CHOICES;
  return features_differentiated(scheme, sim_problem_features(problem) & ~chosen) && !has_following_thresholds(problem);
}

/* Whether all values are positive on all ranks. */
static bool all_positive(const SimProblem *p, const double *values) {
  double not_all = 0;
  for (int i = 0; i < p->count; i++)
    if (!(values[i] > 0)) not_all = 1;
  sim_group_max(p->group, &not_all, 1);
  return !(not_all > 0);
}

/* Whether all thresholds are positive, in both directions and on all ranks. */
static bool all_rub(const SimProblem *p) {
  double not_all = 0;
  for (int i = 0; i < p->count; i++)
    if (!(p->friction[i] > fabs(friction_bias(p, i)))) not_all = 1;
  sim_group_max(p->group, &not_all, 1);
  return !(not_all > 0);
}

static bool on_times(SimDependence on) { return on == SIM_ON_END || on == SIM_ON_LENGTH; }

const char *sim_dependence_refused(const SimModel *model, SimDependence on) {
  if (!model || !on_times(on)) return NULL;
  const SimProblem *p = &model->problem;
  if (p->kind == SIM_DASHPOT) return "T and lengths of segments: not for a dash-pot";
  if (!p->scheme->moves_end) return "T and lengths of segments: the scheme has steps of given length (expected event)";
  if (p->surface_pieces)
    return "T and lengths of segments: not with moving surfaces (expected a given T and equal lengths)";
  if (p->threshold_pieces)
    return "T and lengths of segments: not with thresholds that vary in time (expected constants)";
  if (p->kind == SIM_MECHANISM && (p->piece_count > 1 || (p->piece_count && piece_order(p, 0) > 0)))
    return "T and lengths of segments: not with a force that varies in time (expected one in the mechanism's text)";
  if (on == SIM_ON_LENGTH && p->signal == SIM_CONSTANT)
    return "lengths of segments: the control is constant (expected a control in segments, or T)";
  return NULL;
}

/* Returns the number of columns that differentiate by one kind of quantity; 0 if the model has no such quantities. */
static int columns_of(const SimModel *model, SimDependence on) {
  const SimProblem *p = &model->problem;
  bool friction = p->kind == SIM_FRICTION, still = p->surface_pieces == 0,
       modes = sim_problem_features(p) & SIM_HAS(MODES);
  /* for the scheme event, one table describes the friction of a gear box together with that of the dof */
  bool joined = friction && p->scheme->force_in_pieces && p->system.gearbox.present;
  switch (on) {
  case SIM_ON_CONTROL: return stiction_model_controls(model);
  case SIM_ON_MASS: return friction && still && !modes ? p->d : 0;
  case SIM_ON_DAMPING: return friction && still && operator_damped(p) ? p->d : 0;
  case SIM_ON_FRICTION:
    return (friction || p->kind == SIM_CHAIN) && all_rub(p) && !rise_varies(p) && !joined ? p->d : 0;
  case SIM_ON_BETA:
    return friction && p->system.stribeck != SIM_STRIBECK_NONE && p->system.stribeck != SIM_STRIBECK_TABLE &&
                   all_positive(p, p->system.stribeck_beta)
               ? p->d
               : 0;
  case SIM_ON_TABLE: return friction && (model->features & SIM_HAS(TABLE)) && !joined ? table_numbers(p) : 0;
  case SIM_ON_POSITION:
  case SIM_ON_VELOCITY: return p->d;
  case SIM_ON_END: return sim_dependence_refused(model, on) ? 0 : 1;
  case SIM_ON_LENGTH: return sim_dependence_refused(model, on) ? 0 : p->segments;
  case SIM_ON_PARAMETER: return p->kind == SIM_MECHANISM ? p->equations.parameters : 0;
  }
  return 0;
}

SimStatus sensitivity_columns(const SimModel *model, int n, const SimDependence *on, SimColumn **columns, int *count) {
  int many[DEPENDENCES], first = model->problem.first;
  *count = 0;
  for (int k = 0; k < DEPENDENCES; k++) many[k] = columns_of(model, (SimDependence)k);
  for (int k = 0; k < n; k++) {
    if (many[on[k]] == 0) return SIM_BAD_PROBLEM;
    *count += many[on[k]];
  }
  SimColumn *next = *columns = calloc((size_t)*count + 1, sizeof *next);
  for (int k = 0; k < n && next; k++)
    for (int i = 0; i < many[on[k]]; i++)
      *next++ = (SimColumn){on[k], on[k] == SIM_ON_CONTROL || on[k] == SIM_ON_TABLE || on[k] == SIM_ON_PARAMETER ||
                                           on_times(on[k])
                                       ? i
                                       : i - first};
  return next ? SIM_OK : SIM_NO_MEMORY;
}

/* Allocates the arrays of a sensitivity with the columns s->columns. Returns SIM_OK or SIM_NO_MEMORY. */
static SimStatus allocate(const SimProblem *p, SimSensitivity *s) {
  s->width = columns_width(s->n);
  size_t rows = (size_t)p->count, room = rows * (size_t)s->width;
  s->count = p->count;
  for (s->table = 0; s->table < s->n && s->columns[s->table].on != SIM_ON_TABLE;) s->table++;
  s->x = calloc(3 * room + 2 * rows + 1, sizeof *s->x);
  s->v = s->x + room;
  s->stop = s->v + room;
  s->stop_time = s->stop + room;
  s->stop_acceleration = s->stop_time + rows;
  return s->x ? SIM_OK : SIM_NO_MEMORY;
}

bool dependences_known(int n, const SimDependence *on) {
  for (int k = 0; on && k < n; k++)
    if ((unsigned)on[k] >= DEPENDENCES) return false;
  return on != NULL;
}

SimStatus stiction_sensitivity_create(const SimModel *model, int n, const SimDependence *on,
                                      SimSensitivity **sensitivity) {
  ARGUMENT_THERE(sensitivity);
  *sensitivity = NULL;
  ARGUMENT_THERE(model);
  ARGUMENT(n >= 1 && dependences_known(n, on), "on", "is NULL, empty, or has what is none of the enum's");
  const SimProblem *p = &model->problem;
  if (!sim_scheme_differentiates(p->scheme, p)) return SIM_BAD_PROBLEM;
  SimSensitivity *s = calloc(1, sizeof *s);
  SimStatus status = sim_group_agree(p->group, s ? SIM_OK : SIM_NO_MEMORY);
  if (status == SIM_OK) status = sensitivity_columns(model, n, on, &s->columns, &s->n);
  if (status == SIM_OK) status = allocate(p, s);
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK) status = sim_group_agree(p->group, p->scheme->equip_sensitivity(model, s));
  if (status == SIM_OK)
    *sensitivity = s;
  else
    stiction_sensitivity_destroy(s);
  return status;
}

void stiction_sensitivity_destroy(SimSensitivity *s) {
  if (!s) return;
  if (s->own) s->free_own(s->own);
  free(s->columns);
  free(s->x);
  free(s);
}

int stiction_sensitivity_columns(const SimSensitivity *s) { return s ? s->n : 0; }

bool sim_sensitivity_smooth(const SimSensitivity *s) { return s && s->smooth; }

void sensitivity_start(SimSensitivity *s) {
  s->smooth = true;
  memset(s->x, 0, 3 * (size_t)s->width * (size_t)s->count * sizeof *s->x);
  for (int i = 0; i < s->count; i++) {
    s->stop_time[i] = NAN;
    s->stop_acceleration[i] = 0;
  }
  for (int k = 0; k < s->n; k++) {
    const SimColumn *column = &s->columns[k];
    if (column->entry < 0 || column->entry >= s->count) continue;
    if (column->on == SIM_ON_POSITION) sensitivity_row(s, s->x, column->entry)[k] = 1;
    if (column->on == SIM_ON_VELOCITY) sensitivity_row(s, s->v, column->entry)[k] = 1;
  }
}

void sensitivity_stop(SimSensitivity *s, int i, double t, double acceleration) {
  s->stop_time[i] = t;
  s->stop_acceleration[i] = acceleration;
  memcpy(sensitivity_row(s, s->stop, i), sensitivity_row(s, s->v, i), (size_t)s->width * sizeof *s->v);
}

void sensitivity_go(SimSensitivity *s, int i) {
  s->stop_time[i] = NAN;
  s->stop_acceleration[i] = 0;
  memset(sensitivity_row(s, s->stop, i), 0, (size_t)s->width * sizeof *s->stop);
}

/* Copies the n columns of a block, without its padding, to rows [count][n]. */
static void copy_rows(const SimSensitivity *s, double *block, double *rows) {
  for (int i = 0; i < s->count; i++)
    memcpy(rows + (size_t)i * (size_t)s->n, sensitivity_row(s, block, i), (size_t)s->n * sizeof *rows);
}

void sensitivity_state(const SimSensitivity *s, double *state) {
  copy_rows(s, s->x, state);
  copy_rows(s, s->v, state + (size_t)s->count * (size_t)s->n);
}

void sensitivity_copy(const SimSensitivity *s, SimDerivative *derivative) {
  size_t row = (size_t)s->count * sizeof(double);
  sensitivity_state(s, derivative->state);
  copy_rows(s, s->stop, derivative->stop);
  memcpy(derivative->stop_time, s->stop_time, row);
  memcpy(derivative->stop_acceleration, s->stop_acceleration, row);
  derivative->smooth = s->smooth;
}

void sim_workspace_differentiate(SimWorkspace *work, SimSensitivity *s) {
  if (work) work->sensitivity = s;
}

void sim_workspace_derivatives(const SimModel *model, SimWorkspace *work, double *state) {
  if (!model || !work || !work->sensitivity || !state) return;
  if (work->sensitivity->show)
    work->sensitivity->show(model, work, state);
  else
    sensitivity_state(work->sensitivity, state);
}

SimStatus stiction_rollout_sensitivity(const SimModel *model, SimWorkspace *work, SimSensitivity *s,
                                       const double *control, SimFinal *final, SimDerivative *derivative) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT(s && s->count == model->problem.count, "sensitivity", "is NULL, or another model's");
  ARGUMENT(derivative && derivative->state && derivative->stop && derivative->stop_time &&
               derivative->stop_acceleration,
           "derivative", "is NULL, or lacks an array");
  work->sensitivity = s;
  SimStatus status = stiction_rollout(model, work, control, NULL, final);
  work->sensitivity = NULL;
  sensitivity_copy(s, derivative);
  return status;
}
