/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/plan_results.h"

#include "control/base/clock.h"
#include "src/base/json_values.h"
#include "src/process/stop_signal.h"
#include "src/results/motion_failure.h"
#include "src/results/summary.h"
#include "src/run/motion_effort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool plan_answer_met(const SearchRun *run, const PlanAnswer *answer) {
  return answer->there && ctl_state_meets(&run->sought, &answer->state);
}

static bool is_periodic(const MotionPlan *plan) {
  static const char begins[] = "periodic.";
  for (int k = 0; k < plan->quantities; k++)
    if (strncmp(plan->quantity[k].name, begins, sizeof begins - 1) == 0) return true;
  return false;
}

/* Computes the Floquet multipliers of a periodic motion. If this fails, none are reported. */
static void find_multipliers(const SearchRun *run, PlanAnswer *answer) {
  if (!is_periodic(run->problem.plan)) return;
  answer->floquet = malloc(4 * (size_t)run->problem.sim.d * sizeof *answer->floquet);
  if (!answer->floquet || ctl_plan_floquet(run->plan, answer->state.control, answer->floquet) == SIM_OK) return;
  free(answer->floquet);
  answer->floquet = NULL;
}

static void see_step(void *context, const SimStep *step) {
  PlanAnswer *answer = context;
  const SimProblem *motion = &answer->motion;
  if (answer->moves) return;
  for (int i = 0; i < motion->d; i++) answer->moves |= step->x[i] != motion->x0[i] || step->v[i] != 0;
  if (!answer->moves) answer->rest = step->t;
}

/* Finds the time until which nothing moves, and stores it in answer->rest. */
static SimStatus find_rest(PlanAnswer *answer) {
  size_t d = (size_t)answer->motion.d;
  double *state = calloc(2 * d, sizeof *state);
  if (!state) return SIM_NO_MEMORY;
  SimFinal final = {.x = state, .v = state + d};
  const SimObserver observer = {.context = answer, .step = see_step};
  SimStatus status = stiction_simulate(&answer->motion, answer->state.control, &observer, &final);
  free(state);
  return status;
}

/* Reads the quantities with the numbers of the file and, of a robust plan, in all scenarios. */
static SimStatus read_values(const SearchRun *run, PlanAnswer *answer) {
  const MotionPlan *plan = run->problem.plan;
  const double *point = answer->state.control;
  SimStatus status = ctl_plan_read(run->plan, point, answer->nominal);
  memcpy(answer->values, answer->nominal, (size_t)plan->quantities * sizeof *answer->values);
  if (status != SIM_OK || !run->robust.robust) return status;
  return robust_answer_find(&run->robust, plan, point, &answer->robust, answer->values);
}

static SimStatus judge(const SearchRun *run, PlanAnswer *answer) {
  const double *point = answer->state.control;
  if (run->robust.robust)
    return robust_answer_judge(&answer->robust, &run->sought, point, &answer->optimality, answer->values);
  return ctl_plan_optimality(run->plan, &run->sought, point, &answer->optimality, answer->values);
}

int plan_answer_find(SearchRun *run, PlanAnswer *answer) {
  const Problem *problem = &run->problem;
  *answer = (PlanAnswer){.judged = SIM_NOT_FINISHED, .J = NAN};
  stiction_asktell_state(run->search, &answer->state);
  const double *point = answer->state.control;
  answer->values = diagnostics_calloc(run->diagnostics, 2 * (size_t)problem->plan->quantities, sizeof *answer->values);
  if (!answer->values) return EXIT_INTERNAL;
  answer->nominal = answer->values + problem->plan->quantities;
  if (!isfinite(answer->state.best)) return 0;
  SimStatus status = motion_plan_motion(problem, run->plan, point, &answer->motion);
  answer->there = status == SIM_OK;
  if (status == SIM_OK && (status = read_values(run, answer)) == SIM_OK) {
    answer->J = motion_effort(problem, &answer->motion, point);
    status = find_rest(answer);
    find_multipliers(run, answer);
    if (plan_answer_met(run, answer)) answer->judged = judge(run, answer);
  }
  /* T exceeds time.end.at_most, up to which forces as functions of t are known, so the point has no motion */
  if (status == SIM_BAD_PROBLEM && answer->there) {
    sim_problem_clear(&answer->motion);
    answer->there = false;
  }
  if (answer->judged == SIM_CANCELLED) return EXIT_STOPPED;
  if (status == SIM_NO_MEMORY) return diagnostics_no_memory(run->diagnostics);
  if (status != SIM_OK || !problem->scenarios) return 0;
  return plan_scenarios_find(&run->scenarios, point, answer->nominal, &run->progress, run->diagnostics,
                             &answer->scenarios);
}

void plan_answer_clear(PlanAnswer *answer) {
  free(answer->floquet);
  if (answer->there) sim_problem_clear(&answer->motion);
  if (answer->judged == SIM_OK) ctl_plan_optimality_clear(&answer->optimality);
  plan_scenarios_clear(&answer->scenarios);
  robust_answer_clear(&answer->robust);
  free(answer->values);
}

/* Writing summary.json --------------------------------------------------------------------------------------------- */

static json_t *quantities_json(const MotionPlan *plan, const PlanAnswer *answer) {
  const CtlQuantityValue *values = answer->values;
  const RobustAnswer *robust = answer->robust.plan ? &answer->robust : NULL;
  json_t *list = json_array();
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    const CtlQuantityValue *v = &values[k];
    bool aimed = q->role >= CTL_ROLE_EQUAL;
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:o*, s:o*}", "name", q->name, "role",
                                    motion_plan_role(q->role), "value", json_finite(v->value), "target",
                                    q->role == CTL_ROLE_OBJECTIVE ? json_null() : json_finite(q->target), "weight",
                                    aimed ? json_null() : json_finite(q->weight), "at", json_finite(v->time),
                                    "multiplier", aimed ? json_finite(v->multiplier) : json_null(), "active", v->active,
                                    "scenario", robust ? robust_answer_scenario(robust, k) : NULL, "active_in",
                                    robust && aimed ? robust_answer_active(robust, k) : NULL));
  }
  return list;
}

static json_t *optimality_json(const PlanAnswer *answer) {
  static const char *const words[] = {
      [CTL_MINIMUM_UNKNOWN] = "unknown", [CTL_MINIMUM_YES] = "yes", [CTL_MINIMUM_NO] = "no"};
  const CtlPlanOptimality *o = &answer->optimality;
  if (answer->judged != SIM_OK) return NULL;
  return json_pack("{s:o, s:o, s:o*, s:b, s:o, s:s, s:o}", "kkt", json_finite(o->all.kkt), "hamiltonian",
                   json_finite(o->hamiltonian), "lagrangian_by_lengths",
                   o->lengths ? echo_vector(answer->motion.segments, o->lengths) : NULL, "vertex", o->vertex,
                   "reduced_hessian_min", json_finite(o->all.reduced_hessian_min), "local_minimum",
                   words[o->all.local_minimum], "why", json_text(o->all.why));
}

/* Returns the members of `outcome` in summary.json. */
static json_t *members(const SearchRun *run, const PlanAnswer *answer) {
  const Problem *problem = &run->problem;
  const SimProblem *motion = &answer->motion;
  const MotionPlan *plan = problem->plan;
  int n = problem->control.n, times = motion_plan_first(plan, CTL_VARY_TIME), count = 0;
  json_t *object = json_pack("{s:o, s:o, s:b}", "f", json_finite(answer->state.J), "J", json_finite(answer->J), "met",
                             plan_answer_met(run, answer));
  char advice[PLAN_ADVICE_SIZE];
  if (run->easier) json_object_set_new(object, "easier_evaluations", json_integer(run->easier));
  if (run->robust.robust) json_object_set_new(object, "objective", json_string(motion_plan_objective(plan)));
  bool unproven = plan_unproven(run, answer, advice);
  if (unproven || plan_descends(run, answer, advice))
    json_object_set_new(object, unproven ? "unproven" : "advice", json_string(advice));
  if (!answer->there) return object;
  json_object_set_new(object, "end", json_real(motion->end));
  if (motion->start_count) {
    json_t *lengths = json_array();
    for (int k = 0; k < motion->segments; k++)
      json_array_append_new(lengths, json_real(motion->starts[k + 1] - motion->starts[k]));
    json_object_set_new(object, "lengths", lengths);
  }
  if (motion_plan_first(plan, CTL_VARY_POSITION) >= 0 || motion_plan_first(plan, CTL_VARY_VELOCITY) >= 0)
    json_object_set_new(object, "initial",
                        json_pack("{s:o, s:o}", "position", echo_vector(motion->d, motion->x0), "velocity",
                                  echo_vector(motion->d, motion->v0)));
  for (int k = times; k >= 0 && k < plan->variables; k++) count += plan->variable[k].what == CTL_VARY_TIME;
  if (count) json_object_set_new(object, "times", echo_vector(count, answer->state.control + n + times));
  json_object_set_new(object, "quantities", quantities_json(plan, answer));
  if (answer->robust.plan && plan->statistic == CTL_WORST)
    json_object_set_new(object, "worst", robust_answer_worst(&answer->robust));
  if (answer->floquet) json_object_set_new(object, "floquet", echo_rows(2 * motion->d, 2, answer->floquet));
  if (answer->scenarios.set) json_object_set_new(object, "scenarios", plan_scenarios_json(&answer->scenarios));
  json_t *optimality = optimality_json(answer);
  if (optimality) json_object_set_new(object, "optimality", optimality);
  return object;
}

static void take_seconds(const SearchRun *run, Summary *summary) {
  const SearchSpent spent = search_run_spent(run);
  summary->wall = spent.wall;
  summary->times = run->times;
  summary->utilisation = spent.evaluators > 0 ? spent.ivps / spent.evaluators : NAN;
}

int plan_answer_write(SearchRun *run, PlanAnswer *answer) {
  Problem shown = run->problem; /* copy of the problem with the motion of the answer; it borrows everything else */
  Summary summary = {.problem = &shown,
                     .ranks = run->ranks,
                     .kernel = sim_kernel_name(0),
                     .search = &answer->state,
                     .control = answer->there ? answer->state.control : NULL,
                     .utilisation = NAN};
  int code = 0;
  json_t *plan = members(run, answer);
  summary.plan = plan;
  if (answer->there) {
    shown.sim = answer->motion;
    code = rollout_context_prepare(&run->rollout, &shown.sim, run->diagnostics);
    if (!code && stop_signal_seen()) stiction_workspace_interrupt(run->rollout.work, NULL);
    if (!code) code = rollout_context_run(&run->rollout, &run->results, &shown, answer->state.control, &summary);
  }
  if (!code && answer->scenarios.set) code = plan_scenarios_write(&answer->scenarios, &run->results);
  take_seconds(run, &summary);
  if (!code && run->summary_wanted) run->summary = summary_json(&summary);
  if (!code && summary_write(&run->results, &summary)) code = EXIT_INTERNAL;
  json_decref(plan);
  return code;
}

/* Printing the answer ---------------------------------------------------------------------------------------------- */

static void print_control(const SimProblem *motion, const double *u) {
  static const double NOTHING = 1e-14;
  int p = motion->n_control, n = p * (motion->signal == SIM_CONSTANT ? 1 : motion->segments);
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(u[i]));
  printf("u =");
  for (int i = 0; i < n; i++) printf("%s %.8g", i && i % p == 0 ? " |" : "", fabs(u[i]) > NOTHING * most ? u[i] : 0);
  printf("\n");
}

static void print_vector(const char *name, int n, const double *vector) {
  printf("%s =", name);
  for (int i = 0; i < n; i++) printf(" %.10g", vector[i]);
  printf("\n");
}

/* Returns whether T is minimised, alone or together with other costs. */
static bool plan_least_time(const MotionPlan *plan) {
  for (int k = 0; k < plan->quantities; k++)
    if (plan->quantity[k].role == CTL_ROLE_OBJECTIVE && plan->quantity[k].of.way == SIM_END_TIME) return true;
  return false;
}

static void print_motion(const SearchRun *run, const PlanAnswer *answer) {
  static const double ROUNDED = 1e-9;
  const SimProblem *motion = &answer->motion;
  const MotionPlan *plan = run->problem.plan;
  bool greatest = motion_plan_varies_end(plan) && motion->end >= run->problem.sim.end * (1 - ROUNDED);
  static const double SHORT = 0.01; /* shortest rest that is reported, as a fraction of T */
  printf("T = %.10g s%s\n", motion->end, greatest ? ", the greatest that time.end allows (time.end.at_most)" : "");
  if (plan_least_time(plan) && answer->rest > SHORT * motion->end)
    printf("nothing moves before t = %.6g s, though T is minimised: %s may find less\n", answer->rest,
           answer->moves ? "more search.local_starts or control.signal.segments" : "wider control.bounds");
  print_control(motion, answer->state.control);
  if (motion->start_count && motion->segments > 1)
    print_vector("u changes at t", motion->segments - 1, motion->starts + 1);
  if (motion_plan_first(plan, CTL_VARY_POSITION) >= 0) print_vector("x(0)", motion->d, motion->x0);
  if (motion_plan_first(plan, CTL_VARY_VELOCITY) >= 0) print_vector("v(0)", motion->d, motion->v0);
}

static void print_quantity(const MotionPlan *plan, const PlanAnswer *answer, int k) {
  const CtlQuantity *q = &plan->quantity[k];
  const CtlQuantityValue *v = &answer->values[k];
  static const double NOTHING = 1e-13; /* numbers below this count as round-off and are printed as 0 */
  printf("  %-32s %.10g", q->name, fabs(v->value) > NOTHING ? v->value : 0);
  if (q->role >= CTL_ROLE_RESIDUAL)
    printf("  (%s %.10g)", q->role == CTL_ROLE_RESIDUAL ? "near" : motion_plan_sign(q->role), q->target);
  if ((q->of.way == SIM_LARGEST || q->of.way == SIM_AT_TIME) && q->read == CTL_READ_MOTION)
    printf("  at t = %.6g s", v->time);
  if (q->role >= CTL_ROLE_EQUAL && v->miss > ctl_quantity_tolerance(q)) printf("  missed");
  if (answer->robust.plan && answer->robust.scenario[k] >= 0)
    robust_answer_print_active(&answer->robust, k);
  else if (isfinite(v->multiplier) && v->multiplier != 0)
    printf("  multiplier %.6g", v->multiplier);
  printf("\n");
}

/* Prints one line for each quantity: first those that are minimised, then the constraints. Limits that are not reached
 * are left out. */
static void print_quantities(const SearchRun *run, const PlanAnswer *answer) {
  const MotionPlan *plan = run->problem.plan;
  int left_out = 0;
  for (int conditions = 0; conditions < 2; conditions++)
    for (int k = 0; k < plan->quantities; k++) {
      const CtlQuantity *q = &plan->quantity[k];
      const CtlQuantityValue *v = &answer->values[k];
      if ((q->role >= CTL_ROLE_EQUAL) != conditions) continue;
      if (conditions && !v->active && v->miss <= 0)
        left_out++;
      else
        print_quantity(plan, answer, k);
    }
  if (left_out) printf("  %d limit%s not reached\n", left_out, left_out == 1 ? "" : "s");
}

static void print_multipliers(const PlanAnswer *answer) {
  int n = answer->floquet ? 2 * answer->motion.d : 0;
  if (n) printf("Floquet multipliers:");
  for (int i = 0; i < n; i++) {
    const double *one = answer->floquet + 2 * i;
    printf(one[1] != 0 ? " %.6g%+.6gi" : " %.6g", one[0], one[1]);
  }
  if (n) printf("\n");
}

/* Reports conditions that depend on each other, e.g. two equal ones. The multipliers of such conditions are not unique:
 * they may be large with opposite signs. */
static void print_dependence(const SearchRun *run, const PlanAnswer *answer) {
  int active = 0, rank = answer->optimality.all.rank;
  for (int k = 0; k < run->problem.plan->quantities; k++) {
    const CtlQuantityValue *v = &answer->values[k];
    /* only the conditions with a nonzero multiplier are counted: the others are not influenced by any variable */
    active += v->active && isfinite(v->multiplier) && v->multiplier != 0;
  }
  if (rank >= 0 && rank < active)
    printf("%d conditions with a multiplier depend on each other (rank %d): their multipliers are not unique\n", active,
           rank);
}

static void print_optimality(const SearchRun *run, const PlanAnswer *answer) {
  static const char *const words[] = {
      [CTL_MINIMUM_UNKNOWN] = "not known", [CTL_MINIMUM_YES] = "yes", [CTL_MINIMUM_NO] = "no"};
  const CtlPlanOptimality *o = &answer->optimality;
  double most = 0;
  if (answer->judged != SIM_OK) return;
  print_dependence(run, answer);
  printf("kkt = %.1e", o->all.kkt);
  if (isfinite(o->hamiltonian)) printf("   of T (H(T) = 0): %.1e", o->hamiltonian);
  for (int k = 0; k < answer->motion.segments && o->lengths; k++) most = fmax(most, o->lengths[k]);
  if (o->lengths) printf("   of lengths: %.1e", most);
  printf("   local minimum: %s", words[o->all.local_minimum]);
  if (o->vertex) printf(" (a vertex: as many conditions and bounds hold with equality as there are variables)");
  if (o->all.local_minimum == CTL_MINIMUM_UNKNOWN && o->all.why) printf(" (%s)", o->all.why);
  printf("\n");
}

void plan_answer_print(const SearchRun *run, const PlanAnswer *answer) {
  /* number of runs up to which the advice to use more starts is given */
  enum { FEW = 2 };
  const CtlState *s = &answer->state;
  const SearchSpent spent = search_run_spent(run);
  char unproven[PLAN_ADVICE_SIZE];
  printf("%s", run->problem.plan->sentence);
  if (run->robust.robust)
    printf(", %s of %ld scenarios", run->problem.plan->statistic == CTL_MEAN ? "the mean" : "the worst case",
           run->robust.count);
  printf("\n");
  printf("%s%s (%s) after %ld %s: %ld evaluation%s, %ld of them simulated, %ld restart%s\n",
         plan_answer_met(run, answer) ? "conditions met" : "conditions not met",
         plan_unproven(run, answer, unproven) ? ", f not shown to be a minimum" : "", stiction_reason_text(s->reason),
         s->rounds, ctl_method_round(ctl_problem_method(&run->sought), s->rounds != 1), s->evaluations,
         s->evaluations == 1 ? "" : "s", s->ivps, s->restarts, s->restarts == 1 ? "" : "s");
  if (answer->there) {
    printf("f = %.10g   largest miss: %.1e times its tolerance\n", s->J, s->E1);
    print_motion(run, answer);
    print_quantities(run, answer);
    if (answer->robust.plan) robust_answer_print_worst(&answer->robust);
    print_multipliers(answer);
    print_optimality(run, answer);
  }
  if (answer->scenarios.set) plan_scenarios_print(&answer->scenarios);
  if (run->easier) printf("%ld evaluations before that, of easier problems, which give starts\n", run->easier);
  if (s->starts > 1 && !plan_answer_met(run, answer))
    printf("none of %ld starts ended with all conditions met\n", s->starts);
  else if (s->starts > 1)
    printf("%ld of %ld starts ended at this f%s\n", s->reached, s->starts,
           s->reached > FEW ? "" : ": more (search.local_starts) may find less");
  printf("%.2f s on %d rank%s\nresults in %s\n", spent.wall, run->ranks, run->ranks == 1 ? "" : "s",
         run->results.directory);
}

int plan_answer_verdict(const SearchRun *run, const PlanAnswer *answer) {
  const CtlState *s = &answer->state;
  Diagnostics *diagnostics = run->diagnostics;
  if (s->no_memory)
    return diagnostics_error(diagnostics, EXIT_INTERNAL, "out of memory: `stiction resume %s` goes on",
                             run->results.directory);
  if (!answer->there || run->rollout.final.status != SIM_OK) {
    char why[MOTION_FAILURE_SIZE] = "no motion could be evaluated that ends by time.end.at_most";
    if (!motion_plan_varies_end(run->problem.plan)) snprintf(why, sizeof why, "no motion could be evaluated");
    if (answer->there) motion_failure_text(&run->problem.labels, &run->rollout.final, why);
    return diagnostics_error(diagnostics, EXIT_UNSOLVED, "the answer's motion: %s", why);
  }
  if (answer->scenarios.set) plan_scenarios_warn(&answer->scenarios, diagnostics);
  char advice[PLAN_ADVICE_SIZE];
  if (plan_unproven(run, answer, advice))
    diagnostics_warn(diagnostics, "%s", advice);
  else if (plan_descends(run, answer, advice))
    diagnostics_warn(diagnostics, "the answer is not a local minimum: f can fall beside it. %s", advice);
  if (plan_answer_met(run, answer)) return EXIT_DONE;
  int k = plan_answer_worst(run, answer);
  const CtlQuantity *q = k >= 0 ? &run->problem.plan->quantity[k] : NULL;
  plan_advice(run, answer, advice);
  if (!q)
    return diagnostics_error(diagnostics, EXIT_NOT_MET, "no motion found that meets all conditions. Try %s", advice);
  return diagnostics_error(
      diagnostics, EXIT_NOT_MET,
      "no motion found that meets all conditions; of the nearest one, %s is farthest off: %.8g (expected "
      "%s %.8g), a miss of %.3g, %.2g times its tolerance. Try %s",
      q->name, answer->values[k].value, motion_plan_sign(q->role), q->target, answer->values[k].miss,
      answer->values[k].miss / ctl_quantity_tolerance(q), advice);
}
