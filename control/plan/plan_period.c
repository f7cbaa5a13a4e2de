/* SPDX-License-Identifier: BSD-2-Clause */
/* Floquet multipliers of a periodic motion. */
#include "control/base/argument.h"
#include "control/plan/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dgeev_(const char *left, const char *right, const int *n, double *a, const int *a_rows, double *re, double *im,
            double *left_vectors, const int *left_rows, double *right_vectors, const int *right_rows, double *work,
            const int *size, int *info, size_t, size_t);

/* Sets matrix [2 d][2 d] to the derivatives of the final state (x, v) with respect to the initial state. */
static SimStatus differentiate(const CtlPlan *plan, const double *point, double *matrix) {
  static const SimDependence on[] = {SIM_ON_POSITION, SIM_ON_VELOCITY};
  size_t d = (size_t)plan->problem.d;
  SimProblem motion;
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  SimSensitivity *sensitivity = NULL;
  SimStatus status = ctl_plan_motion(plan, point, &motion);
  if (status != SIM_OK) return status;
  double *room = malloc((4 * d + 2 * d * d) * sizeof *room);
  status = room ? stiction_model_create(&motion, NULL, &model) : SIM_NO_MEMORY;
  sim_problem_clear(&motion);
  if (status == SIM_OK) status = stiction_workspace_create(model, &work);
  if (status == SIM_OK) status = stiction_sensitivity_create(model, 2, on, &sensitivity);
  if (status == SIM_OK) {
    SimFinal final = {.x = room, .v = room + d};
    SimDerivative derivative = {
        .state = matrix, .stop = room + 4 * d, .stop_time = room + 2 * d, .stop_acceleration = room + 3 * d};
    status = stiction_rollout_sensitivity(model, work, sensitivity, point, &final, &derivative);
  }
  stiction_sensitivity_destroy(sensitivity);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  free(room);
  return status;
}

static int by_falling_size(const void *a, const void *b) {
  const double *x = a, *y = b, one = hypot(x[0], x[1]), other = hypot(y[0], y[1]);
  return (one < other) - (one > other);
}

SimStatus ctl_plan_floquet(const CtlPlan *plan, const double *point, double *multipliers) {
  ARGUMENT_THERE(plan);
  ARGUMENT_THERE(point);
  ARGUMENT_THERE(multipliers);
  int n = 2 * plan->problem.d, one = 1, size = 8 * n, info = 0;
  size_t entries = (size_t)n * (size_t)n;
  double *matrix = malloc((entries + 10 * (size_t)n) * sizeof *matrix);
  if (!matrix) return SIM_NO_MEMORY;
  double *values = matrix + entries;
  SimStatus status = differentiate(plan, point, matrix);
  for (size_t i = 0; i < entries && status == SIM_OK; i++)
    if (!isfinite(matrix[i])) status = SIM_NON_FINITE;
  if (status == SIM_OK) {
    dgeev_("N", "N", &n, matrix, &n, values, values + n, NULL, &one, NULL, &one, values + 2 * n, &size, &info, 1, 1);
    if (info != 0) status = SIM_NON_FINITE;
  }
  for (int i = 0; i < n && status == SIM_OK; i++) {
    multipliers[2 * i] = values[i];
    multipliers[2 * i + 1] = values[n + i];
  }
  if (status == SIM_OK) qsort(multipliers, (size_t)n, 2 * sizeof *multipliers, by_falling_size);
  free(matrix);
  return status;
}
