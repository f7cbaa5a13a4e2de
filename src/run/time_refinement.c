#include "src/run/refinement.h"

#include "src/base/exit_code.h"
#include "src/run/refined_motion.h"

#include <stdio.h>

/* The answer on a motion of twice as many segments. Returns 0, EXIT_STOPPED, EXIT_INTERNAL, or EXIT_UNSOLVED: there is none, or its motion
 * is not to be trusted. */
static int refine(const Problem *problem, Progress *progress, Refinement *told, TimeLevel *level) {
  RolloutContext rollout;
  RefinedMotion motion;
  CtlRefined finer = {0};
  int code = rollout_context_prepare(&rollout, &problem->sim, NULL);
  if (code) return EXIT_INTERNAL;
  SimStatus status = refined_motion_prepare(&motion, problem, &rollout, "refining in time", progress);
  motion.until = told->until;
  if (status == SIM_OK)
    status =
        ctl_refine_finer(&problem->control, &motion.evaluator, &told->answer, refined_motion_stopped, &motion, &finer);
  code = motion.stopped ? EXIT_STOPPED : status == SIM_NO_MEMORY ? EXIT_INTERNAL : status ? EXIT_UNSOLVED : 0;
  if (code == EXIT_UNSOLVED && motion.late) snprintf(told->failure, sizeof told->failure, REFINEMENT_LATE);
  if (!code) code = refined_motion_check(problem, &rollout, finer.control, told->distrust);
  if (*told->distrust) snprintf(told->failure, sizeof told->failure, "%s", told->distrust);
  *level = (TimeLevel){problem->sim.segments, problem->sim.steps, finer.J, finer.E1, finer.E2, motion.count};
  if (!code) code = refined_motion_measure(&motion, finer.control, &told->optimality);
  refined_motion_release(&motion);
  rollout_context_release(&rollout);
  ctl_refined_clear(code ? &finer : &told->answer);
  if (!code) told->answer = finer;
  return code;
}

/* One doubling. */
static int double_segments(const Problem *problem, ProblemScheme scheme, int segments, Progress *progress,
                           Refinement *told) {
  Problem own;
  Diagnostics refused = {0};
  TimeRefinement *time = &told->time;
  ProblemChanges as = {.scheme = scheme, .finer = 1, .segments = segments};
  bool grid = scheme == SCHEME_OWN && !sim_force_in_pieces(&problem->sim);
  while (grid && segments > problem->sim.steps * as.finer) as.finer *= 2;
  int code = problem_with(problem, as, &refused, &own);
  diagnostics_clear(&refused);
  if (code == EXIT_USAGE) snprintf(told->failure, sizeof told->failure, "%d segments: not by this scheme", segments);
  if (code) return code;
  code = refine(&own, progress, told, &time->levels[time->n]);
  problem_clear(&own);
  if (!code) time->n++;
  if (code == EXIT_UNSOLVED && !*told->failure)
    snprintf(told->failure, sizeof told->failure, "SQP found no control in %d segments that meets the target",
             segments);
  return code;
}

int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *told) {
  const CtlRefined *answer = &told->answer;
  const SimProblem *sim = &problem->sim;
  int code = 0;
  told->time.levels[told->time.n++] =
      (TimeLevel){sim->segments, sim->steps, answer->J, answer->E1, answer->E2, answer->evaluations};
  for (int segments = 2 * problem->sim.segments; segments <= problem->refine_to && !code; segments *= 2)
    code = double_segments(problem, scheme, segments, progress, told);
  return code == EXIT_UNSOLVED || code == EXIT_USAGE ? 0 : code;
}
