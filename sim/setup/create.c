#include "sim/core/model.h"

#include "sim/core/scheme.h"
#include "sim/core/signal_mix.h"
#include "sim/lanes/batch.h"
#include "sim/parameter.h"
#include "sim/setup/tables.h"

#include <stdint.h>
#include <stdlib.h>

static size_t count_doubles(const SimModel *model) {
  const SimProblem *p = &model->problem;
  size_t rows = (size_t)p->count, controls = (size_t)p->n_control, nodes = (size_t)signal_nodes(p);
  return 4 * rows + (size_t)model->kind->n_extra + p->scheme->scratch(model) + controls +
         nodes * (controls + (problem_is_dense(p) ? rows : 0));
}

/* Where a constant is left to its default, the bounds are found for it. */
static SimStatus set_constants(SimProblem *problem, const SimReport *report) {
  SimBounds bounds;
  bool missing = false;
  for (const SimParameter *row = problem->scheme->parameters; row && row->key; row++)
    missing = missing || (row->derive && sim_parameter_get(row, problem) == 0);
  SimStatus status = missing ? sim_problem_check(problem, report, &bounds) : SIM_OK;
  if (missing && status == SIM_OK) sim_problem_set_constants(problem, &bounds);
  return status;
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
  SimStatus status = sim_group_agree(problem->group, model_problem_init(&model->problem, problem));
  if (status == SIM_OK) status = set_constants(&model->problem, report);
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
  model_problem_clear(&model->problem);
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
  SimStatus status = work->x && work->slip && work->lane_store ? SIM_OK : SIM_NO_MEMORY;
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
  work->u = work->scratch + p->scheme->scratch(model);
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
  for (int k = 0; k < 2; k++) free(work->force[k]);
  friction_work_clear(&work->step);
  free(work);
}

void sim_workspace_profile(SimWorkspace *work, SimProfile *profile) { work->step.profile = profile; }
