/* Random problems on a plateau: at u = 0, and some way around it, everything sticks, so that no small change of u tells
 * anything. A control that moves every joint is planted: where it leads is the target, which can therefore be met. */
#ifndef BENCH_METHODS_PLATEAU_H
#define BENCH_METHODS_PLATEAU_H

#include "src/problem/file.h"

#include <stdint.h>

enum {
  PLATEAU_DOFS_MAX = 4,
  PLATEAU_SEGMENTS_MAX = 4,
  PLATEAU_VARIABLES_MAX = PLATEAU_DOFS_MAX * PLATEAU_SEGMENTS_MAX
};

/* Evenly spread in 0..1; *seed != 0 moves on. */
double plateau_random(uint64_t *seed);

/* Problem `number` (>= 0), always the same: 1 + number mod 4 masses, coupled by their inertia and by springs, at rest by
 * friction; in turn one segment or four, the target x(T) alone or v(T), too; u = 0 to start with.
 * problem: as problem_file_read gives it. planted [variables]: the control. Returns 0 or an exit code, told. */
int plateau_make(int number, Diagnostics *diagnostics, Problem *problem, double planted[PLATEAU_VARIABLES_MAX]);

#endif
