/* What no force can move. */
#ifndef SRC_PROBLEM_REACH_H
#define SRC_PROBLEM_REACH_H

#include "src/problem/file.h"

/* The first force, from 1, without an entry in B, where this process has all of its rows; 0: there is none. */
int reach_idle_force(const Problem *problem);

/* The first joint, from 1, whose target is not where it begins, and that no force reaches, not through masses, springs or damping of other joints either; of small
 * dense models. 0: there is none. */
int reach_missing_joint(const Problem *problem);

#endif
