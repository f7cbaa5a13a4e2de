/* SPDX-License-Identifier: BSD-2-Clause */
/* Random problems that start on a plateau: at u = 0 and around it everything sticks, so small changes of u have no
 * effect. The target is the final state of a motion under a control that moves every joint, so it can be met. */
#ifndef BENCH_METHODS_PLATEAU_H
#define BENCH_METHODS_PLATEAU_H

#include "src/file/sections/file.h"

#include <stdint.h>

enum {
  PLATEAU_DOFS_MAX = 4,
  PLATEAU_SEGMENTS_MAX = 4,
  PLATEAU_VARIABLES_MAX = PLATEAU_DOFS_MAX * PLATEAU_SEGMENTS_MAX
};

/* Returns a number uniform in 0..1, and updates *seed != 0. */
double plateau_random(uint64_t *seed);

/* Makes problem `number` (>= 0), which is always the same: 1 + number mod 4 masses, coupled by inertia and springs,
 * which friction holds at rest; one or four segments in turn; target x(T), in some problems also v(T); start u = 0.
 * problem: filled in as by problem_file_read. planted [variables]: set to the control that reaches the target. Returns
 * 0, or an exit code after reporting errors. */
int plateau_make(int number, Diagnostics *diagnostics, Problem *problem, double planted[PLATEAU_VARIABLES_MAX]);

#endif
