#include "control/evaluator.h"

static void simulate(void *context, int count, const double *controls, SimFinal *final) {
  const CtlSimulation *simulation = context;
  sim_batch(simulation->model, simulation->work, count, controls, final);
}

CtlEvaluator ctl_simulator(CtlSimulation *simulation) {
  return (CtlEvaluator){.n = sim_model_controls(simulation->model),
                        .d = sim_model_size(simulation->model),
                        .block = sim_batch_lanes(simulation->model, simulation->work),
                        .context = simulation,
                        .evaluate = simulate};
}
