/* SPDX-License-Identifier: BSD-2-Clause */
/* A part of a plan as a search problem: it has some of the plan's variables and some of its values. */
#include "control/solve/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void plan_part_close(PlanPart *part) {
  ctl_problem_clear(&part->problem);
  free(part->value);
  free(part->point);
  *part = (PlanPart){0};
}

static int list(int m, const bool *taken, int *into) {
  int count = 0;
  for (int i = 0; i < m; i++)
    if (taken[i]) into[count++] = i;
  return count;
}

static int count_variables(const PlanPart *part) {
  int most = -1;
  for (int k = 0; k < part->share_count; k++)
    if (part->share[k].variable > most) most = part->share[k].variable;
  return most + 1;
}

/* Sets the bounds, sizes, step rules and starts of the part's variables. */
static void take_variables(PlanPart *part, const CtlProblem *whole) {
  CtlProblem *p = &part->problem;
  for (int j = 0; j < part->share_count; j++) {
    int i = part->share[j].of, k = part->share[j].variable;
    if (part->share[j].share != 1) continue;
    p->lower[k] = whole->lower[i];
    p->upper[k] = whole->upper[i];
    p->size[k] = whole->size[i];
    p->rules[k] = whole->rules[i];
    p->start[k] = part->point[i];
    for (int s = 0; s < p->start_count; s++)
      p->starts[(size_t)s * (size_t)part->n + (size_t)k] = whole->starts[(size_t)s * (size_t)whole->n + (size_t)i];
  }
}

/* Sets the part's search problem, with the first random starts of the whole problem. */
static void take_problem(PlanPart *part, const CtlProblem *whole, int starts) {
  CtlProblem *p = &part->problem;
  p->start_count = starts;
  take_variables(part, whole);
  for (int k = 0; k < part->m; k++) {
    int i = part->value[k];
    stiction_control_set_role(p, k, whole->roles[i], whole->position[i], whole->position_scale[i]);
  }
  p->derivatives = true;
  p->curvature = whole->curvature;
  p->method = ctl_method_find("auto");
  p->step = whole->step;
  p->tolerance = whole->tolerance;
  p->restarts = 0;
}

SimStatus plan_part_open(PlanPart *part, CtlPlan *plan, const CtlProblem *whole, int share_count,
                         const PlanShare *share, const bool *kept, const double *point, int starts) {
  size_t n = (size_t)plan->n, m = (size_t)plan->m;
  if (starts > whole->start_count) starts = whole->start_count;
  *part = (PlanPart){.plan = plan, .share_count = share_count, .share = share};
  part->value = calloc(m, sizeof *part->value);
  part->point = calloc(2 * n + m + (m + n) * ctl_row_size(plan->n), sizeof *part->point);
  if (!part->value || !part->point) return SIM_NO_MEMORY;
  part->at = part->point + n;
  part->values = part->at + n;
  part->rows = part->values + m;
  memcpy(part->point, point, n * sizeof *point);
  part->n = count_variables(part);
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
  for (int k = 0; k < part->share_count; k++) point[part->share[k].of] = 0;
  for (int k = 0; k < part->share_count; k++)
    point[part->share[k].of] += part->share[k].share * own[part->share[k].variable];
}

/* Adds `factor` times a row of derivatives of the whole problem to a row of derivatives by the part's variables. */
static void add_row(const PlanPart *part, double factor, const double *from, double *row) {
  for (int k = 0; k < part->share_count; k++)
    row[part->share[k].variable] += factor * part->share[k].share * from[part->share[k].of];
}

/* Computes the derivatives of the part's values from those of the whole problem: the rows, the two numbers behind each
 * row, and the matrix of second derivatives behind all rows (CtlOutcome.rows). */
static void take_rows(const PlanPart *part, double *rows) {
  size_t from = ctl_row_size(part->plan->n), to = ctl_row_size(part->n);
  bool matrix = part->plan->curvature;
  memset(rows, 0, (size_t)(part->m + (matrix ? part->n : 0)) * to * sizeof *rows);
  for (int k = 0; k < part->m; k++) {
    const double *whole = part->rows + (size_t)part->value[k] * from;
    add_row(part, 1, whole, rows + (size_t)k * to);
    memcpy(rows + (size_t)k * to + part->n, whole + part->plan->n, 2 * sizeof *rows);
  }
  for (int k = 0; k < part->share_count && matrix; k++)
    add_row(part, part->share[k].share, part->rows + (size_t)(part->plan->m + part->share[k].of) * from,
            rows + (size_t)(part->m + part->share[k].variable) * to);
}

static void evaluate_parts(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                           double *rows) {
  PlanPart *part = context;
  size_t size = (size_t)(part->m + (part->plan->curvature ? part->n : 0)) * ctl_row_size(part->n);
  for (int i = 0; i < count; i++) {
    bool derives = want.derivatives && rows;
    memcpy(part->at, part->point, (size_t)part->plan->n * sizeof *part->at);
    embed(part, controls + (size_t)i * (size_t)part->n, part->at);
    SimStatus status = plan_evaluate(part->plan, part->at, &final[i], part->values, derives ? part->rows : NULL);
    final[i].status = status;
    for (int k = 0; k < part->m; k++) final[i].x[k] = part->values[part->value[k]];
    memset(final[i].v, 0, (size_t)part->m * sizeof *final[i].v);
    if (derives) take_rows(part, rows + (size_t)i * size);
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
