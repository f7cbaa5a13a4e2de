/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/refined_motion.h"

#include "control/base/clock.h"
#include "src/process/stop_signal.h"

bool refined_motion_stopped(void *context) {
  static const double SHORT = 0.5; /* time after the start, in s, in which a signal does not stop the motion */
  RefinedMotion *motion = context;
  motion->stopped = motion->stopped || (ctl_seconds() - motion->begun > SHORT && stop_signal_seen());
  motion->late = motion->late || (motion->until > 0 && ctl_seconds() >= motion->until);
  return motion->stopped || motion->late;
}

/* Returns whether to interrupt the current evaluation. Called by the workspace. */
static bool is_to_end(void *context) {
  const SimInterrupt *before = &((RefinedMotion *)context)->before;
  return refined_motion_stopped(context) || (before->stops && before->stops(before->context));
}

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  RefinedMotion *motion = context;
  if (refined_motion_stopped(motion)) {
    for (int i = 0; i < count; i++) final[i].status = SIM_NOT_FINISHED;
    return;
  }
  progress_draw(motion->progress, "%s: simulation %ld", motion->purpose, motion->count);
  SimWorkspace *work = motion->simulation.work;
  const SimInterrupt *before = sim_workspace_interruption(work);
  motion->before = before ? *before : (SimInterrupt){0};
  stiction_workspace_interrupt(work, &(SimInterrupt){motion, is_to_end, motion->before.most});
  motion->simulator.evaluate(motion->simulator.context, want, count, controls, final, rows);
  stiction_workspace_interrupt(work, &motion->before);
  motion->count += count;
  for (int i = 0; i < count; i++)
    motion->stopped = motion->stopped || (final[i].status == SIM_CANCELLED && !motion->late);
}

SimStatus refined_motion_prepare(RefinedMotion *motion, const Problem *problem, const RolloutContext *rollout,
                                 const char *purpose, Progress *progress) {
  *motion = (RefinedMotion){.problem = problem, .progress = progress, .purpose = purpose, .begun = ctl_seconds()};
  if (evaluated_model_prepare(problem, true, &motion->evaluated) ||
      evaluated_model_simulation(&motion->evaluated, rollout, &motion->simulation) != SIM_OK)
    return SIM_NO_MEMORY;
  motion->simulator = motion->evaluator = ctl_simulator(&motion->simulation);
  motion->evaluator.context = motion;
  motion->evaluator.evaluate = evaluate;
  return SIM_OK;
}

void refined_motion_release(RefinedMotion *motion) {
  progress_clear(motion->progress);
  ctl_simulation_clear(&motion->simulation);
  evaluated_model_clear(&motion->evaluated);
}

static void see_nothing(void *context, const SimStep *step) {
  (void)context;
  (void)step;
}

int refined_motion_check(const Problem *problem, const RolloutContext *rollout, const double *control,
                         char why[MOTION_FAILURE_SIZE]) {
  const SimObserver watching = {.step = see_nothing};
  SimFinal final = rollout->final;
  Originals originals;
  problem_originals(problem, &originals);
  if (sim_workspace_examine(rollout->work, &originals.functions) == SIM_NO_MEMORY) return EXIT_INTERNAL;
  final.status = stiction_rollout(rollout->model, rollout->work, control, &watching, &final);
  sim_workspace_examine(rollout->work, NULL);
  if (final.status == SIM_OK) return 0;
  if (final.status == SIM_CANCELLED) return EXIT_STOPPED;
  if (final.status == SIM_NO_MEMORY) return EXIT_INTERNAL;
  motion_failure_text(&problem->labels, &final, why);
  return EXIT_UNSOLVED;
}

int refined_motion_measure(RefinedMotion *motion, const double *control, Optimality *optimality) {
  ctl_optimality_clear(&optimality->is);
  optimality->status = ctl_optimality_find(&motion->problem->control, &motion->evaluator, control, &optimality->is);
  optimality->sought = true;
  return motion->stopped ? EXIT_STOPPED : optimality->status == SIM_NO_MEMORY ? EXIT_INTERNAL : 0;
}
