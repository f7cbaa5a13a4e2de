/* The methods `sqp` and `auto`: runs of SQP from several starts, side by side. Start 0 is the one given; 1 what meets the targets
 * without friction; 2 likewise, with friction that comes back in three steps; the others are random (starts.h). Then, where the
 * targets leave freedom, three rounds of some more near the best. */
#include "control/outcome/method.h"
#include "control/motion.h"
#include "control/sqp/sqp.h"
#include "control/sqp/starts.h"

#include <math.h>
#include <stdlib.h>

static const double EXACT = 1e-12; /* of E1 and E2: as far as a motion goes */
static const double EASIER = 1e-3; /* of a motion with less friction, which is but a way */
/* Part of J by which a run near its targets may yet come to less than it promises, and by a miss of 1: of any start; of one near the
 * best. */
static const double SLACK[] = {0.05, 0.02}, BLUR[] = {0.5, 0.2};

/* One start's run. */
typedef struct Trail {
  CtlSqp sqp;
  CtlMotion motion; /* by which it runs now */
  int doubled;      /* how often its start was, to make all move */
} Trail;

typedef struct SqpRun {
  CtlRun run;
  CtlSqpShared shared;
  Trail *trails; /* [room] the first `active` are under way; owned */
  int room, active;
  double *given, *free; /* [n] the first start; what the targets take without friction; owned, in one block */
  bool free_known;
  long begun, wanted; /* starts begun so far; to be begun */
  long near;          /* starts near the best begun so far */
} SqpRun;

static SqpRun *of(CtlRun *run) { return (SqpRun *)run; }

enum {
  DOUBLINGS = 12,    /* of a start at most */
  NEAR_ROUNDS = 3,   /* of starts near the best */
  JUDGED = 4,        /* trials after which what a run promises counts */
  TARGETS_MAX = 1024 /* a step takes memory for their square, and time for their cube */
};

/* Evaluations that a budget should hold for a start. */
enum { PER_START = 16 };

static long least_of(long a, long b) { return a < b ? a : b; }

/* Whether entries of the target are a function along a string. */
static bool has_function(const CtlProblem *p) { return ctl_targets_alone(p) < ctl_target_count(p); }

/* Whether the first control that meets the targets is the least. */
static bool first_is_least(const CtlProblem *p) { return p->convex && p->n <= ctl_target_count(p) && !has_function(p); }

/* How many starts `auto` has by default, at first or again: few where each takes long. Where there are as many targets as variables, each
 * order of stick and slip may have an answer of its own, and the first that is found may be the dearest. */
static long usual_starts(const CtlProblem *p, bool again) {
  enum { SQUARES = 16384, MOST = 96, LEAST = 4, BOUND = 32, FEW = 2 };
  long share = SQUARES / ((long)p->n * p->n), afford = p->max_evaluations ? p->max_evaluations / PER_START : MOST;
  share = share > MOST ? MOST : share < LEAST ? LEAST : share;
  if (!again && p->n <= ctl_target_count(p))
    share = least_of(share, first_is_least(p) || has_function(p) ? FEW : BOUND);
  share = least_of(share, afford);
  return share < 1 ? 1 : share;
}

/* How many starts `auto` has at first, and more of with each restart. */
static long many_starts(const CtlProblem *p, bool again) {
  return p->local_starts ? p->local_starts : usual_starts(p, again);
}

/* Starts of a round of `auto` near the best; 0: there is nothing to choose, or nobody wants more than one. */
static long near_starts(const CtlProblem *p) {
  enum { ROUND = 8 };
  if (p->local_starts == 1 || p->n <= ctl_target_count(p)) return 0;
  return p->local_starts && p->local_starts < ROUND ? p->local_starts : ROUND;
}

/* Runs of `auto` side by side at most. */
static long round_points(const CtlProblem *p) {
  long again = many_starts(p, true), near = near_starts(p);
  return again > near ? again : near;
}

static bool is_many(const CtlRun *run) { return *(const bool *)run->method->own; }
static long starts_of(const CtlRun *run, bool again) { return is_many(run) ? many_starts(run->problem, again) : 1; }

static void end(CtlRun *run) {
  SqpRun *r = of(run);
  for (int k = 0; k < r->room; k++) ctl_sqp_clear(&r->trails[k].sqp);
  ctl_sqp_shared_clear(&r->shared);
  free(r->trails);
  free(r->given);
  r->trails = NULL;
  r->given = NULL;
  r->shared = (CtlSqpShared){0};
  r->room = r->active = 0;
}

/* Room for so many side by side. Returns false when out of memory. */
static bool reserve(SqpRun *r, long most) {
  int room = (int)most;
  if (room <= r->room) return true;
  Trail *trails = realloc(r->trails, (size_t)room * sizeof *trails);
  if (!trails) return false;
  r->trails = trails;
  for (; r->room < room; r->room++)
    if (!ctl_sqp_init(&trails[r->room].sqp, &r->shared)) return false;
  return ctl_objective_reserve_rows(r->run.objective, r->run.place + room);
}

static void go_on(Trail *trail, CtlMotion motion, const double *control) {
  trail->motion = motion;
  ctl_sqp_start(&trail->sqp, control, motion == CTL_MOTION_FILE ? EXACT : EASIER);
}

/* Whether the next start has no reason to begin yet: the first may do, which is not known before its end. */
static bool waits(const SqpRun *r) {
  const CtlProblem *p = r->run.problem;
  if (!is_many(&r->run) || r->begun != 1 || p->local_starts || !first_is_least(p)) return false;
  return r->active > 0 || ctl_objective_meets(r->run.objective, ctl_objective_wanted(p));
}

/* Begins starts while there are any, and what they start from is known. */
static void begin_starts(SqpRun *r) {
  const CtlProblem *p = r->run.problem;
  for (; r->begun < r->wanted && r->active < r->room && (r->begun < 2 || r->free_known) && !waits(r); r->begun++) {
    Trail *trail = &r->trails[r->active++];
    trail->doubled = 0;
    double *control = trail->sqp.trial;
    go_on(trail, ctl_start(p, r->given, r->free, r->begun, control), control);
  }
}

/* Begins starts near the best, once all others have ended, where that may lead to less. */
static void begin_near(SqpRun *r) {
  const CtlObjective *objective = r->run.objective;
  const CtlProblem *p = r->run.problem;
  long round = is_many(&r->run) ? near_starts(p) : 0, affords = p->max_evaluations - round * PER_START;
  if (r->active > 0 || round == 0 || !ctl_objective_meets(objective, p->accept)) return;
  if (p->max_evaluations > 0 && objective->state.evaluations > affords) return;
  if (r->near >= NEAR_ROUNDS * round) return;
  for (; r->active < round; r->near++) {
    Trail *trail = &r->trails[r->active++];
    trail->doubled = DOUBLINGS;
    ctl_start_near(p, objective->best.control, r->near, trail->sqp.trial);
    go_on(trail, CTL_MOTION_FILE, trail->sqp.trial);
  }
}

static bool start(CtlRun *run, const double *control, double step) {
  SqpRun *r = of(run);
  const CtlProblem *p = run->problem;
  size_t n = (size_t)p->n;
  (void)step;
  end(run);
  r->given = calloc(2 * n, sizeof *r->given);
  if (!ctl_sqp_shared_init(&r->shared, p) || !r->given) return false;
  r->free = r->given + n;
  memcpy(r->given, control ? control : p->start, n * sizeof *r->given);
  r->free_known = false;
  r->begun = r->near = 0;
  r->wanted = starts_of(run, false);
  if (!reserve(r, is_many(run) ? round_points(run->problem) : 1)) return false;
  begin_starts(r);
  run->objective->state.edge = p->step;
  return true;
}

static long next(CtlRun *run) { return of(run)->active; }

static void points(CtlRun *run, long first, int count, double *controls) {
  size_t n = (size_t)run->problem->n;
  for (int i = 0; i < count; i++)
    memcpy(controls + (size_t)i * n, of(run)->trails[first + i].sqp.trial, n * sizeof *controls);
}

static CtlWant want(const CtlRun *run, long k) {
  const SqpRun *r = (const SqpRun *)run;
  return (CtlWant){.motion = r->trails[k].motion, .derivatives = true};
}

/* What follows on the end of a run. Returns false: nothing. */
static bool follow(SqpRun *r, Trail *trail) {
  const CtlProblem *p = r->run.problem;
  double *control = trail->sqp.trial;
  if (trail->motion == CTL_MOTION_FILE) return false;
  memcpy(control, trail->sqp.begun ? trail->sqp.at : r->given, (size_t)p->n * sizeof *control);
  if (trail->motion == CTL_MOTION_FREE) {
    memcpy(r->free, control, (size_t)p->n * sizeof *control);
    r->free_known = true;
  }
  go_on(trail, ctl_start_after(trail->motion), control);
  return true;
}

/* Whether a missed target has no derivatives: its dof sticks, and nothing small moves it. */
static bool sticks(const CtlSqp *s) {
  const CtlSqpShared *shared = s->shared;
  for (int j = 0; j < shared->m; j++) {
    const double *row = s->rows + (size_t)j * ctl_row_size(shared->n);
    bool acts = false;
    for (int i = 0; i < shared->n; i++) acts = acts || row[i] != 0;
    if (!acts && fabs(s->miss[j]) > shared->problem->accept * shared->unit[j]) return true;
  }
  return false;
}

/* A start from which something does not move that must is doubled, and tried again. */
static void double_start(Trail *trail) {
  const CtlSqp *s = &trail->sqp;
  double size = 0;
  if (s->tried > 1 || !s->begun || trail->doubled == DOUBLINGS || !sticks(s)) return;
  for (int i = 0; i < s->shared->n; i++) {
    size = fmax(size, fabs(s->at[i]));
    s->trial[i] = 2 * s->at[i];
  }
  if (!(size > 0)) return;
  trail->doubled++;
  go_on(trail, trail->motion, s->trial);
}

/* k: among the points at work. */
static void tell_trail(SqpRun *r, Trail *trail, long k) {
  const CtlObjective *objective = r->run.objective;
  const double *rows = ctl_objective_rows(objective, k);
  long entry = objective->entries[k];
  const double *x = rows ? ctl_cache_x(&objective->cache, entry) : NULL;
  ctl_sqp_tell(&trail->sqp, x, rows ? ctl_cache_v(&objective->cache, entry) : NULL, rows);
  double_start(trail);
}

/* The larger of E1 and E2. */
static double error_of(const CtlProblem *p, const double *x, const double *v) {
  double errors[2];
  ctl_errors(p, x, v, errors);
  return fmax(errors[0], errors[1]);
}

/* Whether point k is better than the incumbent: it meets the targets, or misses them by less; of two that meet them by merit. */
static bool is_better(const CtlObjective *objective, long k) {
  const CtlProblem *p = objective->problem;
  const CtlCache *cache = &objective->cache;
  long entry = objective->entries[k];
  if (ctl_objective_want(objective, k).motion || !isfinite(objective->merits[k])) return false;
  if (!isfinite(objective->merit)) return true;
  double error = error_of(p, ctl_cache_x(cache, entry), ctl_cache_v(cache, entry)),
         best = error_of(p, objective->best.x, objective->best.v);
  bool met = error <= p->accept;
  if (met != (best <= p->accept)) return met;
  return met ? objective->merits[k] < objective->merit : error < best;
}

/* The incumbent. Not by merit alone: a large J outweighs any miss. */
static void improve(CtlObjective *objective) {
  for (long k = 0; k < objective->points; k++) {
    if (objective->entries[k] == CTL_OUTSIDE || !is_better(objective, k)) continue;
    ctl_objective_set_incumbent(objective, objective->entries[k]);
    ctl_objective_centre(objective);
  }
}

/* Whether an answer is known that costs less than the run will come to. */
static bool cannot_win(const SqpRun *r, const Trail *trail) {
  const CtlObjective *objective = r->run.objective;
  const CtlSqp *s = &trail->sqp;
  bool near = r->near > 0;
  double J = objective->best.J, promised = s->J - s->promised;
  if (trail->motion != CTL_MOTION_FILE || !ctl_objective_meets(objective, objective->problem->accept)) return false;
  if (s->tried >= JUDGED && promised > (1 + SLACK[near] + BLUR[near] * s->misses) * J) return true;
  return !ctl_sqp_may_reach(s, J);
}

static bool tell(CtlRun *run) {
  SqpRun *r = of(run);
  int left = 0;
  double step = 0;
  for (int k = 0; k < r->active; k++) {
    Trail *trail = &r->trails[k];
    tell_trail(r, trail, run->place + k);
    if (trail->sqp.end != CTL_SQP_RUNNING && !follow(r, trail)) continue;
    if (cannot_win(r, trail)) continue;
    Trail kept = *trail; /* those that have ended are behind */
    *trail = r->trails[left];
    r->trails[left++] = kept;
    step = fmax(step, fmin(kept.sqp.radius, run->problem->step));
  }
  r->active = left;
  improve(run->objective);
  begin_starts(r);
  run->objective->state.edge = fmax(step, run->problem->tolerance);
  begin_near(r);
  return true;
}

/* From other starts. */
static long restart(CtlRun *run) {
  SqpRun *r = of(run);
  run->objective->state.restarts++;
  r->wanted += starts_of(run, true);
  begin_starts(r);
  run->objective->state.edge = run->problem->step;
  return r->active;
}

static long ahead(CtlRun *run, bool restarts) { return restarts ? starts_of(run, true) : of(run)->active; }

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  SqpRun *r = of(run);
  r->begun = ctl_bytes_integer(bytes, r->begun, 0, INT32_MAX);
  r->wanted = ctl_bytes_integer(bytes, r->wanted, 0, INT32_MAX);
  r->near = ctl_bytes_integer(bytes, r->near, 0, INT32_MAX);
  r->free_known = ctl_bytes_integer(bytes, r->free_known, 0, 1);
  r->active = (int)ctl_bytes_integer(bytes, r->active, 0, r->room);
  ctl_bytes_numbers(bytes, r->given, 2 * (size_t)run->problem->n);
  for (int k = 0; k < r->active && !bytes->bad; k++) {
    Trail *trail = &r->trails[k];
    trail->doubled = (int)ctl_bytes_integer(bytes, trail->doubled, 0, DOUBLINGS);
    trail->motion = (CtlMotion)ctl_bytes_integer(bytes, trail->motion, 0, CTL_MOTIONS - 1);
    ctl_sqp_serialize(&trail->sqp, bytes);
  }
  return true;
}

static const CtlMethodOps ops = {CTL_METHOD_FUNCTIONS,         .want = want,          .tell = tell,
                                 .improve = improve,           .round = round_points, .size = sizeof(SqpRun),
                                 .rounds = {"round", "rounds"}};

const CtlMethod ctl_sqp_methods[] = {{"sqp", "sequential quadratic programming with derivatives, from the start given",
                                      &ops, .own = &(const bool){false}, .constrained = true, .targets = TARGETS_MAX,
                                      .squares = true, .derivatives = CTL_DERIVATIVES_NEEDED},
                                     {0}};
const CtlMethod ctl_auto_methods[] = {{"auto",
                                       "sqp from many starts side by side, or hybrid where a model has no derivatives",
                                       &ops, .own = &(const bool){true}, .petsc = true, .constrained = true,
                                       .targets = TARGETS_MAX, .squares = true, .derivatives = CTL_DERIVATIVES_NEEDED},
                                      {0}};
