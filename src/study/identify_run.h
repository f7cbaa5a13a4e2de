/* One identification, on any ranks, from file to results. */
#ifndef SRC_STUDY_IDENTIFY_RUN_H
#define SRC_STUDY_IDENTIFY_RUN_H

#include "src/base/diagnostics.h"
#include "src/base/options.h"

/* Called by all ranks; returns the exit code that all have. */
int identify_run(const Options *options, Diagnostics *diagnostics);

#endif
