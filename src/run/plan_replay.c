/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/plan_replay.h"

#include "src/file/sections/saved_motion.h"
#include "src/run/given_control.h"

#include <stdlib.h>

static int take_results(const Options *options, Problem *problem, Diagnostics *diagnostics) {
  SavedMotion saved;
  MotionPlan *plan = problem->plan;
  int code = 0;
  saved_motion_read(options->control, &saved);
  if (saved.lengths && motion_plan_first(plan, CTL_VARY_LENGTH) < 0)
    code = diagnostics_error(diagnostics, EXIT_USAGE,
                             "--control %s: its segments have lengths of their own (the file needs "
                             "control.signal.lengths: free)",
                             options->control);
  else
    saved_motion_start(&saved, plan, problem->sim.segments, false);
  saved_motion_clear(&saved);
  return code;
}

static SimStatus make_motion(Problem *problem) {
  CtlPlan *plan = NULL;
  SimProblem motion;
  double *point = calloc((size_t)(problem->control.n + problem->plan->variables), sizeof *point);
  SimStatus status = point ? motion_plan_create(problem, NULL, &plan) : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    motion_plan_start(problem, point);
    status = motion_plan_motion(problem, plan, point, &motion);
  }
  if (status == SIM_OK) {
    sim_problem_clear(&problem->sim);
    problem->sim = motion;
  }
  ctl_plan_destroy(plan);
  free(point);
  return status;
}

int plan_replay(const Options *options, Problem *problem, Diagnostics *diagnostics) {
  int code = 0;
  if (!problem->plan) return 0;
  if (options->verify)
    return diagnostics_error(diagnostics, EXIT_USAGE,
                             "--verify: this motion is by event already, and its residual is examined (expected no "
                             "--verify with control.minimize, limits and the like)");
  if (options->control && given_control_is_directory(options->control))
    code = take_results(options, problem, diagnostics);
  if (code) return code;
  SimStatus status = make_motion(problem);
  if (status == SIM_OK) return 0;
  return diagnostics_error(diagnostics, status == SIM_BAD_PROBLEM ? EXIT_USAGE : EXIT_INTERNAL,
                           "the motion to be replayed: %s", stiction_status_text(status));
}
