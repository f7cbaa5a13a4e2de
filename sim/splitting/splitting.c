#include "sim/splitting/splitting.h"

#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"

#include <stdlib.h>
#include <string.h>

int splitting_check(const SimProblem *p, const SimReport *report) {
  int mistakes = 0;
  if (p->multiplier == SIM_SMOOTH && p->eta == 0)
    mistakes += sim_complain(report, "scheme.eta", "missing (expected the width of the smooth multiplier, > 0 m/s)");
  if (p->multiplier == SIM_SMOOTH && p->solver == SIM_FIXED_POINT)
    mistakes += sim_complain(report, "scheme.solver", "fixed_point has no smooth multiplier (expected exact)");
  for (long i = 0; p->elastic_exact && i < (long)p->d * p->d; i++) {
    if (p->damping[i] == 0) continue;
    mistakes +=
        sim_complain(report, "scheme.elastic", "exact has no damping (expected difference, or no model.damping)");
    break;
  }
  return mistakes;
}

/* Shiau-Glowinski, section 5: tau2 = dt/Q < 1/sqrt((1/4 - alpha) nu). */
double splitting_step_limit(const SimProblem *p, double nu) {
  bool bounded = p->alpha < 0.25 && nu > 0 && !p->elastic_exact;
  return bounded ? p->elastic_substeps / sqrt((0.25 - p->alpha) * nu) : INFINITY;
}

/* tau2 = dt/Q < 2/rate: an elastic substep multiplies a damped velocity by (1 - tau2 rate/2)/(1 + tau2 rate/2) and first
 * moves x by tau2 (1 - tau2 rate/2) times it, backwards and far once that is negative. */
double splitting_damping_limit(const SimProblem *p, double rate) { return 2 * p->elastic_substeps / rate; }

long splitting_force_count(const SimProblem *p, int runs) { return p->steps * runs * p->friction_substeps + 1; }

double splitting_force_time(const SimProblem *p, int runs, long k) {
  return (double)k * p->step / (runs * p->friction_substeps);
}

/* tau M lambda's iteration converges for 0 < rho < 2/(tau beta_d), (4.23), beta_d the largest eigenvalue of M^-1 C^2;
 * this is 4/(delta dt) for delta of E = dt/(2 tau) M. */
OperatorSum splitting_operator(const SimProblem *p, int runs) {
  return (OperatorSum){{{OPERATOR_MASS, runs * p->friction_substeps / 2.0}}};
}

SimStatus splitting_equip(const SimModel *model, SimWorkspace *work) {
  return step_scratch_init(&work->step.dense, model->problem.d);
}

void splitting_release(SimModel *model) {
  SplittingPlan *plan = model->plan;
  if (!plan) return;
  friction_substep_clear(&plan->friction);
  elastic_step_clear(&plan->elastic);
  free(plan);
}

SimStatus splitting_prepare(SimModel *model, int runs) {
  const SimProblem *p = &model->problem;
  SplittingPlan *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  plan->runs = runs;
  SimStatus status = friction_substep_init(&plan->friction, p, p->step / (runs * p->friction_substeps));
  return status == SIM_OK ? elastic_step_init(&plan->elastic, p) : status;
}

enum { SCRATCH = 1 + (int)FRICTION_SUBSTEP_SCRATCH + (int)ELASTIC_STEP_SCRATCH };

size_t splitting_scratch(const SimModel *model) { return SCRATCH * (size_t)model->problem.d; }

/* lambda at t = 0: sign(v0), and at rest P of the static friction that holds f + B u - A x0 - D v0 and a gear box's load
 * (for M that is not diagonal, without what the accelerations of the others add). It is shown, and where the fixed point
 * starts; no step depends on it else. */
SimStatus splitting_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  double *last = work->scratch, *spring = work->scratch + p->d, *damper = work->scratch + 2 * p->d;
  dense_multiply(p->d, p->stiffness, p->x0, spring);
  dense_multiply(p->d, p->damping, p->v0, damper);
  for (int i = 0; i < p->d; i++) {
    double threshold = sim_problem_threshold(p, i), load = p->force[i] + work->control_force[i] - spring[i] - damper[i];
    work->x[i] = p->x0[i];
    work->v[i] = p->v0[i];
    work->slip[i] = (signed char)friction_sign(p->v0[i]);
    if (!(threshold > 0))
      work->lambda[i] = 0;
    else
      work->lambda[i] =
          p->v0[i] != 0 ? friction_sign(p->v0[i]) : friction_project((load - friction_gear_load(p, i)) / threshold);
    last[i] = work->lambda[i];
  }
  work->energy = (SimEnergy){0};
  return SIM_OK;
}

void splitting_begin(const SimModel *model, SimWorkspace *work) {
  memset(work->lambda, 0, (size_t)model->problem.d * sizeof(double));
}

SimStatus splitting_friction(const SimModel *model, SimWorkspace *work, long run) {
  const SimProblem *p = &model->problem;
  const SplittingPlan *plan = model->plan;
  const double *f = p->force + (run * p->friction_substeps + 1) * p->d;
  return friction_substep_run(&plan->friction, model, work, f, p->friction_substeps, work->scratch,
                              work->scratch + p->d);
}

void splitting_elastic(const SimModel *model, SimWorkspace *work) {
  const SplittingPlan *plan = model->plan;
  elastic_step_run(&plan->elastic, &model->problem, work, work->scratch + model->problem.d);
}

void splitting_end(const SimModel *model, SimWorkspace *work, int runs) {
  const SimProblem *p = &model->problem;
  for (int i = 0; i < p->d; i++) work->lambda[i] /= runs * p->friction_substeps;
  if (!work->watched) return;
  work->energy.stored =
      (dense_form(p->d, work->v, p->mass, work->v) - dense_form(p->d, p->v0, p->mass, p->v0) +
       dense_form(p->d, work->x, p->stiffness, work->x) - dense_form(p->d, p->x0, p->stiffness, p->x0)) /
      2;
}
