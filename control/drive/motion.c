#include "control/motion.h"

/* A motion: its scheme, the word of the scheme's multiplier (NULL: it has none), and the time lag of a regularized one as a part of
 * T. */
typedef struct Row {
  const char *scheme, *multiplier;
  double epsilon;
} Row;

static const Row rows[CTL_MOTIONS] = {[CTL_MOTION_RELAXED_1] = {"centered", "regularized", 0.2},
                                      [CTL_MOTION_RELAXED_2] = {"centered", "regularized", 0.02},
                                      [CTL_MOTION_RELAXED_3] = {"centered", "regularized", 0.002},
                                      [CTL_MOTION_EXACT] = {"event", NULL, 0}};

static const SimScheme *scheme_of(const SimProblem *problem, CtlMotion motion) {
  const SimScheme *scheme =
      motion == CTL_MOTION_FILE ? problem->scheme : sim_scheme_for(problem->kind, rows[motion].scheme);
  return scheme && sim_scheme_serves(scheme, problem) ? scheme : NULL;
}

bool ctl_motion_serves(const SimProblem *problem, CtlMotion motion) {
  const SimScheme *scheme = scheme_of(problem, motion);
  return scheme && sim_scheme_has_sensitivity(scheme);
}

SimStatus ctl_motion_set(SimProblem *problem, CtlMotion motion) {
  const Row *row = &rows[motion];
  if (motion == CTL_MOTION_FILE || !scheme_of(problem, motion)) return SIM_BAD_PROBLEM;
  SimStatus status = sim_problem_set_scheme(problem, row->scheme);
  if (status == SIM_OK && row->multiplier) status = sim_problem_choose(problem, "multiplier", row->multiplier);
  if (status == SIM_OK && row->epsilon > 0) status = sim_problem_set(problem, "epsilon", row->epsilon * problem->end);
  return status;
}
