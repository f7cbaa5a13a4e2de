/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets up the motion of a problem with a motion plan. T, lengths of segments and initial state are those of given
 * results, or of the start of the search. */
#ifndef SRC_PLAN_REPLAY_H
#define SRC_PLAN_REPLAY_H

#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Sets the motion in problem->sim to that of options->control, or to that of the start. Returns 0, or an exit code
 * after reporting an error. */
int plan_replay(const Options *options, Problem *problem, Diagnostics *diagnostics);

#endif
