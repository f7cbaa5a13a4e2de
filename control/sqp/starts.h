/* Where runs of SQP begin. From u = 0 often nothing moves, and no derivative tells what would. So the first of them solve easier
 * problems: without friction the motion's end is linear in u, and friction comes back in one step, or in three; then at random
 * about what that took. */
#ifndef CONTROL_STARTS_H
#define CONTROL_STARTS_H

#include "control/control.h"
#include "control/motion.h"

/* Start k = 0, 1, .. [n], of which motion a run begins there: the one given, the same without friction, then from `free` with a third of
 * it, and ctl_start_random from there on. */
CtlMotion ctl_start(const CtlProblem *problem, const double *given, const double *free, long k, double *control);

/* The motion that a run of another goes on with from where it has ended; that of the file has none to follow. */
CtlMotion ctl_start_after(CtlMotion motion);

/* A random control [n] of start number k: as large as `free` [n], what the targets take without friction (N), half of it, twice, and
 * four times as large in turn; of long signals in 8 pieces, of underactuated ones in 32. Where there are no more variables than targets, friction may hold what
 * without it costs most: there as large as `free` times 2^-5, 2^-4, .. 4 in turn. The same for the same k. */
void ctl_start_random(const CtlProblem *problem, const double *free, long k, double *control);

/* Start k = 0, 1, .. near `best` [n]: control [n], within the bounds. Off by random signals of as many pieces, as large as the best,
 * half, a quarter in turn. */
void ctl_start_near(const CtlProblem *problem, const double *best, long k, double *control);

#endif
