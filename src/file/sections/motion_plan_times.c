/* SPDX-License-Identifier: BSD-2-Clause */
/* Derives T from the time scales of the model if a file does not give T. The result does not depend on time.step. */
#include "src/file/model/mechanism.h"
#include "src/file/sections/motion_plan_read.h"

#include <math.h>

static const double PUSH = 2.5;  /* assumed force on a dof if u has no bounds, in units of the threshold of the dof */
static const double UNKNOWN = 1; /* assumed time scale of a model without any, in s */

/* Data of a degree of freedom (dof) from which its time scale is estimated: its mass in kg, the stiffness in N/m of the
 * spring that holds it, its damping in N s/m, and its threshold in N. A value is 0 if it is not known or the model has
 * no such value. */
typedef struct DofScale {
  double mass, spring, damping, threshold;
} DofScale;

static DofScale dof_scale(const Problem *problem, int dof) {
  const SimProblem *sim = &problem->sim;
  if (sim->kind == SIM_DASHPOT) return (DofScale){.mass = sim->dashpot.mass, .spring = sim->dashpot.stiffness};
  if (sim->kind == SIM_MECHANISM) {
    if (!problem->mechanism) return (DofScale){0};
    const MechanismLocal *start = &problem->mechanism->start; /* M and thresholds at x0 */
    if (start->d != sim->d) return (DofScale){0};             /* the data were not computed */
    return (DofScale){.mass = start->mass[dof * (sim->d + 1)],
                      .damping = start->damping[dof],
                      .threshold = mechanism_local_threshold(start, dof)};
  }
  if (sim->kind != SIM_FRICTION || sim->system.storage != SIM_DENSE) return (DofScale){0};
  int at = dof * (sim->d + 1);
  return (DofScale){.mass = sim->system.mass[at],
                    .spring = sim->system.stiffness[at],
                    .damping = sim->system.damping[at],
                    .threshold = sim_problem_threshold(sim, dof)};
}

/* Returns the largest force in N by which the controls can push a dof in the direction `side`, 1 or -1. If the result
 * is negative, the controls can only push in the other direction. threshold: threshold of the dof, in N. */
static double force_on(const Problem *problem, int dof, double threshold, double side) {
  const SimProblem *sim = &problem->sim;
  const CtlProblem *control = &problem->control;
  double sum = 0;
  for (int j = 0; j < sim->n_control; j++) {
    double gain = side * sim->control_matrix[dof * sim->n_control + j];
    double bound = gain > 0 ? control->upper[j] : control->lower[j];
    if (gain != 0) sum += isfinite(bound) ? gain * bound : PUSH * threshold;
  }
  return sum;
}

/* Estimates the least time, in s, in which a dof moves from rest to rest over the signed distance `way`. It is pushed
 * with the full force first towards the end, then against the motion, where friction helps to brake. The estimate is
 * the larger of two lower limits. One is the time without damping; the other is the time at the speed at which damping
 * balances the full force. Returns 0 if it is not known. */
static double time_by_force(const Problem *problem, int dof, const DofScale *of, double way) {
  double side = copysign(1, way), friction = of->threshold;
  double there = force_on(problem, dof, friction, side) - friction,
         back = force_on(problem, dof, friction, -side) + friction;
  if (!(fabs(way) > 0) || !(there > 0) || !(of->mass > 0)) return 0;
  double undamped = sqrt(2 * fabs(way) * of->mass * (1 / there + (back > 0 ? 1 / back : 0)));
  return fmax(undamped, fabs(way) * of->damping / there);
}

/* Returns the largest speed of a dof that control.limits allows, in m/s. Sets *limit to the quantity of this limit;
 * leaves it unchanged if there is none. */
static double speed_limit(const MotionPlan *plan, int dof, int d, const CtlQuantity **limit) {
  double least = INFINITY;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    bool own = q->of.way == SIM_LARGEST && q->of.v && q->of.v[dof] != 0 && !q->of.control;
    for (int i = 0; i < d && own; i++) own = i == dof || q->of.v[i] == 0;
    if (!own || !(fabs(q->target) > 0) || fabs(q->target / q->of.v[dof]) >= least) continue;
    least = fabs(q->target / q->of.v[dof]);
    *limit = q;
  }
  return least;
}

/* Returns the time scale of a dof, in s; 0 if none is known. It is the largest of three times: half a period of the dof
 * on its spring, the least time to its target with full force, and the time to its target at its speed limit. Sets
 * *limit to the speed limit if it determines the time scale; otherwise to NULL. */
static double time_of(const Problem *problem, int dof, const CtlQuantity **limit) {
  static const double HALF_TURN = 3.14159265358979323846;
  const SimProblem *sim = &problem->sim;
  const DofScale of = dof_scale(problem, dof);
  const CtlQuantity *slowest = NULL;
  double time = 0, way = problem->control.position[dof] - sim->x0[dof],
         speed = speed_limit(problem->plan, dof, sim->d, &slowest);
  if (of.mass > 0 && of.spring > 0) time = HALF_TURN * sqrt(of.mass / of.spring);
  time = fmax(time, time_by_force(problem, dof, &of, way));
  *limit = NULL;
  if (!isfinite(way) || !isfinite(speed) || !(fabs(way) / speed > time)) return time;
  *limit = slowest;
  return fabs(way) / speed;
}

double planned_time_scale(const Problem *problem, const CtlQuantity **limit) {
  double longest = 0;
  *limit = NULL;
  for (int i = 0; i < problem->sim.d; i++) {
    const CtlQuantity *own;
    double time = time_of(problem, i, &own);
    if (!(time > longest)) continue;
    longest = time;
    *limit = own;
  }
  return longest > 0 && isfinite(longest) ? longest : UNKNOWN;
}
