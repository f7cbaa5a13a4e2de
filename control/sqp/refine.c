#include "control/refine.h"

#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

#include <stdlib.h>
#include <string.h>

static const double AS_FAR_AS_IT_GOES = 1e-12; /* of E1, E2 */

/* Steps to the end of the run. */
static SimStatus go(CtlSqp *sqp, CtlPoint *point, bool (*stopped)(void *context), void *context) {
  while (sqp->end == CTL_SQP_RUNNING) {
    if (stopped && stopped(context)) return SIM_NOT_FINISHED;
    bool good = ctl_point_evaluate(point, sqp->trial) == SIM_OK;
    ctl_sqp_tell(sqp, good ? point->final.x : NULL, point->final.v, point->rows);
  }
  return sqp->begun ? SIM_OK : SIM_NOT_CONVERGED;
}

/* The point where the run has ended. */
static SimStatus take(const CtlProblem *p, const CtlSqp *sqp, CtlPoint *point, CtlRefined *refined) {
  size_t n = (size_t)p->n, d = (size_t)p->d;
  if (ctl_point_evaluate(point, sqp->at) != SIM_OK) return SIM_NOT_CONVERGED;
  double *control = malloc((n + 2 * d) * sizeof *control);
  if (!control) return SIM_NO_MEMORY;
  *refined = (CtlRefined){.control = control, .x = control + n, .v = control + n + d, .J = sqp->J};
  memcpy(refined->control, sqp->at, n * sizeof *control);
  memcpy(refined->x, point->final.x, d * sizeof *control);
  memcpy(refined->v, point->final.v, d * sizeof *control);
  double errors[2];
  ctl_errors(p, refined->x, refined->v, errors);
  refined->E1 = errors[0];
  refined->E2 = errors[1];
  refined->evaluations = point->evaluations;
  if (refined->E1 <= p->accept && refined->E2 <= p->accept) return SIM_OK;
  ctl_refined_clear(refined);
  return SIM_NOT_CONVERGED;
}

SimStatus ctl_refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                     bool (*stopped)(void *context), void *context, CtlRefined *refined) {
  CtlSqpShared shared = {0};
  CtlSqp sqp = {0};
  CtlPoint point = {0};
  SimStatus status = SIM_NO_MEMORY;
  *refined = (CtlRefined){0};
  if (ctl_sqp_shared_init(&shared, problem) && ctl_sqp_init(&sqp, &shared) && ctl_point_init(&point, evaluator)) {
    ctl_sqp_start(&sqp, start, AS_FAR_AS_IT_GOES);
    status = go(&sqp, &point, stopped, context);
    if (status == SIM_OK) status = take(problem, &sqp, &point, refined);
  }
  ctl_point_clear(&point);
  ctl_sqp_clear(&sqp);
  ctl_sqp_shared_clear(&shared);
  return status;
}

void ctl_refined_clear(CtlRefined *refined) {
  free(refined->control);
  *refined = (CtlRefined){0};
}
