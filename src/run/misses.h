/* E1 and E2: distance of a motion's final state from its target. */
#ifndef SRC_MISSES_H
#define SRC_MISSES_H

#include "src/file/sections/file.h"

/* Prints E1, E2 and the cost with its name in a line. problem: has a control. */
void misses_print(const Problem *problem, const char *name, double cost, const double misses[2]);

/* Prints E1 or E2, k = 1 or 2, with few digits. */
void miss_print(int k, double miss);

#endif
