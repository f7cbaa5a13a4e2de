/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/search/internal.h"

#include "control/base/argument.h"
#include "control/outcome/termination.h"
#include "control/outcome/values.h"
#include "control/problem/bounds.h"
#include "sim/operator/sparse.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const CtlWant plain_want = {0};

static bool is_plain(CtlWant want) { return ctl_want_is(want, plain_want); }

/* Whether a point is within the bounds and the limit of effort, so that it may be evaluated. Points with fewer segments
 * are not checked, since the level problem has bounds of its own. The effort of points with another motion is not
 * limited, since they cannot be the result of the search. */
static bool is_inside(const CtlProblem *problem, const double *control, CtlWant want) {
  if (want.segments || ctl_motion_asks(want.motion)) return true;
  if (ctl_bounds_broken(problem, control) >= 0) return false;
  return ctl_want_is_other(want) || !ctl_bounds_too_dear(problem, control);
}

/* Returns the cache entry of a point; creates it if the point is new. Returns CTL_OUTSIDE if the point is out of
 * bounds. */
static long look_up(CtlObjective *objective, const double *control, CtlWant want) {
  bool added = false;
  if (!is_inside(objective->problem, control, want)) return CTL_OUTSIDE;
  objective->inside++;
  if (!is_plain(want)) return ctl_objective_add(objective, control, want);
  long entry = ctl_cache_entry(&objective->cache, control, &added);
  objective->fresh += added;
  return entry;
}

/* Sets up the points of a round. plain: whether to set up the points with outcomes that are cached, or the others.
 * Returns whether the round has any of the others. */
static bool lay_out(CtlSearch *search, bool plain) {
  CtlObjective *objective = &search->objective;
  CtlRun *run = search->run;
  size_t n = (size_t)run->problem->n;
  bool others = false, all_plain = !run->ops->want;
  for (long k = 0; k < objective->points; k += CTL_SEARCH_BLOCK) {
    int count = objective->points - k < CTL_SEARCH_BLOCK ? (int)(objective->points - k) : CTL_SEARCH_BLOCK;
    run->ops->points(run, k, count, search->block);
    for (int i = 0; i < count; i++) {
      CtlWant want = all_plain ? plain_want : ctl_run_want(run, k + i);
      others |= !is_plain(want);
      if (is_plain(want) == plain) objective->entries[k + i] = look_up(objective, search->block + (size_t)i * n, want);
    }
  }
  return others;
}

void ctl_search_plan(CtlSearch *search, long points) {
  CtlObjective *objective = &search->objective;
  assert(points <= objective->room);
  objective->points = points;
  objective->inside = objective->fresh = search->next = search->known = 0;
  search->passed = search->passed_long = 0;
  if (objective->cache.capacity - objective->cache.count < points) ctl_cache_empty(&objective->cache);
  objective->first = objective->cache.count;
  bool others = lay_out(search, true);
  objective->cached = objective->fresh;
  if (others) lay_out(search, false);
  search->unasked = objective->fresh;
}

static CtlReason round_result(const CtlSearch *search) {
  const CtlMethodOps *ops = search->run->ops;
  double relative = ops->size_of ? ops->size_of(search->run) : INFINITY;
  return ctl_termination_result(search->objective.problem, &search->objective.state, relative);
}

/* Whether to restart a search that has ended: if the method has not finished all its parts, or if the best point misses
 * the target and the permitted number of restarts is not used up. */
static bool should_restart(const CtlSearch *search, CtlReason reason) {
  const CtlObjective *objective = &search->objective;
  const CtlMethodOps *ops = search->run->ops;
  if (reason == CTL_RUNNING || reason == CTL_REASON_STOP_AT) return false;
  if (ops->unfinished && ops->unfinished(search->run)) return true;
  bool stalls = isfinite(objective->merit) && !ctl_objective_meets(objective, objective->problem->accept);
  return stalls && objective->state.restarts < objective->problem->restarts;
}

/* Returns the reason why a search has ended. A local method that was ended by a limit has not converged. */
static CtlReason last_reason(const CtlObjective *objective) {
  CtlReason reason = objective->state.reason;
  bool ended = reason == CTL_REASON_TOLERANCE || reason == CTL_REASON_STALL;
  return ended && objective->cut ? CTL_REASON_BUDGET : reason;
}

/* Advances to the next points, or ends the search. */
static void plan_next(CtlSearch *search) {
  CtlRun *run = search->run;
  CtlState *state = &search->objective.state;
  long points = 0;
  state->reason = round_result(search);
  if (state->reason == CTL_RUNNING) {
    points = state->no_memory ? 0 : run->ops->next(run);
    if (!points) state->edge = 0;
    state->reason = round_result(search);
  }
  bool again = !state->no_memory && should_restart(search, state->reason), on = again || state->reason == CTL_RUNNING;
  long ahead = on ? run->ops->ahead(run, again) : 0;
  CtlReason budget = on ? ctl_termination_budget(run->problem, state, state->seconds, ahead) : CTL_RUNNING;
  if (budget != CTL_RUNNING) {
    state->reason = budget;
    return;
  }
  if (again) points = run->ops->restart(run);
  if (on && points) {
    state->reason = CTL_RUNNING;
    ctl_search_plan(search, points);
  } else {
    state->reason = last_reason(&search->objective);
  }
}

static bool end_round(CtlSearch *search, bool round) {
  search->objective.state.rounds += round;
  plan_next(search);
  return round;
}

/* Called when all points of a round have been evaluated. Returns whether the round has ended. It has not ended if the
 * method itself must still compute. */
static bool complete_round(CtlSearch *search) {
  CtlObjective *objective = &search->objective;
  CtlRun *run = search->run;
  bool round = true;
  ctl_objective_score(objective);
  if (run->ops->tell)
    round = run->ops->tell(run);
  else
    ctl_objective_improve(objective);
  ctl_objective_end_round(objective);
  search->works = run->ops->work != NULL;
  if (!search->works) return end_round(search, round);
  objective->points = objective->fresh = objective->cached = search->next = 0;
  return false;
}

static bool is_late(const CtlSearch *search) {
  const CtlProblem *problem = search->objective.problem;
  return problem->max_seconds > 0 && search->objective.state.seconds >= problem->max_seconds;
}

/* Ends the search within a round. Outcomes of the round that are known are used. */
static void cut_round(CtlSearch *search, CtlReason reason) {
  CtlObjective *objective = &search->objective;
  ctl_objective_score(objective);
  void (*improve)(CtlObjective *) = search->run->ops->improve;
  (improve ? improve : ctl_objective_improve)(objective);
  ctl_cache_drop(&objective->cache, objective->fresh);
  search->next = search->unasked = 0;
  objective->state.rounds++;
  objective->state.reason = reason;
}

static bool is_known(const CtlObjective *objective, long place) {
  return objective->cache.records[objective->first + place].known;
}

/* Checks the outcomes in the order of tickets, without gaps. Returns whether too many of them exceeded their work
 * limit. Later outcomes are then ignored, since which of them have arrived depends on timing. */
static bool pass_too_many(CtlSearch *search) {
  CtlObjective *objective = &search->objective;
  const CtlState *state = &objective->state;
  CtlRecord *records = objective->cache.records + objective->first;
  bool over = false;
  while (!over && search->passed < objective->fresh && is_known(objective, search->passed)) {
    search->passed_long += records[search->passed++].status == SIM_TOO_LONG;
    over = ctl_termination_too_long(state->ivps + search->passed, state->too_long + search->passed_long);
  }
  for (long place = search->passed; over && place < objective->fresh; place++) records[place].known = false;
  return over;
}

bool ctl_search_works(const CtlSearch *search) { return search && search->works; }

bool ctl_search_work(CtlSearch *search, double seconds) {
  if (!ctl_search_works(search)) return false;
  CtlState *state = &search->objective.state;
  state->seconds = fmax(state->seconds, search->seconds_before + seconds);
  if (!is_late(search) && search->run->ops->work(search->run)) return false;
  search->works = false;
  return end_round(search, true);
}

bool stiction_asktell_advance(CtlSearch *search) {
  while (search && search->objective.state.reason == CTL_RUNNING && search->objective.fresh == 0 && !search->works)
    if (complete_round(search)) return true;
  return false;
}

/* Begins the run at the problem's start. Returns false when out of memory. */
static bool begin_search(CtlSearch *search, const CtlMethod *method) {
  CtlObjective *objective = &search->objective;
  const CtlProblem *problem = objective->problem;
  search->run = ctl_run_create(method, problem, objective);
  if (!search->run || !ctl_method_equip(method, problem, objective)) return false;
  ctl_objective_begin(objective, method->constrained);
  /* there is at least one point, the start, so 0 means that memory is lacking */
  long points = search->run->ops->start(search->run, NULL, 0) ? search->run->ops->next(search->run) : 0;
  if (points) ctl_search_plan(search, points);
  return points > 0;
}

CtlStatus stiction_asktell_create(const CtlProblem *problem, CtlSearch **result) {
  CONTROL_ARGUMENT(result != NULL, "search", "is NULL");
  *result = NULL;
  CONTROL_ARGUMENT_PROBLEM(problem);
  CtlStatus status = stiction_control_check(problem, NULL);
  if (status != CTL_OK) return status;
  const CtlMethod *method = ctl_method(ctl_problem_method(problem));
  CONTROL_ARGUMENT(!method->petsc || problem->derivatives || sparse_petsc_ready(), "problem->method",
                   "needs PETSc, which has not been started");
  CtlSearch *search = calloc(1, sizeof *search);
  if (!search) return CTL_NO_MEMORY;
  search->block = malloc(CTL_SEARCH_BLOCK * (size_t)problem->n * sizeof *search->block);
  if (!ctl_objective_init(&search->objective, problem) || !search->block || !begin_search(search, method)) {
    stiction_asktell_destroy(search);
    return CTL_NO_MEMORY;
  }
  *result = search;
  return CTL_OK;
}

const CtlProblem *ctl_search_problem(const CtlSearch *search) { return search ? search->objective.problem : NULL; }

void stiction_asktell_destroy(CtlSearch *search) {
  if (!search) return;
  ctl_run_destroy(search->run);
  ctl_objective_clear(&search->objective);
  free(search->block);
  free(search);
}

/* Returns what must be evaluated at a fresh point, one that is not in the cache. place: index among the fresh
 * points. */
static CtlWant want_at(const CtlObjective *objective, long place) {
  return place >= objective->cached ? objective->wants[place - objective->cached] : plain_want;
}

long ctl_search_unasked(const CtlSearch *search, CtlWant *want) {
  if (!search) return 0;
  long place = search->next;
  if (!want || !search->unasked) return search->unasked;
  while (is_known(&search->objective, place)) place++;
  *want = want_at(&search->objective, place);
  return search->unasked;
}

int stiction_asktell_ask(CtlSearch *search, int max, long *tickets, double *controls, CtlWant *want) {
  if (!search || !tickets || !controls) return 0;
  const CtlObjective *objective = &search->objective;
  size_t n = (size_t)objective->problem->n;
  CtlWant next = {0};
  int count = 0;
  ctl_search_unasked(search, &next);
  if (want) *want = next;
  for (; count < max && search->unasked; search->next++) {
    long entry = objective->first + search->next;
    if (is_known(objective, search->next)) continue;
    if (!ctl_want_is(want_at(objective, search->next), next)) break;
    tickets[count] = objective->state.ivps + search->next;
    memcpy(controls + (size_t)count * n, ctl_cache_control(&objective->cache, entry), n * sizeof *controls);
    count++;
    search->unasked--;
  }
  return count;
}

bool stiction_asktell_wants(const CtlSearch *search, long ticket) {
  if (!search) return false;
  const CtlObjective *objective = &search->objective;
  long place = ticket - objective->state.ivps;
  return place >= 0 && place < search->next && !is_known(objective, place);
}

/* Stores the derivatives of a fresh point, one that is not in the cache. place: index among the fresh points. Returns
 * whether the derivatives exist and are finite. */
static bool take_rows(CtlObjective *objective, long place, const double *rows) {
  size_t count = ctl_objective_row_numbers(objective->problem, want_at(objective, place));
  bool finite = rows != NULL;
  for (size_t i = 0; i < count && finite; i++) finite = isfinite(rows[i]);
  if (finite) ctl_objective_keep_rows(objective, objective->first + place, rows);
  return finite;
}

bool stiction_asktell_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, double seconds) {
  if (!outcome || !stiction_asktell_wants(search, ticket)) return false;
  CtlObjective *objective = &search->objective;
  long place = ticket - objective->state.ivps, entry = objective->first + place;
  CtlOutcome stored = *outcome;
  if (stored.status == SIM_OK && (!stored.x || (!stored.v && !objective->problem->roles)))
    stored.status = SIM_BAD_ARGUMENT;
  if (want_at(objective, place).derivatives && stored.status == SIM_OK && !take_rows(objective, place, stored.rows))
    stored.status = SIM_NON_FINITE;
  double J = ctl_outcome_cost(objective->problem, ctl_cache_control(&objective->cache, entry), &stored);
  if (objective->problem->roles) stored.v = NULL; /* user-defined values have no v */
  ctl_cache_store(&objective->cache, entry, J, &stored);
  objective->state.seconds = fmax(objective->state.seconds, search->seconds_before + seconds);
  search->known++;
  if (pass_too_many(search)) {
    cut_round(search, CTL_REASON_TOO_LONG);
    return true;
  }
  if (search->known < objective->fresh) {
    bool late = is_late(search);
    if (late) cut_round(search, CTL_REASON_BUDGET);
    return late;
  }
  return complete_round(search) || stiction_asktell_advance(search);
}

void stiction_asktell_state(const CtlSearch *search, CtlState *state) {
  if (!search || !state) return;
  const CtlObjective *objective = &search->objective;
  const CtlCandidate *answer = ctl_objective_answer(objective);
  *state = objective->state;
  state->evaluations -= state->questions;
  state->ivps -= state->questions;
  state->scheme_size = objective->room;
  memcpy(state->rho, objective->penalty.rho, sizeof state->rho);
  state->control = answer->control;
  state->x = answer->x;
  state->v = answer->v;
}
