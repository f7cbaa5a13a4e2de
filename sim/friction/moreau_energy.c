/* SPDX-License-Identifier: BSD-2-Clause */
/* The energies of the Moreau-Jean scheme's steps (moreau.c). */
#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/friction/moreau.h"
#include "sim/friction/moreau_stops.h"
#include "sim/friction/spring_step.h"
#include "sim/joint/laws.h"
#include "sim/joint/stops.h"
#include "sim/joint/viscous.h"
#include "sim/law/friction_force.h"

#include <math.h>
#include <string.h>

/* Adds the energies of the stops in a step to work->energy: the loss by the law of impact, the work of f by the
 * displacement that a stop causes, and in `numerical` the errors of the step at impacts and elastic stops. x, v: state
 * before the step. Sets x to the value for which x+ would be x + dt (theta v+ + (1-theta) v). */
static void watch_stops(const SimModel *model, SimWorkspace *work, const StepForce *f, double *x, const double *v) {
  const FormPlan *plan = model->plan;
  double *middle = work->step.spare[0], *pull = work->step.spare[1];
  const SimStops *stops = &model->problem.stops;
  int d = model->problem.d;
  for (int i = 0; i < d; i++) {
    double goes = plan->form.ahead * work->v[i] + plan->form.behind * v[i];
    middle[i] = (x[i] + goes + work->x[i]) / 2;
    pull[i] = x[i] + goes;
    x[i] = work->x[i] - goes; /* the position before the step, shifted by the displacement that a stop has added to
                               * x+ */
  }
  if (model->springs) spring_step_watch(model, work, plan->form.theta, x, pull);
  operator_multiply(plan->stiffness, middle, pull);
  for (int i = 0; i < d; i++) {
    double goes = plan->form.ahead * work->v[i] + plan->form.behind * v[i], moved = 2 * (work->x[i] - middle[i]);
    double force = step_force(f, i) + work->control_force[i] + friction_bias(&model->problem, i);
    double done = goes * work->reaction[i];
    if (!stops_rigid(stops, i)) {
      work->energy.numerical -= done + stops_stored(stops, i, work->x[i]) - stops_stored(stops, i, work->x[i] - goes);
      continue;
    }
    double law = moreau_stops_loss(work->own, model, work, i);
    work->energy.work += moved * force;
    work->energy.impacts += law;
    work->energy.numerical -= done + moved * (pull[i] - force) + law;
  }
}

/* Returns the energy stored at t minus that stored at t = 0, in J. Overwrites the step's scratch vectors
 * (FormLevels). */
static double stored(const SimModel *model, SimWorkspace *work, double t) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  FormLevels at = form_levels(model, work);
  const double *x = work->x, *v = work->v, *v0 = p->v0;
  double *product = work->step.spare[1];
  if (model->surface) {
    surface_show(model, t, x, v, at.x_before, at.y);
    surface_show(model, 0, p->x0, v0, work->step.spare[0], at.b);
    x = at.x_before;
    v = at.y;
    v0 = at.b;
  }
  double own = joint_stored(p, model->springs, x) - joint_stored(p, model->springs, p->x0);
  if (model->springs) sim_group_sum(p->group, &own, 1);
  return own + (operator_form(plan->mass, v, product) - operator_form(plan->mass, v0, product) +
                operator_form(plan->stiffness, x, product) - operator_form(plan->stiffness, p->x0, product)) /
                   2;
}

/* Adds to `pull` the forces of springs with a nonlinear law in a step, in N, at the positions x = y + W, with W the
 * displacement of the moving surfaces. */
static void add_springs_pull(const SimModel *model, SimWorkspace *work, const SurfaceInstant *now,
                             const SurfaceInstant *past, double *pull) {
  const SimProblem *p = &model->problem;
  double theta = form_of(model)->theta;
  double *from = work->springs + SPRING_BASE * p->count, *to = work->springs + SPRING_OTHER * p->count,
         *about = work->springs + SPRING_ABOUT * p->count;
  for (int i = 0; i < p->count; i++) {
    from[i] = form_levels(model, work).x_before[i] + past->path[i];
    to[i] = work->x[i] + now->path[i];
    about[i] = (1 - theta) * from[i] + theta * to[i];
  }
  springs_add_mean(model->springs, theta, 1, from, to, about, pull);
}

/* Returns the energy that moving surfaces add to `numerical`, in J; 0 if their velocity w is constant. The model
 * computes y = x - W and y' = x' - w, with the displacement W of the surfaces. The step in y and y' is a step in x and
 * v with the additional force and displacement
 *
 *   M (w+ - w)/dt + (D - b) w+ + A W_theta - g_theta, x+ = x + dt (v_theta + s), s = (W+ - W)/dt - w_theta.
 *
 * An index theta means the mean of a quantity with weight theta at t_n and 1 - theta at t_{n-1}. The energy is the work
 * of this force, plus dt s.A x_theta. The vectors x_before and y of FormLevels hold y and y' at t_{n-1}. Overwrites the
 * vector b. */
static double brought_in(const SimModel *model, SimWorkspace *work, const SurfaceInstant *now,
                         const SurfaceInstant *past) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  FormLevels at = form_levels(model, work);
  double *force = work->step.spare[0], *pull = work->step.spare[1], *way = at.b;
  double dt = p->step, theta = plan->form.theta, sum = 0;
  for (int i = 0; i < p->count; i++) way[i] = (now->speed[i] - past->speed[i]) / dt;
  operator_multiply(plan->mass, way, force);
  if (plan->damping) operator_add(plan->damping, now->speed, force);
  for (int i = 0; i < p->count; i++) way[i] = theta * now->path[i] + (1 - theta) * past->path[i];
  operator_add(plan->stiffness, way, force);
  for (int i = 0; i < p->count; i++) way[i] += theta * work->x[i] + (1 - theta) * at.x_before[i];
  operator_multiply(plan->stiffness, way, pull);
  if (model->springs) add_springs_pull(model, work, now, past, pull);
  for (int i = 0; i < p->count; i++) {
    double w = theta * now->speed[i] + (1 - theta) * past->speed[i];
    double v = theta * work->v[i] + (1 - theta) * at.y[i] + w;
    double g = theta * now->force[i] + (1 - theta) * past->force[i];
    sum += v * (force[i] - viscous_drag(p, now->speed, i) - g) + ((now->path[i] - past->path[i]) / dt - w) * pull[i];
  }
  sim_group_sum(p->group, &sum, 1);
  return dt * sum;
}

/* With R = D v+ + C (lambda - gamma(v)) and v_theta = theta v+ + (1-theta) v, exactly
 *
 *   E+ - E = dt v_theta.(f_theta + B u) - dt v+.R - numerical,
 *   numerical = (theta - 1/2) (|v+ - v|^2_M + |x+ - x|^2_A) - (1-theta) dt (v+ - v).R
 *
 * where E = (|v|^2_M + |x|^2_A)/2. Spring laws g add their potential to E and (theta - 1/2) (e+ - e).(g+ - g), with the
 * elongations e, to `numerical`. Moving surfaces do the part -dt w+.C (lambda - gamma) of the work of R, and
 * `numerical` is reduced by the energy that they add. Overwrites the vectors of FormLevels. */
void moreau_watch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  FormLevels at = form_levels(model, work);
  if (work->reaction) watch_stops(model, work, f, at.x_before, at.y);
  const SurfaceInstant now = surface_instant(model, work, surface_time(p, n), 0),
                       past = surface_instant(model, work, surface_time(p, n - 1), 1);
  if (now.speed) work->energy.numerical -= brought_in(model, work, &now, &past);
  double *force = work->step.spare[0], *product = work->step.spare[1], *rub = at.b;
  double dt = p->step, theta = plan->form.theta, rough = 0;
  /* sums over dofs, by which the energies of a step are computed: v_theta.(f + B u), v+.R and (v+ - v).R with the
   * reactions R of stops, w+.C (lambda - gamma), and the power that friction returns */
  double sums[5] = {0};
  for (int i = 0; i < p->count; i++) rub[i] = work->v[i] + surface_entry(now.speed, i);
  memset(force, 0, (size_t)p->count * sizeof *force);
  if (plan->damping) operator_multiply(plan->damping, rub, force);
  form_friction(thresholds_now(model, work), work->lambda, at.y, rub);
  for (int i = 0; i < p->count; i++) {
    force[i] += rub[i] - viscous_drag(p, now.speed, i);
    sums[4] += fmax(-work->v[i] * rub[i], 0);
    if (now.speed) rub[i] += viscous_force(p, i, work->v[i]);
  }
  for (int i = 0; i < p->count; i++) {
    double w = surface_entry(now.speed, i), v = work->v[i] + w, before = at.y[i] + surface_entry(past.speed, i),
           dv = v - before;
    double g = theta * surface_entry(now.force, i) + (1 - theta) * surface_entry(past.force, i);
    sums[0] +=
        (theta * v + (1 - theta) * before) * (step_force(f, i) + work->control_force[i] + friction_bias(p, i) + g);
    sums[1] += v * force[i];
    sums[2] += dv * force[i];
    sums[3] += w * rub[i];
    at.y[i] = dv;
  }
  sim_group_sum(p->group, sums, 5);
  work->energy.work += dt * sums[0];
  work->energy.dissipated += dt * (sums[1] - sums[3]);
  work->energy.negative_dissipation += dt * sums[4];
  work->energy.surface -= dt * sums[3];
  if (theta > 0.5 && model->springs) {
    const double *from = model->surface ? work->springs + SPRING_BASE * p->count : at.x_before;
    rough = springs_rise(model->springs, from, model->surface ? work->springs + SPRING_OTHER * p->count : work->x);
    sim_group_sum(p->group, &rough, 1);
  }
  for (int i = 0; i < p->count; i++)
    at.x_before[i] = work->x[i] - at.x_before[i] + (surface_entry(now.path, i) - surface_entry(past.path, i));
  if (theta > 0.5)
    rough += operator_form(plan->mass, at.y, product) + operator_form(plan->stiffness, at.x_before, product);
  work->energy.numerical += (theta - 0.5) * rough - (1 - theta) * dt * sums[2];
  work->energy.stored = stored(model, work, surface_time(p, n));
}
