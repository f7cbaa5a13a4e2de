/* The scheme `event` of SIM_FRICTION: no steps, but the motion itself, from event to event. Rows of a trajectory show it at the
 * times of the grid, which nothing depends on. */
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/event/parameters.h"
#include "sim/event/tangent.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check(const SimProblem *p, const SimReport *report) {
  if (p->d <= EVENT_SIZE_MAX) return 0;
  sim_complain(report, "scheme.name", "event has room for 64 degrees of freedom (expected moreau for more)");
  return 1;
}

static OperatorSum step_operator(const SimProblem *p) {
  (void)p;
  return operator_alone(OPERATOR_MASS);
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  const EventParameters *own = p->parameters;
  const SimSystem *q = &p->system;
  EventSystem *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  *plan = (EventSystem){.d = p->d,
                        .mass = q->mass,
                        .stiffness = q->stiffness,
                        .damping = operator_damped(p) ? q->damping : NULL,
                        .friction = p->friction,
                        .beta = q->stribeck_beta,
                        .epsilon = q->stribeck_epsilon,
                        .law = q->stribeck,
                        .mass_is_diagonal = dense_is_diagonal(p->d, q->mass),
                        .problem = p,
                        .tolerance = own->tolerance,
                        .max_events = own->max_events};
  return SIM_OK;
}

static void release(SimModel *model) { free(model->plan); }

static void free_motion(void *own) {
  event_motion_clear(own);
  free(own);
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  work->own = calloc(1, sizeof(EventMotion));
  work->free_own = free_motion;
  return work->own ? event_motion_init(model->plan, work->own) : SIM_NO_MEMORY;
}

/* What a saved rollout goes on from, in work->scratch: vectors of d, then numbers. */
enum { AT_X, AT_V, AT_REST_ORDER, AT_BEYOND, VECTORS };
enum { AT_T, AT_PIECE, AT_NODE, AT_SPEED, AT_WORK, AT_DISSIPATED, AT_EVENTS, AT_GRAZES, NUMBERS };

static void keep(int d, const EventState *at, double *scratch) {
  double *numbers = scratch + VECTORS * d;
  for (int i = 0; i < d; i++) {
    scratch[AT_X * d + i] = at->x[i];
    scratch[AT_V * d + i] = at->v[i];
    scratch[AT_REST_ORDER * d + i] = at->rest_order[i];
    scratch[AT_BEYOND * d + i] = at->beyond[i];
  }
  numbers[AT_T] = at->t;
  numbers[AT_PIECE] = (double)at->piece;
  numbers[AT_NODE] = (double)at->node;
  numbers[AT_SPEED] = at->speed;
  numbers[AT_WORK] = at->work;
  numbers[AT_DISSIPATED] = at->dissipated;
  numbers[AT_EVENTS] = (double)at->events;
  numbers[AT_GRAZES] = (double)at->grazes;
}

static void resume(const SimModel *model, SimWorkspace *work, long n) {
  EventMotion *motion = work->own;
  EventState *at = &motion->at;
  int d = model->problem.d;
  const double *scratch = work->scratch, *numbers = scratch + VECTORS * d;
  (void)n;
  for (int i = 0; i < d; i++) {
    at->x[i] = scratch[AT_X * d + i];
    at->v[i] = scratch[AT_V * d + i];
    at->rest_order[i] = (signed char)scratch[AT_REST_ORDER * d + i];
    at->beyond[i] = (signed char)scratch[AT_BEYOND * d + i];
    at->slip[i] = work->slip[i];
  }
  at->t = numbers[AT_T];
  at->piece = (long)numbers[AT_PIECE];
  at->node = (long)numbers[AT_NODE];
  at->speed = numbers[AT_SPEED];
  at->work = numbers[AT_WORK];
  at->dissipated = numbers[AT_DISSIPATED];
  at->events = (long)numbers[AT_EVENTS];
  at->grazes = (long)numbers[AT_GRAZES];
  motion->watched = work->watched;
  event_motion_resume(model->plan, motion);
}

static double stored(const SimProblem *p, const double *x, const double *v) {
  return (dense_form(p->d, v, p->system.mass, v) + dense_form(p->d, x, p->system.stiffness, x)) / 2;
}

static void show(const SimModel *model, SimWorkspace *work, double t) {
  const SimProblem *p = &model->problem;
  EventMotion *motion = work->own;
  event_motion_show(model->plan, motion, t, work->x, work->v, work->lambda, &work->energy.work,
                    &work->energy.dissipated);
  memcpy(work->slip, motion->at.slip, (size_t)p->d);
  work->tally.iterations = motion->at.events;
  if (work->watched) work->energy.stored = stored(p, work->x, work->v) - stored(p, p->x0, p->v0);
  keep(p->d, &motion->at, work->scratch);
}

static void free_tangent(void *own) {
  tangent_clear(own);
  free(own);
}

static SimStatus equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity) {
  sensitivity->own = calloc(1, sizeof(EventTangent));
  sensitivity->free_own = free_tangent;
  return sensitivity->own ? tangent_init(model->problem.d, sensitivity, sensitivity->own) : SIM_NO_MEMORY;
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  EventMotion *motion = work->own;
  memcpy(motion->control_force, work->control_force, (size_t)p->d * sizeof(double));
  motion->node_force = work->node_force;
  motion->watched = work->watched;
  motion->observer = work->observer;
  motion->tangent = work->sensitivity ? work->sensitivity->own : NULL;
  work->energy = (SimEnergy){0};
  SimStatus status = event_motion_begin(model->plan, motion, p->x0, p->v0);
  if (status == SIM_OK) show(model, work, 0);
  return status;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  EventMotion *motion = work->own;
  double t = n < p->steps ? (double)n * p->step : p->end;
  motion->observer = work->observer;
  SimStatus status = event_motion_reach(model->plan, motion, t);
  if (status == SIM_OK) show(model, work, t);
  return status;
}

const SimScheme sim_scheme_event_friction = {
    .name = "event",
    .kind = SIM_FRICTION,
    .sentence = "the motion itself, from event to event: no error of a step, stick and its ends exact",
    .parameters = event_parameters,
    .parameters_size = sizeof(EventParameters),
    .dense = true,
    .force_in_pieces = true,
    .check = check,
    .step_operator = step_operator,
    .prepare = prepare,
    .release = release,
    .scratch_vectors = VECTORS,
    .scratch_numbers = NUMBERS,
    .equip = equip,
    .equip_sensitivity = equip_sensitivity,
    .resume = resume,
    .start = start,
    .step = step,
    .leap = step,
};
