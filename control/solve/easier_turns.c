/* SPDX-License-Identifier: BSD-2-Clause */
/* An easier problem for a plan with a motion that reverses at via points: the plan with velocity 0 at these points. */
#include "control/search.h"
#include "control/solve/easier_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 3 /* maximum number of values of T, each twice the last one, from which the search starts */ };

/* A position that a dof has to have at a time. */
typedef struct Pass {
  double time, position;
  int dof;
  int via; /* index of the quantity of a via point; -1: the initial state or the target at T */
} Pass;

typedef struct Passes {
  int count;
  Pass *pass; /* [count], room for d + quantities; owned */
} Passes;

/* Returns the dof with the position that a quantity prescribes, or a negative number if it prescribes no single one. */
static int dof_of(const CtlPlan *plan, const CtlQuantity *q) {
  const double *others[] = {q->of.v, q->of.from_x, q->of.from_v};
  bool point = q->read == CTL_READ_MOTION && (q->of.way == SIM_AT_TIME || q->of.way == SIM_AT_END);
  if (!point || q->role != CTL_ROLE_EQUAL || q->of.control || q->of.place) return EASIER_NO_DOF;
  for (int k = 0; k < 3; k++)
    if (easier_only_dof(plan->problem.d, others[k]) != EASIER_NO_DOF) return EASIER_NO_DOF;
  return easier_only_dof(plan->problem.d, q->of.x);
}

/* Returns the last pass of a dof before a time, or the first one after it; NULL if there is none. */
static const Pass *beside(const Passes *all, int dof, double time, bool after) {
  const Pass *found = NULL;
  for (const Pass *p = all->pass; p < all->pass + all->count; p++) {
    if (p->dof != dof || (after ? p->time <= time : p->time >= time)) continue;
    if (!found || (after ? p->time < found->time : p->time > found->time)) found = p;
  }
  return found;
}

/* Lists the passes of all dofs for a point with the end time `end`. The initial positions come first. */
static void list_passes(const CtlPlan *plan, const double *point, double end, Passes *all) {
  const double *variables = point + plan->controls;
  all->count = 0;
  for (int i = 0; i < plan->problem.d; i++)
    all->pass[all->count++] = (Pass){.position = plan->problem.x0[i], .dof = i, .via = -1};
  for (int k = 0; k < plan->variables; k++)
    if (plan->variable[k].what == CTL_VARY_POSITION) all->pass[plan->variable[k].entry].position = variables[k];
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    int dof = dof_of(plan, q);
    bool last = q->of.way == SIM_AT_END;
    if (dof < 0) continue;
    double time = last ? end : q->time ? variables[q->time - 1] : q->of.time;
    all->pass[all->count++] = (Pass){time, q->target / q->of.x[dof], dof, last ? -1 : k};
  }
}

/* Whether the dof of a pass has to move in one direction before it and in the other one after it. */
static bool turns(const Passes *all, const Pass *at) {
  const Pass *before = beside(all, at->dof, at->time, false), *after = beside(all, at->dof, at->time, true);
  return at->via >= 0 && before && after && (at->position - before->position) * (after->position - at->position) < 0;
}

/* Sets those times that are variables to equal fractions of T. */
static void set_times(const CtlPlan *plan, double end, double *point) {
  int times = easier_count_times(plan), passed = 0;
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    if (v->what == CTL_VARY_TIME)
      point[plan->controls + k] = fmin(fmax(end * ++passed / (times + 1), v->lower), v->upper);
  }
}

/* Returns the sign of the force on dof i at a time. In the first half of the time to the next via point the force
 * points towards that point. In the second half it points the other way, so that the dof comes to rest there. */
static int direction(const Passes *all, int i, double time) {
  const Pass *from = beside(all, i, time, false), *to = beside(all, i, time, true);
  if (!from || !to || from->position == to->position) return 0;
  return (to->position > from->position) == (time < (from->time + to->time) / 2) ? 1 : -1;
}

/* Sets u of the point to forces with the signs of `direction` and with the typical size of u. */
static void push(const Easier *e, const Passes *all, double *point) {
  CtlPlan *plan = e->plan;
  int p = plan->problem.n_control;
  double begin = 0;
  plan_lengths(plan, point);
  for (int entry = 0; entry < plan->controls; entry++) {
    double length = plan->lengths_now[entry / p], force = 0;
    for (int i = 0; i < plan->problem.d; i++)
      force += plan->problem.control_matrix[i * p + entry % p] * direction(all, i, begin + length / 2);
    if (force != 0) force = copysign(e->whole->size[entry], force);
    point[entry] = fmin(fmax(force, e->whole->lower[entry]), e->whole->upper[entry]);
    if (entry % p == p - 1) begin += length;
  }
}

/* Appends to quantities [plan->quantities] the condition "velocity 0" at each via point at which a dof reverses. The
 * array has 2 plan->quantities entries. Returns the new number of quantities. */
static int add_rests(const CtlPlan *plan, const Passes *all, CtlQuantity *quantities) {
  int count = plan->quantities;
  memcpy(quantities, plan->quantity, (size_t)count * sizeof *quantities);
  for (const Pass *at = all->pass; at < all->pass + all->count; at++) {
    if (!turns(all, at)) continue;
    const CtlQuantity *via = &plan->quantity[at->via];
    bool given = false; /* whether the plan already has this condition */
    for (int k = 0; k < plan->quantities; k++) {
      const CtlQuantity *q = &plan->quantity[k];
      given = given || (q->of.way == SIM_AT_TIME && q->time == via->time && q->of.time == via->of.time &&
                        easier_only_dof(plan->problem.d, q->of.v) == at->dof);
    }
    if (given) continue;
    CtlQuantity *rest = &quantities[count++];
    *rest = *via;
    rest->of.v = via->of.x;
    rest->of.x = NULL;
    rest->target = rest->tolerance = 0;
  }
  return count;
}

/* Searches the plan with these quantities from `point`, with at most `most` evaluations. *met: whether the result meets
 * all conditions; then `point` is set to it. */
static SimStatus search_rests(const Easier *e, int count, const CtlQuantity *quantities, long most, double *point,
                              bool *met) {
  const CtlPlan *plan = e->plan;
  const CtlPlanSetting setting = {&plan->problem, plan->variables,   plan->variable,          count,
                                  quantities,     plan_weight(plan), plan_bound(plan, false), plan_bound(plan, true),
                                  NULL,           plan_around(plan)};
  CtlPlan *resting;
  CtlProblem problem;
  CtlAnswer answer = {0};
  SimStatus status = ctl_plan_create(&setting, NULL, &resting);
  if (status != SIM_OK) return status;
  ctl_plan_interrupt(resting, plan->interrupts ? &plan->interrupt : NULL);
  status = ctl_plan_problem(resting, &problem);
  if (status == SIM_OK) {
    memcpy(problem.start, point, (size_t)plan->n * sizeof *point);
    problem.local_starts = 1;
    problem.restarts = 0;
    problem.max_evaluations = most;
    CtlStatus solved = stiction_solve(&problem, NULL, e->stop, &answer);
    *met = solved == CTL_OK && answer.meets;
    if (*met) memcpy(point, answer.control, (size_t)plan->n * sizeof *point);
    *e->evaluations += answer.evaluations;
    status = solved == CTL_NO_MEMORY ? SIM_NO_MEMORY : solved == CTL_STOPPED ? SIM_CANCELLED : SIM_OK;
    stiction_answer_clear(&answer);
    ctl_problem_clear(&problem);
  }
  ctl_plan_destroy(resting);
  return status;
}

/* Searches from several values of T. quantities: array of 2 plan->quantities entries. */
static SimStatus search_turns(Easier *e, const double *from, Passes *all, CtlQuantity *quantities) {
  CtlPlan *plan = e->plan;
  double *point = e->points + (size_t)e->count * (size_t)plan->n, first = plan_lengths(plan, from);
  int tries = easier_varies_end(plan) ? TRIES : 1;
  bool met = false, any = false;
  for (int k = 0; k < tries && !met; k++) {
    long most = easier_share_of_search(e, tries - k);
    memcpy(point, from, (size_t)plan->n * sizeof *point);
    double end = easier_set_end(plan, ldexp(first, k), point);
    set_times(plan, end, point);
    list_passes(plan, point, end, all);
    for (int j = 0; j < all->count; j++) any = any || turns(all, &all->pass[j]);
    if (!any || !most) break;
    push(e, all, point);
    SimStatus status = search_rests(e, add_rests(plan, all, quantities), quantities, most, point, &met);
    if (status != SIM_OK) return status;
  }
  e->count += met;
  return SIM_OK;
}

SimStatus easier_turns(Easier *e, const double *from) {
  size_t quantities = (size_t)e->plan->quantities;
  Passes all = {.pass = calloc((size_t)e->plan->problem.d + quantities, sizeof *all.pass)};
  CtlQuantity *rests = calloc(2 * quantities, sizeof *rests);
  SimStatus status = all.pass && rests ? search_turns(e, from, &all, rests) : SIM_NO_MEMORY;
  free(all.pass);
  free(rests);
  return status;
}
