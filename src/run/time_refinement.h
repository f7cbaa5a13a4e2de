/* A control's signal refined in time: control.signal.refine_to. */
#ifndef SRC_RUN_TIME_REFINEMENT_H
#define SRC_RUN_TIME_REFINEMENT_H

#include "src/file/sections/with.h"
#include "src/run/refinement.h"

/* Doubles the segments of told->answer, on the motion by that scheme, and refines it (ctl_refine_finer), until it has refine_to or the
 * next is not found. Where there would be more segments than steps of a grid, there are twice as many steps. Fills told->time, and
 * told->optimality anew. Returns 0, EXIT_STOPPED on a signal, or, untold, EXIT_INTERNAL. */
int time_refinement_run(const Problem *problem, ProblemScheme scheme, Progress *progress, Refinement *told);

#endif
