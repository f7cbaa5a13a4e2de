/* SPDX-License-Identifier: BSD-2-Clause */
/* The method `auto`: SQP from many initial points (starts), with few segments first. It runs one stage for each divisor
 * of S, in ascending order. The runs of a stage, one from each start, proceed at the same time. Finer stages also begin
 * at the best results of coarser ones, since a coarser signal is also a finer one. Together with the first trial points
 * of a stage, the best result so far is evaluated with S segments (the check point), so that the search knows its
 * merit. */
#include "control/auto/stage.h"
#include "control/sqp/improve.h"

#include <math.h>
#include <stdlib.h>

typedef struct AutoRun {
  CtlRun run;
  int levels, segments[CTL_LEVELS_MAX]; /* number of stages; number of segments in each stage */
  int at;                               /* index of the current stage */
  CtlStage stage;
  CtlAnswers answers[CTL_LEVELS_MAX]; /* results that the earlier stages pass on; empty for stages that were skipped */
  double *given, *check;       /* given: [n] start given by the user. check: [n] check point, the best result so far as
                                * a control with S segments. Both are owned, in one allocation */
  bool checks;                 /* whether the current round contains the check point */
  long before;                 /* number of starts in all earlier stages together */
  bool seeded[CTL_LEVELS_MAX]; /* whether a pattern query of each stage has found a pattern of stick and slip */
} AutoRun;

static AutoRun *of(CtlRun *run) { return (AutoRun *)run; }

static bool is_last(const AutoRun *r) { return r->at == r->levels - 1; }

static void end(CtlRun *run) {
  AutoRun *r = of(run);
  ctl_stage_clear(&r->stage);
  for (int k = 0; k < r->levels; k++) ctl_answers_clear(&r->answers[k]);
  free(r->given);
  r->given = NULL;
  r->levels = r->at = 0;
}

static long starts_of(const AutoRun *r, bool again) {
  return ctl_stage_starts(&r->stage.level.problem, !ctl_level_has_coarser(r->run.problem), again);
}

/* Begins those runs of the stage that no longer wait for other runs, and enlarges the arrays for their trial points.
 * Returns false when out of memory. */
static bool begin_runs(AutoRun *r) {
  CtlObjective *objective = r->run.objective;
  long room = r->stage.count + r->checks;
  return ctl_stage_begin(&r->stage) &&
         ctl_objective_resize(objective, room > objective->room ? room : objective->room) &&
         ctl_objective_reserve_rows(objective, room);
}

/* Whether the current stage begins at the results of the earlier stage `before`. It does if its number of segments is a
 * prime multiple of that of the earlier stage, or if all stages between the two were skipped. */
static bool stage_follows(const AutoRun *r, int before) {
  int times = r->segments[r->at] / r->segments[before];
  if (!r->answers[before].controls || r->segments[r->at] % r->segments[before] != 0) return false;
  for (int k = before + 1; k < r->at; k++)
    if (r->answers[k].controls && r->segments[r->at] % r->segments[k] == 0 && r->segments[k] % r->segments[before] == 0)
      return false;
  return times > 1;
}

/* Whether this stage uses pattern queries: if it has few segments, or if no coarser stage has found a pattern of stick
 * and slip. */
static bool has_seeds(const AutoRun *r) {
  const CtlProblem *level = &r->stage.level.problem;
  if (!level->patterns) return false;
  for (int k = 0; k < r->at && !ctl_stage_is_coarse(level); k++)
    if (level->segments % r->segments[k] == 0 && r->seeded[k]) return false;
  return true;
}

/* Whether the user has given a pattern of stick and slip (start_ways) at which to begin. */
static bool has_ways(const AutoRun *r) { return r->stage.level.problem.patterns && r->stage.level.problem.start_ways; }

/* Begins stage number `at`. Returns false when out of memory. */
static bool begin_stage(AutoRun *r, int at) {
  const CtlAnswers *from[CTL_LEVELS_MAX];
  int count = 0;
  r->at = at;
  for (int k = 0; k < at; k++)
    if (stage_follows(r, k)) from[count++] = &r->answers[k];
  return ctl_stage_init(&r->stage, r->run.problem, r->segments[at], r->given) &&
         ctl_stage_list(&r->stage, starts_of(r, false), count, from) &&
         (!has_seeds(r) || ctl_stage_list_seeds(&r->stage)) && (!has_ways(r) || ctl_stage_list_ways(&r->stage)) &&
         begin_runs(r);
}

static bool start(CtlRun *run, const double *control, double step) {
  AutoRun *r = of(run);
  const CtlProblem *p = run->problem;
  size_t n = (size_t)p->n, size = n * sizeof(double);
  (void)step;
  end(run);
  r->levels = ctl_levels(p, r->segments);
  r->given = malloc(2 * size);
  if (!r->given) return false;
  r->check = r->given + n;
  memcpy(r->given, control ? control : p->start, size);
  memcpy(r->check, r->given, size);
  r->checks = r->levels > 1; /* if there is only one stage, the check point would equal the first trial of the first
                              * run */
  r->before = 0;
  run->objective->state.edge = p->step;
  return begin_stage(r, 0);
}

/* Points of a round: the check point, if there is one, then the trial points of the active runs -------------------- */

static long next(CtlRun *run) { return of(run)->checks + ctl_stage_active(&of(run)->stage); }

/* Returns the run with point k as its trial; NULL if point k is the check point. */
static CtlAttempt *attempt_of(const AutoRun *r, long k) {
  CtlAttempt *attempt = r->stage.attempts;
  k -= r->checks;
  if (k < 0) return NULL;
  for (;; attempt++)
    if (attempt->state == CTL_ATTEMPT_RUNS && k-- == 0) return attempt;
}

static void points(CtlRun *run, long first, int count, double *controls) {
  const AutoRun *r = of(run);
  size_t n = (size_t)run->problem->n, own = (size_t)r->stage.level.problem.n;
  for (int i = 0; i < count; i++, controls += n) {
    const CtlAttempt *attempt = attempt_of(r, first + i);
    memcpy(controls, attempt ? attempt->trail.sqp.trial : r->check, (attempt ? own : n) * sizeof *controls);
    if (attempt) memset(controls + own, 0, (n - own) * sizeof *controls);
  }
}

static CtlWant want(const CtlRun *run, long k) {
  const AutoRun *r = (const AutoRun *)run;
  const CtlAttempt *attempt = attempt_of(r, k);
  return attempt ? ctl_level_want(&r->stage.level, run->problem, (int)attempt->trail.motion) : (CtlWant){0};
}

/* Passes the result of evaluating point k of the round to the run that proposed the point. */
static void tell_attempt(AutoRun *r, CtlAttempt *attempt, long k) {
  const CtlObjective *objective = r->run.objective;
  const double *rows = ctl_objective_rows(objective, k);
  long entry = objective->entries[k];
  const double *x = rows ? ctl_cache_x(&objective->cache, entry) : NULL;
  ctl_stage_tell(&r->stage, attempt, x, rows ? ctl_cache_v(&objective->cache, entry) : NULL, rows);
}

/* Returns the largest trust-region radius of the active runs, but at most the initial radius. */
static double step_of(const AutoRun *r) {
  double step = 0;
  for (int k = 0; k < r->stage.count; k++) {
    const CtlAttempt *attempt = &r->stage.attempts[k];
    if (attempt->state == CTL_ATTEMPT_RUNS) step = fmax(step, fmin(attempt->trail.sqp.radius, r->run.problem->step));
  }
  return step;
}

/* Counts the starts so far, and those starts that led to the best result of the stage. */
static void count_starts(AutoRun *r) {
  CtlState *state = &r->run.objective->state;
  int best = ctl_stage_best(&r->stage);
  state->starts = r->before + ctl_stage_started(&r->stage);
  state->reached = best < 0 ? 0 : ctl_stage_reached(&r->stage, best);
}

/* Ending a stage and beginning the next one ------------------------------------------------------------------------ */

/* Whether half of the search's budget has been used. The other half is reserved for the last stage, with S segments. */
static bool is_half_used(const AutoRun *r) {
  const CtlProblem *p = r->run.problem;
  const CtlState *state = &r->run.objective->state;
  return (p->max_evaluations > 0 && state->evaluations > p->max_evaluations / 2) ||
         (p->max_seconds > 0 && state->seconds > p->max_seconds / 2);
}

/* Adds starts to the stage after all its runs missed the target. This may happen as many times as the problem allows
 * restarts. Returns false when out of memory. */
static bool list_more(AutoRun *r) {
  r->stage.restarts++;
  return ctl_stage_list(&r->stage, starts_of(r, true), 0, NULL) && begin_runs(r);
}

/* Called when all runs have ended: adds runs that begin at the patterns of stick and slip of the best results. Returns
 * false when out of memory. */
static bool improve_stage(AutoRun *r) {
  bool any;
  return ctl_stage_improve(&r->stage, &any) && (!any || begin_runs(r));
}

/* Ends the stage: adds more starts to it, or begins the next stage. Returns false when out of memory. */
static bool end_stage(AutoRun *r) {
  const CtlProblem *p = r->run.problem, *level = &r->stage.level.problem;
  bool half = is_half_used(r);
  int best = ctl_stage_best(&r->stage);
  bool again = !ctl_stage_meets(&r->stage) && r->stage.restarts < p->restarts && !half;
  if (again && starts_of(r, true)) return list_more(r);
  r->before += ctl_stage_started(&r->stage);
  r->seeded[r->at] = ctl_stage_has_seeds(&r->stage);
  int to = half ? r->levels - 1 : r->at + 1;
  /* the check point is evaluated only before the last stage; in the last stage it would equal the first trial of a
   * run */
  r->checks = best >= 0 && to < r->levels - 1;
  if (r->checks)
    sim_signal_refine(p->signal, p->p, level->segments, p->segments / level->segments, r->stage.attempts[best].best,
                      r->check);
  bool good = ctl_stage_answers(&r->stage, &r->answers[r->at]);
  ctl_stage_clear(&r->stage);
  return good && begin_stage(r, to);
}

static bool tell(CtlRun *run) {
  AutoRun *r = of(run);
  CtlObjective *objective = run->objective;
  int checks = r->checks;
  CtlAttempt *attempt = r->stage.attempts;
  for (long k = checks; k < objective->points; k++, attempt++) {
    while (attempt->state != CTL_ATTEMPT_RUNS) attempt++;
    tell_attempt(r, attempt, k);
  }
  ctl_sqp_improve(objective);
  ctl_stage_judge(&r->stage);
  r->checks = false;
  bool good = begin_runs(r);
  count_starts(r);
  if (good && ctl_stage_active(&r->stage) == 0) good = improve_stage(r);
  while (good && ctl_stage_active(&r->stage) == 0 && !is_last(r)) good = end_stage(r);
  if (!good) objective->state.no_memory = true;
  objective->state.edge = fmax(step_of(r), run->problem->tolerance);
  return true;
}

/* Restarts the last stage from additional starts. */
static long restart(CtlRun *run) {
  AutoRun *r = of(run);
  run->objective->state.restarts++;
  run->objective->state.edge = run->problem->step;
  return list_more(r) ? ctl_stage_active(&r->stage) : 0;
}

static long ahead(CtlRun *run, bool restarts) { return restarts ? starts_of(of(run), true) : next(run); }

/* Returns the maximum number of points of a round, not counting runs that begin at results of coarser stages. The
 * arrays grow when such runs are added. */
static long round_points(const CtlProblem *problem) {
  CtlLevel level;
  int segments[CTL_LEVELS_MAX], levels = ctl_levels(problem, segments);
  bool alone = !ctl_level_has_coarser(problem);
  if (!ctl_level_init(&level, problem, segments[0], problem->start)) return 1;
  long first = ctl_stage_starts(&level.problem, alone, false);
  ctl_level_clear(&level);
  return first + (levels > 1);
}

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  AutoRun *r = of(run);
  const CtlProblem *p = run->problem;
  int at = (int)ctl_bytes_integer(bytes, r->at, 0, r->levels - 1);
  ctl_bytes_numbers(bytes, r->given, 2 * (size_t)p->n);
  for (int k = 0; k < r->levels; k++) r->seeded[k] = ctl_bytes_integer(bytes, r->seeded[k], 0, 1);
  r->checks = ctl_bytes_integer(bytes, r->checks, 0, 1);
  r->before = ctl_bytes_integer(bytes, r->before, 0, INT32_MAX);
  for (int k = 0; k < at && !bytes->bad; k++) {
    bool there = ctl_bytes_integer(bytes, r->answers[k].controls != NULL, 0, 1);
    if (bytes->from) r->answers[k] = (CtlAnswers){.segments = r->segments[k]};
    if (there && !ctl_answers_serialize(&r->answers[k], p->p, bytes)) return false;
  }
  if (bytes->bad) return true;
  if (bytes->from) {
    ctl_stage_clear(&r->stage);
    r->at = at;
    if (!ctl_stage_init(&r->stage, p, r->segments[at], r->given)) return false;
  }
  if (!ctl_stage_serialize(&r->stage, bytes)) return false;
  return !bytes->from || bytes->bad || begin_runs(r);
}

static const CtlMethodOps ops = {CTL_METHOD_FUNCTIONS,         .want = want,          .tell = tell,
                                 .improve = ctl_sqp_improve,   .round = round_points, .size = sizeof(AutoRun),
                                 .rounds = {"round", "rounds"}};

const CtlMethod ctl_auto_methods[] = {
    {"auto", "sqp from many starts side by side, or hybrid where a model has no derivatives", &ops, .petsc = true,
     .constrained = true, .targets = CTL_SQP_TARGETS, .squares = true, .derivatives = CTL_DERIVATIVES_NEEDED},
    {0}};
