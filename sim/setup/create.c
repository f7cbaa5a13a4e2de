#include "sim/core/model.h"

#include "sim/core/kind.h"
#include "sim/core/scheme.h"
#include "sim/core/signal_mix.h"
#include "sim/lanes/batch.h"
#include "sim/law/friction_law.h"
#include "sim/step/sparse_step.h"

#include <stdint.h>
#include <stdlib.h>

SimStatus sim_model_create(const SimProblem *problem, const SimReport *report, SimModel **out) {
  SimModel *model = calloc(1, sizeof *model);
  *out = NULL;
  if (!model) return SIM_NO_MEMORY;
  SimStatus status = sim_group_agree(problem->sparse.group, sim_problem_copy(problem, &model->problem));
  if (status == SIM_OK) status = problem->scheme->prepare(model);
  if (status == SIM_BAD_PROBLEM) sim_complain(report, "model.mass", "the step's matrix could not be factored");
  if (status == SIM_OK)
    *out = model;
  else
    sim_model_destroy(model);
  return status;
}

void sim_model_destroy(SimModel *model) {
  if (!model) return;
  if (model->problem.scheme) model->problem.scheme->release(model);
  if (model->problem.kind != SIM_SPARSE) sim_problem_clear(&model->problem);
  free(model);
}

int sim_model_size(const SimModel *model) { return model->problem.d; }
int sim_model_rows(const SimModel *model) {
  return model->problem.kind == SIM_SPARSE ? model->problem.sparse.count : model->problem.d;
}
int sim_model_controls(const SimModel *model) { return sim_problem_variables(&model->problem); }

size_t sim_workspace_doubles(const SimModel *model) {
  const SimProblem *p = &model->problem;
  size_t rows = (size_t)sim_model_rows(model), controls = (size_t)p->n_control, nodes = (size_t)signal_nodes(p);
  size_t pushes = p->kind == SIM_SPARSE ? 0 : rows; /* of a node: a sparse model forms them anew, for the memory */
  return 4 * rows + (size_t)sim_kind(p->kind)->n_extra + p->scheme->scratch(model) + controls +
         nodes * (controls + pushes);
}

SimStatus sim_workspace_create(const SimModel *model, SimWorkspace **out) {
  const SimProblem *p = &model->problem;
  size_t d = (size_t)sim_model_rows(model);
  SimWorkspace *work = calloc(1, sizeof *work);
  *out = NULL;
  if (!work) return SIM_NO_MEMORY;
  size_t extras = (size_t)sim_kind(p->kind)->n_extra;
  work->x = calloc(sim_workspace_doubles(model), sizeof(double));
  work->slip = calloc(d, sizeof *work->slip);
  size_t lanes = batch_room(model) * sizeof(double);
  work->lane_store = calloc(1, lanes + LANE_ALIGNMENT); /* a vacant lane computes, too */
  work->kernel = batch_best_kernel();
  SimStatus status = work->x && work->slip && work->lane_store ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK && p->kind != SIM_CHAIN && p->kind != SIM_SPARSE) status = step_scratch_init(&work->step, p->d);
  status = sim_group_agree(p->sparse.group, status);
  if (status == SIM_OK && p->scheme->equip) status = p->scheme->equip(model, work);
  if (status != SIM_OK) {
    sim_workspace_destroy(work);
    return status;
  }
  work->v = work->x + d;
  work->lambda = work->x + 2 * d;
  work->push = work->x + 3 * d;
  work->extra = work->x + 4 * d;
  work->scratch = work->extra + extras;
  work->u = work->scratch + p->scheme->scratch(model);
  work->node_u = work->u + p->n_control;
  work->node_push = work->node_u + (size_t)signal_nodes(p) * (size_t)p->n_control;
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
  step_scratch_clear(&work->step);
  sparse_work_destroy(work->sparse);
  free(work);
}

void sim_workspace_profile(SimWorkspace *work, SimProfile *profile) { work->sparse->profile = profile; }

void sim_add_stribeck(const SimProblem *p, double factor, const double *v, double *b) {
  if (p->stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->d; i++)
    b[i] += factor * p->friction[i] * friction_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], v[i]);
}
