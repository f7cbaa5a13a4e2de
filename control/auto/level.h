/* The problem with fewer segments: a coarser signal is a finer one, too, and costs as much. */
#ifndef CONTROL_LEVEL_H
#define CONTROL_LEVEL_H

#include "control/control.h"

/* Divisors of the S of any signal at most: 4096 variables have no more, and S = 0. */
enum { CTL_LEVELS_MAX = 48 };

typedef struct CtlLevel {
  CtlProblem problem; /* all but the next is borrowed */
  double *arrays;     /* its start, lower, upper; owned */
} CtlLevel;

/* Whether a problem is solved with fewer segments, too: such points are evaluated, and their answers are of use. */
bool ctl_level_has_coarser(const CtlProblem *problem);

/* Numbers of segments L with which a problem of S is solved, in rising order: S alone, or all its divisors. Returns how
 * many. */
int ctl_levels(const CtlProblem *problem, int segments[CTL_LEVELS_MAX]);

/* Whether the first control that meets the targets is the least. */
bool ctl_level_first_is_least(const CtlProblem *problem);

/* Whether entries of the target are a function along a string. */
bool ctl_level_has_function(const CtlProblem *problem);

/* The problem with L segments: it starts at the means of `given` [n], and all bounds of the S / L finer segments hold for each of
 * its own. Returns false when out of memory; to be cleared, too. */
bool ctl_level_init(CtlLevel *level, const CtlProblem *problem, int segments, const double *given);
void ctl_level_clear(CtlLevel *level);

/* What is wanted of its points, of a motion. */
CtlWant ctl_level_want(const CtlLevel *level, const CtlProblem *problem, int motion);

#endif
