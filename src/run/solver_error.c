/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/rollout_context.h"

#include "src/file/sections/with.h"
#include "src/process/stop_signal.h"

#include <math.h>

/* number of parts of a motion; between two parts a signal may stop it */
enum { PIECES = 100 };

/* Simulates the motion. Returns whether it reached the end time T. */
static bool run(RolloutContext *rollout, const SimProblem *sim, const double *control) {
  SimGroup *group = sim_problem_rows(sim).group;
  SimStatus status = sim_rollout_begin(rollout->model, rollout->work, control, NULL);
  for (long k = 1; k <= PIECES && status == SIM_OK; k++) {
    if (sim_group_agree(group, stop_signal_seen())) return false;
    long until = k == PIECES ? sim->steps : (long)((double)sim->steps * (double)k / PIECES);
    status = sim_rollout_run_to(rollout->model, rollout->work, NULL, until);
  }
  return sim_rollout_end(rollout->model, rollout->work, &rollout->final) == SIM_OK;
}

static void compare(const SimProblem *sim, const SimFinal *iterated, const SimFinal *solved, SolverError *error) {
  double most[3] = {0}; /* largest differences of x and of v between the two motions, and largest |x| */
  for (int i = 0; i < sim->count; i++) {
    most[0] = fmax(most[0], fabs(iterated->x[i] - solved->x[i]));
    most[1] = fmax(most[1], fabs(iterated->v[i] - solved->v[i]));
    most[2] = fmax(most[2], fabs(solved->x[i]));
  }
  sim_group_max(sim_problem_rows(sim).group, most, 3);
  double tolerance = sim_problem_get(sim, "tolerance") * (double)sim->steps;
  *error = (SolverError){.known = true, .x_T = most[0], .v_T = most[1], .expected = tolerance * (1 + most[2])};
}

int solver_error(const RolloutContext *rollout, const Problem *problem, const double *control, SolverError *error) {
  Problem own;
  RolloutContext solved;
  Diagnostics found = {0};
  if (sim_problem_get(&problem->sim, "solver") != SIM_FIXED_POINT) return 0;
  int code = problem_with(problem, (ProblemChanges){.scheme = SCHEME_SOLVED, .finer = 1}, &found, &own);
  diagnostics_clear(&found);
  if (code) return code == EXIT_USAGE ? 0 : code;
  code = rollout_context_prepare(&solved, &own.sim, NULL);
  if (!code && run(&solved, &own.sim, control)) compare(&problem->sim, &rollout->final, &solved.final, error);
  if (!code) rollout_context_release(&solved);
  problem_clear(&own);
  return code == EXIT_USAGE ? 0 : code;
}
