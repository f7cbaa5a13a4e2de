/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pool/load_balance.h"

#include <math.h>
#include <stdlib.h>

/* LEAST_SECONDS: smallest duration of a batch, in s. LEAST_SECONDS_EACH: smallest duration of a batch divided by the
 * number of evaluators. Sending a batch takes the coordinator about 1 us (bench-pool). With 2 us for each evaluator the
 * coordinator is busy at most half of the time. PIECE_SECONDS: duration of the points that the coordinator evaluates at
 * a time. */
static const double LEAST_SECONDS = 50e-6, LEAST_SECONDS_EACH = 2e-6, PIECE_SECONDS = 200e-6;

SimStatus load_balance_init(LoadBalance *load, int workers, int evaluators, int block, int at_most) {
  *load = (LoadBalance){.workers = workers, .evaluators = evaluators, .block = block, .at_most = at_most};
  load->held = calloc((size_t)workers, sizeof *load->held);
  load->since = calloc((size_t)workers, sizeof *load->since);
  if (load->held && load->since) return SIM_OK;
  load_balance_clear(load);
  return SIM_NO_MEMORY;
}

void load_balance_clear(LoadBalance *load) {
  free(load->held);
  free(load->since);
  *load = (LoadBalance){0};
}

static long whole_blocks(const LoadBalance *load, long points) {
  return points < load->block ? load->block : points - points % load->block;
}

void load_balance_give(LoadBalance *load, int worker, int count, double now) {
  if (!load->held[worker]) {
    load->busy++;
    load->since[worker] = now;
    load->since_sum += now;
  }
  load->held[worker] += count;
  load->out += count;
}

void load_balance_take(LoadBalance *load, int worker, int count, double seconds, double now) {
  load->seconds += seconds;
  load->points += (double)whole_blocks(load, count + load->block - 1);
  load_balance_drop(load, worker, count, now);
}

void load_balance_drop(LoadBalance *load, int worker, int count, double now) {
  load->held[worker] -= count;
  load->out -= count;
  load->since_sum -= load->since[worker];
  load->since[worker] = now; /* if the worker has another batch, it begins that batch now */
  if (load->held[worker])
    load->since_sum += now;
  else if (--load->busy == 0)
    load->since_sum = 0;
}

/* Returns the number of points that take `seconds` at the measured speed; 0 before the first measurement. */
static double points_in(const LoadBalance *load, double seconds) {
  return load->seconds > 0 ? seconds * load->points / load->seconds : 0;
}

/* Returns the number of points that each evaluator would get if the remaining points were distributed evenly. */
static double even_share(const LoadBalance *load, long unasked, double now) {
  double done = points_in(load, load->busy * now - load->since_sum);
  return ((double)unasked + fmax(0, (double)load->out - done)) / load->evaluators;
}

/* Returns the batch size for an evaluator. lacking: its even share of the remaining points minus the points that it
 * already has. */
static int batch_size(const LoadBalance *load, double lacking, long unasked) {
  if (lacking <= 0) return 0;
  double enough = points_in(load, fmax(LEAST_SECONDS, LEAST_SECONDS_EACH * load->evaluators));
  double most = fmin(ceil(lacking), fmin((double)unasked, load->at_most));
  long points = whole_blocks(load, (long)fmin(fmax(lacking / 2, enough), most));
  return (double)points < most ? (int)points : (int)most;
}

int load_balance_batch(const LoadBalance *load, int worker, long unasked, double now) {
  double own = load->held[worker];
  if (own > 0) own = fmax(0, own - points_in(load, now - load->since[worker]));
  return batch_size(load, even_share(load, unasked, now) - own, unasked);
}

int load_balance_piece(const LoadBalance *load, long unasked, double now) {
  int most = batch_size(load, even_share(load, unasked, now), unasked);
  double points = fmin(points_in(load, PIECE_SECONDS), most);
  long piece = whole_blocks(load, (long)points);
  return piece < most ? (int)piece : most;
}
