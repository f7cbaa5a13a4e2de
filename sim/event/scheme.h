/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheme `event` for all kinds of models. It computes the motion from event to event, without steps. The times t_n
 * of the grid have no influence on the motion; observers get x and v at these times. model->plan begins with an
 * EventSystem. */
#ifndef SIM_EVENT_SCHEME_H
#define SIM_EVENT_SCHEME_H

#include "sim/core/scheme.h"
#include "sim/event/event.h"
#include "sim/parameter.h"

typedef struct EventParameters {
  double tolerance;
  long max_events;
} EventParameters;

extern const SimParameter event_parameters[];

/* Layout of the saved state in work->scratch: first vectors [d], which have these indices, then single numbers, which
 * have the indices of the next enum. */
enum {
  AT_X,
  AT_V,
  AT_REST_ORDER,
  AT_BRANCH,
  AT_ANCHOR,
  AT_LINK,
  AT_RISE,
  AT_CONTACT,
  AT_PRESSED,
  AT_FASTEST,
  AT_SLIP,
  EVENT_VECTORS
};
enum {
  AT_T,
  AT_PIECE,
  AT_NODE,
  AT_SPEED,
  AT_PACE,
  AT_LOST,
  AT_IMPACTS,
  AT_EVENTS,
  AT_GRAZES,
  AT_STRUCK,
  AT_SETTLED,
  AT_WHOLE,
  AT_RESIDUAL,
  AT_RESIDUAL_TIME,
  AT_RESIDUAL_DOF,
  AT_RESIDUAL_OF,
  AT_SPENT,
  EVENT_NUMBERS = AT_SPENT + SPENT
};

/* Returns a system with the data common to all kinds: d, friction, the problem, the scheme's parameters. */
EventSystem event_system(const SimProblem *problem);

/* Returns the end of step n, in s. */
static inline double event_time(const SimProblem *problem, long n) {
  return n < problem->steps ? (double)n * problem->step : problem->end;
}

/* Members of SimScheme that are the same in all schemes `event`. */
#define EVENT_NAMED                                                                                                    \
  .name = "event", .sentence = "the motion itself, from event to event: no error of a step, stick and its ends exact", \
  .parameters = event_parameters, .parameters_size = sizeof(EventParameters), .by_events = true,                       \
  .force_in_pieces = true, .energies = true

/* Members of SimScheme that are the same in schemes `event` with an EventMotion, except prepare. */
#define EVENT_SCHEME                                                                                                   \
  EVENT_NAMED, .moves_end = true, .segments = event_segments, .scratch_vectors = EVENT_VECTORS,                        \
               .scratch_numbers = EVENT_NUMBERS, .equip = event_equip, .resume = event_resume,                         \
               .examine = event_examine, .release = event_release, .start = event_start, .step = event_step,           \
               .leap = event_step, .equip_sensitivity = event_equip_sensitivity, .equip_adjoint = event_equip_adjoint, \
               .read = event_read
void event_release(SimModel *model);
double event_segments(const SimProblem *problem);
SimStatus event_equip(const SimModel *model, SimWorkspace *work);
SimStatus event_examine(const SimModel *model, SimWorkspace *work, const SimOriginals *originals);
void event_resume(const SimModel *model, SimWorkspace *work, long n);

/* These functions implement SimScheme.equip_sensitivity and SimScheme.equip_adjoint. */
SimStatus event_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus event_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* Implements SimScheme.read: simulates a motion, and computes quantities along it (readings.h). */
SimStatus event_read(const SimModel *model, SimWorkspace *work, SimSensitivity *sensitivity, const double *control,
                     int n, const SimQuantity *quantities, SimFinal *final, const SimReading *reading);

/* These functions implement SimScheme.start and SimScheme.step; event_step is also SimScheme.leap. */
SimStatus event_start(const SimModel *model, SimWorkspace *work);
SimStatus event_step(const SimModel *model, SimWorkspace *work, long n);

#endif
