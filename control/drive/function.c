/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluator of a user-defined function. */
#include "control/evaluator.h"

#include <string.h>

/* Moves rows [m][n], stored without gaps, to the layout of CtlOutcome, in which each row is followed by two zeros. */
static void spread_rows(const CtlFunction *function, double *rows) {
  size_t n = (size_t)function->n, size = ctl_row_size(function->n);
  for (size_t i = (size_t)function->m; i-- > 0;) {
    memmove(rows + i * size, rows + i * n, n * sizeof *rows);
    memset(rows + i * size + n, 0, (size - n) * sizeof *rows);
  }
}

static void evaluate_function(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                              double *rows) {
  const CtlFunction *function = context; /* the kind of motion in `want` has no meaning for a function */
  bool derives = want.derivatives && function->rows && rows;
  for (int i = 0; i < count; i++, controls += function->n) {
    SimStatus status = derives ? function->rows(function->context, controls, final[i].x, rows)
                               : function->values(function->context, controls, final[i].x);
    memset(final[i].v, 0, (size_t)function->m * sizeof *final[i].v);
    final[i] = (SimFinal){.x = final[i].x, .v = final[i].v, .status = status};
    if (!derives) continue;
    spread_rows(function, rows);
    rows += (size_t)function->m * ctl_row_size(function->n);
  }
}

CtlEvaluator ctl_function_evaluator(CtlFunction *function) {
  if (!function || !function->values) return (CtlEvaluator){0};
  return (CtlEvaluator){.n = function->n,
                        .d = function->m,
                        .m = function->rows ? function->m : 0,
                        .block = 1,
                        .context = function,
                        .evaluate = evaluate_function};
}
