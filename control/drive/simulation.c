/* The evaluator that simulates. */
#include "control/evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of its thresholds that a motion has. */
static const double friction_of[CTL_MOTIONS] = {
    [CTL_MOTION_FILE] = 1, [CTL_MOTION_THIRD] = 1.0 / 3, [CTL_MOTION_TWO_THIRDS] = 2.0 / 3};

SimStatus ctl_simulation_init(CtlSimulation *simulation, const SimProblem *problem, const SimModel *model,
                              SimWorkspace *work, const bool *given) {
  int rows = sim_model_rows(model), m = 0;
  size_t n = (size_t)sim_model_controls(model);
  *simulation = (CtlSimulation){.problem = problem, .model = model, .work = work};
  if (!given) return SIM_OK;
  simulation->given = malloc((2 * (size_t)rows + 1) * sizeof *simulation->given);
  double *block = malloc(((size_t)rows * (3 * n + 2) + 1) * sizeof *block);
  simulation->derivative.state = block;
  if (!simulation->given || !block) {
    ctl_simulation_clear(simulation);
    return SIM_NO_MEMORY;
  }
  simulation->derivative.stop = block + 2 * (size_t)rows * n;
  simulation->derivative.stop_time = block + 3 * (size_t)rows * n;
  simulation->derivative.stop_acceleration = simulation->derivative.stop_time + rows;
  for (int i = 0; i < 2 * rows; i++) {
    if (given[i]) simulation->given[m++] = i % rows;
    if (i == rows - 1) simulation->positions = m;
  }
  simulation->m = m;
  return SIM_OK;
}

void ctl_simulation_clear(CtlSimulation *simulation) {
  for (int k = 0; k < CTL_MOTIONS; k++) {
    sim_sensitivity_destroy(simulation->motions[k].sensitivity);
    sim_workspace_destroy(simulation->motions[k].work);
    sim_model_destroy(simulation->motions[k].model);
    free(simulation->motions[k].friction);
  }
  free(simulation->given);
  free(simulation->derivative.state);
  *simulation = (CtlSimulation){0};
}

/* Makes another motion's model and workspace. */
static SimStatus create(CtlSimulatedMotion *own, const SimProblem *problem, double part) {
  if (!problem) return SIM_BAD_PROBLEM;
  SimProblem eased = *problem;
  eased.friction = own->friction = malloc((size_t)problem->count * sizeof *own->friction);
  if (!own->friction) return SIM_NO_MEMORY;
  for (int i = 0; i < problem->count; i++) own->friction[i] = part * problem->friction[i];
  SimStatus status = sim_model_create(&eased, NULL, &own->model);
  if (status == SIM_OK) status = sim_workspace_create(own->model, &own->work);
  if (status == SIM_OK) return SIM_OK;
  sim_model_destroy(own->model);
  free(own->friction);
  *own = (CtlSimulatedMotion){0};
  return status;
}

/* The motion wanted, with what it lacks so far. */
static SimStatus prepare(CtlSimulation *simulation, CtlWant want, const SimModel **model, SimWorkspace **work) {
  static const SimDependence on = SIM_ON_CONTROL;
  bool file = want.motion == CTL_MOTION_FILE;
  CtlSimulatedMotion *own = &simulation->motions[want.motion];
  SimStatus status = file || own->work ? SIM_OK : create(own, simulation->problem, friction_of[want.motion]);
  *model = file ? simulation->model : own->model;
  *work = file ? simulation->work : own->work;
  if (status == SIM_OK && want.derivatives && simulation->given && !own->sensitivity)
    status = sim_sensitivity_create(*model, 1, &on, &own->sensitivity);
  return status;
}

/* Of a rollout's derivatives the rows of given entries. */
static void take_rows(const CtlSimulation *simulation, double *row) {
  const SimDerivative *derivative = &simulation->derivative;
  ptrdiff_t n = sim_model_controls(simulation->model), d = sim_model_rows(simulation->model);
  for (int k = 0; k < simulation->m; k++, row += ctl_row_size((int)n)) {
    ptrdiff_t i = simulation->given[k];
    bool position = k < simulation->positions, stops = !position && !isnan(derivative->stop_time[i]);
    const double *from = stops ? derivative->stop + i * n : derivative->state + (position ? i : d + i) * n;
    memcpy(row, from, (size_t)n * sizeof *row);
    row[n] = stops ? derivative->stop_acceleration[i] * (simulation->problem->end - derivative->stop_time[i]) : 0;
    row[n + 1] = stops ? derivative->stop_acceleration[i] : 0;
  }
}

static void simulate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  CtlSimulation *simulation = context;
  const SimModel *model;
  SimWorkspace *work;
  SimStatus status = prepare(simulation, want, &model, &work);
  size_t n = (size_t)sim_model_controls(simulation->model), size = (size_t)simulation->m * ctl_row_size((int)n);
  for (int i = 0; i < count && status != SIM_OK; i++)
    final[i] = (SimFinal){.x = final[i].x, .v = final[i].v, .status = status};
  if (status != SIM_OK) return;
  if (!want.derivatives || !simulation->given) {
    sim_batch(model, work, count, controls, final);
    return;
  }
  SimSensitivity *sensitivity = simulation->motions[want.motion].sensitivity;
  for (size_t i = 0; i < (size_t)count; i++) {
    sim_rollout_sensitivity(model, work, sensitivity, controls + i * n, &final[i], &simulation->derivative);
    take_rows(simulation, rows + i * size);
  }
}

CtlEvaluator ctl_simulator(CtlSimulation *simulation) {
  return (CtlEvaluator){.n = sim_model_controls(simulation->model),
                        .d = sim_model_size(simulation->model),
                        .m = simulation->m,
                        .block = sim_batch_lanes(simulation->model, simulation->work),
                        .context = simulation,
                        .evaluate = simulate};
}
