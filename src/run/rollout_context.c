/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/rollout_context.h"

#include "control/base/clock.h"
#include "src/process/interruption.h"

#include <stdlib.h>

static void take_report(void *context, const char *key, const char *text) {
  diagnostics_error(context, EXIT_USAGE, "%s: %s", key, text);
}

/* Allocates the arrays for the final state. The array `whole` is NULL if this rank has all rows, and on all ranks but
 * the first. */
static bool reserve(RolloutContext *rollout, const SimProblem *problem) {
  const SimRows rows = sim_problem_rows(problem);
  bool together = rows.count < rows.d && stiction_group_rank(rows.group) == 0;
  rollout->state = calloc(2 * (size_t)rows.count, sizeof(double));
  if (together) rollout->whole = calloc(2 * (size_t)rows.d, sizeof(double));
  rollout->final = (SimFinal){.x = rollout->state, .v = rollout->state + rows.count};
  return rollout->state && (rollout->whole || !together);
}

int rollout_context_prepare(RolloutContext *rollout, const SimProblem *problem, Diagnostics *diagnostics) {
  *rollout = (RolloutContext){0};
  bool missing = !reserve(rollout, problem);
  SimStatus status = sim_group_agree(sim_problem_rows(problem).group, missing) ? SIM_NO_MEMORY : SIM_OK;
  if (status == SIM_OK)
    status = stiction_model_create(problem, &(SimReport){diagnostics, take_report}, &rollout->model);
  if (status == SIM_OK) status = stiction_workspace_create(rollout->model, &rollout->work);
  if (status == SIM_OK) interruption_watch(rollout->work);
  if (status == SIM_OK) return 0;
  rollout_context_release(rollout);
  if (status == SIM_BAD_PROBLEM) return EXIT_USAGE;
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "%s", stiction_status_text(status));
}

int rollout_context_set_kernel(RolloutContext *rollout, int kernel) {
  if (kernel < 0) return 0;
  if (!sim_kernel_runs(kernel)) return EXIT_USAGE;
  sim_workspace_set_kernel(rollout->work, kernel);
  return 0;
}

int rollout_context_examine(RolloutContext *rollout, const Problem *problem, Diagnostics *diagnostics) {
  if (problem) problem_originals(problem, &rollout->originals);
  SimStatus status = sim_workspace_examine(rollout->work, problem ? &rollout->originals.functions : NULL);
  return status == SIM_NO_MEMORY ? diagnostics_no_memory(diagnostics) : 0;
}

void rollout_context_release(RolloutContext *rollout) {
  stiction_workspace_destroy(rollout->work);
  stiction_model_destroy(rollout->model);
  peaks_free(rollout->peaks);
  free(rollout->state);
  free(rollout->whole);
  *rollout = (RolloutContext){0};
}

const double *rollout_context_state(RolloutContext *rollout, const SimProblem *problem) {
  const SimRows rows = sim_problem_rows(problem);
  size_t d = (size_t)rows.d, count = (size_t)rows.count;
  if (rows.count == rows.d) return rollout->state;
  for (size_t k = 0; k < 2; k++)
    sim_group_gather(rows.group, sizeof *rollout->state, rows.count, rollout->state + k * count,
                     rollout->whole ? rollout->whole + k * d : NULL);
  return rollout->whole;
}

/* Sets x and v of the summary to x(T) and v(T), unless there are too many degrees of freedom, and the distances from
 * the target. */
static void give_state(RolloutContext *rollout, const Problem *problem, Summary *summary) {
  const double *state = rollout_context_state(rollout, &problem->sim);
  if (!state) return;
  if (problem->has_control) ctl_errors(&problem->control, state, state + problem->sim.d, summary->misses);
  if (problem->sim.d > SUMMARY_STATE_MAX) return;
  summary->x = state;
  summary->v = state + problem->sim.d;
}

int rollout_context_run(RolloutContext *rollout, const Results *results, const Problem *problem, const double *control,
                        Summary *summary) {
  Trajectory *trajectory = trajectory_open(results, problem);
  if (!trajectory) return EXIT_INTERNAL;
  const SimObserver *observer = trajectory_observer(trajectory);
  int code = rollout_context_examine(rollout, problem, results->diagnostics);
  if (!code) {
    sim_rollout_begin(rollout->model, rollout->work, control, observer);
    sim_rollout_run_to(rollout->model, rollout->work, observer, problem->sim.steps);
    code = rollout_context_end(rollout, problem, trajectory, summary);
    rollout_context_examine(rollout, NULL, NULL);
  } else
    trajectory_close(trajectory, false);
  return code;
}

int rollout_context_end(RolloutContext *rollout, const Problem *problem, Trajectory *trajectory, Summary *summary) {
  sim_rollout_end(rollout->model, rollout->work, &rollout->final);
  summary->energy = trajectory_energy(trajectory);
  summary->final = &rollout->final;
  peaks_free(rollout->peaks);
  summary->peaks = rollout->peaks = trajectory_take_peaks(trajectory);
  give_state(rollout, problem, summary);
  bool stopped = rollout->final.status == SIM_CANCELLED;
  if (trajectory_close(trajectory, !stopped)) return EXIT_INTERNAL;
  if (stopped) return EXIT_STOPPED;
  return rollout->final.status == SIM_OK ? solver_error(rollout, problem, summary->control, &summary->solver_error) : 0;
}

int rollout_context_write(const Results *results, Summary *summary, double begun, char why[MOTION_FAILURE_SIZE]) {
  RolloutContext rollout;
  int code = rollout_context_prepare(&rollout, &summary->problem->sim, results->diagnostics);
  *why = '\0';
  if (code) return code;
  summary->kernel = sim_batch_kernel(rollout.model, rollout.work);
  code = rollout_context_run(&rollout, results, summary->problem, summary->control, summary);
  summary->wall = ctl_seconds() - begun;
  if (!code && summary_write(results, summary)) code = EXIT_INTERNAL;
  if (!code && rollout.final.status != SIM_OK) motion_failure_text(&summary->problem->labels, &rollout.final, why);
  rollout_context_release(&rollout);
  return code;
}
