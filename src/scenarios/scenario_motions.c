#include "src/scenarios/scenario_motions.h"

#include "src/process/interruption.h"

#include <math.h>

static SimStatus open_run(const SimProblem *problem, SimModel **model, SimWorkspace **work) {
  SimStatus status = sim_model_create(problem, NULL, model);
  if (status == SIM_OK) status = sim_workspace_create(*model, work);
  if (status == SIM_OK) interruption_watch_evaluation(*work);
  return status;
}

int scenario_motions_together(const SimProblem *problem) {
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  bool lanes = open_run(problem, &model, &work) == SIM_OK && sim_batch_lanes(model, work) > 1;
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  return lanes ? SCENARIO_MOTIONS_MOST : 1;
}

SimStatus scenario_motions(const SimProblem *problems, int n, long stride, const double *control, double *states) {
  SimModel *models[SCENARIO_MOTIONS_MOST] = {NULL};
  SimWorkspace *works[SCENARIO_MOTIONS_MOST] = {NULL};
  SimRun runs[SCENARIO_MOTIONS_MOST] = {{NULL}};
  SimFinal finals[SCENARIO_MOTIONS_MOST];
  int d = problems->d, good = 0;
  SimStatus status = SIM_OK;
  for (int k = 0; k < n; k++) {
    double *state = states + k * stride * 2 * d;
    SimStatus opened = open_run(&problems[k * stride], &models[k], &works[k]);
    for (int i = 0; i < 2 * d; i++) state[i] = NAN;
    if (opened == SIM_NO_MEMORY) status = opened;
    if (opened != SIM_OK) continue;
    runs[good] = (SimRun){models[k], works[k], control};
    finals[good++] = (SimFinal){.x = state, .v = state + d};
  }
  sim_batch_models(good, runs, finals);
  for (int k = 0; k < good; k++)
    for (int i = 0; i < 2 * d; i++) {
      double *number = &finals[k].x[i]; /* v follows on x */
      *number = finals[k].status == SIM_OK && isfinite(*number) ? *number + 0.0 : (double)NAN;
    }
  for (int k = 0; k < n; k++) {
    sim_workspace_destroy(works[k]);
    sim_model_destroy(models[k]);
  }
  return status;
}
