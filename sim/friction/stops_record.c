/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/stops_record.h"

#include "sim/friction/moreau_stops.h"
#include "sim/friction/stops_columns.h"
#include "sim/operator/columns.h"

#include <stdlib.h>
#include <string.h>

struct StopsRecord {
  /* [N + 2] index of the first recorded solve (solve) and of the first meeting of a dof with a stop (met) of step n;
   * step n ends where step n + 1 begins */
  size_t *solve, *met;
  /* [solve_room][d] STOPS_.. bits of each dof in each recorded solve; owned, as all arrays here */
  unsigned char *branch;
  double *terms; /* [solve_room][wanted][d] derivatives of row i of a solve's right side by c_i, M_ii, D_ii or beta_i */
  size_t solve_room;
  StopsMeeting *meetings; /* [met_room] contacts of a dof with a rigid stop, one for each dof that meets a stop in a
                           * solve of a step */
  size_t met_room;
  StopsColumns *columns; /* scratch of an adjoint sweep, which passes the steps from the last to the first */
};

StopsRecord *stops_record_create(const SimProblem *p, int together) {
  StopsRecord *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->solve = calloc((size_t)p->steps + 2, sizeof *r->solve);
  r->met = calloc((size_t)p->steps + 2, sizeof *r->met);
  r->columns = stops_columns_create(p->count, together);
  if (r->columns) r->columns->transposed = true;
  if (r->solve && r->met && r->columns) return r;
  stops_record_destroy(r);
  return NULL;
}

void stops_record_destroy(StopsRecord *r) {
  if (!r) return;
  free(r->solve);
  free(r->met);
  free(r->branch);
  free(r->terms);
  free(r->meetings);
  stops_columns_destroy(r->columns);
  free(r);
}

void stops_record_start(StopsRecord *r) { r->solve[1] = r->met[1] = 0; }

/* Allocates memory for so many further solves and contacts of dofs with stops (meetings). Returns false if there is no
 * memory. */
static bool grow(StopsRecord *r, size_t solves, size_t meetings, size_t d, size_t wanted) {
  if (solves == r->solve_room) {
    size_t room = 2 * solves + 16;
    unsigned char *branch = realloc(r->branch, room * d);
    if (branch) r->branch = branch;
    double *terms = branch ? realloc(r->terms, (room * wanted * d + 1) * sizeof *terms) : NULL;
    if (!terms) return false;
    r->terms = terms;
    r->solve_room = room;
  }
  if (meetings + d > r->met_room) {
    size_t room = 2 * meetings + 16 * d;
    StopsMeeting *met = realloc(r->meetings, room * sizeof *met);
    if (!met) return false;
    r->meetings = met;
    r->met_room = room;
  }
  return true;
}

/* Records solve k of the current step as entry `solve`. */
static void keep_solve(const SimModel *model, const SimWorkspace *work, int k, const StepTerms *terms, size_t solve) {
  const StopsTrace *trace = moreau_stops_trace(work->own);
  const FrictionRecord *f = work->adjoint->own;
  StopsRecord *r = f->stops;
  size_t d = (size_t)model->problem.d, wanted = (size_t)f->wanted;
  StepTerms own = *terms;
  own.lambda = trace->lambda + (size_t)k * d;
  own.damped = own.gain[1] = trace->v + (size_t)k * d;
  memcpy(r->branch + solve * d, trace->branch + (size_t)k * d, d);
  for (size_t q = 0; q < wanted; q++)
    for (size_t i = 0; i < d; i++)
      r->terms[(solve * wanted + q) * d + i] = step_term(&model->problem, &own, f->on[q], (int)i);
}

SimStatus stops_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *terms) {
  enum { NO_SOLVE = -1 };
  const StopsTrace *trace = moreau_stops_trace(work->own);
  FrictionRecord *f = work->adjoint->own;
  StopsRecord *r = f->stops;
  size_t d = (size_t)model->problem.d, solve = r->solve[n], met = r->met[n];
  work->adjoint->smooth = work->adjoint->smooth && trace->smooth;
  for (int k = 0; k < trace->solves; k++) {
    if (!grow(r, solve, met, d, (size_t)f->wanted)) return SIM_NO_MEMORY;
    if (trace->matters[k]) keep_solve(model, work, k, terms, solve);
    for (int q = 0; q < trace->meetings; q++) {
      if (trace->met[q].solve != k) continue;
      r->meetings[met] = trace->met[q];
      r->meetings[met++].solve = trace->matters[k] ? (int)(solve - r->solve[n]) : NO_SOLVE;
    }
    solve += trace->matters[k];
  }
  r->solve[n + 1] = solve;
  r->met[n + 1] = met;
  for (int i = 0; i < (int)d && trace->solves; i++) {
    if (!stops_trace_holds(trace, (int)d, i)) continue;
    step_stops_drop(&f->past, work->adjoint, i);
  }
  return SIM_OK;
}

bool stops_record_has(const SimAdjoint *a, long n) {
  const StopsRecord *r = ((const FrictionRecord *)a->own)->stops;
  return r && r->solve[n + 1] > r->solve[n];
}

/* Sweeps back over the update of the position x+. From dJ/dx+ it computes the contributions to dJ/dx, to dJ/dv and to
 * the derivative by the contact times s, and stores the derivative by the velocity v+ in columns->right. */
static void leave_positions(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  const StopsRecord *r = ((const FrictionRecord *)a->own)->stops;
  StopsColumns *c = r->columns;
  size_t row = (size_t)a->width * sizeof *c->right;
  memcpy(c->right, a->v, adjoint_size(a) * sizeof *c->right);
  memset(a->v, 0, adjoint_size(a) * sizeof *a->v);
  memset(c->part, 0, adjoint_size(a) * sizeof *c->part);
  memset(c->speed, 0, adjoint_size(a) * sizeof *c->speed);
  for (int i = 0; i < a->model->problem.d; i++) {
    const StopsMeeting *met = NULL;
    for (size_t k = r->met[n]; k < r->met[n + 1]; k++)
      if (r->meetings[k].dof == i) met = &r->meetings[k];
    double *x = adjoint_row(a, a->x, i);
    columns_add(a->width, met ? met->by_speed : plan->form.ahead, x, adjoint_row(a, c->right, i));
    columns_add(a->width, met ? met->by_part : plan->form.behind, x, adjoint_row(a, met ? c->part : a->v, i));
    if (met) memset(x, 0, row);
  }
}

/* Sweeps back over a solve. From columns->right, which is dJ/dv, it computes the contributions to the derivatives by
 * the rebound velocity g, x and v. Sets columns->v to the derivative of J by the solve's right side. */
static SimStatus leave_solve(SimAdjoint *a, size_t solve) {
  const FormPlan *plan = a->model->plan;
  const FrictionRecord *f = a->own;
  const StopsRecord *r = f->stops;
  StopsColumns *c = r->columns;
  int d = a->model->problem.d;
  const unsigned char *branch = r->branch + solve * (size_t)d;
  SimStatus status = stops_columns_take(c, &plan->solver.dense, &a->model->problem.stops, plan->form.ahead, branch);
  if (status != SIM_OK) return status;
  columns_multiply(d, c->inverse, a->width, a->width, c->right, c->v);
  for (int i = 0; i < d; i++) {
    double *y = adjoint_row(a, c->v, i);
    double press = stops_columns_press(&a->model->problem.stops, a->model->problem.step, i, branch[i]);
    for (int j = 0; j < d; j++)
      if (branch[j] & STOPS_HELD)
        columns_add(a->width, -plan->solver.dense.matrix[i * d + j], y, adjoint_row(a, c->speed, j));
    if (branch[i] & STOPS_HELD) columns_add(a->width, 1, adjoint_row(a, c->right, i), adjoint_row(a, c->speed, i));
    if (press == 0) continue;
    columns_add(a->width, -press, y, adjoint_row(a, a->x, i));
    columns_add(a->width, -press * plan->form.theta * plan->form.behind, y, adjoint_row(a, a->v, i));
  }
  return SIM_OK;
}

/* Sweeps back over a dof's contact with a stop in a solve. From dJ/ds and dJ/dg (s, g: moreau_stops.h) it computes the
 * contributions to the derivatives of J by x, by v and by quantities of the model, and to columns->right, which is
 * dJ/dv of that solve. */
static void leave_meeting(SimAdjoint *a, const StopsMeeting *met, bool sticks) {
  const FormPlan *plan = a->model->plan;
  const FrictionRecord *f = a->own;
  StopsColumns *c = f->stops->columns;
  int i = met->dof, d = a->model->problem.d;
  double *of[] = {adjoint_row(a, a->x, i), adjoint_row(a, a->v, i), adjoint_row(a, c->right, i)};
  const double *part = adjoint_row(a, c->part, i), *speed = adjoint_row(a, c->speed, i);
  for (int k = 0; k < 3; k++) {
    columns_add(a->width, met->part[k], part, of[k]);
    columns_add(a->width, met->speed[k], speed, of[k]);
  }
  for (int k = 0; k < f->wanted; k++)
    columns_add(a->width, met->own[f->on[k]], speed, adjoint_row(a, a->sum[f->on[k]], i));
  if (!sticks || met->friction == 0) return;
  for (int j = 0; j < d; j++)
    columns_add(a->width, -met->friction * plan->solver.dense.matrix[i * d + j], speed, adjoint_row(a, c->right, j));
}

/* Completes columns->v, the derivative of J by the solve's right side. For a dof that sticks in the solve in which it
 * meets a stop, the rebound velocity g depends on the right side too; this adds that part. */
static void add_stuck(SimAdjoint *a, const StopsMeeting *met) {
  StopsColumns *c = ((FrictionRecord *)a->own)->stops->columns;
  columns_add(a->width, met->friction, adjoint_row(a, c->speed, met->dof), adjoint_row(a, c->v, met->dof));
}

SimStatus stops_record_back(SimAdjoint *a, long n) {
  FrictionRecord *f = a->own;
  const StopsRecord *r = f->stops;
  StopsColumns *c = r->columns;
  size_t d = (size_t)a->model->problem.d, block = adjoint_size(a) * sizeof *c->right;
  memset(f->y, 0, block);
  leave_positions(a, n);
  for (size_t k = r->solve[n + 1]; k-- > r->solve[n];) {
    int own = (int)(k - r->solve[n]);
    for (size_t q = r->met[n]; q < r->met[n + 1]; q++) {
      const StopsMeeting *met = &r->meetings[q];
      if (met->solve == own) leave_meeting(a, met, r->branch[k * d + (size_t)met->dof] & STOPS_STICKS);
    }
    SimStatus status = leave_solve(a, k);
    if (status != SIM_OK) return status;
    for (size_t q = r->met[n]; q < r->met[n + 1]; q++)
      if (r->meetings[q].solve == own) add_stuck(a, &r->meetings[q]);
    for (int i = 0; i < (int)d; i++) columns_add(a->width, 1, adjoint_row(a, c->v, i), adjoint_row(a, f->y, i));
    friction_record_numbers(a, r->terms + k * (size_t)f->wanted * d, c->v);
    memset(c->right, 0, block);
  }
  return SIM_OK;
}
