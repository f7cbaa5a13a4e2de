/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/quantity_steps.h"

#include "sim/core/quantity_parts.h"
#include "sim/core/signal_mix.h"
#include "sim/core/surface_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct StepReadings {
  const SimWorkspace *work;
  const SimSensitivity *sensitivity; /* NULL: values only */
  int n, columns;
  const SimQuantity *of; /* [n] the quantities */
  const SimReading *out;
  double *begin;          /* [n] weighted sums of the initial state (quantity_begin); owned, in one memory block with
                           * the next arrays */
  double *x, *v;          /* [d] state at t_n, as passed to observers */
  double *slopes;         /* [d + 1] derivatives of a function `place` */
  double *sums, *changes; /* [columns] derivatives of a.X - begin (quantity_steps.h), and of y */
} StepReadings;

static double *row_of(const StepReadings *r, int k) {
  return r->out->rows ? r->out->rows + (size_t)k * (size_t)r->columns : NULL;
}

/* Computes the derivatives of a.X - begin (quantity_steps.h) at t_n by the quantities of all columns. */
static void find_sums(StepReadings *r, const SimQuantity *of) {
  const SimSensitivity *s = r->sensitivity;
  for (int c = 0; c < r->columns; c++) r->sums[c] = -quantity_begin_change(of, &s->columns[c]);
  for (int i = 0; i < s->count; i++) {
    double x = of->x ? of->x[i] : 0, v = of->v ? of->v[i] : 0;
    const double *dx = s->x + (size_t)i * (size_t)s->width, *dv = s->v + (size_t)i * (size_t)s->width;
    for (int c = 0; c < r->columns && x != 0; c++) r->sums[c] += x * dx[c];
    for (int c = 0; c < r->columns && v != 0; c++) r->sums[c] += v * dv[c];
  }
}

/* Adds `weight` F(y) at t_n, with the factor u of a segment of the control, to integral k, and its derivatives. sum:
 * a.X - begin (quantity_steps.h); reference: r(t_n). */
static void add(StepReadings *r, int k, long segment, double weight, double sum, double reference) {
  const SimProblem *p = &r->work->model->problem;
  const SimQuantity *of = &r->of[k];
  double factor = quantity_factor(r->work, of, segment), slope, *row = row_of(r, k);
  r->out->values[k] += weight * quantity_shape(of->shape, factor * sum - reference, &slope);
  if (!row && !r->out->matrix) return;
  for (int c = 0; c < r->columns; c++)
    r->changes[c] = factor * r->sums[c] + quantity_factor_change(p, of, &r->sensitivity->columns[c], segment) * sum;
  for (int c = 0; c < r->columns && row; c++) row[c] += weight * slope * r->changes[c];
  if (r->out->matrix && of->shape == SIM_SHAPE_SQUARE && of->weight != 0)
    quantity_add_square(r->columns, r->changes, 2 * weight * of->weight, r->out->matrix);
}

/* Adds the state at t_n to integral k, as the end of step n and as the start of step n + 1. */
static void add_instant(StepReadings *r, int k, long n) {
  const SimProblem *p = &r->work->model->problem;
  const SimQuantity *of = &r->of[k];
  double t = surface_time(p, n), drift, sum = quantity_sum(of, p->d, r->x, r->v) - r->begin[k],
         reference = of->reference ? of->reference(of->context, t, &drift) : 0, half = p->step / 2;
  if (r->columns) find_sums(r, of);
  if (!of->control || p->signal == SIM_CONSTANT) {
    add(r, k, 0, n > 0 && n < p->steps ? p->step : half, sum, reference);
    return;
  }
  for (long step = n > 0 ? n : 1; step <= n + 1 && step <= p->steps; step++) {
    const SignalMix part = signal_within(p, step);
    for (int j = 0; j < 2; j++)
      if (part.weight[j] > 0) add(r, k, part.node + j, half * part.weight[j], sum, reference);
  }
}

/* Adds the state at t_n to all integrals. */
static void take(StepReadings *r, long n) {
  const SimModel *model = r->work->model;
  const SimProblem *p = &model->problem;
  memcpy(r->x, r->work->x, (size_t)p->d * sizeof *r->x);
  memcpy(r->v, r->work->v, (size_t)p->d * sizeof *r->v);
  if (model->surface) surface_show(model, surface_time(p, n), r->work->x, r->work->v, r->x, r->v);
  for (int k = 0; k < r->n; k++) {
    if (n == 0) r->begin[k] = quantity_begin(&r->of[k], p->d, r->x, r->v);
    if (r->of[k].way == SIM_INTEGRAL) add_instant(r, k, n);
  }
}

/* Computes the quantities at T. Schemes with steps have no derivatives by T itself. */
static void finish(StepReadings *r, const SimFinal *final) {
  double drift;
  for (int k = 0; k < r->n; k++) {
    if (r->of[k].way == SIM_END_TIME) r->out->values[k] = r->work->model->problem.end;
    if (r->of[k].way == SIM_AT_END)
      r->out->values[k] =
          quantity_at_end(r->work, r->sensitivity, &r->of[k], r->begin[k], final, r->slopes, &drift, row_of(r, k));
  }
}

static SimStatus begin(StepReadings *r) {
  const SimProblem *p = &r->work->model->problem;
  size_t n = (size_t)r->n, d = (size_t)p->d, columns = (size_t)r->columns;
  r->begin = calloc(n + 3 * d + 1 + 2 * columns, sizeof *r->begin);
  if (!r->begin) return SIM_NO_MEMORY;
  r->x = r->begin + n;
  r->v = r->x + d;
  r->slopes = r->v + d;
  r->sums = r->slopes + d + 1;
  r->changes = r->sums + columns;
  for (size_t k = 0; k < n; k++) {
    r->out->values[k] = 0;
    if (r->out->times) r->out->times[k] = p->end;
    if (r->out->rates) r->out->rates[k] = 0;
  }
  if (r->out->rows) memset(r->out->rows, 0, n * columns * sizeof(double));
  if (r->out->matrix) memset(r->out->matrix, 0, columns * columns * sizeof(double));
  return SIM_OK;
}

SimStatus quantity_steps_read(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity,
                              const double *control, int n, const SimQuantity *quantities, SimFinal *final,
                              const SimReading *reading) {
  StepReadings r = {.work = work,
                    .sensitivity = sensitivity,
                    .n = n,
                    .columns = sensitivity ? sensitivity->n : 0,
                    .of = quantities,
                    .out = reading};
  SimStatus status = begin(&r);
  if (status != SIM_OK) return status;
  work->sensitivity = sensitivity;
  status = sim_rollout_begin(model, work, control, NULL);
  for (long step = 0; status == SIM_OK && step <= model->problem.steps; step++) {
    if (step > 0) status = sim_rollout_run_to(model, work, NULL, step);
    if (status == SIM_OK) take(&r, step);
  }
  status = sim_rollout_end(model, work, final);
  work->sensitivity = NULL;
  if (status == SIM_OK) finish(&r, final);
  free(r.begin);
  return status;
}
