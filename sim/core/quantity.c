/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks quantities of a motion (sim/quantity.h). The scheme `event` computes them by a function of its own, all other
 * schemes by quantity_steps.h. */
#include "sim/quantity.h"

#include "sim/base/argument.h"
#include "sim/core/model.h"
#include "sim/core/quantity_steps.h"
#include "sim/core/scheme.h"
#include "sim/core/sensitivity.h"

#include <math.h>
#include <stdio.h>

static bool known(const SimQuantity *q) {
  return (unsigned)q->way <= SIM_SEGMENT_ENDS && (unsigned)q->shape <= SIM_SHAPE_POSITIVE;
}

int sim_quantity_values(const SimModel *model, int n, const SimQuantity *q) {
  int values = 0;
  for (int k = 0; model && q && k < n; k++) {
    if (!known(&q[k])) return 0;
    values += sim_way_is_of_segments(q[k].way) ? model->problem.segments : 1;
  }
  return values;
}

/* Returns the reason why no quantities of a model can be computed; NULL if they can. */
static const char *model_refused(const SimProblem *p) {
  if (p->group) return "not with the ranks of a group (expected one rank per motion)";
  bool unread = !p->scheme->read && p->scheme->by_events;
  return unread ? "not for a dash-pot by event (expected backward_euler)" : NULL;
}

static const char *quantity_refused(const SimProblem *p, const SimQuantity *q) {
  bool kinked = q->shape == SIM_SHAPE_SIZE || q->shape == SIM_SHAPE_POSITIVE;
  if (!known(q)) return "unknown way or shape";
  if (q->way != SIM_INTEGRAL && q->shape != SIM_SHAPE_PLAIN) return "a shape without an integral (expected plain)";
  bool steps = !p->scheme->read, at_steps = q->way == SIM_AT_END || q->way == SIM_INTEGRAL || q->way == SIM_END_TIME;
  if (steps && !at_steps)
    return "a value on the way, but the scheme has steps (expected the scheme event, or the end, an integral or T)";
  bool alone = !q->x && !q->v && !q->from_x && !q->from_v && !q->reference && !q->control;
  if (q->place && p->surface_pieces) return "a place with moving surfaces (expected none)";
  if (q->place && (!alone || q->way == SIM_INTEGRAL))
    return "a place with weights, a reference or a factor, or its integral (expected a place alone)";
  if (q->reference && (sim_way_is_of_segments(q->way) || kinked))
    return "a reference with a value of segments or with a shape that has a kink (expected none)";
  if (q->way == SIM_AT_TIME && !(q->time >= 0)) return "a time below 0 (expected >= 0)";
  if (q->control < 0 || q->control > p->n_control) return "an entry of u that does not exist (expected 1..p, or 0)";
  if (q->control && p->signal == SIM_PIECEWISE_LINEAR)
    return "a factor u that is piecewise linear (expected a control that is constant in segments)";
  return NULL;
}

SimStatus sim_quantities_check(const SimModel *model, int n, const SimQuantity *quantities, const SimReport *report) {
  ARGUMENT_THERE(model);
  ARGUMENT(n >= 1 && quantities, "quantities", "is NULL, or empty");
  const SimProblem *p = &model->problem;
  const char *text = model_refused(p);
  int mistakes = text ? sim_complain(report, "quantities", "%s", text) : 0;
  for (int k = 0; k < n && !text; k++) {
    const char *of_one = quantity_refused(p, &quantities[k]);
    if (of_one) mistakes += sim_complain(report, "quantities", "number %d: %s", k + 1, of_one);
  }
  return mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}

SimStatus sim_rollout_quantities(const SimModel *model, SimWorkspace *work, SimSensitivity *s, const double *control,
                                 int n, const SimQuantity *quantities, SimFinal *final, SimDerivative *derivative,
                                 SimReading *reading) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT(!s || s->count == model->problem.count, "sensitivity", "is another model's");
  ARGUMENT(final && final->x && final->v, "final", "is NULL, or has no room for x or v");
  ARGUMENT(reading && reading->values, "reading", "is NULL, or has no room for values");
  ARGUMENT(!derivative || s, "derivative", "needs a sensitivity");
  SimStatus status = sim_quantities_check(model, n, quantities, NULL);
  if (status != SIM_OK) return status;
  SimReading out = *reading;
  if (!s) out.rows = out.matrix = NULL;
  const SimScheme *scheme = model->problem.scheme;
  status = (scheme->read ? scheme->read : quantity_steps_read)(model, work, s, control, n, quantities, final, &out);
  if (derivative) sensitivity_copy(s, derivative);
  return status;
}
