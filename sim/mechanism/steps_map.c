/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/steps_map.h"

#include "sim/mechanism/motion.h"
#include "sim/mechanism/sides.h"
#include "sim/operator/columns.h"

#include <stdlib.h>
#include <string.h>

/* Finds the kinks at which forces may jump. Where a kink turns with a coordinate that has friction, they do not: this
 * coordinate comes to rest, and its thresholds at rest are those of both directions. Returns false without memory. */
static bool find_jumps(const SimProblem *p, StepMap *map) {
  const GraphTape *tape = map->expansion->tape;
  int *rides = malloc((size_t)tape->rows * sizeof *rides);
  map->jumps = calloc((size_t)tape->n_kinks + 1, sizeof *map->jumps);
  bool good = rides && map->jumps;
  if (good) mechanism_sides_ride(tape, p->d, rides);
  for (int k = 0; good && k < tape->n_kinks; k++) {
    int i = rides[tape->kink_row[k]];
    map->jumps[k] = tape->may_jump[k] && !(i >= 0 && p->friction[i] > 0);
  }
  free(rides);
  return good;
}

SimStatus step_map_create(const SimProblem *p, bool parameters, StepMap **out) {
  StepMap *map = *out = calloc(1, sizeof *map);
  if (!map) return SIM_NO_MEMORY;
  map->d = p->d;
  map->n_parameters = parameters ? p->equations.parameters : 0;
  map->n = 3 * p->d + map->n_parameters;
  map->width = columns_width(map->n);
  SimStatus status = mechanism_motion_vary(p, parameters, &map->expansion);
  if (status != SIM_OK) return status;
  size_t d = (size_t)p->d, block = d * (size_t)map->width, along = d * (2 * d + (size_t)p->equations.parameters + 1);
  map->columns = expansion_columns_create(map->expansion);
  map->stops = stops_columns_create(p->d, map->width);
  map->x = calloc(2 * block + 3 * along + 3 * d, sizeof *map->x);
  map->branch = calloc(d, sizeof *map->branch);
  map->signs = calloc((size_t)map->expansion->tape->n_kinks + 1, sizeof *map->signs);
  if (!map->columns || !map->stops || !map->x || !map->branch || !map->signs || !find_jumps(p, map))
    return SIM_NO_MEMORY;
  map->v = map->x + block;
  map->load = map->v + block;
  map->threshold = map->load + along;
  map->rate = map->threshold + along;
  map->dq = map->rate + along;
  map->dv = map->dq + d;
  map->change = map->dv + d;
  return SIM_OK;
}

void step_map_destroy(StepMap *map) {
  if (!map) return;
  expansion_columns_destroy(map->columns);
  expansion_destroy(map->expansion);
  stops_columns_destroy(map->stops);
  free(map->x);
  free(map->branch);
  free(map->signs);
  free(map->jumps);
  free(map);
}

/* A solved step, as the context of the StopsTangent functions below. */
typedef struct Solved {
  StepMap *map;
  const SimModel *model;
  const SolvedStep *step;
  const StopsTrace *trace;
} Solved;

/* Computes map->load, map->threshold and map->rate for the path of steps_map.h, on which the velocity changes by
 * `change`. */
static void look_along(const Solved *of, const double *change) {
  StepMap *map = of->map;
  double dt = of->model->problem.step, reach = of->step->theta * dt;
  for (int i = 0; i < map->d; i++) {
    map->dq[i] = reach * reach * change[i];
    map->dv[i] = dt * change[i];
  }
  expansion_along(map->expansion, map->dq, map->dv, change, 0);
  expansion_columns_along(map->columns, of->step->v, map->load, map->threshold, map->rate);
}

/* Returns the index in a row of map->load of column c of the map, where c is not the column of a force. */
static int along_of(const StepMap *map, int c) { return c < 2 * map->d ? c : c - map->d; }

/* Whether derivatives of the threshold c_i are needed: the coordinate has friction, and c_i is not negative. */
static bool rubs(const Solved *of, int i) { return of->step->steps->solver.dense.threshold[i] > 0; }

/* Adds derivatives of coordinate i to a row of the map's columns: `by` times map->load, plus `rate` times map->rate,
 * plus `rub` times map->threshold. The derivatives by v include those through q_m = q + theta dt v. */
static void add_along(const Solved *of, int i, double by, double rate, double rub, double *row) {
  const StepMap *map = of->map;
  int d = map->d, n = 2 * d + of->model->problem.equations.parameters + 1;
  double reach = of->step->theta * of->model->problem.step;
  const double *load = map->load + i * n, *threshold = map->threshold + i * n, *rates = map->rate + i * n;
  for (int c = 0; c < map->n; c++) {
    if (c >= 2 * d && c < 3 * d) continue;
    int k = along_of(map, c);
    double change = by * load[k] + rate * rates[k] + (rub != 0 ? rub * threshold[k] : 0);
    row[c] += change;
    if (c < d) row[d + c] += reach * change;
  }
}

/* Implements StopsTangent.right: column k of E dv - D + dt df (steps_map.h). */
static void find_right(void *context, int k, double *right) {
  const Solved *of = context;
  StepMap *map = of->map;
  const DenseSolver *plain = &of->step->steps->solver.dense;
  int d = map->d;
  double dt = of->model->problem.step;
  const double *v = of->trace->v + k * d, *lambda = of->trace->lambda + k * d;
  for (int i = 0; i < d; i++) map->change[i] = v[i] - of->step->v[i];
  look_along(of, map->change);
  memset(right, 0, (size_t)d * (size_t)map->width * sizeof *right);
  for (int i = 0; i < d; i++) {
    double *row = right + i * map->width;
    memcpy(row + d, plain->matrix + i * d, (size_t)d * sizeof *row);
    row[2 * d + i] = dt;
    add_along(of, i, -dt, -1, rubs(of, i) ? -dt * lambda[i] : 0, row);
  }
}

/* Implements StopsTangent.rebound: adds the derivatives of the rebound speed, which depends on c_i and on E_ii. */
static void add_rebound(void *context, const StopsMeeting *met, double *speed) {
  const Solved *of = context;
  StepMap *map = of->map;
  double by_c = met->own[SIM_ON_FRICTION], by_e = met->own[SIM_ON_MASS];
  if (by_c == 0 && by_e == 0) return;
  memset(map->change, 0, (size_t)map->d * sizeof *map->change);
  map->change[met->dof] = 1;
  look_along(of, map->change);
  add_along(of, met->dof, 0, by_e, rubs(of, met->dof) ? by_c : 0, speed);
}

/* Returns the trace of a step in which no stop acts: one solve, in which each coordinate sticks or slides. */
static StopsTrace plain_trace(StepMap *map, const SimWorkspace *work, const DenseSolver *plain, bool *matters) {
  for (int i = 0; i < map->d; i++) map->branch[i] = work->slip[i] == 0 && plain->threshold[i] > 0 ? STOPS_STICKS : 0;
  *matters = true;
  return (StopsTrace){
      .solves = 1, .branch = map->branch, .v = work->v, .lambda = work->lambda, .matters = matters, .smooth = true};
}

/* Whether the function of a kink changes with a parameter. */
static bool changes_with_parameters(StepMap *map, int kink) {
  double *by = map->load; /* not yet in use, and a row is as long */
  bool changes = false;
  expansion_columns_kink(map->columns, kink, by);
  for (int k = 0; k < map->n_parameters; k++) changes = changes || by[2 * map->d + k] != 0;
  return changes;
}

/* Evaluates the equations at the middle of the step, and sets map->smooth to whether no kink where a force may jump was
 * crossed since the step before, and none stays where its function is 0 and changes with a parameter, as that of max(a,
 * b) with a = b: derivatives by such parameters are one-sided. */
static void look_at(StepMap *map, const SimProblem *p, const SolvedStep *step) {
  GraphSeries *series = map->expansion->series;
  map->smooth = true;
  for (int k = 0; k < series->tape->n_kinks; k++) series->signs[k] = 0;
  expansion_order_0(map->expansion, step->t, step->middle, step->v, p->equations.values, true);
  for (int k = 0; k < series->tape->n_kinks; k++) {
    if (map->begun && map->jumps[k] && series->signs[k] != map->signs[k]) map->smooth = false;
    if (map->begun && series->signs[k] == 0 && map->signs[k] == 0 && changes_with_parameters(map, k))
      map->smooth = false;
    map->signs[k] = series->signs[k];
  }
  map->begun = true;
}

SimStatus step_map_make(StepMap *map, const SimModel *model, const SimWorkspace *work, const SolvedStep *step) {
  const SimProblem *p = &model->problem;
  const DenseSolver *plain = &step->steps->solver.dense;
  const StopsTrace *stops = step->steps->stops ? moreau_stops_trace(step->steps->stops) : NULL;
  bool matters, acts = stops && stops->solves > 0;
  StopsTrace trace = acts ? *stops : plain_trace(map, work, plain, &matters);
  Solved of = {.map = map, .model = model, .step = step, .trace = &trace};
  const StopsTangent tangent = {.trace = &trace,
                                .plain = plain,
                                .stops = &p->stops,
                                .step = p->step,
                                .theta = step->theta,
                                .ahead = step->theta * p->step,
                                .behind = (1 - step->theta) * p->step,
                                .begun = map->width,
                                .width = map->width,
                                .x = map->x,
                                .v = map->v,
                                .context = &of,
                                .right = find_right,
                                .rebound = add_rebound};
  memset(map->x, 0, 2 * (size_t)map->d * (size_t)map->width * sizeof *map->x);
  for (int i = 0; i < map->d; i++) map->x[i * map->width + i] = map->v[i * map->width + map->d + i] = 1;
  look_at(map, p, step);
  map->stops->known = false;
  return stops_columns_advance(map->stops, &tangent);
}
