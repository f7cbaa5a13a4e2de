/* Writes the refined answer's motion to files, in addition to the motion on the search's grid. */
#ifndef SRC_RUN_REFINED_TRAJECTORY_H
#define SRC_RUN_REFINED_TRAJECTORY_H

#include "src/results/results.h"
#include "src/run/refinement.h"

/* Simulates the refined answer on the motion on which it was refined, and writes trajectory, energies and events to the
 * folder `refined` of the results, up to TRAJECTORY_SMALL degrees of freedom. Does nothing without a refined answer, or
 * if nothing is written. Runs in this process alone; if `whole`, signals do not end it. Returns 0, EXIT_STOPPED on a
 * signal, or EXIT_INTERNAL after reporting to results->diagnostics. */
int refined_trajectory_write(const Problem *problem, const Refinement *refinement, const Results *results, bool whole);

#endif
