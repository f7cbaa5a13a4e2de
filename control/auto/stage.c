/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/auto/stage.h"

#include "control/pattern/code.h"
#include "control/sqp/improve.h"
#include "control/sqp/starts.h"

#include <math.h>
#include <stdlib.h>

static const double RESTART_ERROR = 0.01; /* a run that misses its targets by less than this error is restarted once */
/* a run is restarted at the control that its pattern query returned if this control promises to reduce J by more than
 * this fraction */
static const double RESTART_GAIN = 1e-3;
static const double SAME_COST = 1e-6; /* relative difference of J below which results count as equal */

bool ctl_stage_init(CtlStage *stage, const CtlProblem *problem, int segments, const double *given) {
  *stage = (CtlStage){.count = 0};
  stage->free = calloc((size_t)(problem->p * segments) + 1, sizeof *stage->free);
  return stage->free && ctl_level_init(&stage->level, problem, segments, given) &&
         ctl_sqp_shared_init(&stage->shared, &stage->level.problem);
}

void ctl_stage_clear(CtlStage *stage) {
  for (int k = 0; k < stage->count; k++) {
    ctl_sqp_clear(&stage->attempts[k].trail.sqp);
    free(stage->attempts[k].best);
  }
  free(stage->attempts);
  free(stage->free);
  ctl_sqp_shared_clear(&stage->shared);
  ctl_level_clear(&stage->level);
  *stage = (CtlStage){.count = 0};
}

static bool is_carried(const CtlStage *stage, int k);

/* The list of a stage's runs --------------------------------------------------------------------------------------- */

/* Appends a run to the stage's list of runs. Returns the new run; NULL if memory is lacking. */
static CtlAttempt *list_attempt(CtlStage *stage, CtlAttempt like) {
  CtlAttempt *attempts = realloc(stage->attempts, ((size_t)stage->count + 1) * sizeof *attempts);
  if (!attempts) return NULL;
  stage->attempts = attempts;
  CtlAttempt *attempt = &attempts[stage->count];
  *attempt = like;
  attempt->J = attempt->merit = attempt->error = INFINITY;
  attempt->asked = NAN;
  size_t n = (size_t)stage->level.problem.n;
  attempt->best = calloc(2 * n + 1, sizeof *attempt->best);
  if (!attempt->best) return NULL;
  attempt->from = attempt->best + n;
  stage->count++;
  return attempt;
}

/* Returns the index of a run, from index `first` on, that begins with the same motion at the same point as the last run
 * of the list; -1 if there is none. */
static int find_double(const CtlStage *stage, int first) {
  const CtlAttempt *last = &stage->attempts[stage->count - 1];
  for (int k = first; k < stage->count - 1; k++)
    if (stage->attempts[k].motion == last->motion &&
        !memcmp(stage->attempts[k].best, last->best, (size_t)stage->level.problem.n * sizeof(double)))
      return k;
  return -1;
}

/* Reduces the rank (stage.h) of run k to `rank` if it is larger. Runs from the pattern of the same point, which follow
 * in the list, get the same limit. */
static void lower_rank(CtlStage *stage, int k, long rank) {
  for (int i = k; i < stage->count && (i == k || stage->attempts[i].motion == CTL_MOTION_SHIFTED); i++)
    if (stage->attempts[i].rank > rank) stage->attempts[i].rank = rank;
}

static bool attempt_meets(const CtlStage *stage, const CtlAttempt *attempt) {
  return attempt->error <= stage->level.problem.accept;
}

/* Adds a run that begins at the initial point of run k, but with the times of its stick and slip phases shifted. like:
 * further properties of the new run. Returns false when out of memory. */
static bool add_shifted(CtlStage *stage, CtlAttempt like, ptrdiff_t k) {
  like.start = CTL_START_CARRIED;
  like.motion = CTL_MOTION_SHIFTED;
  CtlAttempt *attempt = list_attempt(stage, like);
  if (!attempt) return false;
  memcpy(attempt->best, stage->attempts[k].best, (size_t)stage->level.problem.n * sizeof *attempt->best);
  return true;
}

static bool add_carried(CtlStage *stage, int first, const CtlAnswers *answers) {
  const CtlProblem *p = &stage->level.problem;
  for (int k = 0; k < answers->count; k++) {
    const AutoAnswer *answer = &answers->list[k];
    CtlAttempt like = {.start = CTL_START_CARRIED, .rank = answer->rank, .starts = answer->starts};
    CtlAttempt *attempt = list_attempt(stage, like);
    if (!attempt) return false;
    sim_signal_refine(p->signal, p->p, answers->segments, p->segments / answers->segments, answer->control,
                      attempt->best);
    int same = find_double(stage, first);
    if (same >= 0) { /* one run replaces the two equal ones, and gets the smaller of their ranks */
      free(stage->attempts[--stage->count].best);
      lower_rank(stage, same, answer->rank);
    } else if (p->patterns && !add_shifted(stage, like, attempt - stage->attempts))
      return false;
  }
  return true;
}

/* Sorts the runs from index `first` on by rank, stably: with equal rank, those from results of coarser stages stay
 * first. */
static void sort_by_rank(CtlStage *stage, int first) {
  for (int k = first + 1; k < stage->count; k++) {
    CtlAttempt moved = stage->attempts[k];
    int at = k;
    for (; at > first && stage->attempts[at - 1].rank > moved.rank; at--) stage->attempts[at] = stage->attempts[at - 1];
    stage->attempts[at] = moved;
  }
}

/* To add a new kind of start, add its runs in this function, with the rank of the result at which they begin. */
bool ctl_stage_list(CtlStage *stage, long own, int count, const CtlAnswers *const *answers) {
  int first = stage->count;
  for (int k = 0; k < count; k++)
    if (!add_carried(stage, first, answers[k])) return false;
  for (long k = 0; k < own; k++, stage->own++)
    if (!list_attempt(stage, (CtlAttempt){.start = stage->own, .rank = stage->own + 1, .starts = 1})) return false;
  sort_by_rank(stage, first);
  return true;
}

bool ctl_stage_list_ways(CtlStage *stage) {
  const CtlProblem *p = &stage->level.problem;
  CtlAttempt *attempt =
      list_attempt(stage, (CtlAttempt){.start = CTL_START_SEED, .motion = CTL_MOTION_WAYS, .rank = 1, .starts = 1});
  if (!attempt) return false;
  pattern_encode(p->d, p->segments, p->start_ways, p->p, attempt->best);
  sort_by_rank(stage, 0);
  return true;
}

/* Returns the smallest number of starts with which a stage queries the k-th best pattern of stick and slip, k = 0, 1,
 * .. */
static long seed_rank(int k) {
  /* beyond the first CTL_SEEDS patterns, number of starts for each pattern that is queried */
  enum { PER_SEED = 16 };
  return k < CTL_SEEDS ? 1 : PER_SEED * (k + 1L);
}

bool ctl_stage_list_seeds(CtlStage *stage) {
  long starts = stage->level.problem.local_starts;
  for (; stage->seeds < CTL_SEEDS_MAX && (stage->seeds < CTL_SEEDS || starts >= seed_rank(stage->seeds));
       stage->seeds++) {
    CtlAttempt *attempt = list_attempt(
        stage,
        (CtlAttempt){.start = CTL_START_SEED, .motion = CTL_MOTION_SEED, .rank = seed_rank(stage->seeds), .starts = 1});
    if (!attempt) return false;
    attempt->best[0] = stage->seeds;
  }
  sort_by_rank(stage, 0);
  return true;
}

long ctl_stage_started(const CtlStage *stage) {
  long count = 0;
  for (int k = 0; k < stage->count; k++) {
    const CtlAttempt *attempt = &stage->attempts[k];
    count += attempt->start >= 0 ? attempt->state != CTL_ATTEMPT_WAITS
                                 : attempt->start == CTL_START_SEED && isfinite(attempt->asked);
  }
  return count;
}

bool ctl_stage_has_seeds(const CtlStage *stage) {
  for (int k = 0; k < stage->count; k++)
    if (stage->attempts[k].start == CTL_START_SEED && !isnan(stage->attempts[k].asked)) return true;
  return false;
}

bool ctl_stage_improve(CtlStage *stage, bool *any) {
  /* only stages with starts of their own are improved: patterns of results that were passed on from a coarser stage
   * have already been examined in that stage */
  enum { IMPROVEMENTS_MAX = 2 };
  int count = stage->count, times = stage->own > 1 || stage->seeds ? IMPROVEMENTS_MAX : 0;
  *any = false;
  if (!stage->level.problem.patterns || stage->improved >= times) return true;
  for (int k = 0; k < count; k++) {
    const CtlAttempt *from = &stage->attempts[k];
    if (!is_carried(stage, k)) continue;
    CtlAttempt like = {
        .rank = from->rank, .starts = ctl_stage_reached(stage, k), .source = attempt_meets(stage, from) ? from->J : 0};
    if (!add_shifted(stage, like, k)) return false;
    *any = true;
  }
  stage->improved++;
  sort_by_rank(stage, 0);
  return true;
}

/* Making and ending a stage's runs --------------------------------------------------------------------------------- */

/* Whether a start must still wait, because its control is not known yet or because the first run may make it
 * unnecessary. */
static bool start_waits(const CtlStage *stage, long start) {
  const CtlProblem *p = &stage->level.problem;
  if (start < 0) return false;
  if (start >= 2) return !stage->free_known;
  bool first_may_do = start == 1 && !p->local_starts && ctl_level_first_is_least(p);
  return first_may_do && (ctl_stage_active(stage) > 0 || ctl_stage_meets(stage));
}

bool ctl_stage_begin(CtlStage *stage) {
  const CtlProblem *p = &stage->level.problem;
  for (int k = 0; k < stage->count; k++) {
    CtlAttempt *attempt = &stage->attempts[k];
    CtlTrail *trail = &attempt->trail;
    if (attempt->state != CTL_ATTEMPT_WAITS || start_waits(stage, attempt->start)) continue;
    if (!ctl_sqp_init(&trail->sqp, &stage->shared)) return false;
    bool own = attempt->start >= 0;
    double *control = own ? trail->sqp.trial : attempt->best;
    CtlMotion motion = own ? ctl_start(p, p->start, stage->free, attempt->start, control) : attempt->motion;
    ctl_trail_begin(trail, motion, control);
    if (!own && motion == CTL_MOTION_FILE) ctl_trail_again(trail, control, false);
    attempt->state = CTL_ATTEMPT_RUNS;
  }
  return true;
}

int ctl_stage_active(const CtlStage *stage) {
  int active = 0;
  for (int k = 0; k < stage->count; k++) active += stage->attempts[k].state == CTL_ATTEMPT_RUNS;
  return active;
}

/* Whether run a is better than b. A run that meets the targets is better than one that misses them. Otherwise the lower
 * merit decides, or the smaller error. */
static bool attempt_beats(const CtlStage *stage, const CtlAttempt *a, const CtlAttempt *b) {
  double accept = stage->level.problem.accept;
  bool met = a->error <= accept;
  if (met != (b->error <= accept)) return met;
  return met ? a->merit < b->merit : a->error < b->error;
}

/* Stores the current trial point of a run if it is the best point of the run so far. */
static void note_trial(const CtlStage *stage, CtlAttempt *attempt, const double *x, const double *v) {
  const CtlProblem *p = &stage->level.problem;
  const double *control = attempt->trail.sqp.trial;
  CtlAttempt now = {.J = ctl_cost(p, control), .error = ctl_sqp_error(p, x, v)};
  now.merit = now.J + CTL_RHO_MAX * now.error;
  if (attempt->trail.motion != CTL_MOTION_FILE || !isfinite(now.error) || !attempt_beats(stage, &now, attempt)) return;
  attempt->J = now.J;
  attempt->merit = now.merit;
  attempt->error = now.error;
  memcpy(attempt->best, control, (size_t)p->n * sizeof *control);
}

static void retire_attempt(CtlAttempt *attempt) {
  ctl_sqp_clear(&attempt->trail.sqp);
  attempt->trail = (CtlTrail){.doubled = 0};
  attempt->state = CTL_ATTEMPT_ENDED;
}

/* Whether an earlier run has queried the same pattern of stick and slip. */
static bool is_asked_twice(const CtlStage *stage, const CtlAttempt *attempt) {
  /* Two queries concern the same pattern if the efforts of their results differ by at most this, relatively. */
  static const double SAME_PATTERN_COST = 1e-10;
  for (const CtlAttempt *before = stage->attempts; before < attempt; before++)
    if (fabs(before->asked - attempt->asked) <= SAME_PATTERN_COST * attempt->asked) return true;
  return false;
}

/* Whether a run is restarted once instead of ended; if so, restarts it: at the result of its pattern query if the
 * effort there would be lower than J, or at its best point if this point nearly meets the targets with an effort below
 * J. */
static bool goes_again(const CtlStage *stage, CtlAttempt *attempt, double J) {
  double error = attempt->error;
  bool promises = attempt->asked < (1 - RESTART_GAIN) * J;
  bool nearly = error > stage->level.problem.accept && error < RESTART_ERROR && attempt->J < J;
  return (promises || nearly) && ctl_trail_again(&attempt->trail, promises ? attempt->from : attempt->best, promises);
}

/* Returns the lowest merit among this run and the runs before it. */
static double least_up_to(const CtlStage *stage, const CtlAttempt *last) {
  double least = INFINITY;
  for (const CtlAttempt *attempt = stage->attempts; attempt <= last; attempt++)
    if (attempt_meets(stage, attempt)) least = fmin(least, attempt->J);
  return least;
}

void ctl_stage_tell(CtlStage *stage, CtlAttempt *attempt, const double *x, const double *v, const double *rows) {
  const CtlProblem *p = &stage->level.problem;
  CtlTrail *trail = &attempt->trail;
  bool is_free = trail->motion == CTL_MOTION_FREE, asks = ctl_motion_asks((int)trail->motion);
  if (x) note_trial(stage, attempt, x, v);
  bool on = ctl_trail_tell(trail, p->start, x, v, rows);
  if (is_free && trail->motion != CTL_MOTION_FREE) {
    memcpy(stage->free, trail->sqp.trial, (size_t)p->n * sizeof *stage->free);
    stage->free_known = true;
  }
  if (asks && x) attempt->asked = x[0];
  if (asks && x) memcpy(attempt->from, trail->sqp.trial, (size_t)p->n * sizeof *attempt->from);
  if (!on) on = goes_again(stage, attempt, least_up_to(stage, attempt));
  if (!on || (asks && is_asked_twice(stage, attempt))) retire_attempt(attempt);
}

void ctl_stage_judge(CtlStage *stage) {
  double least = INFINITY; /* lowest merit of the earlier runs */
  for (int k = 0; k < stage->count; k++) {
    CtlAttempt *attempt = &stage->attempts[k];
    bool runs = attempt->state == CTL_ATTEMPT_RUNS;
    double J = attempt_meets(stage, attempt) ? attempt->J : INFINITY;
    if (runs && isfinite(least) && ctl_trail_loses(&attempt->trail, attempt->start == CTL_START_CARRIED, least) &&
        !goes_again(stage, attempt, least))
      retire_attempt(attempt);
    least = fmin(least, J);
  }
}

/* Results of a stage ----------------------------------------------------------------------------------------------- */

int ctl_stage_best(const CtlStage *stage) {
  int best = -1;
  for (int k = 0; k < stage->count; k++) {
    const CtlAttempt *attempt = &stage->attempts[k];
    if (!isfinite(attempt->error)) continue;
    if (best < 0 || attempt_beats(stage, attempt, &stage->attempts[best])) best = k;
  }
  return best;
}

bool ctl_stage_meets(const CtlStage *stage) {
  int best = ctl_stage_best(stage);
  return best >= 0 && attempt_meets(stage, &stage->attempts[best]);
}

/* Whether two runs have the same result. */
static bool is_same(const CtlStage *stage, const CtlAttempt *a, const CtlAttempt *b) {
  if (attempt_meets(stage, a) != attempt_meets(stage, b)) return false;
  return attempt_meets(stage, a) ? fabs(a->J - b->J) <= SAME_COST * b->J
                                 : fabs(a->error - b->error) <= SAME_COST * b->error;
}

/* Several results of coarser stages may stem from the same starts, so the largest count is used, not the sum. The same
 * applies to a result and the run from its pattern of stick and slip. */
long ctl_stage_reached(const CtlStage *stage, int k) {
  const CtlAttempt *answer = &stage->attempts[k];
  long own = 0, carried = 0;
  for (int i = 0; i < stage->count; i++) {
    const CtlAttempt *attempt = &stage->attempts[i];
    if (!isfinite(attempt->error) || !is_same(stage, attempt, answer)) continue;
    if (attempt->start != CTL_START_CARRIED)
      own++;
    else if (attempt->starts > carried && !(fabs(attempt->source - answer->J) <= SAME_COST * answer->J))
      carried = attempt->starts;
  }
  return own + carried;
}

/* Whether the result of run k is passed on to finer stages. It must be among the best few of the results of runs 0..k,
 * and differ from the others. Runs that meet the targets and runs that miss them are counted separately. */
static bool is_carried(const CtlStage *stage, int k) {
  enum { CARRIED_MET = 3, CARRIED_MISSED = 1 };
  const CtlAttempt *attempt = &stage->attempts[k];
  int better = 0;
  if (!isfinite(attempt->error)) return false;
  for (int i = 0; i < k; i++) {
    const CtlAttempt *before = &stage->attempts[i];
    bool same = is_same(stage, before, attempt),
         counts = isfinite(before->error) && attempt_beats(stage, before, attempt);
    if (same) return false;
    for (int j = 0; j < i && counts; j++) counts = !is_same(stage, &stage->attempts[j], before);
    better += counts;
  }
  return better < (attempt_meets(stage, attempt) ? CARRIED_MET : CARRIED_MISSED);
}

/* Code that improves results before they are passed on would be added in this function. */
bool ctl_stage_answers(const CtlStage *stage, CtlAnswers *answers) {
  size_t n = (size_t)stage->level.problem.n;
  *answers = (CtlAnswers){.segments = stage->level.problem.segments};
  answers->controls = malloc(CTL_CARRIED_MAX * n * sizeof *answers->controls);
  if (!answers->controls) return false;
  int best = ctl_stage_best(stage);
  for (int k = 0; k < stage->count && answers->count < CTL_CARRIED_MAX; k++) {
    const CtlAttempt *attempt = &stage->attempts[k];
    bool last = answers->count == CTL_CARRIED_MAX - 1; /* the last entry of the list is reserved for the best result */
    if (!is_carried(stage, k) || (last && k < best)) continue;
    double *control = memcpy(answers->controls + (size_t)answers->count * n, attempt->best, n * sizeof *control);
    answers->list[answers->count++] = (AutoAnswer){control, attempt->rank, ctl_stage_reached(stage, k)};
  }
  return true;
}

void ctl_answers_clear(CtlAnswers *answers) {
  free(answers->controls);
  *answers = (CtlAnswers){.controls = NULL};
}
