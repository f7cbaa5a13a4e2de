/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/outcome/objective.h"

#include <limits.h>
#include <math.h>

void ctl_penalty_serialize(CtlPenalty *penalty, CtlBytes *bytes) {
  ctl_bytes_numbers(bytes, penalty->rho, 3);
  penalty->norm = (CtlNorm)ctl_bytes_integer(bytes, penalty->norm, CTL_NORM_1, CTL_NORM_INF);
  ctl_bytes_numbers(bytes, &penalty->centre_J, 1);
  ctl_bytes_numbers(bytes, &penalty->centre_G, 1);
}

/* x and v follow the control in memory, so one call writes all three */
static void serialize_candidate(CtlCandidate *candidate, const CtlProblem *problem, CtlBytes *bytes) {
  ctl_bytes_numbers(bytes, candidate->control, (size_t)problem->n + 2 * (size_t)problem->d);
  ctl_bytes_numbers(bytes, &candidate->J, 1);
}

/* Writes or reads the counters. Fields about the best point are recomputed from it and not saved. */
static void serialize_state(CtlState *state, const CtlProblem *problem, CtlBytes *bytes) {
  state->reason = (CtlReason)ctl_bytes_integer(bytes, state->reason, CTL_RUNNING, CTL_REASON_TOO_LONG);
  state->no_memory = ctl_bytes_integer(bytes, state->no_memory, 0, 1);
  state->rounds = ctl_bytes_integer(bytes, state->rounds, 0, CTL_COUNT_MAX);
  state->evaluations = ctl_bytes_integer(bytes, state->evaluations, 0, CTL_COUNT_MAX);
  state->ivps = ctl_bytes_integer(bytes, state->ivps, 0, state->evaluations);
  state->cache_hits = state->evaluations - state->ivps;
  state->questions = ctl_bytes_integer(bytes, state->questions, 0, state->ivps);
  state->patterns = ctl_bytes_integer(bytes, state->patterns, 0, LONG_MAX);
  state->non_finite = ctl_bytes_integer(bytes, state->non_finite, 0, state->ivps);
  state->timed_out = ctl_bytes_integer(bytes, state->timed_out, 0, state->non_finite);
  state->too_long = ctl_bytes_integer(bytes, state->too_long, 0, state->ivps);
  state->out_of_range = ctl_bytes_integer(bytes, state->out_of_range, 0, state->ivps);
  state->restarts = ctl_bytes_integer(bytes, state->restarts, 0, problem->restarts);
  state->starts = ctl_bytes_integer(bytes, state->starts, 0, CTL_COUNT_MAX);
  state->reached = ctl_bytes_integer(bytes, state->reached, 0, CTL_COUNT_MAX);
  state->iterations = ctl_bytes_integer(bytes, state->iterations, 0, CTL_COUNT_MAX);
  state->method_errors = ctl_bytes_integer(bytes, state->method_errors, 0, CTL_COUNT_MAX);
  ctl_bytes_numbers(bytes, &state->seconds, 1);
  ctl_bytes_numbers(bytes, &state->edge, 1);
  if (bytes->from && !(state->seconds >= 0 && isfinite(state->seconds))) bytes->bad = true;
}

void ctl_objective_serialize(CtlObjective *objective, CtlBytes *bytes) {
  ctl_penalty_serialize(&objective->penalty, bytes);
  serialize_candidate(&objective->best, objective->problem, bytes);
  /* the method has already set `keeps`; if the saved value differs, reading sets `bad` */
  ctl_bytes_integer(bytes, objective->keeps, objective->keeps, objective->keeps);
  if (objective->keeps) serialize_candidate(&objective->kept, objective->problem, bytes);
  objective->begun = ctl_bytes_integer(bytes, objective->begun, 0, 1);
  objective->hung = ctl_bytes_integer(bytes, objective->hung, 0, 1);
  serialize_state(&objective->state, objective->problem, bytes);
  if (bytes->from) ctl_objective_centre(objective);
}
