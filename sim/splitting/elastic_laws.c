/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/splitting/elastic_laws.h"

#include "sim/joint/laws.h"
#include "sim/joint/stops.h"
#include "sim/operator/dense.h"
#include "sim/splitting/trace.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Returns the energy of the state x, v, including springs with a law and elastic stops, in J. */
static double energy(const SimModel *model, const double *x, const double *v) {
  const SimProblem *p = springs_alone(model->springs, &model->problem);
  double sum = dense_form(p->d, v, p->system.mass, v) / 2 + dense_form(p->d, x, p->system.stiffness, x) / 2;
  return sum + joint_stored(p, model->springs, x);
}

/* Computes the acceleration a = -inverse (A x + D v + G'g - forces of elastic stops), with G'g the forces of springs
 * with a law. inverse: [d][d] inverse of the elastic step's matrix. */
static void accelerate(const SimModel *model, const double *inverse, const double *x, const double *v, double *a,
                       double *force) {
  const SimProblem *p = springs_alone(model->springs, &model->problem);
  const SimStops *stops = &p->stops;
  int d = p->d;
  dense_multiply(d, p->system.stiffness, x, force);
  dense_multiply(d, p->system.damping, v, a);
  for (int i = 0; i < d; i++) force[i] += a[i];
  if (model->springs) springs_add_mean(model->springs, 0.5, 1, x, x, x, force);
  for (int i = 0; i < d && stops->present; i++) force[i] -= stops_push(stops, i, x[i]);
  dense_multiply(d, inverse, force, a);
  for (int i = 0; i < d; i++) a[i] = -a[i];
}

/* Data of contacts with rigid stops; views into work->scratch, [d] each. */
typedef struct Contact {
  double *came;    /* velocity x' at the start of the step, relative to the ground */
  double *side;    /* stop that the dof meets: -1 lower, 1 upper; 0: none */
  double *most;    /* upper bound of side x' after the contact, in m/s */
  double *impulse; /* impulse of the stop against `side`, N s, summed over the step */
  double *now;     /* impulse of the current contact, N s */
  double *moved;   /* derivative of x after the contact with respect to x before it */
  double *turned;  /* derivative of x' after the contact with respect to x' before it */
} Contact;

static Contact contact_of(const SimModel *model, const SimWorkspace *work) {
  double *first = work->scratch + elastic_laws_place(model) * model->problem.d;
  int d = model->problem.d;
  return (Contact){first, first + d, first + 2 * d, first + 3 * d, first + 4 * d, first + 5 * d, first + 6 * d};
}

/* Applies impulses to the dofs with side != 0, so that side v <= most, with equality or with impulse 0. The
 * Gauss-Seidel iteration converges because M^-1 is positive definite. mobility: M^-1 [d][d]. */
static void strike(int d, const double *mobility, Contact at, double *v) {
  enum { SWEEPS = 10000 };
  memset(at.now, 0, (size_t)d * sizeof *at.now);
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double change = 0, size = 0;
    for (int i = 0; i < d; i++) {
      if (at.side[i] == 0) continue;
      double more = fmax((at.side[i] * v[i] - at.most[i]) / mobility[i * d + i], -at.now[i]);
      at.now[i] += more;
      for (int j = 0; j < d; j++) v[j] -= at.side[i] * mobility[i * d + j] * more;
      change = fmax(change, fabs(more));
      size = fmax(size, at.now[i]);
    }
    if (change <= 4 * DBL_EPSILON * size) break;
  }
  for (int i = 0; i < d; i++) at.impulse[i] += at.side[i] * at.now[i];
}

/* Returns the speed, m/s, that the load gives dof i toward its stop in four steps, without friction. Bounces that begin
 * more slowly are not resolved by the steps, so the dof is set to rest: each such bounce may gain up to the speed that
 * the load gives in a step, and bouncing would never end. gained: speed gained since the step began, against friction,
 * which changes its sign in a bounce; by then strang has applied half of the step's load. */
static double slow(const SimModel *model, const double *mobility, int i, double gained) {
  const SimProblem *p = &model->problem;
  const SplittingPlan *plan = model->plan;
  return 4 * (plan->runs * gained + p->step * mobility[i * p->d + i] * p->friction[i]);
}

/* Returns the distance, in m, from x to the stop of dof i on a side if the dof rests there; INFINITY if it does not. v,
 * came: x' now and at the start of the step. */
static double rest_gap(const SimModel *model, const double *mobility, int i, int side, double x, double v,
                       double came) {
  double speed = slow(model, mobility, i, side * (v - came)),
         gap = side * (stops_end(&model->problem.stops, i, side) - x);
  return gap == 0 || (gap <= model->problem.step * speed && fabs(v) <= speed) ? gap : INFINITY;
}

/* Adds the dofs that rest at a rigid stop to those that hit one: a mass to which they are coupled may push them to it
 * at the same time, and their stop then keeps side v <= 0. A dof that elasticity moves off its stop within a step,
 * although the load of the friction part presses it there, also counts as resting. */
static void add_resting(const SimModel *model, const double *mobility, const double *x, const double *v, Contact at) {
  const SimProblem *p = &model->problem;
  for (int i = 0; i < p->d; i++) {
    if (at.side[i] != 0 || !stops_rigid(&p->stops, i)) continue;
    double lower = rest_gap(model, mobility, i, -1, x[i], v[i], at.came[i]),
           upper = rest_gap(model, mobility, i, 1, x[i], v[i], at.came[i]);
    at.side[i] = (upper < lower) - (lower < upper); /* equally near to both stops: at neither of them */
    at.most[i] = 0;
    at.moved[i] = 1;
    at.turned[i] = 0;
  }
}

/* Handles all dofs that passed a rigid stop in a substep. Returns the energy lost in impacts by their law, in J. */
static double meet(const SimModel *model, const double *mobility, SimWorkspace *work, Contact at) {
  const SimProblem *p = &model->problem;
  const SimStops *stops = &p->stops;
  double *x = work->x, *v = work->v, before = 0;
  bool any = false;
  for (int i = 0; i < p->d; i++) {
    int side = stops_rigid(stops, i) ? stops_passed(stops, i, x[i]) : 0;
    at.side[i] = side;
    if (!side) continue;
    if (!any) before = dense_form(p->d, v, p->system.mass, v) / 2;
    any = true;
    /* false: the dof rests at the stop, or moves away from it in this step */
    bool comes = side * at.came[i] > 0;
    double speed = comes ? fmax(0, side * v[i]) : 0, end = stops_end(stops, i, side);
    bool settles = stops->restitution[i] * speed <= slow(model, mobility, i, side * (v[i] - at.came[i]));
    double back = settles ? 0 : stops->restitution[i];
    at.most[i] = stops_rebound(back, speed);
    at.moved[i] = -back;
    at.turned[i] = speed > 0 ? -back : 0;
    x[i] = end - back * (x[i] - end);
    if (stops_passed(stops, i, x[i])) {
      x[i] = stops_end(stops, i, -side); /* a rebound must not pass the opposite stop */
      at.moved[i] = 0;
    }
    work->tally.impacts += speed > 0;
    work->tally.settled += stops->restitution[i] > 0 && settles && at.came[i] != 0;
  }
  if (!any) return 0;
  add_resting(model, mobility, x, v, at);
  strike(p->d, mobility, at, v);
  if (splitting_keeps(work)) splitting_keep_strike(work, false, mobility, at.side, at.now, at.moved, at.turned);
  for (int i = 0; i < p->d; i++)
    if (at.side[i] != 0) at.came[i] = v[i]; /* in the same step, the dof may still reach the opposite stop */
  return before - dense_form(p->d, v, p->system.mass, v) / 2;
}

void elastic_laws_begin(const SimModel *model, SimWorkspace *work, const double *speed) {
  const Contact at = contact_of(model, work);
  for (int i = 0; i < model->problem.d; i++) {
    at.came[i] = work->v[i] + (speed ? speed[i] : 0);
    at.impulse[i] = 0;
  }
}

/* Returns the energy that has entered the system minus the energy that has left it so far, in J. */
static double balance(const SimEnergy *e) { return e->work + e->surface - e->dissipated - e->numerical; }

SimStatus elastic_laws_run(const SimModel *model, SimWorkspace *work, long n, double *scratch) {
  const SimProblem *p = &model->problem;
  const SplittingPlan *plan = model->plan;
  const ElasticStep *step = &plan->elastic;
  const double *mobility = plan->mobility;
  SimStatus status = SIM_OK;
  const Contact at = contact_of(model, work);
  int d = p->d;
  double tau = step->tau, *x = work->x, *h = work->v, *a = scratch, *force = scratch + d, *v = scratch + 2 * d;
  double before = work->watched ? energy(model, x, h) - balance(&work->energy) : 0, lost = 0, struck = 0;
  accelerate(model, step->first, x, h, a, force);
  if (splitting_keeps(work)) splitting_keep_acceleration(model, work, h, 0, a);
  if (work->watched) lost = dense_form(d, h, p->system.damping, h) / 2;
  for (int i = 0; i < d; i++) h[i] += tau / 2 * a[i];
  for (int q = 1; q <= step->substeps && status == SIM_OK; q++) {
    for (int i = 0; i < d; i++) x[i] += tau * h[i];
    if (mobility) struck += meet(model, mobility, work, at);
    if (plan->massless.light) status = massless_step_run(&plan->massless, model, work, n, q, scratch);
    accelerate(model, step->inverse, x, h, a, force);
    if (splitting_keeps(work)) splitting_keep_acceleration(model, work, h, tau / 2, a);
    for (int i = 0; i < d; i++) v[i] = h[i] + tau / 2 * a[i];
    if (work->watched) lost += dense_form(d, v, p->system.damping, v) / (q == step->substeps ? 2 : 1);
    for (int i = 0; i < d; i++) h[i] += (q == step->substeps ? tau / 2 : tau) * a[i];
  }
  if (work->watched) {
    work->energy.numerical -= energy(model, x, h) - balance(&work->energy) - before + tau * lost + struck;
    work->energy.dissipated += tau * lost;
    work->energy.impacts += struck;
  }
  return status != SIM_OK || !model->springs || springs_inside(model->springs, x) ? status : SIM_OUT_OF_RANGE;
}

void elastic_laws_end(const SimModel *model, const double *mobility, SimWorkspace *work, const double *shift,
                      const double *speed) {
  const SimProblem *p = &model->problem;
  const SimStops *stops = &p->stops;
  const Contact at = contact_of(model, work);
  double *v = work->v, before = 0, behind = 0;
  bool any = false;
  for (int i = 0; i < p->d; i++) {
    int side = stops_rigid(stops, i) ? stops_touched(stops, i, work->x[i], shift ? shift[i] : 0) : 0;
    double w = speed ? speed[i] : 0;
    at.side[i] = side;
    at.most[i] = -side * w;
    at.moved[i] = 1;
    at.turned[i] = 0;
    any = any || (side && side * (v[i] + w) > 0);
  }
  if (any) {
    for (int i = 0; i < p->d; i++)
      before += (v[i] / 2 + (speed ? speed[i] : 0)) * dense_dot(p->d, p->system.mass + i * p->d, v);
    strike(p->d, mobility, at, v);
    if (splitting_keeps(work)) splitting_keep_strike(work, true, mobility, at.side, at.now, at.moved, at.turned);
    for (int i = 0; i < p->d; i++)
      behind += (v[i] / 2 + (speed ? speed[i] : 0)) * dense_dot(p->d, p->system.mass + i * p->d, v);
    work->energy.numerical += before - behind;
    for (int i = 0; i < p->d; i++) work->slip[i] = (signed char)((v[i] > 0) - (v[i] < 0));
  }
  for (int i = 0; i < p->d; i++) {
    double x = work->x[i] + (shift ? shift[i] : 0);
    work->reaction[i] =
        stops_rigid(stops, i) ? -at.impulse[i] / p->step + 0.0 /* + 0.0 replaces -0 by 0 */ : stops_push(stops, i, x);
  }
}
