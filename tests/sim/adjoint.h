/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares forward and adjoint derivatives of one rollout. */
#ifndef TESTS_ADJOINT_H
#define TESTS_ADJOINT_H

#include "tests/sim/tangent.h"

/* Derivatives of a problem with d dofs, computed in both ways. The caller provides the arrays. */
typedef struct Both {
  int d, columns;
  SimModel *model;
  SimWorkspace *work;
  SimAdjoint *adjoint;
  SimFinal final;
  double *rows; /* [3 d][columns] forward derivatives of x(T), v(T) and of v before stops */
  double *stop_time, *stop_acceleration;
  bool smooth;  /* whether the derivatives exist */
  double least; /* errors are relative to the largest entry of a gradient, or to this number if it is larger */
} Both;

static inline void adjoint_begin_any(SimProblem *p, FixtureForce *force, const double *control, int n,
                                     const SimDependence *on, Both *b) {
  SimSensitivity *sensitivity;
  b->d = p->d;
  b->least = 0;
  b->model = fixture_model(p, force, &b->work);
  assert_int_equal(stiction_sensitivity_create(b->model, n, on, &sensitivity), SIM_OK);
  assert_int_equal(sim_adjoint_create(b->model, n, on, &b->adjoint), SIM_OK);
  b->columns = stiction_sensitivity_columns(sensitivity);
  assert_int_equal(sim_adjoint_columns(b->adjoint), b->columns);
  size_t d = (size_t)p->d, size = d * (size_t)b->columns;
  b->rows = calloc(3 * size + 4 * d, sizeof *b->rows);
  b->stop_time = b->rows + 3 * size;
  b->stop_acceleration = b->stop_time + d;
  b->final = (SimFinal){.x = b->stop_acceleration + d, .v = b->stop_acceleration + 2 * d};
  SimDerivative derivative = {.state = b->rows,
                              .stop = b->rows + 2 * size,
                              .stop_time = b->stop_time,
                              .stop_acceleration = b->stop_acceleration};
  assert_int_equal(stiction_rollout_sensitivity(b->model, b->work, sensitivity, control, &b->final, &derivative),
                   SIM_OK);
  b->smooth = derivative.smooth;
  stiction_sensitivity_destroy(sensitivity);
}

/* The same for a motion with derivatives that exist. */
static inline void adjoint_begin(SimProblem *p, FixtureForce *force, const double *control, int n,
                                 const SimDependence *on, Both *b) {
  adjoint_begin_any(p, force, control, n, on, b);
  assert_true(b->smooth);
}

static inline void adjoint_end(Both *b) {
  free(b->rows);
  sim_adjoint_destroy(b->adjoint);
  stiction_workspace_destroy(b->work);
  stiction_model_destroy(b->model);
}

/* Records the motion for the adjoint, and checks that it has the same bits and the same stops. */
static inline void adjoint_record(const Both *b, const double *control) {
  size_t d = (size_t)b->d, size = d * sizeof(double);
  double *x = calloc(4 * d, sizeof *x), *stop_time = x + 2 * d;
  SimFinal final = {.x = x, .v = x + d};
  bool smooth;
  assert_int_equal(sim_rollout_record(b->model, b->work, b->adjoint, control, &final), SIM_OK);
  assert_memory_equal(final.x, b->final.x, size);
  assert_memory_equal(final.v, b->final.v, size);
  sim_adjoint_stops(b->adjoint, stop_time, stop_time + d, &smooth);
  assert_true(smooth == b->smooth);
  for (size_t i = 0; i < d; i++) {
    assert_true(isnan(b->stop_time[i]) ? isnan(stop_time[i]) : stop_time[i] == b->stop_time[i]);
    assert_true(stop_time[d + i] == b->stop_acceleration[i]);
  }
  free(x);
}

/* Returns the difference between a gradient and the weighted sum of the forward rows, relative to the gradient. */
static inline double adjoint_sweep_error(const Both *b, const double *weights) {
  double *gradient = calloc((size_t)b->columns, sizeof *gradient), error = 0, size = b->least;
  assert_int_equal(sim_adjoint_sweep(b->adjoint, 1, weights, gradient), SIM_OK);
  for (int k = 0; k < b->columns; k++) {
    double sum = 0;
    for (int i = 0; i < 3 * b->d; i++) sum += weights[i] * b->rows[i * b->columns + k];
    error = fixture_max(error, fabs(gradient[k] - sum));
    size = fmax(size, fabs(sum));
  }
  free(gradient);
  return error > 0 ? error / size : 0;
}

/* Returns the largest of these differences for weights that select a single row. */
static inline double adjoint_worst_error(const Both *b) {
  double *weights = calloc((size_t)(3 * b->d), sizeof *weights), worst = 0;
  for (int i = 0; i < 3 * b->d; i++) {
    weights[i] = 1;
    worst = fixture_max(worst, adjoint_sweep_error(b, weights));
    weights[i] = 0;
  }
  free(weights);
  return worst;
}

#endif
