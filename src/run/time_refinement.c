/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/refinement.h"

#include "src/run/refined_motion.h"

#include <stdio.h>

/* Refines the answer (the control found by the search) on a motion with twice as many segments. Returns 0;
 * EXIT_STOPPED; EXIT_INTERNAL; or EXIT_UNSOLVED if no answer was found or its motion is not trusted. */
static int refine(const Problem *problem, Progress *progress, Refinement *refinement, TimeLevel *level) {
  RolloutContext rollout;
  RefinedMotion motion;
  CtlRefined finer = {0};
  int code = rollout_context_prepare(&rollout, &problem->sim, NULL);
  if (code) return EXIT_INTERNAL;
  SimStatus status = refined_motion_prepare(&motion, problem, &rollout, "refining in time", progress);
  motion.until = refinement->until;
  if (status == SIM_OK)
    status = ctl_refine_finer(&problem->control, &motion.evaluator, &refinement->answer, refined_motion_stopped,
                              &motion, &finer);
  code = motion.stopped ? EXIT_STOPPED : status == SIM_NO_MEMORY ? EXIT_INTERNAL : status ? EXIT_UNSOLVED : 0;
  if (code == EXIT_UNSOLVED && motion.late) snprintf(refinement->failure, sizeof refinement->failure, REFINEMENT_LATE);
  if (!code) code = refined_motion_check(problem, &rollout, finer.control, refinement->distrust);
  if (*refinement->distrust) snprintf(refinement->failure, sizeof refinement->failure, "%s", refinement->distrust);
  *level = (TimeLevel){problem->sim.segments, problem->sim.steps, finer.J, finer.E1, finer.E2, motion.count};
  if (!code) code = refined_motion_measure(&motion, finer.control, &refinement->optimality);
  refined_motion_release(&motion);
  rollout_context_release(&rollout);
  ctl_refined_clear(code ? &finer : &refinement->answer);
  if (!code) refinement->answer = finer;
  return code;
}

/* Doubles the number of segments once, and refines the answer with them. */
static int double_segments(const Problem *problem, ProblemScheme scheme, int segments, Progress *progress,
                           Refinement *refinement) {
  Problem own;
  Diagnostics refused = {0};
  TimeRefinement *time = &refinement->time;
  ProblemChanges as = {.scheme = scheme, .finer = 1, .segments = segments};
  bool grid = scheme == SCHEME_OWN && !sim_force_in_pieces(&problem->sim);
  while (grid && segments > problem->sim.steps * as.finer) as.finer *= 2;
  int code = problem_with(problem, as, &refused, &own);
  diagnostics_clear(&refused);
  if (code == EXIT_USAGE)
    snprintf(refinement->failure, sizeof refinement->failure, "%d segments: not by this scheme", segments);
  if (code) return code;
  code = refine(&own, progress, refinement, &time->levels[time->n]);
  problem_clear(&own);
  if (!code) time->n++;
  if (code == EXIT_UNSOLVED && !*refinement->failure)
    snprintf(refinement->failure, sizeof refinement->failure,
             "SQP found no control in %d segments that meets the target", segments);
  return code;
}

int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *refinement) {
  const CtlRefined *answer = &refinement->answer;
  const SimProblem *sim = &problem->sim;
  int code = 0;
  refinement->time.levels[refinement->time.n++] =
      (TimeLevel){sim->segments, sim->steps, answer->J, answer->E1, answer->E2, answer->evaluations};
  for (int segments = 2 * problem->sim.segments; segments <= problem->refine_to && !code; segments *= 2)
    code = double_segments(problem, scheme, segments, progress, refinement);
  return code == EXIT_UNSOLVED || code == EXIT_USAGE ? 0 : code;
}
