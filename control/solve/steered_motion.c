/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets the fields of a control problem that depend on the motion that it steers. */
#include "control/pattern/pattern.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ctl_problem_note_motion(CtlProblem *problem, const SimProblem *motion) {
  const SimScheme *scheme;
  char *names = problem->derivative_schemes;
  size_t room = sizeof problem->derivative_schemes, used = 0;
  problem->resolution = sim_force_in_pieces(motion) ? 0 : motion->step;
  problem->derivatives = sim_scheme_differentiates(motion->scheme, motion);
  problem->levels = problem->derivatives && motion->signal != SIM_CONSTANT;
  problem->patterns = problem->levels && pattern_takes(problem, motion);
  for (int k = 0; used < room && (scheme = sim_scheme_of_kind(motion->kind, k)) != NULL; k++)
    if (sim_scheme_differentiates(scheme, motion))
      used += (size_t)snprintf(names + used, room - used, "%s%s", used ? ", " : "", sim_scheme_name(scheme));
}

void ctl_given_entries(const SimProblem *motion, const CtlProblem *problem, bool *given) {
  size_t rows = (size_t)motion->count;
  for (size_t i = 0; i < rows; i++) {
    given[i] = !isnan(problem->position[(size_t)motion->first + i]);
    given[rows + i] = !isnan(problem->velocity[(size_t)motion->first + i]);
  }
}

bool ctl_given_rest(const CtlProblem *problem) {
  bool rest = problem->velocity_spacing > 0;
  for (int i = 0; i < problem->d; i++) rest = rest && problem->velocity[i] == 0;
  return rest;
}
