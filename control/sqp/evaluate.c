/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/evaluate.h"
#include "control/base/argument.h"
#include "control/outcome/penalty.h"

#include <math.h>
#include <stdlib.h>

const char ctl_point_gives_not[] = "is NULL, has other sizes than the problem, or lacks the derivatives of its targets";

bool ctl_point_gives(const CtlEvaluator *evaluator, const CtlProblem *problem) {
  return argument_evaluates(evaluator) && evaluator->n == problem->n && evaluator->d == problem->d &&
         evaluator->m == ctl_row_count(problem);
}

bool ctl_point_init(CtlPoint *point, const CtlEvaluator *evaluator) {
  size_t d = (size_t)evaluator->d, m = (size_t)evaluator->m;
  double *x = calloc(2 * d + m * ctl_row_size(evaluator->n), sizeof *x);
  *point = (CtlPoint){.evaluator = evaluator, .final = {.x = x, .v = x ? x + d : NULL}, .rows = x ? x + 2 * d : NULL};
  return x;
}

void ctl_point_clear(CtlPoint *point) { free(point->final.x); }

SimStatus ctl_point_evaluate(CtlPoint *point, const double *control) {
  const CtlWant want = {.derivatives = true};
  const CtlEvaluator *evaluator = point->evaluator;
  point->evaluations++;
  evaluator->evaluate(evaluator->context, want, 1, control, &point->final, point->rows);
  double sum = 0;
  for (int i = 0; i < evaluator->d; i++) sum += fabs(point->final.x[i]) + fabs(point->final.v[i]);
  for (size_t i = 0; i < (size_t)evaluator->m * ctl_row_size(evaluator->n); i++) sum += fabs(point->rows[i]);
  if (point->final.status == SIM_OK && !isfinite(sum)) point->final.status = SIM_NON_FINITE;
  return point->final.status;
}
