/* The refined answer's motion as files, beside those of the search's own. */
#ifndef SRC_RUN_REFINED_TRAJECTORY_H
#define SRC_RUN_REFINED_TRAJECTORY_H

#include "src/results/results.h"
#include "src/run/refinement.h"

/* Runs the refined answer on the motion that it was refined on, and writes trajectory, energies and events to the folder `refined` of the
 * results, up to TRAJECTORY_SMALL degrees of freedom; nothing where there is no refined answer, or results go nowhere. By this process alone; signals
 * do not end it where `whole` is true. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting to results->diagnostics. */
int refined_trajectory_write(const Problem *problem, const Refinement *refinement, const Results *results, bool whole);

#endif
