/* Finds T if a file does not give it. It follows from the time scales of the model, so that it does not depend on
 * time.step. */
#include "src/file/sections/motion_plan_read.h"

#include <math.h>

static const double PUSH = 2.5;  /* force on a dof if u has no bounds, relative to its threshold */
static const double UNKNOWN = 1; /* time scale of a model that has none, s */

/* Largest force on a dof, N. */
static double force_on(const Problem *problem, int dof) {
  const SimProblem *sim = &problem->sim;
  const CtlProblem *control = &problem->control;
  double sum = 0, friction = sim_problem_threshold(sim, dof);
  for (int j = 0; j < sim->n_control; j++) {
    double gain = fabs(sim->control_matrix[dof * sim->n_control + j]);
    double most = fmin(fabs(control->lower[j]), fabs(control->upper[j]));
    if (gain > 0) sum += isfinite(most) ? gain * most : PUSH * friction;
  }
  return sum - friction;
}

/* Returns the largest speed that control.limits allow a dof, m/s. */
static double speed_limit(const MotionPlan *plan, int dof, int d) {
  double least = INFINITY;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    bool own = q->of.way == SIM_LARGEST && q->of.v && q->of.v[dof] != 0 && !q->of.control;
    for (int i = 0; i < d && own; i++) own = i == dof || q->of.v[i] == 0;
    if (own && fabs(q->target) > 0) least = fmin(least, fabs(q->target / q->of.v[dof]));
  }
  return least;
}

/* Returns the time scale of a dof, s; 0 if it has none. It is the larger of half a period of its spring and the time
 * to its target, with full force forward and then backward and within its speed limit. */
static double time_of(const Problem *problem, int dof) {
  static const double HALF_TURN = 3.14159265358979323846;
  const SimProblem *sim = &problem->sim;
  int at = dof * (sim->d + 1);
  double mass = sim->system.mass[at], spring = sim->system.stiffness[at], force = force_on(problem, dof), time = 0;
  double way = fabs(problem->control.position[dof] - sim->x0[dof]), speed = speed_limit(problem->plan, dof, sim->d);
  if (mass > 0 && spring > 0) time = HALF_TURN * sqrt(mass / spring);
  if (way > 0 && force > 0 && mass > 0) time = fmax(time, 2 * sqrt(way * mass / force));
  if (way > 0 && isfinite(speed)) time = fmax(time, way / speed);
  return time;
}

double planned_time_scale(const Problem *problem) {
  double time = 0;
  for (int i = 0; i < problem->sim.d; i++) time = fmax(time, time_of(problem, i));
  return time > 0 && isfinite(time) ? time : UNKNOWN;
}
