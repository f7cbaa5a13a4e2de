/* The motion of a problem with a motion plan: T, lengths and initial state are those of results, or where a search
 * begins. */
#ifndef SRC_PLAN_REPLAY_H
#define SRC_PLAN_REPLAY_H

#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Gives problem->sim the motion of options->control, or of the start. Returns 0 or, reported, an exit code. */
int plan_replay(const Options *options, Problem *problem, Diagnostics *diagnostics);

#endif
