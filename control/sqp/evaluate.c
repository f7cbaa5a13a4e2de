#include "control/sqp/evaluate.h"

#include <stdlib.h>

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
  return point->final.status;
}
