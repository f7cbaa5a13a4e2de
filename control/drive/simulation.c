/* SPDX-License-Identifier: BSD-2-Clause */
/* The evaluator that computes outcomes by simulation. */
#include "control/base/argument.h"
#include "control/evaluator.h"
#include "control/pattern/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factor of the friction thresholds in each kind of motion (control/motion.h). */
static const double friction_of[CTL_MOTIONS] = {
    [CTL_MOTION_FILE] = 1, [CTL_MOTION_THIRD] = 1.0 / 3, [CTL_MOTION_TWO_THIRDS] = 2.0 / 3};

SimStatus ctl_simulation_init(CtlSimulation *simulation, const SimProblem *problem, const SimModel *model,
                              SimWorkspace *work, const bool *given) {
  ARGUMENT_THERE(simulation);
  *simulation = (CtlSimulation){0};
  ARGUMENT_THERE(model);
  ARGUMENT_THERE(work);
  int rows = stiction_model_rows(model), m = 0;
  size_t n = (size_t)stiction_model_controls(model);
  *simulation = (CtlSimulation){.problem = problem, .model = model, .work = work};
  if (!given) return SIM_OK;
  simulation->given = malloc((4 * (size_t)rows + 1) * sizeof *simulation->given);
  double *block = malloc(((size_t)rows * (3 * n + 2) + 1) * sizeof *block);
  simulation->derivative.state = block;
  if (!simulation->given || !block) {
    ctl_simulation_clear(simulation);
    return SIM_NO_MEMORY;
  }
  simulation->wanted = simulation->given + 2 * rows;
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

SimStatus ctl_simulation_set_patterns(CtlSimulation *simulation, const CtlProblem *problem) {
  ARGUMENT_THERE(simulation);
  ARGUMENT_THERE(problem);
  pattern_answers_destroy(simulation->patterns);
  simulation->patterns = pattern_answers_create(problem, simulation->problem, simulation->model, simulation->work);
  return simulation->patterns ? SIM_OK : SIM_NO_MEMORY;
}

static void clear_motion(CtlSimulatedMotion *motion) {
  stiction_sensitivity_destroy(motion->sensitivity);
  sim_adjoint_destroy(motion->adjoint);
  stiction_workspace_destroy(motion->work);
  stiction_model_destroy(motion->model);
  free(motion->friction);
}

void ctl_simulation_clear(CtlSimulation *simulation) {
  if (!simulation) return;
  clear_motion(&simulation->own);
  for (int k = 0; k < simulation->count; k++) clear_motion(&simulation->others[k]);
  free(simulation->others);
  pattern_answers_destroy(simulation->patterns);
  free(simulation->given);
  free(simulation->derivative.state);
  *simulation = (CtlSimulation){0};
}

/* Creates the model and the workspace of a motion that differs from the problem's own, and owns both. */
static SimStatus create_motion(CtlSimulatedMotion *own, CtlWant want, const SimProblem *problem,
                               const SimWorkspace *interrupted) {
  if (!problem) return SIM_BAD_PROBLEM;
  SimProblem other = *problem;
  size_t rows = (size_t)problem->count;
  double part = friction_of[want.motion];
  if (want.segments) other.segments = want.segments;
  other.friction = own->friction = malloc(2 * rows * sizeof *own->friction);
  if (!own->friction) return SIM_NO_MEMORY;
  /* rise_base has the thresholds without the part that depends on position */
  const double *friction = problem->rise_base ? problem->rise_base : problem->friction;
  other.rise = (SimSpringLaw){0};
  other.rise_base = NULL;
  for (size_t i = 0; i < rows; i++) own->friction[i] = part * friction[i];
  if (problem->by_direction) other.friction_bias = own->friction + rows;
  for (size_t i = 0; i < rows && problem->by_direction; i++) other.friction_bias[i] = part * problem->friction_bias[i];
  SimStatus status = stiction_problem_finalize(&other, NULL);
  if (status == SIM_OK) status = stiction_model_create(&other, NULL, &own->model);
  if (status == SIM_OK) status = stiction_workspace_create(own->model, &own->work);
  if (status == SIM_OK) stiction_workspace_interrupt(own->work, sim_workspace_interruption(interrupted));
  if (status == SIM_OK) return SIM_OK;
  stiction_model_destroy(own->model);
  free(own->friction);
  return status;
}

static const SimDependence on_control = SIM_ON_CONTROL;

enum {
  SWEEP = 2 /* time of an adjoint sweep, relative to the time of forward derivatives with respect to one
                  * variable */
};

/* Whether adjoint derivatives may cost less than forward ones. Adjoint derivatives need one sweep per row (entry of the
 * final state), forward ones one column per variable. */
static bool may_go_backwards(const CtlSimulation *simulation, const SimModel *model) {
  int least = simulation->rest ? simulation->positions : simulation->m;
  return sim_scheme_differentiates(simulation->problem->scheme, simulation->problem) && !simulation->problem->group &&
         stiction_model_controls(model) > SWEEP * least;
}

/* Finds the data of a motion that differs from the problem's own motion, and creates them at the first use. *own: set
 * to these data. */
static SimStatus find_other(CtlSimulation *simulation, CtlWant want, CtlSimulatedMotion **own) {
  size_t count = (size_t)simulation->count;
  for (size_t k = 0; k < count; k++) {
    *own = &simulation->others[k];
    if ((*own)->motion == want.motion && (*own)->segments == want.segments) return SIM_OK;
  }
  CtlSimulatedMotion *others = realloc(simulation->others, (count + 1) * sizeof *others);
  if (!others) return SIM_NO_MEMORY;
  simulation->others = others;
  *own = &others[count];
  **own = (CtlSimulatedMotion){.motion = want.motion, .segments = want.segments};
  SimStatus status = create_motion(*own, want, simulation->problem, simulation->work);
  simulation->count += status == SIM_OK;
  return status;
}

/* Prepares a motion for an evaluation. *own: set to its data. *model, *work: set to its model and workspace, which may
 * be those of the problem. */
static SimStatus prepare_motion(CtlSimulation *simulation, CtlWant want, CtlSimulatedMotion **own,
                                const SimModel **model, SimWorkspace **work) {
  bool other = ctl_want_is_other(want);
  *own = &simulation->own;
  SimStatus status = other ? find_other(simulation, want, own) : SIM_OK;
  if (status != SIM_OK) return status;
  *model = other ? (*own)->model : simulation->model;
  *work = other ? (*own)->work : simulation->work;
  if (!want.derivatives || !simulation->given) return SIM_OK;
  if (!(*own)->adjoint && may_go_backwards(simulation, *model))
    status = sim_adjoint_create(*model, 1, &on_control, &(*own)->adjoint);
  return status;
}

/* Whether derivative row k belongs to the velocity of a dof that stopped before T. */
static bool is_stopped(const CtlSimulation *simulation, int k) {
  return k >= simulation->positions && !isnan(simulation->derivative.stop_time[simulation->given[k]]);
}

/* Writes the two numbers that follow the derivatives of row k in CtlOutcome.rows. */
static void take_stop(const CtlSimulation *simulation, int k, double *beside) {
  const SimDerivative *derivative = &simulation->derivative;
  int i = simulation->given[k];
  bool stops = is_stopped(simulation, k);
  beside[0] = stops ? derivative->stop_acceleration[i] * (simulation->problem->end - derivative->stop_time[i]) : 0;
  beside[1] = stops ? derivative->stop_acceleration[i] : 0;
}

/* Copies the derivatives of the entries with a target from the derivatives of a simulation to an array of rows. */
static void take_rows(const CtlSimulation *simulation, const SimModel *model, double *row) {
  const SimDerivative *derivative = &simulation->derivative;
  ptrdiff_t n = stiction_model_controls(model), d = stiction_model_rows(model);
  for (int k = 0; k < simulation->m; k++, row += ctl_row_size((int)n)) {
    ptrdiff_t i = simulation->given[k];
    const double *from = is_stopped(simulation, k) ? derivative->stop + i * n
                                                   : derivative->state + (k < simulation->positions ? i : d + i) * n;
    memcpy(row, from, (size_t)n * sizeof *row);
    take_stop(simulation, k, row + n);
  }
}

/* Whether derivative row k belongs to the velocity of a node at rest, if the target is rest along the whole string. */
static bool is_rest(const CtlSimulation *simulation, const SimFinal *final, int k) {
  return simulation->rest && k >= simulation->positions && final->v[simulation->given[k]] == 0;
}

/* Returns the magnitude of the extrapolated velocity at T (CtlOutcome.rows) of a dof at rest; INFINITY if it has never
 * moved. */
static double ahead_of(const CtlSimulation *simulation, int k) {
  double beside[2];
  take_stop(simulation, k, beside);
  return is_stopped(simulation, k) ? fabs(beside[0]) : INFINITY;
}

/* Returns the row, among from .. to - 1, of the node at rest that would be the first to move; -1 if no node is at
 * rest. */
static int first_to_go(const CtlSimulation *simulation, const SimFinal *final, int from, int to) {
  double least = INFINITY;
  int first = -1;
  for (int k = from; k < to; k++) {
    double ahead = is_rest(simulation, final, k) ? ahead_of(simulation, k) : INFINITY;
    if (ahead >= least) continue;
    least = ahead;
    first = k;
  }
  return first;
}

/* Chooses the derivative rows to compute for the recorded motion, in order, and stores them in simulation->wanted. The
 * velocity rows are divided into STRETCHES stretches. Of the nodes at rest in a stretch, only the one that would be the
 * first to move is computed. All other rows are computed. Returns the number of rows. */
static int choose_rows(CtlSimulation *simulation, const SimFinal *final) {
  enum { STRETCHES = 16 };
  int count = 0, to = simulation->positions;
  long velocities = simulation->m - simulation->positions;
  for (int k = 0; k < simulation->positions; k++) simulation->wanted[count++] = k;
  for (int stretch = 0; stretch < STRETCHES; stretch++) {
    int from = to;
    to = simulation->positions + (int)((stretch + 1) * velocities / STRETCHES);
    int first = first_to_go(simulation, final, from, to);
    for (int k = from; k < to; k++)
      if (k == first || !is_rest(simulation, final, k)) simulation->wanted[count++] = k;
  }
  return count;
}

/* Computes `count` of the wanted rows, from number `first` on, of n derivatives each, by one adjoint sweep. */
static SimStatus sweep_some(CtlSimulation *simulation, SimAdjoint *adjoint, size_t n, int first, int count,
                            double *rows) {
  size_t d = (size_t)stiction_model_rows(simulation->model);
  const int *wanted = simulation->wanted + first;
  double *weights = simulation->derivative.state, *row = rows + (size_t)wanted[0] * ctl_row_size((int)n);
  memset(weights, 0, 3 * d * (size_t)count * sizeof *weights);
  for (int k = 0; k < count; k++) {
    size_t at = is_stopped(simulation, wanted[k]) ? 2 : wanted[k] < simulation->positions ? 0 : 1;
    weights[((size_t)k * 3 + at) * d + (size_t)simulation->given[wanted[k]]] = 1;
  }
  SimStatus status = sim_adjoint_sweep(adjoint, count, weights, row);
  /* gradients are stored without gaps, so they are moved to their rows, the last one first */
  for (int k = count - 1; k >= 0; k--)
    memmove(rows + (size_t)wanted[k] * ctl_row_size((int)n), row + (size_t)k * n, n * sizeof *row);
  return status;
}

/* Computes the wanted rows by adjoint sweeps and sets the other rows to 0. There are less than half as many rows as
 * columns, so the storage of columns is large enough for the weights of the sweep. */
static SimStatus sweep_rows(CtlSimulation *simulation, SimAdjoint *adjoint, size_t n, int count, double *rows) {
  int together = sim_adjoint_together(adjoint), next = 0;
  SimStatus status = SIM_OK;
  for (int first = 0; first < count && status == SIM_OK; first += together)
    status = sweep_some(simulation, adjoint, n, first, count - first < together ? count - first : together, rows);
  for (int k = 0; k < simulation->m; k++, rows += ctl_row_size((int)n)) {
    bool wanted = next < count && simulation->wanted[next] == k;
    if (!wanted) memset(rows, 0, n * sizeof *rows);
    next += wanted;
    take_stop(simulation, k, rows + n);
  }
  return status;
}

/* Evaluates one point with its derivatives, by adjoint sweeps if they cost less than a column per variable. */
static SimStatus derive_point(CtlSimulation *simulation, CtlSimulatedMotion *own, const SimModel *model,
                              SimWorkspace *work, const double *control, SimFinal *final, double *rows) {
  SimDerivative *derivative = &simulation->derivative;
  if (own->adjoint) {
    SimStatus status = sim_rollout_record(model, work, own->adjoint, control, final);
    if (status != SIM_OK) return status;
    sim_adjoint_stops(own->adjoint, derivative->stop_time, derivative->stop_acceleration, &derivative->smooth);
    int count = choose_rows(simulation, final);
    int n = stiction_model_controls(model);
    if (SWEEP * count < n) return sweep_rows(simulation, own->adjoint, (size_t)n, count, rows);
  }
  if (!own->sensitivity) {
    SimStatus status = stiction_sensitivity_create(model, 1, &on_control, &own->sensitivity);
    if (status != SIM_OK) return status;
  }
  SimStatus status = stiction_rollout_sensitivity(model, work, own->sensitivity, control, final, derivative);
  take_rows(simulation, model, rows);
  return status;
}

/* Evaluates pattern queries: requests for the control of least effort among those with a certain pattern of stick and
 * slip. */
static void answer_query(CtlSimulation *simulation, CtlWant want, int count, const double *controls, SimFinal *final,
                         double *rows) {
  size_t n = (size_t)stiction_model_controls(simulation->model);
  int segments = want.segments ? want.segments : simulation->problem->segments;
  size_t row = ctl_row_size((int)n / simulation->problem->segments * segments), size = (size_t)simulation->m * row;
  memset(rows, 0, (size_t)count * size * sizeof *rows);
  for (size_t i = 0; i < (size_t)count; i++)
    pattern_answer(simulation->patterns, want.motion, segments, controls + i * n, &final[i], rows + i * size);
}

static void simulate_points(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                            double *rows) {
  CtlSimulation *simulation = context;
  CtlSimulatedMotion *own = NULL;
  const SimModel *model = NULL;
  SimWorkspace *work = NULL;
  bool asks = ctl_motion_asks(want.motion);
  if (asks && simulation->patterns && want.derivatives && simulation->m > 0) {
    answer_query(simulation, want, count, controls, final, rows);
    return;
  }
  SimStatus status = asks ? SIM_BAD_PROBLEM : prepare_motion(simulation, want, &own, &model, &work);
  for (int i = 0; i < count && status != SIM_OK; i++)
    final[i] = (SimFinal){.x = final[i].x, .v = final[i].v, .status = status};
  if (status != SIM_OK) return;
  /* a control with fewer segments uses only the first of the n variables */
  size_t n = (size_t)stiction_model_controls(simulation->model);
  size_t size = (size_t)simulation->m * ctl_row_size(stiction_model_controls(model));
  bool derivatives = want.derivatives && simulation->given;
  if (!derivatives && !want.segments) {
    stiction_batch(model, work, count, controls, final);
    return;
  }
  for (size_t i = 0; i < (size_t)count; i++) {
    const double *control = controls + i * n;
    if (derivatives)
      final[i].status = derive_point(simulation, own, model, work, control, &final[i], rows + i * size);
    else
      stiction_batch(model, work, 1, control, &final[i]);
  }
}

CtlEvaluator ctl_simulator(CtlSimulation *simulation) {
  if (!simulation || !simulation->model || !simulation->work) return (CtlEvaluator){0};
  return (CtlEvaluator){.n = stiction_model_controls(simulation->model),
                        .d = stiction_model_size(simulation->model),
                        .m = simulation->m,
                        .segments = simulation->problem ? simulation->problem->segments : 0,
                        .smooth = &simulation->derivative.smooth,
                        .block = sim_batch_lanes(simulation->model, simulation->work),
                        .context = simulation,
                        .evaluate = simulate_points};
}
