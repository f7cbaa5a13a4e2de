/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along the steps of a DashpotForm (form.h). X and V are the columns of derivatives of x and v, u is the
 * control, and carry = m/dt - k dt before:
 *
 *   V+ = response (carry V - k X + B du), X+ = X + dt (ahead V+ + (1 - ahead) V)
 *
 * An adjoint sweep goes back. p and q are the derivatives of J, a weighted sum of the final state, by x and v:
 *
 *   y = response (q + dt ahead p), q = carry y + dt (1 - ahead) p, p = p - k y */
#include "sim/dashpot/form.h"
#include "sim/operator/columns.h"

#include <stdlib.h>

/* Data of a sensitivity or of an adjoint, which owns them. */
typedef struct DashpotDerivatives {
  DashpotMap *maps;  /* [N] maps of all steps, for an adjoint; otherwise NULL */
  StepShares shares; /* shares of the control in a step, for a sensitivity; otherwise empty */
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

/* Returns carry = m/dt - k dt before, the factor of the velocity's derivative V in a step, in kg/s. */
static double carry_of(const SimModel *model, DashpotMap map) {
  const SimProblem *p = &model->problem;
  return p->dashpot.mass / p->step - map.stiffness * ((const DashpotPlan *)model->plan)->before;
}

static SimStatus step_back(SimAdjoint *a, long n) {
  const DashpotPlan *plan = a->model->plan;
  const DashpotDerivatives *s = a->own;
  const DashpotMap map = s->maps[n - 1];
  double carry = carry_of(a->model, map), *restrict x = a->x, *restrict v = a->v;
  COLUMNS_EACH(k, a->width) v[k] = map.response * (v[k] + plan->ahead * x[k]);
  adjoint_push(a, adjoint_mix(a, n), 1, v);
  COLUMNS_EACH(k, a->width) {
    double y = v[k];
    v[k] = carry * y + plan->behind * x[k];
    x[k] -= map.stiffness * y;
  }
  step_stops_back(&s->stops, a, n);
  return SIM_OK;
}

static SimStatus sweep(SimAdjoint *a) { return adjoint_back(a, step_back); }

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

/* Computes the columns of derivatives at the end of step n. */
static void move(const SimModel *model, SimSensitivity *s, long n, DashpotMap map) {
  const SimProblem *p = &model->problem;
  const DashpotPlan *plan = model->plan;
  DashpotDerivatives *own = s->own;
  double carry = carry_of(model, map), *restrict x = s->x, *restrict v = s->v;
  step_shares_find(&own->shares, p, s, n);
  int begun = own->shares.begun;
  COLUMNS_EACH(k, begun) {
    double right = carry * v[k] - map.stiffness * x[k];
    x[k] += plan->behind * v[k];
    v[k] = right;
  }
  step_shares_add(&own->shares, p, 0, 1, v);
  COLUMNS_EACH(k, begun) {
    v[k] *= map.response;
    x[k] += plan->ahead * v[k];
  }
}

void dashpot_derivatives_step(const SimModel *model, SimWorkspace *work, long n, double v, DashpotMap map) {
  if (work->adjoint) {
    DashpotDerivatives *record = work->adjoint->own;
    step_stops_record(&record->stops, model, work, n, &v);
    record->maps[n - 1] = map;
  }
  if (!work->sensitivity) return;
  step_stops_forward(&((DashpotDerivatives *)work->sensitivity->own)->stops, model, work, n, &v);
  move(model, work->sensitivity, n, map);
}
