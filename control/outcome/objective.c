/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/outcome/objective.h"

#include "control/motion.h"
#include "control/outcome/values.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static bool candidate_init(CtlCandidate *candidate, const CtlProblem *problem) {
  candidate->control = calloc((size_t)problem->n + 2 * (size_t)problem->d, sizeof(double));
  if (!candidate->control) return false;
  candidate->x = candidate->control + problem->n;
  candidate->v = candidate->x + problem->d;
  return true;
}

bool ctl_objective_init(CtlObjective *objective, const CtlProblem *problem) {
  *objective = (CtlObjective){.problem = problem};
  return candidate_init(&objective->best, problem) && candidate_init(&objective->kept, problem);
}

void ctl_objective_clear(CtlObjective *objective) {
  ctl_cache_clear(&objective->cache);
  free(objective->best.control);
  free(objective->kept.control);
  free(objective->entries);
  free(objective->merits);
  free(objective->wants);
  free(objective->rows);
  *objective = (CtlObjective){0};
}

bool ctl_objective_resize(CtlObjective *objective, long points) {
  if (objective->room == points) return true;
  long *entries = malloc((size_t)points * sizeof *entries);
  double *merits = malloc((size_t)points * sizeof *merits);
  CtlWant *wants = malloc((size_t)points * sizeof *wants);
  if (!entries || !merits || !wants) {
    free(entries);
    free(merits);
    free(wants);
    return false;
  }
  free(objective->entries);
  free(objective->merits);
  free(objective->wants);
  objective->entries = entries;
  objective->merits = merits;
  objective->wants = wants;
  objective->room = points;
  return true;
}

size_t ctl_objective_row_numbers(const CtlProblem *problem, CtlWant want) {
  return (size_t)ctl_row_count(problem) * ctl_row_size(want.segments ? problem->p * want.segments : problem->n);
}

/* Returns the derivatives of a point that is not in the cache, since it belongs to the current round alone. place:
 * index among the points of the round that are not in the cache. */
static double *rows_at(const CtlObjective *objective, long place) {
  return objective->rows + (size_t)place * ctl_objective_row_numbers(objective->problem, (CtlWant){0});
}

bool ctl_objective_reserve_rows(CtlObjective *objective, long points) {
  if (objective->rows_room >= points) return true;
  double *rows = malloc((size_t)points * ctl_objective_row_numbers(objective->problem, (CtlWant){0}) * sizeof *rows);
  if (!rows) return false;
  free(objective->rows);
  objective->rows = rows;
  objective->rows_room = points;
  return true;
}

/* Returns the index of point k among the points that belong to the current round alone; a negative number if the point
 * is in the cache. */
static long own_place(const CtlObjective *objective, long k) {
  return objective->entries[k] - objective->first - objective->cached;
}

CtlWant ctl_objective_want(const CtlObjective *objective, long k) {
  long place = own_place(objective, k);
  return place >= 0 ? objective->wants[place] : (CtlWant){0};
}

const double *ctl_objective_rows(const CtlObjective *objective, long k) {
  bool known =
      ctl_objective_want(objective, k).derivatives && objective->cache.records[objective->entries[k]].status == SIM_OK;
  return known ? rows_at(objective, own_place(objective, k)) : NULL;
}

void ctl_objective_keep_rows(CtlObjective *objective, long entry, const double *rows) {
  long place = entry - objective->first - objective->cached;
  size_t count = ctl_objective_row_numbers(objective->problem, objective->wants[place]);
  memcpy(rows_at(objective, place), rows, count * sizeof *rows);
}

long ctl_objective_add(CtlObjective *objective, const double *control, CtlWant want) {
  long place = objective->fresh++ - objective->cached;
  assert(!want.derivatives || place < objective->rows_room);
  objective->wants[place] = want;
  return ctl_cache_append(&objective->cache, control);
}

void ctl_objective_end_round(CtlObjective *objective) {
  ctl_cache_drop(&objective->cache, objective->fresh - objective->cached);
}

void ctl_objective_begin(CtlObjective *objective, bool constrained) {
  const CtlProblem *problem = objective->problem;
  CtlCandidate *best = &objective->best;
  memcpy(best->control, problem->start, (size_t)problem->n * sizeof *best->control);
  for (int i = 0; i < 2 * problem->d; i++) best->x[i] = NAN; /* v follows x in memory, so this also sets v */
  best->J = ctl_outcome_cost(problem, problem->start, &(CtlOutcome){.status = SIM_NOT_FINISHED});
  objective->begun = false;
  ctl_penalty_start(&objective->penalty, problem);
  /* with a smaller rho a point that misses the target could have a lower penalty function */
  for (int i = 0; i < 3 && constrained; i++) objective->penalty.rho[i] = fmax(objective->penalty.rho[i], CTL_RHO_MAX);
  ctl_objective_centre(objective);
}

void ctl_objective_keep(CtlObjective *objective) {
  CtlCandidate best = objective->best;
  objective->best = objective->kept;
  objective->kept = best;
  objective->keeps = true;
}

static double merit_of(const CtlObjective *objective, double J, const double *x, const double *v) {
  double value = ctl_penalty_merit(&objective->penalty, objective->problem, J, x, v);
  return isfinite(value) ? value : INFINITY;
}

static double candidate_merit(const CtlObjective *objective, const CtlCandidate *candidate) {
  return merit_of(objective, candidate->J, candidate->x, candidate->v);
}

double ctl_objective_merit(const CtlObjective *objective, long entry) {
  const CtlCache *cache = &objective->cache;
  if (cache->records[entry].status != SIM_OK) return INFINITY;
  return merit_of(objective, ctl_cache_J(cache, entry), ctl_cache_x(cache, entry), ctl_cache_v(cache, entry));
}

/* Adds the simulation of point k to the counts if it is complete and has not been counted before. */
static void count_first(CtlObjective *objective, long k) {
  CtlState *state = &objective->state;
  const CtlRecord *record = &objective->cache.records[objective->entries[k]];
  bool no_memory = record->status == SIM_NO_MEMORY, too_long = record->status == SIM_TOO_LONG;
  bool out_of_range = record->status == SIM_OUT_OF_RANGE;
  if (ctl_motion_asks(ctl_objective_want(objective, k).motion)) {
    state->no_memory |= no_memory;
    state->timed_out += record->status == SIM_NOT_FINISHED;
    state->questions++;
    state->patterns += record->iterations;
    return;
  }
  state->iterations += record->iterations;
  state->no_memory |= no_memory;
  state->too_long += too_long;
  state->out_of_range += out_of_range;
  state->non_finite += !no_memory && !too_long && !out_of_range && isinf(objective->merits[k]);
  state->timed_out += record->status == SIM_NOT_FINISHED;
}

void ctl_objective_score(CtlObjective *objective) {
  CtlState *state = &objective->state;
  const CtlRecord *records = objective->cache.records;
  /* for the first merits, the centre of the penalty is the start, which is the first point */
  if (!objective->begun && objective->entries[0] != CTL_OUTSIDE && records[objective->entries[0]].known &&
      !ctl_want_is_other(ctl_objective_want(objective, 0))) {
    objective->begun = true;
    ctl_objective_set_incumbent(objective, objective->entries[0]);
    ctl_objective_centre(objective);
  }
  objective->improved = false;
  state->evaluations += objective->inside;
  state->ivps += objective->fresh;
  long fresh = objective->first; /* index of the next entry that has not been counted */
  for (long k = 0; k < objective->points; k++) {
    long entry = objective->entries[k];
    bool own = own_place(objective, k) >= 0; /* whether the cache entry belongs to this point only */
    bool first = own || entry == fresh, known = entry == CTL_OUTSIDE || records[entry].known;
    objective->merits[k] = entry == CTL_OUTSIDE || !known ? INFINITY : ctl_objective_merit(objective, entry);
    fresh += first && !own;
    state->evaluations -= !known;
    state->ivps -= first && !known;
    if (first && known) count_first(objective, k);
  }
  state->cache_hits = state->evaluations - state->ivps;
}

void ctl_objective_set_incumbent(CtlObjective *objective, long entry) {
  const CtlCache *cache = &objective->cache;
  CtlCandidate *best = &objective->best;
  int n = objective->problem->n, d = objective->problem->d;
  bool good = cache->records[entry].status == SIM_OK;
  memcpy(best->control, ctl_cache_control(cache, entry), (size_t)n * sizeof(double));
  for (int i = 0; i < d; i++) {
    best->x[i] = good ? ctl_cache_x(cache, entry)[i] : NAN;
    best->v[i] = good ? ctl_cache_v(cache, entry)[i] : NAN;
  }
  best->J = ctl_cache_J(cache, entry);
  objective->improved = true;
}

static bool candidate_meets(const CtlProblem *p, const CtlCandidate *candidate, double error) {
  double errors[2];
  ctl_errors(p, candidate->x, candidate->v, errors);
  return errors[0] <= error && errors[1] <= error;
}

bool ctl_objective_meets(const CtlObjective *objective, double error) {
  return isfinite(objective->merit) && candidate_meets(objective->problem, &objective->best, error);
}

double ctl_objective_wanted(const CtlProblem *p) {
  return !p->roles && p->stop_at > 0 ? fmin(p->stop_at, p->accept) : p->accept;
}

/* Whether the stored best point of an earlier part of the search (CtlObjective.kept) is better than the incumbent, the
 * best point of this part. If the stored point meets the target, an incumbent that misses the target is never better.
 * The penalty function alone may prefer such an incumbent, since it is not exact. */
static bool is_kept_better(const CtlObjective *objective) {
  const CtlProblem *p = objective->problem;
  if (!objective->keeps || candidate_merit(objective, &objective->kept) >= objective->merit) return false;
  const double errors[] = {p->accept, ctl_objective_wanted(p)};
  for (int i = 0; i < 2; i++)
    if (candidate_meets(p, &objective->best, errors[i]) && !candidate_meets(p, &objective->kept, errors[i]))
      return false;
  return true;
}

/* Returns the merit of a point for a penalty with the centre (penalty.h) at this point. */
static double own_merit(const CtlObjective *objective, const CtlCandidate *candidate) {
  const CtlProblem *problem = objective->problem;
  CtlPenalty penalty = objective->penalty;
  ctl_penalty_centre(&penalty, problem, candidate->J, candidate->x, candidate->v);
  return ctl_penalty_merit(&penalty, problem, candidate->J, candidate->x, candidate->v);
}

const CtlCandidate *ctl_objective_answer(const CtlObjective *objective) {
  return objective->kept_better ? &objective->kept : &objective->best;
}

void ctl_objective_centre(CtlObjective *objective) {
  const CtlProblem *problem = objective->problem;
  const CtlCandidate *best = &objective->best;
  CtlState *state = &objective->state;
  ctl_penalty_centre(&objective->penalty, problem, best->J, best->x, best->v);
  objective->merit = candidate_merit(objective, best);
  objective->kept_better = is_kept_better(objective);
  const CtlCandidate *answer = ctl_objective_answer(objective);
  state->best = objective->kept_better ? own_merit(objective, answer) : objective->merit;
  state->J = answer->J;
  double errors[2];
  ctl_errors(problem, answer->x, answer->v, errors);
  state->E1 = errors[0];
  state->E2 = errors[1];
}

void ctl_objective_improve(CtlObjective *objective) {
  long winner = -1;
  double least = objective->merit;
  for (long k = 0; k < objective->points; k++)
    if (objective->merits[k] < least && !ctl_want_is_other(ctl_objective_want(objective, k))) {
      least = objective->merits[k];
      winner = k;
    }
  if (winner < 0) return;
  ctl_objective_set_incumbent(objective, objective->entries[winner]);
  ctl_objective_centre(objective);
}
