/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/auto/level.h"

#include "control/outcome/penalty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ctl_level_has_function(const CtlProblem *p) { return ctl_targets_alone(p) < ctl_target_count(p); }

bool ctl_level_first_is_least(const CtlProblem *p) {
  return p->convex && p->n <= ctl_target_count(p) && !ctl_level_has_function(p);
}

/* Whether all bounds of the problem can be met with L = `segments` segments: the S / L finer segments that a coarser
 * segment combines must have common allowed values. */
static bool has_room(const CtlProblem *p, int segments) {
  int times = p->segments / segments;
  for (int i = 0; i < p->p * segments; i++) {
    double lower = -INFINITY, upper = INFINITY;
    for (int k = 0; k < times; k++) {
      int fine = (i / p->p * times + k) * p->p + i % p->p;
      lower = fmax(lower, p->lower[fine]);
      upper = fmin(upper, p->upper[fine]);
    }
    if (lower > upper) return false;
  }
  return true;
}

bool ctl_level_has_coarser(const CtlProblem *p) {
  return p->levels && p->signal != SIM_CONSTANT && !ctl_level_first_is_least(p) && !ctl_level_has_function(p);
}

int ctl_levels(const CtlProblem *p, int segments[CTL_LEVELS_MAX]) {
  bool coarser = ctl_level_has_coarser(p);
  int count = 0;
  for (int L = 1; L < p->segments && coarser && count < CTL_LEVELS_MAX - 1; L++)
    if (p->segments % L == 0 && has_room(p, L)) segments[count++] = L;
  segments[count++] = p->segments;
  return count;
}

/* Sets the direction of slip of each joint in each of the L = `segments` coarser segments: the direction that more than
 * half of the finer segments in it have. Without such a majority the joint sticks. */
static void coarsen_ways(const CtlProblem *p, int segments, signed char *ways) {
  int times = p->segments / segments;
  for (int k = 0; k < segments * p->d; k++) {
    const signed char *fine = p->start_ways + k / p->d * times * p->d + k % p->d;
    int sum = 0;
    for (int part = 0; part < times; part++) sum += fine[part * p->d];
    ways[k] = (signed char)(2 * sum > times ? 1 : 2 * sum < -times ? -1 : 0);
  }
}

bool ctl_level_init(CtlLevel *level, const CtlProblem *p, int segments, const double *given) {
  int n = p->p * segments, times = p->segments / segments;
  *level = (CtlLevel){.problem = *p, .arrays = malloc(3 * (size_t)n * sizeof(double) + (size_t)(p->d * segments))};
  if (!level->arrays) return false;
  CtlProblem *own = &level->problem;
  own->n = n;
  own->segments = segments;
  own->edges = NULL;
  /* this level uses pattern queries under the same conditions as a search with this number of segments */
  own->patterns = p->patterns && segments > 1 && n > ctl_target_count(p);
  own->start = level->arrays;
  own->lower = own->start + n;
  own->upper = own->lower + n;
  if (p->start_ways) coarsen_ways(p, segments, own->start_ways = (signed char *)(own->upper + n));
  for (int i = 0; i < n; i++) {
    int fine = i / p->p * times * p->p + i % p->p;
    double from = given[fine], more = 0; /* this form of the mean has no rounding error if all values are equal */
    own->lower[i] = -INFINITY;
    own->upper[i] = INFINITY;
    for (int k = 0; k < times; k++, fine += p->p) {
      more += (given[fine] - from) / times;
      own->lower[i] = fmax(own->lower[i], p->lower[fine]);
      own->upper[i] = fmin(own->upper[i], p->upper[fine]);
    }
    own->start[i] = from + more;
  }
  return true;
}

void ctl_level_clear(CtlLevel *level) {
  free(level->arrays);
  *level = (CtlLevel){.arrays = NULL};
}

CtlWant ctl_level_want(const CtlLevel *level, const CtlProblem *problem, int motion) {
  int segments = level->problem.segments;
  return (CtlWant){.motion = motion, .derivatives = true, .segments = segments < problem->segments ? segments : 0};
}
