#include "control/base/argument.h"
#include "control/certify/bound.h"

#include "control/problem/problem_check.h"
#include "sim/law/friction_table.h"
#include "sim/operator/dense.h"

#include <string.h>

static bool is_positive(const CtlProblem *problem) {
  double weight[BOUND_N * BOUND_N];
  memcpy(weight, problem->weight, (size_t)(problem->p * problem->p) * sizeof *weight);
  return dense_factor(problem->p, weight) == 0;
}

/* Whether friction falls with speed, of any dof. */
static bool falls(const SimSystem *system) {
  const SimFrictionTable *table = &system->table;
  if (system->stribeck != SIM_STRIBECK_TABLE) return system->stribeck != SIM_STRIBECK_NONE;
  for (int i = 0; i < table->columns; i++)
    if (friction_table_falls(table, i)) return true;
  return false;
}

int ctl_certify_check(const CtlProblem *problem, const SimProblem *sim, const SimReport *report) {
  CtlCheck check = {.problem = problem, .report = report};
  if (!problem || !problem->start || !sim || !sim->scheme) {
    ctl_check_complain(&check, "search.certify", "of no problem");
    return check.mistakes;
  }
  if (sim->kind != SIM_FRICTION || sim->system.storage != SIM_DENSE) {
    ctl_check_complain(&check, "search.certify", "of no dense masses with friction (expected kind: friction)");
    return check.mistakes;
  }
  if (falls(&sim->system))
    ctl_check_complain(&check, sim->system.stribeck == SIM_STRIBECK_TABLE ? "model.friction_table" : "model.stribeck",
                       "with search.certify (expected no friction that falls with speed: it lets motions run apart)");
  if (sim->system.gearbox.present)
    ctl_check_complain(&check, "model.gearbox", "with search.certify (expected none: no motion by event)");
  if (sim->stops.present)
    ctl_check_complain(&check, "model.stops", "with search.certify (expected none: motions that bounce may run apart)");
  if (sim->springs[SIM_ANCHORS].rows || sim->springs[SIM_LINKS].rows)
    ctl_check_complain(&check, "model.springs",
                       "with search.certify (expected none: of springs that are laws motions may run apart)");
  if (sim->d > BOUND_D)
    ctl_check_complain(&check, "search.certify", "of %d degrees of freedom (expected at most %d)", sim->d, BOUND_D);
  if (problem->n > BOUND_N)
    ctl_check_complain(&check, "search.certify", "of %d variables (expected at most %d)", problem->n, BOUND_N);
  else if (!is_positive(problem))
    ctl_check_complain(&check, "control.weight",
                       "semidefinite with search.certify (expected positive definite: controls without limit cost "
                       "nothing)");
  return check.mistakes;
}
