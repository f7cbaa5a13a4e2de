/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/verification.h"

#include "control/base/clock.h"
#include "src/base/json_values.h"
#include "src/file/sections/with.h"
#include "src/process/stop_signal.h"
#include "src/results/motion_failure.h"
#include "src/run/replayed_motion.h"
#include "src/run/rollout_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOTIONS_MAX = 1 + FINER_RUNS };

/* State of a verification. motions[n - 1] is the reference, which is the exact motion or approximates it. */
typedef struct Replay {
  const Problem *problem;
  const Results *results;
  SimGroup *group;
  Problem own[MOTIONS_MAX]; /* copies of the problem with another scheme or step */
  ReplayedMotion motions[MOTIONS_MAX];
  int n;
  SimInterrupt before;                 /* interrupt function that all their workspaces had before */
  Difference differences[MOTIONS_MAX]; /* difference of each motion from the reference */
  Results exact;
  Verification *result;
} Replay;

static bool is_first(const Replay *r) { return stiction_group_rank(r->group) == 0; }

static void fail(Verification *result, const char *why) {
  snprintf(result->failure, sizeof result->failure, "%s", why);
}

/* Preparing the motions that are simulated ------------------------------------------------------------------------- */

/* Adds a motion: by the scheme `event` if `exact`, otherwise with `finer` times as many steps. Returns an exit code. */
static int add_motion(Replay *r, bool exact, long finer, Diagnostics *found) {
  ReplayedMotion *motion = &r->motions[r->n];
  const ProblemChanges as = {.scheme = exact ? SCHEME_EVENT : SCHEME_LAW, .finer = finer};
  int code = problem_with(r->problem, as, found, &r->own[r->n]);
  if (code) return code;
  code = replayed_motion_prepare(motion, &r->own[r->n++], finer, found);
  if (!code || code == EXIT_INTERNAL) return code;
  replayed_motion_release(motion);
  problem_clear(&r->own[--r->n]);
  return code;
}

static int add_finer(Replay *r) {
  Diagnostics found = {0};
  int code = 0;
  for (int k = 0; k < FINER_RUNS && !code; k++) {
    r->result->steps[k] = r->problem->sim.steps * (2L << k);
    code = add_motion(r, false, 2L << k, &found);
  }
  if (code == EXIT_USAGE) fail(r->result, found.count ? found.list[0].text : "it cannot be run in finer steps");
  diagnostics_clear(&found);
  return code;
}

/* Prepares the motions, the reference last. Returns EXIT_USAGE if there is none; result->failure has the reason. */
static int prepare(Replay *r, bool compare) {
  Diagnostics refused = {0};
  int code = 0;
  if (compare) code = replayed_motion_prepare(&r->motions[r->n++], r->problem, 1, NULL);
  if (code) return EXIT_INTERNAL;
  if (problem_takes_event(r->problem)) {
    code = add_motion(r, true, 1, &refused);
    diagnostics_clear(&refused);
    r->result->exact = code == 0;
    if (code != EXIT_USAGE) return code;
  }
  return add_finer(r);
}

/* Opens files for the rows of the reference in the folder `exact` of the results. */
static int open_trajectory(Replay *r) {
  ReplayedMotion *reference = &r->motions[r->n - 1];
  bool nowhere = is_first(r) && results_nowhere(r->results); /* only the first rank knows the directory */
  if (r->problem->sim.d > TRAJECTORY_SMALL || sim_group_agree(r->group, nowhere)) return 0;
  r->exact = (Results){.diagnostics = r->results->diagnostics, .lock = -1};
  int code = is_first(r) ? results_take(&r->exact, r->results->directory, "exact") : 0;
  if (sim_group_agree(r->group, code)) return EXIT_INTERNAL;
  reference->trajectory = trajectory_open(&r->exact, reference->problem);
  return reference->trajectory ? 0 : EXIT_INTERNAL;
}

/* Computing differences between two motions ------------------------------------------------------------------------ */

static double farthest(int n, const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* Compares a motion with the reference at a common time. Common times are one step of the problem apart. */
static void compare_instant(ReplayedMotion *motion, const ReplayedMotion *reference, bool first, Difference *d) {
  const SimProblem *sim = &motion->problem->sim;
  int n = sim->count;
  const double *a = motion->instant, *b = reference->instant;
  d->x = fmax(d->x, farthest(n, a, b));
  d->v = fmax(d->v, farthest(n, a + n, b + n));
  for (int i = 0; i < n && !first; i++) {
    motion->apart[i] += sim->step * (double)motion->finer * fabs(a[2 * n + i] - b[2 * n + i]);
    d->lambda = fmax(d->lambda, motion->apart[i]);
  }
}

/* Pairs events of two lists in order, as well as possible. Returns the largest time in a pair, s. NAN: no memory. */
static double events_apart(const EventTimes *few, const EventTimes *many) {
  int spare = many->n - few->n;
  /* most[k]: result so far if up to k events of the longer list have no partner */
  double *most = calloc((size_t)spare + 1, sizeof *most), apart;
  if (!most) return NAN;
  for (int i = 0; i < few->n; i++)
    for (int k = 0; k <= spare; k++) {
      most[k] = fmax(most[k], fabs(few->times[i] - many->times[i + k]));
      if (k > 0) most[k] = fmin(most[k], most[k - 1]);
    }
  apart = most[spare];
  free(most);
  return apart;
}

static void compare_events(ReplayedMotion *motion, const ReplayedMotion *reference, Difference *d) {
  for (int i = 0; i < motion->problem->sim.count; i++) {
    const EventTimes *a = &motion->events[i], *b = &reference->events[i];
    double apart = a->n < b->n ? events_apart(a, b) : events_apart(b, a);
    motion->no_memory = motion->no_memory || isnan(apart);
    d->event_time = fmax(d->event_time, apart);
    d->events[0] += a->n;
    d->events[1] += b->n;
  }
}

/* Computes the final differences over the rows of all ranks. */
static void conclude(const Replay *r, ReplayedMotion *motion, Difference *d) {
  const ReplayedMotion *reference = &r->motions[r->n - 1];
  const SimProblem *sim = &motion->problem->sim;
  d->x_T = farthest(sim->count, motion->rollout.final.x, reference->rollout.final.x);
  d->v_T = farthest(sim->count, motion->rollout.final.v, reference->rollout.final.v);
  if (motion->events) compare_events(motion, reference, d);
  double most[] = {d->x_T, d->v_T, d->x, d->v, d->event_time, d->lambda}, *sums = d->events;
  sim_group_max(r->group, most, sizeof most / sizeof *most);
  sim_group_sum(r->group, sums, 2);
  bool counted = motion->events != NULL, matched = counted && sums[0] > 0 && sums[1] > 0;
  *d = (Difference){.x_T = most[0],
                    .v_T = most[1],
                    .x = most[2],
                    .v = most[3],
                    .event_time = matched ? most[4] : NAN,
                    .lambda = sim_kind_has_multiplier(sim->kind) ? most[5] : NAN,
                    .events = {counted ? sums[0] : NAN, counted ? sums[1] : NAN}};
}

/* Running the motions ---------------------------------------------------------------------------------------------- */

/* Records that motion number m ended before T, with this status. */
static void note_failure(Replay *r, int m, SimStatus status) {
  Verification *result = r->result;
  char why[MOTION_FAILURE_SIZE];
  replayed_motion_end(&r->motions[m]);
  motion_failure_text(&r->problem->labels, &r->motions[m].rollout.final, why);
  snprintf(result->failure, sizeof result->failure, "%s%s",
           m == r->n - 1 || result->itself ? "" : "a run beside it: ", why);
  if (m == r->n - 1 || result->itself) result->residual = r->motions[m].rollout.final.examined;
  if (motion_failure_distrusts(status)) snprintf(result->distrust, sizeof result->distrust, "%s", result->failure);
}

static bool is_late(const Replay *r) { return r->result->until > 0 && ctl_seconds() >= r->result->until; }

/* Returns whether to interrupt the current motion, because the time limit is exceeded or a signal has arrived. */
static bool is_to_end(void *context) {
  const Replay *r = context;
  return is_late(r) || (r->before.stops && r->before.stops(r->before.context));
}

/* Makes the workspaces of the motions check the time limit, too. */
static void limit_time(Replay *r) {
  for (int m = 0; m < r->n && r->result->until > 0; m++) {
    SimWorkspace *work = r->motions[m].rollout.work;
    r->before = *sim_workspace_interruption(work);
    stiction_workspace_interrupt(work, &(SimInterrupt){r, is_to_end, r->before.most});
  }
}

/* Advances all motions together to T. Returns 0, or EXIT_STOPPED after a signal later than SHORT after the start. */
static int go(Replay *r, const double *control, Progress *progress) {
  static const double SHORT = 0.5; /* time after the start, in s, in which signals are ignored */
  long steps = r->problem->sim.steps;
  double start = ctl_seconds();
  limit_time(r);
  for (long k = 0; k <= steps; k++) {
    for (int m = 0; m < r->n; m++) {
      SimStatus status = replayed_motion_go(&r->motions[m], control, k);
      if (status == SIM_OK) continue;
      if (status == SIM_CANCELLED && !is_late(r)) return EXIT_STOPPED;
      if (status == SIM_CANCELLED)
        fail(r->result, "out of time (search.max_seconds)");
      else
        note_failure(r, m, status);
      return 0;
    }
    for (int m = 0; m < r->n - 1; m++)
      compare_instant(&r->motions[m], &r->motions[r->n - 1], k == 0, &r->differences[m]);
    if (sim_group_agree(r->group, ctl_seconds() - start > SHORT && stop_signal_seen())) return EXIT_STOPPED;
    progress_draw(progress, "the motion itself: step %ld of %ld", k, steps);
  }
  return 0;
}

/* Stores the results of the reference, and the spread of the runs with smaller steps. Returns false without memory. */
static bool store_results(Replay *r) {
  Verification *result = r->result;
  const CtlProblem *control = &r->problem->control;
  size_t size = 2 * (size_t)r->problem->sim.d * sizeof(double);
  int n = r->n, own = result->compared ? 1 : 0;
  const ReplayedMotion *reference = &r->motions[n - 1];
  for (int m = 0; m < n - 1; m++) conclude(r, &r->motions[m], &r->differences[m]);
  if (result->compared) result->run = r->differences[0];
  for (int m = own; m < n - 1; m++) difference_widen(&result->spread, &r->differences[m]);
  for (int m = n - 1; m >= own; m--) {
    double misses[2];
    const double *state = rollout_context_state(&r->motions[m].rollout, &r->motions[m].problem->sim);
    if (state && m == n - 1 && (result->state = malloc(size))) memcpy(result->state, state, size);
    if (!state || !result->has_target) continue;
    ctl_errors(control, state, state + control->d, misses);
    for (int k = 0; k < 2; k++) {
      if (m == n - 1) result->misses[k] = misses[k];
      result->misses_spread[k] = fmax(result->misses_spread[k], fabs(misses[k] - result->misses[k]));
    }
  }
  double events = 0;
  for (int i = 0; reference->events && i < reference->problem->sim.count; i++) events += reference->events[i].n;
  sim_group_sum(r->group, &events, 1);
  result->events = reference->events ? events : NAN;
  result->grazes = reference->rollout.final.grazes;
  result->residual = reference->rollout.final.examined;
  result->tolerance = sim_problem_get(&reference->problem->sim, "tolerance");
  return !is_first(r) || result->state;
}

static int replay(Replay *r, const double *control, Progress *progress) {
  int code = open_trajectory(r);
  if (code) return code;
  code = go(r, control, progress);
  progress_clear(progress);
  for (int m = 0; m < r->n; m++) replayed_motion_end(&r->motions[m]);
  Trajectory *trajectory = r->motions[r->n - 1].trajectory;
  if (trajectory && trajectory_close(trajectory, true)) return EXIT_INTERNAL;
  if (code || *r->result->failure) return code;
  bool missing = !store_results(r);
  for (int m = 0; m < r->n; m++) missing = missing || r->motions[m].no_memory;
  return sim_group_agree(r->group, missing) ? diagnostics_no_memory(r->results->diagnostics) : 0;
}

int verification_run(const Problem *problem, const double *control, bool compare, double until, const Results *results,
                     Progress *progress, Verification *result) {
  Replay *r = calloc(1, sizeof *r);
  SimGroup *group = sim_problem_rows(&problem->sim).group;
  *result = (Verification){.until = until, .compared = compare, .has_target = problem->has_control && control};
  int code = sim_group_agree(group, r ? 0 : EXIT_INTERNAL);
  if (code) {
    free(r);
    return diagnostics_no_memory(results->diagnostics);
  }
  *r = (Replay){.problem = problem, .results = results, .group = group, .result = result};
  result->itself = sim_scheme_by_events(problem->sim.scheme);
  code = prepare(r, compare);
  if (code == EXIT_INTERNAL) diagnostics_no_memory(results->diagnostics);
  if (!code) code = replay(r, control, progress);
  for (int m = 0; m < r->n; m++) {
    replayed_motion_release(&r->motions[m]);
    problem_clear(&r->own[m]);
  }
  free(r);
  return code == EXIT_USAGE ? 0 : code;
}

void verification_give_up(Verification *result) {
  fail(result, "stopped on a signal twice (repeat it by simulate --verify)");
}

int verification_refuse(const Verification *result, Diagnostics *diagnostics) {
  return diagnostics_error(diagnostics, EXIT_UNSOLVED, "the motion itself: %s", result->distrust);
}

void verification_clear(Verification *result) {
  free(result->state);
  *result = (Verification){0};
}

/* Printing the verification ---------------------------------------------------------------------------------------- */

/* Adds a number to a JSON object unless it is NaN. */
static void put(json_t *object, const char *key, double value) {
  if (!isnan(value)) json_object_set_new(object, key, json_finite(value));
}

static void put_residual(json_t *object, const Verification *result) {
  if (!result->exact) return;
  json_object_set_new(object, "residual", json_finite(result->residual.largest));
  put(object, "residual_time", result->residual.time);
}

static json_t *difference_json(const Difference *d) {
  json_t *object = json_object();
  put(object, "x_T", d->x_T);
  put(object, "v_T", d->v_T);
  put(object, "x", d->x);
  put(object, "v", d->v);
  put(object, "lambda", d->lambda);
  put(object, "event_time", d->event_time);
  return object;
}

json_t *verification_exact(const Verification *result, const SimProblem *sim) {
  json_t *object = json_object();
  if (*result->failure) {
    json_object_set_new(object, "reason", json_string(result->failure));
    if (*result->distrust) put_residual(object, result);
    return object;
  }
  if (result->has_target) put(object, "E1", result->misses[0]);
  if (result->has_target) put(object, "E2", result->misses[1]);
  if (sim->d <= SUMMARY_STATE_MAX) {
    json_object_set_new(object, "x_T", echo_vector(sim->d, result->state));
    json_object_set_new(object, "v_T", echo_vector(sim->d, result->state + sim->d));
  }
  if (!isnan(result->events)) json_object_set_new(object, "events", json_integer((json_int_t)result->events));
  if (result->exact) {
    if (result->grazes) json_object_set_new(object, "grazes", json_integer((json_int_t)result->grazes));
    put(object, "tolerance", result->tolerance);
    put_residual(object, result);
    return object;
  }
  json_t *uncertainty = difference_json(&result->spread);
  if (result->has_target) put(uncertainty, "E1", result->misses_spread[0]);
  if (result->has_target) put(uncertainty, "E2", result->misses_spread[1]);
  json_t *steps = json_array();
  for (int k = 0; k < FINER_RUNS; k++) json_array_append_new(steps, json_integer(result->steps[k]));
  json_object_set_new(object, "steps", steps);
  json_object_set_new(object, "uncertainty", uncertainty);
  return object;
}

json_t *verification_difference(const Verification *result, const SimProblem *sim) {
  json_t *exact = verification_exact(result, sim);
  if (*result->failure) return exact;
  json_t *object = difference_json(&result->run);
  if (!isnan(result->run.events[0]))
    json_object_set_new(object, "events",
                        json_pack("[I, I]", (json_int_t)result->run.events[0], (json_int_t)result->run.events[1]));
  json_object_set_new(object, "exact", exact);
  return object;
}

static void print_miss(const Verification *result, int k) {
  miss_print(k + 1, result->misses[k]);
  if (!result->exact) printf(" +- %.0e", result->misses_spread[k]);
}

void verification_print(const Verification *result, const Labels *labels) {
  const Difference *d = &result->run;
  const char *m = labels->position, *per_second = labels->velocity;
  if (*result->failure) {
    printf("the motion itself is not known: %s\n", result->failure);
    return;
  }
  if (result->has_target) {
    printf("the motion itself: ");
    print_miss(result, 0);
    printf(", ");
    print_miss(result, 1);
    if (!result->exact)
      printf(" (from runs of %ld, %ld and %ld steps)", result->steps[0], result->steps[1], result->steps[2]);
    printf("\n");
  }
  if (!result->compared) return;
  if (result->itself) {
    printf("the run is the motion itself, to scheme.tolerance: there is nothing to compare\n");
    return;
  }
  printf("off the motion itself: x(T) by %.1e %s, v(T) by %.1e %s; on the way x by %.1e %s, v by %.1e %s", d->x_T, m,
         d->v_T, per_second, d->x, m, d->v, per_second);
  if (!isnan(d->lambda)) printf(", lambda by %.1e s", d->lambda);
  printf("\n");
  if (!result->exact)
    printf("known from runs of %ld, %ld and %ld steps to x(T) %.0e %s, v(T) %.0e %s, x %.0e %s, v %.0e %s\n",
           result->steps[0], result->steps[1], result->steps[2], result->spread.x_T, m, result->spread.v_T, per_second,
           result->spread.x, m, result->spread.v, per_second);
  if (isnan(d->events[0])) return;
  printf("events: %.0f, of the motion itself %.0f", d->events[0], d->events[1]);
  if (!isnan(d->event_time)) printf("; in their order at most %.1e s apart", d->event_time);
  printf("\n");
}
