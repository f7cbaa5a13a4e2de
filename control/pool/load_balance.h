/* Who of a pool has how much to do, and how many points the next batch therefore has. Guided self-scheduling: large
 * batches while much is left, so that there are few messages, then smaller and smaller ones, so that all evaluators end
 * together. Only the time a search takes depends on it, never what it finds. Times are in seconds on any one clock. */
#ifndef CONTROL_LOAD_BALANCE_H
#define CONTROL_LOAD_BALANCE_H

#include "sim/sim.h"

typedef struct LoadBalance {
  int workers, evaluators; /* evaluators: the workers, and the coordinator if it evaluates */
  int block;               /* points that take about as long as one: CtlEvaluator.block */
  int at_most;             /* points in a batch */
  int *held;               /* [workers] points each has; owned, as the next */
  double *since;           /* [workers] when each is thought to have begun with these */
  int busy;                /* workers that hold any */
  long out;                /* sum of held */
  double since_sum;        /* of the busy ones */
  double seconds, points;  /* evaluated so far, in whole blocks */
} LoadBalance;

/* SIM_OK or SIM_NO_MEMORY (left cleared). */
SimStatus load_balance_init(LoadBalance *load, int workers, int evaluators, int block, int at_most);
void load_balance_clear(LoadBalance *load);

/* A worker has been given count points, or has brought them back after so many seconds of evaluation. */
void load_balance_give(LoadBalance *load, int worker, int count, double now);
void load_balance_take(LoadBalance *load, int worker, int count, double seconds, double now);
/* A worker that does not answer holds count points no more, for all that anybody knows. */
void load_balance_drop(LoadBalance *load, int worker, int count, double now);

/* Points for a worker while `unasked` >= 1 points of the simplex are with nobody: half of what it lacks to an even
 * share of all that is left to do,
 *
 *     (even - its own) / 2,   even = (unasked + those out) / evaluators,
 *
 * where what is out is less what is thought to be done by now, at the speed measured so far. But no less than what
 * takes 50 us, and, so that the coordinator keeps up, 2 us an evaluator; in whole blocks; no more than it lacks,
 * unasked and at_most. 0 when it has its share already: what is left is for others. */
int load_balance_batch(const LoadBalance *load, int worker, long unasked, double now);

/* Points for the coordinator itself: what takes 200 us, in whole blocks, or one block; no more than a worker with none
 * would get, so that no worker runs dry meanwhile. */
int load_balance_piece(const LoadBalance *load, long unasked, double now);

#endif
