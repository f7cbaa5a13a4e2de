/* A part of a plan as a search problem: it has some of the plan's variables and values. */
#include "control/solve/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void plan_part_close(PlanPart *part) {
  ctl_problem_clear(&part->problem);
  free(part->variable);
  free(part->point);
  *part = (PlanPart){0};
}

static int list(int n, const bool *taken, int *into) {
  int count = 0;
  for (int i = 0; i < n; i++)
    if (taken[i]) into[count++] = i;
  return count;
}

/* Copies the bounds, sizes and roles of the part's variables and values from the whole problem, and its first random
 * starts. */
static void take_problem(PlanPart *part, const CtlProblem *whole, int starts) {
  CtlProblem *p = &part->problem;
  for (int k = 0; k < part->n; k++) {
    int i = part->variable[k];
    p->lower[k] = whole->lower[i];
    p->upper[k] = whole->upper[i];
    p->size[k] = whole->size[i];
    p->rules[k] = whole->rules[i];
    p->start[k] = part->point[i];
    for (int s = 0; s < starts; s++)
      p->starts[(size_t)s * (size_t)part->n + (size_t)k] = whole->starts[(size_t)s * (size_t)whole->n + (size_t)i];
  }
  for (int k = 0; k < part->m; k++) {
    int i = part->value[k];
    stiction_control_set_role(p, k, whole->roles[i], whole->position[i], whole->position_scale[i]);
  }
  p->start_count = starts;
  p->derivatives = true;
  p->curvature = whole->curvature;
  p->method = ctl_method_find("auto");
  p->step = whole->step;
  p->tolerance = whole->tolerance;
  p->restarts = 0;
}

SimStatus plan_part_open(PlanPart *part, CtlPlan *plan, const CtlProblem *whole, const bool *varies, const bool *kept,
                         const double *point, int starts) {
  size_t n = (size_t)plan->n, m = (size_t)plan->m;
  if (starts > whole->start_count) starts = whole->start_count;
  *part = (PlanPart){.plan = plan};
  part->variable = calloc(n + m, sizeof *part->variable);
  part->point = calloc(2 * n + m + (m + n) * ctl_row_size(plan->n), sizeof *part->point);
  if (!part->variable || !part->point) return SIM_NO_MEMORY;
  part->value = part->variable + n;
  part->at = part->point + n;
  part->values = part->at + n;
  part->rows = part->values + m;
  memcpy(part->point, point, n * sizeof *point);
  part->n = list(plan->n, varies, part->variable);
  part->m = list(plan->m, kept, part->value);
  if (!part->n || !part->m) return SIM_OK;
  SimStatus status = ctl_problem_init_values(&part->problem, part->n, part->m);
  if (status != SIM_OK) return status;
  part->problem.rules = calloc((size_t)part->n, sizeof *part->problem.rules);
  part->problem.starts = calloc((size_t)starts * (size_t)part->n + 1, sizeof *part->problem.starts);
  if (!part->problem.rules || !part->problem.starts) return SIM_NO_MEMORY;
  take_problem(part, whole, starts);
  return SIM_OK;
}

static void embed(const PlanPart *part, const double *own, double *point) {
  for (int k = 0; k < part->n; k++) point[part->variable[k]] = own[k];
}

/* Copies a row of the whole problem to the variables of the part, with the two numbers behind the row. */
static void take_row(const PlanPart *part, const double *from, double *row) {
  for (int k = 0; k < part->n; k++) row[k] = from[part->variable[k]];
  memcpy(row + part->n, from + part->plan->n, 2 * sizeof *row);
}

static void evaluate_parts(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                           double *rows) {
  PlanPart *part = context;
  size_t from = ctl_row_size(part->plan->n), to = ctl_row_size(part->n);
  int matrix = part->plan->curvature ? part->n : 0;
  for (int i = 0; i < count; i++) {
    double *row = want.derivatives && rows ? rows + (size_t)i * (size_t)(part->m + matrix) * to : NULL;
    memcpy(part->at, part->point, (size_t)part->plan->n * sizeof *part->at);
    embed(part, controls + (size_t)i * (size_t)part->n, part->at);
    SimStatus status = plan_evaluate(part->plan, part->at, &final[i], part->values, row ? part->rows : NULL);
    final[i].status = status;
    for (int k = 0; k < part->m; k++) final[i].x[k] = part->values[part->value[k]];
    memset(final[i].v, 0, (size_t)part->m * sizeof *final[i].v);
    for (int k = 0; k < part->m && row; k++)
      take_row(part, part->rows + (size_t)part->value[k] * from, row + (size_t)k * to);
    for (int k = 0; k < matrix && row; k++)
      take_row(part, part->rows + (size_t)(part->plan->m + part->variable[k]) * from, row + (size_t)(part->m + k) * to);
  }
}

SimStatus plan_part_search(PlanPart *part, const CtlStop *stop, long *evaluations, double *point) {
  const CtlEvaluator evaluator = {.n = part->n,
                                  .d = part->m,
                                  .m = part->m + (part->plan->curvature ? part->n : 0),
                                  .smooth = &part->plan->derivative.smooth,
                                  .block = 1,
                                  .context = part,
                                  .evaluate = evaluate_parts};
  const CtlListener listener = {.context = stop ? stop->context : NULL, .stopped = stop ? stop->stopped : NULL};
  CtlSearch *search;
  CtlState state;
  memcpy(point, part->point, (size_t)part->plan->n * sizeof *point);
  if (!part->n || !part->m) return SIM_OK;
  CtlStatus created = stiction_asktell_create(&part->problem, &search);
  if (created != CTL_OK) return (SimStatus)created;
  int over = ctl_drive_serial(search, &evaluator, &listener, NULL);
  stiction_asktell_state(search, &state);
  *evaluations += state.evaluations;
  if (isfinite(state.best)) embed(part, state.control, point);
  stiction_asktell_destroy(search);
  return over == CTL_DRIVE_STOPPED ? SIM_CANCELLED : over ? SIM_NO_MEMORY : SIM_OK;
}
