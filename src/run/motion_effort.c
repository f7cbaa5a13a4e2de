#include "src/run/motion_effort.h"

#include <math.h>

double motion_effort(const Problem *problem, const SimProblem *motion, const double *control) {
  CtlProblem one = problem->control;
  double sum = 0;
  if (motion->start_count == 0) {
    one.segments = motion->segments;
    one.end = motion->end;
    return ctl_cost(&one, control);
  }
  if (motion->signal == SIM_PIECEWISE_LINEAR) return NAN;
  one.segments = 1;
  for (int k = 0; k < motion->segments; k++) {
    one.end = motion->starts[k + 1] - motion->starts[k];
    sum += ctl_cost(&one, control + k * one.p);
  }
  return sum;
}
