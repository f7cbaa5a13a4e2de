#include "control/pool_batch.h"

/* A batch costs the coordinator some 3 us: with 10 us an evaluator it has a third of its time to do at most. */
static const double LEAST_SECONDS = 50e-6, LEAST_SECONDS_EACH = 10e-6, PIECE_SECONDS = 200e-6;
enum { MOST = 1 << 20 }; /* keeps quotients of times within an int; no scheme has more points */

/* How many points take that long. */
static long points_in(const CtlPoolLoad *load, double seconds) {
  if (!(load->point_seconds > 0)) return 1;
  double points = seconds / load->point_seconds;
  return points < MOST ? (long)points : MOST;
}

static long whole_blocks(const CtlPoolLoad *load, long points) {
  return points < load->block ? load->block : points - points % load->block;
}

static long least(long a, long b) { return a < b ? a : b; }

int ctl_pool_batch(const CtlPoolLoad *load, long held) {
  double seconds = LEAST_SECONDS_EACH * load->evaluators;
  long enough = points_in(load, seconds > LEAST_SECONDS ? seconds : LEAST_SECONDS);
  long lacking = (load->unasked + load->out + load->evaluators - 1) / load->evaluators - held;
  if (lacking <= 0) return 0;
  long points = whole_blocks(load, lacking / 2 > enough ? lacking / 2 : enough);
  return (int)least(least(points, lacking), least(load->unasked, load->at_most));
}

int ctl_pool_piece(const CtlPoolLoad *load) {
  return (int)least(whole_blocks(load, points_in(load, PIECE_SECONDS)), ctl_pool_batch(load, 0));
}
