/* Columns of the Moreau-Jean scheme (moreau.c):
 *
 *     E V+ = (M - theta (1-theta) dt^2 A) V - dt A X + dt C gamma'(v) V + dt B du + ..,    X+ = X + dt (theta V+ + (1-theta) V)
 *
 * less dt (H X + H+ X+) on the right where springs have a law, H and H+ being the slopes of its mean by x and x+. */
#include "sim/friction/moreau_stops.h"
#include "sim/friction/spring_step.h"
#include "sim/friction/stops_columns.h"
#include "sim/friction/tangent.h"
#include "sim/operator/columns.h"

/* X += factor V */
static void move(const SimSensitivity *s, double factor) {
  const FrictionTangent *t = s->own;
  for (int i = 0; i < s->count; i++)
    columns_add(t->shares.begun, factor, sensitivity_row(s, s->v, i), sensitivity_row(s, s->x, i));
}

StepTerms moreau_tangent_terms(const SimModel *model, const SimWorkspace *work, const double *v_before) {
  double dt = model->problem.step;
  return (StepTerms){.force = dt,
                     .speed = v_before,
                     .lambda = work->lambda,
                     .gain = {v_before, work->v},
                     .weight = {1, -1},
                     .damped = work->v,
                     .damping = -dt};
}

/* The slopes of the step that has been solved. */
static void find_springs(const SimModel *model, const SimWorkspace *work) {
  const FormPlan *plan = model->plan;
  double *slopes = ((FrictionTangent *)work->sensitivity->own)->springs;
  int count = model->problem.count;
  springs_slopes(model->springs, plan->form.theta, work->springs + SPRING_FROM * count,
                 work->springs + SPRING_TO * count, slopes, slopes + 2 * count);
}

/* right -= dt H x as it is now; H: of the slopes from there on. */
static void add_springs(const SimModel *model, const SimWorkspace *work, int from) {
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  springs_add_columns(model->springs, t->springs + from, -model->problem.step, t->shares.begun, s->width, s->x,
                      t->right);
}

static SimStatus solve_with_springs(const SimModel *model, SimWorkspace *work) {
  const FormPlan *plan = model->plan;
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  double *after = t->springs + 2 * s->count;
  return spring_step_columns(model->springs, after, model->problem.step * plan->form.ahead, &plan->solver, &work->step,
                             &t->branches, work->slip, t->shares.begun, s->width, t->right, s->v, after + 2 * s->count);
}

/* Who is held at an end has not stopped by friction. Returns whether ends have a part in the step. */
static bool end_stops(SimWorkspace *work) {
  const StopsTrace *trace = moreau_stops_trace(work);
  SimSensitivity *s = work->sensitivity;
  for (int i = 0; i < s->count && trace->solves; i++)
    if (stops_trace_holds(trace, s->count, i)) sensitivity_go(s, i);
  s->smooth = s->smooth && trace->smooth;
  return trace->solves > 0;
}

SimStatus moreau_tangent_step(const SimModel *model, SimWorkspace *work, long n, const double *v_before) {
  const FormPlan *plan = model->plan;
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  const StepTerms terms = moreau_tangent_terms(model, work, v_before);
  step_stops_forward(&t->past, model, work, n, v_before);
  friction_tangent_right(model, work, n, &terms, s->x);
  operator_add_columns(plan->carry, 1, t->shares.begun, s->width, s->v, t->right);
  operator_add_columns(plan->pull, -1, t->shares.begun, s->width, s->x, t->right);
  if (work->reaction && end_stops(work)) return stops_columns_step(model, work, &terms);
  if (model->springs) find_springs(model, work);
  if (model->springs) add_springs(model, work, 0);
  if (plan->form.behind != 0) move(s, plan->form.behind);
  if (model->springs) add_springs(model, work, 2 * s->count);
  SimStatus status = model->springs ? solve_with_springs(model, work)
                                    : friction_branches_solve(&plan->solver, &work->step, &t->branches, work->slip,
                                                              t->shares.begun, s->width, t->right, s->v);
  move(s, plan->form.ahead);
  return status;
}
