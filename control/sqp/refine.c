#include "control/refine.h"

#include "control/problem/bounds.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"

#include <stdlib.h>
#include <string.h>

static const double AS_FAR_AS_IT_GOES = 1e-12; /* of E1, E2 */

/* Steps to the end of the run. */
static SimStatus go(CtlSqp *sqp, CtlPoint *point, bool (*stopped)(void *context), void *context) {
  while (sqp->end == CTL_SQP_RUNNING) {
    if (stopped && stopped(context)) return SIM_NOT_FINISHED;
    SimStatus status = ctl_point_evaluate(point, sqp->trial);
    if (status == SIM_NO_MEMORY) return status;
    ctl_sqp_tell(sqp, status == SIM_OK ? point->final.x : NULL, point->final.v, point->rows);
  }
  return sqp->begun ? SIM_OK : SIM_NOT_CONVERGED;
}

/* Where a control leads, if it meets the target. */
static SimStatus take(const CtlProblem *p, const double *at, CtlPoint *point, CtlRefined *refined) {
  size_t n = (size_t)p->n, d = (size_t)p->d;
  SimStatus status = ctl_point_evaluate(point, at);
  if (status != SIM_OK) return status == SIM_NO_MEMORY ? status : SIM_NOT_CONVERGED;
  double *control = malloc((n + 2 * d) * sizeof *control);
  if (!control) return SIM_NO_MEMORY;
  *refined = (CtlRefined){.control = control, .x = control + n, .v = control + n + d, .J = ctl_cost(p, at)};
  memcpy(refined->control, at, n * sizeof *control);
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
    if (status == SIM_OK) status = take(problem, sqp.at, &point, refined);
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

/* Half as many segments ------------------------------------------------------------------------------------------- */

enum { JUMPS = 4 /* that are moved */ };

/* What ctl_refine_finer works with. */
typedef struct Finer {
  const CtlProblem *problem;
  const CtlEvaluator *evaluator;
  bool (*stopped)(void *context);
  void *context;
  CtlRefined best;  /* so far; no control: none yet */
  double *start;    /* [n] */
  int jumps[JUMPS]; /* segments at whose beginning they are, the largest first */
} Finer;

/* The better of the best and another, which is cleared or taken. Returns whether it is that. */
static bool choose(Finer *f, CtlRefined *other) {
  static const double LESS = 1e-7; /* part of J that is worth a move */
  long evaluations = f->best.evaluations + other->evaluations;
  bool better = other->control && (!f->best.control || other->J < (1 - LESS) * f->best.J);
  CtlRefined worse = better ? f->best : *other;
  if (better) f->best = *other;
  ctl_refined_clear(&worse);
  f->best.evaluations = evaluations;
  return better;
}

/* As it is, if bounds and rates let it. */
static SimStatus take_embedded(Finer *f, const double *embedded) {
  CtlPoint point;
  CtlRefined refined = {0};
  if (memcmp(embedded, f->start, (size_t)f->problem->n * sizeof *embedded) != 0) return SIM_OK;
  if (!ctl_point_init(&point, f->evaluator)) return SIM_NO_MEMORY;
  SimStatus status = take(f->problem, embedded, &point, &refined);
  refined.evaluations = 1;
  choose(f, &refined);
  ctl_point_clear(&point);
  return status == SIM_NO_MEMORY ? status : SIM_OK;
}

/* SQP from the start. better: whether it has led to less. */
static SimStatus try(Finer *f, bool *better) {
  CtlRefined refined;
  SimStatus status = ctl_refine(f->problem, f->evaluator, f->start, f->stopped, f->context, &refined);
  if (status == SIM_NO_MEMORY || status == SIM_NOT_FINISHED) return status;
  *better = choose(f, &refined);
  return SIM_OK;
}

/* N of the cost: what a jump at the beginning of a segment is worth, |u_k - u_{k-1}|^2. */
static double jump_size(const CtlProblem *p, const double *control, int segment) {
  const double *after = control + (size_t)segment * (size_t)p->p, *before = after - p->p;
  double sum = 0;
  for (int i = 0; i < p->p; i++)
    for (int j = 0; j < p->p; j++) sum += (after[i] - before[i]) * p->weight[i * p->p + j] * (after[j] - before[j]);
  return sum;
}

/* Returns how many there are. */
static int find_jumps(Finer *f) {
  const CtlProblem *p = f->problem;
  int found = 0;
  for (int segment = 1; segment < p->segments; segment++) {
    double size = jump_size(p, f->best.control, segment);
    int at = found;
    if (!(size > 0)) continue;
    while (at > 0 && jump_size(p, f->best.control, f->jumps[at - 1]) < size) at--;
    if (at == JUMPS) continue;
    found = found < JUMPS ? found + 1 : JUMPS;
    memmove(f->jumps + at + 1, f->jumps + at, (size_t)(found - at - 1) * sizeof *f->jumps);
    f->jumps[at] = segment;
  }
  return found;
}

/* From the best with each of its largest jumps a segment sooner, and later; again from what is better, while there is such. */
static SimStatus move_jumps(Finer *f) {
  size_t p = (size_t)f->problem->p, n = (size_t)f->problem->n;
  SimStatus status = SIM_OK;
  int found = find_jumps(f);
  for (int k = 0; k < 2 * found && status == SIM_OK; k++) {
    bool better = false;
    double *after = f->start + (size_t)f->jumps[k / 2] * p, *before = after - p;
    memcpy(f->start, f->best.control, n * sizeof *f->start);
    memcpy(k % 2 ? after : before, k % 2 ? before : after, p * sizeof *after);
    status = try(f, &better);
    if (!better) continue;
    found = find_jumps(f);
    k = -1;
  }
  return status;
}

SimStatus ctl_refine_finer(const CtlProblem *problem, const CtlEvaluator *evaluator, const CtlRefined *coarse,
                           bool (*stopped)(void *context), void *context, CtlRefined *refined) {
  size_t n = (size_t)problem->n;
  Finer f = {.problem = problem, .evaluator = evaluator, .stopped = stopped, .context = context};
  double *embedded = malloc(2 * n * sizeof *embedded);
  *refined = (CtlRefined){0};
  if (!embedded) return SIM_NO_MEMORY;
  f.start = embedded + n;
  sim_signal_refine(problem->signal, problem->p, problem->segments / 2, 2, coarse->control, embedded);
  memcpy(f.start, embedded, n * sizeof *embedded);
  ctl_bounds_move_inside(problem, f.start);
  bool better;
  SimStatus status = take_embedded(&f, embedded);
  if (status == SIM_OK) status = try(&f, &better);
  if (status == SIM_OK && f.best.control && problem->signal == SIM_PIECEWISE_CONSTANT) status = move_jumps(&f);
  free(embedded);
  if (status == SIM_OK && f.best.control)
    *refined = f.best;
  else
    ctl_refined_clear(&f.best);
  return status == SIM_OK && !refined->control ? SIM_NOT_CONVERGED : status;
}
