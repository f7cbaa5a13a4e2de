/* SPDX-License-Identifier: BSD-2-Clause */
/* The method `sqp`: one run from the given start. Restarts use further initial controls (starts.h) one after another:
 * the control for the motion without friction, controls for friction that is increased in three steps, then random
 * ones. */
#include "control/sqp/improve.h"
#include "control/sqp/smooth_method.h"
#include "control/sqp/starts.h"
#include "control/sqp/trail.h"

#include <math.h>
#include <stdlib.h>

typedef struct SqpRun {
  CtlRun run;
  CtlSqpShared shared;
  CtlTrail trail;
  bool active;
  double *given, *free; /* given: [n] first start. free: [n] control that meets the targets without friction. Owned,
                         * in one block. */
  long begun;           /* number of initial controls from which a run has begun */
} SqpRun;

static SqpRun *of(CtlRun *run) { return (SqpRun *)run; }

static void end(CtlRun *run) {
  SqpRun *r = of(run);
  ctl_sqp_clear(&r->trail.sqp);
  ctl_sqp_shared_clear(&r->shared);
  free(r->given);
  r->given = NULL;
  r->shared = (CtlSqpShared){0};
  r->active = false;
}

static void begin_start(SqpRun *r) {
  double *control = r->trail.sqp.trial;
  ctl_trail_begin(&r->trail, ctl_start(r->run.problem, r->given, r->free, r->begun++, control), control);
  r->active = true;
}

static bool start(CtlRun *run, const double *control, double step) {
  SqpRun *r = of(run);
  const CtlProblem *p = run->problem;
  size_t n = (size_t)p->n;
  (void)step;
  end(run);
  r->given = calloc(2 * n, sizeof *r->given);
  if (!ctl_sqp_shared_init(&r->shared, p) || !r->given || !ctl_sqp_init(&r->trail.sqp, &r->shared)) return false;
  if (!ctl_objective_reserve_rows(run->objective, run->place + 1)) return false;
  r->free = r->given + n;
  memcpy(r->given, control ? control : p->start, n * sizeof *r->given);
  r->begun = 0;
  begin_start(r);
  run->objective->state.edge = p->step;
  return true;
}

static long next(CtlRun *run) { return of(run)->active; }

static void points(CtlRun *run, long first, int count, double *controls) {
  (void)first, (void)count; /* a round has a single point, so first and count are not needed */
  memcpy(controls, of(run)->trail.sqp.trial, (size_t)run->problem->n * sizeof *controls);
}

static CtlWant want(const CtlRun *run, long k) {
  (void)k;
  return (CtlWant){.motion = ((const SqpRun *)run)->trail.motion, .derivatives = true};
}

static bool tell(CtlRun *run) {
  SqpRun *r = of(run);
  CtlObjective *objective = run->objective;
  const double *rows = ctl_objective_rows(objective, run->place);
  long entry = objective->entries[run->place];
  const double *x = rows ? ctl_cache_x(&objective->cache, entry) : NULL,
               *v = x ? ctl_cache_v(&objective->cache, entry) : NULL;
  bool is_free = r->trail.motion == CTL_MOTION_FREE;
  r->active = ctl_trail_tell(&r->trail, r->given, x, v, rows);
  if (is_free && r->trail.motion != CTL_MOTION_FREE)
    memcpy(r->free, r->trail.sqp.trial, (size_t)run->problem->n * sizeof *r->free);
  ctl_sqp_improve(objective);
  objective->state.edge = fmax(r->active ? fmin(r->trail.sqp.radius, run->problem->step) : 0, run->problem->tolerance);
  return true;
}

/* Restarts from the next initial control. */
static long restart(CtlRun *run) {
  run->objective->state.restarts++;
  begin_start(of(run));
  run->objective->state.edge = run->problem->step;
  return 1;
}

static long ahead(CtlRun *run, bool restarts) { return restarts || of(run)->active; }

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  SqpRun *r = of(run);
  r->begun = ctl_bytes_integer(bytes, r->begun, 0, INT32_MAX);
  r->active = ctl_bytes_integer(bytes, r->active, 0, 1);
  ctl_bytes_numbers(bytes, r->given, 2 * (size_t)run->problem->n);
  if (r->active) ctl_trail_serialize(&r->trail, bytes);
  return true;
}

static long round_points(const CtlProblem *problem) {
  (void)problem;
  return 1;
}

static const CtlMethodOps ops = {CTL_METHOD_FUNCTIONS,         .want = want,          .tell = tell,
                                 .improve = ctl_sqp_improve,   .round = round_points, .size = sizeof(SqpRun),
                                 .rounds = {"round", "rounds"}};

const CtlMethod ctl_sqp_methods[] = {{"sqp", "sequential quadratic programming with derivatives, from the given start",
                                      &ops, .of_values = &ctl_smooth_ops, .constrained = true,
                                      .targets = CTL_SQP_TARGETS, .squares = true,
                                      .derivatives = CTL_DERIVATIVES_NEEDED},
                                     {0}};
