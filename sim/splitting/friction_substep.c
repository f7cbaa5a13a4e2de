/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/splitting/friction_substep.h"

#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/joint/viscous.h"
#include "sim/law/friction_force.h"
#include "sim/law/smooth_law.h"
#include "sim/operator/dense.h"
#include "sim/splitting/parameters.h"
#include "sim/splitting/trace.h"

#include <math.h>

SimStatus friction_substep_init(FrictionSubstep *substep, const SimProblem *p, const double *light, double tau) {
  const SplittingParameters *own = p->parameters;
  bool exact = own->friction.solver == SIM_EXACT;
  *substep = (FrictionSubstep){.tau = tau, .light = light, .closed = exact && dense_is_diagonal(p->d, p->system.mass)};
  DenseSolver *solver = &substep->solver;
  SimStatus status = dense_solver_init(solver, p->d);
  if (status != SIM_OK) return status;
  for (long i = 0; i < (long)p->d * p->d; i++) solver->matrix[i] = p->system.mass[i];
  for (int i = 0; i < p->d; i++) {
    if (light && light[i] > 0) solver->matrix[(long)i * p->d + i] = 1;
    solver->threshold[i] = tau * friction_level(p, i);
    solver->projection_weight[i] = own->friction.r * friction_level(p, i);
  }
  solver->kind = own->friction.solver;
  solver->tolerance = own->friction.tolerance;
  solver->by_multiplier = true;
  switch (own->friction.multiplier) {
  case SIM_UNREGULARIZED: break;
  case SIM_SMOOTH: solver->eta = own->eta; break;
  case SIM_REGULARIZED: return SIM_BAD_PROBLEM; /* these schemes do not support this multiplier */
  }
  return dense_solver_factor(solver);
}

void friction_substep_clear(FrictionSubstep *substep) { dense_solver_clear(&substep->solver); }

/* Solves a substep for a diagonal M, each dof separately. lambda_i is computed directly from b_i; if it were computed
 * from M W + tau C_e lambda = b, rounding could make it exceed 1. */
static SimStatus solve_closed(const DenseSolver *s, const double *b, double *w, double *lambda, signed char *slip) {
  SimStatus status = SIM_OK;
  for (int i = 0; i < s->d; i++) {
    double q = s->threshold[i], sign = friction_sign(b[i]);
    if (q > 0 && s->eta > 0) {
      SmoothRoot root = smooth_law_root(s->matrix[i * s->d + i], q, s->eta, b[i]);
      if (!root.converged) status = SIM_NOT_CONVERGED;
      w[i] = root.w;
      lambda[i] = root.lambda;
      slip[i] = (signed char)sign;
    } else {
      bool sticks = q > 0 && fabs(b[i]) <= q;
      w[i] = friction_substep_closed(s, i, b[i]);
      lambda[i] = sticks ? b[i] / q + 0.0 /* + 0.0 replaces -0 by 0 */ : q > 0 ? sign : 0;
      slip[i] = (signed char)(sticks ? 0 : sign);
    }
  }
  return status;
}

/* Adds the energies of a substep. As W'M (W - W_old) = (|W|^2_M - |W_old|^2_M + |W - W_old|^2_M)/2, exactly
 *
 *   E(W) - E(W_old) = tau W.(f + B u - load) - tau W.(C_e lambda - drop(W_old)) - |W - W_old|^2_M / 2
 *
 * The three terms are the work, the energy that friction dissipates at the velocity for which its law is solved, and
 * the numerical loss. With moving surfaces W is y', and w is their speed in the middle of the step, as in the elastic
 * part. f is then the force minus g = M w' - b w at t, and the numerical loss also contains tau (W + w).(g + b w). dw:
 * [d] scratch. */
static void watch(const FrictionSubstep *substep, const SimModel *model, SimWorkspace *work, double t, const double *f,
                  const double *before, const double *lambda, double *dw) {
  const SimProblem *p = &model->problem, *now = thresholds_now(model, work);
  const SurfaceInstant surface = surface_kept(model, work, 0), then = surface_instant(model, work, t, 1);
  double done = 0, dissipated = 0, negative = 0, driven = 0, taken_by_steps = 0;
  for (int i = 0; i < p->d; i++) {
    double w = work->v[i];
    dw[i] = w - before[i];
    if (substep->light && substep->light[i] > 0) continue;
    double speed = surface_entry(surface.speed, i), g = surface_entry(then.force, i);
    done += (w + speed) * (f[i] + work->control_force[i] + friction_bias(p, i) + g);
    double rub = friction_resistance(now, i, before[i], lambda[i]), taken = w * rub;
    double drag = viscous_drag(p, surface.speed, i); /* the elastic part includes the energy b x' x' that viscous
                                                      * friction dissipates, so it is omitted here */
    driven -= speed * rub + drag * w;
    taken_by_steps += (w + speed) * (g + drag);
    dissipated += taken - drag * (2 * w + speed);
    negative += fmax(-taken, 0);
  }
  work->energy.work += substep->tau * done;
  work->energy.dissipated += substep->tau * dissipated;
  work->energy.negative_dissipation += substep->tau * negative;
  work->energy.surface += substep->tau * driven;
  work->energy.numerical += dense_form(p->d, dw, p->system.mass, dw) / 2 + substep->tau * taken_by_steps;
}

SimStatus friction_substep_run(const FrictionSubstep *substep, const SimModel *model, SimWorkspace *work, double t,
                               const double *f, int n, double *lambda, double *scratch) {
  const DenseSolver *solver = work->thresholds ? &work->thresholds->solver[0].dense : &substep->solver;
  int d = model->problem.d;
  const double *light = substep->light;
  double *b = scratch, *before = scratch + d, *v = work->v;
  const bool keeps = splitting_keeps(work);
  SimStatus status = SIM_OK;
  for (int k = 0; k < n && status == SIM_OK; k++, f += d) {
    const SimProblem *p = thresholds_move(model, work, t + (k + 1) * substep->tau, work->x);
    const bool drops = friction_drops(p);
    bool finite = true;
    if (!substep->closed) dense_multiply(p->d, p->system.mass, v, b);
    for (int i = 0; i < p->d; i++) {
      double momentum = substep->closed ? solver->matrix[i * p->d + i] * v[i] : b[i],
             load = f[i] + work->control_force[i] - thresholds_bias(work, i);
      if (drops) load += friction_drop(p, i, v[i]);
      b[i] = light && light[i] > 0 ? 0 : momentum + substep->tau * load;
      before[i] = v[i];
      finite = finite && isfinite(b[i]);
    }
    if (!finite) return SIM_NON_FINITE;
    if (substep->closed)
      status = solve_closed(solver, b, v, lambda, work->slip);
    else
      status = step_solve(solver, &work->step.dense, b, NULL, v, lambda, work->slip, &work->tally);
    for (int i = 0; i < p->d; i++) work->lambda[i] += lambda[i];
    if (keeps) {
      const StepTerms terms = {.force = substep->tau,
                               .speed = before,
                               .lambda = lambda,
                               .gain = {before, v},
                               .weight = {1, -1},
                               .damped = before};
      splitting_keep_friction(model, work, &terms);
    }
    if (work->watched) watch(substep, model, work, t + (k + 1) * substep->tau, f, before, lambda, b);
  }
  return status;
}
