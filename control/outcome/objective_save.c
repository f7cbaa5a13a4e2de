#include "control/outcome/objective.h"

#include <math.h>

void ctl_penalty_save(const CtlPenalty *penalty, CtlWriter *writer) {
  ctl_put_numbers(writer, penalty->rho, 3);
  ctl_put_integer(writer, penalty->norm);
  ctl_put_numbers(writer, &penalty->centre_J, 1);
  ctl_put_numbers(writer, &penalty->centre_G, 1);
}

void ctl_penalty_load(CtlPenalty *penalty, CtlReader *reader) {
  ctl_get_numbers(reader, penalty->rho, 3);
  penalty->norm = (CtlNorm)ctl_get_integer(reader, CTL_NORM_1, CTL_NORM_INF);
  ctl_get_numbers(reader, &penalty->centre_J, 1);
  ctl_get_numbers(reader, &penalty->centre_G, 1);
}

/* x and v lie behind u. */
static size_t block(const CtlProblem *problem) { return (size_t)problem->n + 2 * (size_t)problem->d; }

static void put_candidate(CtlWriter *writer, const CtlProblem *problem, const CtlCandidate *candidate) {
  ctl_put_numbers(writer, candidate->u, block(problem));
  ctl_put_numbers(writer, &candidate->J, 1);
}

static void get_candidate(CtlReader *reader, const CtlProblem *problem, CtlCandidate *candidate) {
  ctl_get_numbers(reader, candidate->u, block(problem));
  ctl_get_numbers(reader, &candidate->J, 1);
}

/* What tells of the answer follows from it. */
static void put_state(CtlWriter *writer, const CtlState *state) {
  const long counts[] = {state->simplexes, state->evaluations, state->ivps,       state->non_finite,
                         state->timed_out, state->restarts,    state->iterations, state->method_errors};
  ctl_put_integer(writer, state->reason);
  ctl_put_integer(writer, state->no_memory);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) ctl_put_integer(writer, counts[i]);
  ctl_put_numbers(writer, &state->seconds, 1);
  ctl_put_numbers(writer, &state->edge, 1);
}

static void get_state(CtlReader *reader, const CtlProblem *problem, CtlState *state) {
  state->reason = (CtlReason)ctl_get_integer(reader, CTL_RUNNING, CTL_REASON_FAILED);
  state->no_memory = ctl_get_integer(reader, 0, 1);
  state->simplexes = ctl_get_integer(reader, 0, CTL_COUNT_MAX);
  state->evaluations = ctl_get_integer(reader, 0, CTL_COUNT_MAX);
  state->ivps = ctl_get_integer(reader, 0, state->evaluations);
  state->cache_hits = state->evaluations - state->ivps;
  state->non_finite = ctl_get_integer(reader, 0, state->ivps);
  state->timed_out = ctl_get_integer(reader, 0, state->non_finite);
  state->restarts = ctl_get_integer(reader, 0, problem->restarts);
  state->iterations = ctl_get_integer(reader, 0, CTL_COUNT_MAX);
  state->method_errors = ctl_get_integer(reader, 0, CTL_COUNT_MAX);
  ctl_get_numbers(reader, &state->seconds, 1);
  ctl_get_numbers(reader, &state->edge, 1);
  if (!(state->seconds >= 0 && isfinite(state->seconds))) reader->bad = true;
}

void ctl_objective_save(const CtlObjective *objective, CtlWriter *writer) {
  ctl_penalty_save(&objective->penalty, writer);
  put_candidate(writer, objective->problem, &objective->best);
  ctl_put_integer(writer, objective->keeps);
  if (objective->keeps) put_candidate(writer, objective->problem, &objective->kept);
  ctl_put_integer(writer, objective->begun);
  put_state(writer, &objective->state);
}

void ctl_objective_load(CtlObjective *objective, CtlReader *reader) {
  ctl_penalty_load(&objective->penalty, reader);
  get_candidate(reader, objective->problem, &objective->best);
  objective->keeps = ctl_get_integer(reader, objective->keeps, objective->keeps); /* as its method has said */
  if (objective->keeps) get_candidate(reader, objective->problem, &objective->kept);
  objective->begun = ctl_get_integer(reader, 0, 1);
  get_state(reader, objective->problem, &objective->state);
  ctl_objective_centre(objective);
}
