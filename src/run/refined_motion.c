#include "src/run/refined_motion.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/process/stop_signal.h"

bool refined_motion_stopped(void *context) {
  static const double SHORT = 0.5; /* s */
  RefinedMotion *motion = context;
  motion->stopped = motion->stopped || (ctl_seconds() - motion->begun > SHORT && stop_signal_seen());
  return motion->stopped;
}

static void evaluate(void *context, CtlWant want, int count, const double *controls, SimFinal *final, double *rows) {
  RefinedMotion *motion = context;
  if (refined_motion_stopped(motion)) {
    for (int i = 0; i < count; i++) final[i].status = SIM_NOT_FINISHED;
    return;
  }
  progress_draw(motion->progress, "%s: simulation %ld", motion->purpose, motion->count);
  motion->simulator.evaluate(motion->simulator.context, want, count, controls, final, rows);
  motion->count += count;
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

int refined_motion_measure(RefinedMotion *motion, const double *control, Optimality *optimality) {
  ctl_optimality_clear(&optimality->is);
  optimality->status = ctl_optimality_find(&motion->problem->control, &motion->evaluator, control, &optimality->is);
  optimality->sought = true;
  return motion->stopped ? EXIT_STOPPED : optimality->status == SIM_NO_MEMORY ? EXIT_INTERNAL : 0;
}
