#include "src/problem/reach.h"

#include <math.h>

int reach_idle_force(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  if (!problem->has_control || problem->external) return 0;
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

/* Whether f(t) is other than 0, or not known at the steps' times. */
static bool has_force(const SimProblem *sim) {
  size_t count = (size_t)sim_force_count(sim) * (size_t)sim->d, row = sim_piece_size(sim->d);
  if (sim_force_in_pieces(sim)) {
    for (size_t i = 0; i < (size_t)sim->piece_count * row; i++)
      if (i % row >= SIM_PIECE_HEAD && sim->pieces[i] != 0) return true;
    return false;
  }
  if (!sim->force) return true;
  for (size_t i = 0; i < count; i++)
    if (sim->force[i] != 0) return true;
  return false;
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
  if (has_force(sim)) return 0;
  for (int i = 0; i < d; i++) {
    double to = problem->control.position[i];
    bool rests = sim->v0[i] == 0 && sim->system.stiffness[i * d + i] == 0; /* nothing of its own moves it */
    if (!reached[i] && rests && !isnan(to) && to != sim->x0[i]) return i + 1;
  }
  return 0;
}
