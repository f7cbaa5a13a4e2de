/* SPDX-License-Identifier: BSD-2-Clause */
/* The method `bundle`: runs of the bundle method from several starts at the same time. Start 0 is the one given by the
 * user. Start 1 is the control that minimises the statistic for motions without friction. Start 2 continues from the
 * control of start 1, with friction increased to its full value in three steps. The others are random
 * (control/sqp/starts.h). Another run begins at the solution for the unperturbed parameters (nominal.h). Restarts begin
 * near the best point. If the statistic is not the mean, as many runs again first minimise the mean, which has fewer
 * local minima, and then the statistic from the control found. */
#include "control/outcome/method.h"
#include "control/bundle/bundle.h"
#include "control/bundle/nominal.h"
#include "control/motion.h"
#include "control/sqp/starts.h"

#include <math.h>
#include <stdlib.h>

/* Smallest predicted decrease with which a run continues, relative to the merit P. The first value is for the problem's
 * own motions, the second for intermediate motions with reduced friction. */
static const double DECREASE_MIN = 1e-6, REDUCED_DECREASE_MIN = 1e-3;

/* Returns the default number of starts. It is small if each start takes much time. */
static long usual_starts(const CtlProblem *p) {
  enum { SQUARES = 4096, STARTS_MAX = 24, STARTS_MIN = 4 };
  long share = SQUARES / ((long)p->n * p->n);
  return share > STARTS_MAX ? STARTS_MAX : share < STARTS_MIN ? STARTS_MIN : share;
}

/* What a run minimises: the problem's statistic of the scenarios' errors directly, or first their mean and then the
 * statistic. */
typedef enum Way { DIRECT, BY_MEAN, WAYS } Way;

typedef struct Trail {
  CtlBundle bundle;
  CtlMotion motion; /* motion that the run simulates at present */
  Way way;
} Trail;

typedef struct BundleRun {
  CtlRun run;
  int ways;        /* number of values of Way that are in use for this problem */
  CtlProblem mean; /* the same problem with the mean as statistic; borrows the arrays of the original problem */
  CtlBundleShared shared[WAYS];
  Trail *trails; /* [room] runs, of which the first `active` are in progress; owned */
  int room, active;
  /* given: [n] first start. free: [n] control that minimises the objective for motions without friction. Both are
   * owned, in one allocation with mean_best. */
  double *given, *free;
  double *mean_best; /* [n] best control so far if the statistic is replaced by the mean */
  double least;      /* objective of mean_best, with the mean of the scenarios' errors in place of the statistic */
  CtlNominal nominal;
  bool nominal_taken; /* whether runs have begun at the solution for the unperturbed parameters */
  bool free_known;
  long begun, near; /* begun: number of starts so far, except those near the best point. near: number of starts near
                     * the best point. */
} BundleRun;

static BundleRun *of(CtlRun *run) { return (BundleRun *)run; }

static int ways_of(const CtlProblem *p) { return p->statistic == CTL_MEAN ? 1 : WAYS; }

static long starts_of(const CtlProblem *p) { return p->local_starts ? p->local_starts : usual_starts(p); }

/* Whether the problem with unperturbed parameters is also solved. It is unless the key local_starts requests a single
 * initial point. */
static bool has_nominal(const CtlProblem *p) { return p->local_starts != 1; }

/* Returns the maximum number of runs that are in progress at the same time. */
static long room_for(const CtlProblem *p) { return ways_of(p) * (starts_of(p) + has_nominal(p)); }

static long round_points(const CtlProblem *p) { return room_for(p) + (has_nominal(p) ? CTL_NOMINAL_STARTS : 0); }

static void end(CtlRun *run) {
  BundleRun *r = of(run);
  for (int k = 0; k < r->room; k++) ctl_bundle_clear(&r->trails[k].bundle);
  for (int way = 0; way < r->ways; way++) ctl_bundle_shared_clear(&r->shared[way]);
  ctl_nominal_clear(&r->nominal);
  free(r->trails);
  free(r->given);
  r->trails = NULL;
  r->given = NULL;
  r->room = r->active = 0;
}

static bool reserve_trails(BundleRun *r, int room) {
  r->trails = calloc((size_t)room, sizeof *r->trails);
  if (!r->trails) return false;
  for (; r->room < room; r->room++)
    if (!ctl_bundle_init(&r->trails[r->room].bundle, &r->shared[DIRECT])) return false;
  return ctl_objective_reserve_rows(r->run.objective, r->run.place + round_points(r->run.problem));
}

static void go_on(BundleRun *r, Trail *trail, Way way, CtlMotion motion, const double *control) {
  trail->motion = motion;
  trail->way = way;
  ctl_bundle_start(&trail->bundle, &r->shared[way], control,
                   motion == CTL_MOTION_FILE ? DECREASE_MIN : REDUCED_DECREASE_MIN);
}

/* Begins all starts that have not begun and for which the control is known. Each start begins one run for each Way. */
static void begin_starts(BundleRun *r) {
  const CtlProblem *p = r->run.problem;
  for (; r->begun < r->ways * starts_of(p) && r->active < r->room && (r->begun < 2 * r->ways || r->free_known);
       r->begun++) {
    Trail *trail = &r->trails[r->active++];
    double *control = trail->bundle.trial;
    CtlMotion motion = ctl_start(p, r->given, r->free, r->begun / r->ways, control);
    go_on(r, trail, (Way)(r->begun % r->ways), motion, control);
  }
}

/* Begins one run for each Way at the solution for the unperturbed parameters, once this solution is known. */
static void begin_at_nominal(BundleRun *r) {
  const CtlNominal *nominal = &r->nominal;
  if (r->nominal_taken || nominal->active > 0 || !isfinite(nominal->misses)) return;
  for (int way = 0; way < r->ways && r->active < r->room; way++)
    go_on(r, &r->trails[r->active++], (Way)way, CTL_MOTION_FILE, nominal->best);
  r->nominal_taken = true;
}

static bool start(CtlRun *run, const double *control, double step) {
  BundleRun *r = of(run);
  const CtlProblem *p = run->problem;
  size_t n = (size_t)p->n;
  (void)step;
  end(run);
  r->ways = ways_of(p);
  r->mean = *p;
  r->mean.statistic = CTL_MEAN;
  r->least = INFINITY;
  r->given = calloc(3 * n, sizeof *r->given);
  if (!r->given || !ctl_bundle_shared_init(&r->shared[DIRECT], p)) return false;
  if (r->ways > BY_MEAN && !ctl_bundle_shared_init(&r->shared[BY_MEAN], &r->mean)) return false;
  r->free = r->given + n;
  r->mean_best = r->free + n;
  memcpy(r->given, control ? control : p->start, n * sizeof *r->given);
  r->free_known = false;
  r->begun = r->near = 0;
  r->nominal_taken = !has_nominal(p);
  if (!reserve_trails(r, (int)room_for(p))) return false;
  if (!r->nominal_taken && !ctl_nominal_init(&r->nominal, p)) return false;
  if (!r->nominal_taken) ctl_nominal_start(&r->nominal, r->given);
  begin_starts(r);
  run->objective->state.edge = p->step;
  return true;
}

/* Returns the number of points of the next round: the trials of the runs, then the trials for the unperturbed
 * parameters. */
static long next(CtlRun *run) { return of(run)->active + of(run)->nominal.active; }

static const double *trial_of(const BundleRun *r, long k) {
  return k < r->active ? r->trails[k].bundle.trial : r->nominal.trails[k - r->active].sqp.trial;
}

static void points(CtlRun *run, long first, int count, double *controls) {
  size_t n = (size_t)run->problem->n;
  for (int i = 0; i < count; i++) memcpy(controls + (size_t)i * n, trial_of(of(run), first + i), n * sizeof *controls);
}

static CtlWant want(const CtlRun *run, long k) {
  const BundleRun *r = (const BundleRun *)run;
  if (k < r->active) return (CtlWant){.motion = r->trails[k].motion, .derivatives = true};
  return (CtlWant){.motion = CTL_MOTION_NOMINAL + (int)r->nominal.trails[k - r->active].motion, .derivatives = true};
}

/* Continues a run that has ended: with the next motion of its sequence, which has more friction, or, after the mean has
 * been minimised, with the problem's statistic. Returns false if the run is complete. */
static bool follow_trail(BundleRun *r, Trail *trail) {
  size_t size = (size_t)r->run.problem->n * sizeof(double);
  bool file = trail->motion == CTL_MOTION_FILE;
  if (file && (trail->way == DIRECT || !trail->bundle.begun)) return false;
  const double *reached = trail->bundle.begun ? trail->bundle.at : r->given;
  if (trail->motion == CTL_MOTION_FREE && !r->free_known) {
    memcpy(r->free, reached, size);
    r->free_known = true;
  }
  go_on(r, trail, file ? DIRECT : trail->way, ctl_start_after(trail->motion), reached);
  return true;
}

/* Whether to give up a run because its objective is unlikely to fall below that of the best run with the same Way. */
static bool cannot_win(BundleRun *r, Trail *trail) {
  const CtlBundle *bundle = &trail->bundle;
  if (trail->motion != CTL_MOTION_FILE) return false;
  if (trail->way == DIRECT) return !ctl_bundle_may_reach(bundle, r->run.objective->merit);
  if (bundle->P < r->least) {
    r->least = bundle->P;
    memcpy(r->mean_best, bundle->at, (size_t)r->run.problem->n * sizeof *r->mean_best);
  }
  return !ctl_bundle_may_reach(bundle, r->least);
}

/* Passes the result of evaluating point k of the round to the run that proposed the point. */
static void tell_point(BundleRun *r, long k) {
  const CtlObjective *objective = r->run.objective;
  const double *rows = ctl_objective_rows(objective, r->run.place + k);
  long entry = objective->entries[r->run.place + k];
  const double *x = rows ? ctl_cache_x(&objective->cache, entry) : NULL;
  const double *v = rows ? ctl_cache_v(&objective->cache, entry) : NULL;
  if (k < r->active)
    ctl_bundle_tell(&r->trails[k].bundle, x, v, rows);
  else
    ctl_nominal_tell(&r->nominal, (int)k - r->active, x, v, rows);
}

/* Removes runs that are over from the list of runs, and fills the gaps with the last active runs. */
static void remove_trails(BundleRun *r, bool (*is_over)(BundleRun *r, Trail *trail)) {
  int left = 0;
  for (int k = 0; k < r->active; k++) {
    if (is_over(r, &r->trails[k])) continue;
    Trail kept = r->trails[k];
    r->trails[k] = r->trails[left];
    r->trails[left++] = kept;
  }
  r->active = left;
}

static bool tell(CtlRun *run) {
  BundleRun *r = of(run);
  for (long k = 0; k < next(run); k++) tell_point(r, k);
  if (has_nominal(run->problem)) ctl_nominal_go_on(&r->nominal);
  remove_trails(r, cannot_win);
  ctl_objective_improve(run->objective);
  return true;
}

static bool has_ended(BundleRun *r, Trail *trail) { return trail->bundle.ended && !follow_trail(r, trail); }

/* Computes the next trial point of the first run that needs one. Does one step of this computation per call. If no run
 * needs a trial point, removes runs that have ended and begins others. Returns whether a run needed a trial point. */
static bool work(CtlRun *run) {
  BundleRun *r = of(run);
  int k = 0;
  double step = 0;
  while (k < r->active && !r->trails[k].bundle.due) k++;
  if (k < r->active) {
    ctl_bundle_go_on(&r->trails[k].bundle);
    return true;
  }
  remove_trails(r, has_ended);
  for (k = 0; k < r->active; k++) step = fmax(step, fmin(r->trails[k].bundle.radius, run->problem->step));
  begin_starts(r);
  begin_at_nominal(r);
  run->objective->state.edge = fmax(step, run->problem->tolerance);
  return false;
}

/* Restarts near the best point and near mean_best, with as many runs as at first. */
static long restart(CtlRun *run) {
  BundleRun *r = of(run);
  const CtlProblem *p = run->problem;
  run->objective->state.restarts++;
  for (; r->active < r->ways * starts_of(p); r->near++) {
    Trail *trail = &r->trails[r->active++];
    Way way = isinf(r->least) ? DIRECT : (Way)(r->near % r->ways);
    const double *best = way == DIRECT ? run->objective->best.control : r->mean_best;
    ctl_start_near(p, best, r->near / r->ways, trail->bundle.trial);
    go_on(r, trail, way, CTL_MOTION_FILE, trail->bundle.trial);
  }
  run->objective->state.edge = p->step;
  return r->active;
}

static long ahead(CtlRun *run, bool restarts) { return restarts ? of(run)->room : next(run); }

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  BundleRun *r = of(run);
  r->begun = ctl_bytes_integer(bytes, r->begun, 0, INT32_MAX);
  r->near = ctl_bytes_integer(bytes, r->near, 0, INT32_MAX);
  r->free_known = ctl_bytes_integer(bytes, r->free_known, 0, 1);
  r->active = (int)ctl_bytes_integer(bytes, r->active, 0, r->room);
  r->nominal_taken = ctl_bytes_integer(bytes, r->nominal_taken, !has_nominal(run->problem), 1);
  if (has_nominal(run->problem)) ctl_nominal_serialize(&r->nominal, bytes);
  ctl_bytes_numbers(bytes, &r->least, 1);
  ctl_bytes_numbers(bytes, r->given, 3 * (size_t)run->problem->n);
  for (int k = 0; k < r->active && !bytes->bad; k++) {
    Trail *trail = &r->trails[k];
    trail->motion = (CtlMotion)ctl_bytes_integer(bytes, trail->motion, 0, CTL_MOTIONS - 1);
    trail->way = (Way)ctl_bytes_integer(bytes, trail->way, 0, r->ways - 1);
    trail->bundle.shared = &r->shared[trail->way];
    ctl_bundle_serialize(&trail->bundle, bytes);
  }
  return true;
}

static const CtlMethodOps ops = {CTL_METHOD_FUNCTIONS,
                                 .want = want,
                                 .tell = tell,
                                 .work = work,
                                 .round = round_points,
                                 .size = sizeof(BundleRun),
                                 .rounds = {"round", "rounds"}};

const CtlMethod ctl_bundle_methods[] = {
    {"bundle", "a statistic of many scenarios, by steps on those that miss most, with derivatives, from many starts",
     &ops, .derivatives = CTL_DERIVATIVES_NEEDED, .statistics = true, .scenarios = true},
    {0}};
