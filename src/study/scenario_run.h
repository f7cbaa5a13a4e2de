/* `simulate --scenarios`: the motion of the file's own numbers, and where those of all scenarios end. */
#ifndef SRC_STUDY_SCENARIO_RUN_H
#define SRC_STUDY_SCENARIO_RUN_H

#include "src/base/diagnostics.h"
#include "src/base/options.h"

/* By all ranks, which see the same files; the first one writes. Returns an exit code, the same on all. */
int scenario_run(const Options *options, Diagnostics *diagnostics);

#endif
