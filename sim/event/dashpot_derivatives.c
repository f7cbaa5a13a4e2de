/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/event/dashpot_derivatives.h"

#include "sim/core/model.h"
#include "sim/event/dashpot_motion.h"
#include "sim/event/scheme.h"
#include "sim/event/variation.h"
#include "sim/operator/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Data of an adjoint (SimAdjoint.own) for dash-pots: the links, which are the linear maps of derivatives over the
 * recorded motion's segments and events (dashpot_variation.h). */
typedef struct Record {
  DashpotLink *links; /* [room], of which count are filled; owned, like impulse */
  size_t count, room;
  double *impulse; /* [width] scratch */
} Record;

/* Derivatives of the force by one quantity z, in N, at the control's nodes before and after a link. */
typedef struct Driven {
  double node[2];
} Driven;

static Driven driven_of(const SimProblem *p, const SimColumn *column, long node) {
  if (column->on != SIM_ON_CONTROL) return (Driven){{0, 0}};
  double input = p->control_matrix[column->entry % p->n_control];
  bool linear = p->signal == SIM_PIECEWISE_LINEAR;
  return (Driven){{input * variation_share(p, column->entry, node),
                   linear ? input * variation_share(p, column->entry, node + 1) : 0}};
}

/* Advances the derivatives of x and v by one quantity over a link. */
static void follow(const SimProblem *p, const DashpotLink *link, const SimColumn *column, double *x, double *v) {
  const Driven driven = driven_of(p, column, link->node);
  double row[2];
  for (int i = 0; i < 2; i++)
    row[i] = link->map[i][0] * *x + link->map[i][1] * *v + link->force[i][0] * driven.node[0] +
             link->force[i][1] * driven.node[1];
  *x = row[0];
  *v = row[1];
}

static void go_forward(const SimProblem *p, SimSensitivity *s, const DashpotLink *link) {
  for (int k = 0; k < s->n; k++) follow(p, link, &s->columns[k], &s->x[k], &s->v[k]);
  s->smooth = s->smooth && link->smooth;
}

/* Computes the derivatives at time step work->n: those at the start of the current segment, advanced by the link to
 * t_n. */
static void show(const SimModel *model, SimWorkspace *work, double *state) {
  const SimProblem *p = &model->problem;
  const SimSensitivity *s = work->sensitivity;
  const DashpotLink link = dashpot_motion_link(model->plan, work->own, event_time(p, work->n));
  sensitivity_state(s, state);
  for (int k = 0; k < s->n; k++) follow(p, &link, &s->columns[k], &state[k], &state[s->n + k]);
}

SimStatus dashpot_equip_columns(const SimModel *model, SimSensitivity *sensitivity) {
  (void)model;
  sensitivity->show = show;
  return SIM_OK;
}

static void free_record(void *own) {
  Record *r = own;
  free(r->links);
  free(r->impulse);
  free(r);
}

static SimStatus keep(SimAdjoint *a, const DashpotLink *link) {
  Record *r = a->own;
  if (r->count == r->room) {
    size_t room = 2 * r->room + 64;
    DashpotLink *links = realloc(r->links, room * sizeof *links);
    if (!links) return SIM_NO_MEMORY;
    r->links = links;
    r->room = room;
  }
  r->links[r->count++] = *link;
  a->smooth = a->smooth && link->smooth;
  return SIM_OK;
}

/* Sweeps the adjoint back over a link by the transposed map, and adds the derivatives by the control. */
static void go_back(SimAdjoint *a, const DashpotLink *link) {
  Record *r = a->own;
  int nodes = a->model->problem.signal == SIM_PIECEWISE_LINEAR ? 2 : 1;
  double *restrict x = a->x, *restrict v = a->v, *restrict impulse = r->impulse;
  for (int j = 0; j < nodes; j++) {
    COLUMNS_EACH(k, a->width) impulse[k] = link->force[0][j] * x[k] + link->force[1][j] * v[k];
    adjoint_push(a, (SignalMix){(int)link->node, {j == 0, j == 1, 0}}, 1, impulse);
  }
  COLUMNS_EACH(k, a->width) {
    double of_x = link->map[0][0] * x[k] + link->map[1][0] * v[k];
    v[k] = link->map[0][1] * x[k] + link->map[1][1] * v[k];
    x[k] = of_x;
  }
}

static SimStatus sweep(SimAdjoint *a) {
  const Record *r = a->own;
  /* whether the mass sticks at T, and the sweep, which goes backwards, is still in this last period of rest */
  bool open = !isnan(a->stop_time[0]);
  for (size_t k = r->count; k-- > 0;) {
    SimStatus status = adjoint_look(a);
    if (status != SIM_OK) return status;
    go_back(a, &r->links[k]);
    if (open && r->links[k].stops) {
      columns_add(a->width, 1, a->stop_weights, a->v);
      open = false;
    }
  }
  return SIM_OK;
}

SimStatus dashpot_equip_record(const SimModel *model, SimAdjoint *a) {
  (void)model;
  Record *r = a->own = calloc(1, sizeof *r);
  a->free_own = free_record;
  a->sweep = sweep;
  if (!r) return SIM_NO_MEMORY;
  r->impulse = calloc((size_t)a->together, sizeof *r->impulse);
  return r->impulse ? SIM_OK : SIM_NO_MEMORY;
}

void dashpot_derivatives_begin(DashpotMotion *m) {
  if (m->sensitivity) sensitivity_start(m->sensitivity);
  if (!m->adjoint) return;
  adjoint_start(m->adjoint);
  ((Record *)m->adjoint->own)->count = 0;
}

static SimStatus take(const DashpotSystem *s, DashpotMotion *m, const DashpotLink *link) {
  if (m->sensitivity) go_forward(dashpot_problem_of(s), m->sensitivity, link);
  return m->adjoint ? keep(m->adjoint, link) : SIM_OK;
}

SimStatus dashpot_derivatives_leave(const DashpotSystem *s, DashpotMotion *m) {
  const DashpotLink link = dashpot_link_segment(s, m, m->part);
  return take(s, m, &link);
}

static void note_slip(DashpotMotion *m, const DashpotBefore *before) {
  bool stops = before->slip != 0 && m->at.slip == 0, goes = before->slip == 0 && m->at.slip != 0;
  if (stops && m->sensitivity) sensitivity_stop(m->sensitivity, 0, m->at.t, before->a);
  if (stops && m->adjoint) adjoint_stop(m->adjoint, 0, m->at.t, before->a);
  if (goes && m->sensitivity) sensitivity_go(m->sensitivity, 0);
  if (goes && m->adjoint) adjoint_go(m->adjoint, 0);
}

SimStatus dashpot_derivatives_enter(const DashpotSystem *s, DashpotMotion *m, const DashpotBefore *before) {
  const DashpotLink link = dashpot_link_event(s, m, before);
  note_slip(m, before);
  return take(s, m, &link);
}
