/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/refine.h"
#include "control/base/argument.h"

#include "control/problem/bounds.h"
#include "control/sqp/evaluate.h"
#include "control/sqp/sqp.h"
#include "control/sqp/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-12; /* tolerance of E1 and E2, as small as round-off allows */

/* An SQP run that refines a control, with the results at its important points. */
typedef struct Refining {
  const CtlProblem *problem;
  CtlSqpShared shared;
  CtlSqp sqp;
  CtlPoint point;
  /* results at the start, at the last trial and at the current point; if `control` is NULL, the result is unknown */
  CtlRefined start, last, here;
  CtlRefined met; /* cheapest trial that meets the targets; `control` is NULL if there is none */
} Refining;

/* Stores the result of the trial in *end. Returns false when out of memory. */
static bool note_point(const Refining *r, CtlRefined *end) {
  const CtlProblem *p = r->problem;
  size_t n = (size_t)p->n, d = (size_t)p->d;
  if (!end->control) end->control = malloc((n + 2 * d) * sizeof *end->control);
  if (!end->control) return false;
  end->x = end->control + n;
  end->v = end->x + d;
  memcpy(end->control, r->sqp.trial, n * sizeof *end->control);
  memcpy(end->x, r->point.final.x, d * sizeof *end->x);
  memcpy(end->v, r->point.final.v, d * sizeof *end->v);
  end->J = ctl_cost(p, end->control);
  double errors[2];
  ctl_errors(p, end->x, end->v, errors);
  end->E1 = errors[0];
  end->E2 = errors[1];
  return true;
}

static bool meets_targets(const CtlProblem *p, const CtlRefined *end) {
  return end->control && end->E1 <= p->accept && end->E2 <= p->accept;
}

/* Evaluates one trial. Returns false when out of memory. */
static bool run_step(Refining *r) {
  size_t size = (size_t)r->problem->n * sizeof(double);
  SimStatus status = ctl_point_evaluate(&r->point, r->sqp.trial);
  bool good = status == SIM_OK;
  if (status == SIM_NO_MEMORY) return false;
  if (good && (!note_point(r, &r->last) || (r->sqp.tried == 0 && !note_point(r, &r->start)))) return false;
  bool cheapest = good && meets_targets(r->problem, &r->last) && (!r->met.control || r->last.J < r->met.J);
  if (cheapest && !note_point(r, &r->met)) return false;
  ctl_sqp_tell(&r->sqp, good ? r->point.final.x : NULL, r->point.final.v, r->point.rows);
  if (!good || !r->sqp.begun || memcmp(r->sqp.at, r->last.control, size) != 0) return true;
  CtlRefined left = r->here;
  r->here = r->last;
  r->last = left;
  return true;
}

/* Evaluates trials until the run ends. */
static SimStatus run_steps(Refining *r, bool (*stopped)(void *context), void *context) {
  while (r->sqp.end == CTL_SQP_RUNNING) {
    if (stopped && stopped(context)) return SIM_NOT_FINISHED;
    if (!run_step(r)) return SIM_NO_MEMORY;
  }
  return meets_targets(r->problem, &r->here) ? SIM_OK : SIM_NOT_CONVERGED;
}

/* Returns the result `end` if `taken`, otherwise a result without a control; in both cases with the number of
 * evaluations. */
static CtlRefined result_of(CtlRefined end, long evaluations, bool taken) {
  if (!taken) ctl_refined_clear(&end);
  end.evaluations = evaluations;
  return end;
}

/* Returns whether the start of a run is better than its end: it costs less and meets the targets as closely. A run can
 * end near another minimum than the one from which it started. */
static bool is_start_better(const Refining *r, const CtlRefined *end) {
  /* a smaller relative difference of J is round-off */
  static const double LESS = 1e-9;
  const CtlRefined *start = &r->start;
  return meets_targets(r->problem, start) && start->J < (1 - LESS) * end->J && start->E1 <= fmax(TOLERANCE, end->E1) &&
         start->E2 <= fmax(TOLERANCE, end->E2);
}

/* Implements ctl_refine and ctl_refine_beside. *begin: set to the result of the start if the start meets the targets
 * and is not itself the result of the run. This also holds if the status is not SIM_OK. */
static SimStatus refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start, bool beside,
                        bool (*stopped)(void *context), void *context, CtlRefined *begin, CtlRefined *refined) {
  Refining r = {.problem = problem};
  SimStatus status = SIM_NO_MEMORY;
  if (ctl_sqp_shared_init(&r.shared, problem) && ctl_sqp_init(&r.sqp, &r.shared) &&
      ctl_point_init(&r.point, evaluator)) {
    ctl_sqp_start(&r.sqp, start, TOLERANCE);
    if (beside) r.sqp.stage = CTL_SQP_CENTRE;
    status = run_steps(&r, stopped, context);
  }
  bool left =
      /* the run met the targets, then left them to decrease J, and has not met them again */
      status == SIM_NOT_CONVERGED && r.met.control;
  if (left) status = SIM_OK;
  CtlRefined *end = left ? &r.met : &r.here;
  if (status == SIM_OK && is_start_better(&r, end)) {
    ctl_refined_clear(end);
    *end = r.start;
    r.start = (CtlRefined){0};
  }
  *begin = result_of(r.start, 0, meets_targets(problem, &r.start));
  *refined = result_of(*end, r.point.evaluations, status == SIM_OK);
  ctl_refined_clear(left ? &r.here : &r.met);
  ctl_refined_clear(&r.last);
  ctl_point_clear(&r.point);
  ctl_sqp_clear(&r.sqp);
  ctl_sqp_shared_clear(&r.shared);
  return status;
}

static SimStatus refine_from(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start, bool beside,
                             bool (*stopped)(void *context), void *context, CtlRefined *refined) {
  CtlRefined begin;
  SimStatus status = refine(problem, evaluator, start, beside, stopped, context, &begin, refined);
  ctl_refined_clear(&begin);
  return status;
}

/* Checks the arguments of all public functions of this file. It is a macro because the error message names the calling
 * function. */
#define REFINING_ARGUMENTS()                                                                                           \
  do {                                                                                                                 \
    ARGUMENT(refined != NULL, "refined", "is NULL");                                                                   \
    *refined = (CtlRefined){0};                                                                                        \
    ARGUMENT_PROBLEM(problem);                                                                                         \
    ARGUMENT(!(problem)->roles, "problem", "has user-defined values");                                                 \
    ARGUMENT(ctl_point_gives(evaluator, problem), "evaluator", ctl_point_gives_not);                                   \
  } while (0)

SimStatus ctl_refine(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                     bool (*stopped)(void *context), void *context, CtlRefined *refined) {
  REFINING_ARGUMENTS();
  ARGUMENT_THERE(start);
  return refine_from(problem, evaluator, start, false, stopped, context, refined);
}

SimStatus ctl_refine_near(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start, long k,
                          bool (*stopped)(void *context), void *context, CtlRefined *refined) {
  REFINING_ARGUMENTS();
  ARGUMENT_THERE(start);
  ARGUMENT(k >= 0, "k", "is negative");
  double *near = malloc((size_t)problem->n * sizeof *near);
  if (!near) return SIM_NO_MEMORY;
  ctl_start_near(problem, start, k, near);
  SimStatus status = refine_from(problem, evaluator, near, false, stopped, context, refined);
  free(near);
  return status;
}

SimStatus ctl_refine_beside(const CtlProblem *problem, const CtlEvaluator *evaluator, const double *start,
                            bool (*stopped)(void *context), void *context, CtlRefined *refined) {
  REFINING_ARGUMENTS();
  ARGUMENT_THERE(start);
  return refine_from(problem, evaluator, start, true, stopped, context, refined);
}

void ctl_refined_clear(CtlRefined *refined) {
  if (!refined) return;
  free(refined->control);
  *refined = (CtlRefined){0};
}

/* Refinement to more segments -------------------------------------------------------------------------------------- */

enum { JUMPS = 4 /* maximum number of jumps of u that are moved to other segments */ };

/* State of ctl_refine_finer. */
typedef struct Finer {
  const CtlProblem *problem;
  const CtlEvaluator *evaluator;
  bool (*stopped)(void *context);
  void *context;
  CtlRefined best;  /* best result so far; `control` is NULL if there is none */
  double *start;    /* [n] initial control of the next run */
  int jumps[JUMPS]; /* segments that begin with the largest jumps of u, in descending order of the jumps */
} Finer;

/* Keeps the better one of f->best and `other`, and clears the worse one. Returns whether `other` was better. */
static bool keep_better(Finer *f, CtlRefined *other) {
  /* fraction by which J must be lower for a result to count as better */
  static const double COST_REDUCTION = 1e-7;
  long evaluations = f->best.evaluations + other->evaluations;
  bool better = other->control && (!f->best.control || other->J < (1 - COST_REDUCTION) * f->best.J);
  CtlRefined worse = better ? f->best : *other;
  if (better) f->best = *other;
  ctl_refined_clear(&worse);
  f->best.evaluations = evaluations;
  return better;
}

/* Runs SQP from f->start. embedded: the start is the control with fewer segments, unchanged, so that its own result may
 * be the best, too. *better: set to whether J has decreased. */
static SimStatus try_start(Finer *f, bool embedded, bool *better) {
  CtlRefined begin, refined;
  SimStatus status = refine(f->problem, f->evaluator, f->start, false, f->stopped, f->context, &begin, &refined);
  *better = embedded && keep_better(f, &begin);
  if (!embedded) ctl_refined_clear(&begin);
  *better = keep_better(f, &refined) || *better;
  return status == SIM_NO_MEMORY || status == SIM_NOT_FINISHED ? status : SIM_OK;
}

/* Returns the size of the jump of u at the beginning of a segment: |u_k - u_{k-1}|^2 in the norm of N. */
static double jump_size(const CtlProblem *p, const double *control, int segment) {
  const double *after = control + (size_t)segment * (size_t)p->p, *before = after - p->p;
  double sum = 0;
  for (int i = 0; i < p->p; i++)
    for (int j = 0; j < p->p; j++) sum += (after[i] - before[i]) * p->weight[i * p->p + j] * (after[j] - before[j]);
  return sum;
}

/* Finds the largest jumps of the best control. Returns their number. */
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

/* Runs SQP from the best control with each of its largest jumps moved one segment earlier, then one segment later.
 * Repeats this from each better result. */
static SimStatus move_jumps(Finer *f) {
  size_t p = (size_t)f->problem->p, n = (size_t)f->problem->n;
  SimStatus status = SIM_OK;
  int found = find_jumps(f);
  for (int k = 0; k < 2 * found && status == SIM_OK; k++) {
    bool better = false;
    double *after = f->start + (size_t)f->jumps[k / 2] * p, *before = after - p;
    memcpy(f->start, f->best.control, n * sizeof *f->start);
    memcpy(k % 2 ? after : before, k % 2 ? before : after, p * sizeof *after);
    status = try_start(f, false, &better);
    if (!better) continue;
    found = find_jumps(f);
    k = -1;
  }
  return status;
}

SimStatus ctl_refine_finer(const CtlProblem *problem, const CtlEvaluator *evaluator, const CtlRefined *coarse,
                           bool (*stopped)(void *context), void *context, CtlRefined *refined) {
  REFINING_ARGUMENTS();
  ARGUMENT(coarse && coarse->control, "coarse", "is NULL, or has no control");
  ARGUMENT(problem->segments % 2 == 0, "problem->segments", "is odd");
  size_t n = (size_t)problem->n;
  Finer f = {.problem = problem, .evaluator = evaluator, .stopped = stopped, .context = context};
  double *embedded = malloc(2 * n * sizeof *embedded);
  if (!embedded) return SIM_NO_MEMORY;
  f.start = embedded + n;
  sim_signal_refine(problem->signal, problem->p, problem->segments / 2, 2, coarse->control, embedded);
  memcpy(f.start, embedded, n * sizeof *embedded);
  ctl_bounds_move_inside(problem, f.start);
  /* whether the control with fewer segments meets the bounds and rate limits, so that moving it inside left it
   * unchanged */
  bool better, same = memcmp(embedded, f.start, n * sizeof *embedded) == 0;
  SimStatus status = try_start(&f, same, &better);
  if (status == SIM_OK && f.best.control && problem->signal == SIM_PIECEWISE_CONSTANT) status = move_jumps(&f);
  free(embedded);
  bool found = f.best.control;
  *refined = result_of(f.best, f.best.evaluations, status == SIM_OK && found);
  return status == SIM_OK && !found ? SIM_NOT_CONVERGED : status;
}
