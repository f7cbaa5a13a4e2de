/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/quantity_parts.h"

#include "sim/core/model.h"

#include <math.h>

static double weight_at(const double *weights, int i) { return weights ? weights[i] : 0; }

double quantity_factor(const SimWorkspace *work, const SimQuantity *of, long segment) {
  const SimProblem *p = &work->model->problem;
  if (!of->control) return 1;
  return p->signal == SIM_CONSTANT ? work->u[of->control - 1] : work->node_u[segment * p->n_control + of->control - 1];
}

double quantity_factor_change(const SimProblem *p, const SimQuantity *of, const SimColumn *column, long segment) {
  if (!of->control || column->on != SIM_ON_CONTROL || column->entry % p->n_control != of->control - 1) return 0;
  return p->signal == SIM_CONSTANT || column->entry / p->n_control == segment;
}

double quantity_sum(const SimQuantity *of, int d, const double *x, const double *v) {
  double sum = 0;
  for (int i = 0; i < d; i++) sum += weight_at(of->x, i) * x[i] + weight_at(of->v, i) * v[i];
  return sum;
}

double quantity_begin(const SimQuantity *of, int d, const double *x, const double *v) {
  const SimQuantity from = {.x = of->from_x, .v = of->from_v};
  return quantity_sum(&from, d, x, v);
}

double quantity_begin_change(const SimQuantity *of, const SimColumn *column) {
  if (column->on == SIM_ON_POSITION) return weight_at(of->from_x, column->entry);
  return column->on == SIM_ON_VELOCITY ? weight_at(of->from_v, column->entry) : 0;
}

double quantity_place(const SimQuantity *of, int d, double t, const double *x, double *slopes) {
  double y = of->place(of->context, t, x, slopes);
  for (int i = 0; of->negative && i <= d; i++) slopes[i] = -slopes[i];
  return of->negative ? -y : y;
}

double quantity_shape(SimShape shape, double y, double *slope) {
  double sign = (y > 0) - (y < 0);
  switch (shape) {
  case SIM_SHAPE_PLAIN: break;
  case SIM_SHAPE_SQUARE: *slope = 2 * y; return y * y;
  case SIM_SHAPE_SIZE: *slope = sign; return fabs(y);
  case SIM_SHAPE_POSITIVE: *slope = y > 0; return y > 0 ? y : 0;
  }
  *slope = 1;
  return y;
}

void quantity_add_square(int n, const double *change, double factor, double *matrix) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) matrix[(size_t)a * (size_t)n + (size_t)b] += factor * change[a] * change[b];
}

double quantity_at_end(const SimWorkspace *work, const SimSensitivity *s, const SimQuantity *of, double begin,
                       const SimFinal *final, double *slopes, double *drift, double *row) {
  const SimProblem *p = &work->model->problem;
  const double *weights = of->place ? slopes : of->x;
  double y = quantity_sum(of, p->d, final->x, final->v) - begin, factor = quantity_factor(work, of, p->segments - 1),
         reference = 0;
  *drift = 0;
  if (of->place) {
    y = quantity_place(of, p->d, p->end, final->x, slopes);
    *drift = -slopes[p->d];
  }
  if (of->reference) reference = of->reference(of->context, p->end, drift);
  for (int c = 0; row && c < s->n; c++) {
    const SimColumn *column = &s->columns[c];
    double sum = -quantity_begin_change(of, column);
    for (int i = 0; i < p->d; i++)
      sum += weight_at(weights, i) * s->x[i * s->width + c] + weight_at(of->v, i) * s->v[i * s->width + c];
    row[c] = factor * sum + quantity_factor_change(p, of, column, p->segments - 1) * y;
  }
  return factor * y - reference;
}
