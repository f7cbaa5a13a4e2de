/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pattern/pattern.h"

#include "sim/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the maximum number of slips of a pattern, one per joint and piece. */
int pattern_slips_most(int d, int pieces) { return d * pieces; }

bool pattern_init(Pattern *pattern, int d, int pieces) {
  *pattern = (Pattern){.pieces = pieces};
  pattern->slips = malloc((size_t)(pattern_slips_most(d, pieces) + 1) * sizeof *pattern->slips);
  return pattern->slips;
}

void pattern_clear(Pattern *pattern) {
  free(pattern->slips);
  *pattern = (Pattern){0};
}

void pattern_copy(const Pattern *from, Pattern *to) {
  to->pieces = from->pieces;
  to->n = from->n;
  memcpy(to->slips, from->slips, (size_t)from->n * sizeof *to->slips);
}

bool pattern_tidy(Pattern *pattern) {
  int n = 0;
  for (int k = 0; k < pattern->n; k++)
    if (pattern->slips[k].from != pattern->slips[k].to) pattern->slips[n++] = pattern->slips[k];
  pattern->n = n;
  for (int k = 0; k < n; k++) {
    const PatternSlip *slip = &pattern->slips[k], *before = k ? slip - 1 : NULL;
    if (slip->from < 0 || slip->to <= slip->from || slip->to > pattern->pieces) return false;
    if (before && (before->joint > slip->joint || (before->joint == slip->joint && before->to > slip->from)))
      return false;
  }
  return true;
}

void pattern_refine(Pattern *pattern, int factor) {
  pattern->pieces *= factor;
  for (int k = 0; k < pattern->n; k++) {
    pattern->slips[k].from *= factor;
    pattern->slips[k].to *= factor;
  }
}

void pattern_from_ways(int d, const signed char *ways, Pattern *pattern) {
  pattern->n = 0;
  for (int i = 0; i < d; i++)
    for (int k = 0; k < pattern->pieces; k++) {
      int way = ways[k * d + i], last = k ? ways[(k - 1) * d + i] : 0;
      if (way && way == last)
        pattern->slips[pattern->n - 1].to++;
      else if (way)
        pattern->slips[pattern->n++] = (PatternSlip){i, k, k + 1, way};
    }
}

void pattern_ways(const Pattern *pattern, int d, signed char *ways) {
  memset(ways, 0, (size_t)(pattern->pieces * d));
  for (int k = 0; k < pattern->n; k++) {
    const PatternSlip *slip = &pattern->slips[k];
    for (int piece = slip->from; piece < slip->to; piece++) ways[piece * d + slip->joint] = (signed char)slip->way;
  }
}

/* Pattern of a simulated motion ------------------------------------------------------------------------------------ */

/* Counts over a motion's time steps, for each joint and piece: how often the joint slipped backward, stuck, and slipped
 * forward. */
typedef struct Watch {
  int d, pieces;
  double end;
  long *seen; /* [pieces][d][3] number of time steps in which the joint slipped backward, stuck, slipped forward */
} Watch;

static void count_state(void *context, const SimStep *step) {
  const Watch *watch = context;
  int piece = (int)floor(step->t / watch->end * watch->pieces);
  if (piece < 0 || piece >= watch->pieces) return;
  for (int i = 0; i < watch->d; i++) watch->seen[(piece * watch->d + i) * 3 + step->slip[i] + 1]++;
}

SimStatus pattern_of_motion(const SimProblem *sim, const SimModel *model, SimWorkspace *work, const double *control,
                            Pattern *pattern) {
  int d = sim->d;
  size_t n = (size_t)(d * pattern->pieces);
  Watch watch = {.d = d, .pieces = pattern->pieces, .end = sim->end, .seen = calloc(3 * n, sizeof *watch.seen)};
  signed char *ways = malloc(n);
  double *x = malloc(2 * (size_t)d * sizeof *x);
  SimStatus status = SIM_NO_MEMORY;
  if (watch.seen && ways && x) {
    SimFinal final = {.x = x, .v = x + d};
    status = stiction_rollout(model, work, control, &(SimObserver){.context = &watch, .step = count_state}, &final);
  }
  bool good = status == SIM_OK;
  for (size_t k = 0; k < n && good; k++) {
    const long *seen = watch.seen + 3 * k;
    bool unseen = seen[0] + seen[1] + seen[2] == 0; /* whether the piece is shorter than a time step, so that no step
                                                     * was counted in it */
    ways[k] = unseen ? (signed char)(k >= (size_t)d ? ways[k - (size_t)d] : 0)
                     : (signed char)(seen[1] >= seen[0] && seen[1] >= seen[2] ? 0
                                     : seen[2] >= seen[0]                     ? 1
                                                                              : -1);
  }
  if (good) pattern_from_ways(d, ways, pattern);
  free(watch.seen);
  free(ways);
  free(x);
  return status;
}
