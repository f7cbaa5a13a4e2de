/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/splitting/derivatives.h"

#include <stdlib.h>
#include <string.h>

static void free_derivatives(void *own) {
  SplittingDerivatives *s = own;
  splitting_trace_clear(&s->trace);
  splitting_maps_clear(&s->maps);
  step_stops_clear(&s->stops);
  step_shares_clear(&s->shares);
  free(s->before);
  free(s);
}

static SimStatus create(const SimModel *model, const SimColumn *columns, int n, long steps, int width, bool backward,
                        SplittingDerivatives **out) {
  SplittingDerivatives *s = *out = calloc(1, sizeof *s);
  SimStatus status = s ? splitting_trace_init(&s->trace, model, columns, n, steps) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = splitting_maps_init(&s->maps, model, width, backward);
  if (status == SIM_OK) status = step_stops_init(&s->stops, model->problem.d);
  if (status != SIM_OK) return status;
  s->before = calloc((size_t)model->problem.d, sizeof *s->before);
  return s->before ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus splitting_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity) {
  SplittingDerivatives *s;
  SimStatus status = create(model, sensitivity->columns, sensitivity->n, 1, sensitivity->width, false, &s);
  sensitivity->own = s;
  sensitivity->free_own = free_derivatives;
  return status == SIM_OK ? step_shares_init(&s->shares, sensitivity) : status;
}

SimStatus splitting_equip_adjoint(const SimModel *model, SimAdjoint *a) {
  SplittingDerivatives *s;
  SimStatus status = create(model, a->columns, a->n, model->problem.steps, a->together, true, &s);
  a->own = s;
  a->free_own = free_derivatives;
  a->sweep = splitting_sweep;
  return status;
}

static SplittingDerivatives *forward_of(const SimWorkspace *work) {
  return work->sensitivity ? work->sensitivity->own : NULL;
}

static SplittingDerivatives *record_of(const SimWorkspace *work) { return work->adjoint ? work->adjoint->own : NULL; }

void splitting_derivatives_start(SimWorkspace *work) {
  SplittingDerivatives *forward = forward_of(work), *record = record_of(work);
  if (forward) {
    sensitivity_start(work->sensitivity);
    step_stops_start(&forward->stops, work);
    forward->shares.begun = 0;
    forward->maps.branches.known = false;
  }
  if (record) {
    adjoint_start(work->adjoint);
    step_stops_start(&record->stops, work);
  }
}

static void begin(SplittingDerivatives *s, const SimWorkspace *work, long k) {
  splitting_trace_begin(&s->trace, k);
  memcpy(s->before, work->v, (size_t)s->trace.d * sizeof *s->before);
}

void splitting_derivatives_begin(const SimWorkspace *work, long n) {
  if (work->sensitivity) begin(forward_of(work), work, 0);
  if (work->adjoint) begin(record_of(work), work, n - 1);
}

/* Whether a rigid stop holds dof i at the end of the step; the stop, not friction, has then brought the dof to rest. */
static bool holds(const SplittingTrace *t, int i) {
  if (!t->stops) return false;
  const ElasticTrace end = splitting_elastic(t, 0);
  return *end.struck && end.turned[i] == 0;
}

SimStatus splitting_derivatives_step(const SimModel *model, SimWorkspace *work, long n) {
  SplittingDerivatives *forward = forward_of(work), *record = record_of(work);
  if (record) {
    step_stops_record(&record->stops, model, work, n, record->before);
    for (int i = 0; i < model->problem.d; i++)
      if (holds(&record->trace, i)) step_stops_drop(&record->stops, work->adjoint, i);
  }
  if (!forward) return SIM_OK;
  step_stops_forward(&forward->stops, model, work, n, forward->before);
  for (int i = 0; i < model->problem.d; i++)
    if (holds(&forward->trace, i)) sensitivity_go(work->sensitivity, i);
  return splitting_tangent(model, work->sensitivity, n);
}
