/* Where runs of SQP begin. From u = 0 often nothing moves, and no derivative tells what would. So the first of them solve easier
 * problems: without friction the motion's end is linear in u, and friction comes back in one step, or in three; then at random
 * about what that took. */
#ifndef CONTROL_STARTS_H
#define CONTROL_STARTS_H

#include "control/control.h"

/* A random control [n] of start number k: as large as `free` [n], what the targets take without friction (N), half of it, twice, and
 * four times as large in turn; of long signals in some pieces. The same for the same k. */
void ctl_start_random(const CtlProblem *problem, const double *free, long k, double *control);

/* Start k = 0, 1, .. near `best` [n]: control [n], within the bounds. Off by random signals of as many pieces, as large as the best,
 * half, a quarter in turn. */
void ctl_start_near(const CtlProblem *problem, const double *best, long k, double *control);

#endif
