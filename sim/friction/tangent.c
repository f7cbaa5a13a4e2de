/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/tangent.h"

#include "sim/core/thresholds.h"
#include "sim/friction/stops_columns.h"
#include "sim/joint/rise.h"
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_tangent(void *own) {
  FrictionTangent *t = own;
  friction_branches_clear(&t->branches);
  step_shares_clear(&t->shares);
  free(t->right);
  free(t->after);
  free(t->lambda);
  free(t->springs);
  stops_columns_destroy(t->stops);
  step_stops_clear(&t->past);
  free(t);
}

SimStatus form_equip_sensitivity(const SimModel *model, SimSensitivity *s) {
  const FormPlan *plan = model->plan;
  size_t rows = (size_t)s->count, block = rows * (size_t)s->width + 1;
  bool regularized = plan->solver.law.kept > 0, levels = plan->form.differences;
  FrictionTangent *t = s->own = calloc(1, sizeof *t);
  s->free_own = free_tangent;
  if (!t) return SIM_NO_MEMORY;
  t->right = calloc(block, sizeof *t->right);
  t->after = levels ? calloc(block, sizeof *t->after) : NULL;
  t->lambda = regularized ? calloc(block, sizeof *t->lambda) : NULL;
  if (model->springs) t->springs = calloc(6 * rows + 2 * block, sizeof *t->springs);
  t->mixed = t->springs ? t->springs + 4 * rows : NULL;
  if (model->problem.stops.present) t->stops = stops_columns_create(s->count, s->width);
  bool there = t->right && (t->after || !levels) && (t->lambda || !regularized) && (t->springs || !model->springs) &&
               (t->stops || !model->problem.stops.present);
  SimStatus status = there ? step_shares_init(&t->shares, s) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = step_stops_init(&t->past, s->count);
  return status == SIM_OK ? friction_branches_init(&plan->solver, &t->branches) : status;
}

void friction_tangent_start(const SimModel *model, SimWorkspace *work) {
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  size_t rows = (size_t)model->problem.count, block = rows * (size_t)s->width;
  sensitivity_start(s);
  t->shares.begun = 0;
  t->branches.known = false;
  step_stops_start(&t->past, work);
  if (t->after) memset(t->after, 0, block * sizeof *t->after);
  if (t->lambda) memset(t->lambda, 0, block * sizeof *t->lambda);
}

/* Adds the effect of position-dependent thresholds to the right side of the equation for the derivatives. place
 * [count][width]: derivatives of the position at which thresholds are evaluated. */
static void add_rise(const SimModel *model, const SimWorkspace *work, const StepTerms *at, const double *place) {
  const SimProblem *p = thresholds_now(model, work);
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  for (int i = 0; i < p->count && p->rise.pieces; i++)
    rise_add_row(p, i, step_rise(p, at, work->thresholds->slope[i], i), t->shares.begun, s->width, place,
                 sensitivity_row(s, t->right, i));
}

void friction_tangent_numbers(const SimModel *model, const SimWorkspace *work, const StepTerms *at, double factor,
                              double *right) {
  const SimProblem *p = thresholds_now(model, work);
  const SimSensitivity *s = work->sensitivity;
  for (int k = 0; k < s->n; k++) {
    const SimColumn *column = &s->columns[k];
    if (column->on == SIM_ON_CONTROL || column->entry < 0 || column->entry >= p->count) continue;
    sensitivity_row(s, right, column->entry)[k] += factor * step_term(p, at, column->on, column->entry);
  }
  for (int i = 0; i < p->count && s->table < s->n; i++) {
    StepTable table = step_table(p, at, i);
    table.weight *= factor;
    step_table_add(p, s, i, table, sensitivity_row(s, right, i));
  }
}

void friction_tangent_right(const SimModel *model, const SimWorkspace *work, long n, const StepTerms *at,
                            const double *place) {
  const SimProblem *p = thresholds_now(model, work);
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  size_t width = (size_t)s->width;
  step_shares_find(&t->shares, p, s, n);
  int begun = t->shares.begun;
  for (int i = 0; i < p->count; i++) {
    double *restrict row = t->right + (size_t)i * width;
    const double *restrict v = s->v + (size_t)i * width;
    double slope = friction_drops(p) ? at->force * friction_drop_slope(p, i, at->speed[i]) : 0;
    if (slope == 0)
      memset(row, 0, (size_t)t->shares.begun * sizeof *row);
    else
      COLUMNS_EACH(k, begun) row[k] = slope * v[k];
    step_shares_add(&t->shares, p, i, at->force, row);
  }
  friction_tangent_numbers(model, work, at, 1, t->right);
  add_rise(model, work, at, place);
}
