/* Starts that are solutions of easier problems: least effort to the same targets at a given T, the plan without
 * limits and via points, and groups of variables (such as joints) that do not act on each other, searched one by
 * one. */
#include "control/solve/easier.h"
#include "control/outcome/values.h"
#include "control/search.h"
#include "control/solve/part.h"
#include "sim/base/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  EASIER = 3,        /* maximum number of starts from easier problems */
  EFFORT_STARTS = 2, /* search.local_starts of the search for least effort */
  EFFORT_TRIES = 3,  /* maximum number of values of T, each twice the last one, at which least effort is tried */
  OTHERS = 8,        /* number of random starts of an easier problem, besides the solution of the problem before it */
  SAMPLES = 4,       /* number of random starts at which nonzero derivatives show which variables act on which
                      * constraints */
  INSTANTS = 64      /* number of equal steps into which a motion is divided to find the time nearest to a via point */
};
static const double BUDGET = 0.125; /* share of search.max_evaluations and max_seconds that each easier problem may
                                     * use */

typedef struct Easier {
  CtlPlan *plan;
  CtlProblem *whole;
  const CtlStop *stop;
  long *evaluations;
  bool *varies, *kept;   /* [n], [m] whether each variable and each value belongs to the part that is searched
                          * (control/solve/part.h) */
  double *points;        /* [EASIER][n] solutions of the easier problems */
  int count;             /* number of solutions in `points` */
  double *values, *rows; /* values and rows of one evaluation */
} Easier;

/* Least effort ------------------------------------------------------------------------------------------------------ */

enum { NO_DOF = -1, SEVERAL_DOFS = -2 };

/* Returns the only dof with a nonzero weight, NO_DOF or SEVERAL_DOFS. */
static int only_dof(int d, const double *weights) {
  int found = NO_DOF;
  for (int i = 0; i < d && weights; i++) {
    if (weights[i] == 0) continue;
    if (found >= 0) return SEVERAL_DOFS;
    found = i;
  }
  return found;
}

/* Copies the targets at T that concern a single dof to the problem of least effort. An inequality that the initial
 * state violates becomes a target with equality. Returns the number of targets. */
static int take_targets(const CtlPlan *plan, const SimProblem *motion, CtlProblem *problem) {
  int d = motion->d, count = 0;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    if (q->read != CTL_READ_MOTION || q->of.way != SIM_AT_END || q->of.control || q->role == CTL_ROLE_OBJECTIVE)
      continue;
    bool moves = only_dof(d, q->of.v) == NO_DOF;
    const double *weights = moves ? q->of.x : q->of.v, *from = moves ? q->of.from_x : q->of.from_v;
    const double *first = moves ? motion->x0 : motion->v0;
    int dof = moves || only_dof(d, q->of.x) == NO_DOF ? only_dof(d, weights) : SEVERAL_DOFS, of = only_dof(d, from);
    if (dof < 0 || (of != NO_DOF && of != dof)) continue;
    double target = (q->target + (of >= 0 ? from[dof] * first[dof] : 0)) / weights[dof], ahead = target - first[dof];
    if (q->role == CTL_ROLE_AT_LEAST && ahead * weights[dof] <= 0) continue;
    if (q->role == CTL_ROLE_AT_MOST && ahead * weights[dof] >= 0) continue;
    (moves ? problem->position : problem->velocity)[dof] = target;
    count++;
  }
  return count;
}

/* Sets *motion to the motion problem of a point, but with the end time `end` and equal segments. */
static SimStatus motion_until(const CtlPlan *plan, const double *point, double end, SimProblem *motion) {
  SimStatus status = sim_problem_copy(&plan->problem, motion);
  if (status != SIM_OK) return status;
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what == CTL_VARY_POSITION) motion->x0[v->entry] = point[plan->controls + k];
    if (v->what == CTL_VARY_VELOCITY) motion->v0[v->entry] = point[plan->controls + k];
  }
  if (end != motion->end) pieces_cut(motion, end);
  motion->step = end / (double)motion->steps;
  return SIM_OK;
}

/* Searches the control of least effort for the end time `end`. *met: whether it meets the targets. Then the control
 * is copied to `point`. */
static SimStatus search_effort(const Easier *e, double end, double *point, bool *met) {
  const CtlPlan *plan = e->plan;
  SimProblem motion;
  CtlProblem *problem = NULL;
  CtlAnswer answer = {0};
  SimStatus status = motion_until(plan, point, end, &motion);
  if (status != SIM_OK) return status;
  CtlStatus solved =
      stiction_problem_finalize(&motion, NULL) == SIM_OK ? stiction_control_create(&motion, &problem) : CTL_BAD_PROBLEM;
  if (solved == CTL_OK && take_targets(plan, &motion, problem)) {
    memcpy(problem->weight, plan_weight(plan), (size_t)(problem->p * problem->p) * sizeof *problem->weight);
    memcpy(problem->lower, plan_bound(plan, 0), (size_t)plan->controls * sizeof *problem->lower);
    memcpy(problem->upper, plan_bound(plan, 1), (size_t)plan->controls * sizeof *problem->upper);
    memcpy(problem->start, e->whole->start, (size_t)plan->controls * sizeof *problem->start);
    problem->method = ctl_method_find("auto");
    problem->local_starts = EFFORT_STARTS;
    problem->max_evaluations = (long)ceil(BUDGET * (double)e->whole->max_evaluations);
    problem->max_seconds = BUDGET * e->whole->max_seconds;
    problem->restarts = 0;
    solved = stiction_solve(problem, NULL, e->stop, &answer);
    *met = solved == CTL_OK && answer.meets;
    if (*met) memcpy(point, answer.control, (size_t)plan->controls * sizeof *point);
    *e->evaluations += answer.evaluations;
  }
  stiction_answer_clear(&answer);
  stiction_control_destroy(problem);
  sim_problem_clear(&motion);
  return solved == CTL_NO_MEMORY ? SIM_NO_MEMORY : solved == CTL_STOPPED ? SIM_CANCELLED : SIM_OK;
}

/* Sets T of the point, or the lengths of its segments, to the end time `end` within the bounds. Returns the
 * resulting T. */
static double set_end(const CtlPlan *plan, double end, double *point) {
  double *variables = point + plan->controls, sum = 0;
  int segments = plan_segments(plan);
  if (plan->end >= 0) {
    const CtlVariable *v = &plan->variable[plan->end];
    return variables[plan->end] = fmin(fmax(end, v->lower), v->upper);
  }
  for (int k = 0; k < segments && plan->lengths >= 0; k++) {
    const CtlVariable *v = &plan->variable[plan->lengths + k];
    sum += variables[plan->lengths + k] = fmin(fmax(end / segments, v->lower), v->upper);
  }
  return plan->lengths >= 0 ? sum : plan->problem.end;
}

/* Whether T is free: it is a variable, or lengths are and no constraint fixes their sum. */
static bool varies_end(const CtlPlan *plan) {
  for (int k = 0; k < plan->quantities && plan->lengths >= 0; k++)
    if (plan->quantity[k].of.way == SIM_END_TIME && plan->quantity[k].role == CTL_ROLE_EQUAL) return false;
  return plan->end >= 0 || plan->lengths >= 0;
}

static SimStatus least_effort(Easier *e, double *point) {
  CtlPlan *plan = e->plan;
  double end = plan_lengths(plan, point);
  bool met = false;
  int tries = varies_end(plan) ? EFFORT_TRIES : 1;
  for (int k = 0; k < tries && !met; k++) {
    double now = set_end(plan, ldexp(end, k), point);
    SimStatus status = search_effort(e, now, point, &met);
    if (status != SIM_OK) return status;
  }
  e->count += met;
  return SIM_OK;
}

/* Via points -------------------------------------------------------------------------------------------------------- */

/* Returns the sum of the squared violations, scaled, of the constraints that are read at the time given by variable
 * k. */
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

/* Sets each time that is a variable to the time at which the motion of the point comes nearest to meeting the
 * constraints read there. */
static SimStatus set_times(const Easier *e, double *point) {
  CtlPlan *plan = e->plan;
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what != CTL_VARY_TIME) continue;
    double *time = point + plan->controls + k, best = INFINITY, nearest = *time;
    double latest = fmin(v->upper, plan_lengths(plan, point));
    for (int j = 0; j <= INSTANTS && latest > v->lower; j++) {
      SimFinal final = {0};
      *time = v->lower + (latest - v->lower) * j / INSTANTS;
      SimStatus status = plan_evaluate(plan, point, &final, e->values, NULL);
      if (status == SIM_CANCELLED || status == SIM_NO_MEMORY) return status;
      if (status != SIM_OK || !(miss_at(e, k) < best)) continue;
      best = miss_at(e, k);
      nearest = *time;
    }
    *time = nearest;
  }
  return SIM_OK;
}

/* Parts ------------------------------------------------------------------------------------------------------------- */

/* Searches the part given by e->varies and e->kept, from the point `from` and from random starts. point: set to the
 * best point. */
static SimStatus search_part(const Easier *e, const double *from, double *point) {
  PlanPart part;
  SimStatus status = plan_part_open(&part, e->plan, e->whole, e->varies, e->kept, from, OTHERS);
  part.problem.max_evaluations = (long)ceil(BUDGET * (double)e->whole->max_evaluations);
  part.problem.max_seconds = BUDGET * e->whole->max_seconds;
  if (status == SIM_OK) status = plan_part_search(&part, e->stop, e->evaluations, point);
  plan_part_close(&part);
  return status;
}

/* Whether the plan is a problem of least effort at a given T, apart from its constraints. */
static bool is_least_effort(const CtlPlan *plan) {
  bool alone = !varies_end(plan);
  for (int k = 0; k < plan->quantities; k++)
    alone = alone && (plan->quantity[k].read == CTL_READ_EFFORT || plan->quantity[k].role >= CTL_ROLE_EQUAL);
  return alone;
}

static bool is_on_the_way(const CtlQuantity *q) {
  return q->role >= CTL_ROLE_EQUAL && q->read == CTL_READ_MOTION &&
         (q->of.way == SIM_LARGEST || q->of.way == SIM_AT_TIME);
}

/* Searches the plan without limits and via points. */
static SimStatus without_way(Easier *e, const double *from, double *point) {
  CtlPlan *plan = e->plan;
  bool any = false;
  for (int i = 0; i < plan->n; i++) e->varies[i] = true;
  for (int k = 0; k < plan->variables; k++) e->varies[plan->controls + k] = plan->variable[k].what != CTL_VARY_TIME;
  for (int k = 0; k < plan->quantities; k++) {
    bool left = is_on_the_way(&plan->quantity[k]);
    for (int i = plan->first[k]; i < plan->first[k + 1]; i++) e->kept[i] = !left;
    any = any || left;
  }
  if (!any || (e->count && is_least_effort(plan))) return SIM_OK;
  e->count++;
  return search_part(e, from, point);
}

/* Returns the group of a variable, named by its lowest variable. Variables that act on a common constraint are in
 * one group. */
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

/* Joins the groups of variables that act on a common constraint at this point. acts: [m] one variable that acts on
 * each value, -1: none yet. */
static SimStatus see(const Easier *e, const double *point, int *groups, int *acts) {
  SimFinal final = {0};
  SimStatus status = plan_evaluate(e->plan, point, &final, e->values, e->rows);
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

/* If there are several groups, searches one after another, each with the variables of other groups constant. */
static SimStatus search_groups(Easier *e, const double *from, const int *groups, const int *acts, double *point) {
  const CtlPlan *plan = e->plan;
  int first = -1, several = 0;
  SimStatus status = SIM_OK;
  for (int i = 0; i < plan->m; i++) {
    int group = acts[i] < 0 ? -1 : group_of(groups, acts[i]);
    if (first < 0) first = group;
    several = several || (group >= 0 && group != first);
  }
  if (!several) return SIM_OK;
  memcpy(point, from, (size_t)plan->n * sizeof *point);
  for (int g = 0; g < plan->n && status == SIM_OK; g++) {
    bool any = false;
    for (int i = 0; i < plan->m; i++) {
      bool own = acts[i] >= 0 && group_of(groups, acts[i]) == g;
      e->kept[i] = own || !is_condition(e, i);
      any = any || own;
    }
    for (int k = 0; k < plan->n; k++) e->varies[k] = group_of(groups, k) == g;
    if (any) status = search_part(e, point, point);
  }
  e->count++;
  return status;
}

/* Finds groups of variables that do not act on each other, such as joints, and searches them one by one. */
static SimStatus one_by_one(Easier *e, const double *from, double *point) {
  const CtlPlan *plan = e->plan;
  size_t n = (size_t)plan->n, m = (size_t)plan->m;
  int *groups = calloc(n + m, sizeof *groups);
  if (!groups) return SIM_NO_MEMORY;
  int *acts = groups + n;
  for (int k = 0; k < plan->n; k++) groups[k] = k;
  for (int i = 0; i < plan->m; i++) acts[i] = -1;
  SimStatus status = see(e, from, groups, acts);
  for (int s = 0; s < SAMPLES && s < e->whole->start_count && status == SIM_OK; s++)
    status = see(e, e->whole->starts + (size_t)s * n, groups, acts);
  if (status == SIM_OK) status = search_groups(e, from, groups, acts, point);
  free(groups);
  return status;
}

/* All easier problems ---------------------------------------------------------------------------------------------- */

static SimStatus find_starts(Easier *e) {
  size_t n = (size_t)e->plan->n;
  double *point = e->points;
  const double *from = e->whole->start;
  memcpy(point, from, n * sizeof *point);
  SimStatus status = least_effort(e, point);
  if (e->count) from = e->points + (size_t)(e->count - 1) * n;
  if (status == SIM_OK) status = without_way(e, from, e->points + (size_t)e->count * n);
  if (e->count) from = e->points + (size_t)(e->count - 1) * n;
  if (status == SIM_OK) status = one_by_one(e, from, e->points + (size_t)e->count * n);
  for (int k = 0; k < e->count && status == SIM_OK; k++) status = set_times(e, e->points + (size_t)k * n);
  return status;
}

/* Inserts the solutions of the easier problems in front of the random starts of the whole problem. */
static SimStatus put_in_front(const Easier *e) {
  CtlProblem *p = e->whole;
  size_t n = (size_t)p->n, before = (size_t)p->start_count, count = (size_t)e->count;
  double *starts = realloc(p->starts, (before + count) * n * sizeof *starts);
  if (!starts) return SIM_NO_MEMORY;
  memmove(starts + count * n, starts, before * n * sizeof *starts);
  memcpy(starts, e->points, count * n * sizeof *starts);
  p->starts = starts;
  p->start_count += e->count;
  return SIM_OK;
}

SimStatus ctl_plan_easier_starts(CtlPlan *plan, CtlProblem *problem, const CtlStop *stop, long *evaluations) {
  size_t n = (size_t)plan->n, m = (size_t)plan->m;
  int method = ctl_problem_method(problem);
  *evaluations = 0;
  if (problem->local_starts == 1 || (method != ctl_method_find("auto") && method != ctl_method_find("sqp")))
    return SIM_OK;
  Easier e = {.plan = plan, .whole = problem, .stop = stop, .evaluations = evaluations};
  e.varies = calloc(n + m, sizeof *e.varies);
  e.points = calloc(EASIER * n + m + (m + n) * ctl_row_size(plan->n), sizeof *e.points);
  SimStatus status = e.varies && e.points ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    e.kept = e.varies + n;
    e.values = e.points + EASIER * n;
    e.rows = e.values + m;
    status = find_starts(&e);
  }
  if (status == SIM_OK && e.count) status = put_in_front(&e);
  free(e.varies);
  free(e.points);
  return status;
}
