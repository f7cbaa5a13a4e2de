/* SPDX-License-Identifier: BSD-2-Clause */
/* The method `sqp` for user-defined values. Several runs proceed in parallel, the first from the given start, the
 * others from those of the problem (CtlProblem.starts), and further ones near the best answer. A round has one point
 * for each active run, its trial. Restarts begin at random points. */
#include "control/sqp/smooth_method.h"

#include "control/outcome/values.h"
#include "control/sqp/improve.h"
#include "control/sqp/smooth.h"
#include "control/sqp/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 20 /* default number of runs for a problem with CtlProblem.starts */ };
static const double SAME = 1e-6; /* two runs have the same answer if the relative difference of their objectives f is
                                  * below this */

typedef struct SmoothRun {
  CtlRun run;
  int count;         /* number of runs that proceed in parallel */
  CtlSmooth *smooth; /* [count] state of each run; owned */
  long begun;        /* number of starting points used so far */
} SmoothRun;

static SmoothRun *of(CtlRun *run) { return (SmoothRun *)run; }

static void end(CtlRun *run) {
  SmoothRun *r = of(run);
  for (int k = 0; k < r->count && r->smooth; k++) ctl_smooth_clear(&r->smooth[k]);
  free(r->smooth);
  r->smooth = NULL;
  r->count = 0;
}

/* Returns the number of runs that proceed in parallel. */
static long round_points(const CtlProblem *p) {
  int most = p->start_count + 1;
  if (most == 1) return 1;
  return p->local_starts == 0 ? (most < STARTS ? most : STARTS) : p->local_starts < most ? p->local_starts : most;
}

/* Sets the starting point number k. The first ones are the problem's start and CtlProblem.starts. The others are random
 * between the bounds, or around the problem's start for a variable with an infinite bound. */
static void set_start(const CtlProblem *p, long k, double *point) {
  if (k <= p->start_count) {
    memcpy(point, k ? p->starts + (size_t)(k - 1) * (size_t)p->n : p->start, (size_t)p->n * sizeof *point);
    return;
  }
  k -= p->start_count;
  for (int i = 0; i < p->n; i++) {
    double number = ctl_start_number((uint64_t)k, (uint64_t)i), across = p->upper[i] - p->lower[i];
    double reach = ldexp(fmax(p->step * p->size[i], fabs(p->start[i])), (int)(k % 4));
    point[i] = isfinite(across) ? p->lower[i] + across * (1 + number) / 2 : p->start[i] + reach * number;
  }
}

static bool start(CtlRun *run, const double *control, double step) {
  SmoothRun *r = of(run);
  (void)step;
  end(run);
  /* if `control` is given, this run is a part of another method, and there is only one run */
  r->count = control ? 1 : (int)round_points(run->problem);
  r->begun = 0;
  run->objective->has_bar = false;
  r->smooth = calloc((size_t)r->count, sizeof *r->smooth);
  if (!r->smooth) return false;
  for (int k = 0; k < r->count; k++) {
    if (!ctl_smooth_init(&r->smooth[k], run->problem)) return false;
    set_start(run->problem, r->begun++, r->smooth[k].trial);
    ctl_smooth_start(&r->smooth[k], k == 0 && control ? control : r->smooth[k].trial);
  }
  if (!ctl_objective_reserve_rows(run->objective, run->place + r->count)) return false;
  run->objective->state.edge = run->problem->step;
  return true;
}

static long next(CtlRun *run) {
  long active = 0;
  for (int k = 0; k < of(run)->count; k++) active += !of(run)->smooth[k].ended;
  return active;
}

/* Returns the active run number k, from 0. Its trial is point k of the round. */
static CtlSmooth *active_run(const SmoothRun *r, long k) {
  for (CtlSmooth *s = r->smooth;; s++)
    if (!s->ended && k-- == 0) return s;
}

static void points(CtlRun *run, long first, int count, double *controls) {
  size_t n = (size_t)run->problem->n;
  for (int i = 0; i < count; i++)
    memcpy(controls + (size_t)i * n, active_run(of(run), first + i)->trial, n * sizeof *controls);
}

static CtlWant want(const CtlRun *run, long k) {
  (void)run, (void)k;
  return (CtlWant){.derivatives = true};
}

/* Counts the starts used so far, and the runs that ended at the lowest objective f. */
static void count_starts(const SmoothRun *r) {
  CtlState *state = &r->run.objective->state;
  const CtlProblem *p = r->run.problem;
  double best = INFINITY;
  if (p->start_count == 0) return;
  for (int pass = 0; pass < 2; pass++) {
    state->reached = 0;
    for (int k = 0; k < r->count; k++) {
      const CtlSmooth *s = &r->smooth[k];
      bool met = s->begun && ctl_values_error(p, s->values) <= p->accept;
      if (met && pass == 0) best = fmin(best, s->f);
      state->reached += met && s->f <= best + SAME * fabs(best);
    }
  }
  state->starts = r->begun;
}

/* Returns the run with the best end, which meets the constraints at the lowest f; if there is none, it has the smallest
 * constraint violations. NULL: none has begun. */
static const CtlSmooth *best_run(const SmoothRun *r) {
  const CtlProblem *p = r->run.problem;
  const CtlSmooth *best = NULL;
  for (int k = 0; k < r->count; k++) {
    const CtlSmooth *s = &r->smooth[k];
    if (!s->begun) continue;
    bool met = ctl_values_error(p, s->values) <= p->accept,
         was = best && ctl_values_error(p, best->values) <= p->accept;
    if (!best || (met == was ? (met ? s->f < best->f : s->misses < best->misses) : met)) best = s;
  }
  return best;
}

/* Sets a random point near the point `best`: start k. Velocities that keep their sign do not change. */
static void set_near(const CtlProblem *p, long k, const double *best, double *point) {
  enum { LARGEST = 2, SIZES = 3 }; /* the distance is 2^-2, 2^-3, 2^-4 sizes in turn */
  for (int i = 0; i < p->n; i++) {
    double reach = ldexp(p->rules && p->rules[i] == CTL_STEP_SIDE ? 0 : p->size[i], -LARGEST - (int)(k % SIZES));
    point[i] = best[i] + reach * ctl_start_number(~(uint64_t)k, (uint64_t)i);
  }
}

/* Begins further runs near the best point, in place of others, if one of the first runs alone has ended there, or none
 * has met the constraints: then there are many local minima, and lower ones are near low ones. Altogether there are as
 * many as first starts, in four generations, so that later ones are near a better point. Their answer counts only if it
 * is another one. */
static void begin_near(SmoothRun *r) {
  enum { GENERATIONS = 4 };
  CtlObjective *objective = r->run.objective;
  long more = (r->count + GENERATIONS - 1) / GENERATIONS, left = 2 * r->count - r->begun;
  bool few = objective->has_bar || objective->state.reached <= 1;
  if (r->count < GENERATIONS || !few || left <= 0) return;
  const CtlSmooth *best = best_run(r);
  /* a run may have met the constraints on its way, and ended where it does not meet them */
  const double *centre = objective->state.reached ? best->at : objective->best.control;
  if (!objective->has_bar) objective->bar = objective->state.reached ? best->f - SAME * fabs(best->f) : INFINITY;
  objective->has_bar = true;
  if (more > left) more = left;
  for (long slot = r->begun; more > 0; slot++) {
    CtlSmooth *s = &r->smooth[slot % r->count];
    if (s == best) continue;
    set_near(r->run.problem, r->begun++, centre, s->trial);
    ctl_smooth_start(s, s->trial);
    more--;
  }
}

static bool tell(CtlRun *run) {
  SmoothRun *r = of(run);
  CtlObjective *objective = run->objective;
  double radius = 0;
  long place = run->place;
  for (int k = 0; k < r->count; k++) {
    CtlSmooth *s = &r->smooth[k];
    if (s->ended) continue;
    const double *rows = ctl_objective_rows(objective, place);
    ctl_smooth_tell(s, rows ? ctl_cache_x(&objective->cache, objective->entries[place]) : NULL, rows);
    if (!s->ended) radius = fmax(radius, fmin(s->radius, run->problem->step));
    place++;
  }
  ctl_sqp_improve(objective);
  count_starts(r);
  if (!next(run)) begin_near(r);
  if (!next(run)) {
    const CtlSmooth *best = best_run(r);
    objective->cut = best && ctl_smooth_is_cut(best);
  }
  objective->state.edge = fmax(radius, run->problem->tolerance);
  return true;
}

static long restart(CtlRun *run) {
  SmoothRun *r = of(run);
  CtlSmooth *s = &r->smooth[0];
  set_start(run->problem, r->begun++, s->trial);
  ctl_smooth_start(s, s->trial);
  run->objective->state.restarts++;
  run->objective->state.edge = run->problem->step;
  return 1;
}

static long ahead(CtlRun *run, bool restarts) { return restarts ? 1 : next(run); }

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  SmoothRun *r = of(run);
  CtlObjective *objective = run->objective;
  r->begun = ctl_bytes_integer(bytes, r->begun, 0, INT32_MAX);
  objective->has_bar = ctl_bytes_integer(bytes, objective->has_bar, 0, 1);
  ctl_bytes_numbers(bytes, &objective->bar, 1);
  for (int k = 0; k < r->count; k++) ctl_smooth_serialize(&r->smooth[k], bytes);
  return true;
}

const CtlMethodOps ctl_smooth_ops = {CTL_METHOD_FUNCTIONS,         .want = want,          .tell = tell,
                                     .improve = ctl_sqp_improve,   .round = round_points, .size = sizeof(SmoothRun),
                                     .rounds = {"round", "rounds"}};
