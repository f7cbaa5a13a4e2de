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
    sim_adjoint_destroy(simulation->motions[k].adjoint);
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

/* Whether the way back takes less than the way along: a sweep for each row, against a column for each variable. */
static bool goes_backwards(const CtlSimulation *simulation, const SimModel *model) {
  enum { SWEEP = 2 /* columns that a sweep takes the time of, about */ };
  return sim_scheme_has_adjoint(simulation->problem->scheme) && !simulation->problem->group &&
         sim_model_controls(model) > SWEEP * simulation->m;
}

/* The motion wanted, with what it lacks so far. */
static SimStatus prepare(CtlSimulation *simulation, CtlWant want, const SimModel **model, SimWorkspace **work) {
  static const SimDependence on = SIM_ON_CONTROL;
  bool file = want.motion == CTL_MOTION_FILE;
  CtlSimulatedMotion *own = &simulation->motions[want.motion];
  SimStatus status = file || own->work ? SIM_OK : create(own, simulation->problem, friction_of[want.motion]);
  *model = file ? simulation->model : own->model;
  *work = file ? simulation->work : own->work;
  if (status != SIM_OK || !want.derivatives || !simulation->given || own->sensitivity || own->adjoint) return status;
  return goes_backwards(simulation, *model) ? sim_adjoint_create(*model, 1, &on, &own->adjoint)
                                            : sim_sensitivity_create(*model, 1, &on, &own->sensitivity);
}

/* Whether row k is that of a dof before it stopped. */
static bool is_stopped(const CtlSimulation *simulation, int k) {
  return k >= simulation->positions && !isnan(simulation->derivative.stop_time[simulation->given[k]]);
}

/* What stands beside the derivatives of row k. */
static void take_stop(const CtlSimulation *simulation, int k, double *beside) {
  const SimDerivative *derivative = &simulation->derivative;
  int i = simulation->given[k];
  bool stops = is_stopped(simulation, k);
  beside[0] = stops ? derivative->stop_acceleration[i] * (simulation->problem->end - derivative->stop_time[i]) : 0;
  beside[1] = stops ? derivative->stop_acceleration[i] : 0;
}

/* Of a rollout's derivatives the rows of given entries. */
static void take_rows(const CtlSimulation *simulation, double *row) {
  const SimDerivative *derivative = &simulation->derivative;
  ptrdiff_t n = sim_model_controls(simulation->model), d = sim_model_rows(simulation->model);
  for (int k = 0; k < simulation->m; k++, row += ctl_row_size((int)n)) {
    ptrdiff_t i = simulation->given[k];
    const double *from = is_stopped(simulation, k) ? derivative->stop + i * n
                                                   : derivative->state + (k < simulation->positions ? i : d + i) * n;
    memcpy(row, from, (size_t)n * sizeof *row);
    take_stop(simulation, k, row + n);
  }
}

/* count rows from the first on by one sweep. */
static SimStatus sweep_some(CtlSimulation *simulation, SimAdjoint *adjoint, int first, int count, double *weights,
                            double *row) {
  size_t n = (size_t)sim_model_controls(simulation->model), rows = (size_t)sim_model_rows(simulation->model);
  memset(weights, 0, 3 * rows * (size_t)count * sizeof *weights);
  for (int k = 0; k < count; k++) {
    size_t at = is_stopped(simulation, first + k) ? 2 : first + k < simulation->positions ? 0 : 1;
    weights[((size_t)k * 3 + at) * rows + (size_t)simulation->given[first + k]] = 1;
  }
  SimStatus status = sim_adjoint_sweep(adjoint, count, weights, row);
  for (int k = count - 1; k >= 0; k--) { /* gradients stand closer together than rows */
    double *own = row + (size_t)k * ctl_row_size((int)n);
    memmove(own, row + (size_t)k * n, n * sizeof *row);
    take_stop(simulation, first + k, own + n);
  }
  return status;
}

/* The same backwards. The number of rows is less than half that of columns: there is room where the latter stand. */
static SimStatus sweep_rows(CtlSimulation *simulation, SimAdjoint *adjoint, double *row) {
  SimDerivative *derivative = &simulation->derivative;
  size_t size = ctl_row_size(sim_model_controls(simulation->model));
  int together = sim_adjoint_together(adjoint), m = simulation->m;
  SimStatus status = SIM_OK;
  sim_adjoint_stops(adjoint, derivative->stop_time, derivative->stop_acceleration, &derivative->smooth);
  for (int first = 0; first < m && status == SIM_OK; first += together)
    status = sweep_some(simulation, adjoint, first, m - first < together ? m - first : together, derivative->state,
                        row + (size_t)first * size);
  return status;
}

/* One point with its rows. */
static void derive(CtlSimulation *simulation, int motion, const SimModel *model, SimWorkspace *work,
                   const double *control, SimFinal *final, double *rows) {
  const CtlSimulatedMotion *own = &simulation->motions[motion];
  if (own->adjoint) {
    SimStatus status = sim_rollout_record(model, work, own->adjoint, control, final);
    final->status = status == SIM_OK ? sweep_rows(simulation, own->adjoint, rows) : status;
  } else {
    sim_rollout_sensitivity(model, work, own->sensitivity, control, final, &simulation->derivative);
    take_rows(simulation, rows);
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
  for (size_t i = 0; i < (size_t)count; i++)
    derive(simulation, want.motion, model, work, controls + i * n, &final[i], rows + i * size);
}

CtlEvaluator ctl_simulator(CtlSimulation *simulation) {
  return (CtlEvaluator){.n = sim_model_controls(simulation->model),
                        .d = sim_model_size(simulation->model),
                        .m = simulation->m,
                        .smooth = &simulation->derivative.smooth,
                        .block = sim_batch_lanes(simulation->model, simulation->work),
                        .context = simulation,
                        .evaluate = simulate};
}
