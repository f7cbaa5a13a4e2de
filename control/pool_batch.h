/* How many points the next batch has. Guided self-scheduling: large batches while much is left, so that there are few
 * messages, then smaller and smaller ones, so that all evaluators end together. Only the time a search takes depends on
 * it, never what it finds. */
#ifndef CONTROL_POOL_BATCH_H
#define CONTROL_POOL_BATCH_H

/* What a choice depends on. */
typedef struct CtlPoolLoad {
  long unasked;         /* points of the simplex that nobody has, >= 1 */
  long out;             /* points that somebody has */
  int evaluators;       /* ranks that evaluate */
  int block;            /* points that take about as long as one: CtlEvaluator.block */
  int at_most;          /* points in a batch */
  double point_seconds; /* measured time of a point in a full block; 0: not known yet */
} CtlPoolLoad;

/* Points for a worker that holds `held`: half of what it lacks to an even share of all that is not done yet,
 *
 *     (even - held) / 2,   even = ceil((unasked + out) / evaluators),
 *
 * but no less than what takes 50 us, and, so that the coordinator keeps up, 10 us an evaluator; in whole blocks; no more
 * than even - held, unasked and at_most. 0 when it has its share already: what is left is for others. */
int ctl_pool_batch(const CtlPoolLoad *load, long held);

/* Points for the coordinator itself: what takes 200 us, in whole blocks, or one block; no more than a worker without any
 * would get, so that no worker runs dry meanwhile. */
int ctl_pool_piece(const CtlPoolLoad *load);

#endif
