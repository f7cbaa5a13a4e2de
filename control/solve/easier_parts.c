/* SPDX-License-Identifier: BSD-2-Clause */
/* Easier problems that have some of a plan's variables and conditions: the plan without limits and via points, and
 * groups of variables (such as joints) that share no constraint. */
#include "control/solve/easier_problems.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4 /* random starts at which derivatives show which variables act on which constraints */ };

/* Whether the plan is a problem of least effort at a given T, apart from its constraints. */
static bool is_least_effort(const CtlPlan *plan) {
  bool alone = !easier_varies_end(plan);
  for (int k = 0; k < plan->quantities; k++)
    alone = alone && (plan->quantity[k].read == CTL_READ_EFFORT || plan->quantity[k].role >= CTL_ROLE_EQUAL);
  return alone;
}

/* Whether a constraint is a limit or a via point, which the easier problem omits. A constraint "time before T" with a
 * variable time is omitted, too: the time of an omitted via point does not change in the easier problem, and T would
 * have to stay above it. A constraint "T after a given time" is kept, since T must meet it in any solution. */
static bool is_on_the_way(const CtlQuantity *q) {
  if (q->read == CTL_READ_LATE) return q->time > 0;
  return q->role >= CTL_ROLE_EQUAL && q->read == CTL_READ_MOTION &&
         (q->of.way == SIM_LARGEST || q->of.way == SIM_AT_TIME);
}

static bool is_time(const CtlPlan *plan, int i) {
  return i >= plan->controls && plan->variable[i - plan->controls].what == CTL_VARY_TIME;
}

/* Returns the number that variable i of the plan, which is not a time, has in a part of the plan without times. */
static int number_without_times(const CtlPlan *plan, int i) {
  int count = 0;
  for (int k = 0; k < i; k++) count += !is_time(plan, k);
  return count;
}

SimStatus easier_without_way(Easier *e, const double *from) {
  CtlPlan *plan = e->plan;
  bool any = false;
  e->share_count = 0;
  for (int i = 0; i < plan->n; i++)
    if (!is_time(plan, i)) easier_add_share(e, i, number_without_times(plan, i), 1);
  for (int k = 0; k < plan->quantities; k++) {
    bool left = is_on_the_way(&plan->quantity[k]);
    for (int i = plan->first[k]; i < plan->first[k + 1]; i++) e->kept[i] = !left;
    any = any || left;
  }
  long most = easier_share_of_search(e, 1);
  if (!any || !most || (e->count && is_least_effort(plan))) return SIM_OK;
  double *point = e->points + (size_t)e->count++ * (size_t)plan->n;
  return easier_search_part(e, from, most, point);
}

/* Whether the bounds of the time with the number i allow the fraction `part` of any T. */
static bool may_be_part(const CtlPlan *plan, int i, double part) {
  const CtlVariable *v = &plan->variable[i - plan->controls];
  return v->lower <= 0 && v->upper >= part * plan->problem.end;
}

/* A search may move variable times to T. There a via point that differs from the target cannot be met, and the search
 * does not move them back. So times are held at equal fractions of T. */
SimStatus easier_times(Easier *e, const double *from) {
  CtlPlan *plan = e->plan;
  int times = easier_count_times(plan), passed = 0, tied = 0;
  long most = easier_share_of_search(e, 1);
  double *point = e->points + (size_t)e->count * (size_t)plan->n, end = plan_lengths(plan, from);
  if (!times || !most) return SIM_OK;
  memcpy(e->next, from, (size_t)plan->n * sizeof *from);
  memset(e->kept, true, (size_t)plan->m * sizeof *e->kept);
  e->share_count = 0;
  for (int i = 0; i < plan->n; i++) {
    double part = is_time(plan, i) ? (double)++passed / (times + 1) : 0;
    if (!is_time(plan, i)) easier_add_share(e, i, number_without_times(plan, i), 1);
    if (!is_time(plan, i) || !may_be_part(plan, i, part)) continue;
    e->next[i] = part * end;
    tied++;
    if (plan->end >= 0) easier_add_share(e, i, number_without_times(plan, plan->controls + plan->end), part);
    for (int k = 0; k < plan_segments(plan) && plan->lengths >= 0; k++)
      easier_add_share(e, i, number_without_times(plan, plan->controls + plan->lengths + k), part);
  }
  if (!tied) return SIM_OK;
  e->count++;
  return easier_search_part(e, e->next, most, point);
}

/* Returns the lowest variable of a variable's group. Variables that act on a common constraint are in one group. */
static int group_of(const int *groups, int i) {
  while (groups[i] != i) i = groups[i];
  return i;
}

static void join(int *groups, int a, int b) {
  a = group_of(groups, a);
  b = group_of(groups, b);
  groups[a > b ? a : b] = a > b ? b : a;
}

static bool is_condition(const Easier *e, int i) { return e->whole->roles[i] >= CTL_ROLE_EQUAL; }

/* Joins the groups of those variables that act on a common constraint at a point. acts: [m] for each constraint one
 * variable that acts on it; -1: none so far. */
static SimStatus see(const Easier *e, const double *point, int *groups, int *acts) {
  SimStatus status = easier_evaluate(e, point, e->rows);
  for (int i = 0; i < e->plan->m && status == SIM_OK; i++) {
    const double *row = e->rows + (size_t)i * ctl_row_size(e->plan->n);
    for (int k = 0; k < e->plan->n && is_condition(e, i); k++) {
      if (row[k] == 0) continue;
      if (acts[i] >= 0) join(groups, acts[i], k);
      acts[i] = k;
    }
  }
  return status == SIM_CANCELLED || status == SIM_NO_MEMORY ? status : SIM_OK;
}

/* Marks the variables and constraints of a group, and all costs, as the part to be searched. Returns whether the group
 * has constraints. */
static bool mark_group(Easier *e, const int *groups, const int *acts, int group) {
  bool any = false;
  for (int i = 0; i < e->plan->m; i++) {
    bool own = acts[i] >= 0 && group_of(groups, acts[i]) == group;
    e->kept[i] = own || !is_condition(e, i);
    any = any || own;
  }
  e->share_count = 0;
  for (int k = 0, count = 0; k < e->plan->n; k++)
    if (group_of(groups, k) == group) easier_add_share(e, k, count++, 1);
  return any;
}

/* If there are several groups, searches them one after another, with the variables of all other groups constant. */
static SimStatus search_groups(Easier *e, const double *from, const int *groups, const int *acts) {
  const CtlPlan *plan = e->plan;
  double *point = e->points + (size_t)e->count * (size_t)plan->n;
  int several = 0;
  for (int g = 0; g < plan->n; g++) several += mark_group(e, groups, acts, g);
  if (several < 2 || !easier_share_of_search(e, several)) return SIM_OK;
  SimStatus status = SIM_OK;
  memcpy(point, from, (size_t)plan->n * sizeof *point);
  for (int g = 0; g < plan->n && status == SIM_OK; g++) {
    if (!mark_group(e, groups, acts, g)) continue;
    long most = easier_share_of_search(e, several--);
    if (most) status = easier_search_part(e, point, most, point);
  }
  e->count++;
  return status;
}

SimStatus easier_one_by_one(Easier *e, const double *from) {
  const CtlPlan *plan = e->plan;
  size_t n = (size_t)plan->n, m = (size_t)plan->m;
  if (easier_share(e, 1) < 1 + SAMPLES + 2 * EASIER_LEAST) return SIM_OK;
  int *groups = calloc(n + m, sizeof *groups);
  if (!groups) return SIM_NO_MEMORY;
  int *acts = groups + n;
  for (int k = 0; k < plan->n; k++) groups[k] = k;
  for (int i = 0; i < plan->m; i++) acts[i] = -1;
  SimStatus status = see(e, from, groups, acts);
  for (int s = 0; s < SAMPLES && s < e->whole->start_count && status == SIM_OK; s++)
    status = see(e, e->whole->starts + (size_t)s * n, groups, acts);
  if (status == SIM_OK) status = search_groups(e, from, groups, acts);
  free(groups);
  return status;
}
