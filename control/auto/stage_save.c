/* SPDX-License-Identifier: BSD-2-Clause */
/* Serialisation of stages. */
#include "control/auto/stage.h"

#include <math.h>
#include <stdlib.h>

/* maximum number of runs of a stage that is accepted when a saved stage is read */
enum { ATTEMPTS_MAX = 1 << 20 };

/* Writes or reads one run. A run that is read must be zeroed except for its array `best`, which must be allocated.
 * Returns false when out of memory. */
static bool serialize_attempt(CtlStage *stage, CtlAttempt *attempt, CtlBytes *bytes) {
  attempt->state = (CtlAttemptState)ctl_bytes_integer(bytes, attempt->state, CTL_ATTEMPT_WAITS, CTL_ATTEMPT_ENDED);
  attempt->start = ctl_bytes_integer(bytes, attempt->start, CTL_START_SEED, INT32_MAX);
  attempt->motion = (CtlMotion)ctl_bytes_integer(bytes, attempt->motion, 0, CTL_MOTION_WAYS);
  ctl_bytes_numbers(bytes, &attempt->asked, 1);
  attempt->rank = ctl_bytes_integer(bytes, attempt->rank, 1, INT32_MAX);
  attempt->starts = ctl_bytes_integer(bytes, attempt->starts, 0, INT32_MAX);
  ctl_bytes_numbers(bytes, &attempt->source, 1);
  /* best and from are contiguous, so that one call serialises both */
  ctl_bytes_numbers(bytes, attempt->best, 2 * (size_t)stage->level.problem.n);
  ctl_bytes_numbers(bytes, &attempt->J, 1);
  ctl_bytes_numbers(bytes, &attempt->merit, 1);
  ctl_bytes_numbers(bytes, &attempt->error, 1);
  if (attempt->state != CTL_ATTEMPT_RUNS || bytes->bad) return true;
  if (bytes->from && !ctl_sqp_init(&attempt->trail.sqp, &stage->shared)) return false;
  ctl_trail_serialize(&attempt->trail, bytes);
  return true;
}

bool ctl_stage_serialize(CtlStage *stage, CtlBytes *bytes) {
  size_t n = (size_t)stage->level.problem.n;
  long count = ctl_bytes_integer(bytes, stage->count, 0, ATTEMPTS_MAX);
  stage->own = ctl_bytes_integer(bytes, stage->own, 0, INT32_MAX);
  stage->seeds = (int)ctl_bytes_integer(bytes, stage->seeds, 0, CTL_SEEDS_MAX);
  stage->improved = (int)ctl_bytes_integer(bytes, stage->improved, 0, INT32_MAX);
  stage->restarts = (int)ctl_bytes_integer(bytes, stage->restarts, 0, INT32_MAX);
  stage->free_known = ctl_bytes_integer(bytes, stage->free_known, 0, 1);
  ctl_bytes_numbers(bytes, stage->free, n);
  /* the remaining bytes limit the allocation, so that a damaged count cannot exhaust the memory */
  if (bytes->from && (size_t)count > bytes->left / sizeof(double)) bytes->bad = true;
  if (bytes->from && !bytes->bad) stage->attempts = calloc((size_t)count + 1, sizeof *stage->attempts);
  if (bytes->from && !bytes->bad && !stage->attempts) return false;
  for (long k = 0; k < count && !bytes->bad; k++) {
    CtlAttempt *attempt = &stage->attempts[k];
    if (bytes->from) attempt->best = calloc(2 * n + 1, sizeof *attempt->best);
    if (bytes->from && attempt->best) attempt->from = attempt->best + n;
    if (bytes->from) stage->count = (int)k + 1;
    if (!attempt->best || !serialize_attempt(stage, attempt, bytes)) return false;
  }
  return true;
}

bool ctl_answers_serialize(CtlAnswers *answers, int p, CtlBytes *bytes) {
  size_t n = (size_t)(p * answers->segments);
  answers->count = (int)ctl_bytes_integer(bytes, answers->count, 0, CTL_CARRIED_MAX);
  if (bytes->from) answers->controls = malloc(CTL_CARRIED_MAX * n * sizeof *answers->controls);
  if (!answers->controls) return false;
  for (int k = 0; k < answers->count && !bytes->bad; k++) {
    AutoAnswer *answer = &answers->list[k];
    answer->control = answers->controls + (size_t)k * n;
    answer->rank = ctl_bytes_integer(bytes, answer->rank, 1, INT32_MAX);
    answer->starts = ctl_bytes_integer(bytes, answer->starts, 0, INT32_MAX);
    ctl_bytes_numbers(bytes, answer->control, n);
  }
  return true;
}
