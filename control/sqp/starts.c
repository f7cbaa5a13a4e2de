/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/sqp/starts.h"

#include "control/base/mix.h"
#include "control/outcome/penalty.h"
#include "control/problem/bounds.h"

#include <math.h>
#include <string.h>

/* Maximum number of intervals on which a random signal is constant. WAVE_PIECES holds if there are fewer controls than
 * joints with friction, PIECES otherwise. */
enum { PIECES = 8, WAVE_PIECES = 32 };

double ctl_start_number(uint64_t k, uint64_t place) {
  return (double)(ctl_mix(ctl_mix(k) ^ place) >> 11) * 0x1p-52 - 1;
}

/* Returns the root mean square over time of entry i of u, in N. */
static double size_of(const CtlProblem *problem, const double *control, int i) {
  double sum = 0;
  for (int k = 0; k < problem->segments; k++) sum += control[k * problem->p + i] * control[k * problem->p + i];
  return sqrt(sum / problem->segments);
}

/* Creates random signal k, with `size` times the root mean square of the control `as`. */
static void make_random(const CtlProblem *problem, const double *as, double size, uint64_t k, double *control) {
  int p = problem->p, most_pieces = ctl_problem_is_underactuated(problem) ? WAVE_PIECES : PIECES;
  int pieces = problem->segments < most_pieces ? problem->segments : most_pieces;
  double mean = 0;
  for (int i = 0; i < p; i++) mean += size_of(problem, as, i) / p;
  if (!(mean > 0))
    mean = 10 * problem->step; /* the control `as` is 0 and gives no size, so a multiple of the step of
                                               * the search is used */
  for (int i = 0; i < p; i++) {
    double most = size * fmax(size_of(problem, as, i), 0.1 * mean);
    for (int segment = 0; segment < problem->segments; segment++) {
      uint64_t piece = (uint64_t)segment * (uint64_t)pieces / (uint64_t)problem->segments;
      control[segment * p + i] = most * ctl_start_number(k, piece * (uint64_t)p + (uint64_t)i);
    }
  }
}

void ctl_start_random(const CtlProblem *problem, const double *free, long k, double *control) {
  bool bound = problem->n <= ctl_target_count(problem);
  double size = bound ? ldexp(4, -(int)(7 - k % 8)) : ldexp(1, (int)(k % 4) - 1);
  make_random(problem, free, size, (uint64_t)k, control);
  ctl_bounds_move_inside(problem, control);
}

CtlMotion ctl_start(const CtlProblem *problem, const double *given, const double *free, long k, double *control) {
  static const CtlMotion motions[] = {CTL_MOTION_FILE, CTL_MOTION_FREE, CTL_MOTION_THIRD};
  if (k > 2) ctl_start_random(problem, free, k, control);
  if (k <= 2) memcpy(control, k == 2 ? free : given, (size_t)problem->n * sizeof *control);
  return k > 2 ? CTL_MOTION_FILE : motions[k];
}

CtlMotion ctl_start_after(CtlMotion motion) {
  static const CtlMotion after[CTL_MOTIONS] = {[CTL_MOTION_FREE] = CTL_MOTION_FILE,
                                               [CTL_MOTION_THIRD] = CTL_MOTION_TWO_THIRDS,
                                               [CTL_MOTION_TWO_THIRDS] = CTL_MOTION_FILE};
  return after[motion];
}

void ctl_start_near(const CtlProblem *problem, const double *best, long k, double *control) {
  make_random(problem, best, ldexp(1, -(int)(k % 3)), ~(uint64_t)k, control);
  for (int i = 0; i < problem->n; i++) control[i] += best[i];
  ctl_bounds_move_inside(problem, control);
}
