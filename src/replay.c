#include "src/replay.h"

#include "src/exit_code.h"

#include <stdlib.h>

static void complain(void *context, const char *key, const char *text) {
  if (context) fprintf(context, "stiction: %s: %s\n", key, text);
}

int replay_prepare(Replay *replay, const SimProblem *problem, FILE *errors) {
  *replay = (Replay){0};
  replay->state = calloc(2 * (size_t)problem->d, sizeof(double));
  SimStatus status = replay->state ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) status = sim_model_create(problem, &(SimReport){errors, complain}, &replay->model);
  if (status == SIM_OK) status = sim_workspace_create(replay->model, &replay->work);
  if (status == SIM_OK) {
    replay->final = (SimFinal){.x = replay->state, .v = replay->state + problem->d};
    return 0;
  }
  replay_release(replay);
  if (status == SIM_BAD_PROBLEM) return EXIT_USAGE;
  if (errors) fprintf(errors, "stiction: %s\n", sim_status_text(status));
  return EXIT_INTERNAL;
}

void replay_release(Replay *replay) {
  sim_workspace_destroy(replay->work);
  sim_model_destroy(replay->model);
  free(replay->state);
  *replay = (Replay){0};
}

int replay_run(Replay *replay, const Results *results, const Problem *problem, const double *u, Summary *summary) {
  Trajectory *trajectory = trajectory_open(results, &problem->sim, problem->output_every);
  if (!trajectory) return EXIT_INTERNAL;
  const SimObserver *observer = trajectory_observer(trajectory);
  sim_rollout_begin(replay->model, replay->work, u, observer);
  sim_rollout_run_to(replay->model, replay->work, observer, problem->sim.steps);
  return replay_end(replay, trajectory, summary);
}

int replay_end(Replay *replay, Trajectory *trajectory, Summary *summary) {
  sim_rollout_end(replay->model, replay->work, &replay->final);
  summary->energy = trajectory_energy(trajectory);
  summary->x = replay->final.x;
  summary->v = replay->final.v;
  summary->final = &replay->final;
  return trajectory_close(trajectory) ? EXIT_INTERNAL : 0;
}
