/* SPDX-License-Identifier: BSD-2-Clause */
/* Initial points of a plan's search that are solutions of easier problems: their order, their budget, and the times of
 * their via points. */
#include "control/solve/easier.h"
#include "control/outcome/values.h"
#include "control/solve/easier_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  OTHERS = 8,   /* maximum number of random starts of an easier problem; it also starts at the solution of the previous
                 * problem */
  INSTANTS = 64 /* number of equal steps into which a motion is divided to find the time nearest to a via point */
};
static const double BUDGET = 0.125;          /* share of search.max_evaluations for all easier problems together */
static const long UNLIMITED = 1000000000000; /* number of evaluations that stands for no limit, if
                                              * search.max_evaluations is not given */

/* The functions that solve the easier problems, in the order of their calls. */
static const struct {
  SimStatus (*search)(Easier *e, const double *from);
  bool times; /* whether times of via points are variables of the easier problem; otherwise they are set after its
               * search */
} problems[] = {
    {easier_path, false}, {easier_effort, false}, {easier_without_way, false}, {easier_one_by_one, false},
    {easier_times, true}, {easier_turns, true},   {easier_stops, true}}; /* the last one is only for plans with rigid stops */
enum { EASIER = sizeof problems / sizeof *problems };

long easier_share(const Easier *e, int searches) {
  searches += e->to_come;
  return *e->evaluations < e->most ? (e->most - *e->evaluations + searches - 1) / searches : 0;
}

long easier_share_of_search(const Easier *e, int searches) {
  long most = easier_share(e, searches);
  return most < EASIER_LEAST ? 0 : most;
}

void easier_add_share(Easier *e, int of, int variable, double share) {
  e->share[e->share_count++] = (PlanShare){of, variable, share};
}

SimStatus easier_evaluate(const Easier *e, const double *point, double *rows) {
  SimFinal final = {0};
  if (e->stop && e->stop->stopped && e->stop->stopped(e->stop->context)) return SIM_CANCELLED;
  ++*e->evaluations;
  return plan_evaluate(e->plan, point, &final, e->values, rows);
}

SimStatus easier_search_part(const Easier *e, const double *from, long most, double *point) {
  PlanPart part;
  int others = most / EASIER_LEAST > OTHERS ? OTHERS : (int)(most / EASIER_LEAST) - 1;
  SimStatus status = plan_part_open(&part, e->plan, e->whole, e->share_count, e->share, e->kept, from, others);
  part.problem.max_evaluations = most;
  if (status == SIM_OK) status = plan_part_search(&part, e->stop, e->evaluations, point);
  plan_part_close(&part);
  return status;
}

int easier_count_times(const CtlPlan *plan) {
  int count = 0;
  for (int k = 0; k < plan->variables; k++) count += plan->variable[k].what == CTL_VARY_TIME;
  return count;
}

/* Returns the sum of the squared scaled violations of the constraints that apply at the time which variable k sets. */
static double miss_at(const Easier *e, int k) {
  const CtlPlan *plan = e->plan;
  double sum = 0;
  for (int j = 0; j < plan->quantities; j++) {
    int i = plan->first[j];
    if (plan->quantity[j].time != k + 1) continue;
    double miss = ctl_value_miss(e->whole, i, e->values[i]) / e->whole->position_scale[i];
    sum += miss * miss;
  }
  return sum;
}

/* For each time that is a variable: sets it to the time at which the constraints that apply at it are violated least in
 * the motion of the point. */
static SimStatus set_times(const Easier *e, double *point) {
  CtlPlan *plan = e->plan;
  int times = easier_count_times(plan);
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what != CTL_VARY_TIME) continue;
    double *time = point + plan->controls + k, best = INFINITY, nearest = *time;
    double latest = fmin(v->upper, plan_lengths(plan, point));
    long most = easier_share(e, times--), instants = most > INSTANTS ? INSTANTS : most - 1;
    for (long j = 0; j <= instants && latest > v->lower; j++) {
      *time = v->lower + (latest - v->lower) * (double)j / (double)(instants > 0 ? instants : 1);
      SimStatus status = easier_evaluate(e, point, NULL);
      if (status == SIM_CANCELLED || status == SIM_NO_MEMORY) return status;
      if (status != SIM_OK || !(miss_at(e, k) < best)) continue;
      best = miss_at(e, k);
      nearest = *time;
    }
    *time = nearest;
  }
  return SIM_OK;
}

static SimStatus find_starts(Easier *e) {
  size_t n = (size_t)e->plan->n;
  const double *from = e->whole->start;
  SimStatus status = SIM_OK;
  int searches = easier_has_stops(e->plan) ? EASIER : EASIER - 1;
  for (int k = 0; k < searches && status == SIM_OK; k++) {
    int before = e->count;
    e->to_come = searches - 1 - k + easier_count_times(e->plan);
    status = problems[k].search(e, from);
    if (e->count == before) continue;
    from = e->points + (size_t)before * n;
    if (status == SIM_OK && !problems[k].times) status = set_times(e, e->points + (size_t)before * n);
  }
  return status;
}

/* Inserts the solutions of the easier problems in front of the random starts of the whole problem. */
static SimStatus put_in_front(const Easier *e) {
  CtlProblem *p = e->whole;
  size_t n = (size_t)p->n, before = (size_t)p->start_count, count = (size_t)e->count;
  double *starts = malloc((before + count) * n * sizeof *starts);
  if (!starts) return SIM_NO_MEMORY;
  memcpy(starts, e->points, count * n * sizeof *starts);
  if (before) memcpy(starts + count * n, p->starts, before * n * sizeof *starts);
  free(p->starts);
  p->starts = starts;
  p->start_count += e->count;
  return SIM_OK;
}

SimStatus ctl_plan_easier_starts(CtlProblem *problem, const CtlStop *stop, long *evaluations) {
  CtlPlan *plan = problem->plan;
  size_t n = (size_t)plan->n, m = (size_t)plan->m;
  int method = ctl_problem_method(problem);
  *evaluations = 0;
  long given = problem->max_evaluations;
  if (problem->local_starts == 1 || (method != ctl_method_find("auto") && method != ctl_method_find("sqp")))
    return SIM_OK;
  Easier e = {.plan = plan, .whole = problem, .stop = stop, .evaluations = evaluations};
  e.most = given ? (long)ceil(BUDGET * (double)given) : UNLIMITED;
  e.share = calloc(n * (size_t)(1 + easier_count_times(plan)), sizeof *e.share);
  e.kept = calloc(m, sizeof *e.kept);
  e.points = calloc((EASIER + 1) * n + m + (m + n) * ctl_row_size(plan->n), sizeof *e.points);
  SimStatus status = e.share && e.kept && e.points ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    e.next = e.points + EASIER * n;
    e.values = e.next + n;
    e.rows = e.values + m;
    status = find_starts(&e);
  }
  if (status == SIM_OK && e.count) status = put_in_front(&e);
  if (status == SIM_OK && given) problem->max_evaluations = given > *evaluations ? given - *evaluations : 1;
  free(e.share);
  free(e.kept);
  free(e.points);
  return status;
}
