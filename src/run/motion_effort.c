/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/motion_effort.h"

double motion_effort(const Problem *problem, const SimProblem *motion, const double *control) {
  CtlProblem one = problem->control;
  one.segments = motion->segments;
  one.end = motion->end;
  return motion->start_count ? ctl_cost_between(&one, motion->starts, control) : ctl_cost(&one, control);
}
