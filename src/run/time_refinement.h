/* Refines a control's signal in time: control.signal.refine_to. */
#ifndef SRC_RUN_TIME_REFINEMENT_H
#define SRC_RUN_TIME_REFINEMENT_H

#include "src/file/sections/with.h"
#include "src/run/refinement.h"

/* Doubles the segments of the answer, on the motion by this scheme, and refines it (ctl_refine_finer), until it has
 * refine_to segments or the next refinement fails. If there would be more segments than steps of a grid, the steps are
 * doubled, too. Sets time and optimality of the refinement. Returns 0, EXIT_STOPPED on a signal or, without a report,
 * EXIT_INTERNAL. */
int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *refinement);

#endif
