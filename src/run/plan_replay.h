/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets up the motion of a problem with a motion plan. Its T, lengths of segments and initial state are taken from
 * earlier results, or are the start values of the search. */
#ifndef SRC_PLAN_REPLAY_H
#define SRC_PLAN_REPLAY_H

#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Sets the motion in problem->sim to that of the results in options->control; without them, to that at the start of the
 * search. Returns 0, or an exit code after reporting an error. */
int plan_replay(const Options *options, Problem *problem, Diagnostics *diagnostics);

#endif
