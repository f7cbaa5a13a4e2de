/* SPDX-License-Identifier: BSD-2-Clause */
/* A level: the control problem with a smaller number of segments L in place of S. If L divides S, a control with L
 * segments is also a control with S segments, with the same effort. */
#ifndef CONTROL_LEVEL_H
#define CONTROL_LEVEL_H

#include "control/internal.h"

/* Maximum number of levels: no number of segments up to 4096 has more divisors. */
enum { CTL_LEVELS_MAX = 48 };

typedef struct CtlLevel {
  CtlProblem problem; /* problem with L segments; its start, lower and upper are in `arrays`, all other arrays are
                       * borrowed from the whole problem */
  double *arrays;     /* [3][p L] storage of the problem's start, lower and upper; owned */
} CtlLevel;

/* Whether problems with fewer segments should be solved first. They should if the evaluator can evaluate controls with
 * fewer segments, and if the best such controls are good initial points for more segments. */
bool ctl_level_has_coarser(const CtlProblem *problem);

/* Lists the numbers of segments for which the problem is solved one after another: all divisors of S in rising order,
 * or S alone. Returns the length of the list. */
int ctl_levels(const CtlProblem *problem, int segments[CTL_LEVELS_MAX]);

/* Whether the first control found that meets the targets counts as optimal. It does if the controls that meet the
 * targets form a convex set and there are no more variables than targets. */
bool ctl_level_first_is_least(const CtlProblem *problem);

/* Whether the target of some entries of the final state is given as a function along a string. */
bool ctl_level_has_function(const CtlProblem *problem);

/* Initialises the problem with L segments. The initial control in each of its segments is the mean of `given` [n] over
 * the finer segments that it contains. The bounds of a segment are the strictest bounds of all its S / L finer
 * segments. Returns false when out of memory; the level must be cleared then, too. */
bool ctl_level_init(CtlLevel *level, const CtlProblem *problem, int segments, const double *given);
void ctl_level_clear(CtlLevel *level);

/* Returns what the evaluator must compute for a point of this level, for one motion. */
CtlWant ctl_level_want(const CtlLevel *level, const CtlProblem *problem, int motion);

#endif
