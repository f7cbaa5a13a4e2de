#include "sim/dashpot/derivatives.h"

#include "sim/operator/columns.h"

#include <stdlib.h>

/* A step; response in s/kg. */
typedef struct DashpotMap {
  double response, stiffness;
} DashpotMap;

/* A sensitivity's own, or an adjoint's; owned. */
typedef struct DashpotDerivatives {
  DashpotMap *maps;  /* [N] of an adjoint, else NULL */
  StepShares shares; /* of a sensitivity, else empty */
  StepStops stops;
} DashpotDerivatives;

static void free_derivatives(void *own) {
  DashpotDerivatives *s = own;
  free(s->maps);
  step_shares_clear(&s->shares);
  step_stops_clear(&s->stops);
  free(s);
}

SimStatus dashpot_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity) {
  DashpotDerivatives *s = sensitivity->own = calloc(1, sizeof *s);
  sensitivity->free_own = free_derivatives;
  SimStatus status = s ? step_shares_init(&s->shares, sensitivity) : SIM_NO_MEMORY;
  return status == SIM_OK ? step_stops_init(&s->stops, model->problem.count) : status;
}

static void step_back(SimAdjoint *a, long n) {
  const SimProblem *p = &a->model->problem;
  const DashpotDerivatives *s = a->own;
  const DashpotMap map = s->maps[n - 1];
  double inertia = p->dashpot.mass / p->step, *restrict x = a->x, *restrict v = a->v;
  SignalMix mix = {.weight = {1}};
  if (p->signal != SIM_CONSTANT) mix = signal_step(p, n);
  COLUMNS_EACH(k, a->width) v[k] = map.response * (v[k] + p->step * x[k]);
  adjoint_push(a, mix, 1, v);
  COLUMNS_EACH(k, a->width) {
    x[k] -= map.stiffness * v[k];
    v[k] *= inertia;
  }
  step_stops_back(&s->stops, a, n);
}

static SimStatus sweep(SimAdjoint *a) {
  SimStatus status = SIM_OK;
  for (long n = a->model->problem.steps; n > 0 && status == SIM_OK; n--) {
    status = adjoint_look(a);
    if (status == SIM_OK) step_back(a, n);
  }
  return status;
}

SimStatus dashpot_equip_adjoint(const SimModel *model, SimAdjoint *a) {
  DashpotDerivatives *s = a->own = calloc(1, sizeof *s);
  a->free_own = free_derivatives;
  a->sweep = sweep;
  if (!s) return SIM_NO_MEMORY;
  s->maps = calloc((size_t)model->problem.steps + 1, sizeof *s->maps);
  return s->maps ? step_stops_init(&s->stops, model->problem.count) : SIM_NO_MEMORY;
}

void dashpot_derivatives_start(SimWorkspace *work) {
  DashpotDerivatives *forward = work->sensitivity ? work->sensitivity->own : NULL;
  DashpotDerivatives *record = work->adjoint ? work->adjoint->own : NULL;
  if (forward) {
    sensitivity_start(work->sensitivity);
    step_stops_start(&forward->stops, work);
    forward->shares.begun = 0;
  }
  if (record) {
    adjoint_start(work->adjoint);
    step_stops_start(&record->stops, work);
  }
}

/* Columns behind the step. */
static void move(const SimProblem *p, SimSensitivity *s, long n, DashpotMap map) {
  DashpotDerivatives *own = s->own;
  double inertia = p->dashpot.mass / p->step, *restrict x = s->x, *restrict v = s->v;
  step_shares_find(&own->shares, p, s, n);
  int begun = own->shares.begun;
  COLUMNS_EACH(k, begun) v[k] = inertia * v[k] - map.stiffness * x[k];
  step_shares_add(&own->shares, p, 0, 1, v);
  COLUMNS_EACH(k, begun) {
    v[k] *= map.response;
    x[k] += p->step * v[k];
  }
}

void dashpot_derivatives_step(const SimModel *model, SimWorkspace *work, long n, double v, double response,
                              double stiffness) {
  const DashpotMap map = {response, stiffness};
  if (work->adjoint) {
    DashpotDerivatives *record = work->adjoint->own;
    step_stops_record(&record->stops, model, work, n, &v);
    record->maps[n - 1] = map;
  }
  if (!work->sensitivity) return;
  step_stops_forward(&((DashpotDerivatives *)work->sensitivity->own)->stops, model, work, n, &v);
  move(&model->problem, work->sensitivity, n, map);
}
