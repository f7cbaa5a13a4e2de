/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what the command `check` reports about the start of a mechanism. */
#include "src/file/model/mechanism.h"

#include "src/base/json_values.h"

#include <math.h>
#include <string.h>

const char *mechanism_unit(const Mechanism *mechanism, int i) { return mechanism->turns[i] ? "rad" : "m"; }
const char *mechanism_force_unit(const Mechanism *mechanism, int i) { return mechanism->turns[i] ? "N m" : "N"; }

int mechanism_control_acts_on(const SimProblem *sim, int control) {
  int acts = 0, on = 0;
  for (int i = 0; i < sim->d; i++) {
    if (sim->control_matrix[i * sim->n_control + control] == 0) continue;
    acts++;
    on = i;
  }
  return acts == 1 ? on : -1;
}

int mechanism_control_of(const SimProblem *sim, int dof) {
  for (int j = 0; j < sim->n_control; j++)
    if (mechanism_control_acts_on(sim, j) == dof) return j;
  return -1;
}

double mechanism_effort(const Problem *problem, int control) {
  const SimProblem *sim = &problem->sim;
  const MechanismJoint *joints = problem->mechanism ? problem->mechanism->joints : NULL;
  int on = joints ? mechanism_control_acts_on(sim, control) : -1;
  return on < 0 ? INFINITY : joints[on].effort / fabs(sim->control_matrix[on * sim->n_control + control]);
}

/* Returns whether a position of coordinate i is outside the limits that a robot's file gives. */
static bool is_outside(const Mechanism *mechanism, int i, double place) {
  return mechanism->joints && !(place >= mechanism->joints[i].lower && place <= mechanism->joints[i].upper);
}

/* Prints by which force a coordinate sticks; two forces if it depends on the direction. */
static void print_thresholds(const Mechanism *mechanism, int i) {
  const double *thresholds = mechanism->start.thresholds, above = thresholds[i],
               below = thresholds[mechanism->start.d + i];
  const char *unit = mechanism_force_unit(mechanism, i), *name = mechanism->sim->names[i];
  printf(", sticks by at most %g %s", above, unit);
  if (above != below) printf(" against %s' > 0, %g %s against %s' < 0", name, below, unit, name);
}

void mechanism_print(const Problem *problem) {
  enum { SHOWN = 8 }; /* maximum number of rows and columns of M that are printed */
  const Mechanism *mechanism = problem->mechanism;
  const MechanismLocal *start = &mechanism->start;
  const SimProblem *sim = &problem->sim;
  for (int i = 0; i < start->d; i++) {
    const char *unit = mechanism_unit(mechanism, i);
    printf("%s%-*s = %g %s", i ? "           " : "start      ", 8, mechanism->sim->names[i], sim->x0[i], unit);
    if (sim->v0[i] != 0) printf(", moves at %g %s/s", sim->v0[i], unit);
    if (start->sticks[i])
      print_thresholds(mechanism, i);
    else if (start->acceleration[i] != 0)
      printf(", accelerates at %.6g %s/s^2", start->acceleration[i], unit);
    else
      printf(", in balance");
    printf("\n");
  }
  for (int i = 0; i < start->d && start->d <= SHOWN; i++) {
    printf(i ? "           " : "mass       ");
    for (int j = 0; j < start->d; j++) printf(" %11.5g", start->mass[i * start->d + j]);
    printf("\n");
  }
  printf("rate       %.4g 1/s at x0, the fastest of decay, growth or oscillation", start->rate);
  if (start->rate > 0) printf(" (a period of %.3g s)", 6.283185307179586 / start->rate);
  printf("\n");
}

bool mechanism_put(const Problem *problem, json_t *object) {
  const Mechanism *mechanism = problem->mechanism;
  const MechanismLocal *start = &mechanism->start;
  json_t *list = json_array();
  for (int i = 0; i < start->d; i++)
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:b, s:f}", "name", mechanism->sim->names[i],
                                    "unit", mechanism_unit(mechanism, i), "x0", problem->sim.x0[i], "v0",
                                    problem->sim.v0[i], "load", start->load[i], "threshold", start->thresholds[i],
                                    "threshold_down", start->thresholds[start->d + i], "sticks", start->sticks[i],
                                    "acceleration", start->acceleration[i]));
  json_t *all = json_pack("{s:o, s:o, s:f}", "coordinates", list, "mass", echo_rows(start->d, start->d, start->mass),
                          "rate", start->rate);
  return json_object_set_new(object, "start", all) == 0;
}

/* Whether a search is by the derivatives of steps through impacts, of several coordinates, which `event` would take. */
static bool searches_through_steps(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  bool rigid = true;
  for (int i = 0; i < sim->d && sim->stops.present; i++) rigid = rigid && isnan(sim->stops.stiffness[i]);
  return problem->has_control && sim->stops.present && rigid && sim->d > 1 && !sim_scheme_by_events(sim->scheme);
}

void mechanism_warn(const Problem *problem, Diagnostics *diagnostics) {
  /* If the product of the fastest rate and the duration T exceeds this number, the motion needs many segments, about a
   * twelfth of the product. */
  static const double MANY = 1e4;
  const Mechanism *mechanism = problem->mechanism;
  double rate = mechanism->start.rate;
  bool event = sim_scheme_by_events(problem->sim.scheme);
  if (event && rate * problem->sim.end > MANY)
    diagnostics_warn(
        diagnostics,
        "stiff: the fastest rate at x0 is %.3g 1/s, which `event` follows in short segments (a rotor's inertia, "
        "model.armature, or less viscous friction makes it slower; scheme.name: moreau has steps that need not resolve "
        "it)",
        rate);
  if (searches_through_steps(problem))
    diagnostics_warn(
        diagnostics,
        "derivatives of steps lack how the times of impacts change, so a search may end some percent above "
        "the least cost (scheme.name: event has them)");
  for (int i = 0; i < mechanism->start.d; i++)
    if (is_outside(mechanism, i, problem->sim.x0[i]))
      diagnostics_warn(diagnostics, "x0 of %s, %g %s, is outside of the limits of the robot's file, %g to %g",
                       mechanism->sim->names[i], problem->sim.x0[i], mechanism_unit(mechanism, i),
                       mechanism->joints[i].lower, mechanism->joints[i].upper);
}
