/* What is refused before the first run: a key that is unknown, a file or a value that cannot be read, an axis that changes nothing. */
#ifndef SRC_STUDY_SWEEP_CHECK_H
#define SRC_STUDY_SWEEP_CHECK_H

#include "src/file/sections/file.h"
#include "src/study/sweep_plan.h"

/* Reads the problem with a value of each axis: base [axes.n], the first ones that can be read, out; it is cleared by the caller. Then each
 * axis's values, the others at the base (zipped: each run), at most 1000 of a range, spread over it: all must be read, but for those that can
 * be beside others; and one must make another problem. Returns 0, EXIT_USAGE or EXIT_INTERNAL after telling; problem: empty then. */
int sweep_check(const SweepPlan *plan, long *base, Problem *problem, Diagnostics *diagnostics);

#endif
