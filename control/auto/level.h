/* The problem with fewer segments. A coarser signal is also a finer one with equal cost. */
#ifndef CONTROL_LEVEL_H
#define CONTROL_LEVEL_H

#include "control/internal.h"

/* maximum number of divisors of S: no number up to 4096 has more, plus S = 0 */
enum { CTL_LEVELS_MAX = 48 };

typedef struct CtlLevel {
  CtlProblem problem; /* borrows all arrays but the next */
  double *arrays;     /* storage of start, lower, upper; owned */
} CtlLevel;

/* Whether to solve a problem with fewer segments, too: the evaluator accepts such points, and their answers are
 * useful. */
bool ctl_level_has_coarser(const CtlProblem *problem);

/* Numbers of segments L for a problem with S segments, in rising order: S alone, or all its divisors. Returns their
 * number. */
int ctl_levels(const CtlProblem *problem, int segments[CTL_LEVELS_MAX]);

/* Whether the first control that meets the targets is optimal. */
bool ctl_level_first_is_least(const CtlProblem *problem);

/* Whether entries of the target are a function along a string. */
bool ctl_level_has_function(const CtlProblem *problem);

/* Initialises the problem with L segments. It starts at the means of `given` [n]. The bounds of each segment are
 * those of all its S / L finer ones. Returns false when out of memory; clear it then, too. */
bool ctl_level_init(CtlLevel *level, const CtlProblem *problem, int segments, const double *given);
void ctl_level_clear(CtlLevel *level);

/* Returns what to evaluate at the level's points for one motion. */
CtlWant ctl_level_want(const CtlLevel *level, const CtlProblem *problem, int motion);

#endif
