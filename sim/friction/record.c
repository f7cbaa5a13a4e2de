/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/record.h"

#include "sim/core/thresholds.h"
#include "sim/friction/stops_record.h"
#include "sim/joint/rise.h"
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };

static void free_record(void *own) {
  FrictionRecord *r = own;
  friction_branches_clear(&r->branches);
  friction_work_clear(&r->work);
  free(r->slides);
  free(r->slope);
  free(r->rise);
  free(r->terms);
  free(r->table);
  free(r->creep);
  free(r->springs);
  thresholds_destroy(r->thresholds);
  stops_record_destroy(r->stops);
  step_stops_clear(&r->past);
  free(r->slip);
  free(r->right);
  free(r);
}

static SimStatus allocate(const SimModel *model, const StepLaw *law, bool levels, const SimAdjoint *a,
                          FrictionRecord *r) {
  const SimProblem *p = &model->problem;
  size_t rows = (size_t)p->count, steps = (size_t)p->steps + 1, room = steps * rows + 1;
  size_t block = rows * (size_t)a->together;
  bool regularized = law->kept > 0, creeps = regularized && a->sum[SIM_ON_FRICTION];
  for (int on = SIM_ON_FRICTION; on <= SIM_ON_BETA; on++)
    if (a->sum[on]) r->on[r->wanted++] = (SimDependence)on;
  r->words = (rows + BITS - 1) / BITS;
  r->slides = calloc(steps * r->words + 1, sizeof *r->slides);
  if (friction_drops(p)) r->slope = calloc(room, sizeof *r->slope);
  if (p->rise.pieces) r->rise = calloc(room, sizeof *r->rise);
  if (r->wanted > 0) r->terms = calloc((size_t)r->wanted * room, sizeof *r->terms);
  if (a->sum[SIM_ON_TABLE]) r->table = calloc(room, sizeof *r->table);
  if (creeps) r->creep = calloc(room, sizeof *r->creep);
  if (p->stops.present) r->stops = stops_record_create(p, a->together);
  if (model->springs) r->springs = calloc(4 * room + 2 * block + 2 * rows, sizeof *r->springs);
  r->slip = calloc(rows + 1, sizeof *r->slip);
  r->right = calloc(4 * block + 1, sizeof *r->right);
  r->y = r->right + block;
  r->after = levels ? r->right + 2 * block : NULL;
  r->lambda = regularized ? r->right + 3 * block : NULL;
  bool there = r->slides && (r->slope || !friction_drops(p)) && (r->rise || !p->rise.pieces) &&
               (r->terms || r->wanted == 0) && (r->table || !a->sum[SIM_ON_TABLE]) && (r->creep || !creeps) &&
               (r->springs || !model->springs) && (r->stops || !p->stops.present);
  return there && r->slip && r->right ? step_stops_init(&r->past, p->count) : SIM_NO_MEMORY;
}

SimStatus form_equip_adjoint(const SimModel *model, SimAdjoint *a) {
  const FrictionSolver *solvers[FRICTION_SOLVERS];
  const double *apart[FRICTION_SOLVERS];
  int n = form_solvers(model->plan, solvers, apart);
  FrictionRecord *r = a->own = calloc(1, sizeof *r);
  a->free_own = free_record;
  a->sweep = form_sweep;
  SimStatus status = r ? allocate(model, &solvers[0]->law, form_of(model)->differences, a, r) : SIM_NO_MEMORY;
  if (status == SIM_OK) status = friction_branches_init(solvers[0], &r->branches);
  if (r) r->branches.transposed = true;
  status = sim_group_agree(model->problem.group, status);
  if (status == SIM_OK) status = friction_work_init(&r->work, n, solvers);
  if (status != SIM_OK || !model->problem.thresholds || !r->lambda) return status;
  return thresholds_create(&model->problem, n, solvers, apart, &r->thresholds);
}

void friction_record_start(SimWorkspace *work) {
  FrictionRecord *r = work->adjoint->own;
  adjoint_start(work->adjoint);
  step_stops_start(&r->past, work);
  r->known = NULL;
  if (r->stops) stops_record_start(r->stops);
}

void friction_record_step(const SimModel *model, SimWorkspace *work, long n, const StepTerms *at) {
  const SimProblem *p = thresholds_now(model, work);
  FrictionRecord *r = work->adjoint->own;
  int count = p->count;
  uint64_t *slides = r->slides + (size_t)n * r->words;
  double *slope = r->slope ? r->slope + (size_t)n * (size_t)count : NULL;
  memset(slides, 0, r->words * sizeof *slides);
  for (int i = 0; i < count; i++) slides[i / BITS] |= (uint64_t)(work->slip[i] != 0) << i % BITS;
  for (int i = 0; i < count && slope; i++) slope[i] = at->force * friction_drop_slope(p, i, at->speed[i]);
  for (int i = 0; i < count && r->rise; i++)
    r->rise[(size_t)n * (size_t)count + (size_t)i] = step_rise(p, at, work->thresholds->slope[i], i);
  for (int i = 0; i < count && r->table; i++) r->table[(size_t)n * (size_t)count + (size_t)i] = step_table(p, at, i);
  for (int k = 0; k < r->wanted; k++) {
    double *term = r->terms + ((size_t)n * (size_t)r->wanted + (size_t)k) * (size_t)count;
    for (int i = 0; i < count; i++) term[i] = step_term(p, at, r->on[k], i);
  }
}

void friction_record_branches(const SimModel *model, FrictionRecord *r, long n) {
  const uint64_t *slides = r->slides + (size_t)n * r->words;
  if (r->known && memcmp(r->known, slides, r->words * sizeof *slides) == 0) return;
  for (int i = 0; i < model->problem.count; i++) r->slip[i] = (signed char)(slides[i / BITS] >> i % BITS & 1);
  friction_forget(&r->work);
  r->branches.known = false;
  r->known = slides;
}

void friction_record_numbers(SimAdjoint *a, const double *terms, double *y) {
  const FrictionRecord *r = a->own;
  int count = a->model->problem.count;
  for (int k = 0; k < r->wanted; k++)
    for (int i = 0; i < count; i++)
      columns_add(a->width, terms[k * count + i], adjoint_row(a, y, i), adjoint_row(a, a->sum[r->on[k]], i));
}

void friction_record_control(SimAdjoint *a, long n, double force) {
  const FrictionRecord *r = a->own;
  const SimProblem *p = &a->model->problem;
  adjoint_push(a, adjoint_mix(a, n), force, r->y);
  for (int i = 0; i < p->count && r->table; i++)
    step_table_back(a, i, r->table[(size_t)n * (size_t)p->count + (size_t)i], adjoint_row(a, r->y, i));
}

void friction_record_collect(SimAdjoint *a, long n, double force) {
  const FrictionRecord *r = a->own;
  friction_record_control(a, n, force);
  if (r->wanted > 0)
    friction_record_numbers(a, r->terms + (size_t)n * (size_t)r->wanted * (size_t)a->model->problem.count, r->y);
}

void friction_record_speed(SimAdjoint *a, long n) {
  const FrictionRecord *r = a->own;
  int count = a->model->problem.count;
  const double *slope = r->slope ? r->slope + (size_t)n * (size_t)count : NULL;
  for (int i = 0; i < count && slope; i++)
    if (slope[i] != 0) columns_add(a->width, slope[i], adjoint_row(a, r->y, i), adjoint_row(a, a->v, i));
  step_stops_back(&r->past, a, n);
}

void friction_record_place(const SimAdjoint *a, long n, double *place) {
  const FrictionRecord *r = a->own;
  const SimProblem *p = &a->model->problem;
  for (int i = 0; i < p->count && r->rise; i++)
    rise_add_transposed(p, i, r->rise[(size_t)n * (size_t)p->count + (size_t)i], a->width, a->width,
                        adjoint_row(a, r->y, i), place);
}
