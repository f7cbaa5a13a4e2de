#include "src/run/rollout_context.h"

#include "src/base/exit_code.h"

#include <stdlib.h>
#include <string.h>

static void take_report(void *context, const char *key, const char *text) {
  diagnostics_error(context, EXIT_USAGE, "%s: %s", key, text);
}

/* Memory for the final state; NULL whole where the state is all of it. */
static bool reserve(Replay *replay, const SimProblem *problem) {
  const SimRows rows = sim_problem_rows(problem);
  bool together = rows.count < rows.d && rows.d <= SUMMARY_STATE_MAX;
  replay->state = calloc(2 * (size_t)rows.count, sizeof(double));
  if (together) replay->whole = calloc(2 * (size_t)rows.d, sizeof(double));
  replay->final = (SimFinal){.x = replay->state, .v = replay->state + rows.count};
  return replay->state && (replay->whole || !together);
}

int replay_prepare(Replay *replay, const SimProblem *problem, Diagnostics *diagnostics) {
  *replay = (Replay){0};
  bool missing = !reserve(replay, problem);
  SimStatus status = sim_group_agree(sim_problem_rows(problem).group, missing) ? SIM_NO_MEMORY : SIM_OK;
  if (status == SIM_OK) status = sim_model_create(problem, &(SimReport){diagnostics, take_report}, &replay->model);
  if (status == SIM_OK) status = sim_workspace_create(replay->model, &replay->work);
  if (status == SIM_OK) return 0;
  replay_release(replay);
  if (status == SIM_BAD_PROBLEM) return EXIT_USAGE;
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "%s", sim_status_text(status));
}

int replay_set_kernel(Replay *replay, int kernel) {
  if (kernel < 0) return 0;
  if (!sim_kernel_runs(kernel)) return EXIT_USAGE;
  sim_workspace_set_kernel(replay->work, kernel);
  return 0;
}

void replay_release(Replay *replay) {
  sim_workspace_destroy(replay->work);
  sim_model_destroy(replay->model);
  free(replay->state);
  free(replay->whole);
  *replay = (Replay){0};
}

/* x(T) and v(T) for the summary. */
static void give_state(Replay *replay, const SimProblem *problem, Summary *summary) {
  const SimRows rows = sim_problem_rows(problem);
  size_t d = (size_t)rows.d, count = (size_t)rows.count;
  if (rows.d > SUMMARY_STATE_MAX) return;
  summary->x = replay->final.x;
  summary->v = replay->final.v;
  if (!replay->whole) return;
  memset(replay->whole, 0, 2 * d * sizeof *replay->whole);
  for (size_t k = 0; k < 2; k++)
    memcpy(replay->whole + k * d + rows.first, replay->state + k * count, count * sizeof *replay->state);
  sim_group_sum(rows.group, replay->whole, 2 * rows.d);
  summary->x = replay->whole;
  summary->v = replay->whole + d;
}

int replay_run(Replay *replay, const Results *results, const Problem *problem, const double *u, Summary *summary) {
  Trajectory *trajectory = trajectory_open(results, problem);
  if (!trajectory) return EXIT_INTERNAL;
  const SimObserver *observer = trajectory_observer(trajectory);
  sim_rollout_begin(replay->model, replay->work, u, observer);
  sim_rollout_run_to(replay->model, replay->work, observer, problem->sim.steps);
  return replay_end(replay, problem, trajectory, summary);
}

int replay_end(Replay *replay, const Problem *problem, Trajectory *trajectory, Summary *summary) {
  sim_rollout_end(replay->model, replay->work, &replay->final);
  summary->energy = trajectory_energy(trajectory);
  summary->final = &replay->final;
  give_state(replay, &problem->sim, summary);
  return trajectory_close(trajectory, true) ? EXIT_INTERNAL : 0;
}
