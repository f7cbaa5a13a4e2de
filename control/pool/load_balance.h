/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the size of the next batch for each worker by guided self-scheduling. Batches are large while much work is
 * left, so that there are few messages. They become smaller later, so that all evaluators end at the same time. The
 * sizes affect the duration of a search, never its result. Times are in seconds; all calls must use the same clock. */
#ifndef CONTROL_LOAD_BALANCE_H
#define CONTROL_LOAD_BALANCE_H

#include "sim/internal.h"

typedef struct LoadBalance {
  /* workers: number of workers. evaluators: number of processes that evaluate points, the workers and possibly the
   * coordinator */
  int workers, evaluators;
  int block;              /* number of points that take about as long together as a single point, from
                           * CtlEvaluator.block */
  int at_most;            /* maximum number of points in a batch */
  int *held;              /* [workers] number of points that each worker holds; owned, like `since` */
  double *since;          /* [workers] estimated time at which each worker began with its points */
  int busy;               /* number of workers that hold points */
  long out;               /* number of points at workers, the sum of held */
  double since_sum;       /* sum of `since` over the workers that hold points */
  double seconds, points; /* sums of evaluation time and of evaluated points so far, in whole blocks */
} LoadBalance;

/* Initialises the counters. Returns SIM_OK or SIM_NO_MEMORY; the struct is then cleared. */
SimStatus load_balance_init(LoadBalance *load, int workers, int evaluators, int block, int at_most);
void load_balance_clear(LoadBalance *load);

/* load_balance_give records that a worker received `count` points, and load_balance_take that it returned these points
 * after `seconds` of evaluation. */
void load_balance_give(LoadBalance *load, int worker, int count, double now);
void load_balance_take(LoadBalance *load, int worker, int count, double seconds, double now);
/* Records that a worker which does not reply is assumed to hold `count` points less. */
void load_balance_drop(LoadBalance *load, int worker, int count, double now);

/* Returns the number of points to send to a worker while `unasked` >= 1 points of the simplex are not handed out: half
 * of the difference between an even division of all remaining work and the points that the worker holds,
 *
 *   (even - held by the worker) / 2,  even = (unasked + points at workers) / evaluators,
 *
 * where points that should be finished by now, at the measured speed, are not counted. The points take at least 50 us
 * and, so that the coordinator is not overloaded, 2 us per evaluator. The number is in whole blocks and at most the
 * difference, `unasked` and at_most. 0: the worker has enough points. */
int load_balance_batch(const LoadBalance *load, int worker, long unasked, double now);

/* Returns the number of points for the coordinator: whole blocks that take 200 us, at least one block, and at most as
 * many points as a worker without points would get, so that no worker becomes idle in the meantime. */
int load_balance_piece(const LoadBalance *load, long unasked, double now);

#endif
