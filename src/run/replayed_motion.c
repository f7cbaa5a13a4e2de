/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/replayed_motion.h"

#include "src/results/events.h"

#include <stdlib.h>
#include <string.h>

/* Adds an event: a degree of freedom begins to slip or to stick at time t. Several events of it at the same time are
 * merged into one. Events at the end time T, up to round-off, are left out. */
static void add_event(ReplayedMotion *motion, int dof, signed char slip, double t) {
  static const double ROUND_OFF = 1e-9; /* tolerance of times, relative to T */
  EventTimes *events = &motion->events[dof];
  motion->slip[dof] = slip;
  if (!(t > 0) || t >= (1 - ROUND_OFF) * motion->problem->sim.end ||
      (events->n > 0 && events->times[events->n - 1] == t))
    return;
  if (events->n == events->room) {
    int room = 2 * events->room + 16;
    double *times = realloc(events->times, (size_t)room * sizeof *times);
    motion->no_memory = motion->no_memory || !times;
    if (!times) return;
    events->times = times;
    events->room = room;
  }
  events->times[events->n++] = t;
}

static void note(void *context, double t, int dof, int slip) {
  ReplayedMotion *motion = context;
  if (motion->trajectory) {
    const SimObserver *writer = trajectory_observer(motion->trajectory);
    writer->event(writer->context, t, dof, slip);
  }
  if (motion->events && !sim_event_of_stop(slip)) add_event(motion, dof, (signed char)slip, t);
}

/* Derives events from time steps in the same way as for events.csv: a degree of freedom that slips at the time t_n of
 * step n has moved since t_{n-1}. */
static void follow_events(ReplayedMotion *motion, const SimStep *step) {
  const SimProblem *sim = &motion->problem->sim;
  for (int i = 0; i < sim->count; i++) {
    if (step->n == 0) motion->slip[i] = step->slip[i];
    if (step->slip[i] == motion->slip[i] || !(sim_problem_threshold(sim, i) > 0)) continue;
    add_event(motion, i, step->slip[i], motion->slip[i] == 0 ? motion->time : step->t);
  }
}

static void see(void *context, const SimStep *step) {
  ReplayedMotion *motion = context;
  size_t size = (size_t)motion->problem->sim.count;
  const double *const vectors[] = {step->x, step->v, step->lambda};
  if (motion->trajectory) {
    const SimObserver *writer = trajectory_observer(motion->trajectory);
    writer->step(writer->context, step);
  }
  if (motion->events) follow_events(motion, step);
  motion->time = step->t;
  if (step->n % motion->finer) return;
  for (size_t k = 0; k < 3; k++) memcpy(motion->instant + k * size, vectors[k], size * sizeof(double));
}

int replayed_motion_prepare(ReplayedMotion *motion, const Problem *problem, long finer, Diagnostics *diagnostics) {
  const SimProblem *sim = &problem->sim;
  size_t count = (size_t)sim->count;
  *motion = (ReplayedMotion){.problem = problem, .finer = finer, .observer = {motion, see, note}};
  motion->instant = calloc(4 * count, sizeof *motion->instant);
  motion->apart = motion->instant + 3 * count;
  motion->slip = calloc(count, sizeof *motion->slip);
  bool few = sim->d <= INTERVALS_MAX;
  if (few) motion->events = calloc(count, sizeof *motion->events);
  bool missing = !motion->instant || !motion->slip || (few && !motion->events);
  if (sim_group_agree(sim->group, missing)) return diagnostics_no_memory(diagnostics);
  int code = rollout_context_prepare(&motion->rollout, sim, diagnostics);
  return code ? code : rollout_context_examine(&motion->rollout, problem, diagnostics);
}

SimStatus replayed_motion_go(ReplayedMotion *motion, const double *control, long k) {
  const RolloutContext *rollout = &motion->rollout;
  return k == 0 ? sim_rollout_begin(rollout->model, rollout->work, control, &motion->observer)
                : sim_rollout_run_to(rollout->model, rollout->work, &motion->observer, k * motion->finer);
}

void replayed_motion_end(ReplayedMotion *motion) {
  sim_rollout_end(motion->rollout.model, motion->rollout.work, &motion->rollout.final);
}

void replayed_motion_release(ReplayedMotion *motion) {
  for (int i = 0; motion->events && i < motion->problem->sim.count; i++) free(motion->events[i].times);
  free(motion->events);
  free(motion->instant);
  free(motion->slip);
  rollout_context_release(&motion->rollout);
  *motion = (ReplayedMotion){0};
}
