/* SPDX-License-Identifier: BSD-2-Clause */
/* The search problem of a plan, with user-defined values: roles, bounds, sizes and starts. */
#include "control/base/mix.h"
#include "control/plan/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 64 /* number of random starts */ };

static const double TIME_SIZE = 0.2; /* typical size of changes of T and of other times, relative to T at the start */
/* Typical size of an entry of u that has no bounds. FRICTION_SIZE: in units of the friction threshold. INERTIA_SIZE:
 * for dofs with threshold 0, in units of mass times 1 m / T^2. */
static const double FRICTION_SIZE = 2.5, INERTIA_SIZE = 8;
static const double FIRST_LEAST =
    0.6; /* smallest |u| of a random start in its first piece of time, relative to the typical size; a smaller u
          * might move no joint, and then all derivatives would be 0 */
/* The end time of random starts is between T/TIME_SPREAD and TIME_SPREAD T, where T is the end time of the first start.
 * If lengths are variables, every fourth start uses WIDE_SPREAD instead, and the lengths in such a start vary by
 * factors between 1/LENGTH_SPREAD and LENGTH_SPREAD. */
static const double TIME_SPREAD = 2, WIDE_SPREAD = 8, LENGTH_SPREAD = 100;

/* Returns the end time T of the first start, in s. */
static double first_end(const CtlPlan *plan) {
  double sum = 0;
  if (plan->end >= 0) return plan->variable[plan->end].start;
  for (int k = 0; k < plan_segments(plan) && plan->lengths >= 0; k++) sum += plan->variable[plan->lengths + k].start;
  return plan->lengths >= 0 ? sum : plan->problem.end;
}

/* Returns the typical size of an entry of u, in N: half its range, or a force that overcomes friction or inertia. */
static double plan_control_size(const CtlPlan *plan, int entry) {
  const SimProblem *p = &plan->problem;
  double lower = plan_bound(plan, 0)[entry], upper = plan_bound(plan, 1)[entry], most = 0, gain = 0,
         end = first_end(plan);
  if (isfinite(lower) && isfinite(upper) && upper > lower) return (upper - lower) / 2;
  for (int i = 0; i < p->d; i++) {
    most = fmax(most, sim_problem_threshold(p, i));
    gain = fmax(gain, fabs(p->control_matrix[i * p->n_control + entry % p->n_control]));
  }
  if (!(gain > 0)) gain = 1;
  if (most > 0) return FRICTION_SIZE * most / gain;
  return INERTIA_SIZE * (p->bounds.mass_max > 0 ? p->bounds.mass_max : 1) / (end * end) / gain;
}

static double variable_size(const CtlPlan *plan, const CtlVariable *v) {
  double end = first_end(plan), across = v->upper - v->lower;
  if (v->size > 0) return v->size;
  if (v->what == CTL_VARY_END || v->what == CTL_VARY_TIME) return TIME_SIZE * end;
  if (v->what == CTL_VARY_LENGTH) return TIME_SIZE * end / sqrt(plan_segments(plan));
  return isfinite(across) && across > 0 ? across / 2 : fmax(1, fabs(v->start));
}

static CtlStepRule step_rule(const CtlPlan *plan, const CtlVariable *v) {
  if (v->what == CTL_VARY_END) return CTL_STEP_PART;
  if (v->what == CTL_VARY_LENGTH) return CTL_STEP_SHRINK;
  bool rubs = v->what == CTL_VARY_VELOCITY && sim_problem_threshold(&plan->problem, v->entry) > 0;
  return rubs ? CTL_STEP_SIDE : CTL_STEP_ANY;
}

/* Returns a pseudo-random value between -1 and 1 for the initial point k. place: index of the value among those of this
 * initial point. */
static double number(int k, int place) {
  return (double)(ctl_mix(ctl_mix((uint64_t)k) ^ (uint64_t)place) >> 11) * 0x1p-52 - 1;
}

/* Sets the control u of random start k. This control is constant on pieces of time of several segments each; the number
 * of pieces depends on k. */
static void random_controls(const CtlPlan *plan, int k, double *u) {
  const int pieces_of[] = {3, 6, plan_segments(plan), 12};
  int p = plan->problem.n_control, segments = plan_segments(plan), pieces = pieces_of[k % 4];
  if (pieces > segments) pieces = segments;
  for (int i = 0; i < plan->controls; i++) {
    double lower = plan_bound(plan, 0)[i], upper = plan_bound(plan, 1)[i], size = plan_control_size(plan, i);
    int piece = (int)((long)(i / p) * pieces / segments);
    double random = number(k, piece * p + i % p);
    if (piece == 0) random = copysign(FIRST_LEAST + (1 - FIRST_LEAST) * fabs(random), random);
    double middle = isfinite(lower) && isfinite(upper) ? (lower + upper) / 2 : 0, start = plan_start(plan)[i];
    if (start != 0 && start > lower && start < upper)
      middle = start; /* the caller has chosen this start, so random
                                                                       * values lie around it */
    u[i] = fmin(fmax(middle + size * random, lower), upper);
  }
}

/* Sets the lengths of segments for the random initial point k. The sum of the lengths does not change, and some lengths
 * are much shorter than others. The best motions often have short pushes before and after a long time at a limit. From
 * equal lengths, a search often shrinks a short segment to 0, where its u has no effect. */
static void random_lengths(const CtlPlan *plan, int k, double *at) {
  int n = plan_segments(plan), first = plan->lengths;
  double sum = 0, wanted = 0;
  for (int j = first; j < first + n; j++) {
    wanted += at[j];
    at[j] = plan->variable[j].start * pow(LENGTH_SPREAD, number(k, plan->controls + 1 + j));
    sum += at[j];
  }
  for (int j = first; j < first + n && sum > 0; j++)
    at[j] = fmin(fmax(at[j] * wanted / sum, plan->variable[j].lower), plan->variable[j].upper);
}

/* Sets the times of a random start at random places before its T. */
static void random_times(const CtlPlan *plan, int k, double *at) {
  double end = plan->end >= 0 ? at[plan->end] : plan->lengths >= 0 ? 0 : plan->problem.end;
  for (int j = 0; j < plan_segments(plan) && plan->lengths >= 0; j++) end += at[plan->lengths + j];
  for (int j = 0; j < plan->variables; j++) {
    const CtlVariable *v = &plan->variable[j];
    double latest = fmin(fmax(end, v->lower), v->upper);
    if (v->what == CTL_VARY_TIME) at[j] = v->lower + (latest - v->lower) * (1 + number(k, plan->controls + 1 + j)) / 2;
  }
}

static void random_variables(const CtlPlan *plan, int k, double *at) {
  bool wide = plan->lengths >= 0 && k % 4 == 3;
  double spread = pow(wide ? WIDE_SPREAD : TIME_SPREAD, number(k, plan->controls));
  for (int j = 0; j < plan->variables; j++) {
    const CtlVariable *v = &plan->variable[j];
    double random = number(k, plan->controls + 1 + j), across = v->upper - v->lower, size = variable_size(plan, v);
    double value = isfinite(across) ? v->lower + across * (1 + random) / 2 : v->start + size * random;
    if (v->what == CTL_VARY_END) value = v->start * spread;
    if (v->what == CTL_VARY_LENGTH) value = v->start * spread * (1 + random / 2);
    /* A dof with friction may stick at first or slip at first. Random starts with an even number keep the start value
     * of v0; those with an odd number get a random v0. */
    if (step_rule(plan, v) == CTL_STEP_SIDE && k % 2 == 0) value = v->start;
    at[j] = fmin(fmax(value, v->lower), v->upper);
  }
  if (wide) random_lengths(plan, k, at);
  random_times(plan, k, at);
}

static void fill_problem(const CtlPlan *plan, CtlProblem *problem) {
  for (int i = 0; i < plan->controls; i++) {
    problem->lower[i] = plan_bound(plan, 0)[i];
    problem->upper[i] = plan_bound(plan, 1)[i];
    problem->start[i] = fmin(fmax(plan_start(plan)[i], problem->lower[i]), problem->upper[i]);
    problem->size[i] = plan_control_size(plan, i);
  }
  for (int k = 0; k < plan->variables; k++) {
    const CtlVariable *v = &plan->variable[k];
    int i = plan->controls + k;
    problem->lower[i] = v->lower;
    problem->upper[i] = v->upper;
    problem->start[i] = v->start;
    problem->size[i] = variable_size(plan, v);
    problem->rules[i] = step_rule(plan, v);
  }
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    CtlRole role = q->read == CTL_READ_FUEL ? CTL_ROLE_MAGNITUDE : q->role;
    for (int i = plan->first[k]; i < plan->first[k + 1]; i++)
      stiction_control_set_role(problem, i, role, q->target, q->tolerance);
  }
}

SimStatus ctl_plan_problem_starts(const CtlPlan *plan, CtlProblem *problem, int count) {
  size_t n = (size_t)plan->n;
  double *starts = realloc(problem->starts, (size_t)count * n * sizeof *starts);
  if (!starts) return SIM_NO_MEMORY;
  problem->starts = starts;
  problem->start_count = count;
  for (int k = 0; k < count; k++) {
    double *start = starts + (size_t)k * n;
    random_controls(plan, k, start);
    random_variables(plan, k, start + plan->controls);
  }
  return SIM_OK;
}

SimStatus ctl_plan_problem(CtlPlan *plan, CtlProblem *problem) {
  SimStatus status = ctl_problem_init_values(problem, plan->n, plan->m);
  if (status != SIM_OK) return status;
  problem->rules = calloc((size_t)plan->n, sizeof *problem->rules);
  status = problem->rules ? ctl_plan_problem_starts(plan, problem, STARTS) : SIM_NO_MEMORY;
  if (status != SIM_OK) {
    ctl_problem_clear(problem);
    return status;
  }
  problem->plan = plan;
  problem->derivatives = plan->derivatives;
  problem->curvature = plan->curvature;
  problem->method = ctl_method_find("auto");
  fill_problem(plan, problem);
  return SIM_OK;
}
