/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/plan/internal.h"

#include "control/base/argument.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns how many numbers per segment the scheme must read for a quantity. For a largest value these are the largest y
 * in the segment, y at the end of the segment and, if y has a factor u, y at its start. If the time of the largest y
 * moves from an end to the inside of a segment, a step of the search needs the derivatives at the end and inside. */
static int plan_reads_of(const CtlQuantity *q) {
  if (q->read != CTL_READ_MOTION) return 0;
  return q->of.way != SIM_LARGEST ? 1 : q->of.control ? 3 : 2;
}

/* Returns the number of values of a quantity in the search problem. */
static int plan_values_of(const CtlPlan *plan, const CtlQuantity *q) {
  if (q->read == CTL_READ_FUEL) return plan->controls;
  return q->read == CTL_READ_MOTION && q->of.way == SIM_LARGEST ? plan_reads_of(q) * plan_segments(plan) : 1;
}

double plan_factor(const CtlQuantity *q) {
  if (q->role == CTL_ROLE_OBJECTIVE) return q->weight;
  return q->role == CTL_ROLE_RESIDUAL ? sqrt(q->weight) : 1;
}

double plan_offset(const CtlQuantity *q) { return q->role == CTL_ROLE_RESIDUAL ? q->target : 0; }

double plan_side(const CtlQuantity *q) {
  return q->read == CTL_READ_MOTION && q->of.way == SIM_LARGEST && q->role == CTL_ROLE_AT_LEAST ? -1 : 1;
}

bool plan_varies(const CtlPlan *plan, CtlVary what) {
  for (int k = 0; k < plan->variables; k++)
    if (plan->variable[k].what == what) return true;
  return false;
}

/* Whether the second derivatives that the scheme computes for a quantity are its complete Hessian. Only objectives are
 * asked for them, so the answer for other roles is true. */
static bool is_curved(const CtlQuantity *q) {
  if (q->role != CTL_ROLE_OBJECTIVE || q->read != CTL_READ_MOTION) return true;
  return !q->of.control && (q->of.way != SIM_INTEGRAL || q->of.shape == SIM_SHAPE_SQUARE);
}

/* Returns how many vectors of weights a quantity has. */
static int count_weights(const SimQuantity *of) { return !!of->x + !!of->v + !!of->from_x + !!of->from_v; }

/* Copies the weights, multiplied by `side` (1 or -1), to `store`, [d] for each vector, and sets the pointers of `of` to
 * these copies. A function of position (of->place) gets its sign by of->negative instead. Returns the room behind the
 * copies. */
static double *own_weights(int d, SimQuantity *of, double side, double *store) {
  const double **const each[] = {&of->x, &of->v, &of->from_x, &of->from_v};
  if (of->place && side < 0) of->negative = !of->negative;
  for (int k = 0; k < 4; k++) {
    if (!*each[k]) continue;
    for (int i = 0; i < d; i++) store[i] = side * (*each[k])[i];
    *each[k] = store;
    store += d;
  }
  return store;
}

static SimStatus allocate(CtlPlan *plan, const CtlPlanSetting *s) {
  size_t d = (size_t)plan->problem.d, p = (size_t)plan->problem.n_control, quantities = (size_t)s->quantities;
  size_t vectors = 0;
  for (int k = 0; k < s->quantities; k++) vectors += 2 * (size_t)count_weights(&s->quantity[k].of);
  plan->variable = calloc((size_t)s->variables + 1, sizeof *plan->variable);
  plan->quantity = calloc(quantities, sizeof *plan->quantity);
  plan->weights = calloc(vectors * d + 1, sizeof *plan->weights);
  plan->numbers = calloc(p * p + 3 * (size_t)plan->controls + p + 1, sizeof *plan->numbers);
  plan->read = calloc(3 * quantities, sizeof *plan->read);
  plan->first = calloc(2 * quantities + 1 + (size_t)plan->n, sizeof *plan->first);
  plan->made_for = calloc((size_t)s->variables + (size_t)plan->problem.segments, sizeof *plan->made_for);
  bool room =
      plan->variable && plan->quantity && plan->weights && plan->numbers && plan->read && plan->first && plan->made_for;
  if (!room) return SIM_NO_MEMORY;
  plan->read_of = plan->first + quantities + 1;
  plan->column = plan->read_of + quantities;
  plan->lengths_now = plan->made_for + s->variables;
  return SIM_OK;
}

/* Copies the matrix N, the bounds and the start of u, and the u of effort 0. */
static void take_controls(CtlPlan *plan, const CtlPlanSetting *s) {
  int p = plan->problem.n_control;
  for (int i = 0; i < p * p; i++) plan_weight(plan)[i] = s->weight ? s->weight[i] : i % (p + 1) == 0;
  for (int i = 0; i < plan->controls; i++) {
    plan_bound(plan, 0)[i] = s->lower ? s->lower[i] : -INFINITY;
    plan_bound(plan, 1)[i] = s->upper ? s->upper[i] : INFINITY;
    plan_start(plan)[i] = s->start ? s->start[i] : 0;
  }
  for (int j = 0; j < p; j++) plan_around(plan)[j] = s->around ? s->around[j] : 0;
}

static void take_variables(CtlPlan *plan, const CtlPlanSetting *s) {
  plan->end = plan->lengths = -1;
  for (int k = 0; k < s->variables; k++) {
    const CtlVariable *v = &s->variable[k];
    plan->variable[k] = *v;
    if (v->what == CTL_VARY_END) plan->end = k;
    if (v->what == CTL_VARY_LENGTH && v->entry == 0) plan->lengths = k;
  }
}

static void take_quantities(CtlPlan *plan, const CtlPlanSetting *s) {
  int d = plan->problem.d;
  double *store = plan->weights;
  plan->derivatives = sim_scheme_differentiates(plan->problem.scheme, &plan->problem);
  plan->curvature = plan->derivatives;
  for (int k = 0; k < s->quantities; k++) {
    CtlQuantity *q = &plan->quantity[k];
    *q = s->quantity[k];
    store = own_weights(d, &q->of, 1, store);
    q->of.weight = q->role == CTL_ROLE_OBJECTIVE ? q->weight : 0;
    SimQuantity of = q->of; /* the quantity that the scheme reads: for a smallest value, the largest value of the
                             * negative */
    store = own_weights(d, &of, plan_side(q), store);
    if (q->role >= CTL_ROLE_EQUAL) q->tolerance = ctl_quantity_tolerance(q);
    plan->read_of[k] = q->read == CTL_READ_MOTION ? plan->reads : -1;
    for (int j = 0; j < plan_reads_of(q); j++) {
      static const SimWay beside[] = {SIM_LARGEST, SIM_SEGMENT_ENDS, SIM_SEGMENT_STARTS};
      plan->read[plan->reads] = of;
      if (q->of.way == SIM_LARGEST) plan->read[plan->reads].way = beside[j];
      plan->reads++;
    }
    plan->first[k] = plan->m;
    plan->m += plan_values_of(plan, q);
    plan->curvature = plan->curvature && is_curved(q);
  }
  plan->first[s->quantities] = plan->m;
}

/* Assigns columns of the sensitivity to the variables: entries of u, then T or the lengths, then x0, then v0. */
static void find_columns(CtlPlan *plan) {
  int d = plan->problem.d, next = plan->controls, of[CTL_VARY_TIME] = {0};
  const int many[] = {
      [CTL_VARY_END] = 1, [CTL_VARY_LENGTH] = plan->problem.segments, [CTL_VARY_POSITION] = d, [CTL_VARY_VELOCITY] = d};
  for (int what = 0; what < CTL_VARY_TIME; what++) {
    of[what] = next;
    next += plan_varies(plan, (CtlVary)what) ? many[what] : 0;
  }
  plan->columns = next;
  for (int i = 0; i < plan->controls; i++) plan->column[i] = i;
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    plan->column[plan->controls + k] = v->what == CTL_VARY_TIME ? -1 : of[v->what] + v->entry;
  }
}

/* Allocates the arrays that each evaluation overwrites. */
static SimStatus allocate_room(CtlPlan *plan) {
  size_t d = (size_t)plan->problem.d, columns = (size_t)plan->columns, values = (size_t)plan->m;
  double *next = plan->x =
      calloc(4 * d + 3 * d * columns + 3 * values + values * columns + columns * columns, sizeof *next);
  if (!next) return SIM_NO_MEMORY;
  plan->v = next + d;
  plan->derivative.stop_time = plan->v + d;
  plan->derivative.stop_acceleration = plan->derivative.stop_time + d;
  plan->derivative.state = plan->derivative.stop_acceleration + d;
  plan->derivative.stop = plan->derivative.state + 2 * d * columns;
  plan->reading.values = plan->derivative.stop + d * columns;
  plan->reading.times = plan->reading.values + values;
  plan->reading.rates = plan->reading.times + values;
  plan->reading.rows = plan->reading.rates + values;
  plan->reading.matrix = plan->reading.rows + values * columns;
  return SIM_OK;
}

static SimStatus complain(const SimReport *report, const char *key, const char *text) {
  if (report) report->complain(report->context, key, text);
  return SIM_BAD_PROBLEM;
}

/* Reports each feature of a model that the scheme does not support. A message about a varying T or varying lengths has
 * the name of the variable. */
static SimStatus check_model(const CtlPlan *plan, const SimModel *model, const SimReport *report) {
  SimStatus status = plan->reads ? sim_quantities_check(model, plan->reads, plan->read, report) : SIM_OK;
  int varied = plan->end >= 0 ? plan->end : plan->lengths;
  const char *text = varied >= 0 ? sim_dependence_refused(model, plan->end >= 0 ? SIM_ON_END : SIM_ON_LENGTH) : NULL;
  if (!text) return status;
  char named[256];
  snprintf(named, sizeof named, "%s: %s", plan->variable[varied].name, text);
  return complain(report, "variables", named);
}

/* Creates the model of the start point, so that unsupported features are reported when the plan is created. */
static SimStatus try_model(CtlPlan *plan, const SimReport *report) {
  double *point = calloc((size_t)plan->n, sizeof *point);
  SimProblem motion;
  SimModel *model = NULL;
  if (!point) return SIM_NO_MEMORY;
  for (int k = 0; k < plan->variables; k++) point[plan->controls + k] = plan->variable[k].start;
  SimStatus status = ctl_plan_motion(plan, point, &motion);
  if (status == SIM_OK) {
    status = stiction_model_create(&motion, report, &model);
    if (status == SIM_OK) status = check_model(plan, model, report);
    stiction_model_destroy(model);
    sim_problem_clear(&motion);
  }
  if (status == SIM_OK) {
    status = plan_make(plan, point);
    if (status == SIM_BAD_PROBLEM) complain(report, "problem", "the model lacks the derivatives of its scheme");
  }
  free(point);
  return status;
}

SimStatus ctl_plan_create(const CtlPlanSetting *s, const SimReport *report, CtlPlan **out) {
  ARGUMENT(out != NULL, "plan", "is NULL");
  *out = NULL;
  ARGUMENT(s && s->problem && s->quantity && s->quantities >= 1 && s->variables >= 0 && (s->variable || !s->variables),
           "setting", "is NULL, or lacks a problem, its variables or quantities");
  if (plan_check(s, report)) return SIM_BAD_PROBLEM;
  CtlPlan *plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  SimStatus status = sim_problem_copy(s->problem, &plan->problem);
  plan->controls = s->problem->n_control * (s->problem->signal == SIM_CONSTANT ? 1 : s->problem->segments);
  plan->variables = s->variables;
  plan->quantities = s->quantities;
  plan->n = plan->controls + s->variables;
  if (status == SIM_OK) status = allocate(plan, s);
  if (status == SIM_OK) {
    take_controls(plan, s);
    take_variables(plan, s);
    take_quantities(plan, s);
    find_columns(plan);
    status = allocate_room(plan);
  }
  if (status == SIM_OK) status = try_model(plan, report);
  if (status == SIM_OK)
    *out = plan;
  else
    ctl_plan_destroy(plan);
  return status;
}

void ctl_plan_destroy(CtlPlan *plan) {
  if (!plan) return;
  plan_release_model(plan);
  sim_problem_clear(&plan->problem);
  free(plan->variable);
  free(plan->quantity);
  free(plan->weights);
  free(plan->numbers);
  free(plan->read);
  free(plan->first);
  free(plan->made_for);
  free(plan->x);
  free(plan);
}

void ctl_plan_interrupt(CtlPlan *plan, const SimInterrupt *interrupt) {
  if (!plan) return;
  plan->interrupts = interrupt != NULL;
  if (interrupt) plan->interrupt = *interrupt;
  if (plan->work) stiction_workspace_interrupt(plan->work, interrupt);
}
