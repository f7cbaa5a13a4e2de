#include "sim/core/model.h"

#include "sim/core/scheme.h"
#include "sim/core/signal_mix.h"
#include "sim/core/springs.h"
#include "sim/core/surface.h"
#include "sim/core/threshold.h"
#include "sim/lanes/batch.h"
#include "sim/parameter.h"
#include "sim/setup/tables.h"

#include <stdint.h>
#include <stdlib.h>

static size_t scratch_doubles(const SimProblem *p) {
  return (size_t)p->scheme->scratch_vectors * (size_t)p->count + (size_t)p->scheme->scratch_numbers;
}

static size_t count_doubles(const SimModel *model) {
  const SimProblem *p = &model->problem;
  size_t rows = (size_t)p->count, controls = (size_t)p->n_control, nodes = (size_t)signal_nodes(p);
  return 4 * rows + (size_t)model->kind->n_extra + scratch_doubles(p) + controls +
         nodes * (controls + (signal_tabulated(p) ? rows : 0));
}

/* Fills in the constants that are left to their defaults, and refuses an r with which the fixed point does not converge. Needs
 * the bounds, and with them the whole check, for these two alone. */
static SimStatus set_constants(SimProblem *problem, const SimReport *report) {
  SimBounds bounds;
  bool needed = sim_problem_get(problem, "solver") == SIM_FIXED_POINT;
  for (const SimParameter *row = problem->scheme->parameters; row && row->key; row++)
    needed = needed || (row->derive && sim_parameter_get(row, problem->parameters) == 0);
  SimStatus status = needed ? sim_problem_check(problem, report, &bounds) : SIM_OK;
  if (!needed || status != SIM_OK) return status;
  sim_problem_set_constants(problem, &bounds);
  return sim_problem_check_constants(problem, &bounds, report);
}

static SimStatus prepare(SimModel *model, const SimReport *report) {
  SimStatus status = model->problem.scheme->prepare(model);
  if (status == SIM_BAD_PROBLEM) sim_complain(report, "model.mass", "the step's matrix could not be factored");
  return status;
}

SimStatus sim_model_create(const SimProblem *problem, const SimReport *report, SimModel **out) {
  SimModel *model = calloc(1, sizeof *model);
  *out = NULL;
  if (!model) return SIM_NO_MEMORY;
  if (sim_force_in_pieces(problem) && problem->force) {
    free(model);
    return sim_complain(report, "model.force", "the scheme takes it in pieces of time, not at times"), SIM_BAD_PROBLEM;
  }
  SimStatus status = sim_group_agree(problem->group, model_problem_init(&model->problem, problem));
  if (status == SIM_OK) status = set_constants(&model->problem, report);
  if (status == SIM_OK && springs_present(problem)) status = springs_join(&model->problem, &model->springs);
  if (status == SIM_OK && problem->surface_pieces) status = surface_apply(model);
  if (status == SIM_OK) status = prepare(model, report);
  if (status != SIM_OK) {
    sim_model_destroy(model);
    return status;
  }
  model->kind = sim_kind(problem->kind);
  model->doubles = count_doubles(model);
  *out = model;
  return SIM_OK;
}

void sim_model_destroy(SimModel *model) {
  if (!model) return;
  if (model->problem.scheme) model->problem.scheme->release(model);
  springs_part(&model->problem, model->springs);
  model_problem_clear(&model->problem);
  surface_destroy(model);
  free(model);
}

int sim_model_size(const SimModel *model) { return model->problem.d; }
int sim_model_rows(const SimModel *model) { return model->problem.count; }
int sim_model_controls(const SimModel *model) { return sim_problem_variables(&model->problem); }

SimStatus sim_workspace_create(const SimModel *model, SimWorkspace **out) {
  const SimProblem *p = &model->problem;
  size_t d = (size_t)p->count;
  SimWorkspace *work = calloc(1, sizeof *work);
  *out = NULL;
  if (!work) return SIM_NO_MEMORY;
  work->x = calloc(model->doubles, sizeof(double));
  work->slip = calloc(d, sizeof *work->slip);
  size_t lanes = batch_room(model) * sizeof(double);
  work->lane_store = calloc(1, lanes + LANE_ALIGNMENT); /* a vacant lane computes, too */
  work->kernel = batch_best_kernel();
  bool room = work->x && work->slip && work->lane_store;
  if (model->surface) room = (work->surface = calloc(SURFACE_VECTORS * d + 1, sizeof(double))) && room;
  if (p->by_direction) room = (work->told = calloc(d + 1, sizeof(double))) && room;
  if (model->springs) room = (work->springs = calloc(SPRING_VECTORS * d + 1, sizeof(double))) && room;
  if (p->stops.present) room = (work->reaction = calloc(d, sizeof(double))) && room;
  SimStatus status = room ? SIM_OK : SIM_NO_MEMORY;
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK && p->scheme->equip) status = p->scheme->equip(model, work);
  if (status != SIM_OK) {
    sim_workspace_destroy(work);
    return status;
  }
  work->v = work->x + d;
  work->lambda = work->x + 2 * d;
  work->control_force = work->x + 3 * d;
  work->extra = work->x + 4 * d;
  work->scratch = work->extra + model->kind->n_extra;
  work->u = work->scratch + scratch_doubles(p);
  work->node_u = work->u + p->n_control;
  work->node_force = work->node_u + (size_t)signal_nodes(p) * (size_t)p->n_control;
  work->lanes =
      (double *)work->lane_store + (LANE_ALIGNMENT - (uintptr_t)work->lane_store % LANE_ALIGNMENT) / sizeof(double);
  *out = work;
  return SIM_OK;
}

void sim_workspace_destroy(SimWorkspace *work) {
  if (!work) return;
  free(work->x);
  free(work->slip);
  free(work->lane_store);
  free(work->surface);
  free(work->told);
  thresholds_destroy(work->thresholds);
  free(work->springs);
  free(work->reaction);
  for (int k = 0; k < 2; k++) free(work->force[k]);
  friction_work_clear(&work->step);
  if (work->own) work->free_own(work->own);
  free(work);
}

void sim_workspace_profile(SimWorkspace *work, SimProfile *profile) { work->step.profile = profile; }
