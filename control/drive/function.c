/* Evaluator of a user-defined objective. */
#include "control/evaluator.h"

#include <string.h>

static void evaluate_function(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                              double *rows) {
  const CtlFunction *function = context;
  (void)want, (void)rows; /* values have neither other motions nor derivatives */
  for (int i = 0; i < count; i++, controls += function->n) {
    SimStatus status = function->values(function->context, controls, final[i].x);
    memset(final[i].v, 0, (size_t)function->m * sizeof *final[i].v);
    final[i] = (SimFinal){.x = final[i].x, .v = final[i].v, .status = status};
  }
}

CtlEvaluator ctl_function_evaluator(CtlFunction *function) {
  if (!function || !function->values) return (CtlEvaluator){0};
  return (CtlEvaluator){
      .n = function->n, .d = function->m, .block = 1, .context = function, .evaluate = evaluate_function};
}
