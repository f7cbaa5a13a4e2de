/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/refinement.h"

#include "src/file/sections/with.h"
#include "src/run/rollout_context.h"

#include <string.h>

/* Makes the problem on which the control was refined, with the number of segments of the refined control. */
static int make_problem(const Problem *problem, const Refinement *refinement, Problem *own) {
  const TimeRefinement *time = &refinement->time;
  const TimeLevel *level = time->n ? &time->levels[time->n - 1] : NULL;
  bool same = strcmp(refinement->motion, sim_scheme_name(problem->sim.scheme)) == 0;
  const ProblemChanges as = {.scheme = same ? SCHEME_OWN : SCHEME_EVENT,
                             .finer = level ? level->steps / problem->sim.steps : 1,
                             .segments = level ? level->segments : 0};
  Diagnostics refused = {0};
  int code = problem_with(problem, as, &refused, own);
  diagnostics_clear(&refused);
  if (!code) own->output_format = OUTPUT_CSV;
  return code;
}

static int write(const Problem *own, const double *control, const Results *results, bool whole) {
  RolloutContext rollout;
  Results folder = {.diagnostics = results->diagnostics, .lock = -1};
  Summary unused = {.control = control};
  int code = rollout_context_prepare(&rollout, &own->sim, results->diagnostics);
  if (!code && whole) stiction_workspace_interrupt(rollout.work, NULL);
  if (!code) code = results_take(&folder, results->directory, "refined");
  if (!code) code = rollout_context_run(&rollout, &folder, own, control, &unused);
  rollout_context_release(&rollout);
  return code == EXIT_STOPPED ? code : code ? EXIT_INTERNAL : 0;
}

int refined_trajectory_write(const Problem *problem, const Refinement *refinement, const Results *results, bool whole) {
  Problem own;
  if (!refinement_met(refinement) || results_nowhere(results) || problem->sim.d > TRAJECTORY_SMALL) return 0;
  int code = make_problem(problem, refinement, &own);
  if (code) return code == EXIT_USAGE ? 0 : diagnostics_no_memory(results->diagnostics);
  code = write(&own, refinement->answer.control, results, whole);
  problem_clear(&own);
  return code;
}
