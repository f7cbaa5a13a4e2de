/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/scheme.h"
#include "sim/event/field.h"

#include "sim/core/model.h"
#include "sim/core/surface_model.h"
#include "sim/event/adjoint.h"
#include "sim/event/drop.h"
#include "sim/event/record.h"
#include "sim/event/residual.h"
#include "sim/event/tangent.h"
#include "sim/joint/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const SimParameter event_parameters[] = {
    SIM_ROW(EventParameters, tolerance, .forms = SIM_FORM_NUMBER, SIM_FROM_TO(1e-16, 1), .preset = 1e-10,
            .sentence = "of x and v, as a part of their largest values"),
    SIM_ROW(EventParameters, max_events, .forms = SIM_FORM_INTEGER, SIM_FROM_TO(1, 1e9), .preset = 100000,
            .sentence = "beyond which a motion is given up: its events accumulate"),
    {0}};

EventSystem event_system(const SimProblem *p) {
  const EventParameters *own = p->parameters;
  return (EventSystem){.field = &event_field_masses,
                       .d = p->d,
                       .friction = p->friction,
                       .problem = p,
                       .varies = rise_varies(p),
                       .tolerance = own->tolerance,
                       .max_events = own->max_events};
}

/* Returns the system of a motion: the motion's copy if the matrices vary, else that of the model. */
static const EventSystem *system_of(const SimModel *model, const EventMotion *motion) {
  return motion->system ? motion->system : model->plan;
}

void event_release(SimModel *model) {
  EventSystem *s = model->plan;
  if (!s) return;
  bool own = s->damping_transposed.entries.start != s->damping.entries.start;
  if (s->light) rows_clear(&s->form);
  free(s->light);
  rows_clear(&s->mass);
  rows_clear(&s->stiffness);
  if (own) rows_clear(&s->damping_transposed);
  rows_clear(&s->damping);
  free(s);
}

static void free_motion(void *own) {
  event_motion_clear(own);
  free(own);
}

SimStatus event_equip(const SimModel *model, SimWorkspace *work) {
  work->own = calloc(1, sizeof(EventMotion));
  work->free_own = free_motion;
  return work->own ? event_motion_init(model->plan, work->own) : SIM_NO_MEMORY;
}

SimStatus event_examine(const SimModel *model, SimWorkspace *work, const SimOriginals *originals) {
  return residual_equip(model->plan, originals, work->own);
}

static void free_tangent(void *own) {
  tangent_clear(own);
  free(own);
}

/* Computes the derivatives at the time of step work->n. The sensitivity has the derivatives at the start of the current
 * segment. */
static void show_tangent(const SimModel *model, SimWorkspace *work, double *state) {
  EventMotion *motion = work->own;
  bool ended = motion->at.piece == model->problem.piece_count;
  double since = event_time(&model->problem, work->n) - motion->at.t;
  tangent_show(system_of(model, motion), motion, work->sensitivity->own, ended ? 0 : since / motion->segment.width,
               state);
}

SimStatus event_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity) {
  const EventSystem *system = model->plan;
  sensitivity->show = show_tangent;
  sensitivity->own = calloc(1, sizeof(EventTangent));
  sensitivity->free_own = free_tangent;
  return sensitivity->own ? tangent_init(system->d, sensitivity, sensitivity->own) : SIM_NO_MEMORY;
}

static void free_record(void *own) {
  record_clear(own);
  free(own);
}

SimStatus event_equip_adjoint(const SimModel *model, SimAdjoint *adjoint) {
  const EventSystem *system = model->plan;
  adjoint->own = calloc(1, sizeof(EventRecord));
  adjoint->free_own = free_record;
  adjoint->sweep = event_sweep;
  return adjoint->own ? record_init(system, adjoint, adjoint->own) : SIM_NO_MEMORY;
}

/* Copies a state, and the largest residual so far, to work->scratch in the layout of scheme.h. */
static void keep(int d, const EventState *at, const SimResidual *residual, double *scratch) {
  double *numbers = scratch + EVENT_VECTORS * d;
  for (int i = 0; i < d; i++) {
    scratch[AT_X * d + i] = at->x[i];
    scratch[AT_V * d + i] = at->v[i];
    scratch[AT_REST_ORDER * d + i] = at->rest_order[i];
    scratch[AT_BRANCH * d + i] = (double)at->branch[i];
    scratch[AT_ANCHOR * d + i] = (double)at->spring[i];
    scratch[AT_LINK * d + i] = (double)at->spring[d + i];
    scratch[AT_RISE * d + i] = (double)at->spring[2 * d + i];
    scratch[AT_CONTACT * d + i] = at->contact[i];
    scratch[AT_PRESSED * d + i] = at->pressed[i];
    scratch[AT_FASTEST * d + i] = at->fastest[i];
    scratch[AT_SLIP * d + i] = at->slip[i];
  }
  numbers[AT_T] = at->t;
  numbers[AT_PIECE] = (double)at->piece;
  numbers[AT_NODE] = (double)at->node;
  numbers[AT_SPEED] = at->speed;
  numbers[AT_PACE] = at->pace;
  numbers[AT_LOST] = at->lost;
  numbers[AT_IMPACTS] = at->impacts;
  numbers[AT_STRUCK] = (double)at->struck;
  numbers[AT_SETTLED] = (double)at->settled;
  numbers[AT_WHOLE] = at->whole;
  numbers[AT_EVENTS] = (double)at->events;
  numbers[AT_GRAZES] = (double)at->grazes;
  numbers[AT_RESIDUAL] = residual->largest;
  numbers[AT_RESIDUAL_TIME] = residual->time;
  numbers[AT_RESIDUAL_DOF] = residual->dof;
  numbers[AT_RESIDUAL_OF] = residual->of;
  memcpy(numbers + AT_SPENT, at->spent, sizeof at->spent);
}

/* Sets the forces of the control and the observer of the motion. */
static void drive(const SimModel *model, SimWorkspace *work) {
  EventMotion *motion = work->own;
  memcpy(motion->control_force, work->control_force, (size_t)model->problem.d * sizeof(double));
  motion->node_force = work->node_force;
  motion->watched = work->watched;
  motion->interrupt = &work->interrupt;
  motion->observer = work->observer;
}

/* Converts the index of a spring law's piece from a saved state to an integer, and limits it to the existing pieces. */
static long piece_of(const SimSpringLaw *law, double saved) {
  long last = law->pieces - 1;
  return saved > 0 && last > 0 ? (long)fmin(saved, (double)last) : 0;
}

void event_resume(const SimModel *model, SimWorkspace *work, long n) {
  EventMotion *motion = work->own;
  EventState *at = &motion->at;
  int d = model->problem.d;
  const double *scratch = work->scratch, *numbers = scratch + EVENT_VECTORS * d;
  drive(model, work);
  for (int i = 0; i < d; i++) {
    at->x[i] = scratch[AT_X * d + i];
    at->v[i] = scratch[AT_V * d + i];
    at->rest_order[i] = (signed char)scratch[AT_REST_ORDER * d + i];
    at->branch[i] = branch_saved(model->plan, scratch[AT_BRANCH * d + i]);
    at->spring[i] = piece_of(&model->problem.springs[SIM_ANCHORS], scratch[AT_ANCHOR * d + i]);
    at->spring[d + i] = piece_of(&model->problem.springs[SIM_LINKS], scratch[AT_LINK * d + i]);
    at->spring[2 * d + i] = piece_of(&model->problem.rise, scratch[AT_RISE * d + i]);
    at->contact[i] = (signed char)scratch[AT_CONTACT * d + i];
    at->pressed[i] = (signed char)scratch[AT_PRESSED * d + i];
    at->fastest[i] = scratch[AT_FASTEST * d + i];
    at->slip[i] = (signed char)scratch[AT_SLIP * d + i];
  }
  at->t = numbers[AT_T];
  at->piece = (long)numbers[AT_PIECE];
  at->node = (long)numbers[AT_NODE];
  at->speed = numbers[AT_SPEED];
  at->pace = numbers[AT_PACE];
  at->lost = numbers[AT_LOST];
  at->impacts = numbers[AT_IMPACTS];
  at->struck = (long)numbers[AT_STRUCK];
  at->settled = (long)numbers[AT_SETTLED];
  at->whole = numbers[AT_WHOLE] != 0;
  at->events = (long)numbers[AT_EVENTS];
  at->grazes = (long)numbers[AT_GRAZES];
  at->residual = (SimResidual){.largest = numbers[AT_RESIDUAL],
                               .time = numbers[AT_RESIDUAL_TIME],
                               .dof = (int)numbers[AT_RESIDUAL_DOF],
                               .of = (SimResidualOf)numbers[AT_RESIDUAL_OF]};
  work->residual = at->residual;
  memcpy(at->spent, numbers + AT_SPENT, sizeof at->spent);
  event_motion_resume(system_of(model, motion), motion, event_time(&model->problem, n));
}

/* Returns the kinetic energy plus the energy stored in all springs at time t, in J. */
static double stored(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v) {
  EventMotion *motion = work->own;
  const EventSystem *s = system_of(model, motion);
  if (s->field->stored) return s->field->stored(s, motion, t, x, v);
  if (model->surface) {
    double *shown_x = work->surface + SHOWN_X * s->d, *shown_v = work->surface + SHOWN_V * s->d;
    surface_show(model, t, x, v, shown_x, shown_v);
    x = shown_x;
    v = shown_v;
  }
  return joint_stored(s->problem, s->laws, x) +
         (rows_form(s->d, v, &s->mass, v) + rows_form(s->d, x, &s->stiffness, x)) / 2;
}

static void show_energy(const SimModel *model, SimWorkspace *work, double t, const double *spent) {
  const SimProblem *p = &model->problem;
  work->energy.work = spent[SPENT_WORK];
  work->energy.dissipated = spent[SPENT_DISSIPATED];
  work->energy.surface = spent[SPENT_SURFACE];
  work->energy.stored = stored(model, work, t, work->x, work->v) - stored(model, work, 0, p->x0, p->v0);
}

static void show(const SimModel *model, SimWorkspace *work, double t) {
  const SimProblem *p = &model->problem;
  EventMotion *motion = work->own;
  double spent[SPENT] = {0};
  event_motion_show(system_of(model, motion), motion, t, work->x, work->v, work->lambda, work->reaction, spent);
  memcpy(work->slip, motion->at.slip, (size_t)p->d);
  work->tally.iterations = motion->at.events;
  work->tally.grazes = motion->at.grazes;
  work->tally.impacts = motion->at.struck;
  work->tally.settled = motion->at.settled;
  work->energy.numerical = motion->at.lost;
  work->energy.impacts = motion->at.impacts;
  work->residual = motion->at.residual;
  if (work->watched) show_energy(model, work, t, spent);
  keep(p->d, event_motion_saved(system_of(model, motion), motion), &motion->at.residual, work->scratch);
}

SimStatus event_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  EventMotion *motion = work->own;
  drive(model, work);
  motion->tangent = work->sensitivity ? work->sensitivity->own : NULL;
  motion->record = work->adjoint && !motion->mechanism ? work->adjoint->own : NULL;
  work->energy = (SimEnergy){0};
  SimStatus status = event_motion_begin(system_of(model, motion), motion, p->x0, p->v0);
  if (status == SIM_OK && !motion->waits) show(model, work, 0);
  return status;
}

SimStatus event_step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  EventMotion *motion = work->own;
  double t = event_time(p, n);
  motion->observer = work->observer;
  SimStatus status = event_motion_reach(system_of(model, motion), motion, t);
  if (status == SIM_OK) show(model, work, t);
  if (status == SIM_OUT_OF_RANGE) /* the motion has stopped at the end of the law's range, and the caller gets the
                                   * position there */
    memcpy(work->x, motion->at.x, (size_t)p->d * sizeof *work->x);
  return status;
}
