/* SPDX-License-Identifier: BSD-2-Clause */
/* The energy balance of the centred scheme. */
#include "sim/core/scheme.h"
#include "sim/core/surface_model.h"
#include "sim/friction/centered.h"
#include "sim/joint/laws.h"
#include "sim/joint/viscous.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <string.h>

/* Returns the energy that the scheme conserves, at n + 1/2: |x+ - x|^2_M / (2dt^2) + (alpha (|x+|^2_A + |x|^2_A) +
 * (1-2alpha) x'A x+) / 2. Springs with a law add the mean of their potentials at x and x+, minus (1/2 - alpha) k (e+ -
 * e)^2 / 2, with the elongation e. The reason is that a step weights x+ and x- by alpha in the force of their mean
 * stiffness k, but by 1/2 in the rest of their force. */
static double energy_between(const SimModel *model, SimWorkspace *work, const double *x, const double *next) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  double *difference = work->step.spare[0], *product = work->step.spare[1];
  for (int i = 0; i < p->count; i++) difference[i] = (next[i] - x[i]) / p->step;
  double kinetic = operator_form(plan->mass, difference, product);
  double before = operator_form(plan->stiffness, x, product), behind = operator_form(plan->stiffness, next, product);
  double elastic = plan->form.alpha * (behind + before) + (1 - 2 * plan->form.alpha) * operator_dot(p, x, product);
  double law = joint_stored(p, model->springs, x) + joint_stored(p, model->springs, next);
  if (model->springs) law -= (0.5 - plan->form.alpha) * springs_mean_form(model->springs, x, next);
  if (model->springs) sim_group_sum(p->group, &law, 1);
  return (kinetic + elastic + law) / 2;
}

/* Returns energy_between for positions y and y+ relative to moving surfaces at t_n and t_{n+1}, n >= -1. At t_{-1} the
 * surfaces are placed so that w(0) is their centred velocity at t = 0. */
static double half_step_energy(const SimModel *model, SimWorkspace *work, long n, const double *y, const double *next) {
  const SimProblem *p = &model->problem;
  size_t count = (size_t)p->count;
  if (!model->surface) return energy_between(model, work, y, next);
  double *x = work->surface + SHOWN_X * count, *ahead = work->surface + SHOWN_V * count;
  double *start = work->surface + SURFACE_PATH * count;
  surface_at(p, n < 0 ? p->step : (double)n * p->step, x, NULL);
  surface_at(p, (double)(n + 1) * p->step, ahead, NULL);
  surface_at(p, 0, NULL, start);
  for (size_t i = 0; i < count; i++) {
    x[i] = y[i] + (n < 0 ? x[i] - 2 * p->step * start[i] : x[i]);
    ahead[i] += next[i];
  }
  return energy_between(model, work, x, ahead);
}

/* Stores the surfaces' motion in slot 0 of work->surface, with the speed (W+ - W-)/(2dt); W-, W, W+ are the
 * displacements of the surfaces at t_{n-1}, t_n, t_{n+1}. Returns the force [count] by which a step in x differs from a
 * step in y = x - W; it is 0 if the surfaces' velocity is constant:
 *
 *   M (W+ - 2W + W-)/dt^2 + (D - b) (W+ - W-)/(2dt) + A (alpha (W+ + W-) + (1-2alpha) W) - g */
static const double *brought_in(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  size_t count = (size_t)p->count;
  double *path = work->surface + SURFACE_PATH * count, *speed = path + count, *reaction = path + 2 * count,
         *before = path + 3 * count, *after = path + 4 * count, *force = path + 5 * count, *way = work->step.spare[0];
  surface_instant(model, work, (double)n * p->step, 0);
  surface_at(p, (double)(n + 1) * p->step, after, NULL);
  if (n > 0) surface_at(p, (double)(n - 1) * p->step, before, NULL);
  for (size_t i = 0; i < count; i++) {
    if (n == 0) before[i] = after[i] - 2 * p->step * speed[i];
    speed[i] = plan->form.rate * (after[i] - before[i]);
    way[i] = (after[i] - path[i] - (path[i] - before[i])) / plan->form.force;
  }
  operator_multiply(plan->mass, way, force);
  if (plan->damping) operator_add(plan->damping, speed, force);
  for (size_t i = 0; i < count; i++)
    way[i] = plan->form.alpha * (after[i] + before[i]) + (1 - 2 * plan->form.alpha) * path[i];
  operator_add(plan->stiffness, way, force);
  for (int i = 0; i < p->count; i++) force[i] -= viscous_drag(p, speed, i) + reaction[i];
  return force;
}

/* Computes in work->step.spare[1], for rows without mass, by how much the force of A at the end of step n exceeds its
 * mean in the other rows: A (x - x-), as alpha is 1. With moving surfaces it includes A (W+ - W), since brought_in
 * includes A (W+ - 2W + W-). path, after: W and W+; NULL: no surface moves. Returns NULL if all dofs have mass, and for
 * n = 0, where such dofs are held. */
static const double *held_back(const FormPlan *plan, const SimWorkspace *work, FormLevels at, long n,
                               const double *path, const double *after) {
  const SimProblem *p = plan->mass->problem;
  double *way = work->step.spare[0], *held = work->step.spare[1];
  if (!plan->light || n == 0) return NULL;
  for (int i = 0; i < p->count; i++)
    way[i] = at.w[i] - (at.x[i] - at.base[i]) + surface_entry(after, i) - surface_entry(path, i);
  operator_multiply(plan->stiffness, way, held);
  for (int i = 0; i < p->count; i++)
    if (!form_light(plan, p, i)) held[i] = 0;
  return held;
}

void centered_watch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  FormLevels at = form_levels(model, work);
  double *friction = at.b, *energy_half = &at.numbers[0], *energy_start = &at.numbers[1];
  double *last = at.numbers + 2,
         /* sums of work, dissipated, negative_dissipation, surface, and of the work of the forces of brought_in and
          * held_back */
      now[5] = {0};
  const double energy_next = half_step_energy(model, work, n, at.base, at.x);
  const double energy_last = n == 0 ? half_step_energy(model, work, -1, at.y, at.base) : *energy_half;
  const double *brought = model->surface ? brought_in(model, work, n) : NULL;
  const SurfaceInstant surface = surface_kept(model, work, 0);
  const double *after = model->surface ? surface.path + 4 * (size_t)p->count : NULL,
               *held = held_back(plan, work, at, n, surface.path, after);
  for (int i = 0; i < p->count; i++) {
    double taken = work->v[i] * friction[i], w = surface_entry(surface.speed, i), v = work->v[i] + w;
    now[0] += v * (step_force(f, i) + work->control_force[i] + friction_bias(p, i) + surface_entry(surface.force, i));
    now[1] += taken;
    now[2] += fmax(-taken, 0);
    now[3] -= w * friction[i];
    now[1] -= viscous_force(p, i, w) * (v + work->v[i]);
    now[3] -= viscous_force(p, i, w) * work->v[i];
    now[4] += v * (surface_entry(brought, i) - surface_entry(held, i));
    friction[i] = v;
  }
  sim_group_sum(p->group, now, 5);
  if (plan->damping) now[1] += operator_form(plan->damping, friction, work->step.spare[0]);
  for (int k = 0; k < 5; k++) now[k] *= p->step;
  if (n == 0) {
    *energy_start = (energy_last + energy_next) / 2;
    work->energy = (SimEnergy){0};
  } else {
    work->energy.work += (last[0] + now[0]) / 2;
    work->energy.dissipated += (last[1] + now[1]) / 2;
    work->energy.negative_dissipation += (last[2] + now[2]) / 2;
    work->energy.surface += (last[3] + now[3]) / 2;
    work->energy.numerical -= (last[4] + now[4]) / 2;
    work->energy.stored = (energy_last + energy_next) / 2 - *energy_start;
  }
  *energy_half = energy_next;
  work->balance.between = fmax(work->balance.between, fmax(energy_last, energy_next));
  memcpy(last, now, sizeof now);
}
