#include "src/problem/reach.h"

#include <math.h>

int reach_idle_force(const SimProblem *sim) {
  size_t p = (size_t)sim->n_control;
  for (size_t k = 0; k < p && !sim->group; k++) {
    bool acts = false;
    for (size_t i = 0; i < (size_t)sim->d && !acts; i++) acts = sim->control_matrix[i * p + k] != 0;
    if (!acts) return (int)k + 1;
  }
  return 0;
}

/* Whether a joint moves another directly, by their entry of the matrices. */
static bool is_coupled(const SimSystem *s, size_t entry) {
  return s->mass[entry] != 0 || s->stiffness[entry] != 0 || s->damping[entry] != 0;
}

int reach_missing_joint(const Problem *problem) {
  enum { MOST = 64 };
  const SimProblem *sim = &problem->sim;
  bool reached[MOST] = {false}, more = true;
  int d = sim->d, p = sim->n_control;
  if (!problem->has_control || problem->external || sim->kind != SIM_FRICTION || sim->system.storage != SIM_DENSE ||
      d > MOST || sim->springs[SIM_LINKS].rows)
    return 0;
  for (int i = 0; i < d * p; i++) reached[i / p] |= sim->control_matrix[i] != 0;
  while (more) {
    more = false;
    for (int i = 0; i < d * d; i++)
      if (reached[i % d] && !reached[i / d] && is_coupled(&sim->system, (size_t)i)) reached[i / d] = more = true;
  }
  for (int i = 0; i < d; i++) {
    double to = problem->control.position[i];
    if (!reached[i] && !isnan(to) && to != sim->x0[i]) return i + 1;
  }
  return 0;
}
