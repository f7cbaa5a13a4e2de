#include "sim/model.h"

#include "sim/friction_law.h"
#include "sim/kind.h"
#include "sim/scheme.h"

#include <stdlib.h>

SimStatus sim_model_create(const SimProblem *problem, const SimReport *report, SimModel **out) {
  SimModel *model = calloc(1, sizeof *model);
  *out = NULL;
  if (!model) return SIM_NO_MEMORY;
  SimStatus status = sim_problem_copy(problem, &model->problem);
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
  sim_problem_clear(&model->problem);
  free(model);
}

int sim_model_size(const SimModel *model) { return model->problem.d; }
int sim_model_controls(const SimModel *model) { return model->problem.n_control; }

size_t sim_workspace_doubles(const SimModel *model) {
  const SimProblem *p = &model->problem;
  return 4 * (size_t)p->d + (size_t)sim_kind(p->kind)->n_extra + p->scheme->scratch(model);
}

SimStatus sim_workspace_create(const SimModel *model, SimWorkspace **out) {
  size_t d = (size_t)model->problem.d;
  SimWorkspace *work = calloc(1, sizeof *work);
  *out = NULL;
  if (!work) return SIM_NO_MEMORY;
  size_t extras = (size_t)sim_kind(model->problem.kind)->n_extra;
  work->x = calloc(sim_workspace_doubles(model), sizeof(double));
  work->slip = calloc(d, sizeof *work->slip);
  SimStatus status = model->problem.kind == SIM_CHAIN ? SIM_OK : step_scratch_init(&work->step, model->problem.d);
  if (!work->x || !work->slip) status = SIM_NO_MEMORY;
  if (status != SIM_OK) {
    sim_workspace_destroy(work);
    return status;
  }
  work->v = work->x + d;
  work->lambda = work->x + 2 * d;
  work->push = work->x + 3 * d;
  work->extra = work->x + 4 * d;
  work->scratch = work->extra + extras;
  *out = work;
  return SIM_OK;
}

void sim_workspace_destroy(SimWorkspace *work) {
  if (!work) return;
  free(work->x);
  free(work->slip);
  step_scratch_clear(&work->step);
  free(work);
}

void sim_add_stribeck(const SimProblem *p, double factor, const double *v, double *b) {
  if (p->stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->d; i++)
    b[i] += factor * p->friction[i] * friction_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], v[i]);
}
