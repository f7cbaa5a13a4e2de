/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/model.h"

#include "sim/base/argument.h"
#include "sim/core/scheme.h"
#include "sim/core/signal_mix.h"
#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/joint/springs.h"
#include "sim/lanes/batch.h"
#include "sim/law/friction_force.h"
#include "sim/operator/sparse.h"
#include "sim/setup/entries.h"
#include "sim/setup/tables.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t scratch_doubles(const SimModel *model) {
  const SimProblem *p = &model->problem;
  const SimScheme *scheme = p->scheme;
  size_t further = scheme->scratch_further ? scheme->scratch_further(model) : 0;
  return (size_t)scheme->scratch_vectors * (size_t)p->count + (size_t)scheme->scratch_numbers + further;
}

static size_t count_doubles(const SimModel *model) {
  const SimProblem *p = &model->problem;
  size_t rows = (size_t)p->count, controls = (size_t)p->n_control, nodes = (size_t)signal_nodes(p);
  return 4 * rows + (size_t)model->problem.ops->n_extra + scratch_doubles(model) + controls +
         nodes * (controls + (signal_tabulated(p) ? rows : 0));
}

/* Checks that a problem is finalized and unchanged since then, and that its force has the form that the scheme needs;
 * reports errors. */
static SimStatus check_given(const SimProblem *p, const SimReport *report) {
  bool pieces = sim_force_in_pieces(p), table = p->force != NULL;
  int mistakes = 0;
  if (!p->finalized)
    mistakes += sim_complain(report, "problem", "not finalized (expected stiction_problem_finalize before)");
  else if (p->finalized != problem_fingerprint(p))
    mistakes +=
        sim_complain(report, "problem", "changed since it was finalized (expected stiction_problem_finalize again)");
  if (pieces && table)
    mistakes += sim_complain(report, "model.force", "the scheme takes it in pieces of time, not at times");
  if (!pieces && p->pieces && !table)
    mistakes += sim_complain(report, "model.force", "the scheme takes it at times, not in pieces of time");
  if (p->load.at && !table && sim_force_rate_wanted(p))
    mistakes += sim_complain(report, "model.force",
                             "the scheme wants its rate, too (expected chain.force_rate and a "
                             "force at times, not a function)");
  return mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}

/* Computes the pieces of the force f = load->at. */
static SimStatus make_pieces(SimProblem *copy, const SimLoad *load, const SimReport *report) {
  double where;
  SimStatus status = stiction_problem_set_pieces(copy, load, 0, NULL, &where);
  if (status == SIM_NON_FINITE) sim_complain(report, "model.force", "not finite at t = %.6g", where);
  if (status == SIM_NOT_CONVERGED)
    sim_complain(report, "model.force",
                 "jumps, has a kink, or swings too fast at t = %.6g (stiction_problem_set_pieces "
                 "takes jumps and kinks)",
                 where);
  return status == SIM_OK || status == SIM_NO_MEMORY ? status : SIM_BAD_PROBLEM;
}

/* Computes the table of a dense model's force from a function, or as 0; checks a table that is given. */
static SimStatus tabulate(SimProblem *copy, const SimLoad *load, const SimReport *report) {
  if (problem_borrowed(copy)) return SIM_OK;
  if (sim_force_in_pieces(copy)) return copy->pieces ? SIM_OK : make_pieces(copy, load, report);
  SimStatus status = copy->force ? SIM_OK : sim_problem_alloc_force(copy);
  for (long k = 0; status == SIM_OK && k < sim_force_count(copy); k++) {
    double *f = copy->force + k * copy->d;
    if (load->at) load->at(load->context, sim_force_time(copy, k), f);
    int i = 0;
    while (i < copy->d && isfinite(f[i])) i++;
    if (i == copy->d) continue;
    sim_complain(report, "model.force", "entry %d is %g at t = %.6g", i + 1, f[i], sim_force_time(copy, k));
    status = SIM_BAD_PROBLEM;
  }
  return status;
}

static SimStatus make_levels(SimModel *model) {
  const SimProblem *p = &model->problem;
  if (!p->system.gearbox.present) return SIM_OK;
  model->levels = calloc((size_t)p->count + 1, sizeof *model->levels);
  for (int i = 0; model->levels && i < p->count; i++) model->levels[i] = friction_level(p, i);
  return model->levels ? SIM_OK : SIM_NO_MEMORY;
}

static SimStatus prepare(SimModel *model, const SimReport *report) {
  SimStatus status = model->problem.scheme->prepare(model);
  if (status == SIM_BAD_PROBLEM) sim_complain(report, "model.mass", "the step's matrix could not be factored");
  return status;
}

/* Copies the struct of a problem with its own scheme parameters, to which computed defaults are written. Its arrays are
 * borrowed. */
static SimStatus borrow_problem(const SimProblem *problem, SimProblem *copy) {
  *copy = *problem;
  return problem_copy_parameters(problem, copy);
}

/* Initialises the problem that a model has: with dense storage a copy, with sparse storage its arrays are borrowed. */
static SimStatus init_problem(SimProblem *copy, const SimProblem *problem) {
  if (problem_borrowed(problem)) return borrow_problem(problem, copy);
  SimStatus status = sim_problem_copy(problem, copy);
  copy->load = (SimLoad){0}; /* the force is now a table or pieces, so the function is not needed */
  return status;
}

static void clear_problem(SimProblem *copy) {
  if (problem_borrowed(copy))
    free(copy->parameters);
  else
    sim_problem_clear(copy);
}

SimStatus stiction_model_create(const SimProblem *problem, const SimReport *report, SimModel **out) {
  ARGUMENT(out != NULL, "model", "is NULL");
  *out = NULL;
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  FirstError first;
  const SimReport keeping = argument_keep_first(&first, report);
  report = &keeping;
  SimStatus status = sim_group_agree(problem->group, check_given(problem, report));
  SimModel *model = status == SIM_OK ? calloc(1, sizeof *model) : NULL;
  if (status == SIM_OK && !model) return SIM_NO_MEMORY;
  if (status != SIM_OK) return status;
  status =
      entries_wanted(problem) ? problem_copy_dense(problem, &model->problem) : init_problem(&model->problem, problem);
  if (status == SIM_OK) model->features = sim_problem_features(&model->problem);
  if (status == SIM_OK) status = tabulate(&model->problem, &problem->load, report);
  status = sim_group_agree(problem->group, status);
  if (status == SIM_OK) status = sim_group_agree(problem->group, make_levels(model));
  if (status == SIM_OK && springs_present(problem))
    status = springs_join(&model->problem, !sim_force_in_pieces(problem), &model->springs);
  if (status == SIM_OK && problem->surface_pieces) status = surface_apply(model);
  if (status == SIM_OK) status = prepare(model, report);
  if (status != SIM_OK) {
    stiction_model_destroy(model);
    return status;
  }
  model->doubles = count_doubles(model);
  *out = model;
  return SIM_OK;
}

SimStatus model_prepare_again(SimModel *model, SimWorkspace *work, bool same) {
  work->step.dense.factored = NULL; /* the last factor belongs to the old numbers */
  model->same_matrices = same;
  SimStatus status = model->problem.scheme->prepare(model);
  model->same_matrices = false;
  return status;
}

/* Features of models with numbers that sim_model_set_numbers can replace. Models with other features have data that
 * SimScheme.prepare does not compute, or that the workspace copies. */
#define NUMBERS_TAKE                                                                                                   \
  (SIM_HAS(DENSE) | SIM_HAS(MANY) | SIM_HAS(MASSLESS) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) |           \
   SIM_HAS(VISCOUS) | SIM_HAS(BIAS) | SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(TABLE) |              \
   SIM_HAS(REGULARIZED) | SIM_HAS(FIXED_POINT))

SimStatus sim_model_set_numbers(SimModel *model, SimWorkspace *work, const SimProblem *problem) {
  ARGUMENT(model && work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT(problem->finalized && problem->finalized == problem_fingerprint(problem), "problem", "is not finalized");
  bool takes = model->problem.scheme->prepares_again && !(model->features & ~NUMBERS_TAKE) &&
               model->features == sim_problem_features(problem);
  bool same = takes && dense_same_matrices(&model->problem, problem);
  ARGUMENT(takes && problem_take_numbers(&model->problem, problem), "problem", "differs in more than numbers");
  return model_prepare_again(model, work, same);
}

void stiction_model_destroy(SimModel *model) {
  if (!model) return;
  if (model->problem.scheme) model->problem.scheme->release(model);
  springs_part(&model->problem, model->springs);
  clear_problem(&model->problem);
  surface_destroy(model);
  free(model->levels);
  free(model);
}

int stiction_model_size(const SimModel *model) { return model ? model->problem.d : 0; }
int stiction_model_rows(const SimModel *model) { return model ? model->problem.count : 0; }

SimStatus stiction_workspace_create(const SimModel *model, SimWorkspace **out) {
  ARGUMENT(out != NULL, "work", "is NULL");
  *out = NULL;
  ARGUMENT_THERE(model);
  const SimProblem *p = &model->problem;
  size_t d = (size_t)p->count;
  SimWorkspace *work = calloc(1, sizeof *work);
  if (!work) return SIM_NO_MEMORY;
  work->x = calloc(model->doubles, sizeof(double));
  work->slip = calloc(d, sizeof *work->slip);
  size_t lanes = batch_room(model) * sizeof(double);
  work->lane_store = calloc(1, lanes + LANE_ALIGNMENT); /* zeros, because unused lanes are also computed */
  work->model = model;
  work->kernel = batch_best_kernel();
  bool room = work->x && work->slip && work->lane_store;
  if (model->surface) room = (work->surface = calloc(SURFACE_VECTORS * d + 1, sizeof(double))) && room;
  if (p->by_direction) room = (work->shown_lambda = calloc(d + 1, sizeof(double))) && room;
  if (model->springs || p->stops.present)
    room = (work->springs = calloc(SPRING_VECTORS * d + 1, sizeof(double))) && room;
  if (p->stops.present) room = (work->reaction = calloc(d, sizeof(double))) && room;
  SimStatus status = room ? SIM_OK : SIM_NO_MEMORY;
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK && p->scheme->equip) status = p->scheme->equip(model, work);
  if (status != SIM_OK) {
    stiction_workspace_destroy(work);
    return status;
  }
  work->v = work->x + d;
  work->lambda = work->x + 2 * d;
  work->control_force = work->x + 3 * d;
  work->extra = work->x + 4 * d;
  work->scratch = work->extra + model->problem.ops->n_extra;
  work->u = work->scratch + scratch_doubles(model);
  work->node_u = work->u + p->n_control;
  work->node_force = work->node_u + (size_t)signal_nodes(p) * (size_t)p->n_control;
  work->lanes =
      (double *)work->lane_store + (LANE_ALIGNMENT - (uintptr_t)work->lane_store % LANE_ALIGNMENT) / sizeof(double);
  *out = work;
  return SIM_OK;
}

void stiction_workspace_destroy(SimWorkspace *work) {
  if (!work) return;
  free(work->x);
  free(work->slip);
  free(work->lane_store);
  free(work->surface);
  free(work->shown_lambda);
  thresholds_destroy(work->thresholds);
  free(work->springs);
  free(work->reaction);
  for (int k = 0; k < 2; k++) free(work->force[k]);
  friction_work_clear(&work->step);
  if (work->own) work->free_own(work->own);
  free(work);
}

void sim_workspace_profile(SimWorkspace *work, SimProfile *profile) {
  if (work) work->step.profile = profile;
}
