/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/base/argument.h"
#include "control/plan/internal.h"
#include "sim/base/curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_of(const CtlPlan *plan, int k) { return plan->first[k + 1] - plan->first[k]; }

static bool is_minimised(const CtlQuantity *q) { return q->role < CTL_ROLE_EQUAL; }

bool robust_is_shared(const CtlQuantity *q) { return q->read != CTL_READ_MOTION || q->of.way == SIM_END_TIME; }

static bool are_zero(int d, const double *weights) {
  for (int i = 0; i < d && weights; i++)
    if (weights[i] != 0) return false;
  return true;
}

/* Returns the velocity at T of the surface on which dof i slides. */
static double surface_speed(const SimProblem *p, int i) {
  if (p->surface_pieces == 0) return 0;
  const double *last = p->surface + (size_t)(p->surface_pieces - 1) * sim_curve_size(p->surface_columns);
  return curve_point(p->surface_columns, last, p->surface_columns == 1 ? 0 : i, 1).value;
}

/* Whether a quantity is the velocity at T of a single dof with friction, on a surface that is at rest at T. */
static bool can_stick(const SimProblem *problem, const CtlQuantity *q) {
  const SimQuantity *of = &q->of;
  int found = -1, d = problem->d;
  if (of->way != SIM_AT_END || of->control || of->reference || of->place || !of->v) return false;
  if (!are_zero(d, of->x) || !are_zero(d, of->from_x) || !are_zero(d, of->from_v)) return false;
  for (int i = 0; i < d; i++) {
    if (of->v[i] == 0) continue;
    if (found >= 0) return false;
    found = i;
  }
  return found >= 0 && sim_problem_threshold(problem, found) > 0 &&
         fabs(surface_speed(problem, found)) <= ctl_quantity_tolerance(q);
}

bool robust_stops(const CtlQuantity *q) { return q->role == CTL_ROLE_EQUAL && !robust_is_shared(q); }

const char *ctl_robust_misfit(const SimProblem *problem, const CtlQuantity *q) {
  if (!robust_stops(q) || (q->target == 0 && can_stick(problem, q))) return NULL;
  return "one number in all scenarios (expected with control.objective: an interval {at_least: , at_most: }, or "
         "control.minimize.end)";
}

/* Creation --------------------------------------------------------------------------------------------------------- */

static SimStatus complain(const SimReport *report, const char *key, const char *text) {
  if (report) report->complain(report->context, key, text);
  return SIM_BAD_PROBLEM;
}

static bool is_same_form(const CtlPlan *a, const CtlPlan *b) {
  bool same = a->n == b->n && a->m == b->m && a->controls == b->controls && a->quantities == b->quantities;
  for (int k = 0; k < a->variables && same; k++)
    same = a->variable[k].what == b->variable[k].what && a->variable[k].entry == b->variable[k].entry;
  for (int k = 0; k < a->quantities && same; k++)
    same = a->quantity[k].read == b->quantity[k].read && a->quantity[k].role == b->quantity[k].role &&
           a->quantity[k].of.way == b->quantity[k].of.way && count_of(a, k) == count_of(b, k);
  return same;
}

static SimStatus check(const CtlRobust *r, const SimReport *report) {
  SimStatus status = SIM_OK;
  char text[256];
  for (int k = 0; k < robust_like(r)->quantities; k++) {
    const CtlQuantity *q = &robust_like(r)->quantity[k];
    const char *reason = NULL;
    for (int s = 0; s < r->scenarios && !reason; s++) reason = ctl_robust_misfit(&r->plan[s]->problem, q);
    if (!reason) continue;
    snprintf(text, sizeof text, "%s: %s", q->name, reason);
    status = complain(report, "quantities", text);
  }
  for (int s = 1; s < r->scenarios && status == SIM_OK; s++) {
    if (is_same_form(robust_like(r), r->plan[s])) continue;
    snprintf(text, sizeof text, "scenario %d has other variables or quantities than the first", s + 1);
    status = complain(report, "scenarios", text);
  }
  return status;
}

/* Gives each quantity its place among the values: shared ones, then f, then a block for each scenario. */
static void take_places(CtlRobust *r) {
  const CtlPlan *plan = robust_like(r);
  bool differs = false; /* whether what is minimised differs between scenarios */
  for (int k = 0; k < plan->quantities; k++)
    differs = differs || (is_minimised(&plan->quantity[k]) && !robust_is_shared(&plan->quantity[k]));
  r->combined = differs && r->statistic == CTL_WORST;
  r->epigraph = r->combined && r->derivatives;
  r->n = plan->n + r->epigraph;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    int *next = robust_is_shared(q) ? &r->first : &r->block;
    r->place[k] = -1;
    if (r->combined && is_minimised(q) && !robust_is_shared(q)) continue;
    r->place[k] = *next;
    *next += robust_stops(q) ? 2 : count_of(plan, k);
  }
  r->first += r->combined;
  r->block += r->epigraph;
}

static SimStatus fill(CtlRobust *r, CtlPlan *const *plans, const SimReport *report) {
  r->plan = calloc((size_t)r->scenarios, sizeof *r->plan);
  r->place = calloc((size_t)plans[0]->quantities, sizeof *r->place);
  if (!r->plan || !r->place) return SIM_NO_MEMORY;
  r->derivatives = r->curvature = true;
  for (int s = 0; s < r->scenarios; s++) {
    r->plan[s] = plans[s];
    r->derivatives = r->derivatives && plans[s]->derivatives;
    r->curvature = r->curvature && plans[s]->curvature;
  }
  SimStatus status = check(r, report);
  if (status != SIM_OK) return status;
  take_places(r);
  long values = r->first + (long)r->scenarios * r->block;
  if (values > CTL_VALUES_MAX) {
    char text[160];
    snprintf(text, sizeof text, "%d of %d values each (expected at most %d scenarios)", r->scenarios, r->block,
             (CTL_VALUES_MAX - r->first) / r->block);
    return complain(report, "scenarios", text);
  }
  r->m = (int)values;
  size_t m = (size_t)robust_like(r)->m, n = (size_t)robust_like(r)->n;
  r->values = calloc(m + (m + n) * ctl_row_size(robust_like(r)->n), sizeof *r->values);
  r->rows = r->values ? r->values + m : NULL;
  return r->values ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus ctl_robust_create(int scenarios, CtlPlan *const *plans, CtlStatistic statistic, const SimReport *report,
                            CtlRobust **out) {
  ARGUMENT(out != NULL, "robust", "is NULL");
  *out = NULL;
  ARGUMENT(scenarios >= 1 && plans, "plans", "are none");
  ARGUMENT(statistic == CTL_MEAN || statistic == CTL_WORST, "statistic", "is neither the mean nor the worst case");
  CtlRobust *r = calloc(1, sizeof *r);
  if (!r) return SIM_NO_MEMORY;
  r->scenarios = scenarios;
  r->statistic = statistic;
  SimStatus status = fill(r, plans, report);
  if (status == SIM_OK)
    *out = r;
  else
    ctl_robust_destroy(r);
  return status;
}

void ctl_robust_destroy(CtlRobust *r) {
  if (!r) return;
  free(r->plan);
  free(r->place);
  free(r->values);
  free(r);
}

/* Values and derivatives ------------------------------------------------------------------------------------------- */

int robust_place(const CtlRobust *r, int s, int k) {
  if (r->place[k] < 0) return -1;
  return r->place[k] + (robust_is_shared(&robust_like(r)->quantity[k]) ? 0 : r->first + s * r->block);
}

int robust_place_f(const CtlRobust *r, int s) { return r->epigraph ? r->first + (s + 1) * r->block - 1 : -1; }

/* Returns the factor of a quantity's values: with the mean, the sum of all scenarios is the mean of f_s. */
static double factor_of(const CtlRobust *r, int k) {
  const CtlQuantity *q = &robust_like(r)->quantity[k];
  if (robust_is_shared(q) || !is_minimised(q)) return 1;
  return q->role == CTL_ROLE_RESIDUAL ? sqrt(1.0 / r->scenarios) : 1.0 / r->scenarios;
}

/* Adds `factor` times a row of a plan to a row of the robust plan, with the two numbers behind it. */
static void add_row(const CtlRobust *r, double factor, const double *from, double *row) {
  int n = robust_like(r)->n;
  for (int i = 0; i < n; i++) row[i] += factor * from[i];
  row[r->n] += factor * from[n];
  row[r->n + 1] += factor * from[n + 1];
}

/* Returns f_s from the values of a plan, without what is shared. row: [ctl_row_size] to which its derivatives are added;
 * NULL: not needed. */
static double objective_of(const CtlRobust *r, double *row) {
  const CtlPlan *plan = robust_like(r);
  double sum = 0;
  for (int k = 0; k < plan->quantities; k++) {
    if (r->place[k] >= 0) continue;
    double value = r->values[plan->first[k]];
    bool squared = plan->quantity[k].role == CTL_ROLE_RESIDUAL;
    sum += squared ? value * value : value;
    if (row) add_row(r, squared ? 2 * value : 1, r->rows + (size_t)plan->first[k] * ctl_row_size(plan->n), row);
  }
  return sum;
}

/* Returns by how much the dof of which a quantity is the velocity has moved until T, times its weight. */
static double way_of(const CtlPlan *plan, const CtlQuantity *q, const double *point) {
  double way = 0;
  for (int i = 0; i < plan->problem.d; i++) way += q->of.v[i] * (plan->x[i] - plan->problem.x0[i]);
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what == CTL_VARY_POSITION)
      way -= q->of.v[v->entry] * (point[plan->controls + k] - plan->problem.x0[v->entry]);
  }
  return way;
}

/* Splits the velocity v at T of a dof that is to stop into two values: v or 0, at most 0, and v or 0, at least 0. The
 * dof may stop sooner than T, too. So while it moves on, or after it has come to rest, one of them has the row, and a
 * step may go beyond 0; where it has turned back, both. With an equation for each scenario, those in which the dof still
 * moves would have to stop at T exactly. A dof that friction holds at another velocity than 0 has neither sign, and a
 * velocity that is not finite stays so: both values are then v. */
static void take_stop(const CtlRobust *r, int s, int k, const double *point, double *values, double *rows) {
  const CtlPlan *plan = r->plan[s];
  double v = r->values[plan->first[k]];
  const double *row = r->rows + (size_t)plan->first[k] * ctl_row_size(plan->n);
  double ahead = rows ? row[plan->n] : 0, side = v == 0 ? -ahead : v;
  bool both = v != 0 && (ahead != 0 || !(v * way_of(plan, &plan->quantity[k], point) >= 0));
  for (int below = 0; below < 2; below++) {
    bool own = below ? side < 0 : side >= 0;
    values[below] = both || own ? v : 0;
    if (rows && (both || own)) add_row(r, 1, row, rows + (size_t)below * ctl_row_size(r->n));
  }
}

/* Copies the values of scenario s, and their derivatives (rows) unless rows is NULL, to those of the robust plan. */
static void take_scenario(const CtlRobust *r, int s, const double *point, double *values, double *rows) {
  const CtlPlan *plan = robust_like(r);
  size_t width = ctl_row_size(r->n);
  for (int k = 0; k < plan->quantities; k++) {
    int to = robust_place(r, s, k);
    if (to < 0 || (s > 0 && robust_is_shared(&plan->quantity[k]))) continue;
    if (robust_stops(&plan->quantity[k])) {
      take_stop(r, s, k, point, values + to, rows ? rows + (size_t)to * width : NULL);
      continue;
    }
    for (int i = plan->first[k]; i < plan->first[k + 1]; i++, to++) {
      values[to] = factor_of(r, k) * r->values[i];
      if (rows) add_row(r, factor_of(r, k), r->rows + (size_t)i * ctl_row_size(plan->n), rows + (size_t)to * width);
    }
  }
  int last = robust_place_f(r, s);
  double *row = rows && r->epigraph ? rows + (size_t)last * width : NULL;
  double f = r->combined ? objective_of(r, row) : 0;
  if (r->combined && !r->epigraph) values[r->first - 1] = s ? robust_larger(values[r->first - 1], f) : f;
  if (r->epigraph) values[last] = f - point[r->n - 1];
  if (row) row[r->n - 1] = -1;
}

/* Adds the mean of the plans' matrices. For the largest f_s this approximates the Lagrangian's, in which the f_s have
 * multipliers with the sum 1: so their residuals count, too. */
static void add_matrix(const CtlRobust *r, double *matrix) {
  const CtlPlan *plan = robust_like(r);
  size_t from = ctl_row_size(plan->n), width = ctl_row_size(r->n);
  const double *own = r->rows + (size_t)plan->m * from;
  double part = 1.0 / r->scenarios;
  for (int i = 0; i < plan->n; i++)
    for (int j = 0; j < plan->n; j++) matrix[(size_t)i * width + (size_t)j] += part * own[(size_t)i * from + (size_t)j];
  for (int k = 0; k < plan->quantities; k++) {
    const double *row = r->rows + (size_t)plan->first[k] * from;
    if (r->place[k] >= 0 || plan->quantity[k].role != CTL_ROLE_RESIDUAL) continue;
    for (int i = 0; i < plan->n; i++)
      for (int j = 0; j < plan->n; j++) matrix[(size_t)i * width + (size_t)j] += 2 * part * row[i] * row[j];
  }
}

SimStatus robust_evaluate(CtlRobust *r, const double *point, SimFinal *final, double *values, double *rows) {
  size_t width = ctl_row_size(r->n);
  long iterations = 0;
  SimStatus status = SIM_OK;
  r->smooth = true;
  if (rows) memset(rows, 0, (size_t)(r->m + (r->curvature ? r->n : 0)) * width * sizeof *rows);
  for (int s = 0; s < r->scenarios && status == SIM_OK; s++) {
    status = plan_evaluate(r->plan[s], point, final, r->values, rows ? r->rows : NULL);
    iterations += final->iterations;
    if (status != SIM_OK) break;
    r->smooth = r->smooth && r->plan[s]->derivative.smooth;
    take_scenario(r, s, point, values, rows);
    if (rows && r->curvature) add_matrix(r, rows + (size_t)r->m * width);
  }
  if (r->epigraph) values[r->first - 1] = point[r->n - 1];
  if (r->epigraph && rows) rows[(size_t)(r->first - 1) * width + (size_t)(r->n - 1)] = 1;
  final->iterations = iterations;
  return status;
}

static void evaluate_points(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                            double *rows) {
  CtlRobust *r = context; /* the context of an evaluator is not const; this plan is used by one thread only */
  size_t size = (size_t)(r->m + (r->curvature ? r->n : 0)) * ctl_row_size(r->n);
  for (int i = 0; i < count; i++) {
    bool derives = want.derivatives && rows && r->derivatives;
    final[i].status = robust_evaluate(r, controls + (size_t)i * (size_t)r->n, &final[i], final[i].x,
                                      derives ? rows + (size_t)i * size : NULL);
    memset(final[i].v, 0, (size_t)r->m * sizeof *final[i].v);
  }
}

CtlEvaluator ctl_robust_evaluator(CtlRobust *r) {
  if (!r) return (CtlEvaluator){0};
  return (CtlEvaluator){.n = r->n,
                        .d = r->m,
                        .m = r->derivatives ? r->m + (r->curvature ? r->n : 0) : 0,
                        .smooth = &r->smooth,
                        .block = 1,
                        .context = r,
                        .evaluate = evaluate_points};
}
