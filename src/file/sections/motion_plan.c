/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks motion plans (motion_plan.h) after reading, and makes their start values and search problems. */
#include "src/file/sections/motion_plan_read.h"

#include "src/file/model/mechanism.h"
#include "src/file/sections/resolve.h"
#include "src/file/sections/saved_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void motion_plan_destroy(MotionPlan *plan) {
  if (!plan) return;
  for (size_t k = 0; k < plan->n_weights; k++) free(plan->weights[k]);
  for (size_t k = 0; k < plan->n_references; k++) expression_destroy(plan->references[k].function);
  free(plan->weights);
  free(plan->references);
  for (size_t k = 0; k < plan->n_places; k++) mechanism_places_destroy(plan->places[k]);
  free(plan->places);
  free(plan->variable);
  free(plan->quantity);
  free(plan->initial);
  free(plan->around);
  json_decref(plan->written);
  free(plan);
}

int motion_plan_first(const MotionPlan *plan, CtlVary what) {
  for (int k = 0; k < plan->variables; k++)
    if (plan->variable[k].what == what) return k;
  return -1;
}

bool motion_plan_varies_end(const MotionPlan *plan) { return plan->step > 0; }

const char *motion_plan_sign(CtlRole role) {
  return role == CTL_ROLE_EQUAL ? "=" : role == CTL_ROLE_AT_MOST ? "<=" : role == CTL_ROLE_AT_LEAST ? ">=" : "";
}

const char *motion_plan_role(CtlRole role) {
  static const char *const names[] = {[CTL_ROLE_OBJECTIVE] = "objective",
                                      [CTL_ROLE_RESIDUAL] = "residual",
                                      [CTL_ROLE_EQUAL] = "equal",
                                      [CTL_ROLE_AT_MOST] = "at_most",
                                      [CTL_ROLE_AT_LEAST] = "at_least"};
  return names[role];
}

CtlStatistic motion_plan_statistic(const Problem *problem) {
  return problem->plan ? problem->plan->statistic : problem->control.statistic;
}

const char *motion_plan_objective(const MotionPlan *plan) {
  return sim_parameter_word(sim_parameter_find(control_parameters, "objective"), (int)plan->statistic);
}

SimStatus motion_plan_create(const Problem *problem, const SimReport *report, CtlPlan **plan) {
  const CtlProblem *control = &problem->control;
  const CtlPlanSetting setting = {.problem = &problem->sim,
                                  .variables = problem->plan->variables,
                                  .variable = problem->plan->variable,
                                  .quantities = problem->plan->quantities,
                                  .quantity = problem->plan->quantity,
                                  .weight = control->weight,
                                  .lower = control->lower,
                                  .upper = control->upper,
                                  .start = control->start,
                                  .around = problem->plan->around};
  return ctl_plan_create(&setting, report, plan);
}

SimStatus motion_plan_search(const Problem *problem, CtlPlan *plan, CtlProblem *search) {
  SimStatus status = ctl_plan_problem(plan, search);
  if (status != SIM_OK) return status;
  for (const SimParameter *row = ctl_values_search_parameters; row->key; row++)
    if (row->size && row->extent == SIM_ONE) sim_parameter_set(row, search, sim_parameter_get(row, &problem->control));
  int others = search->local_starts - 1; /* number of random starts besides control.start */
  status = others > search->start_count ? ctl_plan_problem_starts(plan, search, others) : SIM_OK;
  if (status != SIM_OK) ctl_problem_clear(search);
  return status;
}

void motion_plan_start(const Problem *problem, double *point) {
  int n = problem->control.n;
  memcpy(point, problem->control.start, (size_t)n * sizeof *point);
  for (int k = 0; k < problem->plan->variables; k++) point[n + k] = problem->plan->variable[k].start;
}

SimStatus motion_plan_motion(const Problem *problem, const CtlPlan *plan, const double *point, SimProblem *motion) {
  static const double ROUNDED = 1e-9;
  SimStatus status = ctl_plan_motion(plan, point, motion);
  if (status != SIM_OK || !motion_plan_varies_end(problem->plan) || motion->force) return status;
  motion->steps = (long)fmax(1, ceil(motion->end / problem->plan->step - ROUNDED));
  motion->step = motion->end / (double)motion->steps;
  status = sim_problem_finalize_like(motion, &problem->sim, NULL);
  if (status != SIM_OK) sim_problem_clear(motion);
  return status;
}

/* If control.start names a results directory, takes from there not only u but also T, the lengths of segments and the
 * initial state as start values. */
static void take_start(Problem *problem) {
  SavedMotion saved;
  if (!problem->start_from) return;
  saved_motion_read(problem->start_from, &saved);
  saved_motion_start(&saved, problem->plan, problem->sim.segments, true);
  saved_motion_clear(&saved);
}

/* Marks the keys of plans as looked up if the file has no plan. Messages about unknown keys then suggest the right
 * key. */
static void pass(Reader *reader, Node *section) {
  static const char *const keys[] = {"minimize", "limits", "initial", "periodic"}, *const ends[] = {
                                                                                       "via", "combinations", "points"};
  Node *target = key_get(reader, section, "target"), *signal = key_get(reader, section, "signal");
  for (int k = 0; k < 4; k++) key_get(reader, section, keys[k]);
  for (int k = 0; k < 3; k++) key_get(reader, target, ends[k]);
  key_get(reader, signal, "lengths");
}

void planned_read_control(Reader *reader, Node *section) {
  if (!reader->problem->plan) {
    pass(reader, section);
    return;
  }
  size_t mistakes = reader->diagnostics->count;
  CtlProblem *control = &reader->problem->control;
  reader->problem->plan->statistic = control->statistic;
  control->statistic = CTL_NOMINAL; /* which is of the misses of a target, by other methods */
  planned_read_minimize(reader, section);
  planned_read_limits(reader, section);
  planned_find_end(reader, section);
  planned_check_references(reader);
  planned_read_ends(reader, section);
  take_start(reader->problem);
  if (reader->diagnostics->count == mistakes) planned_tell(reader->problem);
}

/* Checking a plan as a whole --------------------------------------------------------------------------------------- */

/* Passes on diagnostics about the control, except three kinds. A plan need not have the key control.target;
 * control.effort_at_most is reported by refuse_others; and the section search is checked for the variables of the
 * plan. */
static void take_control(void *context, const char *key, const char *text) {
  if (strcmp(key, "control.target") != 0 && strcmp(key, "control.effort_at_most") != 0 &&
      strncmp(key, "search.", 7) != 0)
    take_diagnostic(context, key, text);
}

/* Checks bounds, weight and start of u, as for a problem without a plan. The keys of the section search are checked
 * later, with the search problem of the plan. */
static void check_controls(Reader *reader, const SimReport *report) {
  CtlProblem checked = reader->problem->control;
  const SimReport rest = {report->context, take_control};
  sim_parameters_set_defaults(ctl_search_parameters, &checked);
  note_memory(reader, (SimStatus)stiction_control_check(&checked, &rest));
}

/* Passes on a diagnostic of the control library about a plan. It names variables and quantities, which are translated
 * to keys. */
static void take_plan(void *context, const char *key, const char *text) {
  const Checking *checking = context;
  bool own = strcmp(key, "variables") == 0 || strcmp(key, "quantities") == 0;
  char name[CTL_NAME_SIZE], path[NODE_PATH_SIZE];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
  snprintf(path, sizeof path, "control.%s", name);
  const Document *document = checking->reader->document;
  if (own && (document_find(document, name) || document_find(document, path))) /* the key contains the name */
    planned_error(checking->reader, name, text + strlen(name) + strspn(text + strlen(name), ": "));
  else if (own)
    planned_error(checking->reader, name, text);
  else
    take_diagnostic(context, key, text);
}

static void check_plan(Reader *reader, const SimReport *report) {
  const SimReport own = {report->context, take_plan};
  CtlPlan *plan = NULL;
  CtlProblem search;
  SimStatus status = motion_plan_create(reader->problem, &own, &plan);
  if (status == SIM_OK && (status = motion_plan_search(reader->problem, plan, &search)) == SIM_OK) {
    note_memory(reader, (SimStatus)stiction_control_check(&search, report));
    reader->problem->control.scheme_size = ctl_problem_scheme_size(&search);
    ctl_problem_clear(&search);
  }
  if (status == SIM_BAD_PROBLEM && !reader->diagnostics->errors)
    key_error(reader, "control", "the motion from where the search begins has no model");
  note_memory(reader, status);
  ctl_plan_destroy(plan);
}

/* Returns the first key of a plan that only schemes without time steps support, since it needs a value between the
 * steps or times that vary; NULL if there is none. */
static const char *key_on_the_way(const MotionPlan *plan) {
  if (motion_plan_first(plan, CTL_VARY_LENGTH) >= 0) return "control.signal.lengths";
  if (motion_plan_varies_end(plan)) return "time.end: free";
  for (int k = 0; k < plan->quantities; k++) {
    const SimQuantity *of = &plan->quantity[k].of;
    if (plan->quantity[k].read != CTL_READ_MOTION) continue;
    if (of->way == SIM_AT_TIME) return "control.target.via";
    if (of->way == SIM_LARGEST) return "control.limits";
  }
  return NULL;
}

bool motion_plan_takes(const MotionPlan *plan, const SimScheme *scheme) {
  return sim_scheme_moves_end(scheme) || (!key_on_the_way(plan) && !sim_scheme_by_events(scheme));
}

/* Reports the scheme if it cannot compute the plan. */
static void refuse_scheme(Reader *reader) {
  const SimProblem *sim = &reader->problem->sim;
  const char *key = key_on_the_way(reader->problem->plan);
  if (motion_plan_takes(reader->problem->plan, sim->scheme) || is_wrong(reader, "scheme") || is_wrong(reader, "model"))
    return;
  if (key && !sim_scheme_moves_end(sim_scheme_for(sim->kind, "event")))
    key_error(reader, "model.kind", "%s with %s (expected friction, chain or mechanism)", reader->problem->kind->name,
              key);
  else if (key)
    key_error(reader, "scheme.name", "%s with %s (expected event: its motions have exact times and extremes)",
              sim_scheme_name(sim->scheme), key);
  else
    key_error(reader, "scheme.name", "event of a %s with %s (expected a scheme with steps: backward_euler)",
              reader->problem->kind->name, motion_plan_key(reader->document));
}

/* Reports keys that are not allowed in motion plans but only in problems of least effort at a given T. */
static void refuse_others(Reader *reader) {
  const Problem *problem = reader->problem;
  const CtlProblem *control = &problem->control;
  const char *key = motion_plan_key(reader->document);
  if (problem->plan->statistic == CTL_QUANTILE) {
    key_error(reader, "control.objective", "a quantile with %s (expected worst_case, mean or nominal)", key);
    problem->plan->statistic = CTL_NOMINAL; /* so that no other error follows */
  }
  for (int j = 0; j < control->p; j++)
    if (isfinite(control->rate[j]) && !is_wrong(reader, "control.bounds")) {
      key_error(reader, "control.bounds.rate", "with %s (expected none: a piecewise linear signal has no jumps)", key);
      break;
    }
  if (control->effort_at_most > 0)
    key_error(reader, "control.effort_at_most", "with %s (expected a weight of effort in control.minimize)", key);
  if (problem->refine_to > problem->sim.segments)
    key_error(reader, "control.signal.refine_to", "with %s (expected none: give more segments)", key);
  if (problem->output_verify && document_find(reader->document, "output.verify"))
    key_error(reader, "output.verify", "with %s (expected no: %s)", key,
              sim_scheme_by_events(problem->sim.scheme) ? "this motion is by event already"
                                                        : "a search by the scheme event shows what the steps add");
  if (document_find(reader->document, "identify"))
    key_error(reader, "identify", "with %s (expected a file of its own: its motion has a given T)", key);
}

/* Reports quantities that cannot be the same in all scenarios. */
static void refuse_equal(Reader *reader) {
  const Problem *problem = reader->problem;
  const MotionPlan *plan = problem->plan;
  for (int k = 0; k < plan->quantities && plan->statistic != CTL_NOMINAL; k++) {
    const char *text = ctl_robust_misfit(&problem->sim, &plan->quantity[k]);
    if (text) planned_error(reader, plan->quantity[k].name, text);
  }
}

void planned_check(Reader *reader, const SimReport *report) {
  if (!reader->problem->has_control) {
    if (!is_wrong(reader, "control"))
      key_error(reader, "control", "missing (expected what to control: T is to be found)");
    return;
  }
  check_controls(reader, report);
  refuse_scheme(reader);
  refuse_others(reader);
  refuse_equal(reader);
  check_objective(reader);
  reader->problem->output_verify = false; /* the motion found minimises the cost of the steps, not that of the exact
                                           * motion, so their comparison would mislead */
  if (!reader->diagnostics->errors && !reader->diagnostics->no_memory) check_contradictions(reader);
  if (!reader->diagnostics->errors && !reader->diagnostics->no_memory) check_plan(reader, report);
}

void planned_refuse_search(Reader *reader, Node *section) {
  for (const SimParameter *row = ctl_search_parameters; row->key; row++) {
    if (sim_parameter_find(ctl_values_search_parameters, row->key)) continue;
    Node *node = section ? key_get(reader, section, row->key) : NULL;
    if (!node) continue;
    node->ignored = true;
    value_error(reader, node, "with %s (expected no such key: it is for least effort to a target at a given T)",
                motion_plan_key(reader->document));
  }
}
