/* SPDX-License-Identifier: BSD-2-Clause */
/* Initial controls of SQP runs. At u = 0 friction often holds all joints, and no derivative shows which control would
 * move them. So the first runs solve easier problems. Without friction the final state is linear in u. Friction is then
 * increased to its full value in one step or in three. The initial controls of later runs are random. Their size
 * follows from the effort without friction. */
#ifndef CONTROL_STARTS_H
#define CONTROL_STARTS_H

#include "control/internal.h"
#include "control/motion.h"

#include <stdint.h>

/* Returns a pseudo-random value in -1..1 for the initial control k. Equal k and place give equal values. */
double ctl_start_number(uint64_t k, uint64_t place);

/* Computes the initial control k = 0, 1, .. [n] and returns the motion with which its run begins. Control 0 is `given`.
 * Control 1 is `given`, too, but its run begins with the motion without friction. Control 2 is `free`, and its run
 * begins with a third of the friction. Later controls are those of ctl_start_random. */
CtlMotion ctl_start(const CtlProblem *problem, const double *given, const double *free, long k, double *control);

/* Returns the motion with which a run continues after it has ended with `motion`. Nothing follows the problem's own
 * motion. */
CtlMotion ctl_start_after(CtlMotion motion);

/* Computes the random initial control k, [n]. Its size is that of `free` times 1, 1/2, 2, 4 in turn, where `free` [n]
 * is the control that meets the targets without friction, in N. Signals with many segments have 8 pieces of time, or 32
 * if there are fewer controls than joints with friction. If there are no more variables than targets, the factors are
 * 2^-5, 2^-4, .. 4, since friction may hold those joints that need most of the effort without friction. Equal k give
 * equal controls. */
void ctl_start_random(const CtlProblem *problem, const double *free, long k, double *control);

/* Computes a random control [n] near `best` [n], within the bounds, for k = 0, 1, .. Its difference from best is
 * constant in 8 pieces of time, or 32 as for ctl_start_random. The size of the difference is that of best times 1, 1/2,
 * 1/4 in turn. */
void ctl_start_near(const CtlProblem *problem, const double *best, long k, double *control);

#endif
