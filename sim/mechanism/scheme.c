/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheme `event` for models of the kind SIM_MECHANISM. */
#include "sim/event/scheme.h"
#include "sim/core/model.h"
#include "sim/mechanism/map.h"
#include "sim/mechanism/motion.h"
#include "sim/mechanism/record.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What this scheme prepares once for a model: the event system and the number of kinks. */
typedef struct MechanismPlan {
  EventSystem event;
  int n_kinks;
} MechanismPlan;

/* Creates a full matrix [d][d] with the value `value` in each entry. */
static SimStatus rows_of(int d, double value, EventRows *rows) {
  double *matrix = malloc((size_t)d * (size_t)d * sizeof *matrix);
  if (!matrix) return SIM_NO_MEMORY;
  for (int i = 0; i < d * d; i++) matrix[i] = value;
  SimStatus status = rows_of_dense(d, matrix, true, rows);
  free(matrix);
  return status;
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  MechanismPlan *plan = model->plan = calloc(1, sizeof *plan);
  MechanismMotion *motion;
  const char *why;
  if (!plan) return SIM_NO_MEMORY;
  EventSystem *s = &plan->event;
  *s = event_system(p);
  s->field = &mechanism_field;
  s->varies = true;
  s->stops = p->stops.present ? &p->stops : NULL;
  SimStatus status = rows_of(p->d, 1, &s->mass);
  if (status == SIM_OK) status = rows_of(p->d, 0, &s->stiffness);
  if (status == SIM_OK) status = rows_of(p->d, 0, &s->damping);
  if (status == SIM_OK) status = mechanism_motion_create(p, &motion, &why);
  if (status != SIM_OK) return status;
  s->form = s->mass;
  s->damping_transposed = s->damping;
  plan->n_kinks = motion->n_kinks;
  mechanism_motion_destroy(motion);
  return SIM_OK;
}

static void free_motion(void *own) {
  EventMotion *motion = own;
  event_motion_clear(motion);
  mechanism_motion_destroy(motion->mechanism);
  if (motion->system) rows_clear(&motion->system->mass);
  free(motion->system);
  free(motion);
}

/* Sets the friction thresholds of the event system, and M of the expansion, to those at the start of a motion. */
static void look_at_start(const SimProblem *p, MechanismMotion *mechanism) {
  (void)mechanism_motion_at(p, mechanism, 0, p->x0, p->v0, true);
  for (int i = 0; i < p->d; i++)
    mechanism->friction[i] =
        p->friction[i] > 0 ? fmax(expansion_output(mechanism->expansion, p->d + i, 0), DBL_MIN) : 0;
}

/* Creates the event system of one motion. M and c are those at the start. */
static SimStatus make_system(const EventSystem *plan, MechanismMotion *mechanism, EventSystem *s) {
  int d = plan->d;
  *s = *plan;
  s->mass = (EventRows){0};
  look_at_start(plan->problem, mechanism);
  SimStatus status = rows_of(d, 1, &s->mass);
  s->form = s->mass;
  s->friction = mechanism->friction;
  for (int i = 0; i < d && status == SIM_OK; i++) s->mass.diagonal[i] = mechanism->expansion->mass[i * d + i];
  return status;
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  const char *why;
  MechanismMotion *mechanism = NULL;
  EventMotion *motion = work->own = calloc(1, sizeof *motion);
  EventSystem *system = calloc(1, sizeof *system);
  work->free_own = free_motion;
  SimStatus status = motion && system ? mechanism_motion_create(&model->problem, &mechanism, &why) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = make_system(model->plan, mechanism, system);
  if (status == SIM_OK) status = event_motion_init(system, motion);
  if (!motion) {
    free(system);
    return status;
  }
  motion->system = system;
  motion->mechanism = mechanism;
  return status;
}

static size_t count_kinks(const SimModel *model) {
  const MechanismPlan *plan = model->plan;
  return 2 * (size_t)plan->n_kinks;
}

/* Returns the saved state of the kinks in work->scratch: their signs, and which kinks have just changed. */
static double *saved_kinks(const SimModel *model, SimWorkspace *work) {
  return work->scratch + EVENT_VECTORS * model->problem.d + EVENT_NUMBERS;
}

static SimStatus keep(const SimModel *model, SimWorkspace *work, SimStatus status) {
  const EventMotion *motion = work->own;
  const MechanismMotion *own = motion->mechanism;
  double *kinks = saved_kinks(model, work);
  for (int k = 0; k < own->n_kinks; k++) {
    kinks[k] = own->expansion->series->signs[k];
    kinks[own->n_kinks + k] = own->turned[k];
  }
  return status;
}

/* Whether one of the columns [n] differentiates by a parameter. */
static bool of_parameters(int n, const SimColumn *columns) {
  for (int c = 0; c < n; c++)
    if (columns[c].on == SIM_ON_PARAMETER) return true;
  return false;
}

/* Creates the map of derivatives (map.h) if the workspace has forward or adjoint derivatives. */
static SimStatus make_map(const SimModel *model, const SimWorkspace *work, MechanismMotion *own) {
  const SimSensitivity *forward = work->sensitivity;
  const SimAdjoint *adjoint = work->adjoint;
  bool parameters = (forward && of_parameters(forward->n, forward->columns)) ||
                    (adjoint && of_parameters(adjoint->n, adjoint->columns));
  if (!forward && !adjoint) return SIM_OK;
  if (own->map && (own->map->own != NULL) != parameters) {
    mechanism_map_destroy(own->map);
    own->map = NULL;
  }
  SimStatus status = SIM_OK;
  if (!own->map) status = mechanism_map_create(&model->problem, own->expansion, parameters, &own->map);
  if (status != SIM_OK) {
    mechanism_map_destroy(own->map);
    own->map = NULL;
    return status;
  }
  const EventTangent *tangent = forward ? forward->own : NULL;
  mechanism_map_set_timed(own->map, tangent && tangent->timed);
  return SIM_OK;
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const EventMotion *motion = work->own;
  MechanismMotion *own = motion->mechanism;
  SimStatus status = make_map(model, work, own);
  if (status != SIM_OK) return status;
  look_at_start(&model->problem, own);
  own->record = work->adjoint ? work->adjoint->own : NULL;
  own->expansion->placed = false; /* a previous motion may have failed between expansion_order_0 and expansion_make */
  if (own->record) mechanism_record_begin(own->record, motion);
  for (int k = 0; k < own->n_kinks; k++) {
    own->expansion->series->signs[k] = 0;
    own->turned[k] = false;
  }
  return keep(model, work, event_start(model, work));
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  return keep(model, work, event_step(model, work, n));
}

static void resume(const SimModel *model, SimWorkspace *work, long n) {
  const EventMotion *motion = work->own;
  MechanismMotion *own = motion->mechanism;
  const double *kinks = saved_kinks(model, work);
  own->expansion->placed = false;
  for (int k = 0; k < own->n_kinks; k++) {
    own->expansion->series->signs[k] = (kinks[k] > 0) - (kinks[k] < 0);
    own->turned[k] = kinks[own->n_kinks + k] != 0;
  }
  event_resume(model, work, n);
}

#define MECHANISM_TAKES (SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | SIM_HAS(RIGID))

const SimScheme sim_scheme_event_mechanism = {
    EVENT_NAMED,
    .kind = SIM_MECHANISM,
    .lanes = LANES_SEGMENTS,
    .takes = MECHANISM_TAKES,
    .derivatives = MECHANISM_TAKES,
    .equip_sensitivity = event_equip_sensitivity,
    .equip_adjoint = mechanism_record_equip,
    .read = event_read,
    .moves_end = true,
    .scratch_vectors = EVENT_VECTORS,
    .scratch_numbers = EVENT_NUMBERS,
    .scratch_further = count_kinks,
    .prepare = prepare,
    .release = event_release,
    .equip = equip,
    .resume = resume,
    .start = start,
    .step = step,
    .leap = step,
};
