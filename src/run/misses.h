/* E1 and E2: how far a motion ends from its target. */
#ifndef SRC_MISSES_H
#define SRC_MISSES_H

#include "src/file/sections/file.h"

/* E1, E2 and the cost, by its name, in a line on the standard output. problem: with control. */
void misses_print(const Problem *problem, const char *name, double cost, const double misses[2]);

/* E1 or E2, k = 1 or 2, in few digits. */
void miss_print(int k, double miss);

#endif
