/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/plans/trial.h"

#include "bench/plans/retrace.h"
#include "bench/tools/measure.h"
#include "src/file/sections/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Makes the plan of a trial after its problem has been read. */
static int make_plan(const char *name, Diagnostics *diagnostics, Trial *trial) {
  SimStatus status = trial->problem.plan ? motion_plan_create(&trial->problem, NULL, &trial->plan) : SIM_BAD_PROBLEM;
  if (status == SIM_OK) status = motion_plan_search(&trial->problem, trial->plan, &trial->search);
  if (status == SIM_OK) return 0;
  ctl_plan_destroy(trial->plan);
  problem_clear(&trial->problem);
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "%s: no plan", name);
}

int trial_open(const char *name, const char *text, char *const *settings, int n, Diagnostics *diagnostics,
               Trial *trial) {
  const ModelRanks alone = {.copies = 1};
  *trial = (Trial){.plan = NULL};
  int code = problem_text_read(name, text, strlen(text), settings, n, &alone, diagnostics, &trial->problem);
  return code ? code : make_plan(name, diagnostics, trial);
}

int trial_open_file(const char *path, char *const *settings, int n, Diagnostics *diagnostics, Trial *trial) {
  *trial = (Trial){.plan = NULL};
  int code = problem_file_read(path, settings, n, true, diagnostics, &trial->problem);
  return code ? code : make_plan(path, diagnostics, trial);
}

void trial_close(Trial *trial) {
  ctl_problem_clear(&trial->search);
  ctl_plan_destroy(trial->plan);
  problem_clear(&trial->problem);
}

/* Runs a search from one start point only. */
static bool search_from(const Trial *trial, const double *start, CtlState *state, double *point) {
  CtlProblem problem = trial->search; /* a copy of the problem with another start; it borrows everything else */
  CtlSearch *search = NULL;
  problem.start = (double *)start;
  problem.local_starts = 1;
  problem.restarts = 0;
  if (stiction_asktell_create(&problem, &search) != CTL_OK) return false;
  const CtlEvaluator evaluator = ctl_plan_evaluator(trial->plan);
  bool good = ctl_drive_serial(search, &evaluator, NULL, NULL) == 0;
  stiction_asktell_state(search, state);
  memcpy(point, state->control, (size_t)problem.n * sizeof *point);
  stiction_asktell_destroy(search);
  return good;
}

/* Evaluates the sorted objectives f [found->met] of all answers that meet the conditions. */
static void compare_answers(Found *found, double *f) {
  if (found->met == 0) return;
  sort_values(found->met, f);
  double unit = fmax(1, fabs(found->f));
  for (int k = 0; k < found->met; k++) found->near += f[k] - found->f <= 0.01 * unit;
  found->excess = (quantile(found->met, f, 0.5) - found->f) / unit;
}

bool trial_search(const Trial *trial, int starts, Found *found) {
  const CtlProblem *p = &trial->search;
  double f[PLAN_STARTS], evaluations[PLAN_STARTS], *point = malloc((size_t)p->n * sizeof *point);
  *found = (Found){.starts = starts, .f = NAN, .excess = NAN, .point = malloc((size_t)p->n * sizeof *point)};
  bool good = point && found->point;
  for (int k = 0; k < starts && good; k++) {
    CtlState state;
    good = search_from(trial, p->starts + (size_t)k * (size_t)p->n, &state, point);
    if (!good) break;
    evaluations[k] = (double)state.ivps;
    found->evaluations += state.ivps;
    found->failed += !isfinite(state.best);
    if (!ctl_state_meets(p, &state)) continue;
    if (!(state.J >= found->f)) {
      found->f = state.J;
      memcpy(found->point, point, (size_t)p->n * sizeof *point);
    }
    f[found->met++] = state.J;
  }
  free(point);
  if (!good) return false;
  sort_values(starts, evaluations);
  found->median = quantile(starts, evaluations, 0.5);
  compare_answers(found, f);
  return true;
}

void found_clear(Found *found) { free(found->point); }

SimStatus trial_judge(const Trial *trial, const double *point, Verdict *verdict) {
  const MotionPlan *plan = trial->problem.plan;
  CtlQuantityValue *values = calloc((size_t)plan->quantities, sizeof *values);
  double *again = calloc((size_t)plan->quantities, sizeof *again);
  CtlPlanOptimality optimality;
  SimProblem motion;
  *verdict = (Verdict){.name = ""};
  SimStatus status = values && again ? ctl_plan_motion(trial->plan, point, &motion) : SIM_NO_MEMORY;
  if (status != SIM_OK) goto end;
  status = ctl_plan_read(trial->plan, point, values);
  if (status == SIM_OK && !retrace(&trial->problem, &motion, point, again)) status = SIM_NO_MEMORY;
  for (int k = 0; k < plan->quantities && status == SIM_OK; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    double difference = fabs(values[k].value - again[k]) / (1 + fabs(again[k]));
    if (q->role >= CTL_ROLE_EQUAL) verdict->miss = fmax(verdict->miss, values[k].miss / ctl_quantity_tolerance(q));
    if (q->role == CTL_ROLE_OBJECTIVE) verdict->f += q->weight * again[k];
    if (q->role == CTL_ROLE_RESIDUAL) verdict->f += q->weight * (again[k] - q->target) * (again[k] - q->target);
    if (!(difference <= verdict->difference)) {
      verdict->difference = difference;
      verdict->name = q->name;
    }
  }
  sim_problem_clear(&motion);
  if (status == SIM_OK && ctl_plan_optimality(trial->plan, &trial->search, point, &optimality, values) == SIM_OK) {
    verdict->vertex = optimality.vertex;
    verdict->local_minimum = optimality.all.local_minimum;
    ctl_plan_optimality_clear(&optimality);
  }
end:
  free(values);
  free(again);
  return status;
}
