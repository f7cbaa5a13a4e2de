/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/friction/form.h"

#include "sim/core/scheme_rows.h"
#include "sim/core/thresholds.h"
#include "sim/joint/springs.h"
#include "sim/law/friction_force.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <stdlib.h>

static void destroy_plan(FormPlan *plan) {
  if (!plan) return;
  operator_destroy(plan->pull);
  if (plan->start != plan->inertia && plan->start != plan->mass && plan->start != plan->matrix)
    operator_destroy(plan->start);
  if (plan->carry != plan->inertia) operator_destroy(plan->carry);
  if (plan->matrix != plan->inertia) operator_destroy(plan->matrix);
  operator_destroy(plan->inertia);
  operator_destroy(plan->mass);
  operator_destroy(plan->stiffness);
  operator_destroy(plan->damping);
  operator_destroy(plan->damping_transposed);
  load_clear(&plan->load);
  free(plan->light);
  free(plan->first_friction);
  friction_solver_clear(&plan->first);
  friction_solver_clear(&plan->solver);
  free(plan);
}

void form_release(SimModel *model) { destroy_plan(model->plan); }

/* Moves the solvers of an earlier plan to a new one. The solvers keep their factors if the matrix E of the step is
 * unchanged. */
static void take_solvers(FormPlan *before, FormPlan *plan) {
  plan->solver.dense = before->solver.dense;
  plan->first.dense = before->first.dense;
  before->solver.dense = before->first.dense = (DenseSolver){0};
}

/* Moves the force table of an earlier plan to the new one if the table would be the same; otherwise creates a table. */
static SimStatus take_load(FormPlan *before, const SimProblem *p, const StepForm *form, Load *load) {
  double theta = form->differences ? NAN : form->theta;
  bool same = before && before->form.force == form->force && (form->differences || before->form.theta == theta);
  if (!same) return load_init(load, p, form->force, theta);
  *load = before->load;
  before->load.table = NULL;
  return SIM_OK;
}

/* Creates the operators of a plan. alone: the problem with the matrix A without the mean stiffness of springs with a
 * law. */
static SimStatus create_operators(const SimProblem *p, const SimProblem *alone, FormPlan *plan) {
  const StepForm *form = &plan->form;
  bool damped = operator_damped(p), light = massless_present(p);
  SimStatus status = light ? massless_flags(p, &plan->light) : SIM_OK;
  for (int i = 0; i < p->count && status == SIM_OK && light; i++)
    plan->light[p->first + i] *= operator_diagonal(p, OPERATOR_STIFFNESS, i);
  if (status == SIM_OK) status = operator_create(p, operator_alone(OPERATOR_MASS), &plan->mass);
  if (status == SIM_OK) status = operator_create(alone, operator_alone(OPERATOR_STIFFNESS), &plan->stiffness);
  if (status == SIM_OK && damped) status = operator_create(p, operator_alone(OPERATOR_DAMPING), &plan->damping);
  if (status == SIM_OK && damped && form->differences)
    status = operator_transposed(plan->damping, &plan->damping_transposed);
  if (status == SIM_OK) status = operator_create(p, form->inertia, &plan->inertia);
  plan->matrix = plan->carry = plan->start = plan->inertia;
  if (status == SIM_OK && (damped || !form->differences)) status = operator_create(p, form->matrix, &plan->matrix);
  if (status == SIM_OK && form->carry != 1) status = operator_scaled(plan->inertia, form->carry, &plan->carry);
  if (status == SIM_OK) status = operator_scaled(plan->stiffness, form->pull, &plan->pull);
  if (status != SIM_OK) return status;
  plan->dense_carry = operator_entries(plan->carry);
  plan->dense_pull = operator_entries(plan->pull);
  return SIM_OK;
}

static bool same_sum(OperatorSum a, OperatorSum b) {
  bool same = a.apart == b.apart;
  for (int part = 0; part < OPERATOR_PARTS; part++)
    same = same && operator_weight(a, (OperatorPart)part) == operator_weight(b, (OperatorPart)part);
  return same;
}

/* Whether a plan's operators and force table also serve a form, because M, A, D and their weights are the same. */
static bool plan_serves(const SimModel *model, const FormPlan *plan, const StepForm *form) {
  const StepForm *old = plan ? &plan->form : NULL;
  return old && model->same_matrices && same_sum(old->matrix, form->matrix) && same_sum(old->inertia, form->inertia) &&
         old->carry == form->carry && old->pull == form->pull && old->force == form->force &&
         old->theta == form->theta && old->differences == form->differences;
}

/* Replaces the plan of a model by one with new operators. */
static SimStatus make_plan(SimModel *model, const StepForm *form) {
  const SimProblem *p = &model->problem;
  FormPlan *before = model->plan, *plan = calloc(1, sizeof *plan);
  SimStatus status = plan ? take_load(before, p, form, &plan->load) : SIM_NO_MEMORY;
  if (before && plan) take_solvers(before, plan);
  destroy_plan(before);
  model->plan = plan;
  status = sim_group_agree(p->group, status);
  if (status != SIM_OK) return status;
  plan->form = *form;
  return create_operators(p, springs_alone(model->springs, p), plan);
}

SimStatus form_prepare(SimModel *model, StepForm form) {
  const FrictionParameters *own = friction_parameters(&model->problem);
  SimStatus status = plan_serves(model, model->plan, &form) ? SIM_OK : make_plan(model, &form);
  FormPlan *plan = model->plan;
  if (status != SIM_OK) return status;
  plan->form = form;
  plan->solver = (FrictionSolver){.law = {.friction = friction_levels(model),
                                          .threshold = form.force,
                                          .projection_weight = form.projection,
                                          .fresh = form.fresh,
                                          .kept = 1 - form.fresh},
                                  .kind = own->solver,
                                  .tolerance = own->tolerance,
                                  .dense = plan->solver.dense};
  return friction_solver_init(&plan->solver, plan->matrix);
}

/* Sets plan->first_friction, the thresholds of the dofs that may be at rest at n = 0 according to `rests`. */
static SimStatus find_first_friction(const SimProblem *p, FormPlan *plan, FormRests *rests) {
  bool all = true;
  free(plan->first_friction);
  plan->first_friction = NULL;
  for (int i = 0; i < p->count; i++) all = all && rests(p, i);
  if (all) return SIM_OK;
  plan->first_friction = calloc((size_t)p->count, sizeof(double));
  for (int i = 0; plan->first_friction && i < p->count; i++)
    if (rests(p, i)) plan->first_friction[i] = friction_level(p, i);
  return plan->first_friction ? SIM_OK : SIM_NO_MEMORY;
}

SimStatus form_prepare_first(const SimModel *model, FormPlan *plan, double threshold, FormRests *rests) {
  const SimProblem *p = &model->problem;
  SimStatus status = sim_group_agree(p->group, find_first_friction(p, plan, rests));
  plan->first =
      (FrictionSolver){.law = {.friction = plan->first_friction ? plan->first_friction : friction_levels(model),
                               .threshold = threshold,
                               .fresh = 1},
                       .place = plan->start != plan->matrix,
                       .dense = plan->first.dense};
  return status == SIM_OK ? friction_solver_init(&plan->first, plan->start) : status;
}

/* Multiplies the rows of dofs without mass by a factor, in the first n columns of the block rows [count][width]. */
static void scale_light(const FormPlan *plan, double factor, int n, int width, double *rows) {
  const SimProblem *p = plan->mass->problem;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < n && form_light(plan, p, i); k++) rows[(size_t)i * (size_t)width + (size_t)k] *= factor;
}

void form_combine_halves(const FormPlan *plan, OperatorLoad load, const double *y, const double *x, double *b) {
  operator_take(load, plan->mass->problem->count, b);
  scale_light(plan, 2, 1, 1, b);
  operator_add(plan->carry, y, b);
  scale_light(plan, 0.5, 1, 1, b);
  plan->pull->ops->add(plan->pull, -1, x, b);
}

void form_add_carry(const FormPlan *plan, int n, int width, const double *y, double *to) {
  if (form_halves(plan)) scale_light(plan, 2, n, width, to);
  operator_add_columns(plan->carry, 1, n, width, y, to);
  if (form_halves(plan)) scale_light(plan, 0.5, n, width, to);
}

void form_add_carry_back(const FormPlan *plan, int width, double *y, double *to) {
  if (form_halves(plan)) scale_light(plan, 0.5, width, width, y);
  operator_add_columns(plan->carry, 1, width, width, y, to);
  if (form_halves(plan)) scale_light(plan, 2, width, width, y);
}

int form_solvers(const FormPlan *plan, const FrictionSolver **solvers, const double **apart) {
  solvers[0] = &plan->solver;
  solvers[1] = &plan->first;
  apart[0] = NULL;
  apart[1] = plan->first_friction;
  return plan->first.ops ? 2 : 1;
}

SimStatus form_equip(const SimModel *model, SimWorkspace *work) {
  const FrictionSolver *solvers[FRICTION_SOLVERS];
  const double *apart[FRICTION_SOLVERS];
  int n = form_solvers(model->plan, solvers, apart);
  SimStatus status = sim_group_agree(model->problem.group, load_equip(&model->problem, work));
  if (status == SIM_OK) status = friction_work_init(&work->step, n, solvers);
  return status == SIM_OK ? thresholds_equip(model, work, n, solvers, apart) : status;
}
