/* The method `sqp` for user-defined values: one run from the given start; restarts begin at random points. */
#include "control/sqp/smooth_method.h"

#include "control/problem/bounds.h"
#include "control/sqp/improve.h"
#include "control/sqp/smooth.h"
#include "control/sqp/starts.h"

#include <math.h>
#include <string.h>

typedef struct SmoothRun {
  CtlRun run;
  CtlSmooth smooth;
  long begun; /* number of starts so far */
} SmoothRun;

static SmoothRun *of(CtlRun *run) { return (SmoothRun *)run; }

static void end(CtlRun *run) {
  ctl_smooth_clear(&of(run)->smooth);
  of(run)->smooth = (CtlSmooth){0};
}

static bool start(CtlRun *run, const double *control, double step) {
  (void)step;
  end(run);
  of(run)->begun = 1;
  if (!ctl_smooth_init(&of(run)->smooth, run->problem)) return false;
  if (!ctl_objective_reserve_rows(run->objective, run->place + 1)) return false;
  ctl_smooth_start(&of(run)->smooth, control ? control : run->problem->start);
  run->objective->state.edge = run->problem->step;
  return true;
}

static long next(CtlRun *run) { return !of(run)->smooth.ended; }

static void points(CtlRun *run, long first, int count, double *controls) {
  (void)first, (void)count; /* a round has a single point */
  memcpy(controls, of(run)->smooth.trial, (size_t)run->problem->n * sizeof *controls);
}

static CtlWant want(const CtlRun *run, long k) {
  (void)run, (void)k;
  return (CtlWant){.derivatives = true};
}

static bool tell(CtlRun *run) {
  CtlSmooth *s = &of(run)->smooth;
  CtlObjective *objective = run->objective;
  const double *rows = ctl_objective_rows(objective, run->place);
  ctl_smooth_tell(s, rows ? ctl_cache_x(&objective->cache, objective->entries[run->place]) : NULL, rows);
  ctl_sqp_improve(objective);
  objective->state.edge = fmax(s->ended ? 0 : fmin(s->radius, run->problem->step), run->problem->tolerance);
  return true;
}

/* Restarts between the bounds, or about the problem's start where one is infinite. */
static long restart(CtlRun *run) {
  SmoothRun *r = of(run);
  const CtlProblem *p = run->problem;
  double *point = r->smooth.trial;
  for (int i = 0; i < p->n; i++) {
    double number = ctl_start_number((uint64_t)r->begun, (uint64_t)i), across = p->upper[i] - p->lower[i];
    double reach = ldexp(fmax(p->step * p->size[i], fabs(p->start[i])), (int)(r->begun % 4));
    point[i] = isfinite(across) ? p->lower[i] + across * (1 + number) / 2 : p->start[i] + reach * number;
  }
  r->begun++;
  ctl_smooth_start(&r->smooth, point);
  run->objective->state.restarts++;
  run->objective->state.edge = p->step;
  return 1;
}

static long ahead(CtlRun *run, bool restarts) { return restarts || !of(run)->smooth.ended; }

static bool serialize(CtlRun *run, CtlBytes *bytes) {
  of(run)->begun = ctl_bytes_integer(bytes, of(run)->begun, 0, INT32_MAX);
  ctl_smooth_serialize(&of(run)->smooth, bytes);
  return true;
}

static long round_points(const CtlProblem *problem) {
  (void)problem;
  return 1;
}

const CtlMethodOps ctl_smooth_ops = {CTL_METHOD_FUNCTIONS,         .want = want,          .tell = tell,
                                     .improve = ctl_sqp_improve,   .round = round_points, .size = sizeof(SmoothRun),
                                     .rounds = {"round", "rounds"}};
